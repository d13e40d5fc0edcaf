"""Times that an edit touches through secondary motion: for as long as that remembers, its window."""

from __future__ import annotations

import math
from collections.abc import Sequence

from engine.document import Actor, Document
from engine.document.extent import layer_extent
from engine.document.order import Group
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval, merge
from engine.motion.motion import active_layers


class SecondaryChanges(Changes):
    """Changes of gains, and the times for which other changes are felt."""

    def actor(self, old: Actor, new: Actor) -> list[Interval]:
        """Always, where the body follows its motion in another way."""
        return [] if _moves_like(old, new) else [ALWAYS]

    def widens(self, group: Group) -> bool:
        """Tell whether any of the group swings."""
        return any(actor.swings for actor in group)

    def widened(self, old: Document, group: Group, actor: Actor, found: Sequence[Interval]) -> list[Interval]:
        """Widen changed intervals by the time for which secondary motion feels them: that reads the window before each
        time and a step before that, and, where locks or what the actor hangs on move it, a step more on both sides: a
        change of whether they do changes all. Where the motion is held before the first key, what touches that touches
        all that is before."""
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


def _moves_like(old: Actor, new: Actor) -> bool:
    """Tell whether two versions of an actor follow their motion in the same way."""
    if old.secondary is not None and new.secondary is not None:
        return old.secondary.moves_like(new.secondary)
    return not (old.swings or new.swings)


def _read_as(group: Sequence[Actor], id: str) -> tuple[bool, bool]:
    """Tell whether an actor hangs on others, and whether the rates of its motion are differences."""
    hanging = any(each.id == id and each.attachments for each in group)
    return hanging, hanging or any(each.is_constrained for each in group)


def _first(actor: Actor) -> int | None:
    """The first tick with a key or a sample."""
    extents = [extent for extent in map(layer_extent, active_layers(actor.layers)) if extent is not None]
    return min((extent[0] for extent in extents), default=None)
