"""Kernels that evaluate packed limits: signed distance, slope, nearest allowed angles, of one field and of a whole
pose.

A pose is feasible where every field's value is at most 0. `project_angles` always ends there, in bounded time and
without allocation. Within a cell of the boundary it goes straight down the slope, if that is as short as it says;
else it walks from p towards the nearest of the anchors (angles that are feasible) that the corners of its cell know, up
to the zero level. Far away it may miss the nearest point, by what the corners' anchors differ.

Symbols: p angles of one field [rad]; q all coordinates of a figure [rad, m]; phi signed distance [rad].
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined, plain
from engine.limits.interpolation import (
    ALONE_COUNT,
    ANCHORS,
    ANGLE_COUNT,
    AXIS_FLOATS,
    FIELD_COUNT,
    GEOMETRY,
    GROUP_COUNT,
    GROUPS,
    HEADER,
    INVERSE,
    LEAST_ANCHOR,
    LOWER,
    NEAREST,
    PLACES,
    RECORD,
    SPACING,
    TURNS,
    VALUES,
    Point,
    blend,
    cubic_along,
    locate,
    slope_of,
    value_of,
)
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

Triple = tuple[float, float, float]

_CLOSE, _NEAR = 1e-7, 1e-4  # [rad] how far inside the zero level a projection may end: from beside it, from afar
_NEWTON_STEPS, _CELLS, _WALK_STEPS, _ROUNDS, _HALVINGS = 4, 8, 40, 16, 50
_TURNED = 100.0  # [rad] from which on rounding takes more than a hair of a small step


@borrowing
@kernel
def value_at(ints: IntArray, floats: Array, field: int, p: Array) -> float:
    """Signed distance [rad], negative inside."""
    record = HEADER + field * RECORD
    return value_of(ints, floats, record, point_of(ints[record + ANGLE_COUNT], p))


@borrowing
@kernel
def slope_at(ints: IntArray, floats: Array, field: int, p: Array, out_gradient: Array) -> float:
    """Signed distance [rad]; its gradient, without unit, into `out_gradient`."""
    record = HEADER + field * RECORD
    count = ints[record + ANGLE_COUNT]
    value, gradient = slope_of(ints, floats, record, point_of(count, p))
    write_point(count, gradient, out_gradient)
    return value


@borrowing
@kernel
def project_angles(ints: IntArray, floats: Array, field: int, p: Array, out_p: Array) -> float:
    """The nearest feasible angles, always feasible; how far they are from `p` [rad]. `out_p` may be `p`."""
    record = HEADER + field * RECORD
    moved, found = _project(ints, floats, record, point_of(ints[record + ANGLE_COUNT], p))
    write_point(ints[record + ANGLE_COUNT], found, out_p)
    return moved


@borrowing
@kernel
def project_pose(ints: IntArray, floats: Array, q: Array, out_q: Array) -> float:
    """The pose with all fields kept, those over the angles of several joints last; the farthest that one moved [rad].

    `out_q` may be `q`; coordinates without a field are copied.
    """
    for each in range(len(q)):
        out_q[each] = q[each]
    farthest = 0.0
    for each in range(ints[ALONE_COUNT]):
        farthest = max(farthest, _project_field(ints, floats, ints[HEADER + ints[FIELD_COUNT] * RECORD + each], out_q))
    start = ints[GROUPS]
    for _ in range(ints[GROUP_COUNT]):
        farthest = max(farthest, _project_group(ints, floats, start, out_q))
        start += 3 + ints[start] + ints[start + 1 + ints[start]]
    return farthest


@borrowing
@kernel
def measure_pose(ints: IntArray, floats: Array, q: Array) -> float:
    """The greatest value [rad] of all fields; minus infinity where there is none."""
    worst = -math.inf
    for field in range(ints[FIELD_COUNT]):
        record = HEADER + field * RECORD
        value = value_of(ints, floats, record, gather_angles(ints, record, q))
        if not value <= worst:
            worst = value
    return worst


@borrowing
@inlined
def point_of(count: int, p: Array) -> Point:
    return (
        p[0],
        p[1] if count > 1 else 0.0,
        p[2] if count > 2 else 0.0,
        p[3] if count > 3 else 0.0,
        p[4] if count > 4 else 0.0,
    )


@borrowing
@inlined
def write_point(count: int, p: Point, out_p: Array) -> None:
    out_p[0] = p[0]
    if count > 1:
        out_p[1] = p[1]
    if count > 2:
        out_p[2] = p[2]
    if count > 3:
        out_p[3] = p[3]
    if count > 4:
        out_p[4] = p[4]


@borrowing
@inlined
def gather_angles(ints: IntArray, record: int, q: Array) -> Point:
    """The angles of a field out of a pose."""
    count, places = ints[record + ANGLE_COUNT], record + PLACES
    return (
        q[ints[places]],
        q[ints[places + 1]] if count > 1 else 0.0,
        q[ints[places + 2]] if count > 2 else 0.0,
        q[ints[places + 3]] if count > 3 else 0.0,
        q[ints[places + 4]] if count > 4 else 0.0,
    )


@borrowing
@inlined
def _scatter(ints: IntArray, record: int, p: Point, out_q: Array) -> None:
    count, places = ints[record + ANGLE_COUNT], record + PLACES
    out_q[ints[places]] = p[0]
    if count > 1:
        out_q[ints[places + 1]] = p[1]
    if count > 2:
        out_q[ints[places + 2]] = p[2]
    if count > 3:
        out_q[ints[places + 3]] = p[3]
    if count > 4:
        out_q[ints[places + 4]] = p[4]


@borrowing
@inlined
def along(p: Point, way: Point, share: float) -> Point:
    """p + share way."""
    return (
        p[0] + share * way[0],
        p[1] + share * way[1],
        p[2] + share * way[2],
        p[3] + share * way[3],
        p[4] + share * way[4],
    )


@borrowing
@inlined
def _less(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4]


@borrowing
@inlined
def _apart(a: Point, b: Point) -> float:
    way = _less(a, b)
    return math.sqrt(_dot(way, way))


@borrowing
@inlined
def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]


@borrowing
@inlined
def _project(ints: IntArray, floats: Array, record: int, p: Point) -> tuple[float, Point]:
    """Find the feasible point nearest to p; return its distance first."""
    c0, s0, f0, b0 = locate(ints, floats, record, 0, p[0])
    c1, s1, f1, b1 = locate(ints, floats, record, 1, p[1])
    c2, s2, f2, b2 = locate(ints, floats, record, 2, p[2])
    few, cell = ints[record + ANGLE_COUNT] <= 3, c0 + c1 + c2
    if few:
        value = math.sqrt(b0 * b0 + b1 * b1 + b2 * b2)
        value += blend(floats, ints[record + VALUES] + cell, s0, s1, s2, f0, f1, f2)
    else:
        value = value_of(ints, floats, record, p)
    moved, found = 0.0, p
    if not value <= 0.0:
        moved, home = math.inf, 0
        if value < floats[ints[record + GEOMETRY] + SPACING]:
            moved, found = _descend(ints, floats, record, p)
        if moved > 1.02 * value:
            if few:
                home = _nearest_of_cell(ints, floats, record, ints[record + NEAREST] + cell, s0, s1, s2, p)
                way = _to_anchor(ints, floats, record, home, p)
                ahead, share = _cross(ints, floats, record, p, way, value)
                reached = along(p, way, share)
            else:
                home = _nearest_anchor(ints, floats, record, p)
                ahead, reached, way = math.inf, p, _to_anchor(ints, floats, record, home, p)
            if not ahead < math.inf:
                ahead, reached = _walk(ints, floats, record, p, way, value)
            if ahead < moved:
                moved, found = ahead, reached
        if not moved < math.inf:  # p is many turns away, or not finite: no image of the anchor beside it is exact
            found = _anchor(ints, floats, record, home)
            moved = _apart(p, found)
            if not moved >= 0.0:
                moved = math.inf
    return moved, found


@borrowing
@inlined
def _descend(ints: IntArray, floats: Array, record: int, p: Point) -> tuple[float, Point]:
    """Newton steps down the slope from p to just inside the zero level; infinitely far where that was not reached."""
    x, moved, step = p, math.inf, 0
    value, slope = slope_of(ints, floats, record, p)
    while step < _NEWTON_STEPS:
        steepness = _dot(slope, slope)
        x = along(x, slope, -(value + 0.5 * _CLOSE) / steepness)
        value, slope = slope_of(ints, floats, record, x)
        step += 1
        if -_CLOSE <= value <= 0.0:
            moved, step = _apart(p, x), _NEWTON_STEPS
    return moved, x


@borrowing
@inlined
def _cross(ints: IntArray, floats: Array, record: int, p: Point, way: Point, value: float) -> tuple[float, float]:
    """Find where the way from p, where the value is above 0, to an anchor crosses the zero level, and by which share
    of it; infinitely far where a few cells did not show it.

    Along a line in a cell of at most three angles the value is a cubic of t, the share of the way: two steps of Newton.
    """
    length, geometry = math.sqrt(_dot(way, way)), plain(ints[record + GEOMETRY]) + INVERSE
    w0, w1 = way[0] * floats[geometry], way[1] * floats[geometry + AXIS_FLOATS]
    w2, aim = way[2] * floats[geometry + 2 * AXIS_FLOATS], 0.5 * _NEAR
    moved, share, step = math.inf, (value + aim) / length, 0
    if not max(abs(p[0]), max(abs(p[1]), abs(p[2]))) < _TURNED:
        step = _CELLS
    while step < _CELLS:
        step += 1
        c0, s0, f0, b0 = locate(ints, floats, record, 0, p[0] + share * way[0])
        c1, s1, f1, b1 = locate(ints, floats, record, 1, p[1] + share * way[1])
        c2, s2, f2, b2 = locate(ints, floats, record, 2, p[2] + share * way[2])
        base, beyond = ints[record + VALUES] + c0 + c1 + c2, b0 * b0 + b1 * b1 + b2 * b2
        here, k1, k2, k3 = cubic_along(floats, base, s0, s1, s2, f0, f1, f2, w0, w1, w2)
        if beyond > 0.0:
            share = min(share + (here + math.sqrt(beyond) + aim) / length, 1.0)
        else:
            t = -(here + aim) / k1
            t -= (((k3 * t + k2) * t + k1) * t + here + aim) / ((3.0 * k3 * t + 2.0 * k2) * t + k1)
            here += ((k3 * t + k2) * t + k1) * t
            f0, f1, f2, share = f0 + t * w0, f1 + t * w1, f2 + t * w2, share + t
            if not 0.0 < share <= 1.0:
                step = _CELLS
            elif min(f0, min(f1, f2)) >= 0.0 and max(f0, max(f1, f2)) <= 1.0 and -_NEAR <= here <= 0.0:
                step, moved = _CELLS, share * length
    return moved, share


@borrowing
@inlined
def _walk(ints: IntArray, floats: Array, record: int, p: Point, way: Point, value: float) -> tuple[float, Point]:
    """Walk from p, where the value is above 0, to just inside the zero level on the way to an anchor."""
    length = math.sqrt(_dot(way, way))
    found, moved, aim = p, math.inf, 0.5 * _NEAR
    low, high, low_value, high_value, rate = 0.0, 1.0, value, 0.0, length
    share = min((value + aim) / rate, 1.0)
    step = 0
    while step < _WALK_STEPS:
        x = along(p, way, share)
        here = value_of(ints, floats, record, x)
        step += 1
        if here <= 0.0:
            high, high_value, found, moved = share, here, x, share * length
            step = _WALK_STEPS if here >= -_NEAR else step
        elif share < 1.0:
            rate = max((low_value - here) / (share - low), 0.25 * rate)
            low, low_value = share, here
        else:
            step = _WALK_STEPS
        if moved < math.inf:
            share = low + (high - low) * (low_value + aim) / (low_value - high_value)
        else:
            share = min(share + (here + aim) / rate, 1.0)
    return moved, found


@borrowing
@inlined
def _nearest_of_cell(ints: IntArray, floats: Array, record: int, node: int, s0: int, s1: int, s2: int, p: Point) -> int:
    """Find the nearest to p of the anchors of its cell's corners, of at most three angles: two by two, no branches."""
    turns = plain(ints[record + GEOMETRY]) + TURNS
    q = (
        _unturned(p[0], floats[turns - TURNS + LOWER], floats[turns]),
        _unturned(p[1], floats[turns + AXIS_FLOATS - TURNS + LOWER], floats[turns + AXIS_FLOATS]),
        _unturned(p[2], floats[turns + 2 * AXIS_FLOATS - TURNS + LOWER], floats[turns + 2 * AXIS_FLOATS]),
    )
    around = (
        _turn_of(floats[turns]),
        _turn_of(floats[turns + AXIS_FLOATS]),
        _turn_of(floats[turns + 2 * AXIS_FLOATS]),
    )
    n0, d0 = _nearer(ints, floats, record, node, node + s2, q, around)
    n1, d1 = _nearer(ints, floats, record, node + s1, node + s1 + s2, q, around)
    n2, d2 = _nearer(ints, floats, record, node + s0, node + s0 + s2, q, around)
    n3, d3 = _nearer(ints, floats, record, node + s0 + s1, node + s0 + s1 + s2, q, around)
    n0, d0 = n1 if d1 < d0 else n0, min(d1, d0)
    n2, d2 = n3 if d3 < d2 else n2, min(d3, d2)
    return n2 if d2 < d0 else n0


