"""Kernels: a figure that follows the keyed motion through one window, and through many.

Each step takes the servos of all joints within the articulated body recursion (`gains.py` has the equation of a step),
so that it needs no iteration and no gain is too stiff. Values and rates are staggered: x' = x + dt v', so v and the
keyed rate r belong to the middle of the step that led here; r is the mean of the keyed rates at its ends. Velocities
that bend the way (Coriolis forces) are taken half a step on from v by the last acceleration, and since a window begins
at a step, what is felt there counts for half a step: the first v' is the mean of what the step gives and of the keyed
r'. With that the error falls with the square of dt. Keyed values are read at the steps only, so a keyed motion that
jumps pulls a joint across by its spring and kicks nothing.

A joint that follows exactly is laid on its keyed value; what it carries feels the change of the keyed rate.

Driven coordinates: `driven.py`. Stops at limits, and what keeps fast rates from racing off: `stops.py`; at limits over
several angles: `region_stops.py`. Where bodies may touch, impulses keep them apart in each step: `pushing.py`.

Symbols: q coordinates, v rates, dt step [s]. goals: keyed values and rates of the coordinates, a step before the window
and then at each step, and (where limits over several angles hold) values without
corrections, shape [steps + 2, 2 or 3, coordinate_count]. servo: `gains.servo_rows`. outside: forces on the bodies,
as `compute_forward_dynamics` reads them, the same at all steps or those of each step one after the other. touching,
layout: what may touch, nothing maybe (`contact.py`).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.contact_points import MOST
from engine.dynamics.coordinates import compute_difference, integrate_coordinates, read_rates
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.step_layout import QD_AT, QD_NEXT, WORK_SIZE
from engine.kinodynamics.driven import accelerate, couple, follow_drivers, lay_on_splines
from engine.kinodynamics.gains import ADDED, ALONG, DAMPER, LACK, LOWER, OWN, REST, SPRING, UPPER
from engine.kinodynamics.pushing import Touching, are_sound, forget, keep_apart, kept_count
from engine.kinodynamics.region_stops import Regions, stop_at_regions
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
from engine.limits.interpolation import FIELD_COUNT
from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, COORDINATE_COUNT, DOF_COUNT, DOF_INTS, DOF_STRIDE, JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import entered_kernel, kernel, parallel_kernel, prange

FINE = -1
"""What `follow` returns where every step gave finite rates; otherwise the step that did not."""
_MORE = 0.01  # [rad] or [m] a step; by which a rate is taken to change within half of one, at most
_FARTHEST = 10.0  # [rad] or [m] a step; a rate beyond it is the growth of an error
_BENDING = 0.3  # [rad] or [m] a step; Coriolis forces are of no faster rates
_SOLVES = 4  # more of a step, at most: one where a joint is at a stop, others where rates race
Followed = tuple[IntArray, Array, Array, float, Array, Touching, Regions, Array]
"""What a window reads of a figure: ints and floats of the mechanics, servo, dt, outside, touching, regions, driven
coordinates (`driven.pack_coupled`)."""
RATE_BUFFERS = 10
V, NOW, LAST, AHEAD, BEFORE, APART, TAU, DIAGONAL, FREE, QDD = range(RATE_BUFFERS)
# What a window keeps by rate: those of the step and at its end; keyed ones at its start, in its middle and in that of
# the step before; how far q is from its keys; torques, what is added to the inertia; accelerations without stops and
# with them.


def work_size(mechanics: Mechanics) -> int:
    """Numbers that one window needs to work with, beside those of contact."""
    return mechanics.work_size + 2 * mechanics.coordinate_count + RATE_BUFFERS * mechanics.rate_count


@kernel
def follow(followed: Followed, goals: Array, work: Array, layout: IntArray, out_q: Array, out_qd: Array) -> int:
    """Simulate one window: q and the rates at its end; FINE, or the step that broke."""
    path = out_q.reshape(1, len(out_q))
    return follow_path(followed, goals, work, layout, path, out_qd)


@kernel
def follow_path(followed: Followed, goals: Array, work: Array, layout: IntArray, out_path: Array, out_qd: Array) -> int:
    """Simulate one window: q after each of the last steps, as many as `out_path` has rows, and the rates at its end;
    FINE, or the step that broke."""
    ints, floats, servo, dt, _, touching, _, coupled = followed
    bodies, count, rate_count = (ints, floats, coupled), ints[COORDINATE_COUNT], ints[RATE_COUNT]
    workspace, at = work[: layout[WORK_SIZE]], layout[WORK_SIZE]
    kept, at = work[at : at + kept_count(touching)], at + kept_count(touching)
    q, at = work[at : at + count], at + count
    aim, at = work[at : at + count], at + count
    rates, rest = work[at : at + RATE_BUFFERS * rate_count], work[at + RATE_BUFFERS * rate_count :]
    rates, steps = rates.reshape(RATE_BUFFERS, rate_count), len(goals) - 2
    way, touches = workspace[layout[QD_AT] : layout[QD_AT] + rate_count], touching[0][MOST] > 0
    forget(workspace, layout, kept, rate_count)
    begin_window(ints, servo, goals, q, aim, rates)
    lay_on_splines(bodies, q, rates[V])
    lay_on_splines(bodies, q, rates[NOW])
    for step in range(steps):
        v = rates[V]
        sound = find_rates(followed, step, goals[step + 2], rest, workspace, layout, q, aim, rates)
        if touches and sound and keep_apart(bodies, touching, layout, dt, q, v, kept, workspace, rest, way):
            sound = are_sound(v) and are_sound(way)
            add_push(v, workspace[layout[QD_NEXT] : layout[QD_NEXT] + rate_count], dt, rates[QDD])
        if not sound:
            out_qd[:] = v
            return step
        integrate_coordinates(ints, q, way if touches else v, dt, q)
        end_step(ints, servo, dt, aim, q, rates)
        follow_drivers(bodies, workspace, layout, v)
        lay_on_splines(bodies, q, rates[NOW])
        row = step - steps + len(out_path)
        if row >= 0:
            out_path[row] = q
    out_qd[:] = rates[NOW]
    return FINE


@kernel
def add_push(v: Array, before: Array, dt: float, out_qdd: Array) -> None:
    """Add what impulses changed of the rates, as accelerations over the step."""
    for rate in range(len(v)):
        out_qdd[rate] += (v[rate] - before[rate]) / dt


@kernel
def begin_window(ints: IntArray, servo: Array, goals: Array, out_q: Array, out_aim: Array, out_rates: Array) -> None:
    """Begin a window on its keys, at their rates. `out_aim` is a workspace array of coordinates."""
    v, now, last, ahead, along = out_rates[V], out_rates[NOW], out_rates[LAST], out_rates[AHEAD], out_rates[BEFORE]
    read_aim(ints, servo, goals[0], out_aim, last)
    read_aim(ints, servo, goals[1], out_q, ahead)
    for rate in range(len(v)):
        along[rate] = 0.5 * (last[rate] + ahead[rate])
        v[rate], last[rate], now[rate] = along[rate], ahead[rate], ahead[rate]
    keep_within(ints, servo, out_q)


@kernel
def find_rates(
    followed: Followed,
    step: int,
    goal: Array,
    work: Array,
    workspace: Array,
    layout: IntArray,
    q: Array,
    out_aim: Array,
    out_rates: Array,
) -> bool:
    """The rates of a step from q to a goal, and what is keyed there; whether a figure can do that. `work` is left with
    the factors of the last forward dynamics."""
    ints, floats, servo, dt, outside, _, regions, coupled = followed
    v, now, last, ahead, along = out_rates[V], out_rates[NOW], out_rates[LAST], out_rates[AHEAD], out_rates[BEFORE]
    apart, tau, diagonal = out_rates[APART], out_rates[TAU], out_rates[DIAGONAL]
    free, qdd = out_rates[FREE], out_rates[QDD]
    joints = ints[JOINT_COUNT]
    if len(outside) > joints:
        outside = outside[step * joints : (step + 1) * joints]
    read_aim(ints, servo, goal, out_aim, ahead)
    for rate in range(len(v)):
        last[rate], ahead[rate] = ahead[rate], 0.5 * (last[rate] + ahead[rate])
    compute_difference(ints, q, out_aim, apart)
    turn_rates(ints, apart, ahead)
    pull_rates(servo, dt, apart, ahead, along, v, tau, diagonal)
    pull_springs(ints, servo, dt, q, ahead, v, tau)
    bodies, forces = (ints, floats, coupled), (tau, diagonal, outside)
    couple(bodies, q, now, 0.0, workspace, layout)
    accelerate(bodies, q, now, forces, work, workspace, layout, free)
    qdd[:] = free
    slowed = slow_rates(servo, dt, v, free, tau, diagonal)
    again = stop_rates(ints, servo, dt, q, v, free, tau, diagonal) or slowed
    for _ in range(_SOLVES):
        if again:
            accelerate(bodies, q, now, forces, work, workspace, layout, qdd)
            again = slow_rates(servo, dt, v, qdd, tau, diagonal)
    if regions[0][FIELD_COUNT] > 0:
        meant = goal[len(goal) - 1 if len(goal) > 2 else 0]
        stepped = (bodies, servo, dt, outside, workspace, layout)
        stop_at_regions(stepped, regions, meant, q, v, now, work, free, tau, diagonal, qdd)
    sound = advance_rates(servo, dt, 0.5 if step == 0 else 1.0, ahead, diagonal, qdd, v)
    couple(bodies, q, v, 0.5 * dt, workspace, layout)
    follow_drivers(bodies, workspace, layout, v)
    return bool(sound)


@kernel
def end_step(ints: IntArray, servo: Array, dt: float, aim: Array, out_q: Array, out_rates: Array) -> None:
    """Exact values laid down, limits kept, and the rates from which the next step begins."""
    v, now = out_rates[V], out_rates[NOW]
    lay_down(ints, servo, dt, aim, out_q, v)
    out_rates[BEFORE][:] = out_rates[AHEAD]
    estimate_rates(servo, dt, out_rates[LAST], out_rates[QDD], v, now)
    turn_back(ints, servo, dt, out_q, now)


@entered_kernel
def read_aim(ints: IntArray, servo: Array, goal: Array, out_aim: Array, out_rates: Array) -> None:
    """Keyed values, those of exact rates within their limits, and their rates."""
    out_aim[:] = goal[0]
    read_rates(ints, goal[0], goal[1], out_rates)
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL and math.isinf(servo[ADDED, rate]):
            out_aim[at] = min(max(out_aim[at], servo[LOWER, rate]), servo[UPPER, rate])


@entered_kernel
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


@entered_kernel
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


@entered_kernel
def pull_springs(ints: IntArray, servo: Array, dt: float, q: Array, ahead: Array, v: Array, out_tau: Array) -> None:
    """Add the torques of the degrees of freedom's own springs; what they add to the inertia is in ADDED."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL and (servo[OWN, rate] > 0.0 or servo[LACK, rate] != 0.0):
            out_tau[rate] += servo[OWN, rate] * (servo[REST, rate] - q[at] - dt * v[rate])
            out_tau[rate] -= servo[LACK, rate] * ahead[rate]


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
    followed: Followed,
    goals: Array,
    works: Array,
    layout: IntArray,
    out_broken: NDArray[np.int32],
    out_q: Array,
    out_qd: Array,
) -> None:
    """`follow` for each window, in as many blocks of neighbours as there are rows of `works` and of `layout`."""
    count, blocks = len(goals), len(works)
    ints, floats, servo, dt, outside, touching, regions, coupled = (
        followed  # a parallel loop takes no tuples within tuples
    )
    for block in prange(blocks):
        for each in range(block * count // blocks, (block + 1) * count // blocks):
            own = (ints, floats, servo, dt, outside, touching, regions, coupled)
            out_broken[each] = follow(own, goals[each], works[block], layout[block], out_q[each], out_qd[each])
