"""One step of a figure under gravity, servos, resistances, contact and forces from outside, in one kernel.

The new rates come first, v' = v + dt qdd + A^-1 J^T x, then the pose goes on with them. Forces are taken at

    SEMI_IMPLICIT   the pose and rates at hand; q' = q + dt v'
    BACKWARD        the pose and rates that the step without contact leads to, found by repetition
                    (at hand where that strays); q' = q + dt v'
    MIDPOINT        q + dt v / 2 and v + dt qdd / 2 (Moreau 1988 for contact); q' = that pose + dt v' / 2

with servos and damping implicit in all (resistance.py). Touches are those of the pose where forces are taken;
in BACKWARD their gaps count less the way that led there, so that they are linearised about it.

None of these keeps energy, and impulses that are not quite solved may add some. So what the figure has after a step
(kinetic, by gravity, in servos as springs to where they aim now, and in fields) is compared with what it had plus
what was given to it: by torques, moving servos, forces from outside, and by the ground on what began deep inside it
and has not been out since; what falls in gets nothing. Where it is too much, overlaps are led out no further in this
step; then the rest is taken from the speed, or the step is made shorter where that has too little. What goes wrong is
told by the rate that is not finite, or faster than 1e8, and the state stays as it was.

dt: [s]; x: impulses (impulses.py).
"""

from __future__ import annotations

import math

from engine.dynamics.contact import (
    bound_joint_row,
    bound_touch,
    compute_velocities,
    list_joint_rows,
    reach_stops,
    read_along,
    write_columns,
)
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.energies import SLACK, began_deep, keep_depths, measure_energy, measure_given, slow_down
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.places import (
    COLUMNS,
    DELASSUS,
    DIAGONAL,
    FREE,
    GREATEST,
    IMPULSE,
    IMPULSES,
    INSIDE,
    JOINT_IMPULSES,
    JOINT_ROWS,
    LEAST,
    LIFTS,
    OUTSIDE,
    PLACED,
    Q_AT,
    Q_NEXT,
    QD_AT,
    QD_NEXT,
    QDD,
    RATES,
    REACH,
    SWEEPS,
    TAU,
    TIME,
    TOUCH_BODIES,
    TOUCH_COUNT,
    TOUCHES,
    VELOCITIES,
    WAY,
)
from engine.dynamics.resistance import Fields, write_resistances
from engine.dynamics.touches import GAP, MOST, PUSH, TOUCH, TOUCH_INTS, find_touches
from engine.model.compile import COORDINATE_COUNT, JOINT_COUNT, RATE_COUNT, Array, IntArray
from engine.runtime.jit import kernel

SEMI_IMPLICIT, BACKWARD, MIDPOINT = range(3)
# What a stepper's options are packed to.
METHOD, REPEATS, SETTLED, PASSES, TOLERANCE, KEEP_ENERGY, MARGIN, SLOP, LIFT, LIFT_SPEED, DEEP = range(11)
OPTION_COUNT = 11
FINE = -1
"""What `advance` returns when nothing is wrong."""
_FASTEST = 1e8
Packed = tuple[IntArray, Array]


