"""The rows of a step: what touches and which joints are held, their equations, and the rates with their impulses.

A row is a direction of a contact (its normal, two tangents) or the rate of a joint (dry friction, a stop); `contact.py`
has its equations, `impulses.py` solves them.
"""

from __future__ import annotations

from engine.dynamics.contact import (
    bound_contact,
    bound_joint_row,
    compute_velocities,
    list_joint_rows,
    read_along,
)
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP, MOST, PUSH, Packed, find_contacts
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.energies import began_deep
from engine.dynamics.free_motion import ahead_of, free_rates
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.step_layout import (
    BACKWARD,
    CONTACT_BODIES,
    CONTACT_COUNT,
    CONTACTS,
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
    VELOCITIES,
    WAY,
)
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
    offsets: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> int:
    """Find what touches and which joints are held, and write their equations; the number of rows."""
    rates, most = ints[RATE_COUNT], shapes[0][MOST]
    velocities, qd_next = work[offsets[VELOCITIES] :], work[offsets[QD_NEXT] :]
    bodies = offsets[CONTACT_BODIES : CONTACT_BODIES + most * CONTACT_INTS]
    compute_velocities(ints, dynamics, qd_next, velocities)
    contacts = find_contacts(
        ints,
        shapes[0],
        shapes[1],
        dynamics,
        velocities,
        options[MARGIN],
        dt,
        work[offsets[PLACED] :],
        work[offsets[CONTACTS] :],
        bodies,
    )
    offsets[CONTACT_COUNT], offsets[SWEEPS] = contacts, 0
    ahead = ahead_of(options, state, offsets, work)
    rows = list_joint_rows(ints, table, ahead, work[offsets[REACH] :], dt, 3 * contacts, offsets)
    write_couplings(ints, contacts, rows, offsets, work, dynamics)
    made = work[offsets[LIFTS] :]
    made[: 3 * contacts] = 0.0
    origin = ints[extra_of(ints) + ORIGIN]
    if int(options[METHOD]) == BACKWARD:
        # The way that led to the pose of the contacts, along them.
        compute_velocities(ints, dynamics, work[offsets[WAY] :], velocities)
        read_along(contacts, offsets, work, velocities, dynamics, origin, made)
        compute_velocities(ints, dynamics, qd_next, velocities)
    read_along(contacts, offsets, work, velocities, dynamics, origin, work[offsets[FREE] :])
    for contact in range(contacts):
        work[offsets[CONTACTS] + contact * CONTACT + GAP] -= dt * made[3 * contact]
    _start_contacts(options, contacts, state, offsets, work, dt)
    _start_joints(table, options, contacts, rows, rates, ahead, state, offsets, work, dt)
    return rows


@kernel
def _start_contacts(options: Array, contacts: int, state: Array, offsets: IntArray, work: Array, dt: float) -> None:
    """Free velocities of the contacts less what they may keep; impulses as the last step left them."""
    free, lifts, impulse = work[offsets[FREE] :], work[offsets[LIFTS] :], work[offsets[IMPULSE] :]
    for contact in range(contacts):
        row, gap = 3 * contact, work[offsets[CONTACTS] + contact * CONTACT + GAP]
        kept, lifts[row] = bound_contact(gap, dt, options[SLOP], options[LIFT], options[LIFT_SPEED])
        free[row] -= kept + lifts[row]
        lifts[row + 1] = lifts[row + 2] = 0.0
        at = offsets[IMPULSES] + 3 * offsets[CONTACT_BODIES + contact * CONTACT_INTS]
        x, y, z = state[at], state[at + 1], state[at + 2]
        for axis in range(3):
            way = offsets[CONTACTS] + contact * CONTACT + PUSH + 3 * axis
            impulse[row + axis] = x * work[way] + y * work[way + 1] + z * work[way + 2]
        impulse[row] = max(0.0, impulse[row])


