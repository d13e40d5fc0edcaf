"""The pressure that leaves the water without divergence, between a free surface and solids.

In each wet cell (distance to the surface below zero at its centre, some face open) what flows out by open faces and
what solids drive out by the rest add up to nothing:

    sum over faces of sign (weight u + (1 - weight) u_solid) = 0

with u = u* - (q - q_before) across each open face of a wet cell: the variational form of Batty et al. (2007) on faces
(Ng et al. 2009). q is the pressure times dt / (density spacing) [m/s]. At a dry cell q is zero not at its centre but
on the surface between, at the share theta of the way: q_wet / theta is the difference (second order: Gibou et al. 2002).
A resting tank therefore rests exactly, wherever its level lies. theta is kept above a millionth of a cell.

The matrix is symmetric, and solved by conjugate gradients in double precision with a multigrid cycle in single
precision (multigrid.py) as preconditioner. Bodies that give way add (density spacing^3) J R J^T (`BodyTerms`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.boundaries import BodyTerms
from engine.water.multigrid import (
    CX,
    CY,
    CZ,
    DIAGONAL,
    FIRST,
    RIGHT,
    Multigrid,
    coarsen,
    cycle,
    level_array,
    level_rows,
    new_multigrid,
)
from engine.water.rows import sum_around

Flags = NDArray[np.uint8]

LEAST_THETA = 1e-6
UNKNOWN, KNOWN, FIXED = np.uint8(0), np.uint8(1), np.uint8(2)
ITERATIONS, LEFT, GIVEN, WET, BOUND = range(5)
OUTCOMES = 5
_Q, _RESIDUAL, _SEARCH, _PRODUCT = 4, 5, 6, 7
_KINDS = 8


class Faces(NamedTuple):
    """Numbers at faces across x, y, z."""

    u: Array
    v: Array
    w: Array


class Solve(NamedTuple):
    """Room of the pressure's equation."""

    numbers: Array  # CX, CY, CZ, DIAGONAL and vectors, each padded: [_KINDS, nx + 2, ny + 2, nz + 2]
    multigrid: Multigrid
    line: Array  # [3, nz + 2]
    outcome: Array


class Columns(NamedTuple):
    """`BodyTerms` for kernels, with room."""

    starts: IntArray
    cells: IntArray
    amounts: Array
    response: Array  # times density spacing^3
    room: Array  # [2, n]: J^T q, and R of it


def new_solve(cells: tuple[int, int, int]) -> Solve:
    """Make room for a grid's equation."""
    padded = tuple(each + 2 for each in cells)
    return Solve(np.zeros((_KINDS, *padded)), new_multigrid(cells), np.zeros((3, cells[2] + 2)), np.zeros(OUTCOMES))


def columns(bodies: BodyTerms | None, mass: float) -> Columns:
    """Make the terms of bodies ready; `mass` is that of a cell of water [kg]."""
    if bodies is None:
        none = np.zeros(0, np.int32)
        return Columns(np.zeros(1, np.int32), none, np.zeros(0), np.zeros((0, 0)), np.zeros((2, 0)))
    count = len(bodies.starts) - 1
    amounts = np.ascontiguousarray(bodies.amounts, dtype=np.float64)
    response = np.ascontiguousarray(mass * bodies.response, dtype=np.float64)
    starts, cells = (np.ascontiguousarray(each, dtype=np.int32) for each in (bodies.starts, bodies.cells))
    return Columns(starts, cells, amounts, response, np.zeros((2, count)))


@kernel
def build(phi: Array, weights: Faces, solve: Solve) -> None:
    """Write the matrix of all levels."""
    nx, ny, nz = phi.shape
    numbers, rows = solve.numbers, level_rows(solve.multigrid, 0)
    numbers[: DIAGONAL + 1] = 0.0
    wet = 0
    bound = 0.0
    for i in range(nx):
        for j in range(ny):
            first, end = nz, 0
            for k in range(nz):
                if phi[i, j, k] < 0.0:
                    first = min(first, k)
                    end = k + 1
            rows[i + 1, j + 1, 0], rows[i + 1, j + 1, 1] = (first + 1, end + 1) if end > first else (1, 1)
            for k in range(first, end):
                if phi[i, j, k] < 0.0:
                    own = _build_cell(phi, weights, numbers, i, j, k)
                    bound = max(bound, own)
                    wet += 1
    solve.outcome[WET], solve.outcome[BOUND] = wet, bound
    _to_single(solve)
    coarsen(solve.multigrid)


