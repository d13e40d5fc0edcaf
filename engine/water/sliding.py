"""Extrapolated velocities inside of solids: along their surface those of the water, through it the solid's own.

Water that is carried to a solid therefore slides along it, and neither sticks to it nor comes out of it (Rasmussen et
al. 2004; Batty et al. 2007, 4.2). The normal is the gradient of the distance to solids.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.boundaries import Shares
from engine.water.equation import Faces


@kernel
def slide(
    velocities: Faces, solids: Faces, weights: Shares, distance: Array, spacing: float, axis: int, out: Array
) -> None:
    """Write the velocities along one axis, with those of closed faces made to slide up to a cell's width inside: solids
    need not say how they move farther in."""
    given = velocities[0] if axis == 0 else (velocities[1] if axis == 1 else velocities[2])
    nx, ny, nz = given.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                out[i, j, k] = given[i, j, k]
    for i in range(di, nx - di):
        for j in range(dj, ny - dj):
            for k in range(dk, nz - dk):
                if weights[i, j, k] > 0.0 or distance[i, j, k] + distance[i - di, j - dj, k - dk] < -2.0 * spacing:
                    continue
                normal = _normal(distance, axis, i, j, k)
                size = math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2)
                if size == 0.0:
                    continue
                u, v, w = _velocity(velocities, axis, i, j, k, False)
                a, b, c = _velocity(solids, axis, i, j, k, True)
                through = ((u - a) * normal[0] + (v - b) * normal[1] + (w - c) * normal[2]) / (size * size)
                out[i, j, k] -= through * normal[axis]


@kernel
def _normal(distance: Array, axis: int, i: int, j: int, k: int) -> tuple[float, float, float]:
    """Give the gradient of the distance at an inner face, per cell: the mean of both cells, each by its neighbours, at
    the ends one-sided."""
    nx, ny, nz = distance.shape
    x = y = z = 0.0
    for side in range(2):
        a, b, c = i - side * (axis == 0), j - side * (axis == 1), k - side * (axis == 2)
        low, high = max(a - 1, 0), min(a + 1, nx - 1)
        x += 0.5 * (distance[high, b, c] - distance[low, b, c]) / max(high - low, 1)
        low, high = max(b - 1, 0), min(b + 1, ny - 1)
        y += 0.5 * (distance[a, high, c] - distance[a, low, c]) / max(high - low, 1)
        low, high = max(c - 1, 0), min(c + 1, nz - 1)
        z += 0.5 * (distance[a, b, high] - distance[a, b, low]) / max(high - low, 1)
    return x, y, z


@kernel
def _velocity(velocities: Faces, axis: int, i: int, j: int, k: int, moving: bool) -> tuple[float, float, float]:
    """Give the velocity at an inner face, along other axes the mean of the four faces around; with `moving` the mean of
    those that move, for solids say nothing of faces that are open."""
    u, v, w = velocities
    x = y = z = 0.0
    if axis == 0:
        x = u[i, j, k]
        y = _mean(v[i, j, k], v[i - 1, j, k], v[i, j + 1, k], v[i - 1, j + 1, k], moving)
        z = _mean(w[i, j, k], w[i - 1, j, k], w[i, j, k + 1], w[i - 1, j, k + 1], moving)
    elif axis == 1:
        x = _mean(u[i, j, k], u[i, j - 1, k], u[i + 1, j, k], u[i + 1, j - 1, k], moving)
        y = v[i, j, k]
        z = _mean(w[i, j, k], w[i, j - 1, k], w[i, j, k + 1], w[i, j - 1, k + 1], moving)
    else:
        x = _mean(u[i, j, k], u[i, j, k - 1], u[i + 1, j, k], u[i + 1, j, k - 1], moving)
        y = _mean(v[i, j, k], v[i, j, k - 1], v[i, j + 1, k], v[i, j + 1, k - 1], moving)
        z = w[i, j, k]
    return x, y, z


@kernel
def _mean(a: float, b: float, c: float, d: float, moving: bool) -> float:
    """Give the mean of four, or of those that are not zero."""
    count = int(a != 0.0) + int(b != 0.0) + int(c != 0.0) + int(d != 0.0) if moving else 4
    return (a + b + c + d) / max(count, 1)
