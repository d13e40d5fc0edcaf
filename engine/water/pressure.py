"""Solves for the pressure: conjugate gradients, preconditioned by one multigrid cycle, and bodies that give way.

Vectors are in double precision, the cycle (multigrid.py) in single. Sums are taken plane by plane into one, and that is
added up at the end. Bodies add (density spacing^3) J R J^T to the matrix (`BodyTerms`).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.water.boundaries import BodyTerms
from engine.water.equation import DIAGONAL, GIVEN, ITERATIONS, LEFT, OPEN, PRODUCT, RESIDUAL, SEARCH, Q, Solve
from engine.water.multigrid import (
    CX,
    CY,
    CZ,
    FIRST,
    NX,
    RIGHT,
    coarsen,
    cycle,
    level_array,
    steps_of,
    stretch,
)
from engine.water.rows import sum_around, total


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
def conjugate_gradients(
    solve: Solve, bodies: Columns, shape: tuple[int, int, int], tolerance: float, most: int
) -> bool:
    """Solve for the residual that stands in `solve`, from zero, to `tolerance` of its 2-norm. Tell whether it was
    reached. shape: of the grid."""
    coarsen(solve.multigrid)
    if solve.outcome[OPEN] == 0.0:
        _level_out(solve)
    solve.numbers[Q, :], solve.numbers[SEARCH, :], solve.numbers[PRODUCT, :] = 0.0, 0.0, 0.0
    size = _advance(solve, 0.0)
    goal = tolerance * tolerance * size
    solve.outcome[GIVEN], solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), np.sqrt(size), 0.0
    before = 1.0
    for iteration in range(most):
        if size <= goal:
            return True
        cycle(solve.multigrid)
        along = _dot_single(solve)
        _extend(solve, along / before if iteration > 0 else 0.0)
        before = along
        curvature = _multiply(solve)
        curvature += _add_bodies(solve.numbers[SEARCH], solve.numbers[PRODUCT], bodies, shape)
        if not curvature > 0.0:
            return size <= goal
        size = _advance(solve, along / curvature)
        solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), iteration + 1
    return size <= goal


@kernel
def _level_out(solve: Solve) -> None:
    """Take the mean out of the residual: without a surface what flows out of all cells must be nothing."""
    residual, diagonal = solve.numbers[RESIDUAL], solve.numbers[DIAGONAL]
    whole = 0.0
    count = 0
    for at in range(len(residual)):
        if diagonal[at] > 0.0:
            whole += residual[at]
            count += 1
    for at in range(len(residual)):
        if diagonal[at] > 0.0:
            residual[at] -= whole / count


@kernel
def _multiply(solve: Solve) -> float:
    """Multiply the matrix with the search direction; give their product."""
    grid, sums, around = solve.multigrid, solve.lines[0], solve.lines[1]
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    row, plane = steps_of(grid, 0)
    sums[:] = 0.0
    for i in range(1, grid.table[0, NX] + 1):
        start, count = stretch(grid, 0, i)
        end = start + count
        search, product = solve.numbers[SEARCH, start:end], solve.numbers[PRODUCT, start:end]
        diagonal = solve.numbers[DIAGONAL, start:end]
        sum_around(cx, cy, cz, solve.numbers[SEARCH], start, count, row, plane, around)
        for t in range(count):
            product[t] = diagonal[t] * search[t] - around[t]
        for t in range(count):
            sums[t] += product[t] * search[t]
    return total(sums)


@kernel
def body_impulses(q: Array, bodies: Columns, shape: tuple[int, int, int]) -> None:
    """Write J^T q and R J^T q."""
    count = len(bodies.starts) - 1
    for d in range(count):
        found = 0.0
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            found += bodies.amounts[entry] * q[_place(bodies.cells[entry], shape)]
        bodies.room[0, d] = found
    for d in range(count):
        found = 0.0
        for e in range(count):
            found += bodies.response[d, e] * bodies.room[0, e]
        bodies.room[1, d] = found


@inlined
def _place(cell: int, shape: tuple[int, int, int]) -> int:
    """Give the place of a cell of that number in padded arrays."""
    _, ny, nz = shape
    return ((cell // (ny * nz) + 1) * (ny + 2) + cell // nz % ny + 1) * (nz + 2) + cell % nz + 1


@inlined
def _add_bodies(search: Array, product: Array, bodies: Columns, shape: tuple[int, int, int]) -> float:
    """Add J R J^T search to the product; give search's part in it."""
    if len(bodies.starts) == 1:
        return 0.0
    body_impulses(search, bodies, shape)
    found = 0.0
    for d in range(len(bodies.starts) - 1):
        found += bodies.room[0, d] * bodies.room[1, d]
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            product[_place(bodies.cells[entry], shape)] += bodies.amounts[entry] * bodies.room[1, d]
    return found


@kernel
def _advance(solve: Solve, step: float) -> float:
    """Go along the search direction; give the residual's square, and hand the residual to the preconditioner."""
    grid, sums = solve.multigrid, solve.lines[0]
    sums[:] = 0.0
    for i in range(1, grid.table[0, NX] + 1):
        start, count = stretch(grid, 0, i)
        end = start + count
        q, search = solve.numbers[Q, start:end], solve.numbers[SEARCH, start:end]
        residual, product = solve.numbers[RESIDUAL, start:end], solve.numbers[PRODUCT, start:end]
        single = level_array(grid, 0, RIGHT)[start:end]
        for t in range(count):
            q[t] += step * search[t]
        for t in range(count):
            residual[t] -= step * product[t]
        for t in range(count):
            single[t] = residual[t]
        for t in range(count):
            sums[t] += residual[t] * residual[t]
    return total(sums)


@kernel
def _dot_single(solve: Solve) -> float:
    """Multiply the residual with the preconditioned one."""
    grid, sums = solve.multigrid, solve.lines[0]
    sums[:] = 0.0
    for i in range(1, grid.table[0, NX] + 1):
        start, count = stretch(grid, 0, i)
        residual = solve.numbers[RESIDUAL, start : start + count]
        single = level_array(grid, 0, FIRST)[start : start + count]
        for t in range(count):
            sums[t] += residual[t] * single[t]
    return total(sums)


@kernel
def _extend(solve: Solve, share: float) -> None:
    """Make the next search direction of the preconditioned residual and the last direction."""
    grid = solve.multigrid
    for i in range(1, grid.table[0, NX] + 1):
        start, count = stretch(grid, 0, i)
        search = solve.numbers[SEARCH, start : start + count]
        single = level_array(grid, 0, FIRST)[start : start + count]
        for t in range(count):
            search[t] = share * search[t] + single[t]
