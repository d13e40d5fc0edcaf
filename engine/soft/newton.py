"""One step of implicit Euler: the minimum of its energy, by Newton's method with line search.

The matrix is positive definite, so each direction leads down; a step is taken whole where the energy falls by enough,
else halved. Linear systems are solved only as far as the present residual asks (Eisenstat and Walker 1996). Iterations
end where the 2-norm of the gradient over free points is `tolerance` times what it is at the ballistic guess x_n + dt v_n
(or below `floor` [N]). They begin at that guess, held points at where they are to be.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.assembly import CONTACT, CONTACT_LAGGED, Around, Bodies, Stepping, assemble, lag_forces
from engine.soft.contact import find_touching
from engine.soft.layers import Frames, turn_points
from engine.soft.linear import System, prepare_inverse, solve
from engine.soft.ties import begin_strings

ITERATIONS, PRODUCTS, FIRST, LAST, HALVINGS, MATRICES, OUTCOMES = 0, 1, 2, 3, 4, 5, 8
"""What a step reports."""
DONE, OUT_OF_ITERATIONS, NOT_FINITE, TOO_MANY_CONTACTS = 0, 1, 2, 3
_ENOUGH = 1e-4  # of the slope that the energy must fall by
_HALVINGS = 12
_SLACK = 1e-13  # of the energy, that rounding may add


class Choices(NamedTuple):
    """Options of the solver."""

    tolerance: float
    floor: float  # [N]
    most: int  # iterations
    most_products: int  # of one linear system
    method: int
    slow: float  # [m/s] slip below which friction is smooth


class Vectors(NamedTuple):
    """Work memory, each of shape [3 point_count]."""

    v: Array
    held_at: Array  # where held points are to be
    step: Array
    right: Array
    start: Array
    pull: Array  # [m/s2] gravity of each point
    room: Array  # shape [7, 3 point_count]


@inlined
def measure(gradient: Array, free: Array) -> float:
    """Compute the norm of the gradient over free points."""
    total = 0.0
    for each in range(gradient.shape[0]):
        total += gradient[each] * gradient[each] * free[each]
    return math.sqrt(total)


@kernel
def advance(
    bodies: Bodies,
    around: Around,
    stepping: Stepping,
    system: System,
    frames: Frames,
    vectors: Vectors,
    choices: Choices,
    dt: float,
    out: Array,
) -> int:
    """Step x and v by dt; how it went."""
    x, v, free, count = stepping.x, vectors.v, system.free, stepping.x.shape[0]
    out[:] = 0.0
    for each in range(count):
        stepping.before[each] = x[each]
        guess = x[each] + dt * v[each]
        stepping.aim[each] = guess + dt * dt * vectors.pull[each]
        x[each] = guess if free[each] != 0.0 else vectors.held_at[each]
    begin_strings(bodies.strings, stepping.before)
    if find_touching(bodies.skin, around.colliders, stepping.before, v, dt, around.touching) > len(around.touching.pairs):
        x[:] = stepping.before
        return TOO_MANY_CONTACTS
    turn_points(bodies.pattern, frames, stepping.before, stepping.buffer, stepping.frames)
    went = iterate(bodies, around, stepping, system, vectors, choices, dt, out)
    if went == NOT_FINITE:
        x[:] = stepping.before
        return went
    for each in range(count):
        v[each] = (x[each] - stepping.before[each]) / dt
    return went


@kernel
def iterate(
    bodies: Bodies,
    around: Around,
    stepping: Stepping,
    system: System,
    vectors: Vectors,
    choices: Choices,
    dt: float,
    out: Array,
) -> int:
    """Find the minimum of the energy from x on."""
    x, free, gradient = stepping.x, system.free, stepping.gradient
    energy = assemble(bodies, around, stepping, dt, choices.slow, 1)
    energy += stepping.energies[CONTACT] - stepping.energies[CONTACT_LAGGED]
    now = measure(gradient, free)
    out[FIRST] = out[LAST] = now
    if not now < math.inf:
        return NOT_FINITE
    wanted, before = max(choices.tolerance * now, choices.floor), now
    for iteration in range(choices.most):
        if now <= wanted:
            return DONE
        lag_forces(around.touching)
        assemble(bodies, around, stepping, dt, choices.slow, 2)
        prepare_inverse(system)
        out[MATRICES] += 1.0
        # as exact as the residual asks, and no more exact than the end asks
        forcing = 0.1 if iteration == 0 else min(0.1, 0.9 * (now / before) ** 2)
        forcing = max(forcing, 0.3 * wanted / now)
        for each in range(x.shape[0]):
            vectors.right[each] = -gradient[each]
        out[PRODUCTS] += solve(
            system, choices.method, vectors.right, forcing, choices.most_products, vectors.room, vectors.step
        )
        slope = 0.0
        for each in range(x.shape[0]):
            vectors.start[each] = x[each]
            slope += gradient[each] * vectors.step[each]
        length, before, fell = 1.0, now, False
        for halving in range(_HALVINGS):
            for each in range(x.shape[0]):
                x[each] = vectors.start[each] + length * vectors.step[each]
            trial = assemble(bodies, around, stepping, dt, choices.slow, 1)
            now = measure(gradient, free)
            if trial <= energy + _ENOUGH * length * slope + _SLACK * abs(energy) or (halving == 0 and now < 0.5 * before):
                fell = True
                break
            length *= 0.5
            out[HALVINGS] += 1.0
        out[ITERATIONS] += 1.0
        out[LAST] = now
        if not now < math.inf:
            return NOT_FINITE
        if not fell:
            return DONE if now <= wanted else OUT_OF_ITERATIONS
        energy = trial + stepping.energies[CONTACT] - stepping.energies[CONTACT_LAGGED]
    return DONE if now <= wanted else OUT_OF_ITERATIONS
