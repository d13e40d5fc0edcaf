"""Solves for the pressure: conjugate gradients, preconditioned by one multigrid cycle, and bodies that give way.

Vectors are in double precision, the cycle (multigrid.py) in single. Sums are taken plane by plane into one, and that is
added up at the end. Bodies add (density spacing^3) J R J^T to the matrix (`BodyTerms`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.water.boundaries import BodyTerms
from engine.water.equation import (
    DIAGONAL,
    GIVEN,
    ITERATIONS,
    LEFT,
    OPEN,
    PRODUCT,
    RESIDUAL,
    SEARCH,
    Faces,
    Open,
    Q,
    Solve,
    outflow,
)
from engine.water.multigrid import CX, CY, CZ, FIRST, NX, RIGHT, coarsen, cycle, level_array, steps_of, stretch
from engine.water.pockets import level_pockets
from engine.water.rows import sum_around, total

_PATIENCE = 40


class Columns(NamedTuple):
    """`BodyTerms` for kernels, with room."""

    starts: IntArray
    places: IntArray  # of cells in padded arrays
    amounts: Array
    response: Array  # times density spacing^3
    room: Array  # [2, n]: J^T q, and R of it


def columns(bodies: BodyTerms | None, mass: float, shape: tuple[int, int, int]) -> Columns:
    """Make the terms of bodies ready; `mass` is that of a cell of water [kg]."""
    if bodies is None:
        none = np.zeros(0, np.int32)
        return Columns(np.zeros(1, np.int32), none, np.zeros(0), np.zeros((0, 0)), np.zeros((2, 0)))
    count = len(bodies.starts) - 1
    amounts = np.array(bodies.amounts, dtype=np.float64)
    response = np.ascontiguousarray(mass * bodies.response, dtype=np.float64)
    return Columns(
        np.ascontiguousarray(bodies.starts, dtype=np.int32),
        _places(bodies.cells, shape),
        amounts,
        response,
        np.zeros((2, count)),
    )


def _places(cells: NDArray[Any], shape: tuple[int, int, int]) -> IntArray:
    """Find where cells of these numbers stand in padded arrays."""
    i, j, k = np.unravel_index(cells, shape)
    return np.ascontiguousarray(((i + 1) * (shape[1] + 2) + j + 1) * (shape[2] + 2) + k + 1, dtype=np.int32)


class Swelling(NamedTuple):
    """The flow out of cells that is of no water, for kernels."""

    places: IntArray  # of cells in padded arrays
    flows: Array  # [m/s]


def no_water(swelling: Array | None, shape: tuple[int, int, int]) -> Swelling:
    """Make the swelling of `Boundaries` ready."""
    found = np.zeros(0, np.int64) if swelling is None else np.flatnonzero(swelling)
    flows = np.zeros(0) if swelling is None else swelling.reshape(-1)[found]
    return Swelling(_places(found, shape), flows)


def unmet(solve: Solve, flow: tuple[Faces, Open, Faces], swelling: Swelling) -> float:
    """Write what is wanted to flow out of each wet cell, less what does, into the residual; give its 2-norm."""
    size = outflow(*flow, solve)
    add_swelling(solve, swelling)
    if not len(swelling.places):
        return float(size)
    return float(np.linalg.norm(solve.numbers[RESIDUAL][solve.numbers[DIAGONAL] > 0.0]))


@kernel
def add_swelling(solve: Solve, swelling: Swelling) -> None:
    """Let what solids seem to swell flow out of wet cells."""
    diagonal, residual = solve.numbers[DIAGONAL], solve.numbers[RESIDUAL]
    for each in range(len(swelling.places)):
        place = swelling.places[each]
        if diagonal[place] > 0.0:
            residual[place] += swelling.flows[each]


def solve_pressure(
    solve: Solve, flow: tuple[Faces, Open, Faces], swelling: Swelling, bodies: Columns, tolerance: float, most: int
) -> tuple[bool, float]:
    """Solve for the pressure, the matrix being built, until `tolerance` of what flows out of cells is left. Tell if
    it was reached, and the 2-norm of what flowed out. flow: velocities, open shares, velocities of solids.

    Where it is not reached soon, water may be locked in, which is levelled then."""
    bodies.amounts[solve.numbers[DIAGONAL, bodies.places] == 0.0] = 0.0  # of cells that are dry
    given = unmet(solve, flow, swelling)
    few = min(most, _PATIENCE) if solve.outcome[OPEN] > 0.0 else 0
    if few and conjugate_gradients(solve, bodies, tolerance * given, few):
        return True, given
    if few:
        unmet(solve, flow, swelling)
    size = solve.numbers.shape[1]
    level_pockets(solve, bodies.places, np.zeros(size, np.int32), np.zeros(size, np.int32))
    taken = solve.outcome[ITERATIONS] if few else 0.0
    reached = conjugate_gradients(solve, bodies, tolerance * given, most)
    solve.outcome[ITERATIONS] += taken
    return bool(reached), given


@kernel
def conjugate_gradients(solve: Solve, bodies: Columns, left: float, most: int) -> bool:
    """Solve for the residual that stands in `solve`, from zero, until its 2-norm is `left`. Tell whether it is."""
    coarsen(solve.multigrid)
    _clear(solve)
    size = _advance(solve, 0.0)
    goal = left * left
    solve.outcome[GIVEN], solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), np.sqrt(size), 0.0
    before = 1.0
    for iteration in range(most):
        if size <= goal:
            return True
        cycle(solve.multigrid)
        along = _dot_single(solve)
        curvature = multiply(solve, along / before if iteration > 0 else 0.0)
        before = along
        curvature += _add_bodies(solve.numbers[SEARCH], solve.numbers[PRODUCT], bodies)
        if not curvature > 0.0:
            return size <= goal
        size = _advance(solve, along / curvature)
        solve.outcome[LEFT], solve.outcome[ITERATIONS] = np.sqrt(size), iteration + 1
    return size <= goal


@kernel
def _clear(solve: Solve) -> None:
    """Begin from zero where there is water; no coupling reads what stands elsewhere."""
    for i in range(1, solve.multigrid.table[0, NX] + 1):
        start, count = stretch(solve.multigrid, 0, i)
        for kind in (Q, SEARCH, PRODUCT):
            numbers = solve.numbers[kind, start : start + count]
            for t in range(count):
                numbers[t] = 0.0


@kernel
def multiply(solve: Solve, share: float) -> float:
    """Make the next search direction of the preconditioned residual and `share` of the last, and multiply the matrix
    with it; give their product."""
    grid, sums = solve.multigrid, solve.lines[0]
    nx = grid.table[0, NX]
    sums[:] = 0.0
    for i in range(1, nx + 2):
        if i <= nx:
            start, count = stretch(grid, 0, i)
            search = solve.numbers[SEARCH, start : start + count]
            single = level_array(grid, 0, FIRST)[start : start + count]
            for t in range(count):
                search[t] = share * search[t] + single[t]
        if i > 1:
            _multiply(solve, i - 1)
    return total(sums)


@kernel
def _multiply(solve: Solve, i: int) -> None:
    """Multiply a plane of the matrix with the search direction."""
    grid, sums, around = solve.multigrid, solve.lines[0], solve.lines[1]
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    row, plane = steps_of(grid, 0)
    start, count = stretch(grid, 0, i)
    end = start + count
    search, product = solve.numbers[SEARCH, start:end], solve.numbers[PRODUCT, start:end]
    diagonal = solve.numbers[DIAGONAL, start:end]
    sum_around(cx, cy, cz, solve.numbers[SEARCH], start, count, row, plane, around)
    for t in range(count):
        product[t] = diagonal[t] * search[t] - around[t]
    for t in range(count):
        sums[t] += product[t] * search[t]


@entered_kernel
def body_impulses(q: Array, bodies: Columns) -> None:
    """Write J^T q and R J^T q."""
    count = len(bodies.starts) - 1
    for d in range(count):
        found = 0.0
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            found += bodies.amounts[entry] * q[bodies.places[entry]]
        bodies.room[0, d] = found
    for d in range(count):
        found = 0.0
        for e in range(count):
            found += bodies.response[d, e] * bodies.room[0, e]
        bodies.room[1, d] = found


@inlined
def _add_bodies(search: Array, product: Array, bodies: Columns) -> float:
    """Add J R J^T search to the product; give search's part in it."""
    if len(bodies.starts) == 1:
        return 0.0
    body_impulses(search, bodies)
    found = 0.0
    for d in range(len(bodies.starts) - 1):
        found += bodies.room[0, d] * bodies.room[1, d]
        for entry in range(bodies.starts[d], bodies.starts[d + 1]):
            product[bodies.places[entry]] += bodies.amounts[entry] * bodies.room[1, d]
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
