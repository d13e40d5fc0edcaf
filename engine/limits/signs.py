"""The nodes of a grid that are inside, and how deep (Engell-Norregard 2012, 14.3).

A node is open where it is farther from all samples than `level`. Outside is what is open and reached from open nodes at
the border of the grid, from node to node along the axes; where every axis is periodic there is no border, and the
farthest node is outside. What is not reached is inside, holes too; where holes are kept, whatever is open is outside.
If the border has no open node, all is inside.

Outside, and at inside nodes next to it, the value is distance less level. Deeper inside it is the distance to the
nearest place where the value crosses zero along an edge of the grid, as a negative number: so a hole that was filled is
as deep as it is wide. That depth errs by up to half a cell, since the places stand that far apart.

Nodes are worked row by row along the last axis; most rows are outside as a whole, and so are those beside them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.limits.packed_grids import LOWER, SPACING, PackedGrids, pack_grids
from engine.maths.arrays import Array, BoolArray, LongArray
from engine.runtime.jit import kernel, parallel_kernel, prange

Bytes = NDArray[np.uint8]  # truths, as bytes: those are copied several at a time

_LAST = 4  # axis along which rows lie
_BESIDE = 8  # rows beside a row: below and above along each of the other axes


def sign_distances(
    packed: PackedGrids, distances: Array, levels: Array, keeps_holes: Sequence[bool]
) -> tuple[BoolArray, BoolArray]:
    """Make distances of all nodes to values [rad], but for depths; which nodes are outside, and which are deep."""
    outside, deep = np.empty(len(distances), dtype=np.uint8), np.empty(len(distances), dtype=np.uint8)
    keeps = np.array(keeps_holes, dtype=np.bool_)
    _sign_grids(packed.counts, packed.periodic, packed.starts, levels, keeps, distances, outside, deep)
    return outside.view(np.bool_), deep.view(np.bool_)


def find_outside(grid: Grid, distances: Array, level: float, *, keeps_holes: bool) -> BoolArray:
    """Find the nodes that are outside, shape as the grid's counts."""
    outside, _ = sign_distances(pack_grids([grid]), distances.flatten(), np.array([level]), [keeps_holes])
    return outside.reshape(grid.counts)


def find_crossings(grid: Grid, values: Array) -> Array:
    """Points [rad] where the value crosses zero along an edge, shape [count, angle_count].

    Nearer to the inside end by a little, so that the value there is not above zero.
    """
    return crossings_of(pack_grids([grid]), values.ravel(), values.ravel() > 0.0)[0]


def crossings_of(packed: PackedGrids, values: Array, outside: BoolArray) -> list[Array]:
    """Find the crossings of each grid; `outside`: where values are above zero."""
    many, none = np.zeros(len(packed.grids), dtype=np.int64), np.empty((0, _LAST + 1))
    layout = packed.counts, packed.periodic, packed.geometry, packed.starts
    _find_crossings(*layout, values, outside.view(np.uint8), many, none)
    ends = np.cumsum(many)
    points = np.empty((ends[-1], _LAST + 1))
    _find_crossings(*layout, values, outside.view(np.uint8), ends - many, points)
    return [
        np.ascontiguousarray(points[end - count : end, _LAST + 1 - len(grid.counts) :])
        for grid, end, count in zip(packed.grids, ends.tolist(), many.tolist(), strict=True)
    ]


def interpolate(grid: Grid, values: Array, points: Array) -> Array:
    """Multilinear values at points within the grid [rad], shape [point_count, angle_count]."""
    counts, periodic = np.array(grid.counts), np.array(grid.periodic)
    places = (points - np.array(grid.lower)) / np.array(grid.spacing)
    found = np.empty(len(points))
    strides = np.array(values.strides) // values.itemsize
    _blend_rows(counts, strides, periodic, np.ascontiguousarray(values).reshape(-1), places, found)
    return found


@parallel_kernel
def _sign_grids(
    counts: LongArray,
    periodic: BoolArray,
    starts: LongArray,
    levels: Array,
    keeps_holes: BoolArray,
    out_values: Array,
    out_outside: Bytes,
    out_deep: Bytes,
) -> None:
    """Values are distances before."""
    for grid in prange(len(counts)):
        start, end, length = starts[grid], starts[grid + 1], counts[grid, _LAST]
        rows = (end - start) // length
        beside, many, left = np.empty((rows, _BESIDE), np.int64), np.zeros(rows, np.int64), np.zeros(rows, np.int64)
        is_open, values, outside = np.empty(end - start, np.uint8), out_values[start:end], out_outside[start:end]
        _write_beside(counts[grid], periodic[grid], beside)
        for node in range(end - start):
            is_open[node] = values[node] > levels[grid]
        _count_rows(is_open, left)
        if keeps_holes[grid]:
            outside[:], many[:] = is_open, left
        else:
            _begin_outside(counts[grid], periodic[grid], beside, values, is_open, outside)
            _count_rows(outside, many)
            _spread(periodic[grid, _LAST], beside, is_open, left, many, outside)
        _write_values(periodic[grid, _LAST], beside, levels[grid], many, outside, values, out_deep[start:end])


