"""Kernels: the impulses of one step of a window, in which the figure touches the ground and itself.

Between the rates v' that a step of `following.py` would give and the move to x' = x + dt v' come impulses. With the
factors that forward dynamics left, A = M + D (servos, and stops that are leaned into, act during the step), and J the
rows of all touches (`engine.dynamics.contact`, `engine.dynamics.rows`),

    v'' = v' + A^-1 J^T i,    u = J v'' + gap / dt:    0 <= u_n, 0 <= i_n, u_n i_n = 0,    |i_t| <= mu i_n (Coulomb),

so what is apart just arrives, inelastically, and what touches sticks or slides. The touches are those of the pose at
the beginning of the step. Impulses that lead a joint beyond a limit get a row for that stop, and are found again.
Exactly followed rates give way to nothing: a touch between what they alone move is left as the keys have it.

Most of what is near does not push: of 21 touches of a standing human 6 to 8 do. So equations are written for those
touches alone that the rates without impulses would lead into each other or that pushed in the step before, for the
stops that did, and for driven coordinates, which stay with their drivers (`driven.py`); touches and stops that the
rates so found would pass are added, and it is solved again. The touches that count stand first in their table.

Of what overlaps a LIFT is led out in a step, at most by LIFT_SPEED: by a move of its own, of which the rates know
nothing, so that what the keys press into the ground is not thrown up by it. No overlap is left as it is, unlike in
`engine.dynamics.step`: where bodies come to rest would depend on how they came there, and targets could not be met.

A window begins without impulses and its first touches are those of the keyed pose there. So there is no history, and
what friction would have held since before is held from there on only: `contact.py` tells where that counts. The map
from keyed motions to poses jumps where a touch comes to be within the window or friction lets go.

Limits of validity: those of `engine.dynamics.contact_points`; no energy is measured over the short time of a window; in
a step that strikes something Coriolis forces are of first order in dt. What is led exactly is of infinite strength:
where it drags a touch against friction into the ground (mu above the slope of the way out) nothing holds that.

Symbols: q coordinates, v rates, dt step [s].
"""

from __future__ import annotations

import math

from engine.dynamics.contact import bound_contact
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP, MOST, PAIRS, POINTS
from engine.dynamics.contact_sweeps import sweep_contacts
from engine.dynamics.couplings import add_impulses, write_couplings
from engine.dynamics.resistance import COORDINATE, LOWER, RATE_WIDTH, UPPER
from engine.dynamics.rows import find_along, keep_contact, list_contacts, solve_rows, start_contacts, start_joints
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
    QD_NEXT,
    REACH,
    SOLVING,
)
from engine.kinodynamics.driven import Bodies, list_driven
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
    bodies: Bodies,
    touching: Touching,
    layout: IntArray,
    dt: float,
    q: Array,
    v: Array,
    kept: Array,
    workspace: Array,
    dynamics: Array,
    out_way: Array,
) -> bool:
    """The impulses of a step: changes v, writes the rates that the pose moves by and keeps impulses for the next one;
    whether anything pushed."""
    ints, rates, table = bodies[0], len(v), touching[2]
    free, impulse = workspace[layout[FREE] :], workspace[layout[IMPULSE] :]
    before = workspace[layout[QD_NEXT] : layout[QD_NEXT] + rates]
    before[:] = v
    out_way[:] = v
    count = list_contacts(ints, touching[:2], MARGIN, dt, v, layout, workspace, dynamics, free)
    touches, stops = _choose(0, count, dt, kept, workspace, layout), _listed(workspace, layout, rates)
    layout[CONTACT_COUNT] = touches
    if touches == 0:
        _drop_kept(kept)
        return False
    lifted, jammed, rows = 0.0, False, 0
    for each in range(_ROUNDS):
        rows = 3 * touches + stops
        rows += list_driven(bodies, dynamics, stops, layout)
        write_couplings(ints, touches, rows, layout, workspace, dynamics)
        find_along(ints, touches, before, layout, workspace, dynamics, free)
        lifted = start_contacts(touches, dt, 0.0, LIFT, LIFT_SPEED, kept, layout, workspace)
        start_joints(table, rates, 3 * touches, rows, q, out_way, dt, 0.0, 0.0, layout, workspace)
        jammed = _solve(ints, touches, rows, layout, workspace, dynamics, jammed, out_way)
        _keep_impulses(touches, layout, workspace, kept)
        if each == _ROUNDS - 1:
            break
        find_along(ints, count, out_way, layout, workspace, dynamics, free)
        more = _choose(touches, count, dt, kept, workspace, layout)
        passed = _list_stops(table, stops, layout, dt, q, out_way, workspace)
        if more == touches and passed == stops:
            break
        touches, stops = more, passed
    layout[CONTACT_COUNT] = touches
    pushed = False
    for row in range(rows):
        pushed = pushed or impulse[row] != 0.0
    for each in range(stops):
        if impulse[3 * touches + each] == 0.0:
            workspace[layout[REACH] + layout[layout[JOINT_ROWS] + each] - rates] = 0.0
    limit_push(before, dt, out_way)
    v[:] = out_way
    if lifted > _UNSEEN:
        find_along(ints, touches, before, layout, workspace, dynamics, free)
        start_contacts(touches, dt, 0.0, LIFT, LIFT_SPEED, kept, layout, workspace)
        for row in range(3 * touches):
            free[row] += workspace[layout[LIFTS] + row]
        start_joints(table, rates, 3 * touches, rows, q, out_way, dt, 0.0, 0.0, layout, workspace)
        _solve(ints, touches, rows, layout, workspace, dynamics, jammed, v)
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
def _choose(chosen: int, count: int, dt: float, kept: Array, workspace: Array, layout: IntArray) -> int:
    """Bring forward the touches that count at the velocities in FREE, or that pushed before, behind those that are
    chosen already; how many count then."""
    for each in range(chosen, count):
        at, number = layout[CONTACTS] + each * CONTACT, layout[CONTACT_BODIES + each * CONTACT_INTS]
        least, lift = bound_contact(workspace[at + GAP], dt, 0.0, LIFT, LIFT_SPEED)
        if workspace[layout[FREE] + 3 * each] >= least + lift - _INTO:
            was = 3 * number
            if kept[was] == 0.0 and kept[was + 1] == 0.0 and kept[was + 2] == 0.0:
                continue
        if each != chosen:
            to = layout[CONTACTS] + chosen * CONTACT
            for place in range(CONTACT):
                workspace[at + place], workspace[to + place] = workspace[to + place], workspace[at + place]
            for place in range(3):
                one, two = layout[FREE] + 3 * each + place, layout[FREE] + 3 * chosen + place
                workspace[one], workspace[two] = workspace[two], workspace[one]
            for place in range(CONTACT_INTS):
                one, two = CONTACT_BODIES + each * CONTACT_INTS + place, CONTACT_BODIES + chosen * CONTACT_INTS + place
                layout[one], layout[two] = layout[two], layout[one]
        chosen += 1
    return chosen


