"""Which times an edit touched, for caches, stale marks and plots.

Outside the spans that `changed_span` names, every actor's coordinates, rates and transforms are the same bytes in both
documents; an actor that hangs on another, or is moved by it in a way that a system knows of, moves with it while it
does. Inside they may be the same too: a layer may hide what changed below it. What a system's parts touch, and how it
widens what others touched, its `Changes` say.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from engine.document import Actor, Document, Figure, Span
from engine.document.order import Group
from engine.motion.changes import ALWAYS, Interval, layer_changes, merge, support
from engine.motion.motion import active_layers
from engine.systems import load, systems

Change = tuple[str, int | None, int | None]


class Changes:
    """Which times an edit touches through what a system has. What is not overridden touches nothing."""

    def actor(self, old: Actor, new: Actor) -> list[Interval]:
        """When an actor may stand otherwise, if nothing changes that it hangs on or holds on to."""
        return []

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """When it may stand otherwise by what changes around it: parts of the document, or with whom it moves."""
        return []

    def reads(self, actor: Actor) -> Iterable[tuple[str, Interval]]:
        """Name the other actors that move it, each with when."""
        return ()

    def widens(self, group: Group) -> bool:
        """Tell whether what touches a group at a time is felt at others."""
        return False

    def widened(self, old: Document, group: Group, actor: Actor, found: Sequence[Interval]) -> list[Interval]:
        """When what touches an actor is felt."""
        return list(found)

    def pushes(self, old: Document, new: Document) -> float | None:
        """From when on [ticks] what physics simulates is pushed otherwise by the system, infinite where it never is;
        None where other bodies push, or by other laws."""
        return math.inf

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """When what is drawn differs though no pose does."""
        return []

    def scenery(self, old: Document, new: Document) -> list[Interval]:
        """When what is drawn of the scene as a whole differs though no pose does."""
        return []


@cache
def changes() -> tuple[Changes, ...]:
    """Those of all systems."""
    return tuple(load(each.changes)() for each in systems() if each.changes is not None)


def changed_span(old: Document, new: Document) -> tuple[Change, ...]:
    """Actor and closed span [ticks] for each stretch of time that differs; None: without end on that side."""
    touched, seeds, known = _touched(old, new, {}), dict[str, list[Interval]](), -1
    while len(seeds) > known:
        known, seeds = len(seeds), _felt_together(new, touched)
        touched = _touched(old, new, seeds) if len(seeds) > known else touched
    found = [(actor.id, *_ticks(each)) for actor in new.actors for each in touched[actor.id]]
    return (*found, *((actor.id, None, None) for actor in old.actors if actor.id not in new.actor_index))


def _felt_together(document: Document, touched: Mapping[str, list[Interval]]) -> dict[str, list[Interval]]:
    """From when on actors are touched that are stepped together."""
    found: dict[str, list[Interval]] = {}
    for ids in document.together:
        starts = [start for id in ids for start, _ in touched.get(id, ())]
        if starts:
            found.update((id, merge((*found.get(id, ()), (min(starts), math.inf)))) for id in ids)
    return found


def _touched(old: Document, new: Document, seeds: Mapping[str, list[Interval]]) -> dict[str, list[Interval]]:
    """The times of each actor, from those that are known to begin with."""
    touched: dict[str, list[Interval]] = {}
    before = {actor.id: frozenset(each.id for each in group) for group in old.groups for actor in group}
    for group in new.groups:
        ids = frozenset(actor.id for actor in group)
        for actor in group:
            index = old.actor_index.get(actor.id)
            earlier = actor if index is None else old.actors[index]
            found = [ALWAYS] if index is None else _changes(earlier, actor, touched)
            found += seeds.get(actor.id, ())
            regrouped = before.get(actor.id) != ids
            for each in changes():
                found += each.scene(old, new, earlier, actor, regrouped=regrouped)
            touched[actor.id] = merge(found)
        _share(old, group, touched)
        for each in changes():
            if each.widens(group):
                for actor in group:
                    touched[actor.id] = each.widened(old, group, actor, touched[actor.id])
                _share(old, group, touched)
    return touched


def actor_changes(old: Actor, new: Actor) -> list[Interval]:
    """The times at which the actor may stand otherwise, if nothing changes that it hangs on."""
    if old is new:
        return []
    same = old.figure is new.figure or old.figure.digest == new.figure.digest
    if not same or old.placement != new.placement or old.visible != new.visible:
        return [ALWAYS]
    found = _layer_list_changes(new.figure, old, new)
    if old.attachments != new.attachments:
        kept = 0
        for one, other in zip(old.attachments, new.attachments, strict=False):
            if one != other:
                break
            kept += 1
        found += [held(each.span) for each in (*old.attachments[kept:], *new.attachments[kept:])]
    for each in changes():
        found += each.actor(old, new)
    return merge(found)


def held(span: Span | None) -> Interval:
    """The times of a span; always where there is none."""
    return ALWAYS if span is None else (span.start, span.end)


def within(intervals: Iterable[Interval], span: Interval) -> list[Interval]:
    """Cut some times off at the ends of a span."""
    first, last = span
    return [(max(start, first), min(end, last)) for start, end in intervals if start <= last and first <= end]


def _changes(old: Actor, new: Actor, touched: Mapping[str, list[Interval]]) -> list[Interval]:
    """The times at which the actor may stand otherwise, those of what it hangs on or holds on to being known."""
    found = actor_changes(old, new)
    reads = [(each.target, held(each.span)) for each in new.attachments]
    reads += [each for one in changes() for each in one.reads(new)]
    for target, span in reads:
        found += within(touched.get(target, ()), span)
    return merge(found)


def _share(old: Document, group: Group, touched: dict[str, list[Interval]]) -> None:
    """Let what touches one of a group touch the others, while they move each other."""
    if len(group) == 1:
        return
    ids = {actor.id for actor in group}
    actors = [*group, *(old.actor(id) for id in ids & old.actor_index.keys())]
    linking = [(target, span) for one in changes() for actor in actors for target, span in one.reads(actor)]
    everything = merge(each for id in ids for each in touched[id])
    shared = merge(each for target, span in linking if target in ids for each in within(everything, span))
    for id in ids:
        touched[id] = merge((*touched[id], *shared))


def _layer_list_changes(figure: Figure, old: Actor, new: Actor) -> list[Interval]:
    before = {layer.id: layer for layer in active_layers(old.layers)}
    after = {layer.id: layer for layer in active_layers(new.layers)}
    found = [support(before[id]) for id in before if id not in after]
    found += [support(after[id]) for id in after if id not in before]
    kept, order = [id for id in before if id in after], [id for id in after if id in before]
    for first, second in zip(kept, order, strict=True):
        if first != second:
            found += [support(before[first]), support(after[first])]
    for id in order:
        found += layer_changes(figure, before[id], after[id])
    return merge(found)


def _ticks(interval: Interval) -> tuple[int | None, int | None]:
    start, end = interval
    return None if math.isinf(start) else int(start), None if math.isinf(end) else int(end)
