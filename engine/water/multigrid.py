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
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.water.rows import sum_around

Singles = NDArray[np.float32]

CX, CY, CZ, DIAGONAL, INVERSE, KEPT, RIGHT, FIRST, SECOND = range(9)
KINDS = 9
NX, NY, NZ, NUMBERS, STRETCHES = range(5)


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

    numbers: Singles  # of each level KINDS arrays [nx + 2, ny + 2, nz + 2], flat
    stretches: IntArray  # of each plane of each level where its wet rows begin and end in such an array; [nx + 2, 2]
    table: LongArray  # of each level nx, ny, nz, where its numbers begin, where its stretches
    lines: Singles  # room for two planes of the finest level


def new_multigrid(cells: tuple[int, int, int]) -> Multigrid:
    """Make room for all levels, down to one of at most two cells along each axis."""
    table: list[tuple[int, ...]] = []
    numbers = stretches = 0
    nx, ny, nz = cells
    while True:
        table.append((nx, ny, nz, numbers, stretches))
        numbers += KINDS * (nx + 2) * (ny + 2) * (nz + 2)
        stretches += (nx + 2) * 2
        if max(nx, ny, nz) <= 2:
            break
        nx, ny, nz = (nx + 1) // 2, (ny + 1) // 2, (nz + 1) // 2
    lines = np.zeros((2, (cells[1] + 4) * (cells[2] + 4)), np.float32)
    return Multigrid(np.zeros(numbers, np.float32), np.zeros(stretches, np.int32), np.array(table, np.int64), lines)


@inlined
def level_array(grid: Multigrid, level: int, kind: int) -> Singles:
    """View one array of a level."""
    table = grid.table
    size = (table[level, NX] + 2) * (table[level, NY] + 2) * (table[level, NZ] + 2)
    start = table[level, NUMBERS] + kind * size
    return grid.numbers[start : start + size]


@inlined
def stretch(grid: Multigrid, level: int, i: int) -> tuple[int, int]:
    """Give where the stretch of plane i of a level begins, and how many numbers it has."""
    at = grid.table[level, STRETCHES] + 2 * i
    return grid.stretches[at], grid.stretches[at + 1] - grid.stretches[at]


@inlined
def steps_of(grid: Multigrid, level: int) -> tuple[int, int]:
    """Give how far the next row and the next plane are away."""
    row = grid.table[level, NZ] + 2
    return row, row * (grid.table[level, NY] + 2)


@kernel
def coarsen(grid: Multigrid) -> None:
    """Make the matrices of all coarser levels from that of the finest."""
    _finish_level(grid, 0)
    for level in range(len(grid.table) - 1):
        _find_stretches(grid, level)
        _coarsen_level(grid, level)
        _finish_level(grid, level + 1)


@kernel
def _finish_level(grid: Multigrid, level: int) -> None:
    """Write what follows from a level's matrix: the inverse of the diagonal, which cells the next level knows."""
    row, plane = steps_of(grid, level)
    a, b, c = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    line = grid.lines[0]
    level_array(grid, level, INVERSE)[:] = _ZERO
    level_array(grid, level, KEPT)[:] = _ZERO
    for i in range(1, grid.table[level, NX] + 1):
        start, count = stretch(grid, level, i)
        end = start + count
        inverse, kept = level_array(grid, level, INVERSE)[start:end], level_array(grid, level, KEPT)[start:end]
        diagonal = level_array(grid, level, DIAGONAL)[start:end]
        for near, off in ((a, plane), (b, row), (c, 1)):
            before, after = near[start:end], near[start + off : end + off]
            for t in range(count):
                line[t] = before[t] + after[t] if off == plane else line[t] + before[t] + after[t]
        for t in range(count):
            inverse[t] = _ONE / diagonal[t] if diagonal[t] > _ZERO else _ZERO
        for t in range(count):
            kept[t] = _ONE if (_HELD * line[t] >= diagonal[t]) & (diagonal[t] > _ZERO) else _ZERO