@borrowing
@inlined
def _nearer(
    ints: IntArray, floats: Array, record: int, one: int, other: int, q: Triple, around: Triple
) -> tuple[int, float]:
    """The nearer to q of the anchors of two nodes, and the square of its distance."""
    first, second = ints[plain(one)], ints[plain(other)]
    a = _square_to(ints, floats, record, first, q, around)
    b = _square_to(ints, floats, record, second, q, around)
    return second if b < a else first, min(b, a)


@borrowing
@inlined
def _square_to(ints: IntArray, floats: Array, record: int, anchor: int, q: Triple, around: Triple) -> float:
    start = plain(ints[record + ANCHORS] + LEAST_ANCHOR * anchor)
    gap0, gap1, gap2 = abs(floats[start] - q[0]), abs(floats[start + 1] - q[1]), abs(floats[start + 2] - q[2])
    gap0, gap1, gap2 = min(gap0, around[0] - gap0), min(gap1, around[1] - gap1), min(gap2, around[2] - gap2)
    square: float = gap0 * gap0 + gap1 * gap1 + gap2 * gap2
    return square


@borrowing
@inlined
def _unturned(angle: float, lower: float, turns: float) -> float:
    """The angle within the turn that begins at `lower`, where there are turns."""
    return angle - 2.0 * math.pi * math.floor((angle - lower) * turns)


