"""Vectors and rotations as tuples of numbers: unit quaternions (w, x, y, z), for what is done once and needs no kernel.

Symbols: v a vector, u the vector part (x, y, z) of a quaternion. Angles in radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Vector3 = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]

IDENTITY: Quaternion = (1.0, 0.0, 0.0, 0.0)
AXES: tuple[Vector3, Vector3, Vector3] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

_NO_TURN = 1e-15


def product(a: Quaternion, b: Quaternion) -> Quaternion:
    """First the turn `a`, then the turn `b` in the frame that `a` has left; exactly the identity where it nearly is."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    return IDENTITY if max(abs(x), abs(y), abs(z)) < _NO_TURN else (w, x, y, z)


def inverse(a: Quaternion) -> Quaternion:
    """The turn back."""
    return (a[0], -a[1], -a[2], -a[3])


def turn_about(axis: Vector3, angle: float) -> Quaternion:
    """A turn [rad] about a unit axis."""
    x, y, z = (math.sin(0.5 * angle) * each for each in axis)
    return (math.cos(0.5 * angle), x, y, z)


def turned(a: Quaternion, vector: Vector3) -> Vector3:
    """A vector after the turn: v + 2 w (u x v) + 2 u x (u x v); the same numbers where there is none."""
    if a == IDENTITY:
        return vector
    w, u = a[0], (a[1], a[2], a[3])
    once = cross(u, vector)
    twice = cross(u, once)
    x, y, z = (v + 2.0 * (w * b + c) for v, b, c in zip(vector, once, twice, strict=True))
    return (x, y, z)


def unit(a: Quaternion) -> Quaternion:
    """The turn of norm 1, w at least 0 and no negative zeros, so that one turn has one content."""
    norm = math.copysign(math.sqrt(math.fsum(each * each for each in a)), a[0])
    w, x, y, z = (each / norm + 0.0 for each in a)
    return IDENTITY if max(abs(x), abs(y), abs(z)) < _NO_TURN else (w, x, y, z)


def slerp(start: Sequence[float], end: Sequence[float], share: float) -> list[float]:
    """A quaternion by a share on the shorter arc between two, or beyond its end."""
    scale = math.hypot(*start) * math.hypot(*end)
    dot = sum(a * b for a, b in zip(start, end, strict=True)) / scale if scale > 0.0 else 1.0
    sign, angle = math.copysign(1.0, dot), math.acos(min(abs(dot), 1.0))
    if angle < 1e-9:
        return list(end)
    weights = math.sin((1.0 - share) * angle) / math.sin(angle), sign * math.sin(share * angle) / math.sin(angle)
    return [weights[0] * a + weights[1] * b for a, b in zip(start, end, strict=True)]


def turn_angle(one: Quaternion, other: Quaternion) -> float:
    """The angle from one orientation to another."""
    sign = math.copysign(1.0, math.fsum(a * b for a, b in zip(one, other, strict=True)))
    return 4.0 * math.asin(min(1.0, 0.5 * math.dist(one, [sign * each for each in other])))


def angle_between(one: Vector3, other: Vector3) -> float:
    """The angle between two directions of any length above 0."""
    norms = math.hypot(*one), math.hypot(*other)
    return 2.0 * math.asin(min(1.0, 0.5 * math.dist([a / norms[0] for a in one], [b / norms[1] for b in other])))


def cross(a: Vector3, b: Vector3) -> Vector3:
    """Cross product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
