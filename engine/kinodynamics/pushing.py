"""Kernels: the impulses of one step of a window, which keep bodies apart and hold them by friction.

`touching.py` has the equations. Most of what is near does not push: of 21 touches of a standing human 6 to 8 do. So
equations are written for those touches alone that the rates without impulses would lead into each other or that pushed
in the step before, and for the stops that did; touches and stops that the rates so found would pass are added, and it
is solved again. The touches that count stand first in their table.

Symbols: q coordinates, v rates, dt step [s].
"""

from __future__ import annotations

import math

from engine.dynamics.contact import bound_contact, bound_joint_row, compute_velocities, read_along
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP, MOST, PAIRS, POINTS, PUSH, find_contacts
from engine.dynamics.contact_sweeps import sweep_contacts
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.impulses import solve_impulses
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.resistance import COORDINATE, LOWER, RATE_WIDTH, UPPER
from engine.dynamics.step_layout import (
    CONTACT_BODIES,
    CONTACT_COUNT,
    CONTACTS,
    DELASSUS,
    FREE,
    GREATEST,
    IMPULSE,
    JOINT_ROWS,
    LEAST,
    LIFTS,
    PLACED,
    QD_NEXT,
    REACH,
    SOLVING,
    VELOCITIES,
)
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

Touching = tuple[IntArray, Array, Array]
"""What may touch (the ints and floats of `Shapes`), and the table of rates, of which the limits are read."""
MARGIN = 0.001  # [m] so near bodies are looked at, beside those that may meet within the step
LIFT, LIFT_SPEED = 0.2, 2.0  # of an overlap a step; [m/s] at most
_UNSEEN = 2e-3  # [m/s] by which an overlap may be led out and the rates still know of it
_PASSES, _SETTLED = 16, 2e-5  # most steps to the impulses; [m/s] that they may miss what holds of them by
_JAMMED, _SWEEPS = 0.1, 30  # [m/s] missed, from which on something is jammed; sweeps over it then
_ROUNDS = 4  # most times that touches and stops are added
_SWING = 2.0  # [rad] or [m] a step that impulses may change a rate by at most
_INTO, _BEYOND = 1e-6, 1e-9  # [m/s] into each other, [rad] or [m] beyond a limit, that need no row


@kernel
def keep_apart(
    ints: IntArray,
    floats: Array,
    touching: Touching,
    places: IntArray,
    dt: float,
    q: Array,
    v: Array,
    kept: Array,
    room: Array,
    dynamics: Array,
    out_way: Array,
) -> bool:
    """The impulses of a step: changes v, writes the rates that the pose moves by and keeps impulses for the next one;
    whether anything pushed."""
    rates, (shape_ints, shape_floats, table) = len(v), touching
    velocities, free, impulse = room[places[VELOCITIES] :], room[places[FREE] :], room[places[IMPULSE] :]
    before = room[places[QD_NEXT] : places[QD_NEXT] + rates]
    origin = ints[extra_of(ints) + ORIGIN]
    before[:] = v
    out_way[:] = v
    compute_velocities(ints, dynamics, v, velocities)
    bodies = places[CONTACT_BODIES : CONTACT_BODIES + shape_ints[MOST] * CONTACT_INTS]
    found, capsules = room[places[CONTACTS] :], room[places[PLACED] :]
    count = find_contacts(ints, shape_ints, shape_floats, dynamics, velocities, MARGIN, dt, capsules, found, bodies)
    read_along(count, places, room, velocities, dynamics, origin, free)
    touches, stops = _choose(0, count, dt, kept, room, places), _listed(room, places, rates)
    places[CONTACT_COUNT] = touches
    if touches == 0:
        _drop_kept(kept)
        return False
    lifted, jammed, rows = False, False, 0
    for each in range(_ROUNDS):
        rows = 3 * touches + stops
        write_couplings(ints, touches, rows, places, room, dynamics)
        compute_velocities(ints, dynamics, before, velocities)
        read_along(touches, places, room, velocities, dynamics, origin, free)
        lifted = _start_touches(touches, places, dt, kept, room)
        _start_stops(table, touches, stops, places, dt, q, out_way, room)
        jammed = _solve(ints, touches, rows, places, room, dynamics, jammed, out_way)
        _keep_impulses(touches, places, room, kept)
        if each == _ROUNDS - 1:
            break
        compute_velocities(ints, dynamics, out_way, velocities)
        read_along(count, places, room, velocities, dynamics, origin, free)
        more = _choose(touches, count, dt, kept, room, places)
        passed = _list_stops(table, stops, places, dt, q, out_way, room)
        if more == touches and passed == stops:
            break
        touches, stops = more, passed
    places[CONTACT_COUNT] = touches
    pushed = False
    for row in range(rows):
        pushed = pushed or impulse[row] != 0.0
    for each in range(stops):
        if impulse[3 * touches + each] == 0.0:
            room[places[REACH] + places[places[JOINT_ROWS] + each] - rates] = 0.0
    limit_push(before, dt, out_way)
    v[:] = out_way
    if lifted:
        compute_velocities(ints, dynamics, before, velocities)
        read_along(touches, places, room, velocities, dynamics, origin, free)
        _start_touches(touches, places, dt, kept, room)
        for row in range(3 * touches):
            free[row] += room[places[LIFTS] + row]
        _start_stops(table, touches, stops, places, dt, q, out_way, room)
        _solve(ints, touches, rows, places, room, dynamics, jammed, v)
        limit_push(before, dt, v)
    return pushed


