"""Carries velocities and other fields along with the water.

Semi-Lagrangian (Stam 1999): the new value at x is the old one where the water at x came from, by a step of the midpoint
rule back through the velocities, interpolated linearly. MacCormack's (Selle et al. 2008) goes back and forth again and
takes half of what was lost as the error; a value outside those that were interpolated between is given up for the
semi-Lagrangian one. Positions are in cells from the grid's corner.
"""

from __future__ import annotations

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.equation import Faces


@inlined
def sample(field: Array, x: float, y: float, z: float) -> float:
    """Interpolate linearly between the samples of a field; x, y, z count samples. Beyond the ends the ends hold."""
    nx, ny, nz = field.shape
    x, y, z = min(max(x, 0.0), nx - 1.0), min(max(y, 0.0), ny - 1.0), min(max(z, 0.0), nz - 1.0)
    i, j, k = int(x), int(y), int(z)
    fx, fy, fz = x - i, y - j, z - k
    a, b, c = min(i + 1, nx - 1), min(j + 1, ny - 1), min(k + 1, nz - 1)
    near = (field[i, j, k] * (1.0 - fz) + field[i, j, c] * fz) * (1.0 - fy)
    near += (field[i, b, k] * (1.0 - fz) + field[i, b, c] * fz) * fy
    far = (field[a, j, k] * (1.0 - fz) + field[a, j, c] * fz) * (1.0 - fy)
    far += (field[a, b, k] * (1.0 - fz) + field[a, b, c] * fz) * fy
    return near * (1.0 - fx) + far * fx


@inlined
def sample_velocity(velocities: Faces, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Interpolate the velocity at a position in cells."""
    u = sample(velocities.u, x, y - 0.5, z - 0.5)
    v = sample(velocities.v, x - 0.5, y, z - 0.5)
    w = sample(velocities.w, x - 0.5, y - 0.5, z)
    return u, v, w


@inlined
def trace(velocities: Faces, x: float, y: float, z: float, step: float) -> tuple[float, float, float]:
    """Follow the water from a position in cells for a time [s / spacing], back where it is negative."""
    u, v, w = sample_velocity(velocities, x, y, z)
    half = 0.5 * step
    u, v, w = sample_velocity(velocities, x + half * u, y + half * v, z + half * w)
    return x + step * u, y + step * v, z + step * w


@kernel
def bounds(field: Array, x: float, y: float, z: float) -> tuple[float, float]:
    """Give the least and the largest of the samples that `sample` interpolates between."""
    nx, ny, nz = field.shape
    i, j, k = (
        int(min(max(x, 0.0), nx - 1.0)),
        int(min(max(y, 0.0), ny - 1.0)),
        int(min(max(z, 0.0), nz - 1.0)),
    )
    low, high = np.inf, -np.inf
    for a in range(i, min(i + 1, nx - 1) + 1):
        for b in range(j, min(j + 1, ny - 1) + 1):
            for c in range(k, min(k + 1, nz - 1) + 1):
                low, high = min(low, field[a, b, c]), max(high, field[a, b, c])
    return low, high


@inlined
def _nearest(phi: Array, i: int, j: int, k: int, axis: int) -> float:
    """Give the least distance of the cells on both sides of a face."""
    nx, ny, nz = phi.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    here = phi[min(i, nx - 1), min(j, ny - 1), min(k, nz - 1)]
    return min(here, phi[max(i - di, 0), max(j - dj, 0), max(k - dk, 0)])


@kernel
def advect_faces(
    given: Array, velocities: Faces, phi: Array, axis: int, step: float, band: float, first: int, end: int, out: Array
) -> None:
    """Carry the velocities along one axis, semi-Lagrangian, at faces of cells with distances below `band`, in planes
    `first` to `end`; others are copied."""
    _, ny, nz = given.shape
    dx, dy, dz = 0.5 * (axis != 0), 0.5 * (axis != 1), 0.5 * (axis != 2)
    for i in range(first, end):
        for j in range(ny):
            for k in range(nz):
                if _nearest(phi, i, j, k, axis) < band:
                    x, y, z = trace(velocities, i + dx, j + dy, k + dz, -step)
                    out[i, j, k] = sample(given, x - dx, y - dy, z - dz)
                else:
                    out[i, j, k] = given[i, j, k]


@kernel
def correct_faces(
    given: Array,
    carried: Array,
    velocities: Faces,
    phi: Array,
    axis: int,
    step: float,
    first: int,
    end: int,
    out: Array,
) -> None:
    """Correct what `advect_faces` has carried, by MacCormack's method, at faces of wet cells; others are copied."""
    _, ny, nz = given.shape
    dx, dy, dz = 0.5 * (axis != 0), 0.5 * (axis != 1), 0.5 * (axis != 2)
    for i in range(first, end):
        for j in range(ny):
            for k in range(nz):
                out[i, j, k] = carried[i, j, k]
                if _nearest(phi, i, j, k, axis) < 0.0:
                    x, y, z = trace(velocities, i + dx, j + dy, k + dz, step)
                    again = sample(carried, x - dx, y - dy, z - dz)
                    value = carried[i, j, k] + 0.5 * (given[i, j, k] - again)
                    x, y, z = trace(velocities, i + dx, j + dy, k + dz, -step)
                    low, high = bounds(given, x - dx, y - dy, z - dz)
                    if low <= value <= high:
                        out[i, j, k] = value
