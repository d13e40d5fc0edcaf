"""Kernels: driven coordinates in a window, which add inertia and no freedom.

A step is solved as if driven rates were free, with neither servo nor damping of their own. Impulses along J = e_d - sum
f_k' e_k (`engine.dynamics.driven`) then bring its accelerations to J qdd = sum f_k'' qd_k^2: with A = M + D and the
factors that forward dynamics left,

    qdd = qdd* + A^-1 J^T x,    J A^-1 J^T x = sum f_k'' qd_k^2 - J qdd*.

So the drivers accelerate by the inertia of what they drive, and feel its weight, its springs and what pushes it. Rates
belong to the middle of the step, so that of a driven coordinate is the one by f' there (J v' = 0, also under what
touches); after the step the coordinates lie on their splines. A driven coordinate that moves no mass and has no spring
pulls at nothing, and is laid on its spline alone.

Symbols: q coordinates, qd, v rates.
"""

from __future__ import annotations

import math

import numpy as np

from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.driven import (
    DRIVEN,
    DRIVER,
    DRIVER_RATE,
    END,
    FIRST,
    FLOATS,
    HEADS,
    KNOTS,
    RATE,
    STRIDE,
    follow_splines,
    pack_driven,
    write_coupled,
)
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.layout import FACTOR_STRIDE, FACTORS, INVERSE, extra_of
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.step_layout import COUPLED, DELASSUS, IMPULSE, JOINT_ROWS
from engine.maths.arrays import Array, IntArray
from engine.model.compile import RATE_COUNT
from engine.model.driven_kernels import evaluate_spline, slopes_of, write_driven_rates
from engine.runtime.jit import entered_kernel, kernel

Bodies = tuple[IntArray, Array, Array]
"""Ints and floats of the mechanics, and packed splines of the driven coordinates: no numbers where there are none."""
_DEAD = 1e-14  # of the largest number on the diagonal: a row that nothing moves


def pack_coupled(mechanics: Mechanics) -> Array:
    """Pack the driven coordinates as the kernels read them."""
    packed = pack_driven(mechanics.model.driven, 0)
    packed.flags.writeable = False
    return packed


def write_shares(mechanics: Mechanics, q: Array) -> Array | None:
    """Give G, by which rates follow from those that nothing drives, qd = G u, in a pose; None where nothing is
    driven. Its columns of driven rates are 0."""
    driven, count = mechanics.model.driven, mechanics.rate_count
    if driven is None:
        return None
    slopes, shares = slopes_of(driven, q), np.eye(count)
    for row in shares:
        write_driven_rates(driven.ints, slopes, row)
    return np.ascontiguousarray(shares.T)


@kernel
def driven_count(coupled: Array) -> int:
    """Count the driven coordinates."""
    return int(coupled[DRIVEN]) if len(coupled) > 0 else 0


@entered_kernel
def couple(bodies: Bodies, q: Array, v: Array, on: float, workspace: Array, layout: IntArray) -> None:
    """Write the rows of driven coordinates where the rates v lead from q in a time."""
    ints, _, coupled = bodies
    if len(coupled) > 0:
        write_coupled(coupled, 0, ints[RATE_COUNT], q, v, on, workspace[layout[COUPLED] :])


@kernel
def bend_of(coupled: Array, each: int, q: Array, now: Array) -> float:
    """The part of a driven coordinate's acceleration that its drivers' rates alone make."""
    count, head, found = int(coupled[DRIVEN]), HEADS + each * STRIDE, 0.0
    for number in range(int(coupled[head + FIRST]), int(coupled[head + END])):
        entry = HEADS + (count + number) * STRIDE
        at, knots, rate = (
            int(coupled[entry + FLOATS]),
            int(coupled[entry + KNOTS]),
            now[int(coupled[entry + DRIVER_RATE])],
        )
        found += evaluate_spline(coupled, at, knots, q[int(coupled[entry + DRIVER])], 2) * rate * rate
    return found


