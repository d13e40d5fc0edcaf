"""The signed distance of a field at a point, and its slope: multilinear in cells (Engell-Norregard 2012, 14.5).

Fields lie packed in `ints` and `floats` (packed.py). In `ints`: the header, then for each field a record, then for each
field the nearest anchor of every node, then the groups. In `floats`: for each field LOWER, SPACING, INVERSE (one over
the spacing) and TURNS (turns for each radian, 0 if not periodic) of each of five axes, its anchors [rad] one after the
other, of three angles at least, its values [rad]. A field of fewer than five angles has axes of one node at the end.

Beyond the border of the grid the value is that at the border and the distance to it. The slope is the analytic one of
the multilinear value, not the central differences of equation 68: what a solver descends is what it then measures.
A point that is not finite has the value NaN or infinity; no memory outside the field is read for it.

Symbols: p a point in the Euler space of the field [rad]; phi its signed distance [rad].
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined, plain
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing

Point = tuple[float, float, float, float, float]

MOST_ANGLES = 5
# Header of `ints`.
FIELD_COUNT, ALONE_COUNT, GROUP_COUNT, GROUPS = range(4)
HEADER = 4
# Record of a field in `ints`; the last five have one number for each axis.
ANGLE_COUNT, VALUES, NEAREST, ANCHORS, GEOMETRY, COUNTS, STRIDES, PERIODIC, PLACES = 0, 1, 2, 3, 4, 5, 10, 15, 20
RECORD = 25
# Of an axis in `floats`.
LOWER, SPACING, INVERSE, TURNS = range(4)
AXIS_FLOATS = 4
LEAST_ANCHOR = 3  # numbers of an anchor, the last 0 where a field has fewer angles


@borrowing
@inlined
def locate(ints: IntArray, floats: Array, record: int, axis: int, angle: float) -> tuple[int, int, float, float]:
    """Locate an angle along an axis: offset of its cell, from there to the next node, share of the way, beyond.

    Beyond [rad] is how far it lies outside of the grid, with its sign; not a number for what is not finite.
    """
    record = plain(record)
    geometry = plain(ints[record + GEOMETRY]) + AXIS_FLOATS * axis
    count, step = ints[record + COUNTS + axis], ints[record + STRIDES + axis]
    place = (angle - floats[geometry + LOWER]) * floats[geometry + INVERSE]
    beyond = angle - angle
    if ints[record + PERIODIC + axis]:
        if not (0.0 <= place < count):
            place -= count * math.floor(place / count)
            if not (0.0 <= place < count):  # rounding, or what is not finite
                place = 0.0
        cell = int(place)
        share = place - cell
        start = cell * step
        if cell + 1 == count:
            step = -start
    else:
        last = count - 1
        if 0.0 <= place < last:
            cell = int(place)
            share = place - cell
        elif place >= last:
            cell, share = last - 1, 1.0
            beyond = angle - (floats[geometry + LOWER] + last * floats[geometry + SPACING])
        else:
            cell, share, beyond = 0, 0.0, angle - floats[geometry + LOWER]
        start = cell * step
    return start, step, share, beyond


@borrowing
@inlined
def _corners(
    floats: Array, base: int, step0: int, step1: int, step2: int
) -> tuple[float, float, float, float, float, float, float, float]:
    """The values at the corners of a cell; the last axis changes first."""
    a, b, c = base + step0, base + step1, base + step0 + step1
    return (
        floats[plain(base)],
        floats[plain(base + step2)],
        floats[plain(b)],
        floats[plain(b + step2)],
        floats[plain(a)],
        floats[plain(a + step2)],
        floats[plain(c)],
        floats[plain(c + step2)],
    )


@borrowing
@inlined
def blend(floats: Array, base: int, step0: int, step1: int, step2: int, f0: float, f1: float, f2: float) -> float:
    """Trilinear value in a cell."""
    v00, d00, v01, d01, v10, d10, v11, d11 = _corners(floats, base, step0, step1, step2)
    v00, v01, v10, v11 = v00 + f2 * (d00 - v00), v01 + f2 * (d01 - v01), v10 + f2 * (d10 - v10), v11 + f2 * (d11 - v11)
    v0 = v00 + f1 * (v01 - v00)
    return v0 + f0 * (v10 + f1 * (v11 - v10) - v0)


@borrowing
@inlined
def _blend_slope(
    floats: Array, base: int, step0: int, step1: int, step2: int, f0: float, f1: float, f2: float
) -> tuple[float, float, float, float]:
    """Trilinear value in a cell, and its change by each share."""
    v00, d00, v01, d01, v10, d10, v11, d11 = _corners(floats, base, step0, step1, step2)
    d00, d01, d10, d11 = d00 - v00, d01 - v01, d10 - v10, d11 - v11
    v00, v01, v10, v11 = v00 + f2 * d00, v01 + f2 * d01, v10 + f2 * d10, v11 + f2 * d11
    e0, e1 = v01 - v00, v11 - v10
    v0, v1 = v00 + f1 * e0, v10 + f1 * e1
    d0, d1 = d00 + f1 * (d01 - d00), d10 + f1 * (d11 - d10)
    return v0 + f0 * (v1 - v0), v1 - v0, e0 + f0 * (e1 - e0), d0 + f0 * (d1 - d0)


@borrowing
@inlined
def cubic_along(
    floats: Array,
    base: int,
    step0: int,
    step1: int,
    step2: int,
    f0: float,
    f1: float,
    f2: float,
    w0: float,
    w1: float,
    w2: float,
) -> tuple[float, float, float, float]:
    """Coefficients, the constant first, of the value along a line in a cell, by t; w: the rates of its shares."""
    v00, d00, v01, d01, v10, d10, v11, d11 = _corners(floats, base, step0, step1, step2)
    d00, d01, d10, d11 = d00 - v00, d01 - v01, d10 - v10, d11 - v11
    v00, v01, v10, v11 = v00 + f2 * d00, v01 + f2 * d01, v10 + f2 * d10, v11 + f2 * d11
    e0, e1 = v01 - v00, v11 - v10
    k0, k1 = d01 - d00, d11 - d10
    v0, v1 = v00 + f1 * e0, v10 + f1 * e1
    d0, d1 = d00 + f1 * k0, d10 + f1 * k1
    first = w0 * (v1 - v0) + w1 * (e0 + f0 * (e1 - e0)) + w2 * (d0 + f0 * (d1 - d0))
    second = w0 * w1 * (e1 - e0) + w0 * w2 * (d1 - d0) + w1 * w2 * (k0 + f0 * (k1 - k0))
    return v0 + f0 * (v1 - v0), first, second, w0 * w1 * w2 * (k1 - k0)


@borrowing
@inlined
def value_of(ints: IntArray, floats: Array, record: int, p: Point) -> float:
    """Signed distance [rad] at a point of five angles, those behind the field's own ignored."""
    if ints[record + ANGLE_COUNT] <= 3:
        value = _value3(ints, floats, record, p[0], p[1], p[2])
    else:
        value = _value5(ints, floats, record, p)
    return value


