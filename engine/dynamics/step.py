"""One step of a figure under gravity, servos, resistances, contact and forces from outside, in one kernel.

The new rates come first, v' = v + dt qdd + A^-1 J^T x, then the pose goes on with them. Forces are taken at

    SEMI_IMPLICIT   the pose and rates at hand; q' = q + dt v'
    BACKWARD        the pose and rates that the step without contact leads to, found by repetition; q' = q + dt v'
    MIDPOINT        q + dt v / 2 and v + dt qdd / 2 (Moreau 1988 for contact); q' = that pose + dt v' / 2

with servos, damping and stops implicit in all (resistance.py). Touches are those of the pose where forces are taken;
in BACKWARD their gaps count less the way that led there, so that they are linearised about it.

None of these keeps energy, and impulses that are not quite solved may add some. So what the figure has after a step
(kinetic, by gravity, in servos as springs to where they aim now, stops and fields) is compared with what it had plus
what was given to it: by torques, moving servos, forces from outside, and by the ground on what starts deep inside it.
What is too much is taken from its speed; where it has none, the step is made shorter. What goes wrong is told
by the rate that is not finite, or faster than 1e8, and the state stays as it was.

dt: [s]; x: impulses (impulses.py).
"""

from __future__ import annotations

import math

from engine.dynamics.contact import compute_velocities, gap_of, lifting, read_along, write_columns
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.momenta import KINETIC, POTENTIAL, compute_momenta
from engine.dynamics.places import (
    ANGLES,
    BOUND,
    COLUMNS,
    DELASSUS,
    DIAGONAL,
    DIFFERENCE,
    DRY_IMPULSES,
    ENERGIES,
    FREE,
    GOAL,
    GOAL_RATES,
    IMPULSE,
    IMPULSES,
    OUTSIDE,
    PLACED,
    Q_AT,
    Q_NEXT,
    QD_AT,
    QD_NEXT,
    QDD,
    RATES,
    SWEEPS,
    TAU,
    TIME,
    TORQUES,
    TOUCH_BODIES,
    TOUCH_COUNT,
    TOUCHES,
    VELOCITIES,
)
from engine.dynamics.resistance import DRY, KD, RATE_WIDTH, Fields, store_energy, write_resistances
from engine.dynamics.touching import MOST, PUSH, TOUCH, TOUCH_INTS, find_touches
from engine.model.compile import COORDINATE_COUNT, JOINT_COUNT, RATE_COUNT, ROW, Array, IntArray
from engine.runtime.jit import kernel

SEMI_IMPLICIT, BACKWARD, MIDPOINT = range(3)
# What a stepper's options are packed to.
METHOD, REPEATS, SETTLED, PASSES, TOLERANCE, KEEP_ENERGY, MARGIN, SLOP, LIFT, LIFT_SPEED, DEEP = range(11)
OPTION_COUNT = 11
FINE = -1
"""What `advance` returns when nothing is wrong."""
_FASTEST, _SHORTER, _ROUNDING = 1e8, 12, 1e-13
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
        allowed = _energy(ints, floats, table, fields, q, qd, state, places, work, dynamics)
    h = _move_freely(ints, floats, table, fields, options, state, places, work, dynamics, dt)
    lifted = _touch(ints, floats, table, shapes, options, state, places, work, dynamics, dt, h)
    for rate in range(rates):
        if not abs(qd_next[rate]) < _FASTEST:
            return rate
    if h < dt:
        integrate_coordinates(ints, q, qd, dt - h, q_next)
        integrate_coordinates(ints, q_next, qd_next, h, q_next)
    else:
        integrate_coordinates(ints, q, qd_next, h, q_next)
    if options[KEEP_ENERGY] != 0.0:
        allowed += lifted + _given(ints, table, state, places, work, dynamics, dt)
        _keep_energy(ints, floats, table, fields, allowed, q, state, places, work, dynamics, dt)
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
    for rate in range(rates):
        qd_at[rate] = qd[rate]
    compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
    for _ in range(int(options[REPEATS]) if method != SEMI_IMPLICIT else 0):
        changed = 0.0
        for rate in range(rates):
            ahead = qd[rate] + (0.5 * dt if method == MIDPOINT else dt) * qdd[rate]
            changed = max(changed, abs(ahead - qd_at[rate]))
            qd_at[rate] = ahead
        if changed <= options[SETTLED]:
            break
        if method == BACKWARD:
            integrate_coordinates(ints, q, qd_at, dt, q_at)
        compute_forward_dynamics(ints, floats, q_at, qd_at, tau, diagonal, outside, dynamics, qdd)
    for rate in range(rates):
        qd_next[rate] = qd[rate] + dt * qdd[rate]
    return h


