"""Exact distances of the nodes of grids to samples, and which sample is the nearest (Engell-Norregard 2012, 66).

Nodes are worked in blocks of 8 x 8 x 8, those in leaves of 4 x 4 x 8. With b the sample nearest to the middle of a
block, another sample s can be nearest to one of its nodes only if some node lies on its side of the plane between
the two, which is a sum over the axes; the others are left out. A sample about half a turn from a block, so that some of
its nodes are nearer to it the other way round, counts as two, one on either side: within a block nothing goes round.
Distances to what is left are compared one by one, for a plane of 32 nodes side by side in memory, four samples at a
time, so that one instruction compares several nodes. No distance is taken over from a neighbour, so each is exact to
rounding: a transform that snaps samples to cells errs by up to half a cell's diagonal. Of samples as near as each other
the first counts.

Many grids are worked in one call, on all cores: the engine's thread alone may call it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.document.limit import Grid
from engine.limits.inlined import inlined
from engine.limits.interpolation import MOST_ANGLES
from engine.limits.packed_grids import LOWER, SPACING, TURN, PackedGrids, pack_grids
from engine.maths.arrays import Array, BoolArray, IntArray, LongArray
from engine.runtime.jit import kernel, parallel_kernel, prange

Found = tuple[Array, IntArray]

_AXES = MOST_ANGLES
_INNER = 3  # axes that blocks reach along; the others are gone through node by node
_BLOCK, _LEAF = 8, 4  # nodes along each side; a leaf is as long as a block along the last axis
_PARTS = _BLOCK // _LEAF
_ASIDE = 3  # row behind the three angles of samples: squared distance along the outer axes
_SIDES = 8  # on which a sample can stand
_PLANE = _LEAF * _BLOCK  # nodes of a leaf in a plane across the first axis
_TOGETHER = 4  # samples that are compared at a time
# In `ints` behind the nodes along each axis of a grid: where its nodes and its samples begin, how many samples it has.
_NODES, _SAMPLES, _COUNT = 5, 6, 7


def find_nearest(grids: Sequence[Grid], samples: Sequence[Array]) -> list[Found]:
    """Find for each grid the distance [rad] of every node to the nearest sample, shape as its counts, and which one it
    is.

    `samples`: [rad], shape [sample_count, angle_count], one row and more.
    """
    packed = pack_grids(grids)
    wrapped = [wrap_samples(grid, mine) for grid, mine in zip(grids, samples, strict=True)]
    distances, nearest = measure_nodes(packed, wrapped)
    return list(zip(packed.split(distances), packed.split(nearest), strict=True))


def measure_nodes(packed: PackedGrids, samples: Sequence[Array]) -> Found:
    """Find the same of all nodes in a row, from wrapped samples."""
    distances, nearest = np.empty(int(packed.starts[-1])), np.empty(int(packed.starts[-1]), dtype=np.int32)
    write_nearest(packed, samples, np.ones(0, dtype=np.bool_), distances, nearest)
    return distances, nearest


def write_nearest(
    packed: PackedGrids, samples: Sequence[Array], wanted: BoolArray, out_distance: Array, out_nearest: IntArray
) -> None:
    """Write the same of all nodes, or if some are wanted of the blocks that hold one."""
    counts = np.array([len(mine) for mine in samples], dtype=np.int64)
    ends = np.cumsum(counts)
    columns = np.zeros((_AXES, int(ends[-1])))
    for grid, mine, end in zip(packed.grids, samples, ends.tolist(), strict=True):
        columns[_AXES - len(grid.counts) :, end - len(mine) : end] = mine.T
    slabs = packed.counts[:, 0] * packed.counts[:, 1] * -(-packed.counts[:, 2] // _BLOCK)
    ints = np.concatenate((packed.counts, np.stack((packed.starts[:-1], ends - counts, counts), axis=1)), axis=1)
    _fill_slabs(ints, packed.geometry, columns, np.cumsum(slabs), wanted, out_distance, out_nearest)


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
    blocks, row, count = -(-ints[2] // _BLOCK), -(-ints[4] // _BLOCK), ints[_COUNT]
    outer = slab // blocks
    base, room = ints[_NODES] + outer * ints[2] * ints[3] * ints[4], _SIDES * count + 1
    first = base + slab % blocks * _BLOCK * ints[3] * ints[4]
    if len(wanted) > 0:
        many = 0
        for node in range(first, base + min((slab % blocks + 1) * _BLOCK, ints[2]) * ints[3] * ints[4]):
            many += wanted[node]
        if many == 0:
            return
    samples, seen, ways = np.empty((4, count)), np.empty((4, count)), np.empty((4, room))
    kept, names, picked = np.empty((4, room)), np.empty(room, np.int32), np.empty(room, np.int64)
    squares, nodes = np.empty((room + _TOGETHER, _LEAF + _PLANE)), np.empty((3, _PLANE))
    reached, nearest = np.empty((_LEAF, _PLANE)), np.empty((_LEAF, _PLANE), np.int64)
    _gather_samples(ints, floats, columns, outer, samples)
    low, size = np.empty(_INNER, np.int64), np.empty(_INNER, np.int64)
    for block in range(-(-ints[3] // _BLOCK) * row):
        low[0], low[1], low[2] = slab % blocks * _BLOCK, block // row * _BLOCK, block % row * _BLOCK
        for axis in range(_INNER):
            size[axis] = min(_BLOCK, ints[2 + axis] - low[axis])
        if not _is_wanted(ints, base, low, size, wanted):
            continue
        many = _narrow_to_block(floats, low, size, samples, seen, ways, kept, names)
        for leaf in range(_PARTS * _PARTS):
            low[0] = slab % blocks * _BLOCK + leaf // _PARTS * _LEAF
            low[1] = block // row * _BLOCK + leaf % _PARTS * _LEAF
            size[0], size[1] = min(_LEAF, ints[2] - low[0]), min(_LEAF, ints[3] - low[1])
            if size[0] > 0 and size[1] > 0:
                few = _narrow_to_leaf(floats, low, size, kept, many, ways, picked)
                _write_squares(floats, low, kept, picked, few, nodes, squares)
                for i in range(size[0]):
                    _find_nearest(squares, i, few, reached[i], nearest[i])
                    for j in range(size[1]):
                        start = base + ((low[0] + i) * ints[3] + low[1] + j) * ints[4] + low[2]
                        for k in range(size[2]):
                            out_distance[start + k] = math.sqrt(reached[i, j * _BLOCK + k])
                            out_nearest[start + k] = names[picked[nearest[i, j * _BLOCK + k]]]


@kernel
def _gather_samples(ints: LongArray, floats: Array, columns: Array, outer: int, out_samples: Array) -> None:
    """The samples of a grid: their last three angles, and their squared distance along the outer axes."""
    first = ints[_SAMPLES]
    for each in range(ints[_COUNT]):
        aside = 0.0
        for axis in range(_AXES - _INNER):
            node = outer // ints[1] if axis == 0 else outer % ints[1]
            angle = floats[axis, LOWER] + node * floats[axis, SPACING]
            gap = abs(angle - columns[axis, first + each])
            gap = min(gap, floats[axis, TURN] - gap)
            aside += gap * gap if ints[axis] > 1 else 0.0
        for axis in range(_INNER):
            out_samples[axis, each] = columns[2 + axis, first + each]
        out_samples[_ASIDE, each] = aside


@kernel
def _is_wanted(ints: LongArray, base: int, low: LongArray, size: LongArray, wanted: BoolArray) -> bool:
    found = len(wanted) == 0
    if not found:
        for i in range(low[0], low[0] + size[0]):
            for j in range(low[1], low[1] + size[1]):
                row = base + (i * ints[3] + j) * ints[4] + low[2]
                for k in range(size[2]):
                    found = found or wanted[row + k]
    return found


@inlined
def _middle(floats: Array, low: LongArray, size: LongArray, axis: int) -> tuple[float, float]:
    """The middle of a block along an axis, and half of its length [rad]."""
    half = 0.5 * (size[axis] - 1) * floats[2 + axis, SPACING]
    return floats[2 + axis, LOWER] + low[axis] * floats[2 + axis, SPACING] + half, half


@kernel
def _write_ways(points: Array, count: int, x: float, y: float, z: float, out_ways: Array) -> int:
    """Write the ways from a place to points, and their squares behind; which is the nearest."""
    for each in range(count):
        a, b, c = points[0, each] - x, points[1, each] - y, points[2, each] - z
        out_ways[0, each], out_ways[1, each], out_ways[2, each] = a, b, c
        out_ways[3, each] = points[_ASIDE, each] + a * a + b * b + c * c
    least, best = math.inf, 0
    for each in range(count):
        if out_ways[3, each] < least:
            least, best = out_ways[3, each], each
    return best


@kernel
def _narrow_to_block(
    floats: Array,
    low: LongArray,
    size: LongArray,
    samples: Array,
    out_seen: Array,
    out_ways: Array,
    out_kept: Array,
    out_names: IntArray,
) -> int:
    """Write which samples may be nearest to a node of the block, and where they stand as seen from it; how many."""
    count = samples.shape[1]
    x, half0 = _middle(floats, low, size, 0)
    y, half1 = _middle(floats, low, size, 1)
    z, half2 = _middle(floats, low, size, 2)
    _turn_towards(samples[0], x, floats[2, TURN], out_seen[0])
    _turn_towards(samples[1], y, floats[3, TURN], out_seen[1])
    _turn_towards(samples[2], z, floats[4, TURN], out_seen[2])
    out_seen[_ASIDE] = samples[_ASIDE]
    best = _write_ways(out_seen, count, x, y, z, out_ways)
    a0, b0, c0, least = out_ways[0, best], out_ways[1, best], out_ways[2, best], out_ways[3, best]
    safe0, safe1, safe2 = 0.5 * floats[2, TURN] - half0, 0.5 * floats[3, TURN] - half1, 0.5 * floats[4, TURN] - half2
    most, kept = least + 1e-12 * (1.0 + least), 0
    for each in range(count):
        reach = half0 * abs(out_ways[0, each] - a0) + half1 * abs(out_ways[1, each] - b0)
        out_ways[3, each] -= 2.0 * (reach + half2 * abs(out_ways[2, each] - c0))
    for each in range(count):
        at0, at1, at2, aside = out_seen[0, each], out_seen[1, each], out_seen[2, each], out_seen[_ASIDE, each]
        out_kept[0, kept], out_kept[1, kept], out_kept[2, kept], out_kept[3, kept] = at0, at1, at2, aside
        out_names[kept] = each
        kept += out_ways[3, each] <= most
        far = (abs(out_ways[0, each]) > safe0) + 2 * (abs(out_ways[1, each]) > safe1)
        far += 4 * (abs(out_ways[2, each]) > safe2)
        side = far
        while side > 0:  # every subset of the axes along which it is far
            at0 = _other_side(out_seen[0, each], x, floats[2, TURN]) if side & 1 else out_seen[0, each]
            at1 = _other_side(out_seen[1, each], y, floats[3, TURN]) if side & 2 else out_seen[1, each]
            at2 = _other_side(out_seen[2, each], z, floats[4, TURN]) if side & 4 else out_seen[2, each]
            a, b, c = at0 - x, at1 - y, at2 - z
            reach = 2.0 * (half0 * abs(a - a0) + half1 * abs(b - b0) + half2 * abs(c - c0))
            out_kept[0, kept], out_kept[1, kept], out_kept[2, kept], out_kept[3, kept] = at0, at1, at2, aside
            out_names[kept] = each
            kept += aside + a * a + b * b + c * c - reach <= most
            side = (side - 1) & far
    return kept


@kernel
def _turn_towards(angles: Array, middle: float, turn: float, out_angles: Array) -> None:
    """Write angles, a turn on or back where that is nearer to the middle."""
    half = 0.5 * turn
    for each in range(len(angles)):
        way = angles[each] - middle
        angle = angles[each] - turn if way > half else angles[each]
        out_angles[each] = angles[each] + turn if way < -half else angle


@inlined
def _other_side(angle: float, middle: float, turn: float) -> float:
    """Turn an angle to the other side of the middle."""
    return angle - turn if angle > middle else angle + turn


@kernel
def _narrow_to_leaf(
    floats: Array, low: LongArray, size: LongArray, kept: Array, count: int, out_ways: Array, out_picked: LongArray
) -> int:
    """Write which of a block's samples may be nearest to a node of the leaf; how many."""
    x, half0 = _middle(floats, low, size, 0)
    y, half1 = _middle(floats, low, size, 1)
    z, half2 = _middle(floats, low, size, 2)
    best = _write_ways(kept, count, x, y, z, out_ways)
    a0, b0, c0, least = out_ways[0, best], out_ways[1, best], out_ways[2, best], out_ways[3, best]
    half0, half1, half2 = 2.0 * half0, 2.0 * half1, 2.0 * half2
    for each in range(count):
        reach = half0 * abs(out_ways[0, each] - a0) + half1 * abs(out_ways[1, each] - b0)
        out_ways[3, each] -= reach + half2 * abs(out_ways[2, each] - c0)
    most, picked = least + 1e-12 * (1.0 + least), 0
    for each in range(count):
        out_picked[picked] = each
        picked += out_ways[3, each] <= most
    return picked


