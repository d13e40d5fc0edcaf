"""The equation of the pressure: its matrix, its right-hand side, what follows for the velocities.

In each wet cell (distance to the surface below zero at its centre, some face open) what flows out by open faces and
what solids drive out by the rest add up to nothing, or to what is wanted where water swells:

    sum over faces of sign (weight u + (1 - weight) u_solid) = swelling

with u = u* - (q - q_before) across each open face of a wet cell: the variational form of Batty et al. (2007) on faces
(Ng et al. 2009). q is the pressure times dt / (density spacing) [m/s]. At a dry cell q is zero not at its centre but
on the surface between, at the share theta of the way: the difference is q_wet / theta (second order: Gibou et al.
2002). A resting tank therefore rests exactly, wherever its level lies. theta is kept above 1e-9.

Vectors stand in padded arrays, flat, and loops run along stretches (rows.py), those at faces across z along rows.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.water import multigrid as levels
from engine.water.boundaries import Shares
from engine.water.multigrid import CX, CY, CZ, STRETCHES, Multigrid, level_array, new_multigrid, steps_of, stretch
from engine.water.rows import AnyNumbers, total

Flags = NDArray[np.uint8]

UNKNOWN, KNOWN, FIXED = np.uint8(0), np.uint8(1), np.uint8(2)
DIAGONAL, Q, RESIDUAL, SEARCH, PRODUCT = range(5)
KINDS = 5
ITERATIONS, LEFT, GIVEN, WET, OPEN, SWELLING = range(6)
OUTCOMES = 6
_STEEPEST = 1e9  # 1 / theta
_NOTHING = np.float32(0.0)
_DIAGONAL = levels.DIAGONAL


class Faces(NamedTuple):
    """Numbers at faces across x, y, z."""

    u: Array
    v: Array
    w: Array


class Open(NamedTuple):
    """Open shares of faces across x, y, z."""

    u: Shares
    v: Shares
    w: Shares


class Solve(NamedTuple):
    """Room of the equation. Couplings stand in the finest level of `multigrid`."""

    numbers: Array  # diagonal and vectors, each padded and flat: [KINDS, (nx + 2) (ny + 2) (nz + 2)]
    multigrid: Multigrid
    lines: Array  # [6, (ny + 2) (nz + 2)]
    outcome: Array


def new_solve(cells: tuple[int, int, int]) -> Solve:
    """Make room for a grid's equation."""
    plane = (cells[1] + 2) * (cells[2] + 2)
    numbers, lines = np.zeros((KINDS, (cells[0] + 2) * plane)), np.zeros((6, plane))
    return Solve(numbers, new_multigrid(cells), lines, np.zeros(OUTCOMES))


@kernel
def build(phi: Array, weights: Open, solve: Solve) -> None:
    """Write the matrix of the finest level."""
    grid, outcome, nx = solve.multigrid, solve.outcome, phi.shape[0]
    row, plane = steps_of(grid, 0)
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    diagonal, single = solve.numbers[DIAGONAL], level_array(grid, 0, _DIAGONAL)
    sums = solve.lines[2]
    sums[:] = 0.0
    wet = 0
    for i in range(nx):
        start, count = stretch(grid, 0, i + 1)
        for each in (cx, cy, cz, single):
            each[start : start + count] = _NOTHING
        diagonal[start : start + count] = 0.0
        low, high = _wet_rows(phi, i)
        start = (i + 1) * plane + (low + 1) * row
        at = grid.table[0, STRETCHES] + 2 * (i + 1)
        grid.stretches[at], grid.stretches[at + 1] = start, start + (high - low) * row
        if high == low:
            continue
        wet += _build_rows(phi, weights, i, (low, high), start + 1, row, solve.lines, (cx, cy, cz), diagonal, single)
        cx_first = cx[start : start + (high - low) * row]
        if i == 0:
            cx_first[:] = _NOTHING
        if low == 0:
            cy[start : start + row] = _NOTHING
    outcome[WET], outcome[OPEN] = wet, total(sums)


