"""The nodes of a grid that are inside, and how deep (Engell-Norregard 2012, 14.3).

A node is open where it is farther from all samples than `level`. Outside is what is open and reached from open nodes at
the border of the grid, from node to node along the axes; where every axis is periodic there is no border, and the
farthest node is outside. What is not reached is inside, holes too; where holes are kept, whatever is open is outside.
If the border has no open node, all is inside.

Outside, and at inside nodes next to it, the value is distance less level. Deeper inside it is the distance to the
nearest place where the value crosses zero along an edge of the grid, as a negative number: so a hole that was filled is
as deep as it is wide. That depth errs by up to half a cell, since the places stand that far apart.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.limits.interpolation import MOST_ANGLES
from engine.maths.arrays import Array, BoolArray
from engine.runtime.jit import kernel


def find_outside(grid: Grid, distances: Array, level: float, *, keeps_holes: bool) -> BoolArray:
    """Find the nodes that are outside, shape as the grid's counts."""
    is_open: BoolArray = distances > level
    if keeps_holes or not is_open.any():
        return is_open
    outside = np.zeros_like(is_open)
    for axis, periodic in enumerate(grid.periodic):
        if not periodic:
            for end in (0, -1):
                side = (slice(None),) * axis + (end,)
                outside[side] = is_open[side]
    if all(grid.periodic):
        outside.flat[np.argmax(distances)] = True
    counts, periodic_axes = _padded(grid)
    _spread(counts, periodic_axes, is_open.ravel(), outside.reshape(-1))
    return outside


def find_crossings(grid: Grid, values: Array) -> Array:
    """Points [rad] where the value crosses zero along an edge, shape [count, angle_count].

    Nearer to the inside end by a little, so that the value there is not above zero.
    """
    parts = []
    lower, spacing = np.array(grid.lower), np.array(grid.spacing)
    positive, flat = values > 0.0, values.ravel()
    for axis in range(values.ndim):
        crosses = np.zeros_like(positive)
        for here, after in _pairs(grid, axis):
            np.not_equal(positive[here], positive[after], out=crosses[here])
        nodes = np.array(np.unravel_index(np.flatnonzero(crosses), values.shape))
        following = nodes.copy()
        following[axis] = (nodes[axis] + 1) % values.shape[axis]
        start, end = (flat[np.ravel_multi_index(tuple(each), values.shape)] for each in (nodes, following))
        share = np.clip(start / (start - end), 0.0, 1.0)
        share += np.where(start > 0.0, 1.0, -1.0) * np.minimum(1e-9, np.where(start > 0.0, 1.0 - share, share))
        points = lower + nodes.T * spacing
        points[:, axis] += share * spacing[axis]
        parts.append(points)
    return np.concatenate(parts)


def is_beside(grid: Grid, outside: BoolArray) -> BoolArray:
    """Find the nodes that are inside, next to one that is outside."""
    beside = np.zeros_like(outside)
    for axis in range(outside.ndim):
        for here, after in _pairs(grid, axis):
            beside[here] |= outside[after]
            beside[after] |= outside[here]
    return np.asarray(beside & ~outside)


def _pairs(grid: Grid, axis: int) -> list[tuple[tuple[slice, ...], tuple[slice, ...]]]:
    """Pair the nodes that follow each other along an axis; across the seam, too, where it goes round."""
    spans = [(slice(None, -1), slice(1, None))]
    if grid.periodic[axis]:
        spans.append((slice(-1, None), slice(None, 1)))
    ahead = (slice(None),) * axis
    return [((*ahead, here), (*ahead, after)) for here, after in spans]


def interpolate(grid: Grid, values: Array, points: Array) -> Array:
    """Multilinear values at points within the grid [rad], shape [point_count, angle_count]."""
    counts, periodic = np.array(grid.counts), np.array(grid.periodic)
    places = (points - np.array(grid.lower)) / np.array(grid.spacing)
    found = np.empty(len(points))
    strides = np.array(values.strides) // values.itemsize
    _blend_rows(counts, strides, periodic, np.ascontiguousarray(values).reshape(-1), places, found)
    return found


def _padded(grid: Grid) -> tuple[tuple[int, ...], BoolArray]:
    """Counts and periodic axes, with axes of one node in front."""
    missing = MOST_ANGLES - len(grid.counts)
    return (1,) * missing + grid.counts, np.array((False,) * missing + grid.periodic)


@kernel
def _spread(counts: tuple[int, ...], periodic: BoolArray, is_open: BoolArray, out_outside: BoolArray) -> None:
    """Row by row, there and back, until nothing is added; rows that have nothing left to be reached are passed over."""
    length = counts[4]
    rows = counts[0] * counts[1] * counts[2] * counts[3]
    left, many, reached = np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.empty(length, np.bool_)
    for row in range(rows):
        for node in range(row * length, (row + 1) * length):
            left[row] += is_open[node] and not out_outside[node]
            many[row] += out_outside[node]
    added, forwards = True, True
    while added:
        added = False
        for index in range(rows):
            row = index if forwards else rows - 1 - index
            if left[row] > 0:
                found = _reach_row(counts, periodic, row, is_open, many, reached, out_outside)
                left[row] -= found
                many[row] += found
                added = added or found > 0
        forwards = not forwards


@kernel
def _reach_row(
    counts: tuple[int, ...],
    periodic: BoolArray,
    row: int,
    is_open: BoolArray,
    many: NDArray[np.int64],
    out_reached: BoolArray,
    out_outside: BoolArray,
) -> int:
    """Spread along a row what is outside within it or beside it; return how many nodes are added.

    `many`: nodes of each row that are outside. Beside a row that is so as a whole, all that is open is reached.
    """
    length, start = counts[4], row * counts[4]
    for k in range(length):
        out_reached[k] = False
    most, stride, above = many[row], 1, row
    for axis in range(3, -1, -1):
        place = above % counts[axis]
        above //= counts[axis]
        for side in (-1, 1):
            if periodic[axis] or 0 <= place + side < counts[axis]:
                other = row + ((place + side) % counts[axis] - place) * stride
                most = max(most, many[other])
                if 0 < many[other] < length and most < length:
                    for k in range(length):
                        out_reached[k] |= out_outside[other * length + k]
        stride *= counts[axis]
    added = 0
    if most == length:
        for k in range(length):
            out_outside[start + k] = is_open[start + k]
            added += is_open[start + k]
        added -= many[row]
    elif most > 0:
        for way in range(2):
            before = periodic[4] and out_outside[start + (length - 1 if way == 0 else 0)]
            for each in range(length):
                k = each if way == 0 else length - 1 - each
                if is_open[start + k] and not out_outside[start + k] and (before or out_reached[k]):
                    out_outside[start + k] = True
                    added += 1
                before = out_outside[start + k]
    return added


@kernel
def _blend_rows(
    counts: NDArray[np.int64],
    strides: NDArray[np.int64],
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
