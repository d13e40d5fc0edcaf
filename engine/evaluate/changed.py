"""Which times an edit touched, for caches, stale marks and plots.

Outside the spans that `changed_span` names, every actor's coordinates, rates and transforms are the same bytes in both
documents. Inside they may be the same too: a layer may hide what changed below it.
"""

from __future__ import annotations

import math

from engine.document import Actor, Document, Figure
from engine.motion.changes import ALWAYS, Interval, layer_changes, merge, support
from engine.motion.motion import active_layers

Change = tuple[str, int | None, int | None]


def changed_span(old: Document, new: Document) -> tuple[Change, ...]:
    """Actor and closed span [ticks] for each stretch of time that differs; None: without end on that side."""
    changes: list[Change] = []
    for actor in new.actors:
        index = old.actor_index.get(actor.id)
        touched = [ALWAYS] if index is None else actor_changes(old.actors[index], actor)
        changes += [(actor.id, *_ticks(each)) for each in touched]
    changes += [(actor.id, None, None) for actor in old.actors if actor.id not in new.actor_index]
    return tuple(changes)


def actor_changes(old: Actor, new: Actor) -> list[Interval]:
    """The times at which the actor may stand otherwise."""
    if old is new:
        return []
    same = old.content is new.content or old.content.digest == new.content.digest
    if not same or old.placement != new.placement or old.visible != new.visible:
        return [ALWAYS]
    figure = new.figure
    return [] if figure is None else _layer_list_changes(figure, old, new)


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