@borrowing
@kernel
def _build_rows(
    phi: Array,
    weights: Open,
    i: int,
    rows: tuple[int, int],
    start: int,
    row: int,
    lines: Array,
    couplings: tuple[Shares, Shares, Shares],
    diagonal: Array,
    single: Shares,
) -> int:
    """Write couplings and diagonal of the wet rows of plane i; give how many cells are wet. Lines: what water, and the
    surface, do to the diagonal."""
    nx, ny, nz = phi.shape
    wet = 0
    cx, cy, cz = couplings
    whole, surface = lines[0, :nz], lines[1, :nz]
    for j in range(rows[0], rows[1]):
        to, here = start + (j - rows[0]) * row, phi[i, j]
        west, east = phi[max(i - 1, 0), j], phi[min(i + 1, nx - 1), j]
        below, above = phi[i, max(j - 1, 0)], phi[i, min(j + 1, ny - 1)]
        all_wet = _all_wet(here) and _all_wet(west) and _all_wet(east) and _all_wet(below) and _all_wet(above)
        for k in range(nz):
            whole[k] = surface[k] = 0.0
        if i > 0:
            _side(here, west, weights.u[i, j], all_wet, whole, surface)
        if i < nx - 1:
            _side(here, east, weights.u[i + 1, j], all_wet, whole, surface)
        if j > 0:
            _side(here, below, weights.v[i, j], all_wet, whole, surface)
        if j < ny - 1:
            _side(here, above, weights.v[i, j + 1], all_wet, whole, surface)
        _side(here[1:], here, weights.w[i, j, 1:nz], all_wet, whole[1:], surface[1:])
        _side(here, here[1:], weights.w[i, j, 1:nz], all_wet, whole, surface)
        _couple(here, west, weights.u[i, j], cx[to : to + nz])
        _couple(here, below, weights.v[i, j], cy[to : to + nz])
        _couple(here[1:], here, weights.w[i, j, 1:], cz[to + 1 : to + nz])
        wet += _diagonal(here, whole, surface, diagonal[to : to + nz], single[to : to + nz], lines[2])
    return wet


@borrowing
@inlined
def _all_wet(phi: Array) -> bool:
    """Tell whether all cells of a row are wet."""
    dry = 0
    for k in range(len(phi)):
        dry += phi[k] >= 0.0
    return dry == 0


@inlined
def _part(field: AnyNumbers, i: int, first: int, count: int) -> AnyNumbers:
    """View a stretch of plane i of an array of cells or faces."""
    plane = field.shape[1] * field.shape[2]
    return field.ravel()[i * plane + first : i * plane + first + count]