@kernel
def _count_rows(nodes: Bytes, out_many: LongArray) -> None:
    """How many nodes of each row are so."""
    length = len(nodes) // len(out_many)
    for row in range(len(out_many)):
        many = 0
        for node in range(row * length, (row + 1) * length):
            many += nodes[node]
        out_many[row] = many


@kernel
def _write_beside(counts: LongArray, periodic: BoolArray, out_beside: LongArray) -> None:
    """The rows beside each, itself where there is none."""
    rows, stride = len(out_beside), 1
    for axis in range(_LAST - 1, -1, -1):
        span = counts[axis] * stride
        for start in range(0, rows, span):
            for row in range(start, start + span):
                out_beside[row, 2 * axis], out_beside[row, 2 * axis + 1] = row - stride, row + stride
            for row in range(start, start + stride):
                last = row + span - stride
                out_beside[row, 2 * axis] = last if periodic[axis] else row
                out_beside[last, 2 * axis + 1] = row if periodic[axis] else last
        stride = span


@kernel
def _begin_outside(
    counts: LongArray,
    periodic: BoolArray,
    beside: LongArray,
    distances: Array,
    is_open: Bytes,
    out_outside: Bytes,
) -> None:
    """Open nodes at the border, or the farthest."""
    length, endless = counts[_LAST], True
    out_outside[:] = 0
    for axis in range(len(counts)):
        endless = endless and (periodic[axis] or counts[axis] == 1)
    if endless:
        farthest = _find_farthest(distances, length)
        out_outside[farthest] = is_open[farthest]
        return
    for row in range(len(beside)):
        at_end, first, last = False, row * length, (row + 1) * length - 1
        for each in range(_BESIDE):
            at_end = at_end or (beside[row, each] == row and counts[each // 2] > 1)
        if at_end:
            out_outside[first : last + 1] = is_open[first : last + 1]
        elif not periodic[_LAST]:
            out_outside[first], out_outside[last] = is_open[first], is_open[last]


@kernel
def _find_farthest(distances: Array, length: int) -> int:
    """The first of the farthest nodes: columns side by side, so that one instruction compares several."""
    most = np.zeros(length)
    for start in range(0, len(distances), length):
        for k in range(length):
            most[k] = max(most[k], distances[start + k])
    farthest, node = most.max(), 0
    while node < len(distances) - 1 and distances[node] < farthest:
        node += 1
    return node


@kernel
def _spread(
    goes_round: bool,
    beside: LongArray,
    is_open: Bytes,
    open_nodes: LongArray,
    out_many: LongArray,
    out_outside: Bytes,
) -> None:
    """Row by row, there and back, until nothing is added; rows that have nothing left to be reached are passed over.

    `out_many`: nodes of each row that are outside. Beside a row that is so as a whole, all that is open is reached.
    """
    rows = len(out_many)
    length = len(is_open) // rows
    reached, added, forwards = np.empty(length, np.uint8), True, True
    while added:
        added = False
        for index in range(rows):
            row = index if forwards else rows - 1 - index
            if open_nodes[row] > out_many[row]:
                most = out_many[row]
                for each in range(_BESIDE):
                    most = max(most, out_many[beside[row, each]])
                before = out_many[row]
                if most == length:
                    for node in range(row * length, row * length + length):
                        out_outside[node] = is_open[node]
                    out_many[row] = open_nodes[row]
                elif most > 0:
                    out_many[row] += _reach_row(goes_round, beside, row, is_open, out_many, reached, out_outside)
                added = added or out_many[row] > before
        forwards = not forwards


@kernel
def _reach_row(
    goes_round: bool,
    beside: LongArray,
    row: int,
    is_open: Bytes,
    many: LongArray,
    out_reached: Bytes,
    out_outside: Bytes,
) -> int:
    """Spread along a row what is outside within it or beside it, if anything is; return how many nodes are added."""
    length, added = len(out_reached), 0
    start = row * length
    out_reached[:] = 0
    for each in range(_BESIDE):
        if many[beside[row, each]] > 0:
            for k in range(length):
                out_reached[k] |= out_outside[beside[row, each] * length + k]
    for way in range(2):
        before = goes_round and out_outside[start + (length - 1 if way == 0 else 0)] > 0
        for each in range(length):
            k = each if way == 0 else length - 1 - each
            node = start + k
            if not out_outside[node] and (before or out_reached[k]) and is_open[node]:
                out_outside[node] = 1
                added += 1
            before = out_outside[node] > 0
    return added


@kernel
def _write_values(
    goes_round: bool,
    beside: LongArray,
    level: float,
    many: LongArray,
    outside: Bytes,
    out_values: Array,
    out_deep: Bytes,
) -> None:
    """Distance less level, at most 0 inside; deep is what is inside and not next to a node that is outside."""
    length = len(out_values) // len(many)
    for node in range(len(out_values)):
        out_values[node] -= level
    out_deep[:] = 0
    for row in range(len(many)):
        start = row * length
        if many[row] == length:
            continue
        for k in range(length):
            if not outside[start + k]:
                out_values[start + k] = min(out_values[start + k], 0.0)
                before, after = k - 1, k + 1
                if k == 0:
                    before = length - 1 if goes_round else 0
                if k == length - 1:
                    after = 0 if goes_round else k
                near = outside[start + before] or outside[start + after]
                for each in range(_BESIDE):
                    near = near or outside[beside[row, each] * length + k]
                out_deep[start + k] = not near


@parallel_kernel
def _find_crossings(
    counts: LongArray,
    periodic: BoolArray,
    geometry: Array,
    starts: LongArray,
    values: Array,
    outside: Bytes,
    out_places: LongArray,
    out_points: Array,
) -> None:
    """Write the crossings of each grid from its place on, and where they end; without room, count them."""
    for grid in prange(len(counts)):
        start, end = starts[grid], starts[grid + 1]
        rows = (end - start) // counts[grid, _LAST]
        beside, many = np.empty((rows, _BESIDE), np.int64), np.empty(rows, np.int64)
        _write_beside(counts[grid], periodic[grid], beside)
        _count_rows(outside[start:end], many)
        for axis in range(_LAST + 1):
            for row in range(rows):
                other = row if axis == _LAST else beside[row, 2 * axis + 1]
                alike = many[row] == many[other] and (many[row] == 0 or many[row] == counts[grid, _LAST])
                if not alike and (axis == _LAST or other != row):
                    out_places[grid] = _cross_row(
                        counts[grid],
                        periodic[grid, _LAST],
                        geometry[grid],
                        axis,
                        row,
                        other,
                        values[start:end],
                        outside[start:end],
                        out_places[grid],
                        out_points,
                    )


@kernel
def _cross_row(
    counts: LongArray,
    goes_round: bool,
    geometry: Array,
    axis: int,
    row: int,
    other: int,
    values: Array,
    outside: Bytes,
    place: int,
    out_points: Array,
) -> int:
    """Crossings between a row and the one behind it, or along the row; return where they end."""
    length = counts[_LAST]
    ahead = other * length if axis < _LAST else row * length + 1
    for k in range(length if axis < _LAST or goes_round else length - 1):
        node, after = row * length + k, ahead + k
        if axis == _LAST and k == length - 1:
            after = row * length
        if outside[node] != outside[after]:
            if len(out_points) > 0:
                _write_crossing(counts, geometry, axis, node, after, values, out_points[place])
            place += 1
    return place


@kernel
def _write_crossing(
    counts: LongArray, geometry: Array, along: int, node: int, other: int, values: Array, out_point: Array
) -> None:
    """Where the value crosses zero between two nodes that follow each other."""
    share = min(max(values[node] / (values[node] - values[other]), 0.0), 1.0)
    if values[node] > 0.0:
        share += min(1e-9, 1.0 - share)
    else:
        share -= min(1e-9, share)
    above = node
    for axis in range(_LAST, -1, -1):
        place = above % counts[axis]
        above //= counts[axis]
        out_point[axis] = geometry[axis, LOWER] + place * geometry[axis, SPACING]
        if axis == along:
            out_point[axis] += share * geometry[axis, SPACING]


@kernel
def _blend_rows(
    counts: LongArray,
    strides: LongArray,
    periodic: BoolArray,
    values: Array,
    places: Array,
    out_values: Array,
) -> None:
    size = len(counts)
    for row in range(len(places)):
        total = 0.0
        for corner in range(1 << size):
            weight, node = 1.0, 0
            for axis in range(size):
                count = counts[axis]
                place = places[row, axis]
                if periodic[axis]:
                    place -= count * math.floor(place / count)
                    if place >= count:
                        place = 0.0
                else:
                    place = min(max(place, 0.0), count - 1.0)
                cell = min(int(place), count - 1 if periodic[axis] else count - 2)
                high = corner >> axis & 1
                weight *= place - cell if high else 1.0 - (place - cell)
                node += strides[axis] * ((cell + high) % count)
            total += weight * values[node]
        out_values[row] = total
