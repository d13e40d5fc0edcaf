"""The surface of the water as one closed mesh, with vertices that neighbours share and normals from the level set.

Marching cubes (Lorensen and Cline 1987). Which edges of a cube belong together is worked out here, not copied: on each
side of a cube every run of corners in the water is cut off by one line from where the run is entered to where it is
left. Both cubes of a side see the same runs, so that the mesh has no holes, whichever they are; the lines of the six
sides join to loops, and a loop is filled as a fan.

The lattice has the middles of cells and, beyond them, the walls of the tank twice: at the walls, where phi is as in the
cell, and `RIM` cells outside, where it has the other sign. So the mesh runs to the walls and is closed there by flat
faces with normals of their own.
"""

from __future__ import annotations

import itertools
import math
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass

RIM = 1e-3  # [cells]
_EDGES = tuple((corner, axis) for axis in range(3) for corner in range(8) if not corner >> axis & 1)
_FANS = 8  # columns of triangles in the table


@dataclass(frozen=True, eq=False)
class WaterMesh:
    """A closed surface."""

    positions: NDArray[np.float32]  # [m], shape [vertex_count, 3]
    normals: NDArray[np.float32]  # out of the water, shape [vertex_count, 3]
    triangles: IntArray  # anticlockwise from outside, shape [triangle_count, 3]


@cache
def cube_table() -> IntArray:
    """Triangles of each pattern of corners in the water: how many, then three edges each, shape [256, 1 + 3 n].

    Corner c lies at (c & 1, c >> 1 & 1, c >> 2); edge e runs from corner `_EDGES[e][0]` along axis `_EDGES[e][1]`.
    """
    table = np.zeros((256, 1 + 3 * _FANS), dtype=np.int32)
    numbers = {frozenset((corner, corner | 1 << axis)): number for number, (corner, axis) in enumerate(_EDGES)}
    for pattern in range(256):
        after = dict(line for side in _sides() for line in _lines(pattern, side, numbers))
        fans: list[int] = []
        while after:
            first = min(after)
            loop = [first]
            while (edge := after.pop(loop[-1])) != first:
                loop.append(edge)
            fans += _fan(loop)
        table[pattern, 0] = len(fans) // 3
        table[pattern, 1 : 1 + len(fans)] = fans
    table.flags.writeable = False
    return table


def _fan(loop: list[int]) -> list[int]:
    """Triangles that fill a loop, from where no line through it lies on a side: there a neighbour may have the same."""
    sides = [{frozenset((side[n], side[(n + 1) % 4])) for n in range(4)} for side in _sides()]
    ends = [frozenset((corner, corner | 1 << axis)) for corner, axis in _EDGES]

    def flat(first: int) -> int:
        turned = loop[first:] + loop[:first]
        return sum(ends[turned[0]] in side and ends[each] in side for each in turned[2:-1] for side in sides)

    first = min(range(len(loop)), key=flat)
    loop = loop[first:] + loop[:first]
    return [edge for pair in itertools.pairwise(loop[1:]) for edge in (loop[0], *pair)]


def _sides() -> list[list[int]]:
    """Corners of each side of a cube, anticlockwise from outside."""
    sides = []
    for axis in range(3):
        a, b = 1 << (axis + 1) % 3, 1 << (axis + 2) % 3
        sides += [[0, b, a | b, a], [corner | 1 << axis for corner in (0, a, a | b, b)]]
    return sides


def _lines(pattern: int, side: list[int], numbers: dict[frozenset[int], int]) -> list[tuple[int, int]]:
    """Lines on a side, from the edge where a run of corners in the water is entered to the one where it is left."""
    wet = [bool(pattern >> corner & 1) for corner in side]
    edges = [numbers[frozenset((side[n], side[(n + 1) % 4]))] for n in range(4)]
    lines = []
    for n in range(4):
        if wet[n] and not wet[(n + 1) % 4]:
            enters = n
            while wet[enters % 4]:
                enters -= 1
            lines.append((edges[enters % 4], edges[n]))
    return lines


