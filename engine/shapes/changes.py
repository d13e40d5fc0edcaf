"""Times at which a surface may be seen otherwise by an edit: for as long as its window remembers, and around targets
that read what has changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.document import Actor, Document
from engine.document.order import Group
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, Interval, merge, track_changes
from engine.shapes.parts import WEIGHT, BlendShape, BlendShapes
from engine.shapes.uses import blend_shapes


class ShapesChanges(Changes):
    """Changes of shapes, of how they are followed, and the times for which others are felt."""

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """When a surface differs by its own part."""
        before, after = blend_shapes(old), blend_shapes(new)
        if before is after or before == after:
            return []
        if before is None or after is None or _unkeyed(before) != _unkeyed(after):
            return [ALWAYS]
        found: list[Interval] = []
        for one, other in zip(before.shapes, after.shapes, strict=True):
            found += _shape_changes(one, other)
        return merge((*_felt(before, found), *_felt(after, found)))

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """Always, where steps are divided otherwise."""
        surface = blend_shapes(after)
        return [ALWAYS] if surface is not None and surface.swings and old.rate != new.rate else []

    def widens(self, group: Group) -> bool:
        """Tell whether any of the group is followed by a surface that swings."""
        return any((surface := blend_shapes(actor)) is not None and surface.swings for actor in group)

    def widened(self, old: Document, group: Group, actor: Actor, found: Sequence[Interval]) -> list[Interval]:
        """Widen changed intervals by the time for which the surface feels them."""
        surface = blend_shapes(actor)
        return list(found) if surface is None or not found else merge(_felt(surface, found))


def _felt(surface: BlendShapes, found: Sequence[Interval]) -> list[Interval]:
    """When changes of keys at some times are seen of a surface."""
    if not surface.swings or not found:
        return list(found)
    memory = surface.motion.window + 4 * surface.motion.step
    felt = merge((start - surface.motion.step, end + memory) for start, end in found)
    left = list(surface.met)
    while True:
        reading = [each for each in left if any(start <= each.time <= end for start, end in felt)]
        if not reading:
            return felt
        left = [each for each in left if each not in reading]
        reach = [(each.bell.start - surface.motion.step, each.bell.end + memory) for each in reading]
        felt = merge((*felt, *reach))


def _unkeyed(surface: BlendShapes) -> BlendShapes:
    shapes = (replace(each, name="", weight=0.0, track=None, least=0.0, most=1.0) for each in surface.shapes)
    targets = (replace(each, name="") for each in surface.targets)
    return replace(surface, shapes=tuple(shapes), targets=tuple(targets))


def _shape_changes(old: BlendShape, new: BlendShape) -> list[Interval]:
    if new.mute or (old.track is new.track is None and old.weight == new.weight):
        return []
    if old.track is None or new.track is None:
        return [] if old.track is None and new.track is None and old.weight == new.weight else [ALWAYS]
    if old.track == new.track:
        return []
    return track_changes({WEIGHT: old.track}, {WEIGHT: new.track})