@kernel
def forget(workspace: Array, layout: IntArray, kept: Array, rates: int) -> None:
    """Begin a window: nothing pushed before."""
    kept[:] = 0.0
    workspace[layout[REACH] : layout[REACH] + rates] = 0.0


@kernel
def _listed(workspace: Array, layout: IntArray, rates: int) -> int:
    """List the stops that pushed in the step before; how many they are."""
    stops = 0
    for rate in range(rates):
        if workspace[layout[REACH] + rate] != 0.0:
            layout[layout[JOINT_ROWS] + stops] = rates + rate
            stops += 1
    return stops


@kernel
def _list_stops(table: Array, stops: int, layout: IntArray, dt: float, q: Array, v: Array, out_workspace: Array) -> int:
    """Append the stops that are passed at these rates and are not listed; how many there are then."""
    listed, rates = out_workspace[layout[REACH] :], len(v)
    for rate in range(rates):
        at = rate * RATE_WIDTH
        ahead = q[int(table[at + COORDINATE])] + dt * v[rate]
        if listed[rate] == 0.0 and (ahead < table[at + LOWER] - _BEYOND or ahead > table[at + UPPER] + _BEYOND):
            listed[rate], layout[layout[JOINT_ROWS] + stops] = 1.0, rates + rate
            stops += 1
    return stops


@kernel
def _solve(
    ints: IntArray,
    touches: int,
    rows: int,
    layout: IntArray,
    workspace: Array,
    dynamics: Array,
    jammed: bool,
    out_v: Array,
) -> bool:
    """The impulses of all rows, from those at hand, and the rates that they lead to from those without any; whether
    something is jammed, as it was before or not."""
    if not jammed:
        _, missed = solve_rows(touches, rows, _PASSES, _SETTLED, False, layout, workspace)
        jammed = missed > _JAMMED
    impulse = workspace[layout[IMPULSE] :]
    if jammed:
        u, least, greatest = workspace[layout[SOLVING] :], workspace[layout[LEAST] :], workspace[layout[GREATEST] :]
        laws = (touches, rows, workspace[layout[DELASSUS] :], workspace[layout[CONTACTS] :], least, greatest, 0.0)
        impulse[:rows] = 0.0
        u[:rows] = workspace[layout[FREE] : layout[FREE] + rows]
        for _ in range(_SWEEPS):
            sweep_contacts(laws, u, impulse)
    out_v[:] = workspace[layout[QD_NEXT] : layout[QD_NEXT] + len(out_v)]
    add_impulses(ints, rows, impulse, layout, workspace, dynamics, out_v)
    return jammed


@kernel
def _keep_impulses(touches: int, layout: IntArray, workspace: Array, out_kept: Array) -> None:
    """Keep the impulses in world axes, to begin with the next time."""
    _drop_kept(out_kept)
    last = len(out_kept) - 1
    for each in range(touches):
        out_kept[last - 1 - each] = 3 * layout[CONTACT_BODIES + each * CONTACT_INTS]
        keep_contact(each, layout, workspace, out_kept)
    out_kept[last] = touches


@kernel
def _drop_kept(out_kept: Array) -> None:
    """Clear the kept impulses: only those that are listed are not 0 already."""
    last = len(out_kept) - 1
    for each in range(int(out_kept[last])):
        at = int(out_kept[last - 1 - each])
        out_kept[at] = out_kept[at + 1] = out_kept[at + 2] = 0.0
    out_kept[last] = 0.0
