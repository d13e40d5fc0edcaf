"""Kernels: of many rows those that count, when most of what is near does not push.

A skeleton that lies has a hundred touches, of which a dozen push, and a limit near each of its joints. What all rows
do to each other grows by the square of their number, and solving by its cube. Where there are more than MANY of them,
those are chosen that the rates without impulses would lead into each other or beyond a limit, or that pushed in the
step before. Then what is left out and would be passed at the rates so found is added, and it is solved again, as in
`engine.kinodynamics.pushing`. Contacts that count stand first in their table.
"""

from __future__ import annotations

from engine.dynamics.contact import bound_contact
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP
from engine.dynamics.energies import began_deep
from engine.dynamics.resistance import COORDINATE, DRY, LOWER, RATE_WIDTH, UPPER
from engine.dynamics.step_layout import (
    CONTACT_BODIES,
    CONTACTS,
    DEEP,
    IMPULSES,
    JOINT_IMPULSES,
    JOINT_ROWS,
    LIFT,
    LIFT_SPEED,
    SLOP,
)
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

MANY = 64
"""Rows up to which all are taken, whether they push or not."""
_INTO, _BEYOND = 1e-6, 1e-9  # [m/s] into each other, [rad] or [m] beyond a limit, that need no row


@kernel
def choose_contacts(
    chosen: int, count: int, along: Array, dt: float, options: Array, state: Array, offsets: IntArray, work: Array
) -> int:
    """Bring forward the contacts that count at velocities `along` their normals and tangents, or that pushed before,
    behind those that are chosen already; how many count then."""
    for each in range(chosen, count):
        at, number = offsets[CONTACTS] + each * CONTACT, offsets[CONTACT_BODIES + each * CONTACT_INTS]
        kept = offsets[IMPULSES] + 3 * number
        least, lift = bound_contact(work[at + GAP], dt, options[SLOP], options[LIFT], options[LIFT_SPEED])
        counts = along[3 * each] < least + lift - _INTO
        counts = counts or state[kept] != 0.0 or state[kept + 1] != 0.0 or state[kept + 2] != 0.0
        if not counts and not began_deep(options[DEEP], each, state, offsets, work):
            continue
        if each != chosen:
            to = offsets[CONTACTS] + chosen * CONTACT
            for place in range(CONTACT):
                work[at + place], work[to + place] = work[to + place], work[at + place]
            for place in range(3):
                one, two = 3 * each + place, 3 * chosen + place
                along[one], along[two] = along[two], along[one]
            for place in range(CONTACT_INTS):
                one, two = CONTACT_BODIES + each * CONTACT_INTS + place, CONTACT_BODIES + chosen * CONTACT_INTS + place
                offsets[one], offsets[two] = offsets[two], offsets[one]
        chosen += 1
    return chosen


@kernel
def choose_joint_rows(table: Array, rates: int, q: Array, qd: Array, dt: float, state: Array, offsets: IntArray) -> int:
    """List the rows of joints with dry friction, and of stops that these rates pass or that pushed before; how many."""
    count, first = 0, offsets[JOINT_ROWS]
    for rate in range(rates):
        if table[rate * RATE_WIDTH + DRY] > 0.0:
            offsets[first + count] = rate
            count += 1
        entry = rates + rate
        if state[offsets[JOINT_IMPULSES] + entry] != 0.0 or _is_passed(table, q, qd, rate, dt):
            offsets[first + count] = entry
            count += 1
    return count


@kernel
def add_passed_stops(
    table: Array, rates: int, count: int, q: Array, qd: Array, dt: float, listed: Array, offsets: IntArray
) -> int:
    """Append the stops that these rates pass and that are not among the rows of joints; how many there are then.
    `listed`: workspace."""
    first = offsets[JOINT_ROWS]
    listed[:rates] = 0.0
    for each in range(count):
        if rates <= offsets[first + each] < 2 * rates:
            listed[offsets[first + each] - rates] = 1.0
    for rate in range(rates):
        if listed[rate] == 0.0 and _is_passed(table, q, qd, rate, dt):
            offsets[first + count] = rates + rate
            count += 1
    return count


@kernel
def _is_passed(table: Array, q: Array, qd: Array, rate: int, dt: float) -> bool:
    """Tell whether a rate leads beyond a limit within the step."""
    at = rate * RATE_WIDTH
    ahead = q[int(table[at + COORDINATE])] + dt * qd[rate]
    return bool(ahead < table[at + LOWER] - _BEYOND or ahead > table[at + UPPER] + _BEYOND)
