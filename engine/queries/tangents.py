"""Tangents of a motion trail at its keys: the velocity of the point there, and how far its handles may reach."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Document, Track
from engine.document.drafts import without_drafts
from engine.document.motion import TICKS_PER_SECOND
from engine.edits.poses import pose_layer
from engine.ik.goals import Spot

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.model.trails import Tangents


_STEP = TICKS_PER_SECOND // 2000  # of the differences that velocities are found by


def tangents_at(evaluator: Evaluation, document: Document, spot: Spot, time: int) -> Tangents | None:
    """Find the tangents of a point at the keys that stand at a time [ticks]; None where nothing there can be bent."""
    from engine.model.trails import Tangents
    from engine.motion.motion import active_layers

    actor = document.actor(spot.actor)
    layer = pose_layer(actor, time) if actor.layers else None
    if layer is None or layer not in active_layers(actor.layers):
        return None
    above = map(actor.figure.joint, actor.figure.above(spot.joint))
    names = {dof.coordinates[0] for joint in above for dof in joint.dofs if dof.kind != "ball"}
    if layer.mask is not None:
        names &= set(layer.mask)
    before, after = _gaps([track for track in layer.heard.values() if track.coordinate in names], time)
    if before == after == 0:
        return None
    return Tangents(
        time=time,
        velocities=velocities(evaluator, unlocked(document), spot, time),
        reach=(before / (3.0 * TICKS_PER_SECOND), after / (3.0 * TICKS_PER_SECOND)),
    )


def velocities(evaluator: Evaluation, document: Document, spot: Spot, time: int) -> Array:
    """Measure the velocities with which a point arrives at a time and leaves it [m/s], shape [2, 3]; by differences of
    second order."""
    import numpy as np

    index = document.actor(spot.actor).figure.joint_index[spot.joint]

    def place(steps: int) -> Array:
        frame = evaluator.joint_transforms(document, spot.actor, time + steps * _STEP)[index]
        there: Array = frame[:, :3] @ spot.point + frame[:, 3]
        return there

    now, span = place(0), 2.0 * _STEP / TICKS_PER_SECOND
    return np.stack([sign * (4.0 * place(sign) - place(2 * sign) - 3.0 * now) / span for sign in (-1, 1)])


def unlocked(document: Document) -> Document:
    """Without drafts and locks."""
    free = without_drafts(document)
    return replace(free, actors=tuple(replace(each, locks=()) for each in free.actors))


def _gaps(tracks: list[Track], time: int) -> tuple[int, int]:
    """Ticks from the keys at a time to the nearest ones before and after them on a cubic curve; 0: there is none."""
    before, after = [], []
    for track in tracks:
        place = bisect_left(track.keys, time, key=lambda key: key.time)
        if place == len(track.keys) or track.keys[place].time != time:
            continue
        if place > 0 and track.keys[place - 1].interpolation == "cubic":
            before.append(time - track.keys[place - 1].time)
        if place + 1 < len(track.keys) and track.keys[place].interpolation == "cubic":
            after.append(track.keys[place + 1].time - time)
    return min(before, default=0), min(after, default=0)
