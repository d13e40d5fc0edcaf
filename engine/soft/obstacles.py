"""Obstacles: the solids of other actors where they are at a step, at the speeds that led them there."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.maths.arrays import Array
from engine.soft.contact import Collider
from engine.soft.surroundings import Obstacle

_STILL = 1e-12  # [rad] of a turn


def placed(
    solids: Sequence[Obstacle], before: Mapping[str, Array], now: Mapping[str, Array], dt: float
) -> list[Collider]:
    """Place solids as they are at the end of a step of dt [s], between two lists of joint frames by actor."""
    return [_placed(each, before[each.actor][each.joint], now[each.actor][each.joint], dt) for each in solids]


def _placed(solid: Obstacle, before: Array, now: Array, dt: float) -> Collider:
    start, end = np.array(solid.start), np.array(solid.end)
    rotation = now[:, :3]
    if solid.is_box:
        centre, kind, half, radius = start, "box", solid.end, 0.0
    else:
        centre, reach = 0.5 * (start + end), 0.5 * math.dist(solid.start, solid.end)
        kind = "capsule" if reach > 0.0 else "sphere"
        half, radius = (0.0, reach, 0.0), solid.radius
        rotation = rotation @ _upright((end - start) / (2.0 * reach)) if reach > 0.0 else rotation
    position = now[:, :3] @ centre + now[:, 3]
    return Collider(
        kind=kind,
        half=half,
        radius=radius,
        rotation=rotation,
        position=position,
        velocity=(position - (before[:, :3] @ centre + before[:, 3])) / dt,
        spin=_turn(before[:, :3], now[:, :3]) / dt,
        spared=solid.spared,
    )


def _upright(way: Array) -> Array:
    """A rotation that takes the y axis to a direction."""
    side = np.array((1.0, 0.0, 0.0)) if abs(way[0]) < 0.9 else np.array((0.0, 0.0, 1.0))
    across = np.cross(side, way)
    across /= np.linalg.norm(across)
    return np.column_stack((np.cross(way, across), way, across))


def _turn(before: Array, now: Array) -> Array:
    """The rotation vector from one rotation to another, in the world."""
    turn = now @ before.T
    axis = np.array((turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]))
    sine, cosine = 0.5 * float(np.linalg.norm(axis)), 0.5 * (float(np.trace(turn)) - 1.0)
    if sine < _STILL:
        return np.zeros(3)
    return np.asarray(axis * (math.atan2(sine, cosine) / (2.0 * sine)))