@kernel
def _start_joints(
    table: Array,
    options: Array,
    contacts: int,
    rows: int,
    rates: int,
    ahead: Array,
    state: Array,
    offsets: IntArray,
    work: Array,
    dt: float,
) -> None:
    """Start the joints' rows: free velocities less what they may keep, bounds, and impulses of the last step."""
    free, lifts, impulse = work[offsets[FREE] :], work[offsets[LIFTS] :], work[offsets[IMPULSE] :]
    least, greatest, qd_next = work[offsets[LEAST] :], work[offsets[GREATEST] :], work[offsets[QD_NEXT] :]
    for row in range(3 * contacts, rows):
        entry = offsets[offsets[JOINT_ROWS] + row - 3 * contacts]
        kept, lifts[row], least[row], greatest[row] = bound_joint_row(
            table, rates, entry, ahead, qd_next, dt, options[LIFT], options[LIFT_SPEED]
        )
        free[row] = qd_next[entry % rates] - kept - lifts[row]
        impulse[row] = min(greatest[row], max(least[row], state[offsets[JOINT_IMPULSES] + entry]))


@kernel
def push_apart(
    ints: IntArray,
    options: Array,
    rows: int,
    state: Array,
    offsets: IntArray,
    work: Array,
    dynamics: Array,
    dt: float,
) -> float:
    """QD_NEXT with the impulses of all rows; the work [J] of the ground on what is deep inside it."""
    rates, contacts = ints[RATE_COUNT], offsets[CONTACT_COUNT]
    qd_next, impulse, lifts = work[offsets[QD_NEXT] :], work[offsets[IMPULSE] :], work[offsets[LIFTS] :]
    free_rates(rates, state, offsets, work, dt)
    if rows == 0:
        return 0.0
    steps, _ = solve_impulses(
        contacts,
        rows,
        work[offsets[DELASSUS] :],
        work[offsets[FREE] :],
        work[offsets[CONTACTS] :],
        work[offsets[LEAST] :],
        work[offsets[GREATEST] :],
        int(options[PASSES]),
        options[TOLERANCE],
        work[offsets[SOLVING] :],
        impulse,
    )
    offsets[SWEEPS] += steps
    add_impulses(ints, rows, impulse, offsets, work, dynamics, qd_next)
    lifted = 0.0
    for contact in range(contacts):
        if began_deep(options[DEEP], contact, state, offsets, work):
            lifted += impulse[3 * contact] * lifts[3 * contact]
    return lifted


@kernel
def lessen_lifts(share: float, options: Array, rows: int, state: Array, offsets: IntArray, work: Array) -> bool:
    """Lead overlaps out by that share of the way, but for those that began deep; whether there were any."""
    free, lifts, found = work[offsets[FREE] :], work[offsets[LIFTS] :], False
    for row in range(rows):
        contact = row // 3
        deep = contact < offsets[CONTACT_COUNT] and began_deep(options[DEEP], contact, state, offsets, work)
        if lifts[row] != 0.0 and not deep:
            free[row] += (1.0 - share) * lifts[row]
            lifts[row], found = share * lifts[row], True
    return found


@kernel
def keep_impulses(ints: IntArray, rows: int, state: Array, offsets: IntArray, work: Array) -> None:
    """Keep the impulses in the state, those of contacts in world axes, for the next step to begin with."""
    state[offsets[IMPULSES] : offsets[INSIDE]] = 0.0
    impulse, contacts = work[offsets[IMPULSE] :], offsets[CONTACT_COUNT]
    for contact in range(contacts):
        at = offsets[IMPULSES] + 3 * offsets[CONTACT_BODIES + contact * CONTACT_INTS]
        for axis in range(3):
            way = offsets[CONTACTS] + contact * CONTACT + PUSH + 3 * axis
            for line in range(3):
                state[at + line] += impulse[3 * contact + axis] * work[way + line]
    for row in range(3 * contacts, rows):
        state[offsets[JOINT_IMPULSES] + offsets[offsets[JOINT_ROWS] + row - 3 * contacts]] = impulse[row]
