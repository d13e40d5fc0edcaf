"""One multigrid cycle, in single precision: the preconditioner of the pressure.

Each coarser level joins two cells along each axis into one. Its matrix is half of the Galerkin product of sums over
those cells, which is that of the same equation on cells twice as wide (couplings: half of the sum over four faces), and
holds for any open shares of faces and any ghost surface. Corrections are interpolated linearly between the centres of
cells, residuals collected by the transpose; beyond walls the nearest centre stands in, beyond the surface zero. Cells
that the surface nearly touches are dry to the next level: their pressure is all but given.
Relaxation is Jacobi's with the steps of a Chebyshev polynomial over [1/3, 2], the upper part of the spectrum of D^-1 A:
as good as red-black Gauss-Seidel for as much work, symmetric, and made of vectors. The whole cycle is symmetric and
positive, as conjugate gradients ask (Tatebe 1993; McAdams et al. 2010).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import IntArray, LongArray
from engine.runtime.jit import kernel
from engine.water.rows import sum_around

Singles = NDArray[np.float32]

CX, CY, CZ, DIAGONAL, INVERSE, KEPT, RIGHT, FIRST, SECOND = range(9)
KINDS = 9
NX, NY, NZ, NUMBERS, ROWS = range(5)


def _steps(count: int, low: float) -> tuple[np.float32, ...]:
    """Steps of Jacobi's relaxation by which `count` of them damp all parts of the spectrum from `low` to 2."""
    nodes = [math.cos(math.pi * (2 * each + 1) / (2 * count)) for each in range(count)]
    return tuple(np.float32(2.0 / ((2.0 + low) + (2.0 - low) * node)) for node in nodes)


_FINE = _steps(2, 1.0 / 3.0)
_COARSE = _steps(8, 0.05)
_HALF = np.float32(0.5)
_HELD = np.float32(4.0)  # a diagonal so many times the couplings: the surface is that near
_QUARTER, _THREE_QUARTERS, _ZERO, _ONE = np.float32(0.25), np.float32(0.75), np.float32(0.0), np.float32(1.0)


class Multigrid(NamedTuple):
    """Levels from fine to coarse in two packed buffers."""

    numbers: Singles  # of each level KINDS arrays [nx + 2, ny + 2, nz + 2]
    rows: IntArray  # of each row of each level its first cell and the end, padded [nx + 2, ny + 2, 2]
    table: LongArray  # of each level nx, ny, nz, where its numbers begin, where its rows
    lines: Singles  # room [2, nz + 2]


def new_multigrid(cells: tuple[int, int, int]) -> Multigrid:
    """Make room for all levels, down to one of at most two cells along each axis."""
    table: list[tuple[int, ...]] = []
    numbers = rows = 0
    nx, ny, nz = cells
    while True:
        table.append((nx, ny, nz, numbers, rows))
        numbers += KINDS * (nx + 2) * (ny + 2) * (nz + 2)
        rows += (nx + 2) * (ny + 2) * 2
        if max(nx, ny, nz) <= 2:
            break
        nx, ny, nz = (nx + 1) // 2, (ny + 1) // 2, (nz + 1) // 2
    lines = np.zeros((2, cells[2] + 4), np.float32)
    return Multigrid(np.zeros(numbers, np.float32), np.zeros(rows, np.int32), np.array(table, np.int64), lines)


@inlined
def level_array(grid: Multigrid, level: int, kind: int) -> Singles:
    """View one array of a level."""
    sx, sy, sz = grid.table[level, NX] + 2, grid.table[level, NY] + 2, grid.table[level, NZ] + 2
    start = grid.table[level, NUMBERS] + kind * sx * sy * sz
    return grid.numbers[start : start + sx * sy * sz].reshape((sx, sy, sz))


@inlined
def level_rows(grid: Multigrid, level: int) -> IntArray:
    """View the ends of a level's rows."""
    sx, sy = grid.table[level, NX] + 2, grid.table[level, NY] + 2
    start = grid.table[level, ROWS]
    return grid.rows[start : start + 2 * sx * sy].reshape((sx, sy, 2))


@kernel
def coarsen(grid: Multigrid) -> None:
    """Make the matrices of all coarser levels from that of the finest."""
    _finish_level(grid, 0)
    for level in range(len(grid.table) - 1):
        _coarsen_level(grid, level)
        _finish_level(grid, level + 1)


