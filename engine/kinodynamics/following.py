"""Kernels: a figure that follows the keyed motion through one window, and through many.

Each step takes the servos of all joints within the articulated body recursion (`gains.py` has the equation of a step),
so that it needs no iteration and no gain is too stiff. Values and rates are staggered: x' = x + dt v', so v and the
keyed rate r belong to the middle of the step that led here; r is the mean of the keyed rates at its ends. Velocities
that bend the way (Coriolis forces) are taken half a step on from v by the last acceleration, and since a window begins
at a step, what is felt there counts for half a step: the first v' is the mean of what the step gives and of the keyed
r'. With that the error falls with the square of dt. Keyed values are read at the steps only, so a keyed motion that
jumps pulls a joint across by its spring and kicks nothing.

A joint that follows exactly is laid on its keyed value; what it carries feels the change of the keyed rate.
Box limits: keyed values are taken within them. A step that would carry a rate beyond one is solved again with the
acceleration that lands on it, up to three times while further rates do; a rate that landed has stopped. What is still
beyond is laid on its limit, so no value ever leaves its limits, not even by rounding.

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
_PASSES = 3
_FARTHEST = 10.0  # [rad] or [m] a step; a rate beyond it is the growth of an error
_BENDING = 1.0  # [rad] or [m] a step; Coriolis forces of faster rates, which no step resolves, are those of this one
_RATE_BUFFERS = 8


def work_size(mechanics: Mechanics) -> int:
    """Numbers that one window needs to work with."""
    return mechanics.work_size + mechanics.coordinate_count + _RATE_BUFFERS * mechanics.rate_count


@kernel
def follow(
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
    """Simulate one window: q after each of the last steps, as many as `out_path` has rows, and the rates at its end."""
    rates, coordinates = ints[RATE_COUNT], ints[COORDINATE_COUNT]
    aim, at = work[:coordinates], coordinates
    last, at = work[at : at + rates], at + rates
    ahead, at = work[at : at + rates], at + rates
    along, at = work[at : at + rates], at + rates
    apart, at = work[at : at + rates], at + rates
    tau, at = work[at : at + rates], at + rates
    diagonal, at = work[at : at + rates], at + rates
    qdd, at = work[at : at + rates], at + rates
    now, at = work[at : at + rates], at + rates
    rest = work[at:]
    steps, kept = len(goals) - 2, len(out_path)
    out_q = out_path[kept - 1]
    read_aim(ints, servo, goals[0], aim, last)
    read_aim(ints, servo, goals[1], out_q, ahead)
    for rate in range(rates):
        along[rate] = 0.5 * (last[rate] + ahead[rate])
        out_qd[rate], last[rate], now[rate] = along[rate], ahead[rate], ahead[rate]
    for step in range(steps):
        read_aim(ints, servo, goals[step + 2], aim, ahead)
        for rate in range(rates):
            middle = 0.5 * (last[rate] + ahead[rate])
            last[rate], ahead[rate] = ahead[rate], middle
        compute_difference(ints, out_q, aim, apart)
        turn_rates(ints, apart, ahead)
        pull_rates(servo, dt, apart, ahead, along, out_qd, tau, diagonal)
        compute_forward_dynamics(ints, floats, out_q, now, tau, diagonal, outside, rest, qdd)
        for _ in range(_PASSES):
            if stop_rates(ints, servo, dt, out_q, out_qd, qdd, tau, diagonal) == 0:
                break
            compute_forward_dynamics(ints, floats, out_q, now, tau, diagonal, outside, rest, qdd)
        if not advance_rates(servo, dt, 0.5 if step == 0 else 1.0, ahead, diagonal, qdd, out_qd):
            return step
        integrate_coordinates(ints, out_q, out_qd, dt, out_q)
        lay_down(ints, servo, aim, diagonal, out_q, out_qd)
        along[:] = ahead
        estimate_rates(ints, servo, dt, out_q, out_qd, qdd, last, now)
        if step >= steps - kept:
            out_path[step - steps + kept] = out_q
    out_qd[:] = now
    return FINE


@kernel
def read_aim(ints: IntArray, servo: Array, goal: Array, out_aim: Array, out_rates: Array) -> None:
    """Keyed values within their limits, at rest where they were beyond, and their rates."""
    out_aim[:] = goal[0]
    read_rates(ints, goal[0], goal[1], out_rates)
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        if ints[entry] == BALL:
            continue
        at, rate = ints[entry + 1], ints[entry + 2]
        if out_aim[at] < servo[LOWER, rate] or out_aim[at] > servo[UPPER, rate]:
            out_aim[at] = min(max(out_aim[at], servo[LOWER, rate]), servo[UPPER, rate])
            out_rates[rate] = 0.0


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
    """The servos' torques at v, and what they add to the inertia; the acceleration itself where a rate is exact."""
    for rate in range(len(v)):
        out_diagonal[rate] = servo[ADDED, rate]
        if math.isinf(servo[ADDED, rate]):
            out_tau[rate] = (ahead[rate] - v[rate]) / dt
        else:
            out_tau[rate] = (
                servo[SPRING, rate] * (apart[rate] - dt * v[rate])
                + servo[DAMPER, rate] * (ahead[rate] - v[rate])
                + servo[ALONG, rate] * (ahead[rate] - along[rate])
            )