@kernel
def _find_stretches(grid: Multigrid, level: int) -> None:
    """Find the stretches of the next level: what covers those of this one."""
    row, plane = steps_of(grid, level)
    next_row, next_plane = steps_of(grid, level + 1)
    for i in range(1, grid.table[level + 1, NX] + 1):
        first, end = grid.table[level + 1, NY] + 2, 0
        for a in range(2 * i - 1, min(2 * i, grid.table[level, NX]) + 1):
            start, count = stretch(grid, level, a)
            if count > 0:
                low = (start - a * plane) // row
                first, end = min(first, (low + 1) // 2), max(end, (low + count // row) // 2 + 1)
        at = grid.table[level + 1, STRETCHES] + 2 * i
        grid.stretches[at] = i * next_plane + min(first, end) * next_row
        grid.stretches[at + 1] = i * next_plane + end * next_row


@kernel
def _coarsen_level(grid: Multigrid, level: int) -> None:
    """Add up the matrix of a level on the next one."""
    row, plane = steps_of(grid, level)
    next_row, next_plane = steps_of(grid, level + 1)
    cx, cy, cz = level_array(grid, level + 1, CX), level_array(grid, level + 1, CY), level_array(grid, level + 1, CZ)
    diagonal = level_array(grid, level + 1, DIAGONAL)
    ax, ay, az = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    own, kept = level_array(grid, level, DIAGONAL), level_array(grid, level, KEPT)
    cx[:], cy[:], cz[:], diagonal[:] = _ZERO, _ZERO, _ZERO, _ZERO
    for a in range(1, grid.table[level, NX] + 1):
        start, count = stretch(grid, level, a)
        for at_row in range(start, start + count, row):
            b = (at_row - a * plane) // row
            to = (a + 1) // 2 * next_plane + (b + 1) // 2 * next_row
            fine = ax, ay, az, own, kept
            coarse = (
                cx[to : to + next_row],
                cy[to : to + next_row],
                cz[to : to + next_row],
                diagonal[to : to + next_row],
            )
            _coarsen_row(fine, at_row, (row, plane), (a % 2 == 0, b % 2 == 0), grid.lines[0], coarse)


@borrowing
@kernel
def _coarsen_row(
    fine: tuple[Singles, Singles, Singles, Singles, Singles],
    start: int,
    steps: tuple[int, int],
    inner: tuple[bool, bool],
    lines: Singles,
    coarse: tuple[Singles, Singles, Singles, Singles],
) -> None:
    """Add a row to the next level. fine: couplings, diagonal, which cells are known there; inner: couplings along x and
    y are within a coarse cell; lines: room for five rows."""
    row, plane = steps
    ax, ay, az, own, kept = fine
    cx, cy, cz, diagonal = coarse
    end = start + row
    x, y, z, part = lines[:row], lines[row : 2 * row], lines[2 * row : 3 * row], lines[3 * row : 4 * row]
    here = kept[start:end]
    _product(ax[start:end], kept[start - plane : end - plane], here, x)
    _product(ay[start:end], kept[start - row : end - row], here, y)
    _product(az[start:end], kept[start - 1 : end - 1], here, z)
    given = own[start:end]
    within, along, across = lines[4 * row : 5 * row], _ONE if inner[0] else _ZERO, _ONE if inner[1] else _ZERO
    for k in range(row):
        part[k] = _HALF * given[k] * here[k]
    for k in range(row):
        within[k] = along * x[k] + across * y[k]
    for c in range(1, row // 2):
        k = 2 * c - 1
        diagonal[c] = diagonal[c] + (part[k] - within[k]) + (part[k + 1] - (within[k + 1] + z[k + 1]))
        cx[c] = cx[c] + (_HALF - _HALF * along) * x[k] + (_HALF - _HALF * along) * x[k + 1]
        cy[c] = cy[c] + (_HALF - _HALF * across) * y[k] + (_HALF - _HALF * across) * y[k + 1]
        cz[c] += _HALF * z[k]
    if row % 2 == 1:
        k = row - 2
        diagonal[row // 2] += part[k] - within[k]
        cx[row // 2] += (_HALF - _HALF * along) * x[k]
        cy[row // 2] += (_HALF - _HALF * across) * y[k]
        cz[row // 2] += _HALF * z[k]


@borrowing
@inlined
def _product(a: Singles, b: Singles, c: Singles, out: Singles) -> None:
    """Multiply three rows."""
    for k in range(len(out)):
        out[k] = a[k] * b[k] * c[k]


@kernel
def cycle(grid: Multigrid) -> None:
    """Solve roughly for RIGHT of the finest level, from zero; the answer stands in its FIRST."""
    last = len(grid.table) - 1
    for level in range(last):
        _go_down(grid, level)
    for turn in range(8):
        given = FIRST if turn % 2 else SECOND
        for i in range(1, grid.table[last, NX] + 1):
            if turn == 0:
                _relax_first(grid, last, i, _COARSE[0], FIRST)
            else:
                _relax(grid, last, i, given, _COARSE[turn], SECOND if turn % 2 else FIRST)
    for i in range(1, grid.table[last, NX] + 1):
        _relax(grid, last, i, SECOND, _ZERO, FIRST)
    for level in range(last - 1, -1, -1):
        _go_up(grid, level)


@kernel
def _go_down(grid: Multigrid, level: int) -> None:
    """Relax twice from zero, and collect the residual. Each plane goes through all of it while it is at hand."""
    nx = grid.table[level, NX]
    for i in range(1, nx + 3):
        if i <= nx:
            _relax_first(grid, level, i, _FINE[0], SECOND)
        if 1 < i <= nx + 1:
            _relax(grid, level, i - 1, SECOND, _FINE[1], FIRST)
        if i > 2:
            _residual(grid, level, i - 2)
            if i % 2 == 1 and i > 3:
                _collect(grid, level, (i - 3) // 2)
    if nx % 2 == 0:
        _collect(grid, level, nx // 2)
    else:
        _collect(grid, level, (nx + 1) // 2)


@kernel
def _go_up(grid: Multigrid, level: int) -> None:
    """Correct by the next level, and relax twice."""
    nx = grid.table[level, NX]
    for i in range(1, nx + 3):
        if i <= nx:
            _interpolate(grid, level, i)
        if 1 < i <= nx + 1:
            _relax(grid, level, i - 1, FIRST, _FINE[1], SECOND)
        if i > 2:
            _relax(grid, level, i - 2, SECOND, _FINE[0], FIRST)


@kernel
def _relax_first(grid: Multigrid, level: int, i: int, step: np.float32, out: int) -> None:
    """Relax a plane once from zero."""
    start, count = stretch(grid, level, i)
    end = start + count
    inverse, right = level_array(grid, level, INVERSE)[start:end], level_array(grid, level, RIGHT)[start:end]
    x = level_array(grid, level, out)[start:end]
    for t in range(count):
        x[t] = step * inverse[t] * right[t]


@kernel
def _relax(grid: Multigrid, level: int, i: int, given: int, step: np.float32, out: int) -> None:
    """Relax a plane once: x + step D^-1 (b - A x)."""
    row, plane = steps_of(grid, level)
    line = grid.lines[0]
    start, count = stretch(grid, level, i)
    end = start + count
    cx, cy, cz = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    source = level_array(grid, level, given)
    inverse, right = level_array(grid, level, INVERSE)[start:end], level_array(grid, level, RIGHT)[start:end]
    x, y = source[start:end], level_array(grid, level, out)[start:end]
    sum_around(cx, cy, cz, source, start, count, row, plane, line)
    kept = _ONE - step
    for t in range(count):
        y[t] = kept * x[t] + step * inverse[t] * (right[t] + line[t])


@kernel
def _residual(grid: Multigrid, level: int, i: int) -> None:
    """Write what FIRST leaves of a plane's right-hand side into SECOND, where the next level knows the cell."""
    row, plane = steps_of(grid, level)
    line = grid.lines[0]
    start, count = stretch(grid, level, i)
    end = start + count
    cx, cy, cz = level_array(grid, level, CX), level_array(grid, level, CY), level_array(grid, level, CZ)
    source = level_array(grid, level, FIRST)
    diagonal, right = level_array(grid, level, DIAGONAL)[start:end], level_array(grid, level, RIGHT)[start:end]
    kept = level_array(grid, level, KEPT)[start:end]
    x, y = source[start:end], level_array(grid, level, SECOND)[start:end]
    sum_around(cx, cy, cz, source, start, count, row, plane, line)
    for t in range(count):
        line[t] += right[t] - diagonal[t] * x[t]
    for t in range(count):
        y[t] = kept[t] * line[t]


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
def _collect(grid: Multigrid, level: int, i: int) -> None:
    """Collect the residual in SECOND as the right-hand side of plane i of the next level."""
    row, plane = steps_of(grid, level)
    next_row, next_plane = steps_of(grid, level + 1)
    residual = level_array(grid, level, SECOND)
    nx, ny, nz = grid.table[level + 1, NX], grid.table[level + 1, NY], grid.table[level + 1, NZ]
    fx, fy, fz = grid.table[level, NX], grid.table[level, NY], grid.table[level, NZ]
    sums, line = grid.lines[0], grid.lines[1]
    to, all_of_them = stretch(grid, level + 1, i)
    if all_of_them == 0:
        return
    sums[:plane] = _ZERO
    for a in range(max(2 * i - 2, 1), min(2 * i + 1, fx) + 1):
        start, count = stretch(grid, level, a)
        part, given = sums[start - a * plane : start - a * plane + count], residual[start : start + count]
        share = _share(a, i, nx)
        for t in range(count):
            part[t] += share * given[t]
    for at in range(to, to + all_of_them, next_row):
        j = (at - i * next_plane) // next_row
        line[: row + 2] = _ZERO
        for b in range(max(2 * j - 2, 1), min(2 * j + 1, fy) + 1):
            given, share = sums[b * row : (b + 1) * row], _share(b, j, ny)
            for t in range(row):
                line[t] += share * given[t]
        line[0] = line[1]
        if fz % 2 == 0:
            line[fz + 1] = line[fz]
        right = level_array(grid, level + 1, RIGHT)[at : at + next_row]
        inverse = level_array(grid, level + 1, INVERSE)[at : at + next_row]
        for k in range(1, nz + 1):
            inside = _THREE_QUARTERS * (line[2 * k - 1] + line[2 * k])
            total = inside + _QUARTER * (line[2 * k - 2] + line[2 * k + 1])
            right[k] = total if inverse[k] > _ZERO else _ZERO


@kernel
def _interpolate(grid: Multigrid, level: int, i: int) -> None:
    """Add the correction in FIRST of the next level to plane i of FIRST."""
    row, plane = steps_of(grid, level)
    next_row, next_plane = steps_of(grid, level + 1)
    correction = level_array(grid, level + 1, FIRST)
    nx, ny, nz = grid.table[level + 1, NX], grid.table[level + 1, NY], grid.table[level + 1, NZ]
    sums, line = grid.lines[0], grid.lines[1]
    start, all_of_them = stretch(grid, level, i)
    if all_of_them == 0:
        return
    sums[:next_plane] = _ZERO
    near = (i + 1) // 2
    for a in range(max(near - 1, 1), min(near + 1, nx) + 1):
        to, count = stretch(grid, level + 1, a)
        share = _share(i, a, nx)
        part, given = sums[to - a * next_plane : to - a * next_plane + count], correction[to : to + count]
        for t in range(count):
            part[t] += share * given[t]
    for at in range(start, start + all_of_them, row):
        j = (at - i * plane) // row
        near = (j + 1) // 2
        other = min(max(near + 1 if j % 2 == 0 else near - 1, 1), ny)
        first, second = sums[near * next_row : (near + 1) * next_row], sums[other * next_row : (other + 1) * next_row]
        for t in range(next_row):
            line[t] = _THREE_QUARTERS * first[t] + _QUARTER * second[t]
        line[0], line[nz + 1] = line[1], line[nz]
        x, kept = level_array(grid, level, FIRST)[at : at + row], level_array(grid, level, KEPT)[at : at + row]
        for k in range(1, row // 2):
            x[2 * k - 1] += kept[2 * k - 1] * (_THREE_QUARTERS * line[k] + _QUARTER * line[k - 1])
        for k in range(1, row // 2):
            x[2 * k] += kept[2 * k] * (_THREE_QUARTERS * line[k] + _QUARTER * line[k + 1])
        if row % 2 == 1:
            x[row - 2] += kept[row - 2] * (_THREE_QUARTERS * line[nz] + _QUARTER * line[nz - 1])