@kernel
def _write_squares(
    floats: Array,
    low: LongArray,
    kept: Array,
    picked: LongArray,
    count: int,
    out_nodes: Array,
    out_squares: Array,
) -> None:
    """Write for each sample its squared distances from the nodes of a leaf: along the first axis, along the others.

    The last one is repeated, so that samples can be compared some at a time.
    """
    for step in range(_LEAF):
        out_nodes[0, step] = floats[2, LOWER] + (low[0] + step) * floats[2, SPACING]
    for node in range(_PLANE):
        out_nodes[1, node] = floats[3, LOWER] + (low[1] + node // _BLOCK) * floats[3, SPACING]
        out_nodes[2, node] = floats[4, LOWER] + (low[2] + node % _BLOCK) * floats[4, SPACING]
    for each in range(count):
        at = picked[each]
        x, y, z, aside = kept[0, at], kept[1, at], kept[2, at], kept[_ASIDE, at]
        for step in range(_LEAF):
            gap = out_nodes[0, step] - x
            out_squares[each, step] = aside + gap * gap
        for node in range(out_nodes.shape[1]):  # a length that is not known ahead: else it is unrolled, node by node
            along, across = out_nodes[1, node] - y, out_nodes[2, node] - z
            out_squares[each, _LEAF + node] = along * along + across * across
    for each in range(count, count + _TOGETHER - 1):
        for node in range(_LEAF + _PLANE):
            out_squares[each, node] = out_squares[count - 1, node]


@kernel
def _find_nearest(squares: Array, i: int, count: int, out_squares: Array, out_nearest: LongArray) -> None:
    """Squared distances of the nodes of a plane of a leaf, and which sample is nearest to each."""
    for node in range(_PLANE):
        out_squares[node], out_nearest[node] = math.inf, 0
    for first in range(0, count, _TOGETHER):
        x0, x1, x2, x3 = squares[first, i], squares[first + 1, i], squares[first + 2, i], squares[first + 3, i]
        for node in range(_PLANE):
            s0, s1 = x0 + squares[first, _LEAF + node], x1 + squares[first + 1, _LEAF + node]
            s2, s3 = x2 + squares[first + 2, _LEAF + node], x3 + squares[first + 3, _LEAF + node]
            n0, n2 = first + 1 if s1 < s0 else first, first + 3 if s3 < s2 else first + 2
            s0, s2 = min(s1, s0), min(s3, s2)
            n0 = n2 if s2 < s0 else n0
            s0 = min(s2, s0)
            out_nearest[node] = n0 if s0 < out_squares[node] else out_nearest[node]
            out_squares[node] = min(s0, out_squares[node])
