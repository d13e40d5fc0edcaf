"""One step of implicit Euler: the minimum of its energy, by Newton's method with line search.

A direction is taken whole where the energy falls by enough, or the gradient by half, else halved. The matrix is the
exact one, with which Newton's method is quick; where conjugate gradients meet a direction of no curvature, or MINRES
leads up, it is made again with every cell's part positive definite, for the rest of the step. It is kept for further
iterations while each of them takes nine tenths of the gradient. Linear systems are solved only as far as the end asks.

Iterations end where the 2-norm of the gradient over free points is `tolerance` times what it is at the ballistic guess
x_n + dt v_n (or below `floor` [N]). They begin there, or at x_n + dt v_n + dt^2 a_n with the acceleration of the step
before, where the gradient is smaller; held points at where they are to be.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import entered_kernel, kernel
from engine.soft.assembly import (
    EXACT,
    GRADIENT,
    POSITIVE,
    Around,
    SoftBodies,
    Stepping,
    assemble,
    lag_forces,
    remember,
)
from engine.soft.contact import find_touching, keep_grips
from engine.soft.frames import PointFrames, turn_points
from engine.soft.linear import LinearSystem, dot, prepare_inverse, solve
from engine.soft.meeting import find_meeting, keep_body_grips
from engine.soft.strings import begin_strings

ITERATIONS, PRODUCTS, FIRST, LAST, HALVINGS, MATRICES, OUTCOMES = 0, 1, 2, 3, 4, 5, 17
KINETIC, WEIGHT, MOMENTUM, SPIN, RELAGGED = 6, 7, 10, 13, 16
"""What a step reports; WEIGHT: sum m x, MOMENTUM and SPIN three numbers each; RELAGGED: whether friction was taken
anew."""
DONE, OUT_OF_ITERATIONS, NOT_FINITE, TOO_MANY_CONTACTS, TOO_MANY_MEETINGS, NO_ALPHA = 0, 1, 2, 3, 4, 5
_ENOUGH = 1e-4  # of the slope that the energy must fall by
_HALVINGS = 12
_SLACK = 1e-13  # of the energy, that rounding may add
_FORCING = 0.03  # of the gradient that a linear system may leave
_LAGS = 1  # times that the forces of friction are taken anew within a step
_LAG = 0.2  # share by which they must have changed for that
_KEPT = 0.1  # of the gradient, where more is left the matrix is made again


class NewtonChoices(NamedTuple):
    """Options of the solver."""

    tolerance: float
    floor: float  # [N]
    most: int  # iterations
    most_products: int  # of one linear system
    method: int


class Vectors(NamedTuple):
    """Work memory, each of shape [3 point_count]."""

    v: Array
    a: Array  # acceleration in the step before
    held_at: Array  # where held points are to be
    step: Array
    right: Array
    start: Array
    pull: Array  # [m/s2] gravity of each point
    room: Array  # shape [7, 3 point_count]
    settled: Array  # where points were when the forces of friction were taken anew


@inlined
def measure(gradient: Array, free: Array) -> float:
    """Compute the norm of the gradient over free points."""
    total = 0.0
    for each in range(gradient.shape[0]):
        total += gradient[each] * gradient[each] * free[each]
    return math.sqrt(total)


@kernel
def weigh(masses: Array, x: Array, v: Array, out: Array) -> None:
    """Sum kinetic energy and momenta."""
    kinetic, a, b, c, p, q, r, d, e, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for point in range(masses.shape[0]):
        m, at = masses[point], 3 * point
        i, j, k, u, h, w = x[at], x[at + 1], x[at + 2], m * v[at], m * v[at + 1], m * v[at + 2]
        kinetic += 0.5 * (u * v[at] + h * v[at + 1] + w * v[at + 2])
        a, b, c, p, q, r = a + m * i, b + m * j, c + m * k, p + u, q + h, r + w
        d, e, f = d + j * w - k * h, e + k * u - i * w, f + i * h - j * u
    out[KINETIC] = kinetic
    out[WEIGHT], out[WEIGHT + 1], out[WEIGHT + 2] = a, b, c
    out[MOMENTUM], out[MOMENTUM + 1], out[MOMENTUM + 2] = p, q, r
    out[SPIN], out[SPIN + 1], out[SPIN + 2] = d, e, f


@kernel
def advance(
    bodies: SoftBodies,
    around: Around,
    stepping: Stepping,
    system: LinearSystem,
    frames: PointFrames,
    vectors: Vectors,
    choices: NewtonChoices,
    dt: float,
    out: Array,
) -> int:
    """Step x, v and a by dt; how it went."""
    x, v, a, count = stepping.x, vectors.v, vectors.a, stepping.x.shape[0]
    out[:] = 0.0
    for each in range(count):
        stepping.before[each] = x[each]
        guess = x[each] + dt * v[each]
        stepping.aim[each] = guess + dt * dt * vectors.pull[each]
        vectors.start[each] = guess + dt * dt * a[each]
        if system.free[each] == 0.0:
            guess = vectors.start[each] = vectors.held_at[each]
        x[each] = guess
    went = look_around(bodies, around, stepping, frames, v, dt, out)
    if went != DONE:
        x[:] = stepping.before
        return went
    went = iterate(bodies, around, stepping, system, vectors, choices, dt, out)
    if went == NOT_FINITE:
        x[:] = stepping.before
        return went
    keep_grips(bodies.skin, around.touching, around.grips)
    keep_body_grips(around.meeting, around.grips)
    for each in range(count):
        speed = (x[each] - stepping.before[each]) / dt
        a[each] = (speed - v[each]) / dt
        v[each] = speed
    weigh(bodies.masses, x, v, out)
    return went


@entered_kernel
def look_around(
    bodies: SoftBodies, around: Around, stepping: Stepping, frames: PointFrames, v: Array, dt: float, out: Array
) -> int:
    """Take in what a step begins with: alphas and lengths, strains, what may be touched, how points are turned."""
    before = stepping.before
    if not begin_strings(bodies.strings, around.alphas, before):
        return NO_ALPHA
    remember(bodies, stepping)
    if find_touching(bodies.skin, around.colliders, around.grips, before, v, dt, around.touching) > len(
        around.touching.pairs
    ):
        return TOO_MANY_CONTACTS
    met, entries = find_meeting(bodies.skin, bodies.hull, around.colliders, around.grips, before, v, dt, around.meeting)
    if met > len(around.meeting.spots) or entries > len(around.meeting.grid.listed):
        out[ITERATIONS], out[PRODUCTS] = met, entries
        return TOO_MANY_MEETINGS
    turn_points(bodies.pattern, frames, before, stepping.buffer, stepping.frames)
    return DONE


@kernel
def begin(
    bodies: SoftBodies,
    around: Around,
    stepping: Stepping,
    system: LinearSystem,
    vectors: Vectors,
    choices: NewtonChoices,
    dt: float,
    out: Array,
) -> float:
    """Choose where to begin, and assemble there; the energy."""
    x, free, other = stepping.x, system.free, vectors.start
    assemble(bodies, around, stepping, dt, GRADIENT)
    first = out[FIRST] = measure(stepping.gradient, free)
    for each in range(x.shape[0]):
        x[each], other[each] = other[each], x[each]
    assemble(bodies, around, stepping, dt, EXACT)
    if not measure(stepping.gradient, free) <= first:
        for each in range(x.shape[0]):
            x[each] = other[each]
        assemble(bodies, around, stepping, dt, EXACT)
        out[MATRICES] += 1.0
    out[MATRICES] += 1.0
    prepare_inverse(system)
    return float(stepping.energies.sum())


@kernel
def iterate(
    bodies: SoftBodies,
    around: Around,
    stepping: Stepping,
    system: LinearSystem,
    vectors: Vectors,
    choices: NewtonChoices,
    dt: float,
    out: Array,
) -> int:
    """Find the minimum of the energy from x on."""
    x, free, gradient = stepping.x, system.free, stepping.gradient
    energy = begin(bodies, around, stepping, system, vectors, choices, dt, out)
    now = out[LAST] = measure(gradient, free)
    if not now < math.inf:
        return NOT_FINITE
    wanted, level, made, lags = max(choices.tolerance * out[FIRST], choices.floor), EXACT, True, 0
    while True:
        if now <= wanted:
            if lags == _LAGS or lag_forces(around) < _LAG:
                return DONE
            lags += 1
            vectors.settled[:] = x
            out[RELAGGED] = 1.0
            energy = assemble(bodies, around, stepping, dt, level)
            prepare_inverse(system)
            now, made = measure(gradient, free), True
            out[MATRICES] += 1.0
            continue
        if out[ITERATIONS] >= choices.most:
            return OUT_OF_ITERATIONS
        if not made:
            assemble(bodies, around, stepping, dt, level)
            prepare_inverse(system)
            out[MATRICES] += 1.0
        for each in range(x.shape[0]):
            vectors.right[each] = -gradient[each]
            vectors.start[each] = x[each]
        forcing = max(_FORCING, 0.5 * wanted / now)
        products = solve(
            system, choices.method, vectors.right, forcing, choices.most_products, vectors.room, vectors.step
        )
        out[PRODUCTS] += abs(products)
        slope = dot(gradient, vectors.step)
        if level == EXACT and (products < 0 or not slope < 0.0):
            level, made = POSITIVE, False
            continue
        length, before, fell, trial = 1.0, now, False, energy
        for halving in range(_HALVINGS):
            for each in range(x.shape[0]):
                x[each] = vectors.start[each] + length * vectors.step[each]
            trial = assemble(bodies, around, stepping, dt, GRADIENT)
            now = measure(gradient, free)
            fell = trial <= energy + _ENOUGH * length * slope + _SLACK * abs(energy)
            fell = fell or (halving == 0 and now < 0.5 * before)
            if fell:
                break
            length *= 0.5
            out[HALVINGS] += 1.0
        out[ITERATIONS] += 1.0
        out[LAST] = now
        if not now < math.inf:
            return NOT_FINITE
        if not fell and now > wanted and made and level == POSITIVE:
            return OUT_OF_ITERATIONS
        if not fell:
            level = POSITIVE
        energy, made = trial, fell and now < _KEPT * before
