"""Which times an edit touched, for caches, stale marks and plots.

Outside the spans that `changed_span` names, every actor's coordinates, rates and transforms are the same bytes in both
documents; an actor that hangs on another, or holds on to it, moves with it while it does, and one with secondary motion
is touched for as long as that remembers, its window. Inside they may be the same too: a layer may hide what changed
below it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from engine.document import Actor, Document, Figure, Lock, Span
from engine.document.extent import layer_extent
from engine.motion.changes import ALWAYS, Interval, layer_changes, merge, support, track_changes
from engine.motion.motion import active_layers

Change = tuple[str, int | None, int | None]


def changed_span(old: Document, new: Document) -> tuple[Change, ...]:
    """Actor and closed span [ticks] for each stretch of time that differs; None: without end on that side."""
    touched: dict[str, list[Interval]] = {}
    before = {actor.id: frozenset(each.id for each in group) for group in old.groups for actor in group}
    for group in new.groups:
        ids = frozenset(actor.id for actor in group)
        for actor in group:
            index = old.actor_index.get(actor.id)
            found = [ALWAYS] if index is None else _changes(old.actors[index], actor, touched)
            if before.get(actor.id) != ids or _kept_by(old) != _kept_by(new):
                found += _lock_spans(old.actors[index] if index is not None else actor, actor)
            touched[actor.id] = merge(found)
        _share(old, group, touched)
        if any(_follows(actor) for actor in group):
            for actor in group:
                touched[actor.id] = _widened(old, group, actor, touched[actor.id])
            _share(old, group, touched)
    changes = [(actor.id, *_ticks(each)) for actor in new.actors for each in touched[actor.id]]
    return (*changes, *((actor.id, None, None) for actor in old.actors if actor.id not in new.actor_index))


def _kept_by(document: Document) -> tuple[str, int]:
    """What keeps the locks, and for how long."""
    return document.lock_solver, document.lock_iterations


def _changes(old: Actor, new: Actor, touched: Mapping[str, list[Interval]]) -> list[Interval]:
    """The times at which the actor may stand otherwise, those of what it hangs on or holds on to being known."""
    found = actor_changes(old, new)
    held = [(each.target, _held(each.span)) for each in new.attachments]
    held += [(each.target, _held(each.span)) for each in new.locks if each.target is not None and not each.mute]
    for target, span in held:
        found += _within(touched.get(target, ()), span)
    return merge(found)


def _share(old: Document, group: Sequence[Actor], touched: dict[str, list[Interval]]) -> None:
    """Let what touches one of a group touch the others, while locks between them count."""
    if len(group) == 1:
        return
    ids = {actor.id for actor in group}
    linking = [lock for actor in group for lock in actor.locks if lock.target in ids - {actor.id}]
    for id in ids & old.actor_index.keys():
        linking += [lock for lock in old.actor(id).locks if lock.target in ids - {id}]
    everything = merge(each for id in ids for each in touched[id])
    shared = merge(each for lock in linking if not lock.mute for each in _within(everything, _held(lock.span)))
    for id in ids:
        touched[id] = merge((*touched[id], *shared))


def _follows(actor: Actor) -> bool:
    return actor.secondary is not None and actor.secondary.on


def _widened(old: Document, group: Sequence[Actor], actor: Actor, found: Sequence[Interval]) -> list[Interval]:
    """What changes of the motion touch where secondary motion follows it: that reads the window before each time and a
    step before that, and, where locks or what the actor hangs on move it, a step more on both sides: whether they do
    changes all. Where the motion is held before the first key, what touches that touches all that is before."""
    secondary = actor.secondary
    if secondary is None or not secondary.on:
        return list(found)
    before = next((each for each in old.groups if any(one.id == actor.id for one in each)), group)
    hanging, differing = _read_as(group, actor.id)
    if _read_as(before, actor.id) != (hanging, differing):
        return [ALWAYS]
    intervals = list(found)
    if secondary.lead == "hold" and actor.id in old.actor_index:
        firsts = [_first(old.actor(actor.id)), _first(actor)]
        known = [first for first in firsts if first is not None]
        if firsts[0] != firsts[1]:
            intervals.append((-math.inf, max(known) if len(known) == 2 else math.inf))
        intervals = [
            (-math.inf if any(start <= first <= end for first in known) else start, end) for start, end in intervals
        ]
    aside = secondary.step + 1 if differing else 0
    return merge((start - aside, end + secondary.memory + aside) for start, end in intervals)


def _read_as(group: Sequence[Actor], id: str) -> tuple[bool, bool]:
    """Whether an actor hangs on others, and whether the rates of its motion are differences."""
    hanging = any(each.id == id and each.attachments for each in group)
    return hanging, hanging or any(not lock.mute for each in group for lock in each.locks)


def _first(actor: Actor) -> int | None:
    """The first tick with a key or a sample."""
    extents = [extent for extent in map(layer_extent, active_layers(actor.layers)) if extent is not None]
    return min((extent[0] for extent in extents), default=None)


def _within(intervals: Iterable[Interval], span: Interval) -> list[Interval]:
    first, last = span
    return [(max(start, first), min(end, last)) for start, end in intervals if start <= last and first <= end]


def actor_changes(old: Actor, new: Actor) -> list[Interval]:
    """The times at which the actor may stand otherwise, if nothing changes that it hangs on."""
    if old is new:
        return []
    same = old.figure is new.figure or old.figure.digest == new.figure.digest
    if not same or old.placement != new.placement or old.visible != new.visible:
        return [ALWAYS]
    if not _moves_like(old, new):
        return [ALWAYS]
    found = _layer_list_changes(new.figure, old, new)
    if old.attachments != new.attachments:
        kept = 0
        for one, other in zip(old.attachments, new.attachments, strict=False):
            if one != other:
                break
            kept += 1
        found += [_held(each.span) for each in (*old.attachments[kept:], *new.attachments[kept:])]
    if old.locks != new.locks:
        found += _lock_changes(old.locks, new.locks)
    if old.comfort != new.comfort or (new.locks and old.attachments != new.attachments):
        found += _lock_spans(old, new)
    return merge(found)


def _moves_like(old: Actor, new: Actor) -> bool:
    """Whether both follow their motion in the same way."""
    if old.secondary is not None and new.secondary is not None:
        return old.secondary.moves_like(new.secondary)
    return not (_follows(old) or _follows(new))


def _lock_changes(old: Sequence[Lock], new: Sequence[Lock]) -> list[Interval]:
    """Spans of locks that differ, or the times between keys where nothing else does. The order of locks counts."""
    before, after = [lock for lock in old if not lock.mute], [lock for lock in new if not lock.mute]
    if [lock.id for lock in before] != [lock.id for lock in after]:
        gone = [lock for lock in before if lock not in after]
        come = [lock for lock in after if lock not in before]
        kept = [lock for lock in before if lock not in gone] != [lock for lock in after if lock not in come]
        return [_held(lock.span) for lock in ((*before, *after) if kept else (*gone, *come))]
    found: list[Interval] = []
    for one, other in zip(before, after, strict=True):
        if replace(one, tracks=()) != replace(other, tracks=()):
            found += [_held(one.span), _held(other.span)] if _counts(one, other) else []
        elif one.tracks != other.tracks:
            found += _within(track_changes(one.track_of, other.track_of), _held(one.span))
    return found


def _counts(one: Lock, other: Lock) -> bool:
    """Whether two locks differ in more than their names."""
    return replace(one, name=other.name) != other


def _lock_spans(old: Actor, new: Actor) -> list[Interval]:
    return [_held(lock.span) for lock in (*old.locks, *new.locks) if not lock.mute]


def _held(span: Span | None) -> Interval:
    return ALWAYS if span is None else (span.start, span.end)


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