def mesh_water(phi: Array, spacing: float, origin: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> WaterMesh:
    """Mesh the surface of the water, closed along the walls; phi below zero is water, shape [nx, ny, nz]."""
    if phi.ndim != 3 or not np.isfinite(phi).all():
        raise InvalidArguments(what="a level set", value=phi.shape, allowed="finite numbers of shape [nx, ny, nz]")
    values = _closed(phi)
    axes = [_lattice(count) for count in phi.shape]
    x, y, z = (origin[n] + spacing * axes[n] for n in range(3))
    edges = np.empty((*values.shape, 3), dtype=np.int32)
    places = np.empty((4 * sum(values.size // count for count in values.shape), 6), dtype=np.float32)
    vertex_count = place_vertices(values, x, y, z, edges, places)
    if vertex_count > len(places):
        places = np.empty((vertex_count, 6), dtype=np.float32)
        place_vertices(values, x, y, z, edges, places)
    triangles = np.empty((2 * vertex_count + 16, 3), dtype=np.int32)
    count = join_vertices(values, edges, cube_table(), triangles)
    if count > len(triangles):
        triangles = np.empty((count, 3), dtype=np.int32)
        join_vertices(values, edges, cube_table(), triangles)
    found = places[:vertex_count]
    return WaterMesh(
        positions=np.ascontiguousarray(found[:, :3]),
        normals=np.ascontiguousarray(found[:, 3:]),
        triangles=triangles[:count].copy(),
    )


def _lattice(count: int) -> Array:
    """Places of the lattice along an axis [cells]."""
    return np.concatenate([[-RIM, 0.0], np.arange(count) + 0.5, [count, count + RIM]])


def _closed(phi: Array) -> Array:
    """Level set on the lattice, its outermost points out of the water."""
    values = np.pad(phi, 2, mode="edge")
    least = np.finfo(values.dtype).tiny
    for axis in range(3):
        ends = np.moveaxis(values, axis, 0)
        for end in (0, -1):
            np.abs(ends[end], out=ends[end])
            np.maximum(ends[end], least, out=ends[end])
    return values


@kernel
def place_vertices(values: Array, x: Array, y: Array, z: Array, edges: IntArray, out: Array) -> int:
    """Put a vertex, with its normal, where an edge of the lattice leaves the water; how many there are.

    `edges[i, j, k, axis]`: the vertex on the edge from that point along an axis.
    """
    nx, ny, nz = values.shape
    count = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                wet = values[i, j, k] < 0.0
                along_x = i + 1 < nx and wet != (values[i + 1, j, k] < 0.0)
                along_y = j + 1 < ny and wet != (values[i, j + 1, k] < 0.0)
                along_z = k + 1 < nz and wet != (values[i, j, k + 1] < 0.0)
                if not (along_x or along_y or along_z):
                    continue
                here = values[i, j, k]
                for axis in range(3):
                    if not (along_x if axis == 0 else (along_y if axis == 1 else along_z)):
                        continue
                    edges[i, j, k, axis] = count
                    if count < out.shape[0]:
                        i1, j1, k1 = i + (axis == 0), j + (axis == 1), k + (axis == 2)
                        t = min(max(here / (here - values[i1, j1, k1]), 1e-3), 1.0 - 1e-3)
                        out[count, 0] = x[i] + t * (x[i1] - x[i])
                        out[count, 1] = y[j] + t * (y[j1] - y[j])
                        out[count, 2] = z[k] + t * (z[k1] - z[k])
                        set_normal(values, x, y, z, i, j, k, axis, t, out[count])
                    count += 1
    return count


@inlined
def set_normal(
    values: Array, x: Array, y: Array, z: Array, i: int, j: int, k: int, axis: int, t: float, out: Array
) -> None:
    """Write the normal of a vertex: the wall's between its two layers, else the gradient between the edge's ends.

    Gradients leave the outermost points out.
    """
    at, last = (i, values.shape[0]) if axis == 0 else ((j, values.shape[1]) if axis == 1 else (k, values.shape[2]))
    a, b, c = 0.0, 0.0, 0.0
    if at == 0 or at == last - 2:
        side = -1.0 if at == 0 else 1.0
        a, b, c = side * (axis == 0), side * (axis == 1), side * (axis == 2)
    else:
        for end in range(2):
            p, q, r = i + end * (axis == 0), j + end * (axis == 1), k + end * (axis == 2)
            p0, p1 = max(p - 1, 1), min(p + 1, values.shape[0] - 2)
            q0, q1 = max(q - 1, 1), min(q + 1, values.shape[1] - 2)
            r0, r1 = max(r - 1, 1), min(r + 1, values.shape[2] - 2)
            share = t if end else 1.0 - t
            a += share * (values[p1, q, r] - values[p0, q, r]) / (x[p1] - x[p0])
            b += share * (values[p, q1, r] - values[p, q0, r]) / (y[q1] - y[q0])
            c += share * (values[p, q, r1] - values[p, q, r0]) / (z[r1] - z[r0])
    size = 1.0 / max(math.sqrt(a * a + b * b + c * c), 1e-30)
    out[3], out[4], out[5] = size * a, size * b, size * c


@kernel
def join_vertices(values: Array, edges: IntArray, table: IntArray, out: IntArray) -> int:
    """Join the vertices of each cube to triangles; how many there are."""
    nx, ny, nz = values.shape
    count = 0
    for i in range(nx - 1):
        for j in range(ny - 1):
            side = square_pattern(values, i, j, 0)
            for k in range(nz - 1):
                next_side = square_pattern(values, i, j, k + 1)
                pattern, side = side | next_side << 4, next_side
                if pattern == 0 or pattern == 255:
                    continue
                for each in range(table[pattern, 0]):
                    if count < out.shape[0]:
                        for n in range(3):
                            edge = table[pattern, 1 + 3 * each + n]
                            axis, low = edge // 4, edge % 4
                            mask = (1 << axis) - 1
                            corner = (low & ~mask) << 1 | low & mask
                            out[count, n] = edges[i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2), axis]
                    count += 1
    return count


@inlined
def square_pattern(values: Array, i: int, j: int, k: int) -> int:
    """Pattern of the four corners of a cube at one z."""
    pattern = 0
    if values[i, j, k] < 0.0:
        pattern |= 1
    if values[i + 1, j, k] < 0.0:
        pattern |= 2
    if values[i, j + 1, k] < 0.0:
        pattern |= 4
    if values[i + 1, j + 1, k] < 0.0:
        pattern |= 8
    return pattern
