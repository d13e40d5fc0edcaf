"""A plain level set: the distance to the surface is carried semi-Lagrangian, and made a distance again by sweeping.

Beside the surface distances come from where it cuts the edges between cells, elsewhere from |grad phi| = 1 by fast
sweeping (Zhao 2005). It loses volume at thin parts; the particle level set is the one to use.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.water.advection import flat, sample, trace
from engine.water.equation import Faces

_FAR = 1e30


@kernel
def carry_distance(phi: Array, velocities: Faces, step: float, band: float, out: Array) -> None:
    """Carry the distance along where it is below `band` on either side; `step` is in s / spacing."""
    nx, ny, nz = phi.shape
    flat_ones = flat(velocities)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if abs(phi[i, j, k]) < band:
                    x, y, z = trace(flat_ones, nx, ny, nz, i + 0.5, j + 0.5, k + 0.5, -step)
                    out[i, j, k] = sample(phi, x - 0.5, y - 0.5, z - 0.5)
                else:
                    out[i, j, k] = phi[i, j, k]


@kernel
def redistance(phi: Array, spacing: float, out: Array) -> None:
    """Write the signed distance to where phi is zero."""
    nx, ny, nz = phi.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                out[i, j, k] = _beside(phi, i, j, k) * spacing
    for turn in range(8):
        for a in range(nx):
            i = a if turn & 1 == 0 else nx - 1 - a
            for b in range(ny):
                j = b if turn & 2 == 0 else ny - 1 - b
                for c in range(nz):
                    k = c if turn & 4 == 0 else nz - 1 - c
                    near_x = min(out[i - 1, j, k] if i > 0 else _FAR, out[i + 1, j, k] if i < nx - 1 else _FAR)
                    near_y = min(out[i, j - 1, k] if j > 0 else _FAR, out[i, j + 1, k] if j < ny - 1 else _FAR)
                    near_z = min(out[i, j, k - 1] if k > 0 else _FAR, out[i, j, k + 1] if k < nz - 1 else _FAR)
                    out[i, j, k] = min(out[i, j, k], _solved(near_x, near_y, near_z, spacing))
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if phi[i, j, k] < 0.0:
                    out[i, j, k] = -out[i, j, k]


@kernel
def _beside(phi: Array, i: int, j: int, k: int) -> float:
    """Give the distance in cells from a cell with a neighbour across the surface; far where there is none."""
    nx, ny, nz = phi.shape
    here = phi[i, j, k]
    total = 0.0
    for axis in range(3):
        least = _FAR
        for side in range(-1, 2, 2):
            a, b, c = i + side * (axis == 0), j + side * (axis == 1), k + side * (axis == 2)
            if 0 <= a < nx and 0 <= b < ny and 0 <= c < nz and (phi[a, b, c] < 0.0) != (here < 0.0):
                least = min(least, here / (here - phi[a, b, c]))
        if least == 0.0:
            return 0.0
        if least < _FAR:
            total += 1.0 / (least * least)
    return 1.0 / math.sqrt(total) if total > 0.0 else _FAR


@kernel
def _solved(a: float, b: float, c: float, spacing: float) -> float:
    """Solve |grad phi| = 1 from the nearest value along each axis."""
    a, b = min(a, b), max(a, b)
    b, c = min(b, c), max(b, c)
    a, b = min(a, b), max(a, b)
    found = a + spacing
    if found > b:
        found = 0.5 * (a + b + math.sqrt(max(2.0 * spacing * spacing - (a - b) * (a - b), 0.0)))
        if found > c:
            total = a + b + c
            root = total * total - 3.0 * (a * a + b * b + c * c - spacing * spacing)
            found = (total + math.sqrt(max(root, 0.0))) / 3.0
    return found
