"""The boundary of a field: its zero level as a closed surface (three angles), closed lines (two) or ends (one).

Marching cubes with tables of our own (`surface_tables.py`), so that the surface is closed, two triangles meet at every
edge, and it looks outwards. A region that reaches the border of its grid is closed at most one cell beyond. Along an
axis that goes round, the surface is cut open where the region is not, and its angles go on past the seam; where the
region takes the whole turn there is no such place, and flat faces close the two ends, a whole turn apart.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document.limit import Grid
from engine.limits.surface_tables import EDGE_STARTS, cube_table, square_table
from engine.maths.arrays import Array, IntArray
from engine.runtime.progress import finish

_NEAREST = 1e-5  # of a cell, to a node: else triangles would shrink to points there
_SLAB = 1 << 17  # nodes that are worked at once


class Boundary(NamedTuple):
    """A surface in Euler space: triangles that look outwards, lines with the inside on their left, or points."""

    positions: Array  # [rad], shape [vertex_count, k]
    faces: IntArray  # shape [face_count, k]


class _Frame(NamedTuple):
    """Values with a layer around them, where their first node is, and which ends are cut off flat."""

    values: Array
    first: Array  # [rad], shape [k]
    cut: NDArray[np.bool_]  # shape [k, 2]


def zero_level(grid: Grid, values: Array) -> Boundary:
    """The boundary of where `values`, shape grid.counts, are 0 or less; of no faces if nothing or everything is."""
    return finish(level_steps(grid, values))


def level_steps(grid: Grid, values: Array) -> Generator[float, None, Boundary]:
    """`zero_level` in slices of `_SLAB` nodes."""
    return (yield from _level_of(grid, _framed(grid, values)))


def open_level(grid: Grid, values: Array) -> Boundary:
    """Find the level set as it is between the nodes alone: not closed at the border, nor where an axis is periodic."""
    size = len(grid.counts)
    for axis in range(size):
        if grid.periodic[axis]:
            values = np.concatenate((values, values.take([0], axis)), axis)
    return finish(_level_of(grid, _Frame(values, np.array(grid.lower), np.zeros((size, 2), dtype=np.bool_))))


def _level_of(grid: Grid, frame: _Frame) -> Generator[float, None, Boundary]:
    size = len(grid.counts)
    if size == 3:
        points, faces = yield from _triangles(frame.values, frame.cut)
    elif size == 2:
        points, faces = _lines(frame.values, frame.cut)
    elif size == 1:
        points = _crossings(frame.values, frame.cut, 0)
        faces = np.arange(len(points), dtype=np.int32)[:, None]
    else:
        return Boundary(np.empty((0, size)), np.empty((0, size), dtype=np.int32))
    return Boundary(frame.first + points * np.array(grid.spacing), faces)


def _framed(grid: Grid, values: Array) -> _Frame:
    """Values with outside all around: a copy of the first layer behind the last where an axis goes round."""
    first, cut = np.array(grid.lower), np.zeros((len(grid.counts), 2), dtype=np.bool_)
    for axis, (count, spacing) in enumerate(zip(grid.counts, grid.spacing, strict=True)):
        if grid.periodic[axis]:
            within = (values <= 0.0).sum(axis=tuple(each for each in range(values.ndim) if each != axis))
            seam = _seam(within == within.min())
            middle = grid.lower[axis] + (seam + 0.5 * count) * spacing
            first[axis] += seam * spacing - math.tau * np.floor((middle + np.pi) / math.tau)
            values = values.take((np.arange(count + 1) + seam) % count, axis)
            if within.min() == 0:
                continue
            cut[axis] = True
        values = _with_layer(values, axis, spacing)
        first[axis] -= spacing
    return _Frame(values, first, cut)


def _seam(best: NDArray[np.bool_]) -> int:
    """The middle of the longest run of layers that would do, round the turn; the first layer where all would."""
    if best.all():
        return 0
    start = int(np.argmin(best))
    runs = np.roll(best, -start)
    ends = np.flatnonzero(np.diff(np.concatenate(([False], runs, [False]))))
    lengths = ends[1::2] - ends[::2]
    longest = int(np.argmax(lengths))
    return int(start + ends[2 * longest] + lengths[longest] // 2) % len(best)


def _with_layer(values: Array, axis: int, spacing: float) -> Array:
    """Add a layer beyond the border, where the value rises by the way from it, and is outside after one cell in any
    case."""
    before, after = (np.maximum(values.take([end], axis) + spacing, 1e-3 * spacing) for end in (0, -1))
    return np.concatenate((before, values, after), axis)


def _lines(values: Array, cut: NDArray[np.bool_]) -> tuple[Array, IntArray]:
    """Marching squares: vertices [cells] and the lines between them."""
    inside = values <= 0.0
    ids, points, count = [], [], 0
    for axis in range(2):
        crossed = np.diff(inside, axis=axis)
        numbers = np.full(crossed.shape, -1, dtype=np.int32)
        numbers[crossed] = np.arange(count, count + crossed.sum())
        count += int(crossed.sum())
        ids.append(numbers)
        points.append(_crossings(values, cut, axis))
    case = inside[:-1, :-1] + 2 * inside[1:, :-1] + 4 * inside[:-1, 1:] + 8 * inside[1:, 1:]
    edges = np.stack((ids[0][:, :-1], ids[0][:, 1:], ids[1][:-1, :], ids[1][1:, :]), axis=-1).reshape(-1, 4)
    wanted = square_table()[case.ravel()].astype(np.intp)
    lines = np.take_along_axis(edges[:, None, :], np.maximum(wanted, 0), axis=2)
    return np.concatenate(points), lines[wanted[..., 0] >= 0].astype(np.int32)


def _crossings(values: Array, cut: NDArray[np.bool_], axis: int) -> Array:
    """Find where neighbours along an axis differ in sign [cells], in the order of the nodes, shape [count, k]."""
    start, end = np.delete(values, -1, axis), np.delete(values, 0, axis)
    crossed = (start <= 0.0) != (end <= 0.0)
    nodes = np.argwhere(crossed).astype(np.float64)
    start, end = start[crossed], end[crossed]
    shares = np.clip(start / (start - end), _NEAREST, 1.0 - _NEAREST)
    if cut[axis, 0]:
        shares[nodes[:, axis] == 0] = 1.0
    if cut[axis, 1]:
        shares[nodes[:, axis] == values.shape[axis] - 2] = 0.0
    nodes[:, axis] += shares
    return nodes


def _triangles(values: Array, cut: NDArray[np.bool_]) -> Generator[float, None, tuple[Array, IntArray]]:
    """Marching cubes: vertices [cells from the first node] and triangles, slab after slab along the first axis."""
    layers = values.shape[0]
    inside = values <= 0.0
    numbers = np.empty((*values.shape, 3), dtype=np.int32)  # of the vertex on the edge from each node along each axis
    step = max(1, _SLAB // max(1, values[0].size))
    points, faces, count = [np.empty((0, 3))], [np.empty((0, 3), dtype=np.int32)], 0
    for start in range(0, layers, step):
        found = _vertices(values, inside, cut, start, min(start + step, layers), count, numbers)
        points.append(found)
        count += len(found)
        yield 0.5 * start / layers
    for start in range(0, layers - 1, step):
        faces.append(_faces(inside, start, min(start + step, layers - 1), numbers))
        yield 0.5 + 0.5 * start / layers
    return np.concatenate(points), np.concatenate(faces)


def _vertices(
    values: Array,
    inside: NDArray[np.bool_],
    cut: NDArray[np.bool_],
    start: int,
    end: int,
    first: int,
    out_numbers: IntArray,
) -> Array:
    """Find where edges from nodes of the layers `start` to `end` cross zero [cells], numbered from `first` on."""
    part = inside[start:end]
    crossed = np.zeros((*part.shape, 3), dtype=np.bool_)
    following = inside[start + 1 : end + 1]
    crossed[: len(following), ..., 0] = part[: len(following)] != following
    crossed[:, :-1, :, 1] = part[:, :-1] != part[:, 1:]
    crossed[:, :, :-1, 2] = part[..., :-1] != part[..., 1:]
    edges = np.flatnonzero(crossed)
    out_numbers[start:end].reshape(-1)[edges] = np.arange(first, first + len(edges), dtype=np.int32)
    nodes, axes = np.divmod(edges, 3)
    strides = np.array([values.shape[1] * values.shape[2], values.shape[2], 1])
    nodes += start * strides[0]
    places = np.stack(np.unravel_index(nodes, values.shape), axis=1)
    flat = values.reshape(-1)
    here, there = flat[nodes], flat[nodes + strides[axes]]
    shares = np.clip(here / (here - there), _NEAREST, 1.0 - _NEAREST)
    along = places[np.arange(len(axes)), axes]
    shares[cut[axes, 0] & (along == 0)] = 1.0
    shares[cut[axes, 1] & (along == np.array(values.shape)[axes] - 2)] = 0.0
    points = places.astype(np.float64)
    points[np.arange(len(axes)), axes] += shares
    return points


def _faces(inside: NDArray[np.bool_], start: int, end: int, numbers: IntArray) -> IntArray:
    """Triangles of the cells from the layers from `start` to `end` on."""
    part = inside[start : end + 1].view(np.uint8)
    cases = np.zeros(tuple(count - 1 for count in part.shape), dtype=np.uint8)
    for corner in range(8):
        x, y, z = corner & 1, corner >> 1 & 1, corner >> 2
        cases |= part[x : x + end - start, y : y + cases.shape[1], z : z + cases.shape[2]] << np.uint8(corner)
    cells = np.flatnonzero((cases != 0) & (cases != 255))
    _, ny, nz = inside.shape
    layers, rows, columns = np.unravel_index(cells, cases.shape)
    wanted = cube_table()[cases.reshape(-1)[cells]]
    steps = np.array([((s & 1) * ny + (s >> 1 & 1)) * nz + (s >> 2) for axis in range(3) for s in EDGE_STARTS[axis]])
    edges = (((layers + start) * ny + rows) * nz + columns)[:, None] + steps[wanted]
    found: IntArray = numbers.reshape(-1)[(3 * edges + wanted // 4)[wanted >= 0]]
    return found.reshape(-1, 3)
