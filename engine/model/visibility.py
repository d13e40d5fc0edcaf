"""The points of a surface that see a point inside it: segments against triangles, found through a grid of cells.

A triangle stands in every cell that its box touches. A segment is tested against the triangles of the cells that its
own box touches, which suits short segments such as those from a limb's surface to its bone.
Segment and triangle meet by Moller and Trumbore 1997 (J. Graphics Tools 2:21).

Layout of `ints`: the numbers of cells along x, y, z (3), then for each cell the start of its list and one end more,
then the lists. Layout of `floats`: the corner of the grid (3), the cells' size [m].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

_CELLS_ALONG = 64  # at most


class Cells(NamedTuple):
    """A grid of lists of triangles."""

    ints: IntArray
    floats: Array


def build_cells(points: Array, triangles: IntArray) -> Cells:
    """The grid of a mesh; a cell is about two edges wide."""
    corners = points[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    extent = np.ptp(points, axis=0).max()
    size = max(2.0 * float((high - low).max(axis=1).mean()), float(extent) / _CELLS_ALONG)
    origin = points.min(axis=0)
    shape = (np.ptp(points, axis=0) / size).astype(np.int64) + 1
    first, last = ((each - origin) / size for each in (low, high))
    first, last = np.minimum(first.astype(np.int64), shape - 1), np.minimum(last.astype(np.int64), shape - 1)
    spans = last - first + 1
    owner = np.repeat(np.arange(len(triangles)), spans.prod(axis=1))
    within = np.arange(len(owner)) - np.repeat(np.cumsum(spans.prod(axis=1)) - spans.prod(axis=1), spans.prod(axis=1))
    span = spans[owner]
    offset = np.stack((within // (span[:, 1] * span[:, 2]), within // span[:, 2] % span[:, 1], within % span[:, 2]), 1)
    place = first[owner] + offset
    cell = (place[:, 0] * shape[1] + place[:, 1]) * shape[2] + place[:, 2]
    order = np.argsort(cell, kind="stable")
    starts = np.concatenate(([0], np.cumsum(np.bincount(cell, minlength=int(shape.prod())))))
    ints = np.concatenate((shape, starts, owner[order])).astype(np.int32)
    return Cells(ints, np.array([*origin, size]))


@kernel
def segment_meets(begin: Array, end: Array, corners: Array, triangle: int) -> bool:
    """Tell whether the segment crosses the triangle's inside; corners have shape [triangle_count, 3, 3]."""
    c = corners[triangle]
    ux, uy, uz = c[1, 0] - c[0, 0], c[1, 1] - c[0, 1], c[1, 2] - c[0, 2]
    vx, vy, vz = c[2, 0] - c[0, 0], c[2, 1] - c[0, 1], c[2, 2] - c[0, 2]
    x, y, z = end[0] - begin[0], end[1] - begin[1], end[2] - begin[2]
    px, py, pz = y * vz - z * vy, z * vx - x * vz, x * vy - y * vx
    determinant = ux * px + uy * py + uz * pz
    if determinant == 0.0:
        return False
    sx, sy, sz = begin[0] - c[0, 0], begin[1] - c[0, 1], begin[2] - c[0, 2]
    first = (sx * px + sy * py + sz * pz) / determinant
    if first < 0.0 or first > 1.0:
        return False
    qx, qy, qz = sy * uz - sz * uy, sz * ux - sx * uz, sx * uy - sy * ux
    second = (x * qx + y * qy + z * qz) / determinant
    if second < 0.0 or first + second > 1.0:
        return False
    along = (vx * qx + vy * qy + vz * qz) / determinant
    return bool(0.0 <= along <= 1.0)


@kernel
def is_clear(ints: IntArray, floats: Array, corners: Array, begin: Array, end: Array) -> bool:
    """Tell whether the segment meets no triangle of the grid."""
    size = floats[3]
    nx, ny, nz = ints[0], ints[1], ints[2]
    lists = 3 + nx * ny * nz + 1
    x0 = max(0, int((min(begin[0], end[0]) - floats[0]) / size))
    x1 = min(nx - 1, int((max(begin[0], end[0]) - floats[0]) / size))
    y0 = max(0, int((min(begin[1], end[1]) - floats[1]) / size))
    y1 = min(ny - 1, int((max(begin[1], end[1]) - floats[1]) / size))
    z0 = max(0, int((min(begin[2], end[2]) - floats[2]) / size))
    z1 = min(nz - 1, int((max(begin[2], end[2]) - floats[2]) / size))
    for x in range(x0, x1 + 1):
        for y in range(y0, y1 + 1):
            for z in range(z0, z1 + 1):
                cell = 3 + (x * ny + y) * nz + z
                for each in range(ints[cell], ints[cell + 1]):
                    if segment_meets(begin, end, corners, ints[lists + each]):
                        return False
    return True


@kernel
def mark_seen(
    ints: IntArray, floats: Array, corners: Array, begin: Array, end: Array, out_seen: NDArray[np.bool_]
) -> None:
    """Mark each segment, from `begin` to `end`, shape [count, 3], whether it is clear."""
    for each in range(begin.shape[0]):
        out_seen[each] = is_clear(ints, floats, corners, begin[each], end[each])
