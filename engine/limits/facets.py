"""Distances of the nodes of a grid from a surface, exact to rounding.

Of the triangles the one that is nearest to a node x, at a distance d, has a corner s with |x - s|^2 <= d^2 + r^2: from
the nearest place of the triangle the way to x stands across the face or the side that it lies in, and to the nearest
corner of those it is at most r, the longest side over the root of 3. So only corners count that are within r^2 of the
nearest one, in squares: far away, where a tree of boxes meets many triangles that are nearly as near, these are a few.

Corners are left out by blocks of nodes as samples are in `distance.py`: with b the corner nearest to the middle of a
block, s counts for one of its nodes only if it lies there within r^2 of b.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.limits.inlined import inlined
from engine.limits.triangles import corners_of, in_space, squared_distance
from engine.maths.arrays import Array, IntArray, LongArray
from engine.runtime.jit import kernel

_CROWD = 12.0  # corners for each node; about 1 where sides are alike
_LEVELS = 4  # all corners, those of a block, of an eighth of it, of a leaf
_BLOCK, _LEAF, _LEAVES = 16, 4, 64  # nodes along each side; leaves of a block
_SLACK = 3  # column behind the angles of a corner: r^2


def is_crowded(positions: Array, faces: IntArray) -> bool:
    """Tell whether faces are so thin that many corners would count for each node: a tree of boxes is faster then."""
    if faces.shape[1] < 3:
        return False
    corners = positions[faces]
    area = 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()
    return bool(math.pi * _slacks(positions, faces).sum() > _CROWD * area)


def surface_distances(grid: Grid, positions: Array, faces: IntArray, turns: Array) -> Array:
    """Distance [rad] of every node, shape grid.counts, to the nearest of some faces, one at least.

    `turns`: the ways to where the same pose stands again, shape [count, 3] (`ranges.turns_of`).
    """
    size = faces.shape[1]
    many = np.bincount(faces.ravel(), minlength=len(positions))
    owners = np.argsort(faces.ravel(), kind="stable") // size
    links = np.concatenate(([0], np.cumsum(many), owners))
    links[: len(many) + 1] += len(many) + 1
    copies, names = _copies(grid, in_space(positions), _slacks(positions, faces), np.flatnonzero(many), turns)
    counts, geometry = np.ones(3, dtype=np.int64), np.zeros((2, 3))
    counts[:size], geometry[0, :size], geometry[1, :size] = grid.counts, grid.lower, grid.spacing
    distances = np.empty(tuple(counts))
    corners = corners_of(positions, faces).reshape(-1, 9)
    fill_distances(copies, names, links, corners, turns, geometry, distances)
    return distances.reshape(grid.counts)


def _slacks(positions: Array, faces: IntArray) -> Array:
    """Compute r^2 of each corner: a third of the square of the longest side at it."""
    corners = positions[faces]
    longest = ((np.roll(corners, -1, axis=1) - corners) ** 2).sum(axis=2).max(axis=1)
    slacks = np.zeros(len(positions))
    np.maximum.at(slacks, faces.ravel(), np.repeat(longest / 3.0, faces.shape[1]))
    return slacks


def _copies(grid: Grid, points: Array, slacks: Array, used: NDArray[np.intp], turns: Array) -> tuple[Array, LongArray]:
    """Corners and where they stand again: angles and slack, shape [4, count]; which corner it is and which turn.

    Along an axis that goes round, one farther than half a turn from every node counts for none: another copy is nearer.
    """
    copies, names = [], []
    for number, turn in enumerate(turns):
        moved = points[used] + turn
        near = np.ones(len(used), dtype=np.bool_)
        for axis in np.flatnonzero(grid.periodic):
            beyond = math.pi + slacks[used] / math.tau
            last = grid.lower[axis] + (grid.counts[axis] - 1) * grid.spacing[axis]
            near &= (moved[:, axis] >= grid.lower[axis] - beyond) & (moved[:, axis] <= last + beyond)
        copies.append(np.column_stack((moved[near], slacks[used[near]])))
        names.append(np.column_stack((used[near], np.full(int(near.sum()), number))))
    return np.ascontiguousarray(np.concatenate(copies).T), np.ascontiguousarray(np.concatenate(names).T)


@kernel
def fill_distances(
    copies: Array,
    names: LongArray,
    links: LongArray,
    corners: Array,
    turns: Array,
    geometry: Array,
    out_distances: Array,
) -> None:
    """Block by block. `names`: of each copy its corner and its turn; `links[links[s]:links[s + 1]]`: faces at corner s.

    geometry: first node and spacing [rad], shape [2, 3].
    """
    counts, total = out_distances.shape, copies.shape[1]
    kept, numbers = np.empty((_LEVELS, 4, total)), np.empty((_LEVELS, 2, total), np.int64)
    for each in range(total):
        for column in range(4):
            kept[0, column, each] = copies[column, each]
        for column in range(2):
            numbers[0, column, each] = names[column, each]
    squares, seen = np.empty(total), np.empty(corners.shape[0], np.int64)
    for face in range(corners.shape[0]):
        seen[face] = -1
    low, many = np.empty((_LEVELS, 3), np.int64), np.empty(_LEVELS, np.int64)
    many[0] = total
    blocks = -(-counts[0] // _BLOCK) * -(-counts[1] // _BLOCK) * -(-counts[2] // _BLOCK)
    for leaf in range(blocks * _LEAVES):
        leaves = _LEAVES
        for level in range(1, _LEVELS):
            if leaf % leaves == 0:
                many[level] = 0
                if many[level - 1] > 0 and _take_block(counts, leaf // leaves, level, low):
                    many[level] = _narrow(counts, geometry, low, level, many[level - 1], kept, numbers, squares)
            leaves //= 8
        if many[_LEVELS - 1] > 0:
            count = many[_LEVELS - 1]
            _fill_leaf(geometry, low, count, kept, numbers, links, corners, turns, squares, seen, out_distances)


@kernel
def _take_block(counts: tuple[int, int, int], block: int, level: int, out_low: LongArray) -> bool:
    """Find the beginning of a block, in order within its level; return True if it has nodes."""
    within = True
    for axis in range(2, -1, -1):
        if level == 1:
            along = -(-counts[axis] // _BLOCK)
            out_low[1, axis] = block % along * _BLOCK
            block //= along
        else:
            out_low[level, axis] = out_low[level - 1, axis] + (block & 1) * (_BLOCK >> (level - 1))
            block >>= 1
        within = within and out_low[level, axis] < counts[axis]
    return within


@kernel
def _narrow(
    counts: tuple[int, int, int],
    geometry: Array,
    low: LongArray,
    level: int,
    count: int,
    out_kept: Array,
    out_numbers: LongArray,
    out_squares: Array,
) -> int:
    """Keep those corners of the level before that may count for a node of the block; how many."""
    size = _BLOCK >> (level - 1)
    half0 = 0.5 * (min(size, counts[0] - low[level, 0]) - 1) * geometry[1, 0]
    half1 = 0.5 * (min(size, counts[1] - low[level, 1]) - 1) * geometry[1, 1]
    half2 = 0.5 * (min(size, counts[2] - low[level, 2]) - 1) * geometry[1, 2]
    x = geometry[0, 0] + low[level, 0] * geometry[1, 0] + half0
    y = geometry[0, 1] + low[level, 1] * geometry[1, 1] + half1
    z = geometry[0, 2] + low[level, 2] * geometry[1, 2] + half2
    before = out_kept[level - 1]
    best = _nearest_corner(before, count, x, y, z, out_squares)
    a, b, c, least = before[0, best], before[1, best], before[2, best], out_squares[best]
    least += 1e-12 * (1.0 + least)
    found = 0
    for each in range(count):
        reach = half0 * abs(before[0, each] - a) + half1 * abs(before[1, each] - b) + half2 * abs(before[2, each] - c)
        if out_squares[each] - least <= 2.0 * reach + before[_SLACK, each]:
            for column in range(4):
                out_kept[level, column, found] = before[column, each]
            for column in range(2):
                out_numbers[level, column, found] = out_numbers[level - 1, column, each]
            found += 1
    return found


@inlined
def _nearest_corner(kept: Array, count: int, x: float, y: float, z: float, out_squares: Array) -> int:
    """Squared distances of a place to corners; which is nearest."""
    for each in range(count):
        a, b, c = kept[0, each] - x, kept[1, each] - y, kept[2, each] - z
        out_squares[each] = a * a + b * b + c * c
    least, best = math.inf, 0
    for each in range(count):
        if out_squares[each] < least:
            least, best = out_squares[each], each
    return best


@kernel
def _fill_leaf(
    geometry: Array,
    low: LongArray,
    count: int,
    kept: Array,
    numbers: LongArray,
    links: LongArray,
    corners: Array,
    turns: Array,
    out_squares: Array,
    out_seen: LongArray,
    out_distances: Array,
) -> None:
    """Every node of a leaf to the faces at the corners that count for it, the nearest corner first."""
    counts, last = out_distances.shape, _LEVELS - 1
    for i in range(low[last, 0], min(low[last, 0] + _LEAF, counts[0])):
        x = geometry[0, 0] + i * geometry[1, 0]
        for j in range(low[last, 1], min(low[last, 1] + _LEAF, counts[1])):
            y = geometry[0, 1] + j * geometry[1, 1]
            for k in range(low[last, 2], min(low[last, 2] + _LEAF, counts[2])):
                z = geometry[0, 2] + k * geometry[1, 2]
                stamp = ((i * counts[1] + j) * counts[2] + k) * turns.shape[0]
                nearest = _nearest_corner(kept[last], count, x, y, z, out_squares)
                best = out_squares[nearest]
                slack = 1e-12 * (1.0 + best)
                for turn in range(-1, count):
                    each = nearest if turn < 0 else turn
                    if out_squares[each] > best + kept[last, _SLACK, each] + slack:
                        continue
                    corner, move = numbers[last, 0, each], numbers[last, 1, each]
                    for link in range(links[corner], links[corner + 1]):
                        face = links[link]
                        if out_seen[face] != stamp + move:
                            out_seen[face] = stamp + move
                            a, b, c = x - turns[move, 0], y - turns[move, 1], z - turns[move, 2]
                            best = min(best, squared_distance(corners, face, a, b, c))
                out_distances[i, j, k] = math.sqrt(best)
