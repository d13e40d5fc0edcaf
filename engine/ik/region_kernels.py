"""Limits over several angles inside solvers: P, and steps that slide along a boundary (`engine.limits.query`).

`regions` has two packs of fields, ints and floats of each: those of which every angle may move, and those of which some
are fixed. Beside them, `ints` tells the column of each angle of each field, -1 where it is fixed.

Callers ask for these kernels where a problem has fields: only then are they compiled.

A field's value phi is at most 0 where a pose is allowed, and n is its gradient over the columns. Where a pose stands at
a boundary (phi = 0) and a step d leads out, d - K n (n.d) / (n.K n) goes along it: of the steps that do, the nearest in
the measure of the mobilities K. Fields of which some angles are fixed are followed down their slope within the others;
where that does not lead in, the step ends where it leaves.
"""

from __future__ import annotations

import math

from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    FIELDS,
    FIELDS_AT,
    FIELDS_END,
    MOBILITY,
    Regions,
)
from engine.limits.interpolation import (
    ANGLE_COUNT,
    GROUP_COUNT,
    HEADER,
    MOST_ANGLES,
    PLACES,
    RECORD,
    Point,
    slope_of,
    value_of,
)
from engine.limits.query import along, gather_angles, measure_pose, project_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel, lazy_kernel

AT_BOUNDARY = 1e-6  # [rad] inside it, where a pose counts as standing on it
_CLOSE = 1e-7  # [rad] inside the boundary, where a slide ends
_BESIDE = 0.03  # [rad] inside it, where the plane of the boundary is known well enough to bend a step
_SLOPES, _HALVINGS, _ROUNDS = 6, 26, 8
# Multilinear values are steeper than 1, by the square root of the number of angles at most.
_SPAN_STEPS, _SURE = 48, 0.5


@borrowing
@kernel
def measure_field(pack: IntArray, numbers: Array, field: int, q: Array) -> float:
    """phi [rad] at a pose."""
    record = HEADER + field * RECORD
    return value_of(pack, numbers, record, gather_angles(pack, record, q))


@borrowing
@kernel
def measure_regions(regions: Regions, q: Array) -> float:
    """The largest phi [rad] of all fields."""
    return max(measure_pose(regions[0], regions[1], q), measure_pose(regions[2], regions[3], q))


@borrowing
@lazy_kernel
def keep_regions(ints: IntArray, regions: Regions, q: Array, out_q: Array) -> None:
    """P: `out_q` moved into all regions; `q`, another array, is a pose within them, if there is one."""
    if ints[FIELDS_END] == 0:
        return
    outside = bend_step(regions[0], regions[1], q, out_q)
    if not outside and regions[0][GROUP_COUNT] > 0:
        outside = measure_pose(regions[0], regions[1], out_q) > 0.0
    if ints[FIELDS] == ints[FIELDS_END]:
        if outside:
            project_pose(regions[0], regions[1], out_q, out_q)
        return
    for _ in range(_ROUNDS):
        project_pose(regions[0], regions[1], out_q, out_q)
        for field in range(ints[FIELDS_END] - ints[FIELDS]):
            keep_slice(ints, regions[2], regions[3], field, q, out_q)
        if measure_pose(regions[0], regions[1], out_q) <= 0.0:
            left = measure_pose(regions[2], regions[3], out_q)
            if left <= 0.0 or left <= measure_pose(regions[2], regions[3], q):
                return
    _return_angles(regions[0], ints[FIELDS], q, out_q)
    _return_angles(regions[2], ints[FIELDS_END] - ints[FIELDS], q, out_q)


