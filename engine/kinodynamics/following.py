"""Kernels: a figure that follows the keyed motion through one window, and through many.

Each step takes the servos of all joints within the articulated body recursion (`gains.py` has the equation of a step),
so that it needs no iteration and no gain is too stiff. Values and rates are staggered: x' = x + dt v', so v and the
keyed rate r belong to the middle of the step that led here; r is the mean of the keyed rates at its ends. Velocities
that bend the way (Coriolis forces) are taken half a step on from v by the last acceleration, and since a window begins
at a step, what is felt there counts for half a step: the first v' is the mean of what the step gives and of the keyed
r'. With that the error falls with the square of dt. Keyed values are read at the steps only, so a keyed motion that
jumps pulls a joint across by its spring and kicks nothing.

A joint that follows exactly is laid on its keyed value; what it carries feels the change of the keyed rate.

Stops at limits, and what keeps fast rates from racing off: `stops.py`.

Symbols: q coordinates, v rates, dt step [s]. goals: keyed values and rates of the coordinates, a step before the window
and then at each step, shape [steps + 2, 2, coordinate_count]. servo: `gains.servo_rows`. outside: forces on the bodies,
as `compute_forward_dynamics` reads them.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.coordinates import compute_difference, integrate_coordinates, read_rates
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.mechanics import Mechanics
from engine.kinodynamics.gains import ADDED, ALONG, DAMPER, LOWER, SPRING, UPPER
from engine.kinodynamics.stops import (
    drag_of,
    ease_of,
    keep_within,
    lay_down,
    saturate,
    slow_rates,
    stop_rates,
    turn_back,
)
from engine.model.compile import (
    BALL,
    COORDINATE_COUNT,
    DOF_COUNT,
    DOF_INTS,
    DOF_STRIDE,
    RATE_COUNT,
    Array,
    IntArray,
)
from engine.runtime.jit import kernel, parallel_kernel, prange

FINE = -1
"""What `follow` returns where every step gave finite rates; otherwise the step that did not."""
_MORE = 0.01  # [rad] or [m] a step; by which a rate is taken to change within half of one, at most
_FARTHEST = 10.0  # [rad] or [m] a step; a rate beyond it is the growth of an error
_BENDING = 0.3  # [rad] or [m] a step; Coriolis forces are of no faster rates
SOLVES = 4  # more of a step, at most: one where a joint is at a stop, others where rates race
_RATE_BUFFERS = 10


def work_size(mechanics: Mechanics) -> int:
    """Numbers that one window needs to work with."""
    return mechanics.work_size + 2 * mechanics.coordinate_count + _RATE_BUFFERS * mechanics.rate_count


@kernel
def follow(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    work: Array,
    out_q: Array,
    out_qd: Array,
) -> int:
    """Simulate one window: q and the rates at its end; FINE, or the step that broke."""
    return follow_path(ints, floats, servo, dt, goals, outside, work, out_q.reshape(1, len(out_q)), out_qd)


@kernel
def follow_path(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    work: Array,
    out_path: Array,
    out_qd: Array,
) -> int:
    """The same with q after each of the last steps, as many as `out_path` has rows."""
    rates, coordinates = ints[RATE_COUNT], ints[COORDINATE_COUNT]
    q, at = work[:coordinates], coordinates
    aim, at = work[at : at + coordinates], at + coordinates
    v, at = work[at : at + rates], at + rates
    now, at = work[at : at + rates], at + rates
    last, at = work[at : at + rates], at + rates
    ahead, at = work[at : at + rates], at + rates
    along, at = work[at : at + rates], at + rates
    apart, at = work[at : at + rates], at + rates
    tau, at = work[at : at + rates], at + rates
    diagonal, at = work[at : at + rates], at + rates
    free, at = work[at : at + rates], at + rates
    qdd, at = work[at : at + rates], at + rates
    rest, steps = work[at:], len(goals) - 2
    read_aim(ints, servo, goals[0], aim, last)
    read_aim(ints, servo, goals[1], q, ahead)
    for rate in range(rates):
        along[rate] = 0.5 * (last[rate] + ahead[rate])
        v[rate], last[rate], now[rate] = along[rate], ahead[rate], ahead[rate]
    keep_within(ints, servo, q)
    for step in range(steps):
        read_aim(ints, servo, goals[step + 2], aim, ahead)
        for rate in range(rates):
            last[rate], ahead[rate] = ahead[rate], 0.5 * (last[rate] + ahead[rate])
        compute_difference(ints, q, aim, apart)
        turn_rates(ints, apart, ahead)
        pull_rates(servo, dt, apart, ahead, along, v, tau, diagonal)
        compute_forward_dynamics(ints, floats, q, now, tau, diagonal, outside, rest, free)
        qdd[:] = free
        slowed = slow_rates(servo, dt, v, free, tau, diagonal)
        again = stop_rates(ints, servo, dt, q, v, free, tau, diagonal) or slowed
        for _ in range(SOLVES):
            if again:
                compute_forward_dynamics(ints, floats, q, now, tau, diagonal, outside, rest, qdd)
                again = slow_rates(servo, dt, v, qdd, tau, diagonal)
        if not advance_rates(servo, dt, 0.5 if step == 0 else 1.0, ahead, diagonal, qdd, v):
            out_qd[:] = v
            return step
        integrate_coordinates(ints, q, v, dt, q)
        lay_down(ints, servo, dt, aim, q, v)
        along[:] = ahead
        estimate_rates(servo, dt, last, qdd, v, now)
        turn_back(ints, servo, dt, q, now)
        row = step - steps + len(out_path)
        if row >= 0:
            out_path[row] = q
    out_qd[:] = now
    return FINE


@kernel
def read_aim(ints: IntArray, servo: Array, goal: Array, out_aim: Array, out_rates: Array) -> None:
    """Keyed values, those of exact rates within their limits, and their rates."""
    out_aim[:] = goal[0]
    read_rates(ints, goal[0], goal[1], out_rates)
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL and math.isinf(servo[ADDED, rate]):
            out_aim[at] = min(max(out_aim[at], servo[LOWER, rate]), servo[UPPER, rate])


@kernel
def turn_rates(ints: IntArray, apart: Array, out_rates: Array) -> None:
    """A ball's keyed rates from the axes of the keyed frame to those of the frame that is `apart` from it."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        if ints[entry] != BALL:
            continue
        at = ints[entry + 2]
        x, y, z = apart[at], apart[at + 1], apart[at + 2]
        angle = math.sqrt(x * x + y * y + z * z)
        if angle == 0.0:
            continue
        x, y, z = x / angle, y / angle, z / angle
        a, b, c = out_rates[at], out_rates[at + 1], out_rates[at + 2]
        sine, versed = math.sin(angle), 2.0 * math.sin(0.5 * angle) ** 2
        i, j, k = y * c - z * b, z * a - x * c, x * b - y * a
        out_rates[at] = a + sine * i + versed * (y * k - z * j)
        out_rates[at + 1] = b + sine * j + versed * (z * i - x * k)
        out_rates[at + 2] = c + sine * k + versed * (x * j - y * i)


