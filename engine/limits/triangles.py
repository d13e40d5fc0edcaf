"""A surface in Euler space, for many queries of its distance from points (from all nodes of a grid: `facets.py`).

Triangles stand in a tree of boxes: sorted along a curve through space, `LEAF` by `LEAF`, then every two boxes make one.
Lines of two angles are triangles whose last two corners are one, points of one angle those of which all three are; the
angles that are missing are zero.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

LEAF = 4  # triangles
_BITS = 10  # of each coordinate along the curve


class Tree(NamedTuple):
    """Boxes in the order of a heap, and triangles in the order of its leaves."""

    boxes: Array  # [rad] lower and upper ends, shape [box_count, 6]; empty ones are infinitely far
    corners: Array  # [rad], shape [triangle_count, 9]
    numbers: IntArray  # of the triangles in the surface


def in_space(points: Array) -> Array:
    """Points of one to three angles as such of three."""
    return np.pad(points, ((0, 0), (0, 3 - points.shape[1])))


def corners_of(positions: Array, faces: IntArray) -> Array:
    """Corners of each face, shape [face_count, 3, 3]; the last one as often as it takes."""
    columns = [min(each, faces.shape[1] - 1) for each in range(3)]
    return np.asarray(in_space(positions)[faces[:, columns]])


def build_tree(corners: Array) -> Tree:
    """The tree of triangles, shape [triangle_count, 3, 3]; at least one."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    lower, upper = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    start, size = lower.min(axis=0), max(float((upper.max(axis=0) - lower.min(axis=0)).max()), 1e-12)
    cells = ((0.5 * (lower + upper) - start) / size * (2**_BITS - 1)).astype(np.int64)
    order = np.argsort(_curve(cells), kind="stable").astype(np.int32)
    leaf_count = 1 << max(0, math.ceil(math.log2(math.ceil(len(order) / LEAF))))
    ends = np.full((leaf_count * LEAF, 6), np.inf)
    ends[:, 3:] = -np.inf
    ends[: len(order), :3], ends[: len(order), 3:] = lower[order], upper[order]
    level = _joined(ends, LEAF)
    levels = [level]
    while len(level) > 1:
        level = _joined(level, 2)
        levels.append(level)
    return Tree(np.concatenate(levels[::-1]), corners[order].reshape(-1, 9), order)


def _joined(ends: Array, count: int) -> Array:
    joined = ends[::count].copy()
    for each in range(1, count):
        np.minimum(joined[:, :3], ends[each::count, :3], out=joined[:, :3])
        np.maximum(joined[:, 3:], ends[each::count, 3:], out=joined[:, 3:])
    return joined


def _curve(cells: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places along Morton's curve."""
    places = np.zeros(len(cells), dtype=np.int64)
    for bit in range(_BITS):
        for axis in range(3):
            places |= (cells[:, axis] >> bit & 1) << (3 * bit + axis)
    return places


def distances_to(tree: Tree, points: Array, shifts: Array) -> Array:
    """Distance [rad] of each point to the nearest triangle, or to one moved by one of `shifts`, shape [count, 3]."""
    distances = np.empty(len(points))
    measure_distances(tree.boxes, tree.corners, in_space(points), shifts, distances)
    return distances


@kernel
def measure_distances(boxes: Array, corners: Array, points: Array, shifts: Array, out_distances: Array) -> None:
    """Distances of points, best in an order in which neighbours follow each other."""
    stack = np.empty(64, dtype=np.int64)
    bounds = np.empty(64)
    first_leaf = boxes.shape[0] // 2
    hint = 0
    for point in range(points.shape[0]):
        best = np.inf
        for shift in range(shifts.shape[0]):
            x = points[point, 0] - shifts[shift, 0]
            y = points[point, 1] - shifts[shift, 1]
            z = points[point, 2] - shifts[shift, 2]
            best = min(best, squared_distance(corners, hint, x, y, z))
            stack[0], bounds[0], depth = 0, squared_to_box(boxes, 0, x, y, z), 1
            while depth > 0:
                depth -= 1
                box = stack[depth]
                if bounds[depth] >= best:
                    continue
                if box >= first_leaf:
                    start = (box - first_leaf) * LEAF
                    for triangle in range(start, min(start + LEAF, corners.shape[0])):
                        found = squared_distance(corners, triangle, x, y, z)
                        if found < best:
                            best, hint = found, triangle
                    continue
                left, right = 2 * box + 1, 2 * box + 2
                to_left = squared_to_box(boxes, left, x, y, z)
                to_right = squared_to_box(boxes, right, x, y, z)
                if to_left < to_right:
                    left, right, to_left, to_right = right, left, to_right, to_left
                stack[depth], bounds[depth] = left, to_left
                stack[depth + 1], bounds[depth + 1] = right, to_right
                depth += 2
        out_distances[point] = math.sqrt(best)


@kernel
def squared_to_box(boxes: Array, box: int, x: float, y: float, z: float) -> float:
    """Squared distance of a point to a box."""
    dx = max(boxes[box, 0] - x, x - boxes[box, 3], 0.0)
    dy = max(boxes[box, 1] - y, y - boxes[box, 4], 0.0)
    dz = max(boxes[box, 2] - z, z - boxes[box, 5], 0.0)
    return float(dx * dx + dy * dy + dz * dz)


@kernel
def squared_distance(corners: Array, triangle: int, x: float, y: float, z: float) -> float:
    """Squared distance of a point to a triangle (Ericson, Real-Time Collision Detection, 5.1.5)."""
    ax, ay, az = corners[triangle, 0], corners[triangle, 1], corners[triangle, 2]
    abx, aby, abz = corners[triangle, 3] - ax, corners[triangle, 4] - ay, corners[triangle, 5] - az
    acx, acy, acz = corners[triangle, 6] - ax, corners[triangle, 7] - ay, corners[triangle, 8] - az
    x, y, z = x - ax, y - ay, z - az
    bb, bc, cc = abx * abx + aby * aby + abz * abz, abx * acx + aby * acy + abz * acz, acx * acx + acy * acy + acz * acz
    d1, d2 = abx * x + aby * y + abz * z, acx * x + acy * y + acz * z
    d3, d4, d5, d6 = d1 - bb, d2 - bc, d1 - bc, d2 - cc
    vc, vb, va = d1 * d4 - d3 * d2, d5 * d2 - d1 * d6, d3 * d6 - d5 * d4
    v, w = 0.0, 0.0
    if d1 <= 0.0 and d2 <= 0.0:
        v, w = 0.0, 0.0
    elif d3 >= 0.0 and d4 <= d3:
        v, w = 1.0, 0.0
    elif d6 >= 0.0 and d5 <= d6:
        v, w = 0.0, 1.0
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v, w = d1 / (d1 - d3), 0.0
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        v, w = 0.0, d2 / (d2 - d6)
    elif va <= 0.0 and d4 >= d3 and d5 >= d6:
        w = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        v = 1.0 - w
    else:
        v, w = vb / (va + vb + vc), vc / (va + vb + vc)
    dx, dy, dz = x - v * abx - w * acx, y - v * aby - w * acy, z - v * abz - w * acz
    return float(dx * dx + dy * dy + dz * dz)