@borrowing
@kernel
def bend_step(pack: IntArray, numbers: Array, q: Array, out_q: Array) -> bool:
    """Bend a step that leaves a field; return True if the pose is still outside of one. If the one that it comes from
    is close to the boundary, the step is bent to end on the plane of that, and led down the slope from there: what is
    nearest to a pose far outside, a projection knows only roughly."""
    outside = False
    for field in range(pack[0]):
        record = HEADER + field * RECORD
        aim = gather_angles(pack, record, out_q)
        if not value_of(pack, numbers, record, aim) > 0.0:
            continue
        start = gather_angles(pack, record, q)
        value, n = slope_of(pack, numbers, record, start)
        beyond = value + dot(n, along(aim, start, -1.0))
        if -_BESIDE < value <= 0.0 and dot(n, n) > 0.01:
            aim = along(aim, n, -max(beyond, 0.0) / dot(n, n))
            value, n = slope_of(pack, numbers, record, aim)
            for _ in range(_SLOPES):
                if value <= 0.0 or value > _BESIDE or not dot(n, n) > 0.01:
                    break
                aim = along(aim, n, -(value + 0.5 * _CLOSE) / dot(n, n))
                value, n = slope_of(pack, numbers, record, aim)
            for angle in range(pack[record + ANGLE_COUNT]):
                out_q[pack[record + PLACES + angle]] = aim[angle]
            outside = outside or value > 0.0
        else:
            outside = True
    return outside


@borrowing
@kernel
def keep_slice(ints: IntArray, pack: IntArray, numbers: Array, field: int, q: Array, out_q: Array) -> None:
    """Move those angles of a field that may move into it."""
    record, columns = HEADER + field * RECORD, ints[FIELDS_AT] + (ints[FIELDS] + field) * MOST_ANGLES
    aim = gather_angles(pack, record, out_q)
    value, slope = slope_of(pack, numbers, record, aim)
    if value <= 0.0:
        return
    start = gather_angles(pack, record, q)
    before, n = slope_of(pack, numbers, record, start)
    n = within(ints, columns, n)
    beyond = before + dot(n, along(aim, start, -1.0))
    if -_BESIDE < before <= 0.0 and beyond > 0.0 and dot(n, n) > 0.01:
        aim = along(aim, n, -beyond / dot(n, n))
        value, slope = slope_of(pack, numbers, record, aim)
    found = aim
    for _ in range(_SLOPES):
        if value <= 0.0:
            break
        way = within(ints, columns, slope)
        steepness = dot(way, way)
        if not steepness > 0.01:
            break
        found = along(found, way, -(value + 0.5 * _CLOSE) / steepness)
        value, slope = slope_of(pack, numbers, record, found)
    if value > 0.0:
        found = start
        if value_of(pack, numbers, record, found) <= 0.0:
            least, most = 0.0, 1.0
            way = along(aim, found, -1.0)
            for _ in range(_HALVINGS):
                share = 0.5 * (least + most)
                if value_of(pack, numbers, record, along(found, way, share)) <= 0.0:
                    least = share
                else:
                    most = share
            found = along(found, way, least)
    _scatter(ints, pack, record, columns, found, out_q)


@borrowing
@lazy_kernel
def slide_step(ints: IntArray, floats: Array, regions: Regions, q: Array, out_step: Array) -> None:
    """Take out of a step what leads out of the regions at whose boundary the pose stands; what is 0 stays."""
    if ints[FIELDS_END] > 0:
        _slide_pack(ints, floats, regions[0], regions[1], 0, q, out_step)
        if ints[FIELDS_END] > ints[FIELDS]:
            _slide_pack(ints, floats, regions[2], regions[3], ints[FIELDS], q, out_step)


@borrowing
@kernel
def _slide_pack(
    ints: IntArray, floats: Array, pack: IntArray, numbers: Array, first: int, q: Array, out_step: Array
) -> None:
    for field in range(pack[0]):
        record, columns = HEADER + field * RECORD, ints[FIELDS_AT] + (first + field) * MOST_ANGLES
        point = gather_angles(pack, record, q)
        value = value_of(pack, numbers, record, point)
        if value < -AT_BOUNDARY:
            continue
        _, n = slope_of(pack, numbers, record, point)
        outwards, measure = 0.0, 0.0
        for angle in range(pack[record + ANGLE_COUNT]):
            column = ints[columns + angle]
            if column >= 0 and out_step[column] != 0.0:
                outwards += n[angle] * out_step[column]
                measure += n[angle] * n[angle] * floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        if outwards > 0.0 and measure > 1e-12:
            for angle in range(pack[record + ANGLE_COUNT]):
                column = ints[columns + angle]
                if column >= 0 and out_step[column] != 0.0:
                    mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
                    out_step[column] -= mobility * n[angle] * outwards / measure


