"""Which times an edit touched, for caches, stale marks and plots.

Outside the spans that `changed_span` names, every actor's coordinates, rates and transforms are the same bytes in both
documents; an actor that hangs on another moves with it while it is held. Inside they may be the
same too: a layer may hide what changed below it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from engine.document import Actor, Attachment, Document, Figure
from engine.motion.changes import ALWAYS, Interval, layer_changes, merge, support
from engine.motion.motion import active_layers

Change = tuple[str, int | None, int | None]


def changed_span(old: Document, new: Document) -> tuple[Change, ...]:
    """Actor and closed span [ticks] for each stretch of time that differs; None: without end on that side."""
    touched: dict[str, list[Interval]] = {}
    for actor in new.in_order:
        index = old.actor_index.get(actor.id)
        touched[actor.id] = [ALWAYS] if index is None else _changes(old.actors[index], actor, touched)
    changes = [(actor.id, *_ticks(each)) for actor in new.actors for each in touched[actor.id]]
    return (*changes, *((actor.id, None, None) for actor in old.actors if actor.id not in new.actor_index))


def _changes(old: Actor, new: Actor, touched: Mapping[str, list[Interval]]) -> list[Interval]:
    """The times at which the actor may stand otherwise, those of what it hangs on being known."""
    found = actor_changes(old, new)
    for each in new.attachments:
        first, last = _held(each)
        found += [
            (max(start, first), min(end, last)) for start, end in touched[each.target] if start <= last and first <= end
        ]
    return merge(found)


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
        found += [_held(each) for each in (*old.attachments[kept:], *new.attachments[kept:])]
    return merge(found)


def _held(attachment: Attachment) -> Interval:
    return ALWAYS if attachment.span is None else (attachment.span.start, attachment.span.end)


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
