"""The rows of a step: what touches and which joints are held, their equations, and the rates with their impulses.

A row is a direction of a contact (its normal, two tangents), the rate of a joint (dry friction, a stop) or a driven
coordinate (`driven.py`); `contact.py` has its equations, `impulses.py` solves them.
"""

from __future__ import annotations

from engine.dynamics.active_rows import MANY, add_passed_stops, choose_contacts, choose_joint_rows
from engine.dynamics.contact import (
    bound_contact,
    bound_joint_row,
    compute_velocities,
    list_joint_rows,
    read_along,
)
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP, MOST, PUSH, Packed, find_contacts
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.driven import write_coupled
from engine.dynamics.energies import began_deep
from engine.dynamics.free_motion import ahead_of, free_rates
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.resistance import RATE_WIDTH, Buffers, Stepped
from engine.dynamics.step_layout import (
    BACKWARD,
    CONTACT_BODIES,
    CONTACT_COUNT,
    CONTACTS,
    COUPLED,
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
    LISTED,
    MARGIN,
    METHOD,
    PASSES,
    PLACED,
    QD_AT,
    QD_NEXT,
    RATES,
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
def prepare_rows(stepped: Stepped, buffers: Buffers, dt: float) -> int:
    """Find what touches and which joints are held, and write their equations; the number of rows. Of many rows those
    alone that may push."""
    (ints, _, table, _, shapes, options), (state, offsets, work, dynamics) = stepped, buffers
    rates, qd_next, free = ints[RATE_COUNT], work[offsets[QD_NEXT] :], work[offsets[FREE] :]
    contacts = list_contacts(ints, shapes, options[MARGIN], dt, qd_next, offsets, work, dynamics, free)
    ahead = ahead_of(options, state, offsets, work)
    if int(options[METHOD]) == BACKWARD:
        # The way that led to the pose of the contacts, along them.
        made = work[offsets[LIFTS] :]
        find_along(ints, contacts, work[offsets[WAY] :], offsets, work, dynamics, made)
        for contact in range(contacts):
            work[offsets[CONTACTS] + contact * CONTACT + GAP] -= dt * made[3 * contact]
    rows = list_joint_rows(ints, table, ahead, work[offsets[REACH] :], dt, 3 * contacts, offsets)
    driven = 0
    if table.shape[0] > rates * RATE_WIDTH:
        qd, coupled = state[offsets[RATES] : offsets[RATES] + rates], work[offsets[COUPLED] :]
        driven = write_coupled(table, rates * RATE_WIDTH, rates, state, qd, dt, coupled)
    offsets[LISTED], offsets[SWEEPS] = -1, 0
    if rows > MANY:
        offsets[LISTED] = contacts
        contacts = choose_contacts(0, contacts, free, dt, options, state, offsets, work)
        rows = 3 * contacts + choose_joint_rows(table, rates, ahead, qd_next, dt, state, offsets)
    for each in range(driven):
        offsets[offsets[JOINT_ROWS] + rows - 3 * contacts] = 2 * rates + each
        rows += 1
    offsets[CONTACT_COUNT] = contacts
    write_rows(stepped, rows, qd_next, buffers, dt)
    impulse, least, greatest = work[offsets[IMPULSE] :], work[offsets[LEAST] :], work[offsets[GREATEST] :]
    for row in range(3 * contacts, rows):
        entry = offsets[offsets[JOINT_ROWS] + row - 3 * contacts]
        impulse[row] = min(greatest[row], max(least[row], state[offsets[JOINT_IMPULSES] + entry]))
    return rows


@kernel
def write_rows(stepped: Stepped, rows: int, qd: Array, buffers: Buffers, dt: float) -> None:
    """Write the equations of the rows that are listed, from the velocities of contacts in FREE; joints stop on the
    sides that `qd` leads to."""
    (ints, _, table, _, _, options), (state, offsets, work, dynamics) = stepped, buffers
    contacts, ahead = offsets[CONTACT_COUNT], ahead_of(options, state, offsets, work)
    write_couplings(ints, contacts, rows, offsets, work, dynamics)
    lift, speed = options[LIFT], options[LIFT_SPEED]
    start_contacts(contacts, dt, options[SLOP], lift, speed, state[offsets[IMPULSES] :], offsets, work)
    start_joints(table, ints[RATE_COUNT], 3 * contacts, rows, ahead, qd, dt, lift, speed, offsets, work)


@kernel
def add_rows(stepped: Stepped, rows: int, buffers: Buffers, dt: float) -> int:
    """Add to rows that were chosen of many those that QD_NEXT passes; the number of rows then. Impulses stay as they
    are."""
    (ints, _, table, _, _, options), (state, offsets, work, dynamics) = stepped, buffers
    rates, contacts, listed = ints[RATE_COUNT], offsets[CONTACT_COUNT], offsets[LISTED]
    qd_next, ahead = work[offsets[QD_NEXT] :], ahead_of(options, state, offsets, work)
    along, spare = work[offsets[SOLVING] :], work[offsets[SOLVING] + 3 * listed :]
    find_along(ints, listed, qd_next, offsets, work, dynamics, along)
    more = choose_contacts(contacts, listed, along, dt, options, state, offsets, work)
    stops = add_passed_stops(table, rates, rows - 3 * contacts, ahead, qd_next, dt, spare, offsets)
    if 3 * more + stops == rows:
        return rows
    found, pushed = work[offsets[SOLVING] : offsets[SOLVING] + rows], work[offsets[QD_AT] : offsets[QD_AT] + rates]
    impulse = work[offsets[IMPULSE] :]
    for row in range(rows):
        found[row] = impulse[row]
    for rate in range(rates):
        pushed[rate] = qd_next[rate]
    offsets[CONTACT_COUNT] = more
    free_rates(rates, state, offsets, work, dt)
    find_along(ints, more, qd_next, offsets, work, dynamics, work[offsets[FREE] :])
    write_rows(stepped, 3 * more + stops, pushed, buffers, dt)
    for row in range(3 * contacts):
        impulse[row] = found[row]
    least, greatest = work[offsets[LEAST] :], work[offsets[GREATEST] :]
    for row in range(3 * contacts, rows):
        to = row + 3 * (more - contacts)
        impulse[to] = min(greatest[to], max(least[to], found[row]))
    return 3 * more + stops


@kernel
def list_contacts(
    ints: IntArray,
    shapes: Packed,
    margin: float,
    dt: float,
    qd: Array,
    offsets: IntArray,
    work: Array,
    dynamics: Array,
    out_along: Array,
) -> int:
    """Find what touches, or may within dt at these rates, and its velocity along normals and tangents; the number of
    contacts."""
    velocities, table = work[offsets[VELOCITIES] :], work[offsets[CONTACTS] :]
    bodies = offsets[CONTACT_BODIES : CONTACT_BODIES + shapes[0][MOST] * CONTACT_INTS]
    compute_velocities(ints, dynamics, qd, velocities)
    placed = work[offsets[PLACED] :]
    contacts = find_contacts(ints, shapes, (dynamics, velocities, margin, dt), placed, (table, bodies))
    read_along(contacts, offsets, work, velocities, dynamics, ints[extra_of(ints) + ORIGIN], out_along)
    return contacts


@kernel
def find_along(
    ints: IntArray, contacts: int, qd: Array, offsets: IntArray, work: Array, dynamics: Array, out_along: Array
) -> None:
    """The velocity of every contact along its normal and tangents at these rates."""
    velocities = work[offsets[VELOCITIES] :]
    compute_velocities(ints, dynamics, qd, velocities)
    read_along(contacts, offsets, work, velocities, dynamics, ints[extra_of(ints) + ORIGIN], out_along)


@kernel
def start_contacts(
    contacts: int, dt: float, slop: float, lift: float, speed: float, kept: Array, offsets: IntArray, work: Array
) -> float:
    """Start the rows of contacts: free velocities less what they may keep, and impulses as the last step `kept` them;
    the largest velocity that leads out of an overlap [m/s]."""
    free, lifts, impulse = work[offsets[FREE] :], work[offsets[LIFTS] :], work[offsets[IMPULSE] :]
    most = 0.0
    for contact in range(contacts):
        row, place = 3 * contact, offsets[CONTACTS] + contact * CONTACT
        least, lifts[row] = bound_contact(work[place + GAP], dt, slop, lift, speed)
        lifts[row + 1] = lifts[row + 2] = 0.0
        free[row] -= least + lifts[row]
        most = max(most, lifts[row])
        at = 3 * offsets[CONTACT_BODIES + contact * CONTACT_INTS]
        x, y, z = kept[at], kept[at + 1], kept[at + 2]
        for axis in range(3):
            way = place + PUSH + 3 * axis
            impulse[row + axis] = x * work[way] + y * work[way + 1] + z * work[way + 2]
        impulse[row] = max(0.0, impulse[row])
    return most


@kernel
def start_joints(
    table: Array,
    rates: int,
    first: int,
    rows: int,
    q: Array,
    qd: Array,
    dt: float,
    lift: float,
    speed: float,
    offsets: IntArray,
    work: Array,
) -> None:
    """Start the joints' rows, from `first` on: free velocities of QD_NEXT less what they may keep; bounds, on the sides
    that q and qd lead to; no impulses."""
    free, lifts, impulse = work[offsets[FREE] :], work[offsets[LIFTS] :], work[offsets[IMPULSE] :]
    least, greatest, qd_next = work[offsets[LEAST] :], work[offsets[GREATEST] :], work[offsets[QD_NEXT] :]
    for row in range(first, rows):
        entry = offsets[offsets[JOINT_ROWS] + row - first]
        kept, lifts[row], least[row], greatest[row] = bound_joint_row(table, rates, entry, q, qd, dt, lift, speed)
        if entry < 2 * rates:
            free[row] = qd_next[entry % rates] - kept - lifts[row]
        else:
            free[row], line = 0.0, offsets[COUPLED] + (entry - 2 * rates) * rates
            for rate in range(rates):
                free[row] += work[line + rate] * qd_next[rate]
        impulse[row] = 0.0


@kernel
def solve_rows(
    contacts: int, rows: int, passes: int, tolerance: float, on_average: bool, offsets: IntArray, work: Array
) -> tuple[int, float]:
    """Solve for the impulses of all rows, from those at hand, until what is missed is within the tolerance, on average
    or everywhere; how many steps there were, and what is missed."""
    return solve_impulses(
        contacts,
        rows,
        work[offsets[DELASSUS] :],
        work[offsets[FREE] :],
        work[offsets[CONTACTS] :],
        work[offsets[LEAST] :],
        work[offsets[GREATEST] :],
        passes,
        tolerance,
        on_average,
        work[offsets[SOLVING] :],
        work[offsets[IMPULSE] :],
    )


@kernel
def push_apart(stepped: Stepped, rows: int, buffers: Buffers, dt: float) -> float:
    """QD_NEXT with the impulses of all rows; the work [J] of the ground on what is deep inside it."""
    (ints, _, _, _, _, options), (state, offsets, work, dynamics) = stepped, buffers
    rates, contacts = ints[RATE_COUNT], offsets[CONTACT_COUNT]
    qd_next, impulse, lifts = work[offsets[QD_NEXT] :], work[offsets[IMPULSE] :], work[offsets[LIFTS] :]
    free_rates(rates, state, offsets, work, dt)
    if rows == 0:
        return 0.0
    # The last joints of fingers turn fast on what moves nothing else.
    on_average = offsets[LISTED] >= 0
    steps, _ = solve_rows(contacts, rows, int(options[PASSES]), options[TOLERANCE], on_average, offsets, work)
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
        keep_contact(contact, offsets, work, state[offsets[IMPULSES] :])
    for row in range(3 * contacts, rows):
        state[offsets[JOINT_IMPULSES] + offsets[offsets[JOINT_ROWS] + row - 3 * contacts]] = impulse[row]


@kernel
def keep_contact(contact: int, offsets: IntArray, work: Array, out_kept: Array) -> None:
    """Add the impulses of a contact in world axes to what is kept of its points or pair."""
    at = 3 * offsets[CONTACT_BODIES + contact * CONTACT_INTS]
    for axis in range(3):
        impulse = work[offsets[IMPULSE] + 3 * contact + axis]
        way = offsets[CONTACTS] + contact * CONTACT + PUSH + 3 * axis
        for line in range(3):
            out_kept[at + line] += impulse * work[way + line]
