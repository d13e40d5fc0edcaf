"""A ball of a root as three hinges whose axes suit the orientations that a motion is to have.

q = base R(e1, a) R(e2, b) R(e3, c), e1, e2, e3 being at right angles. Where b is a quarter turn, the first and the last
turn about one line, and rates grow without bound: so the base is in the middle of the motion, and the first axis that
about which it turns as a whole. Then b is nothing at both ends, however far it turns, and only what tips over sideways
comes near to a quarter; a path is kept from there by `MOST_TIPPED`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.maths.arrays import Array
from engine.maths.quaternions import AXES, cross, inverse, product, turn_about, turn_angle, turned

MOST_TIPPED = math.radians(80.0)
NAMES = ("first", "second", "third")
_TURNS = 1e-3  # [rad], less than which tells no axis
_MOST_WAYS = 24  # from pose to pose, of which each may tell the first axis
Angles = tuple[float, float, float]


@dataclass(frozen=True)
class BallHinges:
    """The orientation from which three hinges count, and their axes."""

    base: Quaternion = IDENTITY
    axes: tuple[Vector3, Vector3, Vector3] = AXES

    def turn(self, angles: Sequence[float]) -> Quaternion:
        """The orientation at some angles."""
        found = self.base
        for axis, angle in zip(self.axes, angles, strict=True):
            found = product(found, turn_about(axis, angle))
        return found

    def slopes(self, angles: Sequence[float]) -> Array:
        """Derivatives of the quaternion by the angles: [4, 3]."""
        found = []
        for at in range(3):
            turn = self.base
            for place, (axis, angle) in enumerate(zip(self.axes, angles, strict=True)):
                each = turn_about(axis, angle)
                if place == at:  # that of a turn is half of the turn that is half a turn further
                    each = _halved(turn_about(axis, angle + math.pi))
                turn = _plain_product(turn, each)
            found.append(turn)
        return np.array(found).T

    def angles(self, turn: Quaternion, near: Sequence[float] = (0.0, 0.0, 0.0)) -> Angles:
        """Angles of an orientation: the second within a quarter turn, the others as near as may be to those given."""
        w, *along = product(inverse(self.base), turn)
        norm = math.sqrt(w * w + sum(each * each for each in along))
        w, x, y, z = (each / norm for each in (w, *(sum(map(_times, axis, along)) for axis in self.axes)))
        second = math.asin(max(-1.0, min(1.0, 2.0 * (x * z + w * y))))
        first = math.atan2(2.0 * (w * x - y * z), 1.0 - 2.0 * (x * x + y * y))
        third = math.atan2(2.0 * (w * z - x * y), 1.0 - 2.0 * (y * y + z * z))
        return _nearest(first, near[0]), second, _nearest(third, near[2])

    def rates(self, angles: Sequence[float], turn_rate: Sequence[float]) -> Angles:
        """Rates of the angles, at those of the quaternion."""
        first, second, third = np.linalg.lstsq(self.slopes(angles), np.array(turn_rate), rcond=None)[0].tolist()
        return first, second, third


def hinges_for(turns: Sequence[Quaternion]) -> BallHinges:
    """Choose hinges for orientations that follow each other in time, each the shortest way from the one before."""
    if not turns:
        return BallHinges()
    first, last = turns[0], _alike(turns[0], turns[-1])
    w, x, y, z = (one + other for one, other in zip(first, last, strict=True))
    norm = math.sqrt(w * w + x * x + y * y + z * z)
    base = first if norm < _TURNS else (w / norm, x / norm, y / norm, z / norm)
    found = [BallHinges(base, (AXES[at], AXES[(at + 1) % 3], AXES[(at + 2) % 3])) for at in range(3)]
    ways = sorted(pairwise(turns), key=lambda pair: -turn_angle(*pair))[:_MOST_WAYS]
    for one, other in ((first, last), *ways):
        along = product(inverse(one), _alike(one, other))[1:]
        size = math.hypot(*along)
        if 2.0 * size > _TURNS:
            seen = turned(product(inverse(base), one), _unit(along, size))
            found.insert(0, BallHinges(base, _beside(seen)))
    return min(found, key=lambda each: round(most_tipped(each, turns), 3))


def most_tipped(hinges: BallHinges, turns: Sequence[Quaternion]) -> float:
    """How far the second hinge is turned at most [rad]."""
    return max((abs(hinges.angles(each)[1]) for each in turns), default=0.0)


def _beside(first: Vector3) -> tuple[Vector3, Vector3, Vector3]:
    """Three axes at right angles, the first of them given."""
    least = min(AXES, key=lambda axis: abs(sum(map(_times, axis, first))))
    across = cross(first, least)
    second = _unit(across, math.hypot(*across))
    return first, second, cross(first, second)


def _nearest(angle: float, near: float) -> float:
    return angle + math.tau * round((near - angle) / math.tau)


def _alike(one: Quaternion, other: Quaternion) -> Quaternion:
    """The other with the sign that is nearer to one."""
    w, x, y, z = other
    return other if sum(map(_times, one, other)) >= 0.0 else (-w, -x, -y, -z)


def _plain_product(a: Quaternion, b: Quaternion) -> Quaternion:
    """The product of quaternions that need not be turns."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    return w, x, y, a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]


def _halved(a: Quaternion) -> Quaternion:
    return 0.5 * a[0], 0.5 * a[1], 0.5 * a[2], 0.5 * a[3]


def _unit(vector: Sequence[float], size: float) -> Vector3:
    x, y, z = (each / size for each in vector)
    return x, y, z


def _times(a: float, b: float) -> float:
    return a * b