@kernel
def limit_push(before: Array, dt: float, out_v: Array) -> None:
    """Scale impulses down to what changes a rate by SWING at most: what is crushed between touches and stops that leave
    no way out would else fly off."""
    most = 0.0
    for rate in range(len(out_v)):
        most = max(most, dt * abs(out_v[rate] - before[rate]))
    if most > _SWING:
        for rate in range(len(out_v)):
            out_v[rate] = before[rate] + _SWING / most * (out_v[rate] - before[rate])


@kernel
def kept_count(touching: Touching) -> int:
    """Count the numbers that a step keeps for the next one: impulses of all that may touch, how many of them are not 0,
    and their indices."""
    return int(3 * (touching[0][POINTS] + touching[0][PAIRS]) + 1 + touching[0][MOST])


@kernel
def are_sound(v: Array) -> bool:
    """Tell whether all rates are finite."""
    sound = True
    for rate in range(len(v)):
        sound = sound and math.isfinite(v[rate])
    return sound


@kernel
def _choose(chosen: int, count: int, dt: float, kept: Array, room: Array, places: IntArray) -> int:
    """Bring forward the touches that count at the velocities in FREE, or that pushed before, behind those that are
    chosen already; how many count then."""
    for each in range(chosen, count):
        at, number = places[CONTACTS] + each * CONTACT, places[CONTACT_BODIES + each * CONTACT_INTS]
        least, lift = bound_contact(room[at + GAP], dt, 0.0, LIFT, LIFT_SPEED)
        if room[places[FREE] + 3 * each] >= least + lift - _INTO:
            was = 3 * number
            if kept[was] == 0.0 and kept[was + 1] == 0.0 and kept[was + 2] == 0.0:
                continue
        if each != chosen:
            to = places[CONTACTS] + chosen * CONTACT
            for place in range(CONTACT):
                room[at + place], room[to + place] = room[to + place], room[at + place]
            for place in range(3):
                one, two = places[FREE] + 3 * each + place, places[FREE] + 3 * chosen + place
                room[one], room[two] = room[two], room[one]
            for place in range(CONTACT_INTS):
                one, two = CONTACT_BODIES + each * CONTACT_INTS + place, CONTACT_BODIES + chosen * CONTACT_INTS + place
                places[one], places[two] = places[two], places[one]
        chosen += 1
    return chosen


@kernel
def forget(room: Array, places: IntArray, kept: Array, rates: int) -> None:
    """Begin a window: nothing pushed before."""
    kept[:] = 0.0
    room[places[REACH] : places[REACH] + rates] = 0.0


@kernel
def _listed(room: Array, places: IntArray, rates: int) -> int:
    """List the stops that pushed in the step before; how many they are."""
    stops = 0
    for rate in range(rates):
        if room[places[REACH] + rate] != 0.0:
            places[places[JOINT_ROWS] + stops] = rates + rate
            stops += 1
    return stops