@borrowing
@lazy_kernel
def measure_turned(ints: IntArray, regions: Regions, q: Array, turns: Array, column: int, x: float) -> float:
    """The largest phi [rad] of the fields of a column, with the turns of all columns so far and x more of this one."""
    first = _measure_turned(ints, regions[0], regions[1], 0, q, turns, column, x)
    return max(first, _measure_turned(ints, regions[2], regions[3], ints[FIELDS], q, turns, column, x))


@borrowing
@kernel
def _measure_turned(
    ints: IntArray, pack: IntArray, numbers: Array, first: int, q: Array, turns: Array, column: int, x: float
) -> float:
    worst = -math.inf
    for field in range(pack[0]):
        record, columns = HEADER + field * RECORD, ints[FIELDS_AT] + (first + field) * MOST_ANGLES
        for angle in range(pack[record + ANGLE_COUNT]):
            if ints[columns + angle] == column:
                point, way = gather_angles(pack, record, q), _turned(ints, columns, turns, column, x)
                worst = max(worst, value_of(pack, numbers, record, along(point, way, 1.0)))
    return worst


@borrowing
@kernel
def _turned(ints: IntArray, columns: int, turns: Array, column: int, x: float) -> Point:
    """Return how far the angles of a field turn."""
    a, b, c, d, e = ints[columns], ints[columns + 1], ints[columns + 2], ints[columns + 3], ints[columns + 4]
    return (
        0.0 if a < 0 else turns[a] + (x if a == column else 0.0),
        0.0 if b < 0 else turns[b] + (x if b == column else 0.0),
        0.0 if c < 0 else turns[c] + (x if c == column else 0.0),
        0.0 if d < 0 else turns[d] + (x if d == column else 0.0),
        0.0 if e < 0 else turns[e] + (x if e == column else 0.0),
    )


@borrowing
@lazy_kernel
def find_span(ints: IntArray, regions: Regions, q: Array, turns: Array, column: int, sign: float) -> float:
    """Find how far a column may go that way before it leaves a field: steps of a part of what is surely free, which end
    just inside the boundary."""
    span = 0.0
    for _ in range(_SPAN_STEPS):
        free = -measure_turned(ints, regions, q, turns, column, sign * span)
        if not free > 0.1 * AT_BOUNDARY or span > math.pi:
            break
        span += _SURE * free
    return span


@borrowing
@kernel
def within(ints: IntArray, columns: int, slope: Point) -> Point:
    """A slope over the angles that may move."""
    return (
        slope[0] if ints[columns] >= 0 else 0.0,
        slope[1] if ints[columns + 1] >= 0 else 0.0,
        slope[2] if ints[columns + 2] >= 0 else 0.0,
        slope[3] if ints[columns + 3] >= 0 else 0.0,
        slope[4] if ints[columns + 4] >= 0 else 0.0,
    )


@borrowing
@kernel
def dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4]


@borrowing
@kernel
def _scatter(ints: IntArray, pack: IntArray, record: int, columns: int, point: Point, out_q: Array) -> None:
    for angle in range(pack[record + ANGLE_COUNT]):
        if ints[columns + angle] >= 0:
            out_q[pack[record + PLACES + angle]] = point[angle]


@borrowing
@kernel
def _return_angles(pack: IntArray, count: int, q: Array, out_q: Array) -> None:
    for field in range(count):
        record = HEADER + field * RECORD
        for angle in range(pack[record + ANGLE_COUNT]):
            place = pack[record + PLACES + angle]
            out_q[place] = q[place]
