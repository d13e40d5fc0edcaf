"""Vectors of three as tuples, and rotations as three rows of them, for kernels that work on a few of each."""

from __future__ import annotations

import math

from engine.runtime.jit import kernel

Triple = tuple[float, float, float]
Rows = tuple[Triple, Triple, Triple]


@kernel
def add(a: Triple, b: Triple) -> Triple:
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel
def scaled(a: Triple, factor: float) -> Triple:
    """A vector times a number."""
    return factor * a[0], factor * a[1], factor * a[2]


@kernel
def between(a: Triple, b: Triple) -> Triple:
    """b - a, the way from one to the other."""
    return b[0] - a[0], b[1] - a[1], b[2] - a[2]


@kernel
def dot(a: Triple, b: Triple) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Triple, b: Triple) -> Triple:
    """a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel
def length(a: Triple) -> float:
    """|a|."""
    return math.sqrt(dot(a, a))


@kernel
def unit(a: Triple) -> Triple:
    """a / |a|, and a where that is 0."""
    size = length(a)
    return scaled(a, 1.0 / size) if size > 1e-12 else a


@kernel
def across(a: Triple, axis: Triple) -> Triple:
    """Return the part of a vector at right angles to a unit axis."""
    return add(a, scaled(axis, -dot(a, axis)))


@kernel
def turned_about(a: Triple, axis: Triple, angle: float) -> Triple:
    """A vector turned about a unit axis."""
    c, s = math.cos(angle), math.sin(angle)
    return add(add(scaled(a, c), scaled(cross(axis, a), s)), scaled(axis, (1.0 - c) * dot(axis, a)))


@kernel
def applied(rows: Rows, a: Triple) -> Triple:
    """R a."""
    return dot(rows[0], a), dot(rows[1], a), dot(rows[2], a)


@kernel
def applied_back(rows: Rows, a: Triple) -> Triple:
    """R^T a."""
    return add(add(scaled(rows[0], a[0]), scaled(rows[1], a[1])), scaled(rows[2], a[2]))