@kernel
def follow_drivers(bodies: Bodies, workspace: Array, layout: IntArray, out_v: Array) -> None:
    """The rates of driven coordinates by the rows that are written."""
    coupled, rates = bodies[2], len(out_v)
    for each in range(driven_count(coupled)):
        line, own, total = layout[COUPLED] + each * rates, int(coupled[HEADS + each * STRIDE + RATE]), 0.0
        for rate in range(rates):
            if rate != own:
                total -= workspace[line + rate] * out_v[rate]
        out_v[own] = total


@kernel
def lay_on_splines(bodies: Bodies, out_q: Array, out_v: Array) -> None:
    """Put driven coordinates on their splines, and rates there."""
    if len(bodies[2]) > 0:
        follow_splines(bodies[2], 0, out_q, out_v)


@entered_kernel
def accelerate(
    bodies: Bodies,
    q: Array,
    now: Array,
    forces: tuple[Array, Array, Array],
    work: Array,
    workspace: Array,
    layout: IntArray,
    out_qdd: Array,
) -> None:
    """Forward dynamics at q and the rates `now`, driven coordinates bound to their drivers by rows at q. `forces`:
    torques, what is added to the inertia, forces on the bodies; `work` keeps the factors."""
    ints, floats, coupled = bodies
    compute_forward_dynamics(ints, floats, q, now, forces[0], forces[1], forces[2], work, out_qdd)
    rows, rates = list_driven(bodies, work, 0, layout), ints[RATE_COUNT]
    if rows == 0:
        return
    write_couplings(ints, 0, rows, layout, workspace, work)
    matrix, impulse = workspace[layout[DELASSUS] :], workspace[layout[IMPULSE] :]
    for row in range(rows):
        each = layout[layout[JOINT_ROWS] + row] - 2 * rates
        impulse[row], line = bend_of(coupled, each, q, now), layout[COUPLED] + each * rates
        for rate in range(rates):
            if workspace[line + rate] != 0.0:
                impulse[row] -= workspace[line + rate] * out_qdd[rate]
    solve_symmetric(rows, matrix, impulse)
    add_impulses(ints, rows, impulse, layout, workspace, work, out_qdd)


@kernel
def list_driven(bodies: Bodies, work: Array, first: int, layout: IntArray) -> int:
    """List the rows of driven coordinates that move any mass, behind so many others; how many they are."""
    ints, _, coupled = bodies
    rates, factors, rows = ints[RATE_COUNT], ints[extra_of(ints) + FACTORS], 0
    for each in range(driven_count(coupled)):
        own = int(coupled[HEADS + each * STRIDE + RATE])
        if work[factors + own * FACTOR_STRIDE + INVERSE] != 0.0:
            layout[layout[JOINT_ROWS] + first + rows] = 2 * rates + each
            rows += 1
    return rows


@kernel
def solve_symmetric(rows: int, matrix: Array, out_x: Array) -> None:
    """Solve by Cholesky's factors, written over a matrix that is nowhere negative; rows of nothing are left out."""
    dead = 0.0
    for row in range(rows):
        dead = max(dead, _DEAD * matrix[row * rows + row])
    for row in range(rows):
        for other in range(row):
            for place in range(other):
                matrix[row * rows + other] -= matrix[row * rows + place] * matrix[other * rows + place]
            pivot = matrix[other * rows + other]
            matrix[row * rows + other] = matrix[row * rows + other] / pivot if pivot > 0.0 else 0.0
            out_x[row] -= matrix[row * rows + other] * out_x[other]
        for place in range(row):
            matrix[row * rows + row] -= matrix[row * rows + place] ** 2
        pivot = matrix[row * rows + row]
        matrix[row * rows + row] = math.sqrt(pivot) if pivot > dead else 0.0
        out_x[row] = out_x[row] / matrix[row * rows + row] if pivot > dead else 0.0
    for row in range(rows - 1, -1, -1):
        for below in range(row + 1, rows):
            out_x[row] -= matrix[below * rows + row] * out_x[below]
        pivot = matrix[row * rows + row]
        out_x[row] = out_x[row] / pivot if pivot > 0.0 else 0.0