@kernel
def pull_rates(
    servo: Array,
    dt: float,
    apart: Array,
    ahead: Array,
    along: Array,
    v: Array,
    out_tau: Array,
    out_diagonal: Array,
) -> None:
    """The servos' and the drag's torques at v, and what they add to the inertia; where a rate is exact, its
    acceleration."""
    for rate in range(len(v)):
        out_diagonal[rate] = servo[ADDED, rate]
        if math.isinf(servo[ADDED, rate]):
            out_tau[rate] = (ahead[rate] - v[rate]) / dt
        else:
            drag = drag_of(servo, dt, v, rate)
            out_diagonal[rate] += drag
            out_tau[rate] = (
                servo[SPRING, rate] * (apart[rate] - dt * v[rate])
                + servo[DAMPER, rate] * (ahead[rate] - v[rate])
                + servo[ALONG, rate] * (ahead[rate] - along[rate])
                - drag / dt * v[rate]
            )


@kernel
def advance_rates(
    servo: Array, dt: float, share: float, ahead: Array, diagonal: Array, qdd: Array, out_v: Array
) -> bool:
    """v after a step whose forces count by a share, but for those of stops; whether a figure can do that."""
    sound = True
    for rate in range(len(qdd)):
        if math.isinf(servo[ADDED, rate]):
            out_v[rate] = ahead[rate]
            sound = sound and math.isfinite(ahead[rate])
        else:
            own = 1.0 - (1.0 - share) * ease_of(servo, diagonal, rate)
            out_v[rate] = (1.0 - own) * ahead[rate] + own * (out_v[rate] + dt * qdd[rate])
            sound = sound and abs(dt * out_v[rate]) < _FARTHEST
    return sound


@kernel
def estimate_rates(servo: Array, dt: float, keyed: Array, qdd: Array, v: Array, out_now: Array) -> None:
    """The rates at the end of a step: the keyed ones where exact, else v half a step on, without what stops do."""
    for rate in range(len(v)):
        if math.isinf(servo[ADDED, rate]):
            out_now[rate] = keyed[rate]
        else:
            on = v[rate] + saturate(0.5 * dt * qdd[rate], _MORE / dt)
            out_now[rate] = saturate(on, _BENDING / dt)


@parallel_kernel
def follow_windows(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    works: Array,
    out_broken: NDArray[np.int32],
    out_q: Array,
    out_qd: Array,
) -> None:
    """`follow` for each window, in as many blocks of neighbours as there are rows of `works`."""
    count, blocks = len(goals), len(works)
    for block in prange(blocks):
        for each in range(block * count // blocks, (block + 1) * count // blocks):
            out_broken[each] = follow(
                ints, floats, servo, dt, goals[each], outside, works[block], out_q[each], out_qd[each]
            )
