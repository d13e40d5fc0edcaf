"""The equation of the pressure: its matrix, its right-hand side, what follows for the velocities.

In each wet cell (distance to the surface below zero at its centre, some face open) what flows out by open faces and
what solids drive out by the rest add up to nothing:

    sum over faces of sign (weight u + (1 - weight) u_solid) = 0

with u = u* - (q - q_before) across each open face of a wet cell: the variational form of Batty et al. (2007) on faces
(Ng et al. 2009). q is the pressure times dt / (density spacing) [m/s]. At a dry cell q is zero not at its centre but
on the surface between, at the share theta of the way: the difference is q_wet / theta (second order: Gibou et al.
2002). A resting tank therefore rests exactly, wherever its level lies. theta is kept above 1e-9.

All loops run along rows and are made of vectors; see rows.py.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water import multigrid as levels
from engine.water.boundaries import Shares
from engine.water.multigrid import CX, CY, CZ, Multigrid, level_array, level_rows, new_multigrid

Flags = NDArray[np.uint8]

UNKNOWN, KNOWN, FIXED = np.uint8(0), np.uint8(1), np.uint8(2)
DIAGONAL, Q, RESIDUAL, SEARCH, PRODUCT = range(5)
KINDS = 5
ITERATIONS, LEFT, GIVEN, WET, OPEN = range(5)
OUTCOMES = 5
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

    numbers: Array  # diagonal and vectors, each padded: [KINDS, nx + 2, ny + 2, nz + 2]
    multigrid: Multigrid
    lines: Array  # [6, nz + 2]
    outcome: Array


def new_solve(cells: tuple[int, int, int]) -> Solve:
    """Make room for a grid's equation."""
    padded = tuple(each + 2 for each in cells)
    return Solve(np.zeros((KINDS, *padded)), new_multigrid(cells), np.zeros((6, cells[2] + 2)), np.zeros(OUTCOMES))


@kernel
def build(phi: Array, weights: Open, solve: Solve) -> None:
    """Write the matrix of the finest level."""
    grid, outcome = solve.multigrid, solve.outcome
    nx, ny = phi.shape[0], phi.shape[1]
    rows = level_rows(grid, 0)
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    diagonal, single = solve.numbers[DIAGONAL], level_array(grid, 0, _DIAGONAL)
    whole, surface, sums = solve.lines[0], solve.lines[1], solve.lines[2]
    sums[:] = 0.0
    wet = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(max(rows[i + 1, j + 1, 0], 1), rows[i + 1, j + 1, 1]):
                cx[i + 1, j + 1, k] = cy[i + 1, j + 1, k] = cz[i + 1, j + 1, k] = _NOTHING
                single[i + 1, j + 1, k] = _NOTHING
            first, end = _ends(phi, i, j)
            rows[i + 1, j + 1, 0], rows[i + 1, j + 1, 1] = first + 1, end + 1
            if end == first:
                continue
            whole[:], surface[:] = 0.0, 0.0
            if i > 0:
                _side(phi, weights.u, i, j, i - 1, j, i, j, first, end, whole, surface)
                _couple(phi, weights.u, i, j, i - 1, j, first, end, cx)
            if i < nx - 1:
                _side(phi, weights.u, i, j, i + 1, j, i + 1, j, first, end, whole, surface)
            if j > 0:
                _side(phi, weights.v, i, j, i, j - 1, i, j, first, end, whole, surface)
                _couple(phi, weights.v, i, j, i, j - 1, first, end, cy)
            if j < ny - 1:
                _side(phi, weights.v, i, j, i, j + 1, i, j + 1, first, end, whole, surface)
            _row_sides(phi, weights.w, i, j, first, end, whole, surface, cz)
            for k in range(first, end):
                diagonal[i + 1, j + 1, k + 1] = whole[k] + surface[k] if phi[i, j, k] < 0.0 else 0.0
            for k in range(first, end):
                single[i + 1, j + 1, k + 1] = diagonal[i + 1, j + 1, k + 1]
            for k in range(first, end):
                sums[k] += surface[k] if phi[i, j, k] < 0.0 else 0.0
            for k in range(first, end):
                wet += phi[i, j, k] < 0.0
    outcome[WET], outcome[OPEN] = wet, sums.sum()


@inlined
def _ends(phi: Array, i: int, j: int) -> tuple[int, int]:
    """Give the first wet cell of a row, and the one after the last."""
    first, end = 0, phi.shape[2]
    while first < end and phi[i, j, first] >= 0.0:
        first += 1
    while end > first and phi[i, j, end - 1] >= 0.0:
        end -= 1
    return first, end


@inlined
def _side(
    phi: Array,
    w: Shares,
    i: int,
    j: int,
    a: int,
    b: int,
    e: int,
    f: int,
    first: int,
    end: int,
    whole: Array,
    surface: Array,
) -> None:
    """Add what the neighbours in row (a, b), behind the faces of row (e, f), add to the diagonal of row (i, j)."""
    for k in range(first, end):
        whole[k] += w[e, f, k] if phi[a, b, k] < 0.0 else 0.0
    for k in range(first, end):
        steepness = min((phi[i, j, k] - phi[a, b, k]) / phi[i, j, k], _STEEPEST)
        surface[k] += w[e, f, k] * steepness if phi[a, b, k] >= 0.0 else 0.0