@kernel
def _touch(
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
    h: float,
) -> float:
    """Add to QD_NEXT what contact and dry friction do; the work [J] of the ground on what is deep inside it."""
    rates, most = ints[RATE_COUNT], shapes[0][MOST]
    qd_next = work[places[QD_NEXT] : places[QD_NEXT] + rates]
    velocities, bodies = work[places[VELOCITIES] :], places[TOUCH_BODIES : TOUCH_BODIES + most * TOUCH_INTS]
    table_at = work[places[TOUCHES] : places[TOUCHES] + most * TOUCH]
    compute_velocities(ints, dynamics, qd_next, velocities)
    touches = find_touches(
        ints,
        shapes[0],
        shapes[1],
        dynamics,
        velocities,
        options[MARGIN],
        h,
        work[places[PLACED] :],
        table_at,
        bodies,
    )
    rows = write_columns(ints, floats, table, touches, places, work, dynamics)
    places[TOUCH_COUNT], places[SWEEPS] = touches, 0
    if rows == 0:
        state[places[IMPULSES] : places[TIME]] = 0.0
        return 0.0
    free, impulse, bound = work[places[FREE] :], work[places[IMPULSE] :], work[places[BOUND] :]
    _start_rows(ints, table, options, touches, rows, state, places, work, dynamics, dt, h)
    places[SWEEPS] = solve_impulses(
        touches,
        rows,
        work[places[DELASSUS] :],
        free,
        table_at,
        bound,
        int(options[PASSES]),
        options[TOLERANCE],
        impulse,
    )
    for row in range(rows):
        column = places[COLUMNS] + row * rates
        for rate in range(rates):
            qd_next[rate] += impulse[row] * work[column + rate]
    _keep_impulses(ints, table, touches, state, places, work)
    lifted = 0.0
    for touch in range(touches):
        gap = gap_of(work, places, touch)
        if gap < -options[DEEP]:
            lifted += impulse[3 * touch] * lifting(gap, h, options[SLOP], options[LIFT], options[LIFT_SPEED])
    return lifted


@kernel
def _start_rows(
    ints: IntArray,
    table: Array,
    options: Array,
    touches: int,
    rows: int,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
    h: float,
) -> None:
    """Free velocities, less what normals may keep; bounds; impulses as the last step left them."""
    rates, origin = ints[RATE_COUNT], ints[extra_of(ints) + ORIGIN]
    free, impulse, bound = work[places[FREE] :], work[places[IMPULSE] :], work[places[BOUND] :]
    velocities = work[places[VELOCITIES] :]
    made = impulse
    if int(options[METHOD]) == BACKWARD:
        # The way that led to the pose of the touches, along them; `impulse` is free to hold it until it is filled.
        compute_velocities(ints, dynamics, work[places[QD_AT] :], velocities)
        read_along(touches, places, work, velocities, dynamics, origin, made)
        compute_velocities(ints, dynamics, work[places[QD_NEXT] :], velocities)
    else:
        made[: 3 * touches] = 0.0
    read_along(touches, places, work, velocities, dynamics, origin, free)
    for touch in range(touches):
        row = 3 * touch
        gap = gap_of(work, places, touch) - h * made[row]
        free[row] -= lifting(gap, h, options[SLOP], options[LIFT], options[LIFT_SPEED])
        at = places[IMPULSES] + 3 * places[TOUCH_BODIES + touch * TOUCH_INTS]
        x, y, z = state[at], state[at + 1], state[at + 2]
        for axis in range(3):
            way = places[TOUCHES] + touch * TOUCH + PUSH + 3 * axis
            impulse[row + axis] = x * work[way] + y * work[way + 1] + z * work[way + 2]
        impulse[row] = max(0.0, impulse[row])
    row = 3 * touches
    for rate in range(rates):
        if table[rate * RATE_WIDTH + DRY] > 0.0:
            free[row], bound[row] = work[places[QD_NEXT] + rate], dt * table[rate * RATE_WIDTH + DRY]
            impulse[row] = state[places[DRY_IMPULSES] + rate]
            row += 1


