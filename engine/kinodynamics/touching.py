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

Limits of validity: those of `engine.dynamics.contact_points`; no energy is measured over the short time of a window; in
a step that strikes something Coriolis forces are of first order in dt. What is led exactly is of infinite strength:
where it drags a touch against friction into the ground (mu above the slope of the way out) nothing holds that.

Symbols: q coordinates, v rates, dt step [s]; goals, servo, outside: as in `following.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.step_layout import QD_AT, QD_NEXT, WORK_SIZE
from engine.kinodynamics.following import FINE, NOW, QDD, RATE_BUFFERS, V, begin_window, end_step, find_rates
from engine.kinodynamics.pushing import Touching, are_sound, forget, keep_apart, kept_count
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT, RATE_COUNT
from engine.runtime.jit import kernel, parallel_kernel, prange


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
    """Simulate one window: q after each of the last steps, as many as `out_path` has rows, and the rates at its end;
    FINE, or the step that broke."""
    count, rate_count = ints[COORDINATE_COUNT], ints[RATE_COUNT]
    room, at = work[: places[WORK_SIZE]], places[WORK_SIZE]
    kept, at = work[at : at + kept_count(touching)], at + kept_count(touching)
    q, at = work[at : at + count], at + count
    aim, at = work[at : at + count], at + count
    rates, rest = work[at : at + RATE_BUFFERS * rate_count], work[at + RATE_BUFFERS * rate_count :]
    rates, steps = rates.reshape(RATE_BUFFERS, rate_count), len(goals) - 2
    way = room[places[QD_AT] : places[QD_AT] + rate_count]
    forget(room, places, kept, rate_count)
    begin_window(ints, servo, goals, q, aim, rates)
    for step in range(steps):
        v = rates[V]
        sound = find_rates(ints, floats, servo, dt, step, goals[step + 2], outside, rest, q, aim, rates)
        if sound and keep_apart(ints, floats, touching, places, dt, q, v, kept, room, rest, way):
            sound = are_sound(v) and are_sound(way)
            add_push(v, room[places[QD_NEXT] : places[QD_NEXT] + rate_count], dt, rates[QDD])
        if not sound:
            out_qd[:] = v
            return step
        integrate_coordinates(ints, q, way, dt, q)
        end_step(ints, servo, dt, aim, q, rates)
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