@inlined
def _couple(phi: Array, w: Shares, i: int, j: int, a: int, b: int, first: int, end: int, out: Shares) -> None:
    """Write the couplings of row (i, j) with the row (a, b) before it."""
    for k in range(first, end):
        out[i + 1, j + 1, k + 1] = w[i, j, k] if (phi[i, j, k] < 0.0) & (phi[a, b, k] < 0.0) else _NOTHING


@inlined
def _row_sides(
    phi: Array, w: Shares, i: int, j: int, first: int, end: int, whole: Array, surface: Array, cz: Shares
) -> None:
    """The same along the row."""
    for k in range(max(first, 1), end):
        whole[k] += w[i, j, k] if phi[i, j, k - 1] < 0.0 else 0.0
    for k in range(max(first, 1), end):
        steepness = min((phi[i, j, k] - phi[i, j, k - 1]) / phi[i, j, k], _STEEPEST)
        surface[k] += w[i, j, k] * steepness if phi[i, j, k - 1] >= 0.0 else 0.0
    for k in range(max(first, 1), end):
        coupled = (phi[i, j, k] < 0.0) & (phi[i, j, k - 1] < 0.0)
        cz[i + 1, j + 1, k + 1] = w[i, j, k] if coupled else _NOTHING
    last = min(end, phi.shape[2] - 1)
    for k in range(first, last):
        whole[k] += w[i, j, k + 1] if phi[i, j, k + 1] < 0.0 else 0.0
    for k in range(first, last):
        steepness = min((phi[i, j, k] - phi[i, j, k + 1]) / phi[i, j, k], _STEEPEST)
        surface[k] += w[i, j, k + 1] * steepness if phi[i, j, k + 1] >= 0.0 else 0.0


@kernel
def outflow(velocities: Faces, weights: Open, solids: Faces, solve: Solve) -> float:
    """Write minus what flows out of each wet cell into the residual; give the root of the sum of squares."""
    rows, out, sums = level_rows(solve.multigrid, 0), solve.lines[0], solve.lines[1]
    residual, diagonal = solve.numbers[RESIDUAL], solve.numbers[DIAGONAL]
    u, v, w, a, b, c = velocities.u, velocities.v, velocities.w, weights.u, weights.v, weights.w
    sums[:] = 0.0
    for i in range(residual.shape[0] - 2):
        for j in range(residual.shape[1] - 2):
            first, end = max(rows[i + 1, j + 1, 0], 1) - 1, rows[i + 1, j + 1, 1] - 1
            for k in range(first, end):
                out[k] = a[i + 1, j, k] * u[i + 1, j, k] + (1.0 - a[i + 1, j, k]) * solids.u[i + 1, j, k]
            for k in range(first, end):
                out[k] -= a[i, j, k] * u[i, j, k] + (1.0 - a[i, j, k]) * solids.u[i, j, k]
            for k in range(first, end):
                out[k] += b[i, j + 1, k] * v[i, j + 1, k] + (1.0 - b[i, j + 1, k]) * solids.v[i, j + 1, k]
            for k in range(first, end):
                out[k] -= b[i, j, k] * v[i, j, k] + (1.0 - b[i, j, k]) * solids.v[i, j, k]
            for k in range(first, end):
                out[k] += c[i, j, k + 1] * w[i, j, k + 1] + (1.0 - c[i, j, k + 1]) * solids.w[i, j, k + 1]
            for k in range(first, end):
                out[k] -= c[i, j, k] * w[i, j, k] + (1.0 - c[i, j, k]) * solids.w[i, j, k]
            for k in range(first, end):
                residual[i + 1, j + 1, k + 1] = -out[k] if diagonal[i + 1, j + 1, k + 1] > 0.0 else 0.0
            for k in range(first, end):
                sums[k] += residual[i + 1, j + 1, k + 1] * residual[i + 1, j + 1, k + 1]
    return np.sqrt(sums.sum())


@kernel
def subtract(u: Array, phi: Array, weights: Shares, solids: Array, known: Flags, solve: Solve, axis: int) -> float:
    """Take the pressure's gradient from the velocities along one axis at open faces of wet cells, then `known`.

    Walls of the tank move as their solid does, other faces stand still until velocities are extrapolated. Give the
    change of velocities, added up over wet cells."""
    rows, sums = level_rows(solve.multigrid, 0), solve.lines[0]
    nx, ny, nz = u.shape
    di, dj = int(axis == 0), int(axis == 1)
    sums[:] = 0.0
    for i in range(nx):
        for j in range(ny):
            first, end = 0, 0
            if not (i < di or i >= nx - di or j < dj or j >= ny - dj):
                first, end = _wet_faces(rows, i, j, axis, nz)
                _gather(phi, solve, i, j, axis, max(first, 0), end)
                _fall(u, weights, known, solve.lines, i, j, max(first, 0), end)
            for k in range(first):
                u[i, j, k], known[i, j, k] = 0.0, UNKNOWN
            for k in range(max(end, 0), nz):
                u[i, j, k], known[i, j, k] = 0.0, UNKNOWN
    _fix(u, weights, solids, known, axis)
    return sums.sum()


