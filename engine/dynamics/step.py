"""One step of a figure under gravity, servos, resistances, contact and forces from outside, in one kernel.

The new rates come first, v' = v + dt qdd + A^-1 J^T x, then the pose goes on with them. Forces are taken at

    SEMI_IMPLICIT   the pose and rates at hand; q' = q + dt v'
    BACKWARD        the pose and rates that the step without contact leads to, found by repetition
                    (at hand where that strays); q' = q + dt v'
    MIDPOINT        q + dt v / 2 and v + dt qdd / 2 (Moreau 1988 for contact); q' = that pose + dt v' / 2

with servos and damping implicit in all (resistance.py). Contacts are those of the pose where forces are taken;
in BACKWARD their gaps count less the way that led there, so that they are linearised about it.

None of these keeps energy, and impulses that are not quite solved may add some. So what the figure has after a step
(kinetic, by gravity, in servos as springs to their goals now, in springs, in fields) is compared with what it had plus
what was given to it: by torques, moving servos, forces from outside, and by the ground on what began deep inside it
and has not been out since; what falls in gets nothing. Where it is too much, overlaps are led out ten times as slowly,
then no further in this step; then the rest is taken from the speed, or the step is made shorter where that has too
little. A failure is reported as the rate that is not finite, or faster than 1e8, and the state stays as it was.

dt: [s]; x: impulses (impulses.py).
"""

from __future__ import annotations

import math

from engine.dynamics.contact import reach_stops
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.driven import follow_splines
from engine.dynamics.energies import SLACK, keep_depths, measure_energy, measure_given, slow_down
from engine.dynamics.free_motion import ahead_of, free_rates, move_freely
from engine.dynamics.resistance import RATE_WIDTH, Buffers, Stepped
from engine.dynamics.rows import add_rows, keep_impulses, lessen_lifts, prepare_rows, push_apart
from engine.dynamics.step_layout import DEEP, KEEP_ENERGY, LISTED, Q_NEXT, QD_NEXT, RATES, REACH, TIME
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT, RATE_COUNT
from engine.runtime.jit import kernel

FINE = -1
"""What `advance` returns when nothing is wrong."""
_FASTEST = 1e8  # [rad/s] or [m/s]
# Of the speed at which overlaps are led out, where the energy does not suffice for all of it: it grows by the square.
_SHARES = (0.1, 0.0)
_ROUNDS = 2  # most times that rows are added to those chosen of many


@kernel
def advance(stepped: Stepped, buffers: Buffers, dt: float) -> int:
    """Step the state by dt; FINE, or the rate that went wrong."""
    (ints, _, table, _, _, options), (state, offsets, work, _) = stepped, buffers
    coordinates, rates = ints[COORDINATE_COUNT], ints[RATE_COUNT]
    q, qd = state[:coordinates], state[offsets[RATES] : offsets[RATES] + rates]
    q_next, qd_next = work[offsets[Q_NEXT] :], work[offsets[QD_NEXT] :]
    allowed = math.inf
    if options[KEEP_ENERGY] != 0.0:
        allowed = measure_energy(stepped, q, qd, buffers)
    h = move_freely(stepped, buffers, dt)
    rows = prepare_rows(stepped, buffers, dt)
    lifted = push_apart(stepped, rows, buffers, dt)
    for _ in range(_ROUNDS if offsets[LISTED] >= 0 else 0):
        more = add_rows(stepped, rows, buffers, dt)
        if more == rows:
            break
        rows = more
        lifted = push_apart(stepped, rows, buffers, dt)
    # What strikes the ground may throw a joint against a stop that was far away.
    if (
        rows > 0
        and offsets[LISTED] < 0
        and reach_stops(ints, table, ahead_of(options, state, offsets, work), qd_next, dt, work[offsets[REACH] :])
    ):
        free_rates(rates, state, offsets, work, dt)
        rows = prepare_rows(stepped, buffers, dt)
        lifted = push_apart(stepped, rows, buffers, dt)
    for rate in range(rates):
        if not abs(qd_next[rate]) < _FASTEST:
            return rate
    _move_pose(ints, q, qd, dt, h, work, offsets)
    if options[KEEP_ENERGY] != 0.0:
        given = measure_given(stepped, buffers, dt)
        for share in _SHARES:
            over = measure_energy(stepped, q_next, qd_next, buffers)
            over -= allowed + given + lifted
            if over <= SLACK or not lessen_lifts(share, options, rows, state, offsets, work):
                break
            lifted = push_apart(stepped, rows, buffers, dt)
            _move_pose(ints, q, qd, dt, h, work, offsets)
            given = measure_given(stepped, buffers, dt)
        if over > SLACK:
            slow_down(stepped, allowed + lifted, given, q, buffers, dt)
    if table.shape[0] > rates * RATE_WIDTH:
        follow_splines(table, rates * RATE_WIDTH, q_next, qd_next)
    keep_impulses(ints, rows, state, offsets, work)
    keep_depths(options[DEEP], state, offsets, work)
    for each in range(coordinates):
        q[each] = q_next[each]
    for rate in range(rates):
        qd[rate] = qd_next[rate]
    state[offsets[TIME]] += dt
    return FINE


@kernel
def _move_pose(ints: IntArray, q: Array, qd: Array, dt: float, h: float, work: Array, offsets: IntArray) -> None:
    """Q_NEXT from Q: by the old rates up to where forces were taken, by the new ones from there."""
    q_next = work[offsets[Q_NEXT] :]
    if h < dt:
        integrate_coordinates(ints, q, qd, dt - h, q_next)
        integrate_coordinates(ints, q_next, work[offsets[QD_NEXT] :], h, q_next)
    else:
        integrate_coordinates(ints, q, work[offsets[QD_NEXT] :], h, q_next)
