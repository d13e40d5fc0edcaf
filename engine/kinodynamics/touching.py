"""Kernels: a window in which the figure touches the ground and itself.

As `following.py`, whose steps these are; between the rates v' that a step would give and the move to x' = x + dt v'
come impulses. With the factors that forward dynamics left, A = M + D (servos, and stops that are leaned into, act
during the step), and J the rows of all touches (`engine.dynamics.contact`),

    v'' = v' + A^-1 J^T i,    u = J v'' + gap / dt:    0 <= u_n, 0 <= i_n, u_n i_n = 0,    |i_t| <= mu i_n (Coulomb),

so what is apart just arrives, inelastically, and what touches sticks or slides. The touches are those of the pose at
the beginning of the step. Impulses that lead a joint beyond a limit get a row for that stop, and are found again.
Exactly followed rates give way to nothing: a touch between what they alone move is left as the keys have it.

Of what overlaps a LIFT is led out in a step, at most by LIFT_SPEED: by a move of its own, of which the rates know
nothing, so that what the keys press into the ground is not thrown up by it. No overlap is left as it is, unlike in
`engine.dynamics.step`: where bodies come to rest would depend on how they came there, and targets could not be met.

A window begins without impulses and its first touches are those of the keyed pose there. So there is no history, and
what friction would have held since before is held from there on only: `contact.py` tells where that counts. The map
from keyed motions to poses jumps where a touch comes to be within the window or friction lets go.

Limits of validity: those of `engine.dynamics.touches`; no energy is measured over the short time of a window; in a
step that strikes something Coriolis forces are of first order in dt. What is led exactly is of infinite strength: where
it drags a touch against friction into the ground (mu above the slope of the way out) nothing holds that.

Symbols: q coordinates, v rates, dt step [s]; goals, servo, outside: as in `following.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.places import QD_AT, QD_NEXT, WORK_SIZE
from engine.kinodynamics.following import (
    FINE,
    SOLVES,
    advance_rates,
    estimate_rates,
    pull_rates,
    read_aim,
    turn_rates,
)
from engine.kinodynamics.pushing import Touching, are_sound, forget, keep_apart, kept_count
from engine.kinodynamics.stops import keep_within, lay_down, slow_rates, stop_rates, turn_back
from engine.model.compile import COORDINATE_COUNT, RATE_COUNT, Array, IntArray
from engine.runtime.jit import kernel, parallel_kernel, prange

_BUFFERS = 10  # of the rates, and 2 of the coordinates


@kernel
def touch(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    work: Array,
    touching: Touching,
    places: IntArray,
    out_q: Array,
    out_qd: Array,
) -> int:
    """Simulate one window: q and the rates at its end; FINE, or the step that broke."""
    path = out_q.reshape(1, len(out_q))
    return touch_path(ints, floats, servo, dt, goals, outside, work, touching, places, path, out_qd)


@kernel
def touch_path(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    work: Array,
    touching: Touching,
    places: IntArray,
    out_path: Array,
    out_qd: Array,
) -> int:
    """The same with q after each of the last steps, as many as `out_path` has rows."""
    rates, coordinates = ints[RATE_COUNT], ints[COORDINATE_COUNT]
    room, at = work[: places[WORK_SIZE]], places[WORK_SIZE]
    kept, at = work[at : at + kept_count(touching)], at + kept_count(touching)
    q, at = work[at : at + coordinates], at + coordinates
    aim, at = work[at : at + coordinates], at + coordinates
    buffers = work[at : at + _BUFFERS * rates].reshape(_BUFFERS, rates)
    v, now, last, ahead, along = buffers[0], buffers[1], buffers[2], buffers[3], buffers[4]
    apart, tau, diagonal, free, qdd = buffers[5], buffers[6], buffers[7], buffers[8], buffers[9]
    dynamics, steps = work[at + _BUFFERS * rates :], len(goals) - 2
    way = room[places[QD_AT] : places[QD_AT] + rates]
    forget(room, places, kept, rates)
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
        compute_forward_dynamics(ints, floats, q, now, tau, diagonal, outside, dynamics, free)
        qdd[:] = free
        slowed = slow_rates(servo, dt, v, free, tau, diagonal)
        again = stop_rates(ints, servo, dt, q, v, free, tau, diagonal) or slowed
        for _ in range(SOLVES):
            if again:
                compute_forward_dynamics(ints, floats, q, now, tau, diagonal, outside, dynamics, qdd)
                again = slow_rates(servo, dt, v, qdd, tau, diagonal)
        sound = advance_rates(servo, dt, 0.5 if step == 0 else 1.0, ahead, diagonal, qdd, v)
        if sound and keep_apart(ints, floats, touching, places, dt, q, v, kept, room, dynamics, way):
            sound = are_sound(v) and are_sound(way)
            add_push(v, room[places[QD_NEXT] : places[QD_NEXT] + rates], dt, qdd)
        if not sound:
            out_qd[:] = v
            return step
        integrate_coordinates(ints, q, way, dt, q)
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
def add_push(v: Array, before: Array, dt: float, out_qdd: Array) -> None:
    """What impulses changed of the rates, as accelerations over the step."""
    for rate in range(len(v)):
        out_qdd[rate] += (v[rate] - before[rate]) / dt


@parallel_kernel
def touch_windows(
    ints: IntArray,
    floats: Array,
    servo: Array,
    dt: float,
    goals: Array,
    outside: Array,
    works: Array,
    touching: Touching,
    places: IntArray,
    out_broken: NDArray[np.int32],
    out_q: Array,
    out_qd: Array,
) -> None:
    """`touch` for each window, in as many blocks of neighbours as there are rows of `works` and of `places`."""
    count, blocks = len(goals), len(works)
    for block in prange(blocks):
        for each in range(block * count // blocks, (block + 1) * count // blocks):
            out_broken[each] = touch(
                ints,
                floats,
                servo,
                dt,
                goals[each],
                outside,
                works[block],
                touching,
                places[block],
                out_q[each],
                out_qd[each],
            )