@inlined
def _wet_faces(rows: IntArray, i: int, j: int, axis: int, nz: int) -> tuple[int, int]:
    """Give the first inner face of a row with a wet cell beside it, and the one after the last."""
    a, b = i + 1 - (axis == 0), j + 1 - (axis == 1)
    first, end = nz, 0
    if rows[a, b, 1] > rows[a, b, 0]:
        first, end = rows[a, b, 0] - 1, rows[a, b, 1] - 1
    if rows[i + 1, j + 1, 1] > rows[i + 1, j + 1, 0]:
        first, end = min(first, rows[i + 1, j + 1, 0] - 1), max(end, rows[i + 1, j + 1, 1] - 1)
    if axis == 2:
        first, end = max(first, 1), min(end + 1, nz - 1)
    return (first, end) if end > first else (0, 0)


@inlined
def _gather(phi: Array, solve: Solve, i: int, j: int, axis: int, first: int, end: int) -> None:
    """Write distance and pressure on both sides of a row of faces into lines."""
    q, lines = solve.numbers[Q], solve.lines
    a, b = i - (axis == 0), j - (axis == 1)
    if axis == 2:
        for k in range(max(first, 1), end):
            lines[1, k] = phi[i, j, k]
        for k in range(max(first, 1), end):
            lines[2, k] = phi[i, j, k - 1]
        for k in range(max(first, 1), end):
            lines[3, k] = q[i + 1, j + 1, k + 1]
        for k in range(max(first, 1), end):
            lines[4, k] = q[i + 1, j + 1, k]
    else:
        for k in range(first, end):
            lines[1, k] = phi[i, j, k]
        for k in range(first, end):
            lines[2, k] = phi[a, b, k]
        for k in range(first, end):
            lines[3, k] = q[i + 1, j + 1, k + 1]
        for k in range(first, end):
            lines[4, k] = q[a + 1, b + 1, k + 1]


@inlined
def _fall(u: Array, weights: Shares, known: Flags, lines: Array, i: int, j: int, first: int, end: int) -> None:
    """Let the pressure in lines act on a row of faces."""
    sums, here, before, q_here, q_before, fall = lines[0], lines[1], lines[2], lines[3], lines[4], lines[5]
    for k in range(first, end):
        fall[k] = (q_here[k] if here[k] < 0.0 else 0.0) - (q_before[k] if before[k] < 0.0 else 0.0)
    for k in range(first, end):
        fall[k] *= min((before[k] - here[k]) / before[k], _STEEPEST) if here[k] >= 0.0 else 1.0
    for k in range(first, end):
        fall[k] *= min((here[k] - before[k]) / here[k], _STEEPEST) if before[k] >= 0.0 else 1.0
    for k in range(first, end):
        sides = (0.5 if here[k] < 0.0 else 0.0) + (0.5 if before[k] < 0.0 else 0.0)
        sums[k] -= fall[k] * (sides if weights[i, j, k] > 0.0 else 0.0)
    for k in range(first, end):
        wet = ((here[k] < 0.0) | (before[k] < 0.0)) & (weights[i, j, k] > 0.0)
        fall[k] = fall[k] if wet else u[i, j, k]
    for k in range(first, end):
        wet = ((here[k] < 0.0) | (before[k] < 0.0)) & (weights[i, j, k] > 0.0)
        known[i, j, k] = KNOWN if wet else UNKNOWN
    for k in range(first, end):
        u[i, j, k] -= fall[k]


@inlined
def _fix(u: Array, weights: Shares, solids: Array, known: Flags, axis: int) -> None:
    """Let the walls of the tank across an axis move as their solid does."""
    nx, ny, nz = u.shape
    for end in range(2):
        if axis == 0:
            i = end * (nx - 1)
            for j in range(ny):
                for k in range(nz):
                    known[i, j, k] = FIXED
                    u[i, j, k] = solids[i, j, k]
        elif axis == 1:
            j = end * (ny - 1)
            for i in range(nx):
                for k in range(nz):
                    known[i, j, k] = FIXED
                    u[i, j, k] = solids[i, j, k]
        else:
            k = end * (nz - 1)
            for i in range(nx):
                for j in range(ny):
                    known[i, j, k] = FIXED
                    u[i, j, k] = solids[i, j, k]


@kernel
def take_pressure(solve: Solve, unit: float, out: Array) -> None:
    """Write the pressure in cells, `unit` for one of q, zero where there is no water."""
    q, rows = solve.numbers[Q], level_rows(solve.multigrid, 0)
    out[:] = 0.0
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            for k in range(max(rows[i + 1, j + 1, 0], 1) - 1, rows[i + 1, j + 1, 1] - 1):
                out[i, j, k] = unit * q[i + 1, j + 1, k + 1]