@inlined
def _wet_rows(phi: Array, i: int) -> tuple[int, int]:
    """Give the first row of a plane with a wet cell, and the one after the last."""
    plane = phi[i].ravel()
    nz = phi.shape[2]
    first, end = 0, len(plane)
    while first < end and plane[first] >= 0.0:
        first += 1
    while end > first and plane[end - 1] >= 0.0:
        end -= 1
    return (first // nz, (end + nz - 1) // nz) if end > first else (0, 0)


@borrowing
@inlined
def _side(here: Array, beyond: Array, shares: Shares, all_wet: bool, whole: Array, surface: Array) -> None:
    """Add to the diagonal of cells what their neighbours on one side do."""
    if all_wet:
        for t in range(len(shares)):
            whole[t] += shares[t]
        return
    for t in range(len(shares)):
        whole[t] += shares[t] if beyond[t] < 0.0 else 0.0
    for t in range(len(shares)):
        steepness = min((here[t] - beyond[t]) / here[t], _STEEPEST)
        surface[t] += shares[t] * steepness if beyond[t] >= 0.0 else 0.0


@borrowing
@inlined
def _couple(here: Array, before: Array, shares: Shares, out: Shares) -> None:
    """Write the couplings of cells with those before them."""
    for k in range(len(out)):
        out[k] = shares[k] if (here[k] < 0.0) & (before[k] < 0.0) else _NOTHING


@borrowing
@inlined
def _diagonal(here: Array, one: Array, two: Array, diagonal: Array, single: Shares, sums: Array) -> int:
    """Write the diagonal of a row, in both precisions; add up what of it is by the surface. Give how many are wet."""
    nz, wet = len(here), 0
    for k in range(nz):
        diagonal[k] = one[k] + two[k] if here[k] < 0.0 else 0.0
    for k in range(nz):
        single[k] = diagonal[k]
    for k in range(nz):
        sums[k] += two[k] if here[k] < 0.0 else 0.0
    for k in range(nz):
        wet += here[k] < 0.0
    return wet


@kernel
def outflow(velocities: Faces, weights: Open, solids: Faces, solve: Solve) -> float:
    """Write what is wanted to flow out of each wet cell, less what does, into the residual; give the root of the sum of
    squares."""
    grid, out, sums = solve.multigrid, solve.lines[0], solve.lines[1]
    residual, diagonal = solve.numbers[RESIDUAL], solve.numbers[DIAGONAL]
    u, v, w = velocities.u, velocities.v, velocities.w
    nz, wanted = w.shape[2] - 1, solve.outcome[SWELLING]
    row, plane = steps_of(grid, 0)
    sums[:] = 0.0
    for i in range(w.shape[0]):
        start, every = stretch(grid, 0, i + 1)
        low = (start - (i + 1) * plane) // row - 1
        first, count = low * nz, every // row * nz
        out[:count] = 0.0
        for turn in range(2):
            a, b, sign = i + turn, first + turn * nz, -1.0 + 2.0 * turn
            share, solid = _part(weights.u, a, first, count), _part(solids.u, a, first, count)
            _flow(_part(u, a, first, count), share, solid, sign, out)
            share, solid = _part(weights.v, i, b, count), _part(solids.v, i, b, count)
            _flow(_part(v, i, b, count), share, solid, sign, out)
        fields, rows = (w, weights.w, solids.w), (low, low + every // row)
        _outflow_rows(fields, i, rows, start + 1, row, wanted, solve.lines, diagonal, residual)
    return math.sqrt(total(sums))


@borrowing
@kernel
def _outflow_rows(
    fields: tuple[Array, Shares, Array],
    i: int,
    rows: tuple[int, int],
    start: int,
    row: int,
    wanted: float,
    lines: Array,
    diagonal: Array,
    residual: Array,
) -> None:
    """Add what flows along z in plane i, and write the residual; fields: velocities, open shares, those of solids."""
    w, weights, solids = fields
    nz, sums = w.shape[2] - 1, lines[1]
    for j in range(rows[0], rows[1]):
        line, to = lines[0, (j - rows[0]) * nz :], start + (j - rows[0]) * row
        _flow(w[i, j, :nz], weights[i, j], solids[i, j], -1.0, line)
        _flow(w[i, j, 1:], weights[i, j, 1:], solids[i, j, 1:], 1.0, line)
        own, left = diagonal[to : to + nz], residual[to : to + nz]
        for k in range(nz):
            left[k] = wanted - line[k] if own[k] > 0.0 else 0.0
        for k in range(nz):
            sums[k] += left[k] * left[k]


@borrowing
@kernel
def _flow(u: Array, shares: Shares, solids: Array, sign: float, out: Array) -> None:
    """Add what flows through faces."""
    for t in range(len(u)):
        out[t] += sign * (shares[t] * u[t] + (1.0 - shares[t]) * solids[t])


@kernel
def subtract(u: Array, phi: Array, weights: Shares, solids: Array, known: Flags, solve: Solve, axis: int) -> float:
    """Take the pressure's gradient from the velocities along one axis at open faces of wet cells, then `known`.

    Walls of the tank move as their solid does, other faces stand still until velocities are extrapolated. Give the
    change of velocities, added up over wet cells."""
    grid, lines = solve.multigrid, solve.lines
    row, plane = steps_of(grid, 0)
    nx, di, dj = len(u), int(axis == 0), int(axis == 1)
    lines[0, :] = 0.0
    for i in range(nx):
        low, end = phi.shape[1], 0
        for a in range(max(i - di, 0), min(i, phi.shape[0] - 1) + 1):
            start, every = stretch(grid, 0, a + 1)
            if every > 0:
                low = min(low, (start - (a + 1) * plane) // row - 1)
                end = max(end, (start + every - (a + 1) * plane) // row - 1 + dj)
        if di <= i < nx - di:
            _fall_rows(u, phi, weights, known, solve.numbers[Q], i, (low, end), axis, lines)
    return total(lines[0]) + _fix(u, phi, solids, known, axis)


@borrowing
@kernel
def _fall_rows(
    u: Array,
    phi: Array,
    weights: Shares,
    known: Flags,
    q: Array,
    i: int,
    rows: tuple[int, int],
    axis: int,
    lines: Array,
) -> None:
    """Let the pressure act on plane i, of which some rows have wet cells beside them."""
    _, ny, nz = u.shape
    di, dj, dk = int(axis == 0), int(axis == 1), int(axis == 2)
    row = phi.shape[2] + 2
    plane, count = (phi.shape[1] + 2) * row, nz - 2 * dk
    for j in range(dj, ny - dj):
        values, marks = u[i, j], known[i, j]
        if rows[0] <= j < rows[1]:
            to = (i + 1) * plane + (j + 1) * row + 1 + dk
            back = to - di * plane - dj * row - dk
            one, two = phi[i, j, dk : nz - dk], phi[i - di, j - dj, :count]
            shares = weights[i, j, dk : nz - dk]
            _fall(values[dk:], shares, marks[dk:], one, two, q[to : to + count], q[back : back + count], lines)
            continue
        for k in range(nz):
            values[k] = 0.0
        for k in range(nz):
            marks[k] = UNKNOWN


@borrowing
@inlined
def _fall(
    u: Array,
    weights: Shares,
    known: Flags,
    here: Array,
    before: Array,
    q_here: Array,
    q_before: Array,
    lines: Array,
) -> None:
    """Let the pressure act on a row of faces."""
    sums, fall, count = lines[0], lines[1], len(weights)
    if _all_wet(here) and _all_wet(before):
        for k in range(count):
            fall[k] = q_here[k] - q_before[k] if weights[k] > 0.0 else 0.0
        for k in range(count):
            sums[k] -= fall[k]
        for k in range(count):
            u[k] = u[k] - fall[k] if weights[k] > 0.0 else 0.0
        for k in range(count):
            known[k] = KNOWN if weights[k] > 0.0 else UNKNOWN
        return
    for k in range(count):
        fall[k] = (q_here[k] if here[k] < 0.0 else 0.0) - (q_before[k] if before[k] < 0.0 else 0.0)
    for k in range(count):
        fall[k] *= min((before[k] - here[k]) / before[k], _STEEPEST) if here[k] >= 0.0 else 1.0
    for k in range(count):
        fall[k] *= min((here[k] - before[k]) / here[k], _STEEPEST) if before[k] >= 0.0 else 1.0
    for k in range(count):
        sides = (0.5 if here[k] < 0.0 else 0.0) + (0.5 if before[k] < 0.0 else 0.0)
        sums[k] -= fall[k] * (sides if weights[k] > 0.0 else 0.0)
    for k in range(count):
        wet = ((here[k] < 0.0) | (before[k] < 0.0)) & (weights[k] > 0.0)
        fall[k] = fall[k] if wet else u[k]
    for k in range(count):
        wet = ((here[k] < 0.0) | (before[k] < 0.0)) & (weights[k] > 0.0)
        known[k] = KNOWN if wet else UNKNOWN
    for k in range(count):
        u[k] -= fall[k]


@inlined
def _fix(u: Array, phi: Array, solids: Array, known: Flags, axis: int) -> float:
    """Let the walls of the tank across an axis move as their solid does; give half of their change beside wet cells."""
    size = u.shape
    total = 0.0
    for end in range(2):
        first_i, first_j, first_k = end * (size[0] - 1), end * (size[1] - 1), end * (size[2] - 1)
        for i in range(first_i if axis == 0 else 0, first_i + 1 if axis == 0 else size[0]):
            for j in range(first_j if axis == 1 else 0, first_j + 1 if axis == 1 else size[1]):
                for k in range(first_k if axis == 2 else 0, first_k + 1 if axis == 2 else size[2]):
                    cell = phi[min(i, phi.shape[0] - 1), min(j, phi.shape[1] - 1), min(k, phi.shape[2] - 1)]
                    total += 0.5 * (solids[i, j, k] - u[i, j, k]) if cell < 0.0 else 0.0
                    known[i, j, k] = FIXED
                    u[i, j, k] = solids[i, j, k]
    return total


@kernel
def take_pressure(solve: Solve, unit: float, out: Array) -> None:
    """Write the pressure in cells, `unit` for one of q, zero where there is no water."""
    q, grid, nz = solve.numbers[Q], solve.multigrid, out.shape[2]
    row, plane = steps_of(grid, 0)
    out[:] = 0.0
    for i in range(out.shape[0]):
        start, count = stretch(grid, 0, i + 1)
        for at in range(start, start + count, row):
            line, given = out[i, (at - (i + 1) * plane) // row - 1], q[at + 1 : at + 1 + nz]
            for k in range(nz):
                line[k] = unit * given[k]
