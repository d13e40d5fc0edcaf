"""Makes a level set a signed distance again, near its surface, without moving the surface.

Cells beside the surface, which have a neighbour of the other sign, get phi / |grad phi|, with central differences where
phi is smooth and the steeper one-sided difference where it has a kink (after Russo and Smereka 2000, "A remark on
computing distance functions"), and keep it. Where |grad phi| is 1 within 5% they are left as they are, and so is any
cell within `KEPT` cells. Rewriting those beside the surface made waves of four to six cells grow by 2 to 34% in ten
steps, whatever the water did, and a disk of 15 cells' radius by 0.36 cells in 314; rewriting those behind by sweeping,
which is of first order, spoils the bend that carrying goes by: the disk shrank by 0.2 cells in a turn, now by 0.02.
From them |grad d| = 1 is solved outwards by fast sweeping (Zhao 2005, "A fast sweeping method for eikonal
equations"): Godunov's upwind differences, one sweep for each order of the axes. Beyond the band the distance is cut
off, only the sign counts there.

`phi` [m], below zero in the water, shape [nx, ny, nz]; `h` [m], size of a cell; `band` [m].
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

CLOSE = 0.05  # what |grad phi| may be beside 1 in cells that are left as they are
KEPT = 1.9  # [cells] from the surface: where cells are that may be
_FAR = 1e30


class DistanceWork(NamedTuple):
    """Memory of `redistance`."""

    distance: Array  # [m], negative where it is fixed, shape [nx, ny, nz]
    rows: IntArray  # first and last cell in z of each row that can be in the band, shape [2, nx, ny, 2]


def distance_work(phi: Array) -> DistanceWork:
    """Memory for fields like this one."""
    return DistanceWork(distance=np.empty_like(phi), rows=np.zeros((2, *phi.shape[:2], 2), dtype=np.int32))


@inlined
def slope(before: float, here: float, after: float) -> float:
    """Size of the derivative per cell: central where values go one way, else the steeper side."""
    left, right = here - before, after - here
    if left * right > 0.0:
        return 0.5 * (left + right)
    return max(abs(left), abs(right))


@kernel
def measure_beside(phi: Array, h: float, distance: Array, rows: IntArray) -> None:
    """Fix the distance of cells beside the surface, and of those near it that have one already, as negative numbers;
    all others are far. Note where the first lie."""
    nx, ny, nz = phi.shape
    for i in range(nx):
        for j in range(ny):
            first, last = nz, -1
            for k in range(nz):
                distance[i, j, k], p = _FAR, phi[i, j, k]
                a, b = phi[max(i - 1, 0), j, k], phi[min(i + 1, nx - 1), j, k]
                c, d = phi[i, max(j - 1, 0), k], phi[i, min(j + 1, ny - 1), k]
                e, f = phi[i, j, max(k - 1, 0)], phi[i, j, min(k + 1, nz - 1)]
                below = p < 0.0
                is_beside = (
                    below != (a < 0.0)
                    or below != (b < 0.0)
                    or below != (c < 0.0)
                    or below != (d < 0.0)
                    or below != (e < 0.0)
                    or below != (f < 0.0)
                )
                if not is_beside and abs(p) >= KEPT * h:
                    continue
                x, y, z = slope(a, p, b), slope(c, p, d), slope(e, p, f)
                size = math.sqrt(x * x + y * y + z * z)
                if abs(size / h - 1.0) < CLOSE:
                    distance[i, j, k] = -max(abs(p), 1e-12 * h)
                elif is_beside:
                    distance[i, j, k] = -max(min(abs(p) * h / max(size, 1e-12), 1.8 * h), 1e-12 * h)
                if is_beside:
                    first, last = min(first, k), k
            rows[0, i, j, 0], rows[0, i, j, 1] = first, last


@kernel
def widen_rows(rows: IntArray, reach: int, nz: int) -> None:
    """Widen the spans of rows by so many cells in each direction."""
    _, nx, ny, _ = rows.shape
    for i in range(nx):
        for j in range(ny):
            first, last = nz, -1
            for other in range(max(i - reach, 0), min(i + reach + 1, nx)):
                first, last = min(first, rows[0, other, j, 0]), max(last, rows[0, other, j, 1])
            rows[1, i, j, 0], rows[1, i, j, 1] = first, last
    for i in range(nx):
        for j in range(ny):
            first, last = nz, -1
            for other in range(max(j - reach, 0), min(j + reach + 1, ny)):
                first, last = min(first, rows[1, i, other, 0]), max(last, rows[1, i, other, 1])
            if first <= last:
                first, last = max(first - reach, 0), min(last + reach, nz - 1)
            rows[0, i, j, 0], rows[0, i, j, 1] = first, last


@inlined
def solve_eikonal(a: float, b: float, c: float, h: float) -> float:
    """Distance of a cell from the least ones of its neighbours in each direction (Zhao 2005, 2.5)."""
    if a > b:
        a, b = b, a
    if b > c:
        b, c = c, b
    if a > b:
        a, b = b, a
    found = a + h
    if found > b:
        found = 0.5 * (a + b + math.sqrt(2.0 * h * h - (a - b) * (a - b)))
        if found > c:
            total = a + b + c
            inner = total * total - 3.0 * (a * a + b * b + c * c - h * h)
            found = (total + math.sqrt(max(inner, 0.0))) / 3.0
    return found


@kernel
def sweep_distance(distance: Array, rows: IntArray, h: float, band: float, order: int) -> None:
    """Sweep once; the bits of `order` say which axes are walked backwards."""
    nx, ny, nz = distance.shape
    for step_x in range(nx):
        i = nx - 1 - step_x if order & 1 else step_x
        for step_y in range(ny):
            j = ny - 1 - step_y if order & 2 else step_y
            first, last = rows[0, i, j, 0], rows[0, i, j, 1]
            for step_z in range(last - first + 1):
                k = last - step_z if order & 4 else first + step_z
                now = distance[i, j, k]
                if now < 0.0:
                    continue
                a = min(abs(distance[max(i - 1, 0), j, k]), abs(distance[min(i + 1, nx - 1), j, k]))
                b = min(abs(distance[i, max(j - 1, 0), k]), abs(distance[i, min(j + 1, ny - 1), k]))
                c = min(abs(distance[i, j, max(k - 1, 0)]), abs(distance[i, j, min(k + 1, nz - 1)]))
                least = min(a, min(b, c))
                if least < band and least < now:
                    distance[i, j, k] = min(now, solve_eikonal(a, b, c, h))


@kernel
def redistance(phi: Array, h: float, band: float, work: DistanceWork) -> None:
    """Make a level set a signed distance within the band, cut off beyond it."""
    nx, ny, nz = phi.shape
    measure_beside(phi, h, work.distance, work.rows)
    widen_rows(work.rows, math.ceil(band / h) + 1, nz)
    for order in range(8 if nz > 1 else 4):
        sweep_distance(work.distance, work.rows, h, band, order)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                far = min(abs(work.distance[i, j, k]), band)
                phi[i, j, k] = -far if phi[i, j, k] < 0.0 else far