@kernel
def stop_rates(
    ints: IntArray,
    servo: Array,
    dt: float,
    q: Array,
    v: Array,
    qdd: Array,
    out_tau: Array,
    out_diagonal: Array,
) -> int:
    """Give every rate that would pass a limit within the step the acceleration that lands on it; how many were new."""
    count = 0
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] == BALL or math.isinf(out_diagonal[rate]):
            continue
        after = q[at] + dt * (v[rate] + dt * qdd[rate])
        limit = min(max(after, servo[LOWER, rate]), servo[UPPER, rate])
        if after != limit:
            out_tau[rate] = ((limit - q[at]) / dt - v[rate]) / dt
            out_diagonal[rate] = math.inf
            count += 1
    return count


@kernel
def advance_rates(
    servo: Array, dt: float, share: float, ahead: Array, diagonal: Array, qdd: Array, out_v: Array
) -> bool:
    """v after a step whose forces count by a share, but for what lands; whether it is what a figure can do."""
    sound = True
    for rate in range(len(qdd)):
        if math.isinf(servo[ADDED, rate]):
            out_v[rate] = ahead[rate]
            sound = sound and math.isfinite(ahead[rate])
        else:
            own = 1.0 if math.isinf(diagonal[rate]) else share
            out_v[rate] = (1.0 - own) * ahead[rate] + own * (out_v[rate] + dt * qdd[rate])
            sound = sound and abs(dt * out_v[rate]) < _FARTHEST
    return sound


@kernel
def lay_down(ints: IntArray, servo: Array, aim: Array, diagonal: Array, out_q: Array, out_v: Array) -> None:
    """Exact rates on their keys, what landed or went on beyond a limit on that, at rest."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if math.isinf(servo[ADDED, rate]):
            for each in range(4 if ints[entry] == BALL else 1):
                out_q[at + each] = aim[at + each]
        elif ints[entry] != BALL:
            within = min(max(out_q[at], servo[LOWER, rate]), servo[UPPER, rate])
            if math.isinf(diagonal[rate]):
                lower, upper = servo[LOWER, rate], servo[UPPER, rate]
                within = lower if within - lower < upper - within else upper
                out_v[rate] = 0.0
            elif within != out_q[at]:
                out_v[rate] = 0.0
            out_q[at] = within


@kernel
def estimate_rates(
    ints: IntArray, servo: Array, dt: float, q: Array, v: Array, qdd: Array, keyed: Array, out_now: Array
) -> None:
    """The rates at the end of a step: half a step on from v, the keyed ones where exact, none into a limit."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, first = ints[entry + 1], ints[entry + 2]
        for rate in range(first, first + (3 if ints[entry] == BALL else 1)):
            if math.isinf(servo[ADDED, rate]):
                out_now[rate] = keyed[rate]
            else:
                out_now[rate] = min(max(v[rate] + 0.5 * dt * qdd[rate], -_BENDING / dt), _BENDING / dt)
        if ints[entry] == BALL or math.isinf(servo[ADDED, first]):
            continue
        if q[at] <= servo[LOWER, first]:
            out_now[first] = max(out_now[first], 0.0)
        if q[at] >= servo[UPPER, first]:
            out_now[first] = min(out_now[first], 0.0)


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
                ints, floats, servo, dt, goals[each], outside, works[block], out_q[each : each + 1], out_qd[each]
            )
