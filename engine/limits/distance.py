"""Exact distances of the nodes of grids to samples, and which sample is the nearest (Engell-Norregard 2012, 66).

Nodes are worked in blocks of 8 x 8 x 8, those in leaves of 4 x 4 x 4. With b the sample nearest to the middle of a
block, another sample s can be nearest to one of its nodes only if some node lies on its side of the plane between
the two, which is a sum over the axes; the others are left out. A sample that is half a turn from a block, so that some
of its nodes are nearer to it the other way round, is kept. Distances to what is left are compared one by one.
No distance is taken over from a neighbour, so each is exact to
rounding: a transform that snaps samples to cells errs by up to half a cell's diagonal. Of samples as near as each other
the first counts. Distances along a periodic axis go the short way round.

Many grids are worked in one call, on all cores: the engine's thread alone may call it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.document.limit import Grid
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, BoolArray, IntArray, LongArray
from engine.runtime.jit import kernel, parallel_kernel, prange

Found = tuple[Array, IntArray]

_AXES = 5
_INNER = 3  # axes that blocks reach along; the others are gone through node by node
_BLOCK, _LEAF, _LEVELS = 8, 4, 3  # levels: all samples, those of a block, those of a leaf
_PARTS = _BLOCK // _LEAF
# For each grid, in `ints`: nodes along each axis, where its samples and its nodes begin, how many samples it has.
_SAMPLES, _NODES, _COUNT, _STRIDE = 5, 6, 7, 8
# For each grid and axis, in `floats`: first node, spacing, length of a turn.
_LOWER, _SPACING, _TURN = range(3)


def find_nearest(
    grids: Sequence[Grid], samples: Sequence[Array], wanted: Sequence[BoolArray] | None = None
) -> list[Found]:
    """Find for each grid the distance [rad] of every node to the nearest sample, shape as its counts, and which one it
    is.

    `samples`: [rad], shape [sample_count, angle_count], one row and more. Where `wanted` is given, blocks without a
    wanted node are left at infinity and -1.
    """
    counts = np.ones((len(grids), _AXES), dtype=np.int64)
    floats = np.zeros((len(grids), _AXES, 3))
    floats[:, :, _TURN] = np.inf
    columns = np.zeros((_AXES, sum(map(len, samples))))
    start = 0
    for index, (grid, mine) in enumerate(zip(grids, samples, strict=True)):
        axes = slice(_AXES - len(grid.counts), _AXES)
        counts[index, axes] = grid.counts
        floats[index, axes, _LOWER], floats[index, axes, _SPACING] = grid.lower, grid.spacing
        floats[index, axes, _TURN] = np.where(grid.periodic, math.tau, np.inf)
        columns[axes, start : start + len(mine)] = wrap_samples(grid, mine).T
        start += len(mine)
    sizes = counts.prod(axis=1)
    ints = np.zeros((len(grids), _STRIDE), dtype=np.int64)
    ints[:, :_AXES] = counts
    ints[:, _COUNT] = [len(mine) for mine in samples]
    ints[:, _SAMPLES] = np.cumsum(ints[:, _COUNT]) - ints[:, _COUNT]
    ints[:, _NODES] = np.cumsum(sizes) - sizes
    slabs = counts[:, 0] * counts[:, 1] * -(-counts[:, 2] // _BLOCK)
    ends = np.cumsum(slabs)
    distances, nearest = np.full(sizes.sum(), np.inf), np.full(sizes.sum(), -1, dtype=np.int32)
    mask = np.ones(0, dtype=np.bool_) if wanted is None else np.concatenate([each.ravel() for each in wanted])
    _fill_slabs(ints, floats, columns, ends, mask, distances, nearest)
    found = []
    for grid, begin, size in zip(grids, ints[:, _NODES], sizes, strict=True):
        part = slice(int(begin), int(begin + size))
        found.append((distances[part].reshape(grid.counts), nearest[part].reshape(grid.counts)))
    return found


def wrap_samples(grid: Grid, samples: Array) -> Array:
    """Wrap angles to within one turn from the first node, along periodic axes."""
    wrapped = np.array(samples, dtype=np.float64)
    for axis in np.flatnonzero(grid.periodic):
        lower = grid.lower[axis]
        inside = (wrapped[:, axis] >= lower) & (wrapped[:, axis] < lower + math.tau)
        turned = lower + np.mod(wrapped[:, axis] - lower, math.tau)
        wrapped[:, axis] = np.where(inside, wrapped[:, axis], turned)
    return wrapped


@parallel_kernel
def _fill_slabs(
    ints: LongArray,
    floats: Array,
    columns: Array,
    ends: LongArray,
    wanted: BoolArray,
    out_distance: Array,
    out_nearest: IntArray,
) -> None:
    """A slab is a row of blocks across the last two axes."""
    for task in prange(ends[-1]):
        index = np.searchsorted(ends, task, side="right")
        _fill_slab(
            ints[index],
            floats[index],
            columns,
            task - (ends[index - 1] if index > 0 else 0),
            wanted,
            out_distance,
            out_nearest,
        )


@kernel
def _fill_slab(
    ints: LongArray,
    floats: Array,
    columns: Array,
    slab: int,
    wanted: BoolArray,
    out_distance: Array,
    out_nearest: IntArray,
) -> None:
    """Every block of a slab."""
    blocks, row = -(-ints[2] // _BLOCK), -(-ints[4] // _BLOCK)
    outer = slab // blocks
    base = ints[_NODES] + outer * ints[2] * ints[3] * ints[4]
    count = ints[_COUNT]
    kept, names, ways = np.empty((_LEVELS, 4, count)), np.empty((_LEVELS, count), np.int64), np.empty((4, count))
    squares = np.empty((_INNER, _LEAF, count))
    _gather_samples(ints, floats, columns, outer, kept, names)
    low, size = np.empty((_LEVELS, 3), np.int64), np.empty((_LEVELS, 3), np.int64)
    low[0, 0] = (slab % blocks) * _BLOCK
    for block in range(-(-ints[3] // _BLOCK) * row):
        low[0, 1], low[0, 2] = block // row * _BLOCK, block % row * _BLOCK
        _cut(ints, low, _BLOCK, size)
        if _is_wanted(ints, base, low, size, wanted):
            many = _narrow(floats, low, size, 0, count, ways, kept, names)
            for leaf in range(_PARTS**3):
                if _take_part(leaf, low, size):
                    few = _narrow(floats, low, size, 1, many, ways, kept, names)
                    _fill_leaf(ints, floats, low, size, base, few, kept, names, squares, out_distance, out_nearest)


@kernel
def _gather_samples(
    ints: LongArray, floats: Array, columns: Array, outer: int, out_kept: Array, out_names: LongArray
) -> None:
    """The samples of a grid: their last three angles, and their squared distance along the outer axes."""
    first = ints[_SAMPLES]
    for each in range(ints[_COUNT]):
        aside = 0.0
        for axis in range(_AXES - _INNER):
            node = outer // ints[1] if axis == 0 else outer % ints[1]
            angle = floats[axis, _LOWER] + node * floats[axis, _SPACING]
            gap = _gap(angle - columns[axis, first + each], floats[axis, _TURN])
            aside += gap * gap if ints[axis] > 1 else 0.0
        for axis in range(_INNER):
            out_kept[0, axis, each] = columns[2 + axis, first + each]
        out_kept[0, 3, each], out_names[0, each] = aside, each


@kernel
def _cut(ints: LongArray, low: LongArray, size: int, out_size: LongArray) -> None:
    """Measure how much of a block lies within the grid."""
    for axis in range(_INNER):
        out_size[0, axis] = min(size, ints[2 + axis] - low[0, axis])


@inlined
def _take_part(part: int, out_low: LongArray, out_size: LongArray) -> bool:
    """A leaf of a block; whether it has nodes."""
    shift = part
    least = _LEAF
    for axis in range(_INNER - 1, -1, -1):
        start = shift % _PARTS * _LEAF
        shift //= _PARTS
        out_low[1, axis] = out_low[0, axis] + start
        out_size[1, axis] = min(_LEAF, out_size[0, axis] - start)
        least = min(least, out_size[1, axis])
    return least > 0


@kernel
def _is_wanted(ints: LongArray, base: int, low: LongArray, size: LongArray, wanted: BoolArray) -> bool:
    found = len(wanted) == 0
    if not found:
        for i in range(low[0, 0], low[0, 0] + size[0, 0]):
            for j in range(low[0, 1], low[0, 1] + size[0, 1]):
                row = base + (i * ints[3] + j) * ints[4] + low[0, 2]
                for k in range(size[0, 2]):
                    found = found or wanted[row + k]
    return found


@inlined
def _gap(difference: float, turn: float) -> float:
    """Compute the distance between two angles that differ by less than a turn."""
    gap = abs(difference)
    return min(gap, turn - gap)


@kernel
def _write_ways(samples: Array, count: int, angle: float, turn: float, out_ways: Array) -> None:
    """Write the ways from an angle to those of samples, the short way round."""
    if turn < math.inf:
        share = 1.0 / turn
        for each in range(count):
            way = samples[each] - angle
            out_ways[each] = way - turn * math.floor(way * share + 0.5)
    else:
        for each in range(count):
            out_ways[each] = samples[each] - angle


@kernel
def _narrow(
    floats: Array,
    low: LongArray,
    size: LongArray,
    level: int,
    count: int,
    out_ways: Array,
    out_kept: Array,
    out_names: LongArray,
) -> int:
    """Pass those samples of a level that may be nearest to a node of the block, to the next level; how many."""
    half0, half1, half2 = (
        0.5 * (size[level, 0] - 1) * floats[2, _SPACING],
        0.5 * (size[level, 1] - 1) * floats[3, _SPACING],
        0.5 * (size[level, 2] - 1) * floats[4, _SPACING],
    )
    x = floats[2, _LOWER] + low[level, 0] * floats[2, _SPACING] + half0
    y = floats[3, _LOWER] + low[level, 1] * floats[3, _SPACING] + half1
    z = floats[4, _LOWER] + low[level, 2] * floats[4, _SPACING] + half2
    _write_ways(out_kept[level, 0], count, x, floats[2, _TURN], out_ways[0])
    _write_ways(out_kept[level, 1], count, y, floats[3, _TURN], out_ways[1])
    _write_ways(out_kept[level, 2], count, z, floats[4, _TURN], out_ways[2])
    least, best = math.inf, 0
    for each in range(count):
        a, b, c = out_ways[0, each], out_ways[1, each], out_ways[2, each]
        out_ways[3, each] = out_kept[level, 3, each] + a * a + b * b + c * c
    for each in range(count):
        if out_ways[3, each] < least:
            least, best = out_ways[3, each], each
    a0, b0, c0 = out_ways[0, best], out_ways[1, best], out_ways[2, best]
    safe0, safe1, safe2 = 0.5 * floats[2, _TURN] - half0, 0.5 * floats[3, _TURN] - half1, 0.5 * floats[4, _TURN] - half2
    slack = 1e-12 * (1.0 + least)
    kept = 0
    for each in range(count):
        a, b, c = out_ways[0, each], out_ways[1, each], out_ways[2, each]
        reach = 2.0 * (half0 * abs(a - a0) + half1 * abs(b - b0) + half2 * abs(c - c0))
        near = out_ways[3, each] - least <= reach + slack
        if near or abs(a) > safe0 or abs(b) > safe1 or abs(c) > safe2:
            for axis in range(4):
                out_kept[level + 1, axis, kept] = out_kept[level, axis, each]
            out_names[level + 1, kept] = out_names[level, each]
            kept += 1
    return kept


@kernel
def _fill_leaf(
    ints: LongArray,
    floats: Array,
    low: LongArray,
    size: LongArray,
    base: int,
    count: int,
    kept: Array,
    names: LongArray,
    out_squares: Array,
    out_distance: Array,
    out_nearest: IntArray,
) -> None:
    """Every node of a leaf against every sample that is left: a row of four nodes at a time."""
    for axis in range(_INNER):
        for step in range(_LEAF):
            angle = floats[2 + axis, _LOWER] + (low[1, axis] + step) * floats[2 + axis, _SPACING]
            _write_squares(kept[_LEVELS - 1, axis], count, angle, floats[2 + axis, _TURN], out_squares[axis, step])
    for each in range(count):
        for step in range(_LEAF):
            out_squares[0, step, each] += kept[_LEVELS - 1, 3, each]
    for i in range(size[1, 0]):
        for j in range(size[1, 1]):
            row = base + ((low[1, 0] + i) * ints[3] + low[1, 1] + j) * ints[4] + low[1, 2]
            d0, d1, d2, d3, n0, n1, n2, n3 = _nearest_of_row(out_squares, i, j, count)
            for k in range(size[1, 2]):
                square = d0 if k == 0 else d1 if k == 1 else d2 if k == 2 else d3
                nearest = n0 if k == 0 else n1 if k == 1 else n2 if k == 2 else n3
                out_distance[row + k] = math.sqrt(square)
                out_nearest[row + k] = names[_LEVELS - 1, nearest]


@kernel
def _write_squares(samples: Array, count: int, angle: float, turn: float, out_squares: Array) -> None:
    for each in range(count):
        gap = abs(angle - samples[each])
        gap = min(gap, turn - gap)
        out_squares[each] = gap * gap


@inlined
def _nearest_of_row(
    squares: Array, i: int, j: int, count: int
) -> tuple[float, float, float, float, int, int, int, int]:
    """Squared distances of four nodes, and which sample is nearest to each. Four at once keep the processor busy."""
    d0, d1, d2, d3 = math.inf, math.inf, math.inf, math.inf
    n0, n1, n2, n3 = 0, 0, 0, 0
    for each in range(count):
        across = squares[0, i, each] + squares[1, j, each]
        s0, s1 = across + squares[2, 0, each], across + squares[2, 1, each]
        s2, s3 = across + squares[2, 2, each], across + squares[2, 3, each]
        n0, n1 = each if s0 < d0 else n0, each if s1 < d1 else n1
        n2, n3 = each if s2 < d2 else n2, each if s3 < d3 else n3
        d0, d1, d2, d3 = min(s0, d0), min(s1, d1), min(s2, d2), min(s3, d3)
    return d0, d1, d2, d3, n0, n1, n2, n3