@inlined
def _build_cell(phi: Array, weights: Faces, numbers: Array, i: int, j: int, k: int) -> float:
    """Write a wet cell's couplings to those before it, and its diagonal; give what of it is by the surface."""
    nx, ny, nz = phi.shape
    here = phi[i, j, k]
    a, b, c = i + 1, j + 1, k + 1
    whole = surface = 0.0
    if i > 0:
        if phi[i - 1, j, k] < 0.0:
            numbers[CX, a, b, c] = weights.u[i, j, k]
            whole += weights.u[i, j, k]
        else:
            surface += weights.u[i, j, k] / max(here / (here - phi[i - 1, j, k]), LEAST_THETA)
    if i < nx - 1:
        if phi[i + 1, j, k] < 0.0:
            whole += weights.u[i + 1, j, k]
        else:
            surface += weights.u[i + 1, j, k] / max(here / (here - phi[i + 1, j, k]), LEAST_THETA)
    if j > 0:
        if phi[i, j - 1, k] < 0.0:
            numbers[CY, a, b, c] = weights.v[i, j, k]
            whole += weights.v[i, j, k]
        else:
            surface += weights.v[i, j, k] / max(here / (here - phi[i, j - 1, k]), LEAST_THETA)
    if j < ny - 1:
        if phi[i, j + 1, k] < 0.0:
            whole += weights.v[i, j + 1, k]
        else:
            surface += weights.v[i, j + 1, k] / max(here / (here - phi[i, j + 1, k]), LEAST_THETA)
    if k > 0:
        if phi[i, j, k - 1] < 0.0:
            numbers[CZ, a, b, c] = weights.w[i, j, k]
            whole += weights.w[i, j, k]
        else:
            surface += weights.w[i, j, k] / max(here / (here - phi[i, j, k - 1]), LEAST_THETA)
    if k < nz - 1:
        if phi[i, j, k + 1] < 0.0:
            whole += weights.w[i, j, k + 1]
        else:
            surface += weights.w[i, j, k + 1] / max(here / (here - phi[i, j, k + 1]), LEAST_THETA)
    numbers[DIAGONAL, a, b, c] = whole + surface
    return surface


@kernel
def _to_single(solve: Solve) -> None:
    """Copy the matrix to the finest level of the preconditioner."""
    grid, numbers = solve.multigrid, solve.numbers
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    cx[:], cy[:], cz[:] = numbers[CX], numbers[CY], numbers[CZ]
    level_array(grid, 0, DIAGONAL)[:] = numbers[DIAGONAL]


@kernel
def outflow(velocities: Faces, weights: Faces, solids: Faces, solve: Solve) -> float:
    """Write minus what flows out of each wet cell into the residual; give the root of the sum of squares."""
    numbers, rows = solve.numbers, level_rows(solve.multigrid, 0)
    right, diagonal = numbers[_RESIDUAL], numbers[DIAGONAL]
    nx, ny = solve.multigrid.table[0, 0], solve.multigrid.table[0, 1]
    u, v, w, a, b, c = velocities.u, velocities.v, velocities.w, weights.u, weights.v, weights.w
    total = 0.0
    for i in range(nx):
        for j in range(ny):
            for k in range(max(rows[i + 1, j + 1, 0] - 1, 0), rows[i + 1, j + 1, 1] - 1):
                out = 0.0
                if diagonal[i + 1, j + 1, k + 1] > 0.0:
                    out += a[i + 1, j, k] * u[i + 1, j, k] + (1.0 - a[i + 1, j, k]) * solids.u[i + 1, j, k]
                    out -= a[i, j, k] * u[i, j, k] + (1.0 - a[i, j, k]) * solids.u[i, j, k]
                    out += b[i, j + 1, k] * v[i, j + 1, k] + (1.0 - b[i, j + 1, k]) * solids.v[i, j + 1, k]
                    out -= b[i, j, k] * v[i, j, k] + (1.0 - b[i, j, k]) * solids.v[i, j, k]
                    out += c[i, j, k + 1] * w[i, j, k + 1] + (1.0 - c[i, j, k + 1]) * solids.w[i, j, k + 1]
                    out -= c[i, j, k] * w[i, j, k] + (1.0 - c[i, j, k]) * solids.w[i, j, k]
                right[i + 1, j + 1, k + 1] = -out
                total += out * out
    return np.sqrt(total)