@kernel
def advance(
    ints: IntArray,
    floats: Array,
    table: Array,
    fields: Fields,
    shapes: Packed,
    options: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> int:
    """Step the state by dt; FINE, or the rate that went wrong."""
    coordinates, rates = ints[COORDINATE_COUNT], ints[RATE_COUNT]
    q, qd = state[:coordinates], state[places[RATES] : places[RATES] + rates]
    q_next, qd_next = work[places[Q_NEXT] :], work[places[QD_NEXT] :]
    allowed = math.inf
    if options[KEEP_ENERGY] != 0.0:
        allowed = measure_energy(ints, floats, table, fields, q, qd, state, places, work, dynamics)
    h = _move_freely(ints, floats, table, fields, options, state, places, work, dynamics, dt)
    rows = _prepare_rows(ints, floats, table, shapes, options, state, places, work, dynamics, dt)
    lifted = _push_apart(ints, options, rows, state, places, work, dt)
    # What strikes the ground may throw a joint against a stop that was far away.
    if rows > 0 and reach_stops(ints, table, _ahead(options, state, places, work), qd_next, dt, work[places[REACH] :]):
        _free_rates(rates, state, places, work, dt)
        rows = _prepare_rows(ints, floats, table, shapes, options, state, places, work, dynamics, dt)
        lifted = _push_apart(ints, options, rows, state, places, work, dt)
    for rate in range(rates):
        if not abs(qd_next[rate]) < _FASTEST:
            return rate
    _move_pose(ints, q, qd, dt, h, work, places)
    if options[KEEP_ENERGY] != 0.0:
        given = measure_given(ints, table, state, places, work, dynamics, dt)
        over = measure_energy(ints, floats, table, fields, q_next, qd_next, state, places, work, dynamics)
        over -= allowed + given + lifted
        if over > SLACK and _drop_lifts(options, rows, state, places, work):
            lifted = _push_apart(ints, options, rows, state, places, work, dt)
            _move_pose(ints, q, qd, dt, h, work, places)
        if over > SLACK:
            slow_down(ints, floats, table, fields, allowed + given + lifted, q, state, places, work, dynamics, dt)
    _keep_impulses(ints, rows, state, places, work)
    keep_depths(options[DEEP], state, places, work)
    for each in range(coordinates):
        q[each] = q_next[each]
    for rate in range(rates):
        qd[rate] = qd_next[rate]
    state[places[TIME]] += dt
    return FINE


@kernel
def _move_freely(
    ints: IntArray,
    floats: Array,
    table: Array,
    fields: Fields,
    options: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> float:
    """QD_NEXT without any impulse; the factors of the pose where forces are taken; the time h that is left from it."""
    coordinates, rates, joints = ints[COORDINATE_COUNT], ints[RATE_COUNT], ints[JOINT_COUNT]
    q, qd = state[:coordinates], state[places[RATES] : places[RATES] + rates]
    outside = state[places[OUTSIDE] : places[OUTSIDE] + 6 * joints].reshape((-1, 6))
    q_at, qd_at = work[places[Q_AT] : places[Q_AT] + coordinates], work[places[QD_AT] : places[QD_AT] + rates]
    qdd, qd_next = work[places[QDD] : places[QDD] + rates], work[places[QD_NEXT] :]
    tau, diagonal = work[places[TAU] :], work[places[DIAGONAL] :]
    method = int(options[METHOD])
    h = 0.5 * dt if method == MIDPOINT else dt
    integrate_coordinates(ints, q, qd, dt - h, q_at)
    write_resistances(ints, table, fields, state, places, q_at, qd, h, dt, work)
    way = work[places[WAY] :]
    for rate in range(rates):
        qd_at[rate], way[rate] = qd[rate], 0.0
    compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
    before = math.inf
    for _ in range(int(options[REPEATS]) if method != SEMI_IMPLICIT else 0):
        changed = 0.0
        for rate in range(rates):
            ahead = qd[rate] + (0.5 * dt if method == MIDPOINT else dt) * qdd[rate]
            changed = max(changed, abs(ahead - qd_at[rate]))
            qd_at[rate] = ahead
        if changed <= options[SETTLED]:
            break
        astray = changed > before
        before = changed
        # Where the step is too long for the repetition to close in, forces are those at hand.
        for rate in range(rates if astray else 0):
            qd_at[rate] = qd[rate]
        if method == BACKWARD:
            for rate in range(rates):
                way[rate] = 0.0 if astray else qd_at[rate]
            integrate_coordinates(ints, q, way, dt, q_at)
        compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
        if astray:
            break
    _free_rates(rates, state, places, work, dt)
    for rate in range(rates):
        work[places[REACH] + rate] = abs(qd_next[rate])
    return h


@kernel
def _free_rates(rates: int, state: Array, places: IntArray, work: Array, dt: float) -> None:
    """QD_NEXT without any impulse."""
    for rate in range(rates):
        work[places[QD_NEXT] + rate] = state[places[RATES] + rate] + dt * work[places[QDD] + rate]


@kernel
def _ahead(options: Array, state: Array, places: IntArray, work: Array) -> Array:
    """The pose that the new rates go on from."""
    return state if int(options[METHOD]) == BACKWARD else work[places[Q_AT] :]


@kernel
def _prepare_rows(
    ints: IntArray,
    floats: Array,
    table: Array,
    shapes: Packed,
    options: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> int:
    """Find what touches and which joints are held, and write their equations; the number of rows."""
    rates, most = ints[RATE_COUNT], shapes[0][MOST]
    velocities, qd_next = work[places[VELOCITIES] :], work[places[QD_NEXT] :]
    bodies = places[TOUCH_BODIES : TOUCH_BODIES + most * TOUCH_INTS]
    compute_velocities(ints, dynamics, qd_next, velocities)
    touches = find_touches(
        ints,
        shapes[0],
        shapes[1],
        dynamics,
        velocities,
        options[MARGIN],
        dt,
        work[places[PLACED] :],
        work[places[TOUCHES] :],
        bodies,
    )
    places[TOUCH_COUNT], places[SWEEPS] = touches, 0
    ahead = _ahead(options, state, places, work)
    rows = list_joint_rows(ints, table, ahead, work[places[REACH] :], dt, 3 * touches, places)
    write_columns(ints, floats, touches, rows, places, work, dynamics)
    made = work[places[LIFTS] :]
    made[: 3 * touches] = 0.0
    origin = ints[extra_of(ints) + ORIGIN]
    if int(options[METHOD]) == BACKWARD:
        # The way that led to the pose of the touches, along them.
        compute_velocities(ints, dynamics, work[places[WAY] :], velocities)
        read_along(touches, places, work, velocities, dynamics, origin, made)
        compute_velocities(ints, dynamics, qd_next, velocities)
    read_along(touches, places, work, velocities, dynamics, origin, work[places[FREE] :])
    for touch in range(touches):
        work[places[TOUCHES] + touch * TOUCH + GAP] -= dt * made[3 * touch]
    _start_touches(options, touches, state, places, work, dt)
    _start_joints(table, options, touches, rows, rates, ahead, state, places, work, dt)
    return rows


@kernel
def _start_touches(options: Array, touches: int, state: Array, places: IntArray, work: Array, dt: float) -> None:
    """Free velocities of the touches less what they may keep; impulses as the last step left them."""
    free, lifts, impulse = work[places[FREE] :], work[places[LIFTS] :], work[places[IMPULSE] :]
    for touch in range(touches):
        row, gap = 3 * touch, work[places[TOUCHES] + touch * TOUCH + GAP]
        kept, lifts[row] = bound_touch(gap, dt, options[SLOP], options[LIFT], options[LIFT_SPEED])
        free[row] -= kept + lifts[row]
        lifts[row + 1] = lifts[row + 2] = 0.0
        at = places[IMPULSES] + 3 * places[TOUCH_BODIES + touch * TOUCH_INTS]
        x, y, z = state[at], state[at + 1], state[at + 2]
        for axis in range(3):
            way = places[TOUCHES] + touch * TOUCH + PUSH + 3 * axis
            impulse[row + axis] = x * work[way] + y * work[way + 1] + z * work[way + 2]
        impulse[row] = max(0.0, impulse[row])


@kernel
def _start_joints(
    table: Array,
    options: Array,
    touches: int,
    rows: int,
    rates: int,
    ahead: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dt: float,
) -> None:
    """The same of the joints' rows, and their bounds."""
    free, lifts, impulse = work[places[FREE] :], work[places[LIFTS] :], work[places[IMPULSE] :]
    least, greatest, qd_next = work[places[LEAST] :], work[places[GREATEST] :], work[places[QD_NEXT] :]
    for row in range(3 * touches, rows):
        entry = places[places[JOINT_ROWS] + row - 3 * touches]
        kept, lifts[row], least[row], greatest[row] = bound_joint_row(
            table, rates, entry, ahead, qd_next, dt, options[LIFT], options[LIFT_SPEED]
        )
        free[row] = qd_next[entry % rates] - kept - lifts[row]
        impulse[row] = min(greatest[row], max(least[row], state[places[JOINT_IMPULSES] + entry]))


@kernel
def _push_apart(
    ints: IntArray, options: Array, rows: int, state: Array, places: IntArray, work: Array, dt: float
) -> float:
    """QD_NEXT with the impulses of all rows; the work [J] of the ground on what is deep inside it."""
    rates, touches = ints[RATE_COUNT], places[TOUCH_COUNT]
    qd_next, impulse, lifts = work[places[QD_NEXT] :], work[places[IMPULSE] :], work[places[LIFTS] :]
    _free_rates(rates, state, places, work, dt)
    if rows == 0:
        return 0.0
    places[SWEEPS] += solve_impulses(
        touches,
        rows,
        work[places[DELASSUS] :],
        work[places[FREE] :],
        work[places[TOUCHES] :],
        work[places[LEAST] :],
        work[places[GREATEST] :],
        int(options[PASSES]),
        options[TOLERANCE],
        impulse,
    )
    for row in range(rows):
        column = places[COLUMNS] + row * rates
        for rate in range(rates):
            qd_next[rate] += impulse[row] * work[column + rate]
    lifted = 0.0
    for touch in range(touches):
        if began_deep(options[DEEP], touch, state, places, work):
            lifted += impulse[3 * touch] * lifts[3 * touch]
    return lifted


@kernel
def _drop_lifts(options: Array, rows: int, state: Array, places: IntArray, work: Array) -> bool:
    """Let overlaps be but for those that began deep; whether there were any."""
    free, lifts, found = work[places[FREE] :], work[places[LIFTS] :], False
    for row in range(rows):
        touch = row // 3
        deep = touch < places[TOUCH_COUNT] and began_deep(options[DEEP], touch, state, places, work)
        if lifts[row] != 0.0 and not deep:
            free[row] += lifts[row]
            lifts[row], found = 0.0, True
    return found


@kernel
def _move_pose(ints: IntArray, q: Array, qd: Array, dt: float, h: float, work: Array, places: IntArray) -> None:
    """Q_NEXT from Q: by the old rates up to where forces were taken, by the new ones from there."""
    q_next = work[places[Q_NEXT] :]
    if h < dt:
        integrate_coordinates(ints, q, qd, dt - h, q_next)
        integrate_coordinates(ints, q_next, work[places[QD_NEXT] :], h, q_next)
    else:
        integrate_coordinates(ints, q, work[places[QD_NEXT] :], h, q_next)


@kernel
def _keep_impulses(ints: IntArray, rows: int, state: Array, places: IntArray, work: Array) -> None:
    """Into the state, those of touches in world axes, for the next step to begin with."""
    state[places[IMPULSES] : places[INSIDE]] = 0.0
    impulse, touches = work[places[IMPULSE] :], places[TOUCH_COUNT]
    for touch in range(touches):
        at = places[IMPULSES] + 3 * places[TOUCH_BODIES + touch * TOUCH_INTS]
        for axis in range(3):
            way = places[TOUCHES] + touch * TOUCH + PUSH + 3 * axis
            for line in range(3):
                state[at + line] += impulse[3 * touch + axis] * work[way + line]
    for row in range(3 * touches, rows):
        state[places[JOINT_IMPULSES] + places[places[JOINT_ROWS] + row - 3 * touches]] = impulse[row]
