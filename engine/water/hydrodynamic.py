"""The force of moving water on the triangles of a body's skin: Si 2013, equation (3.12).

    f = min(0, - rho A (n . v)) (n . v) n

with n outwards and v the triangle's velocity beside that of the water. Checked: where the triangle moves outwards,
n . v > 0, the force is - rho A (n . v)^2 n, against it; where it moves inwards there is none, as water does not pull.
No half stands before it: a plate across the flow has a drag coefficient of 2, as long flat plates have (1.1 to 2 are
measured, by its sides), a ball of 1.

At a triangle itself the water moves as the skin does, by the boundary condition, so v takes the mean velocity of the
cells around the cell that the triangle's middle is in: those of the 26 that are wet and outside of bodies.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.equation import Faces
from engine.water.grid import WaterGrid
from engine.water.joined import Surfaces


def hydrodynamic_forces(
    grid: WaterGrid, velocities: Faces, phi: Array, distance: Array, surfaces: Surfaces, density: float
) -> Array:
    """Forces on vertices [N], a third of each triangle's; `distance` to solids at centres of cells [m]."""
    out = np.zeros_like(surfaces.points)
    room = np.array((*grid.origin, grid.spacing))
    push_triangles(velocities, phi, distance, room, surfaces, density, out)
    return out


@kernel
def push_triangles(
    velocities: Faces, phi: Array, distance: Array, room: Array, surfaces: Surfaces, density: float, out_forces: Array
) -> None:
    """Add the force on each wet triangle to its vertices."""
    nx, ny, nz = phi.shape
    edges, middle, speed, mean = np.empty((2, 3)), np.empty(3), np.empty(3), np.empty(3)
    for triangle in range(surfaces.triangles.shape[0]):
        corners = surfaces.triangles[triangle]
        for axis in range(3):
            a, b, c = (
                surfaces.points[corners[0], axis],
                surfaces.points[corners[1], axis],
                surfaces.points[corners[2], axis],
            )
            edges[0, axis], edges[1, axis], middle[axis] = b - a, c - a, (a + b + c) / 3.0
            speed[axis] = 0.0
            for corner in range(3):
                speed[axis] += surfaces.velocities[corners[corner], axis] / 3.0
        i = int(np.floor((middle[0] - room[0]) / room[3]))
        j = int(np.floor((middle[1] - room[1]) / room[3]))
        k = int(np.floor((middle[2] - room[2]) / room[3]))
        if i < 0 or i >= nx or j < 0 or j >= ny or k < 0 or k >= nz or phi[i, j, k] >= 0.0:
            continue
        if mean_velocity(velocities, phi, distance, i, j, k, mean) == 0:
            continue
        x = edges[0, 1] * edges[1, 2] - edges[0, 2] * edges[1, 1]
        y = edges[0, 2] * edges[1, 0] - edges[0, 0] * edges[1, 2]
        z = edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0]
        twice = np.sqrt(x * x + y * y + z * z)
        if twice == 0.0:
            continue
        along = (x * (speed[0] - mean[0]) + y * (speed[1] - mean[1]) + z * (speed[2] - mean[2])) / twice
        push = min(0.0, -density * 0.5 * twice * along) * along / twice / 3.0
        for corner in range(3):
            out_forces[corners[corner], 0] += push * x
            out_forces[corners[corner], 1] += push * y
            out_forces[corners[corner], 2] += push * z


@kernel
def mean_velocity(velocities: Faces, phi: Array, distance: Array, i: int, j: int, k: int, out_mean: Array) -> int:
    """Write the mean velocity of wet cells around a cell, outside of bodies; how many they are."""
    nx, ny, nz = phi.shape
    out_mean[:] = 0.0
    count = 0
    for a in range(max(i - 1, 0), min(i + 2, nx)):
        for b in range(max(j - 1, 0), min(j + 2, ny)):
            for c in range(max(k - 1, 0), min(k + 2, nz)):
                if (a == i and b == j and c == k) or phi[a, b, c] >= 0.0 or distance[a, b, c] <= 0.0:
                    continue
                out_mean[0] += 0.5 * (velocities.u[a, b, c] + velocities.u[a + 1, b, c])
                out_mean[1] += 0.5 * (velocities.v[a, b, c] + velocities.v[a, b + 1, c])
                out_mean[2] += 0.5 * (velocities.w[a, b, c] + velocities.w[a, b, c + 1])
                count += 1
    if count > 0:
        out_mean /= count
    return count