@borrowing
@inlined
def _turn_of(turns: float) -> float:
    return 2.0 * math.pi if turns > 0.0 else math.inf


@borrowing
@inlined
def _nearest_anchor(ints: IntArray, floats: Array, record: int, p: Point) -> int:
    """Find the nearest to p of the anchors of its cell's corners."""
    count, nodes = ints[record + ANGLE_COUNT], ints[record + NEAREST]
    c0, s0, _, _ = locate(ints, floats, record, 0, p[0])
    c1, s1, _, _ = locate(ints, floats, record, 1, p[1])
    c2, s2, _, _ = locate(ints, floats, record, 2, p[2])
    nodes += c0 + c1 + c2
    s3, s4 = 0, 0
    if count > 3:
        c3, s3, _, _ = locate(ints, floats, record, 3, p[3])
        c4, s4, _, _ = locate(ints, floats, record, 4, p[4])
        nodes += c3 + c4
    best: int = ints[nodes]
    least, last = math.inf, -1
    for corner in range(1 << count):
        node = nodes + s0 * (corner & 1) + s1 * (corner >> 1 & 1) + s2 * (corner >> 2 & 1)
        if corner > 7:
            node += s3 * (corner >> 3 & 1) + s4 * (corner >> 4)
        anchor = ints[node]
        if anchor != last:
            last = anchor
            way = _to_anchor(ints, floats, record, anchor, p)
            square = _dot(way, way)
            if square < least:
                best, least = anchor, square
    return best


