"""Kernels: stops at box limits, and the drag of rates that no step resolves.

Box limits are stops, which begin a little inside: at the limit less `BEFORE`. A step is solved freely first, to v*;
where it would lead on beyond a stop, that is where w = p + (dt + BRAKE) v* > 0 with p how far q is beyond it, it is
solved again with the torque -k (p + (dt + BRAKE) v'), k = (100 I / dt^2) u^2 (3 - 2 u), u = min(1, w / 0.02), taken
implicitly: k (dt + BRAKE) dt is added to the inertia. Torque and slope vanish where w does; a joint that is pressed
against its stop comes to rest between it and the limit. The damper takes the speed before the limit is reached and a
spring pushes nothing that leaves faster than p / BRAKE, so nothing is thrown back. What comes beyond a limit all the
same is laid on it, and its rate taken to be the one that leads there. So no value ever leaves its limits, and what is
found goes on without leaps as the keys change: stops that set a rate to 0 leapt by up to 53 mm along a line of
corrections, and no target could be met. Springs that a joint leans into from step to step threw it back: fingers at
their limits flew off within 0.3 s.

Coriolis forces are those of the rates before the step: where they go by c [rad] a step, they feed what they turn by
about c^2 / 2 of itself. A drag, which begins at 0.1 rad a step (10 rad/s at 10 ms) and has taken half of what goes by
0.4 rad, is stronger than that. Where a step would make a rate race all the same, it is solved again, with a drag for
what it leads to: two hinges of a limp shoulder whose axes have come to lie along each other turn against each other
with no inertia at all, and raced off at 1300 rad/s within a step.

Symbols: q coordinates, v rates, dt step [s]; servo: `gains.servo_rows`; tau, diagonal: torques, and what is added to
the inertia.
"""

from __future__ import annotations

import math

from engine.kinodynamics.gains import ADDED, BEFORE, INERTIA, LOWER, UPPER
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, DOF_COUNT, DOF_INTS, DOF_STRIDE
from engine.runtime.jit import entered_kernel, kernel

_STIFF = 100.0  # a stop takes all but a hundredth of what runs into it within a step
_LEAN = 0.02  # [rad] or [m] beyond a stop, where it is as stiff as it gets
BRAKE = 0.01  # [s] ahead of a step, for which stops brake
_FAST = 0.1  # [rad] or [m] a step; above it a drag begins
_RACING = 0.4  # [rad] or [m] a step; a rate that loses half of itself by the drag


@inlined
def lean_of(beyond: float, dt: float) -> float:
    """Find how stiff a stop is for each unit of inertia [1/s2], by how far a step would lead beyond it."""
    share = min(1.0, beyond / _LEAN)
    return _STIFF / (dt * dt) * share * share * (3.0 - 2.0 * share)


@inlined
def drag_of(servo: Array, dt: float, v: Array, rate: int) -> float:
    """Find what the drag adds to the inertia."""
    over = max((abs(dt * v[rate]) - _FAST) / (_RACING - _FAST), 0.0)
    return float(servo[INERTIA, rate] * (over * over) ** 2)


@entered_kernel
def stop_rates(
    ints: IntArray, servo: Array, dt: float, q: Array, v: Array, free: Array, out_tau: Array, out_diagonal: Array
) -> bool:
    """Add the stops at limits to the servos' torques and to the inertia; tell whether they change anything."""
    stopped, far = False, dt + BRAKE
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] == BALL or math.isinf(out_diagonal[rate]):
            continue
        lower, upper = (
            q[at] - servo[LOWER, rate] - servo[BEFORE, rate],
            q[at] - servo[UPPER, rate] + servo[BEFORE, rate],
        )
        on = far * (v[rate] + dt * free[rate])
        beyond = max(upper + on, 0.0) + min(lower + on, 0.0)
        if beyond != 0.0:
            stiffness = servo[INERTIA, rate] * lean_of(abs(beyond), dt)
            out_tau[rate] -= stiffness * ((upper if beyond > 0.0 else lower) + far * v[rate])
            out_diagonal[rate] += stiffness * far * dt
            stopped = True
    return stopped


@entered_kernel
def slow_rates(servo: Array, dt: float, v: Array, free: Array, out_tau: Array, out_diagonal: Array) -> bool:
    """A drag for rates that would race after the step; whether there are any."""
    slowed = False
    for rate in range(len(v)):
        racing = abs(dt * (v[rate] + dt * free[rate])) / _RACING
        if racing > 1.0 and not math.isinf(out_diagonal[rate]):
            drag = (servo[INERTIA, rate] + out_diagonal[rate]) * (racing - 1.0)
            out_tau[rate] -= drag / dt * v[rate]
            out_diagonal[rate] += drag
            slowed = True
    return slowed


@entered_kernel
def keep_within(ints: IntArray, servo: Array, out_q: Array) -> None:
    """Clamp coordinates to the limits."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL:
            out_q[at] = min(max(out_q[at], servo[LOWER, rate]), servo[UPPER, rate])


@kernel
def lay_down(ints: IntArray, servo: Array, dt: float, aim: Array, out_q: Array, out_v: Array) -> None:
    """Exact rates on their keys; what came beyond a limit on that, at the rate that would have led it there."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if math.isinf(servo[ADDED, rate]):
            for each in range(4 if ints[entry] == BALL else 1):
                out_q[at + each] = aim[at + each]
        elif ints[entry] != BALL:
            within = min(max(out_q[at], servo[LOWER, rate]), servo[UPPER, rate])
            out_v[rate] -= (out_q[at] - within) / dt
            out_q[at] = within


@kernel
def turn_back(ints: IntArray, servo: Array, dt: float, q: Array, out_now: Array) -> None:
    """Clip rates that would pass a limit within a step; none leads into it where that is reached."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL:
            lower, upper = (servo[LOWER, rate] - q[at]) / dt, (servo[UPPER, rate] - q[at]) / dt
            out_now[rate] = min(max(out_now[rate], lower), upper)


@inlined
def saturate(value: float, most: float) -> float:
    """A value that is much less than the most is hardly changed; none is more."""
    share = value / most
    share *= share
    share *= share
    found: float = value / math.sqrt(math.sqrt(math.sqrt(1.0 + share * share)))
    return found


@inlined
def ease_of(servo: Array, diagonal: Array, rate: int) -> float:
    """1 away from stops, 0 where one is far stiffer than what it holds."""
    stopping = diagonal[rate] - servo[ADDED, rate]
    return 1.0 if stopping == 0.0 else servo[INERTIA, rate] / (servo[INERTIA, rate] + stopping)
