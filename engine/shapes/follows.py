"""ShapesFollows: what becomes of keys and targets of blend shapes where general edits change the time."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits.follows import Follows
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout
from engine.shapes.parts import ShapeTarget
from engine.shapes.uses import blend_shapes

_ASIDE = TICKS_PER_SECOND // 1000


class ShapesFollows(Follows):
    """Keys and targets go with their time; a target within what is taken out goes with it."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with its keys and targets in new time; of two targets that come to one tick the first stays."""
        surface = blend_shapes(actor)
        if surface is None:
            return actor
        shapes = tuple(
            each if each.track is None else replace(each, track=lay_out_track(each.track, layout))
            for each in surface.shapes
        )
        targets: dict[int, ShapeTarget] = {}
        muted = []
        for each in surface.targets:
            moved = replace(each, time=layout.image(each.time))
            if each.mute:
                muted.append(moved)
            elif not _is_taken_out(each.time, layout):
                targets.setdefault(moved.time, moved)
        kept = {each.id: each for each in (*targets.values(), *muted)}
        ordered = tuple(kept[each.id] for each in surface.targets if each.id in kept)
        new = replace(surface, shapes=shapes, targets=ordered)
        return actor if new == surface else actor.with_part(new)


def _is_taken_out(time: int, layout: Layout) -> bool:
    """Tell whether a tick lies strictly within a stretch of which nothing is left."""
    around = layout.image(time - _ASIDE), layout.image(time + _ASIDE)
    return around[0] == around[1]
