"""Pressure of still water on surfaces, integrated exactly over the parts of triangles that are below the level.

With the depth d of vertices [m], negative above the level and linear over a triangle, the pressure rho g d is put on
its vertices by their barycentric coordinates b,

    force on vertex k = - rho g n integral of d b_k over the part where d > 0

so that the sum of forces and that of their torques are those of the pressure, exactly: Archimedes' force at the middle
of what is displaced, to the last digits, wherever the body lies between cells.

The level is the height at which the distance to the surface crosses zero, column by column of the grid; where a solid
stands in the way it is carried on from around it, by means of neighbours.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.jit import kernel
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames, Surfaces

_THIN = 1e-6  # a spread beside that along the other axis


def surface_heights(grid: WaterGrid, phi: Array, solid: BoolArray) -> Array:
    """Measure the height of the highest surface in each column [m], shape [nx, nz]; -inf where there is no water.

    `solid` are cells whose distances count for nothing.
    """
    liquid, ny = phi < 0.0, grid.cells[1]
    at = ny - 1 - np.argmax(liquid[:, ::-1, :], axis=1)
    above = np.minimum(at + 1, ny - 1)
    i, k = np.ogrid[: grid.cells[0], : grid.cells[2]]
    low, high = phi[i, at, k], phi[i, above, k]
    share = np.where(high > low, low / np.where(high > low, low - high, 1.0), 0.5)
    heights = grid.origin[1] + grid.spacing * (at + 0.5 + np.clip(share, 0.0, 1.0))
    known = ~(solid[i, at, k] | solid[i, above, k])
    dry = ~liquid.any(axis=1)
    heights[dry] = -np.inf
    return carried_on(heights, known & ~dry) if (known & ~dry).any() else heights


def carried_on(heights: Array, known: BoolArray) -> Array:
    """Fill columns that are not known by means of neighbours that are, ring by ring."""
    filled, is_known = np.where(known, heights, 0.0), known.copy()
    while not is_known.all():
        sums, counts = np.zeros_like(filled), np.zeros(filled.shape)
        for axis in range(2):
            for here, there in ((slice(1, None), slice(None, -1)), (slice(None, -1), slice(1, None))):
                to, of = (here, slice(None)) if axis == 0 else (slice(None), here), there
                source = (of, slice(None)) if axis == 0 else (slice(None), of)
                sums[to] += np.where(is_known[source], filled[source], 0.0)
                counts[to] += is_known[source]
        fresh = ~is_known & (counts > 0)
        filled[fresh] = sums[fresh] / counts[fresh]
        is_known |= fresh
    return filled


def depths_at(grid: WaterGrid, heights: Array, points: Array) -> Array:
    """Depths of points below the level [m], interpolated between columns."""
    places = []
    for axis, count in ((0, grid.cells[0]), (2, grid.cells[2])):
        place = np.clip((points[:, axis] - grid.origin[axis]) / grid.spacing - 0.5, 0.0, count - 1)
        first = np.minimum(place.astype(np.int64), max(count - 2, 0))
        places.append((first, np.minimum(first + 1, count - 1), place - first))
    (i, i_after, x), (k, k_after, z) = places
    near = heights[i, k] + z * (heights[i, k_after] - heights[i, k])
    far = heights[i_after, k] + z * (heights[i_after, k_after] - heights[i_after, k])
    return np.asarray(near + x * (far - near) - points[:, 1])


def own_levels(grid: WaterGrid, heights: Array, surfaces: Surfaces) -> tuple[Array, Array]:
    """Find a plane level for each surface, by least squares at its vertices: its height [m] at x = z = 0, what it rises
    along x and z, shape [surface_count, 3]; and the depths of vertices below it [m].

    What the grid's pressure is beside that of still water up to there is left to the grid; any level would do, if both
    sides count up to the same one. With levels that change from column to column, and are known to triangles at their
    corners alone, the difference pushed light boxes: a millimetre of bobbing grew to twelve in five seconds.
    """
    counts, points = np.diff(surfaces.vertices), surfaces.points
    if not len(counts):
        return np.zeros((0, 3)), np.zeros(0)
    starts, level = surfaces.vertices[:-1].astype(np.int64), depths_at(grid, heights, points) + points[:, 1]
    means = [np.add.reduceat(each, starts) / counts for each in (points[:, 0], points[:, 2], level)]
    x, z, rise = (each - np.repeat(mean, counts) for each, mean in zip((*points[:, ::2].T, level), means, strict=True))
    xx, xz, zz, xr, zr = (np.add.reduceat(each, starts) for each in (x * x, x * z, z * z, x * rise, z * rise))
    least = _THIN * (xx + zz) + np.finfo(float).tiny  # of what is flat across an axis that axis tells no slope
    xx, zz = xx + least, zz + least
    slopes = np.stack((zz * xr - xz * zr, xx * zr - xz * xr), axis=-1) / (xx * zz - xz * xz)[:, None]
    base = means[2] - slopes[:, 0] * means[0] - slopes[:, 1] * means[1]
    own = np.column_stack((base, slopes))
    at = np.repeat(own, counts, axis=0)
    return own, np.asarray(at[:, 0] + at[:, 1] * points[:, 0] + at[:, 2] * points[:, 2] - points[:, 1])


def hydrostatic_forces(surfaces: Surfaces, depths: Array, weight: float) -> Array:
    """Forces on vertices [N] by their depths [m] in water of a specific weight rho g [N/m3], shape [count, 3]."""
    out = np.zeros_like(surfaces.points)
    press_triangles(surfaces.points, surfaces.triangles, depths, weight, out)
    return out


def gather(surfaces: Surfaces, forces: Array, frames: RigidFrames) -> Array:
    """Forces and torques about their origins on frames, by forces on vertices; shape [count, 6]."""
    out = np.zeros((frames.count, 6))
    if frames.count:
        gather_forces(surfaces, forces, frames.origins, out)
    return out


@kernel
def gather_forces(surfaces: Surfaces, forces: Array, origins: Array, out: Array) -> None:
    """Add forces on vertices, and their torques, to those on the frames that move them."""
    for vertex in range(forces.shape[0]):
        x, y, z = forces[vertex, 0], forces[vertex, 1], forces[vertex, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        for column in range(surfaces.frames.shape[1]):
            frame, share = surfaces.frames[vertex, column], surfaces.shares[vertex, column]
            if frame < 0:
                continue
            a, b, c = (
                surfaces.points[vertex, 0] - origins[frame, 0],
                surfaces.points[vertex, 1] - origins[frame, 1],
                surfaces.points[vertex, 2] - origins[frame, 2],
            )
            out[frame, 0] += share * x
            out[frame, 1] += share * y
            out[frame, 2] += share * z
            out[frame, 3] += share * (b * z - c * y)
            out[frame, 4] += share * (c * x - a * z)
            out[frame, 5] += share * (a * y - b * x)


@kernel
def press_triangles(points: Array, triangles: IntArray, depths: Array, weight: float, out_forces: Array) -> None:
    """Add the forces of pressure on the part of each triangle that is below the level."""
    part = np.empty((4, 4))  # corners of that part: barycentric coordinates, depth
    for triangle in range(triangles.shape[0]):
        corners = triangles[triangle]
        if depths[corners[0]] <= 0.0 and depths[corners[1]] <= 0.0 and depths[corners[2]] <= 0.0:
            continue
        count = 0
        for corner in range(3):
            after = (corner + 1) % 3
            here, there = depths[corners[corner]], depths[corners[after]]
            if here > 0.0:
                part[count] = 0.0
                part[count, corner], part[count, 3] = 1.0, here
                count += 1
            if (here > 0.0) != (there > 0.0):
                share = here / (here - there)
                part[count] = 0.0
                part[count, corner], part[count, after] = 1.0 - share, share
                count += 1
        a, b, c = points[corners[0]], points[corners[1]], points[corners[2]]
        normal = (
            (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]),
            (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]),
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]),
        )  # twice the area
        for last in range(2, count):
            o, p, q = part[0], part[last - 1], part[last]
            area = (p[1] - o[1]) * (q[2] - o[2]) - (p[2] - o[2]) * (q[1] - o[1])  # beside the triangle's
            total = o[3] + p[3] + q[3]
            for corner in range(3):
                moment = total * (o[corner] + p[corner] + q[corner])
                moment += o[3] * o[corner] + p[3] * p[corner] + q[3] * q[corner]
                share = -weight * area * moment / 24.0
                for axis in range(3):
                    out_forces[corners[corner], axis] += share * normal[axis]