@kernel
def _finish_level(grid: Multigrid, level: int) -> None:
    """Write what follows from a level's matrix: the inverse of the diagonal, which cells the next level knows."""
    rows = level_rows(grid, level)
    cx, cy, cz = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    diagonal, inverse = level_array(grid, level, DIAGONAL), level_array(grid, level, INVERSE)
    kept, line = level_array(grid, level, KEPT), grid.lines[0]
    for kind in (INVERSE, KEPT, FIRST, SECOND):
        level_array(grid, level, kind)[:] = _ZERO
    for i in range(1, grid.table[level, NX] + 1):
        for j in range(1, grid.table[level, NY] + 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            for k in range(first, end):
                line[k] = cx[i, j, k] + cx[i + 1, j, k]
            for k in range(first, end):
                line[k] += cy[i, j, k] + cy[i, j + 1, k]
            for k in range(first, end):
                line[k] += cz[i, j, k] + cz[i, j, k + 1]
            for k in range(first, end):
                inverse[i, j, k] = _ONE / diagonal[i, j, k] if diagonal[i, j, k] > _ZERO else _ZERO
            for k in range(first, end):
                kept[i, j, k] = _ONE if _HELD * line[k] >= diagonal[i, j, k] > _ZERO else _ZERO


@kernel
def _coarsen_level(grid: Multigrid, level: int) -> None:
    """Add up the matrix of a level on the next one."""
    fine_rows, rows = level_rows(grid, level), level_rows(grid, level + 1)
    nx, ny = grid.table[level + 1, NX], grid.table[level + 1, NY]
    fine_nz = grid.table[level, NZ]
    fx, fy = grid.table[level, NX], grid.table[level, NY]
    for kind in range(DIAGONAL + 1):
        level_array(grid, level + 1, kind)[:] = _ZERO
    cx, cy, cz = level_array(grid, level + 1, CX), level_array(grid, level + 1, CY), level_array(grid, level + 1, CZ)
    diagonal, kept = level_array(grid, level + 1, DIAGONAL), level_array(grid, level, KEPT)
    ax, ay, az = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    own = level_array(grid, level, DIAGONAL)
    for i in range(1, nx + 1):
        for j in range(1, ny + 1):
            first, end = fine_nz + 1, 1
            for a in range(2 * i - 1, min(2 * i, fx) + 1):
                for b in range(2 * j - 1, min(2 * j, fy) + 1):
                    if fine_rows[a, b, 1] > fine_rows[a, b, 0]:
                        first, end = min(first, fine_rows[a, b, 0]), max(end, fine_rows[a, b, 1])
            rows[i, j, 0] = (first + 1) // 2 if end > first else 1
            rows[i, j, 1] = end // 2 + 1 if end > first else 1
            for a in range(2 * i - 1, min(2 * i, fx) + 1):
                for b in range(2 * j - 1, min(2 * j, fy) + 1):
                    for k in range(fine_rows[a, b, 0], fine_rows[a, b, 1]):
                        if kept[a, b, k] == _ZERO:
                            continue
                        c = (k + 1) // 2
                        along_x, along_y = ax[a, b, k] * kept[a - 1, b, k], ay[a, b, k] * kept[a, b - 1, k]
                        along_z = az[a, b, k] * kept[a, b, k - 1]
                        inner = _ZERO
                        if a % 2 == 0:
                            inner += along_x
                        else:
                            cx[i, j, c] += _HALF * along_x
                        if b % 2 == 0:
                            inner += along_y
                        else:
                            cy[i, j, c] += _HALF * along_y
                        if k % 2 == 0:
                            inner += along_z
                        else:
                            cz[i, j, c] += _HALF * along_z
                        diagonal[i, j, c] += _HALF * own[a, b, k] - inner


@kernel
def cycle(grid: Multigrid) -> None:
    """Solve roughly for RIGHT of the finest level, from zero; the answer stands in its FIRST."""
    last = len(grid.table) - 1
    for level in range(last):
        _relax_first(grid, level, _FINE[0], SECOND)
        _relax(grid, level, SECOND, _FINE[1], FIRST)
        _residual(grid, level)
        _collect(grid, level)
    _relax_first(grid, last, _COARSE[0], FIRST)
    for turn in range(1, 8):
        _relax(grid, last, FIRST if turn % 2 else SECOND, _COARSE[turn], SECOND if turn % 2 else FIRST)
    level_array(grid, last, FIRST)[:] = level_array(grid, last, SECOND)
    for level in range(last - 1, -1, -1):
        _interpolate(grid, level)
        _relax(grid, level, FIRST, _FINE[1], SECOND)
        _relax(grid, level, SECOND, _FINE[0], FIRST)


@kernel
def _relax_first(grid: Multigrid, level: int, step: np.float32, out: int) -> None:
    """Relax once from zero."""
    rows = level_rows(grid, level)
    inverse, right, x = (
        level_array(grid, level, INVERSE),
        level_array(grid, level, RIGHT),
        level_array(grid, level, out),
    )
    for i in range(1, grid.table[level, NX] + 1):
        for j in range(1, grid.table[level, NY] + 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                x[i, j, k] = step * inverse[i, j, k] * right[i, j, k]


@kernel
def _relax(grid: Multigrid, level: int, given: int, step: np.float32, out: int) -> None:
    """Relax once: x + step D^-1 (b - A x)."""
    rows, line = level_rows(grid, level), grid.lines[0]
    cx, cy, cz = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    inverse, right = level_array(grid, level, INVERSE), level_array(grid, level, RIGHT)
    x, y = level_array(grid, level, given), level_array(grid, level, out)
    kept = _ONE - step
    for i in range(1, grid.table[level, NX] + 1):
        for j in range(1, grid.table[level, NY] + 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            sum_around(cx, cy, cz, x, i, j, first, end, line)
            for k in range(first, end):
                y[i, j, k] = kept * x[i, j, k] + step * inverse[i, j, k] * (right[i, j, k] + line[k])


@kernel
def _residual(grid: Multigrid, level: int) -> None:
    """Write what FIRST leaves of the right-hand side into SECOND, where the next level knows the cell."""
    rows, line = level_rows(grid, level), grid.lines[0]
    cx, cy, cz = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    diagonal, right = level_array(grid, level, DIAGONAL), level_array(grid, level, RIGHT)
    kept = level_array(grid, level, KEPT)
    x, y = level_array(grid, level, FIRST), level_array(grid, level, SECOND)
    for i in range(1, grid.table[level, NX] + 1):
        for j in range(1, grid.table[level, NY] + 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            sum_around(cx, cy, cz, x, i, j, first, end, line)
            for k in range(first, end):
                line[k] += right[i, j, k] - diagonal[i, j, k] * x[i, j, k]
            for k in range(first, end):
                y[i, j, k] = kept[i, j, k] * line[k]


@inlined
def _share(fine: int, coarse: int, count: int) -> np.float32:
    """Give the share of a coarse cell in a fine one along one axis, both numbered from 1, `count` coarse ones."""
    near = (fine + 1) // 2
    other = near + 1 if fine % 2 == 0 else near - 1
    other = min(max(other, 1), count)
    share = _ZERO
    if coarse == near:
        share += _THREE_QUARTERS
    if coarse == other:
        share += _QUARTER
    return share


@kernel
def _collect(grid: Multigrid, level: int) -> None:
    """Collect the residual in SECOND as the right-hand side of the next level."""
    rows, fine_rows = level_rows(grid, level + 1), level_rows(grid, level)
    right, residual = level_array(grid, level + 1, RIGHT), level_array(grid, level, SECOND)
    inverse = level_array(grid, level + 1, INVERSE)
    nx, ny, nz = grid.table[level + 1, NX], grid.table[level + 1, NY], grid.table[level + 1, NZ]
    fx, fy, fz = grid.table[level, NX], grid.table[level, NY], grid.table[level, NZ]
    line = grid.lines[1]
    for i in range(1, nx + 1):
        for j in range(1, ny + 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            if end <= first:
                continue
            low, high = max(2 * first - 2, 1), min(2 * end, fz + 1)
            for k in range(low - 1, high + 2):
                line[k] = _ZERO
            for a in range(max(2 * i - 2, 1), min(2 * i + 1, fx) + 1):
                share = _share(a, i, nx)
                for b in range(max(2 * j - 2, 1), min(2 * j + 1, fy) + 1):
                    both = share * _share(b, j, ny)
                    for k in range(max(fine_rows[a, b, 0], low, 1), min(fine_rows[a, b, 1], high)):
                        line[k] += both * residual[a, b, k]
            for k in range(first, end):
                inside = _THREE_QUARTERS * (line[2 * k - 1] + line[2 * k])
                right[i, j, k] = inside + _QUARTER * (line[2 * k - 2] + line[2 * k + 1])
            if first == 1:
                right[i, j, 1] += _QUARTER * line[1]
            if end == nz + 1 and fz % 2 == 0:
                right[i, j, nz] += _QUARTER * line[fz]
            for k in range(first, end):
                right[i, j, k] = right[i, j, k] if inverse[i, j, k] > _ZERO else _ZERO


@kernel
def _interpolate(grid: Multigrid, level: int) -> None:
    """Add the correction in FIRST of the next level to FIRST."""
    rows, coarse_rows = level_rows(grid, level), level_rows(grid, level + 1)
    x, correction = level_array(grid, level, FIRST), level_array(grid, level + 1, FIRST)
    kept = level_array(grid, level, KEPT)
    nx, ny, nz = grid.table[level + 1, NX], grid.table[level + 1, NY], grid.table[level + 1, NZ]
    line = grid.lines[1]
    for i in range(1, grid.table[level, NX] + 1):
        near_i = (i + 1) // 2
        for j in range(1, grid.table[level, NY] + 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            if end <= first:
                continue
            near_j = (j + 1) // 2
            low, high = max((first + 1) // 2 - 1, 0), end // 2 + 2
            for k in range(low, high + 1):
                line[k] = _ZERO
            for a in range(max(near_i - 1, 1), min(near_i + 1, nx) + 1):
                share = _share(i, a, nx)
                for b in range(max(near_j - 1, 1), min(near_j + 1, ny) + 1):
                    both = share * _share(j, b, ny)
                    if both == _ZERO:
                        continue
                    for k in range(max(coarse_rows[a, b, 0], low, 1), min(coarse_rows[a, b, 1], high)):
                        line[k] += both * correction[a, b, k]
            line[0], line[nz + 1] = line[1], line[nz]
            for k in range(first, end):
                near = (k + 1) // 2
                other = near + 1 if k % 2 == 0 else near - 1
                x[i, j, k] += kept[i, j, k] * (_THREE_QUARTERS * line[near] + _QUARTER * line[other])