@borrowing
@inlined
def _anchor(ints: IntArray, floats: Array, record: int, anchor: int) -> Point:
    count = ints[record + ANGLE_COUNT]
    start = plain(ints[record + ANCHORS] + max(count, LEAST_ANCHOR) * anchor)
    return (
        floats[start],
        floats[start + 1],
        floats[start + 2],
        floats[start + 3] if count > 3 else 0.0,
        floats[start + 4] if count > 4 else 0.0,
    )


@borrowing
@inlined
def _to_anchor(ints: IntArray, floats: Array, record: int, anchor: int, p: Point) -> Point:
    """Return the way from p to the nearest image of an anchor."""
    turns = ints[record + GEOMETRY] + TURNS
    way = _less(_anchor(ints, floats, record, anchor), p)
    d3, d4 = 0.0, 0.0
    if ints[record + ANGLE_COUNT] > 3:
        d3 = _shortest(way[3], floats[turns + 3 * AXIS_FLOATS])
        d4 = _shortest(way[4], floats[turns + 4 * AXIS_FLOATS])
    return (
        _shortest(way[0], floats[turns]),
        _shortest(way[1], floats[turns + AXIS_FLOATS]),
        _shortest(way[2], floats[turns + 2 * AXIS_FLOATS]),
        d3,
        d4,
    )


