"""Solves for the pressure: conjugate gradients, preconditioned by one multigrid cycle, and bodies that give way.

Vectors are in double precision, the cycle (multigrid.py) in single. Sums are taken along rows into a line, and the line
is added up at the end. Bodies add (density spacing^3) J R J^T to the matrix (`BodyTerms`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.boundaries import BodyTerms
from engine.water.equation import DIAGONAL, GIVEN, ITERATIONS, LEFT, OPEN, PRODUCT, RESIDUAL, SEARCH, Q, Solve
from engine.water.multigrid import CX, CY, CZ, FIRST, RIGHT, coarsen, cycle, level_array, level_rows
from engine.water.rows import sum_around


class Columns(NamedTuple):
    """`BodyTerms` for kernels, with room."""

    starts: IntArray
    cells: IntArray
    amounts: Array
    response: Array  # times density spacing^3
    room: Array  # [2, n]: J^T q, and R of it


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
def conjugate_gradients(solve: Solve, bodies: Columns, tolerance: float, most: int) -> bool:
    """Solve for the residual that stands in `solve`, from zero, to `tolerance` of its 2-norm. Tell whether it was
    reached."""
    coarsen(solve.multigrid)
    numbers, rows, line = solve.numbers, level_rows(solve.multigrid, 0), solve.lines
    q, residual, search, product = numbers[Q], numbers[RESIDUAL], numbers[SEARCH], numbers[PRODUCT]
    given, single = level_array(solve.multigrid, 0, RIGHT), level_array(solve.multigrid, 0, FIRST)
    _clear(rows, q, search, product)
    if solve.outcome[OPEN] == 0.0:
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
def _clear(rows: IntArray, q: Array, search: Array, product: Array) -> None:
    """Begin from zero where there is water; elsewhere no coupling reads what stands there."""
    for i in range(1, q.shape[0] - 1):
        for j in range(1, q.shape[1] - 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                q[i, j, k] = search[i, j, k] = product[i, j, k] = 0.0


@kernel
def _level_out(solve: Solve) -> None:
    """Take the mean out of the residual: without a surface what flows out of all cells must be nothing."""
    residual, diagonal = solve.numbers[RESIDUAL], solve.numbers[DIAGONAL]
    rows = level_rows(solve.multigrid, 0)
    total = 0.0
    count = 0
    for i in range(1, residual.shape[0] - 1):
        for j in range(1, residual.shape[1] - 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                if diagonal[i, j, k] > 0.0:
                    total += residual[i, j, k]
                    count += 1
    for i in range(1, residual.shape[0] - 1):
        for j in range(1, residual.shape[1] - 1):
            for k in range(max(rows[i, j, 0], 1), rows[i, j, 1]):
                if diagonal[i, j, k] > 0.0:
                    residual[i, j, k] -= total / count


@kernel
def _multiply(solve: Solve, bodies: Columns) -> float:
    """Multiply the matrix with the search direction; give their product."""
    numbers, rows, line = solve.numbers, level_rows(solve.multigrid, 0), solve.lines
    grid, diagonal, search, product = solve.multigrid, numbers[DIAGONAL], numbers[SEARCH], numbers[PRODUCT]
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
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
