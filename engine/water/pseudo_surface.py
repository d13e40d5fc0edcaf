"""The pseudo water surface: the water's surface carried on through the bodies that pierce it (Si 2013, 3.4).

In cells whose middle is inside a body the distance to the surface is harmonic, with the distances around it as
boundary values: negative along wet skin, positive along dry skin. The source puts constants there, so that the zero
isocontour meets the skin where the grid happens to change from wet to dry; distances keep a plane surface plane,
exactly, wherever it lies between cells. Then the field is made a distance again.

Buoyancy, equation (3.13): B = rho g integral of h (n . j) dA over the immersed surface. With n outwards and the vector
g downwards the sign is right as printed: the integral is minus the volume (divergence of (0, h, 0) is -1), so B points
up. It keeps the vertical part of pressure alone; for a closed surface the rest adds up to nothing, in force and in
torque, but a soft body is squeezed by it, so we put rho |g| h along the whole inward normal. The depth h is printed as
the vertical part of -phi grad phi, |phi| n_y: it is too small by n_y^2 where the surface slopes, since a vertical line
meets a plane surface |phi| / n_y away. We take the latter, with n_y no less than a half.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.grid import WaterGrid
from engine.water.hydrostatics import surface_heights

_SETTLED, _SWEEPS, _OVER = 1e-4, 400, 1.5  # cells; at most; over-relaxation
_STEEPEST = 0.5
_KNOWN, _RELAXED = 3.0, 2.0  # cells from the surface: where distances are known, where bodies are filled by them


def fill_bodies(grid: WaterGrid, phi: Array, distance: Array, levels: Array) -> int:
    """Carry distances to the surface on through bodies, in place; how many sweeps it took. `distance`: to bodies at
    centres of cells [m]; `levels`: heights of columns [m], carried on as well (`hydrostatics.surface_heights`), which
    tell all that is farther from the surface than distances are known."""
    inside, h = distance < 0.0, grid.spacing
    if not inside.any():
        return 0
    above = grid.centres()[1] - np.where(np.isfinite(levels), levels, grid.origin[1] - _KNOWN * h)[:, None, :]
    phi[inside] = np.clip(above, -_KNOWN * h, _KNOWN * h)[inside]
    cells = np.argwhere(inside & (np.abs(above) < _RELAXED * h)).astype(np.int32)
    return int(fill_harmonic(cells, _SETTLED * h, _SWEEPS, phi)) if len(cells) else 0


def fill_solids(phi: Array, distance: Array, spacing: float) -> int:
    """Carry distances on through solids, with levels of their own; how many sweeps it took."""
    grid = WaterGrid(cells=(phi.shape[0], phi.shape[1], phi.shape[2]), spacing=spacing)
    return fill_bodies(grid, phi, distance, surface_heights(grid, phi, distance < 0.0))


def vertical_depths(grid: WaterGrid, phi: Array, points: Array) -> Array:
    """Depths of points below the surface along the vertical [m], negative above it, by distances that are filled."""
    value, rise = np.empty(len(points)), np.empty(len(points))
    room = np.array((*grid.origin, grid.spacing))
    sample_rise(phi, room, points, value, rise)
    return np.asarray(-value / np.clip(rise, _STEEPEST, 1.0))


@kernel
def fill_harmonic(cells: IntArray, settled: float, most: int, out_phi: Array) -> int:
    """Let each cell be the mean of its neighbours within the grid, by successive over-relaxation."""
    nx, ny, nz = out_phi.shape
    for sweep in range(most):
        largest = 0.0
        for row in range(cells.shape[0]):
            at = row if sweep & 1 == 0 else cells.shape[0] - 1 - row
            i, j, k = cells[at, 0], cells[at, 1], cells[at, 2]
            total, count = 0.0, 0
            if i > 0:
                total, count = total + out_phi[i - 1, j, k], count + 1
            if i < nx - 1:
                total, count = total + out_phi[i + 1, j, k], count + 1
            if j > 0:
                total, count = total + out_phi[i, j - 1, k], count + 1
            if j < ny - 1:
                total, count = total + out_phi[i, j + 1, k], count + 1
            if k > 0:
                total, count = total + out_phi[i, j, k - 1], count + 1
            if k < nz - 1:
                total, count = total + out_phi[i, j, k + 1], count + 1
            change = total / count - out_phi[i, j, k]
            out_phi[i, j, k] += _OVER * change
            largest = max(largest, abs(change))
        if largest < settled:
            return sweep + 1
    return most


@kernel
def sample_rise(phi: Array, room: Array, points: Array, out_value: Array, out_rise: Array) -> None:
    """Sample a field of cells between their middles, and how fast it grows upwards."""
    nx, ny, nz = phi.shape
    for point in range(points.shape[0]):
        x = min(max((points[point, 0] - room[0]) / room[3] - 0.5, 0.0), nx - 1.0)
        y = min(max((points[point, 1] - room[1]) / room[3] - 0.5, 0.0), ny - 1.0)
        z = min(max((points[point, 2] - room[2]) / room[3] - 0.5, 0.0), nz - 1.0)
        i, j, k = min(int(x), max(nx - 2, 0)), min(int(y), ny - 2), min(int(z), max(nz - 2, 0))
        x, y, z = x - i, y - j, z - k
        p, q = min(i + 1, nx - 1), min(k + 1, nz - 1)
        low = (1 - x) * ((1 - z) * phi[i, j, k] + z * phi[i, j, q]) + x * ((1 - z) * phi[p, j, k] + z * phi[p, j, q])
        j += 1
        high = (1 - x) * ((1 - z) * phi[i, j, k] + z * phi[i, j, q]) + x * ((1 - z) * phi[p, j, k] + z * phi[p, j, q])
        out_value[point] = low + y * (high - low)
        out_rise[point] = (high - low) / room[3]
