"""The rows of a step: what touches and which joints are held, their equations, and the rates with their impulses.

A row is a direction of a touch (its normal, two tangents) or the rate of a joint (dry friction, a stop); `contact.py`
has its equations, `impulses.py` solves them.
"""

from __future__ import annotations

from engine.dynamics.contact import (
    bound_joint_row,
    bound_touch,
    compute_velocities,
    list_joint_rows,
    read_along,
)
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.energies import began_deep
from engine.dynamics.free_motion import ahead_of, free_rates
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.places import (
    BACKWARD,
    DEEP,
    DELASSUS,
    FREE,
    GREATEST,
    IMPULSE,
    IMPULSES,
    INSIDE,
    JOINT_IMPULSES,
    JOINT_ROWS,
    LEAST,
    LIFT,
    LIFT_SPEED,
    LIFTS,
    MARGIN,
    METHOD,
    PASSES,
    PLACED,
    QD_NEXT,
    REACH,
    SLOP,
    SOLVING,
    SWEEPS,
    TOLERANCE,
    TOUCH_BODIES,
    TOUCH_COUNT,
    TOUCHES,
    VELOCITIES,
    WAY,
)
from engine.dynamics.touches import GAP, MOST, PUSH, TOUCH, TOUCH_INTS, Packed, find_touches
from engine.maths.arrays import Array, IntArray
from engine.model.compile import RATE_COUNT
from engine.runtime.jit import kernel


@kernel
def prepare_rows(
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
    ahead = ahead_of(options, state, places, work)
    rows = list_joint_rows(ints, table, ahead, work[places[REACH] :], dt, 3 * touches, places)
    write_couplings(ints, touches, rows, places, work, dynamics)
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
    """Start the joints' rows: free velocities less what they may keep, bounds, and impulses of the last step."""
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
def push_apart(
    ints: IntArray,
    options: Array,
    rows: int,
    state: Array,
    places: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> float:
    """QD_NEXT with the impulses of all rows; the work [J] of the ground on what is deep inside it."""
    rates, touches = ints[RATE_COUNT], places[TOUCH_COUNT]
    qd_next, impulse, lifts = work[places[QD_NEXT] :], work[places[IMPULSE] :], work[places[LIFTS] :]
    free_rates(rates, state, places, work, dt)
    if rows == 0:
        return 0.0
    steps, _ = solve_impulses(
        touches,
        rows,
        work[places[DELASSUS] :],
        work[places[FREE] :],
        work[places[TOUCHES] :],
        work[places[LEAST] :],
        work[places[GREATEST] :],
        int(options[PASSES]),
        options[TOLERANCE],
        work[places[SOLVING] :],
        impulse,
    )
    places[SWEEPS] += steps
    add_impulses(ints, rows, impulse, places, work, dynamics, qd_next)
    lifted = 0.0
    for touch in range(touches):
        if began_deep(options[DEEP], touch, state, places, work):
            lifted += impulse[3 * touch] * lifts[3 * touch]
    return lifted


@kernel
def lessen_lifts(share: float, options: Array, rows: int, state: Array, places: IntArray, work: Array) -> bool:
    """Lead overlaps out by that share of the way, but for those that began deep; whether there were any."""
    free, lifts, found = work[places[FREE] :], work[places[LIFTS] :], False
    for row in range(rows):
        touch = row // 3
        deep = touch < places[TOUCH_COUNT] and began_deep(options[DEEP], touch, state, places, work)
        if lifts[row] != 0.0 and not deep:
            free[row] += (1.0 - share) * lifts[row]
            lifts[row], found = share * lifts[row], True
    return found


@kernel
def keep_impulses(ints: IntArray, rows: int, state: Array, places: IntArray, work: Array) -> None:
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