@kernel
def conjugate_gradients(solve: Solve, bodies: Columns, tolerance: float, most: int) -> bool:
    """Solve for the residual that stands in `solve`, from zero, to `tolerance` of its 2-norm. Tell whether it was met."""
    numbers, rows, line = solve.numbers, level_rows(solve.multigrid, 0), solve.line
    q, residual, search, product = numbers[_Q], numbers[_RESIDUAL], numbers[_SEARCH], numbers[_PRODUCT]
    given, single = level_array(solve.multigrid, 0, RIGHT), level_array(solve.multigrid, 0, FIRST)
    q[:], search[:], product[:] = 0.0, 0.0, 0.0
    if solve.outcome[BOUND] == 0.0:
        _level_out(solve)
    size = _update(rows, q, residual, search, product, given, 0.0, line)
    goal = tolerance * tolerance * size
    solve.outcome[GIVEN], solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), np.sqrt(size), 0.0
    before = 1.0
    for iteration in range(most):
        if size <= goal:
            return True
        cycle(solve.multigrid)
        along = _dot_single(rows, residual, single, line)
        _extend(rows, search, single, along / before if iteration > 0 else 0.0)
        before = along
        curvature = _multiply(solve, bodies)
        if not curvature > 0.0:
            return size <= goal
        size = _update(rows, q, residual, search, product, given, along / curvature, line)
        solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), iteration + 1
    return size <= goal


@kernel
def _level_out(solve: Solve) -> None:
    """Take the mean out of the residual: without a surface what flows out of all cells must be nothing."""
    residual, diagonal = solve.numbers[_RESIDUAL], solve.numbers[DIAGONAL]
    total = 0.0
    count = 0
    nx, ny, nz = residual.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if diagonal[i, j, k] > 0.0:
                    total += residual[i, j, k]
                    count += 1
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                if diagonal[i, j, k] > 0.0:
                    residual[i, j, k] -= total / count


