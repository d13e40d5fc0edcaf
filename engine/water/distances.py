"""Signed distances to surfaces at the corners of a grid's cells.

They are exact near a surface (Ericson, Real-Time Collision Detection, 5.1.5) and `far` elsewhere; inside is where the
surface winds around, by what upright rays cross. Of several surfaces the least distance counts, so that the capsules
of a figure are one body where they overlap. A planar grid is measured in its middle, and the ends of a prism across it
count for nothing.
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.triangles import squared_distance
from engine.limits.winding import BESIDE, count_piercings
from engine.maths.arrays import Array, IntArray, LongArray
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.joined import Surfaces

FAR = 2.0  # cells: greatest distance that is told
_STRETCHED = 100.0  # times along z, in a planar grid
_NEAR, _NEARER = 1.75, 1.05  # cells to which distances are exact: of surfaces that bend, of rigid ones


@dataclass(frozen=True, kw_only=True, eq=False)
class Distances:
    """Signed distances at the corners of cells [m], shape [nx + 1, ny + 1, nz + 1]; of a planar grid in its middle,
    shape [nx + 1, ny + 1, 1]."""

    values: Array
    surface: IntArray  # number of the surface that is nearest, -1 far from all
    triangle: IntArray  # number in it of the nearest triangle, -1 far from it
    box: tuple[slice, slice, slice]  # outside of which all is far


def measure_solids(grid: WaterGrid, surfaces: Surfaces) -> Distances:
    """Measure distances to surfaces, each of which is sound (`joined.check_surfaces`)."""
    shape = grid.cells[0] + 1, grid.cells[1] + 1, 1 if grid.planar else grid.cells[2] + 1
    room, points = np.array((*grid.origin, grid.spacing)), surfaces.points
    if grid.planar:
        room[2] += 0.5 * grid.spacing
        points = points * (1.0, 1.0, _STRETCHED) - (0.0, 0.0, (_STRETCHED - 1.0) * room[2])
    values = np.full(shape, FAR * grid.spacing)
    surface, triangle = np.full(shape, -1, dtype=np.int32), np.full(shape, -1, dtype=np.int32)
    scratch = np.empty(shape), np.empty(shape, dtype=np.int32), np.empty(shape, dtype=np.int32)
    box = np.array((*shape, 0, 0, 0), dtype=np.int64)
    measure_surfaces(points, surfaces, room, *scratch, values, surface, triangle, box)
    first, last = box[:3], np.maximum(box[3:], box[:3])
    whole = slice(int(first[0]), int(last[0])), slice(int(first[1]), int(last[1])), slice(int(first[2]), int(last[2]))
    return Distances(values=values, surface=surface, triangle=triangle, box=whole)


@kernel
def measure_surfaces(
    points: Array,
    surfaces: Surfaces,
    room: Array,
    squares: Array,
    nearest: IntArray,
    turns: IntArray,
    out_values: Array,
    out_surface: IntArray,
    out_triangle: IntArray,
    out_box: LongArray,
) -> None:
    """Lower distances to those of each surface in turn; squares, nearest and turns are room for one."""
    spacing, far = room[3], FAR * room[3]
    low, high, corner, step = np.empty(3, np.int64), np.empty(3, np.int64), np.empty(3), np.full(3, spacing)
    for number in range(surfaces.first.shape[0] - 1):
        reach = (_NEAR if surfaces.rigid[number] < 0 else _NEARER) * spacing
        for axis in range(3):
            least, most = math.inf, -math.inf
            for vertex in range(surfaces.vertices[number], surfaces.vertices[number + 1]):
                least, most = min(least, points[vertex, axis]), max(most, points[vertex, axis])
            low[axis] = max(0, math.floor((least - reach - room[axis]) / spacing))
            high[axis] = min(out_values.shape[axis], math.ceil((most + reach - room[axis]) / spacing) + 1)
            corner[axis] = room[axis] + low[axis] * spacing
        a, b, c = high[0] - low[0], high[1] - low[1], high[2] - low[2]
        if a <= 0 or b <= 0 or c <= 0:
            continue
        squares[:a, :b, :c], nearest[:a, :b, :c], turns[:a, :b, :c] = far * far, -1, 0
        faces = surfaces.triangles[surfaces.first[number] : surfaces.first[number + 1]]
        search_triangles(points, faces, corner, spacing, reach, squares[:a, :b, :c], nearest[:a, :b, :c])
        for axis in range(3):
            corner[axis] += BESIDE[axis] * spacing
        count_piercings(points, faces, corner, step, turns[:a, :b, :c])
        for axis in range(3):
            out_box[axis], out_box[3 + axis] = min(out_box[axis], low[axis]), max(out_box[3 + axis], high[axis])
        for i in range(a):
            for j in range(b):
                around = 0
                for k in range(c):
                    around += turns[i, j, k]
                    found = math.sqrt(squares[i, j, k]) * (-1.0 if around > 0 else 1.0)
                    x, y, z = low[0] + i, low[1] + j, low[2] + k
                    if found < out_values[x, y, z]:
                        out_values[x, y, z], out_surface[x, y, z] = found, number
                        out_triangle[x, y, z] = nearest[i, j, k]


@kernel
def search_triangles(
    points: Array,
    faces: IntArray,
    origin: Array,
    spacing: float,
    reach: float,
    out_squares: Array,
    out_nearest: IntArray,
) -> None:
    """Lower squared distances of nodes within reach of each triangle's box to those of the triangle."""
    counts, corners = out_squares.shape, np.empty((1, 9))
    first, last, middle = np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64), np.empty(3)
    for triangle in range(faces.shape[0]):
        radius = 0.0
        for corner in range(3):
            for axis in range(3):
                corners[0, 3 * corner + axis] = points[faces[triangle, corner], axis]
        for axis in range(3):
            a, b, c = corners[0, axis], corners[0, 3 + axis], corners[0, 6 + axis]
            first[axis] = max(0, math.ceil((min(a, b, c) - reach - origin[axis]) / spacing))
            last[axis] = min(counts[axis] - 1, math.floor((max(a, b, c) + reach - origin[axis]) / spacing))
            middle[axis] = (a + b + c) / 3.0
        for corner in range(3):
            x, y, z = (
                corners[0, 3 * corner] - middle[0],
                corners[0, 3 * corner + 1] - middle[1],
                corners[0, 3 * corner + 2] - middle[2],
            )
            radius = max(radius, x * x + y * y + z * z)
        radius = 1.000001 * math.sqrt(radius)  # of the ball around it: beyond that and the best no node is asked
        for i in range(first[0], last[0] + 1):
            x = origin[0] + i * spacing
            for j in range(first[1], last[1] + 1):
                y = origin[1] + j * spacing
                across = (x - middle[0]) * (x - middle[0]) + (y - middle[1]) * (y - middle[1])
                for k in range(first[2], last[2] + 1):
                    z = origin[2] + k * spacing
                    away = across + (z - middle[2]) * (z - middle[2])
                    best = math.sqrt(out_squares[i, j, k]) + radius
                    if away > best * best:
                        continue
                    square = squared_distance(corners, 0, x, y, z)
                    if square < out_squares[i, j, k]:
                        out_squares[i, j, k] = square
                        out_nearest[i, j, k] = triangle