@borrowing
@inlined
def _value3(ints: IntArray, floats: Array, record: int, p0: float, p1: float, p2: float) -> float:
    """Interpolate the value for at most three angles."""
    c0, s0, f0, b0 = locate(ints, floats, record, 0, p0)
    c1, s1, f1, b1 = locate(ints, floats, record, 1, p1)
    c2, s2, f2, b2 = locate(ints, floats, record, 2, p2)
    beyond = math.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
    return beyond + blend(floats, ints[record + VALUES] + c0 + c1 + c2, s0, s1, s2, f0, f1, f2)


@borrowing
@inlined
def _value5(ints: IntArray, floats: Array, record: int, p: Point) -> float:
    """Four or five: over the corners along the last two."""
    c0, s0, f0, b0 = locate(ints, floats, record, 0, p[0])
    c1, s1, f1, b1 = locate(ints, floats, record, 1, p[1])
    c2, s2, f2, b2 = locate(ints, floats, record, 2, p[2])
    c3, s3, f3, b3 = locate(ints, floats, record, 3, p[3])
    c4, s4, f4, b4 = locate(ints, floats, record, 4, p[4])
    base = ints[record + VALUES] + c0 + c1 + c2 + c3 + c4
    value = 0.0
    for corner in range(4):
        high3, high4 = corner & 1, corner >> 1
        weight = (f3 if high3 else 1.0 - f3) * (f4 if high4 else 1.0 - f4)
        value += weight * blend(floats, base + high3 * s3 + high4 * s4, s0, s1, s2, f0, f1, f2)
    return value + math.sqrt(b0 * b0 + b1 * b1 + b2 * b2 + b3 * b3 + b4 * b4)


