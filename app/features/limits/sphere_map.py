"""SphereMap: the sphere of directions laid flat about its middle: each as far from it and to the side that it is.

The azimuthal equidistant picture, seen from outside of the sphere. Directions are unit; places are (right, up) [rad],
whose distance from the middle is at most half a turn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

Flat = tuple[float, float]
FINE = math.radians(2.0)  # between two points of a side


@dataclass(frozen=True)
class SphereMap:
    """A map about `middle`; `right` and `up` lie across it."""

    middle: Vector3
    right: Vector3
    up: Vector3

    def flat(self, direction: Vector3) -> Flat:
        """Project a direction onto the map."""
        x, y, z = (_dot(direction, each) for each in (self.right, self.up, self.middle))
        across = math.hypot(x, y)
        away = math.atan2(across, z)
        return (away * x / across, away * y / across) if across > 1e-12 else (0.0 if z > 0.0 else math.pi, 0.0)

    def direction(self, place: Flat) -> Vector3:
        """Return the direction at a place; beyond the rim the nearest on it."""
        away = math.hypot(*place)
        share = math.sin(min(away, math.pi)) / away if away > 1e-12 else 1.0
        parts = (place[0] * share, place[1] * share, math.cos(min(away, math.pi)))
        ways = (self.right, self.up, self.middle)
        x, y, z = (sum(part * way[axis] for part, way in zip(parts, ways, strict=True)) for axis in range(3))
        return x, y, z

    def side(self, start: Vector3, end: Vector3) -> list[Flat]:
        """Return the shortest way from one direction to another, both ends included."""
        return [self.flat(each) for each in between(start, end)]

    def outline(self, corners: Sequence[Vector3]) -> list[Flat]:
        """Return all sides of a polygon, one after the other."""
        return [place for start, end in pairwise((*corners, corners[0])) for place in self.side(start, end)[:-1]]


def between(start: Vector3, end: Vector3) -> list[Vector3]:
    """Directions along the shortest way from one to another, no farther apart than is fine."""
    angle = math.acos(min(1.0, max(-1.0, _dot(start, end))))
    count = max(1, math.ceil(angle / FINE))
    sine = math.sin(angle)
    if sine < 1e-9:
        return [start, end]
    found = []
    for step in range(count + 1):
        one, other = math.sin(angle * (1.0 - step / count)) / sine, math.sin(angle * step / count) / sine
        x, y, z = (one * a + other * b for a, b in zip(start, end, strict=True))
        found.append((x, y, z))
    return found


def is_turned(outline: Sequence[Flat]) -> bool:
    """True if a closed line has the rim of the map on its left: the polygon goes round the back of the sphere."""
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise((*outline, outline[0]))) < 0.0


def _dot(one: Vector3, other: Vector3) -> float:
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2]
