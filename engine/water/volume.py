"""The water's volume and surface, by how much they have drifted, and the term that takes the drift back.

The volume is the sum over cells of the part below the plane through the surface, with the level set's central
differences as its normal (the cut of a cube by a plane, Scardovelli and Zaleski 2000, "Analytical relations connecting
linear interfaces and volume fractions in rectangular grids"), times the part of the cell that is not solid.

The correction is phi -= shift, shift = rate dt (volume wanted - volume) / surface, at most `LARGEST_SHIFT` cells a
second: the whole surface moves along its normal by one length, and the particles with it. It is a term of its own in a
step, and can be left out; the drift is reported either way, as the sum of what was taken back.
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

RATE = 60.0  # [1/s], how fast a drift is taken back
LARGEST_SHIFT = 10.0  # [cells/s]


@inlined
def cut_cube(a: float, b: float, c: float, far: float) -> float:
    """Part of a unit cube where a x + b y + c z + far < 0, x, y and z from its middle."""
    a, b, c = abs(a), abs(b), abs(c)
    total = a + b + c
    if total < 1e-12:
        return 1.0 if far < 0.0 else 0.0
    level = 0.5 - far / total
    if level <= 0.0:
        return 0.0
    if level >= 1.0:
        return 1.0
    most, least = max(a, max(b, c)) / total, max(min(a, min(b, c)) / total, 1e-9)
    middle = max(1.0 - most - least, least)
    most = 1.0 - middle - least
    under = min(level, 1.0 - level)  # the smaller part, the other by symmetry
    both = least + middle
    if under < least:
        part = under**3 / (6.0 * least * middle * most)
    elif under < middle:
        part = (3.0 * under * (under - least) + least * least) / (6.0 * middle * most)
    elif under < min(both, most):
        part = under * under * (3.0 * both - under) + least * least * (least - 3.0 * under)
        part = (part + middle * middle * (middle - 3.0 * under)) / (6.0 * least * middle * most)
    elif both <= most:
        part = (2.0 * under - both) / (2.0 * most)
    else:
        part = under * under * (3.0 - 2.0 * under) + least * least * (least - 3.0 * under)
        part += middle * middle * (middle - 3.0 * under) + most * most * (most - 3.0 * under)
        part /= 6.0 * least * middle * most
    return part if level <= 0.5 else 1.0 - part


@inlined
def cut_cell(phi: Array, i: int, j: int, k: int, far: float) -> float:
    """Part of a cell below the surface, were its middle at the height `far` over it [m]."""
    nx, ny, nz = phi.shape
    a = 0.5 * (phi[min(i + 1, nx - 1), j, k] - phi[max(i - 1, 0), j, k])
    b = 0.5 * (phi[i, min(j + 1, ny - 1), k] - phi[i, max(j - 1, 0), k])
    c = 0.5 * (phi[i, j, min(k + 1, nz - 1)] - phi[i, j, max(k - 1, 0)])
    return cut_cube(a, b, c, far)


@kernel
def measure_water(phi: Array, h: float, free: Array) -> tuple[float, float]:
    """Volume [m3] and surface [m2] of the water; `free`: the part of each cell that is not solid, or [1, 1, 1]."""
    nx, ny, nz = phi.shape
    volume, surface = 0.0, 0.0
    all_free = free.size == 1 and nx * ny * nz > 1
    step = 0.05 * h
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                far = phi[i, j, k]
                if far > h:
                    continue
                part = 1.0 if all_free else free[i, j, k]
                if far < -h:
                    volume += part
                    continue
                volume += part * cut_cell(phi, i, j, k, far)
                surface += part * (cut_cell(phi, i, j, k, far - step) - cut_cell(phi, i, j, k, far + step)) / 0.1
    return volume * h**3, surface * h**2


@kernel
def shift_surface(phi: Array, shifts: Array, h: float, band: float) -> None:
    """Move the surface outwards by shifts [cells]."""
    nx, ny, nz = phi.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if abs(phi[i, j, k]) < 0.9999 * band:
                    phi[i, j, k] -= h * shifts[i, j, k]


@kernel
def shift_all(phi: Array, shift: float, band: float) -> None:
    """Move the surface outwards by `shift` [m]."""
    nx, ny, nz = phi.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if abs(phi[i, j, k]) < 0.9999 * band:
                    phi[i, j, k] -= shift