@kernel
def _multiply(solve: Solve, bodies: Columns) -> float:
    """Multiply the matrix with the search direction; give their product."""
    numbers, rows, line = solve.numbers, level_rows(solve.multigrid, 0), solve.line
    cx, cy, cz, diagonal = numbers[CX], numbers[CY], numbers[CZ], numbers[DIAGONAL]
    search, product = numbers[_SEARCH], numbers[_PRODUCT]
    sums, around = line[0], line[1]
    sums[:] = 0.0
    for i in range(1, search.shape[0] - 1):
        for j in range(1, search.shape[1] - 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            sum_around(cx, cy, cz, search, i, j, first, end, around)
            for k in range(first, end):
                product[i, j, k] = diagonal[i, j, k] * search[i, j, k] - around[k]
            for k in range(first, end):
                sums[k] += product[i, j, k] * search[i, j, k]
    return sums.sum() + _add_bodies(search, product, bodies)


@kernel
def body_impulses(q: Array, bodies: Columns) -> None:
    """Write J^T q and R J^T q."""
    ny, nz = q.shape[1] - 2, q.shape[2] - 2
    count = len(bodies.starts) - 1
    for d in range(count):
        total = 0.0
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            cell = bodies.cells[entry]
            total += bodies.amounts[entry] * q[cell // (ny * nz) + 1, cell // nz % ny + 1, cell % nz + 1]
        bodies.room[0, d] = total
    for d in range(count):
        total = 0.0
        for e in range(count):
            total += bodies.response[d, e] * bodies.room[0, e]
        bodies.room[1, d] = total


@inlined
def _add_bodies(search: Array, product: Array, bodies: Columns) -> float:
    """Add J R J^T search to the product; give search's part in it."""
    if len(bodies.starts) == 1:
        return 0.0
    body_impulses(search, bodies)
    ny, nz = search.shape[1] - 2, search.shape[2] - 2
    total = 0.0
    for d in range(len(bodies.starts) - 1):
        total += bodies.room[0, d] * bodies.room[1, d]
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            cell = bodies.cells[entry]
            i, j, k = cell // (ny * nz) + 1, cell // nz % ny + 1, cell % nz + 1
            product[i, j, k] += bodies.amounts[entry] * bodies.room[1, d]
    return total


@kernel
def _update(
    rows: IntArray, q: Array, residual: Array, search: Array, product: Array, single: Array, step: float, line: Array
) -> float:
    """Go along the search direction; give the residual's square, and itself in single precision."""
    sums = line[0]
    sums[:] = 0.0
    for i in range(1, q.shape[0] - 1):
        for j in range(1, q.shape[1] - 1):
            first, end = max(rows[i, j, 0], 1), rows[i, j, 1]
            for k in range(first, end):
                q[i, j, k] += step * search[i, j, k]
            for k in range(first, end):
                residual[i, j, k] -= step * product[i, j, k]
            for k in range(first, end):
                sums[k] += residual[i, j, k] * residual[i, j, k]
            for k in range(first, end):
                single[i, j, k] = residual[i, j, k]
    return sums.sum()


@kernel
def _dot_single(rows: IntArray, residual: Array, single: Array, line: Array) -> float:
    """Multiply the residual with the preconditioned one."""
    sums = line[0]
    sums[:] = 0.0
    for i in range(1, residual.shape[0] - 1):
        for j in range(1, residual.shape[1] - 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                sums[k] += residual[i, j, k] * single[i, j, k]
    return sums.sum()


@kernel
def _extend(rows: IntArray, search: Array, single: Array, share: float) -> None:
    """Make the next search direction of the preconditioned residual and the last direction."""
    for i in range(1, search.shape[0] - 1):
        for j in range(1, search.shape[1] - 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                search[i, j, k] = share * search[i, j, k] + single[i, j, k]


@kernel
def subtract(
    velocities: Faces, phi: Array, weights: Faces, solids: Faces, known: tuple[Flags, Flags, Flags], solve: Solve
) -> None:
    """Take the pressure's gradient from the velocities at open faces of wet cells, which are `known` from then on;
    closed faces move as their solid does, others stand still."""
    q = solve.numbers[_Q]
    _subtract_along(velocities.u, phi, weights.u, solids.u, known[0], q, 1, 0, 0)
    _subtract_along(velocities.v, phi, weights.v, solids.v, known[1], q, 0, 1, 0)
    _subtract_along(velocities.w, phi, weights.w, solids.w, known[2], q, 0, 0, 1)


@kernel
def _subtract_along(
    u: Array, phi: Array, weights: Array, solids: Array, known: Flags, q: Array, di: int, dj: int, dk: int
) -> None:
    nx, ny, nz = u.shape
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                known[i, j, k] = UNKNOWN
                if (i < di or i >= nx - di) or (j < dj or j >= ny - dj) or (k < dk or k >= nz - dk):
                    known[i, j, k] = FIXED
                    if weights[i, j, k] <= 0.0:
                        u[i, j, k] = solids[i, j, k]
                    continue
                if weights[i, j, k] <= 0.0:
                    u[i, j, k] = solids[i, j, k]
                    continue
                here, before = phi[i, j, k], phi[i - di, j - dj, k - dk]
                if here >= 0.0 and before >= 0.0:
                    u[i, j, k] = 0.0
                    continue
                fall = q[i + 1, j + 1, k + 1] - q[i + 1 - di, j + 1 - dj, k + 1 - dk]
                if here >= 0.0:
                    fall /= max(before / (before - here), LEAST_THETA)
                elif before >= 0.0:
                    fall /= max(here / (here - before), LEAST_THETA)
                u[i, j, k] -= fall
                known[i, j, k] = KNOWN