@kernel
def _keep_impulses(ints: IntArray, table: Array, touches: int, state: Array, places: IntArray, work: Array) -> None:
    """Into the state, in world axes, for the next step to begin with."""
    state[places[IMPULSES] : places[TIME]] = 0.0
    impulse = work[places[IMPULSE] :]
    for touch in range(touches):
        at = places[IMPULSES] + 3 * places[TOUCH_BODIES + touch * TOUCH_INTS]
        for axis in range(3):
            way = places[TOUCHES] + touch * TOUCH + PUSH + 3 * axis
            for line in range(3):
                state[at + line] += impulse[3 * touch + axis] * work[way + line]
    row = 3 * touches
    for rate in range(ints[RATE_COUNT]):
        if table[rate * RATE_WIDTH + DRY] > 0.0:
            state[places[DRY_IMPULSES] + rate] = impulse[row]
            row += 1


@kernel
def _energy(
    ints: IntArray,
    floats: Array,
    table: Array,
    fields: Fields,
    q: Array,
    qd: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
) -> float:
    """All energy [J]; ENERGIES in the work are its momenta."""
    momenta = work[places[ENERGIES] :]
    compute_momenta(ints, floats, q, qd, dynamics, momenta)
    stored = store_energy(
        ints, table, fields, state[places[GOAL] :], q, work[places[ANGLES] :], work[places[DIFFERENCE] :]
    )
    return momenta[KINETIC] + momenta[POTENTIAL] + stored


@kernel
def _given(
    ints: IntArray, table: Array, state: Array, places: IntArray, work: Array, dynamics: Array, dt: float
) -> float:
    """The work [J] that torques, servos' dampers and forces from outside do in the step."""
    qd_next = work[places[QD_NEXT] :]
    power = 0.0
    for rate in range(ints[RATE_COUNT]):
        v, aim = qd_next[rate], state[places[GOAL_RATES] + rate]
        power += state[places[TORQUES] + rate] * v + table[rate * RATE_WIDTH + KD] * (aim - v) * aim
    pushed = False
    for each in range(places[OUTSIDE], places[IMPULSES]):
        pushed = pushed or state[each] != 0.0
    if pushed:
        velocities, origin = work[places[VELOCITIES] :], ints[extra_of(ints) + ORIGIN]
        compute_velocities(ints, dynamics, qd_next, velocities)
        for joint in range(ints[JOINT_COUNT]):
            at, b, row = places[OUTSIDE] + 6 * joint, 6 * joint, (joint + 1) * ROW + 9
            x, y, z = (
                dynamics[row] - dynamics[origin],
                dynamics[row + 1] - dynamics[origin + 1],
                dynamics[row + 2] - dynamics[origin + 2],
            )
            wx, wy, wz = velocities[b], velocities[b + 1], velocities[b + 2]
            power += state[at] * (velocities[b + 3] + wy * z - wz * y) + state[at + 3] * wx
            power += state[at + 1] * (velocities[b + 4] + wz * x - wx * z) + state[at + 4] * wy
            power += state[at + 2] * (velocities[b + 5] + wx * y - wy * x) + state[at + 5] * wz
    return dt * power


@kernel
def _keep_energy(
    ints: IntArray,
    floats: Array,
    table: Array,
    fields: Fields,
    allowed: float,
    q: Array,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> None:
    """Slow Q_NEXT and QD_NEXT down to the energy that is allowed."""
    rates = ints[RATE_COUNT]
    q_next, qd_next = work[places[Q_NEXT] :], work[places[QD_NEXT] :]
    momenta = work[places[ENERGIES] :]
    for attempt in range(_SHORTER):
        total = _energy(ints, floats, table, fields, q_next, qd_next, state, places, work, dynamics)
        over = total - allowed
        if over <= _ROUNDING * abs(allowed):
            return
        share = 1.0 - over / momenta[KINETIC] if momenta[KINETIC] > 0.0 else -1.0
        if share >= 0.0:
            for rate in range(rates):
                qd_next[rate] *= math.sqrt(share)
            return
        for rate in range(rates):
            qd_next[rate] *= 0.5 if attempt < _SHORTER - 2 else 0.0
        integrate_coordinates(ints, q, qd_next, dt, q_next)
