"""Poking: what the pulls of hands do to the points of bodies in a step.

The spot that a hand holds is p = sum_j E_j x_j, by the weights that embed it, and the spring of a pull draws it to the
place h of the hand with k = m w^2 and c = 2 r m w, of the whole body's mass m. The force is shared out by weights B_j
around the spot, so that no cell is torn: point j is drawn to x_j + h - p with B_j k, all of them as they are before the
step. Their sum is k (h - p) less k times the way of the region in the step: implicit, and free of a torque of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.document.values import Vector3
from engine.maths.arrays import Array, IntArray
from engine.runtime.bounded import Bounded
from engine.soft.embedding import Weights, embed
from engine.soft.members import SoftMember

Poke = tuple[int, Array, float, float]  # point, place [m], stiffness [N/m], damping [N s/m]
_HOLDS: Bounded[tuple[str, str, Vector3, float], HandHold] = Bounded(16)


class HandHold(NamedTuple):
    """The points of a body that a hand holds."""

    spot: Weights  # of the point that it took
    points: IntArray  # around it
    shares: Array  # of the force, whose sum is 1


def pokes(members: Sequence[SoftMember], shape: Array, time: int) -> Iterator[Poke]:
    """Give the pulls of hands on all points, which stand in a shape at a time [ticks]."""
    for member in members:
        for pull in member.body.pulls:
            place = pull.place_at(time)
            if place is None:
                continue
            hold, own, mass = hold_of(member, pull.point, pull.reach), shape[member.points], float(member.masses.sum())
            way = np.array(place) - hold.spot.carried(np.ascontiguousarray(own))[0]
            turning = 2.0 * math.pi * pull.tension
            for point, share in zip(hold.points.tolist(), hold.shares.tolist(), strict=True):
                stiffness, damping = share * mass * turning**2, 2.0 * share * pull.ratio * mass * turning
                yield member.points.start + point, own[point] + way, stiffness, damping


def hold_of(member: SoftMember, point: Vector3, reach: float = 0.25) -> HandHold:
    """Find what a hand holds that took a point of a body [m, at rest], as far around as a share of the body's size;
    kept, since it does while it pulls."""
    key = (member.body.points.digest, member.body.cells.digest, point, reach)
    return _HOLDS.find(key, lambda: _made(member, point, reach))


def _made(member: SoftMember, point: Vector3, reach: float) -> HandHold:
    rest, place = member.mesh.points, np.array([point])
    spot = embed(member.mesh, place).weights
    far = reach * float(np.ptp(rest, axis=0).max())
    away = np.linalg.norm(rest - place, axis=1) / max(far, 1e-12)
    shares = np.where(away < 1.0, (1.0 - away**2) ** 2, 0.0) * member.masses
    shares[spot.points] += np.maximum(spot.values, 0.0) * member.masses[spot.points]
    points = np.flatnonzero(shares > 0.0).astype(np.int32)
    return HandHold(spot, points, shares[points] / shares.sum())