@kernel
def _start_touches(touches: int, places: IntArray, dt: float, kept: Array, out_room: Array) -> bool:
    """Free velocities of the touches less what they may keep, and impulses as they were found last; whether something
    overlaps."""
    free, lifts, impulse = out_room[places[FREE] :], out_room[places[LIFTS] :], out_room[places[IMPULSE] :]
    lifted = False
    for each in range(touches):
        row, at = 3 * each, places[CONTACTS] + each * CONTACT
        least, lifts[row] = bound_contact(out_room[at + GAP], dt, 0.0, LIFT, LIFT_SPEED)
        lifts[row + 1] = lifts[row + 2] = 0.0
        free[row] -= least + lifts[row]
        lifted = lifted or lifts[row] > _UNSEEN
        was = 3 * places[CONTACT_BODIES + each * CONTACT_INTS]
        for axis in range(3):
            way = at + PUSH + 3 * axis
            impulse[row + axis] = (
                kept[was] * out_room[way] + kept[was + 1] * out_room[way + 1] + kept[was + 2] * out_room[way + 2]
            )
        impulse[row] = max(0.0, impulse[row])
    return lifted


@kernel
def _start_stops(
    table: Array, touches: int, stops: int, places: IntArray, dt: float, q: Array, way: Array, out_room: Array
) -> None:
    """Begin the rows of the joint stops, on the sides that `way` leads to."""
    rates = len(way)
    for each in range(stops):
        row, entry = 3 * touches + each, places[places[JOINT_ROWS] + each]
        keeps, _, least, greatest = bound_joint_row(table, rates, entry, q, way, dt, 0.0, 0.0)
        out_room[places[LEAST] + row], out_room[places[GREATEST] + row] = least, greatest
        out_room[places[FREE] + row] = out_room[places[QD_NEXT] + entry - rates] - keeps
        out_room[places[IMPULSE] + row] = 0.0


@kernel
def _list_stops(table: Array, stops: int, places: IntArray, dt: float, q: Array, v: Array, out_room: Array) -> int:
    """Append the stops that are passed at these rates and are not listed; how many there are then."""
    listed, rates = out_room[places[REACH] :], len(v)
    for rate in range(rates):
        at = rate * RATE_WIDTH
        ahead = q[int(table[at + COORDINATE])] + dt * v[rate]
        if listed[rate] == 0.0 and (ahead < table[at + LOWER] - _BEYOND or ahead > table[at + UPPER] + _BEYOND):
            listed[rate], places[places[JOINT_ROWS] + stops] = 1.0, rates + rate
            stops += 1
    return stops


@kernel
def _solve(
    ints: IntArray, touches: int, rows: int, places: IntArray, room: Array, dynamics: Array, jammed: bool, out_v: Array
) -> bool:
    """The impulses of all rows, from those at hand, and the rates that they lead to from those without any; whether
    something is jammed, as it was before or not."""
    impulse, delassus, free = room[places[IMPULSE] :], room[places[DELASSUS] :], room[places[FREE] :]
    table, least, greatest = room[places[CONTACTS] :], room[places[LEAST] :], room[places[GREATEST] :]
    u = room[places[SOLVING] :]
    if not jammed:
        _, missed = solve_impulses(touches, rows, delassus, free, table, least, greatest, _PASSES, _SETTLED, u, impulse)
        jammed = missed > _JAMMED
    if jammed:
        impulse[:rows] = 0.0
        u[:rows] = free[:rows]
        for _ in range(_SWEEPS):
            sweep_contacts(touches, rows, delassus, table, least, greatest, 0.0, u, impulse)
    out_v[:] = room[places[QD_NEXT] : places[QD_NEXT] + len(out_v)]
    add_impulses(ints, rows, impulse, places, room, dynamics, out_v)
    return jammed


@kernel
def _keep_impulses(touches: int, places: IntArray, room: Array, out_kept: Array) -> None:
    """Keep the impulses in world axes, to begin with the next time."""
    _drop_kept(out_kept)
    last = len(out_kept) - 1
    for each in range(touches):
        to, at = 3 * places[CONTACT_BODIES + each * CONTACT_INTS], places[CONTACTS] + each * CONTACT + PUSH
        out_kept[last - 1 - each] = to
        for axis in range(3):
            size = room[places[IMPULSE] + 3 * each + axis]
            for line in range(3):
                out_kept[to + line] += size * room[at + 3 * axis + line]
    out_kept[last] = touches


@kernel
def _drop_kept(out_kept: Array) -> None:
    """Clear the kept impulses: only those that are listed are not 0 already."""
    last = len(out_kept) - 1
    for each in range(int(out_kept[last])):
        at = int(out_kept[last - 1 - each])
        out_kept[at] = out_kept[at + 1] = out_kept[at + 2] = 0.0
    out_kept[last] = 0.0