@borrowing
@inlined
def _shortest(difference: float, turns: float) -> float:
    """The short way round, where there are turns."""
    return difference - 2.0 * math.pi * math.floor(difference * turns + 0.5)


@borrowing
@kernel
def _project_field(ints: IntArray, floats: Array, field: int, out_q: Array) -> float:
    record = HEADER + field * RECORD
    moved, found = _project(ints, floats, record, gather_angles(ints, record, out_q))
    if moved > 0.0:
        _scatter(ints, record, found, out_q)
    return moved


@borrowing
@kernel
def _project_group(ints: IntArray, floats: Array, start: int, out_q: Array) -> float:
    """Fields that share angles: in turn until all are kept, else back towards a pose that keeps them all.

    A group in `ints`: how many fields, the fields, how many angles, their places in q, where in `floats` that pose is.
    """
    count = ints[start]
    farthest = 0.0
    for _ in range(_ROUNDS):
        moved = 0.0
        for each in range(count):
            moved = max(moved, _project_field(ints, floats, ints[start + 1 + each], out_q))
        farthest = max(farthest, moved)
        if moved == 0.0:
            return farthest
    if _worst_of(ints, floats, start, out_q) <= 0.0:
        return farthest
    places = start + 1 + count
    angles, common = ints[places], ints[places + 1 + ints[places]]
    for _ in range(_HALVINGS):
        for each in range(angles):
            out_q[ints[places + 1 + each]] += 0.5 * (floats[common + each] - out_q[ints[places + 1 + each]])
        if _worst_of(ints, floats, start, out_q) <= 0.0:
            return farthest
    for each in range(angles):
        out_q[ints[places + 1 + each]] = floats[common + each]
    return farthest


@borrowing
@kernel
def _worst_of(ints: IntArray, floats: Array, start: int, q: Array) -> float:
    """The greatest value of a group's fields."""
    worst = -math.inf
    for each in range(ints[start]):
        record = HEADER + ints[start + 1 + each] * RECORD
        worst = max(worst, value_of(ints, floats, record, gather_angles(ints, record, q)))
    return worst