@borrowing
@inlined
def slope_of(ints: IntArray, floats: Array, record: int, p: Point) -> tuple[float, Point]:
    """Signed distance [rad] at a point of five angles, and its gradient (0 along what is no axis of the field)."""
    if ints[record + ANGLE_COUNT] <= 3:
        value, g0, g1, g2 = _slope3(ints, floats, record, p[0], p[1], p[2])
        gradient = (g0, g1, g2, 0.0, 0.0)
    else:
        value, gradient = _slope5(ints, floats, record, p)
    return value, gradient


@borrowing
@inlined
def _slope3(
    ints: IntArray, floats: Array, record: int, p0: float, p1: float, p2: float
) -> tuple[float, float, float, float]:
    """Interpolate the value and its slope for at most three angles."""
    c0, s0, f0, b0 = locate(ints, floats, record, 0, p0)
    c1, s1, f1, b1 = locate(ints, floats, record, 1, p1)
    c2, s2, f2, b2 = locate(ints, floats, record, 2, p2)
    value, g0, g1, g2 = _blend_slope(floats, ints[record + VALUES] + c0 + c1 + c2, s0, s1, s2, f0, f1, f2)
    geometry = ints[record + GEOMETRY] + INVERSE
    g0 *= floats[geometry]
    g1 *= floats[geometry + AXIS_FLOATS]
    g2 *= floats[geometry + 2 * AXIS_FLOATS]
    square = b0 * b0 + b1 * b1 + b2 * b2
    if square != 0.0:
        beyond = math.sqrt(square)
        value += beyond
        g0, g1, g2 = _outwards(g0, b0, beyond), _outwards(g1, b1, beyond), _outwards(g2, b2, beyond)
    return value, g0, g1, g2


@borrowing
@inlined
def _slope5(ints: IntArray, floats: Array, record: int, p: Point) -> tuple[float, Point]:
    """Four or five: over the corners along the last two."""
    c0, s0, f0, b0 = locate(ints, floats, record, 0, p[0])
    c1, s1, f1, b1 = locate(ints, floats, record, 1, p[1])
    c2, s2, f2, b2 = locate(ints, floats, record, 2, p[2])
    c3, s3, f3, b3 = locate(ints, floats, record, 3, p[3])
    c4, s4, f4, b4 = locate(ints, floats, record, 4, p[4])
    base = ints[record + VALUES] + c0 + c1 + c2 + c3 + c4
    value, g0, g1, g2, g3, g4 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for corner in range(4):
        high3, high4 = corner & 1, corner >> 1
        w3, w4 = f3 if high3 else 1.0 - f3, f4 if high4 else 1.0 - f4
        v, d0, d1, d2 = _blend_slope(floats, base + high3 * s3 + high4 * s4, s0, s1, s2, f0, f1, f2)
        value += w3 * w4 * v
        g0, g1, g2 = g0 + w3 * w4 * d0, g1 + w3 * w4 * d1, g2 + w3 * w4 * d2
        g3 += (v if high3 else -v) * w4
        g4 += (v if high4 else -v) * w3
    beyond = math.sqrt(b0 * b0 + b1 * b1 + b2 * b2 + b3 * b3 + b4 * b4)
    geometry = ints[record + GEOMETRY] + INVERSE
    return value + beyond, (
        _outwards(g0 * floats[geometry], b0, beyond),
        _outwards(g1 * floats[geometry + AXIS_FLOATS], b1, beyond),
        _outwards(g2 * floats[geometry + 2 * AXIS_FLOATS], b2, beyond),
        _outwards(g3 * floats[geometry + 3 * AXIS_FLOATS], b3, beyond),
        _outwards(g4 * floats[geometry + 4 * AXIS_FLOATS], b4, beyond),
    )


@borrowing
@inlined
def _outwards(slope: float, beyond: float, distance: float) -> float:
    """The slope along an axis, or where the point is beyond its end, that of the distance to the grid."""
    return slope if beyond == 0.0 else beyond / distance
