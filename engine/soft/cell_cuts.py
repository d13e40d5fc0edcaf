"""Cells that a surface cuts: triangles against convex cells by separating axes (Gottschalk 1996; Akenine-Moller 2001).

Two convex bodies are apart if the direction of a side's normal of either, or a cross product of an edge of each, tells
them apart. What only touches is not cut: cells are taken smaller by `SHRUNK`.
"""

from __future__ import annotations

import numpy as np

from engine.limits.triangles import LEAF
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.jit import kernel

SHRUNK = 1e-7
_MOST_AXES = 4 + 1 + 6 * 3


@kernel
def mark_cut_places(positions: Array, triangles: IntArray, lower: Array, spacing: float, out_cut: BoolArray) -> None:
    """Mark the cubes of a lattice that a triangle goes through; `lower` is a corner of the first, out_cut its cubes."""
    first, last = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64)
    cube, sides, triangle = np.empty((8, 3)), np.eye(3), np.empty((3, 3))
    for face in range(triangles.shape[0]):
        for axis in range(3):
            low, high = np.inf, -np.inf
            for corner in range(3):
                value = positions[triangles[face, corner], axis]
                triangle[corner, axis] = value
                low, high = min(low, value), max(high, value)
            first[axis] = max(0, int(np.floor((low - lower[axis]) / spacing)) - 1)
            last[axis] = min(out_cut.shape[axis] - 1, int(np.floor((high - lower[axis]) / spacing)) + 1)
        for i in range(first[0], last[0] + 1):
            for j in range(first[1], last[1] + 1):
                for k in range(first[2], last[2] + 1):
                    if out_cut[i, j, k]:
                        continue
                    for corner in range(8):
                        cube[corner, 0] = lower[0] + (i + (corner & 1)) * spacing
                        cube[corner, 1] = lower[1] + (j + (corner >> 1 & 1)) * spacing
                        cube[corner, 2] = lower[2] + (k + (corner >> 2)) * spacing
                    out_cut[i, j, k] = meet(cube, sides, sides, triangle)


@kernel
def mark_cut_cells(nodes: Array, cells: IntArray, boxes: Array, corners: Array, out_cut: BoolArray) -> None:
    """Mark the cells of a body that a triangle of a tree goes through."""
    width = cells.shape[1]
    cell, triangle = np.empty((width, 3)), np.empty((3, 3))
    flat = width == 4
    edges, normals = np.empty((6 if flat else 3, 3)), np.empty((4 if flat else 3, 3))
    stack = np.empty(64, dtype=np.int64)
    first_leaf = boxes.shape[0] // 2
    for number in range(cells.shape[0]):
        for corner in range(width):
            cell[corner] = nodes[cells[number, corner]]
        write_axes(cell, edges, normals)
        stack[0], depth = 0, 1
        while depth > 0 and not out_cut[number]:
            depth -= 1
            box = stack[depth]
            apart = False
            for axis in range(3):
                low, high = np.inf, -np.inf
                for corner in range(width):
                    low, high = min(low, cell[corner, axis]), max(high, cell[corner, axis])
                apart = apart or low > boxes[box, 3 + axis] or high < boxes[box, axis]
            if apart:
                continue
            if box < first_leaf:
                stack[depth], stack[depth + 1] = 2 * box + 1, 2 * box + 2
                depth += 2
                continue
            start = (box - first_leaf) * LEAF
            for entry in range(start, min(start + LEAF, corners.shape[0])):
                for corner in range(3):
                    for axis in range(3):
                        triangle[corner, axis] = corners[entry, 3 * corner + axis]
                out_cut[number] = out_cut[number] or meet(cell, edges, normals, triangle)


@kernel
def write_axes(cell: Array, out_edges: Array, out_normals: Array) -> None:
    """Write the directions of edges and of the normals of sides of a tetrahedron, or of a brick at its first corner."""
    if cell.shape[0] == 8:
        for axis in range(3):
            out_edges[0, axis] = cell[1, axis] - cell[0, axis]
            out_edges[1, axis] = cell[3, axis] - cell[0, axis]
            out_edges[2, axis] = cell[4, axis] - cell[0, axis]
        for side in range(3):
            write_cross(out_edges[side], out_edges[(side + 1) % 3], out_normals[side])
        return
    row = 0
    for i in range(4):
        for j in range(i):
            for axis in range(3):
                out_edges[row, axis] = cell[i, axis] - cell[j, axis]
            row += 1
    # 0: 1-0, 1: 2-0, 2: 2-1, 3: 3-0, 4: 3-1, 5: 3-2
    write_cross(out_edges[0], out_edges[1], out_normals[0])
    write_cross(out_edges[0], out_edges[3], out_normals[1])
    write_cross(out_edges[1], out_edges[3], out_normals[2])
    write_cross(out_edges[2], out_edges[4], out_normals[3])


@kernel
def write_cross(a: Array, b: Array, out_cross: Array) -> None:
    """Write a cross product."""
    out_cross[0], out_cross[1] = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2]
    out_cross[2] = a[0] * b[1] - a[1] * b[0]


@kernel
def meet(cell: Array, edges: Array, normals: Array, triangle: Array) -> bool:
    """Tell whether the insides of a convex cell and a triangle meet."""
    sides, axis = np.empty((3, 3)), np.empty(3)
    for each in range(3):
        for way in range(3):
            sides[each, way] = triangle[(each + 1) % 3, way] - triangle[each, way]
    for each in range(normals.shape[0]):
        if tells_apart(cell, normals[each], triangle):
            return False
    write_cross(sides[0], sides[1], axis)
    if tells_apart(cell, axis, triangle):
        return False
    for each in range(edges.shape[0]):
        for side in range(3):
            write_cross(edges[each], sides[side], axis)
            if tells_apart(cell, axis, triangle):
                return False
    return True


@kernel
def tells_apart(cell: Array, axis: Array, triangle: Array) -> bool:
    """Tell whether a cell and a triangle lie one behind the other along an axis; one of no length tells nothing."""
    low, high, least, most = np.inf, -np.inf, np.inf, -np.inf
    for corner in range(cell.shape[0]):
        value = cell[corner, 0] * axis[0] + cell[corner, 1] * axis[1] + cell[corner, 2] * axis[2]
        low, high = min(low, value), max(high, value)
    for corner in range(3):
        value = triangle[corner, 0] * axis[0] + triangle[corner, 1] * axis[1] + triangle[corner, 2] * axis[2]
        least, most = min(least, value), max(most, value)
    slack = SHRUNK * (high - low)
    return bool(least > high - slack or most < low + slack) and high > low
