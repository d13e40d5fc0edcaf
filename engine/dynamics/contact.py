"""The equations of contact: what an impulse at each contact does to the velocities of all of them.

For a contact at the point p of body a (and body b) with direction d, the row J gives d . (v_a(p) - v_b(p)). What a unit
impulse there changes is A^-1 J^T, with the factors that the articulated body method left in `dynamics`, A = M +
diagonal: so servos and damping, which act during the step, count in the impulse too. `couplings.py` has W = J A^-1 J^T
(the Delassus matrix).

A normal may keep the velocity -g/dt over a gap g: what is apart just arrives. What overlaps by more than the slop is
led out at a share of its depth a step, at most by a given speed. (A midpoint step goes on from the contacts for half of
dt only; the next begins with the other half.)

Joints have rows of their own, J the unit vector of the rate: for dry friction, bounded by its torque times dt, and for
stops, which push one way only, where the rate may lead to a limit (within 0.02 rad or m and twice the way of a step);
for driven coordinates see `driven.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, POINT, PUSH
from engine.dynamics.layout import (
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    MOTION_STRIDE,
    MOTIONS,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.dynamics.motions import velocity_of
from engine.dynamics.resistance import COORDINATE, DRY, LOWER, RATE_WIDTH, UPPER
from engine.dynamics.step_layout import CONTACT_BODIES, CONTACTS, JOINT_ROWS
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import kernel

_NEAR, _FIXED = 0.02, 1e-9  # [rad] or [m] from a limit that is looked at; between limits that leave no freedom


@kernel
def compute_velocities(ints: IntArray, dynamics: Array, qd: Array, out_velocities: Array) -> None:
    """Angular velocity and velocity about the point O (6) of each body at these rates, in the pose of `dynamics`."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT]):
        entry = ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE
        parent = ints[entry + LINK_PARENT]
        for axis in range(6):
            total = out_velocities[6 * parent + axis] if parent >= 0 else 0.0
            for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
                total += qd[rate] * dynamics[ints[extra + MOTIONS] + rate * MOTION_STRIDE + axis]
            out_velocities[6 * joint + axis] = total


@inlined
def seen_from(work: Array, point: int, dynamics: Array, origin: int) -> tuple[float, float, float]:
    """The place at `work[point]` as the way there from the one at `dynamics[origin]`."""
    return (
        work[point] - dynamics[origin],
        work[point + 1] - dynamics[origin + 1],
        work[point + 2] - dynamics[origin + 2],
    )


@kernel
def list_joint_rows(
    ints: IntArray, table: Array, q: Array, reach: Array, dt: float, rows: int, offsets: IntArray
) -> int:
    """Append the rows of joints that have dry friction or may come to a limit; how many rows there are then."""
    rates, to = ints[RATE_COUNT], offsets[JOINT_ROWS]
    for rate in range(rates):
        if table[rate * RATE_WIDTH + DRY] > 0.0:
            offsets[to] = rate
            rows, to = rows + 1, to + 1
        if _nears(table, q, rate, dt * reach[rate]):
            offsets[to] = rates + rate
            rows, to = rows + 1, to + 1
    return rows


@kernel
def reach_stops(ints: IntArray, table: Array, q: Array, qd: Array, dt: float, out_reach: Array) -> bool:
    """Widen the reach of rates that go beyond a limit without a row; return True if there are any."""
    found = False
    for rate in range(ints[RATE_COUNT]):
        at = rate * RATE_WIDTH
        if not _nears(table, q, rate, dt * out_reach[rate]):
            ahead = q[int(table[at + COORDINATE])] + dt * qd[rate]
            if ahead < table[at + LOWER] or ahead > table[at + UPPER]:
                out_reach[rate], found = abs(qd[rate]), True
    return found


@inlined
def _nears(table: Array, q: Array, rate: int, way: float) -> bool:
    """Tell whether a limit is nearer than twice that way."""
    at, near = rate * RATE_WIDTH, _NEAR + 2.0 * way
    value = q[int(table[at + COORDINATE])]
    return bool(value - near < table[at + LOWER] or value + near > table[at + UPPER])


@kernel
def bound_joint_row(
    table: Array, rates: int, entry: int, q: Array, qd: Array, dt: float, lift: float, speed: float
) -> tuple[float, float, float, float]:
    """Bound a joint's row: the velocity that it may keep, what of it leads back within the limit; least and greatest
    impulse."""
    at = entry % rates * RATE_WIDTH
    if entry >= 2 * rates:
        return 0.0, 0.0, -math.inf, math.inf
    if entry < rates:
        return 0.0, 0.0, -dt * table[at + DRY], dt * table[at + DRY]
    value, v = q[int(table[at + COORDINATE])], qd[entry - rates]
    below, above = table[at + LOWER] - value, table[at + UPPER] - value
    if above - below < _FIXED:
        back = min(speed, max(-speed, lift * 0.5 * (below + above) / dt))
        return 0.0, back, -math.inf, math.inf
    if below - dt * v > dt * v - above:
        if below > 0.0:
            return 0.0, min(speed, lift * below / dt), 0.0, math.inf
        return below / dt, 0.0, 0.0, math.inf
    if above < 0.0:
        return 0.0, max(-speed, lift * above / dt), -math.inf, 0.0
    return above / dt, 0.0, -math.inf, 0.0


@kernel
def read_along(
    contacts: int, offsets: IntArray, work: Array, velocities: Array, dynamics: Array, origin: int, out_along: Array
) -> None:
    """The velocity of every contact along its normal and tangents, from bodies' velocities about O."""
    for contact in range(contacts):
        at, entry = offsets[CONTACTS] + contact * CONTACT, CONTACT_BODIES + contact * CONTACT_INTS
        x, y, z = seen_from(work, at + POINT, dynamics, origin)
        vx = vy = vz = 0.0
        for side in range(2):
            body = offsets[entry + 1 + side]
            if body >= 0:
                sign, (a, b, c) = 1.0 if side == 0 else -1.0, velocity_of(velocities, 6 * body, x, y, z)
                vx, vy, vz = vx + sign * a, vy + sign * b, vz + sign * c
        for axis in range(3):
            way = at + PUSH + 3 * axis
            out_along[3 * contact + axis] = vx * work[way] + vy * work[way + 1] + vz * work[way + 2]


@inlined
def bound_contact(gap: float, dt: float, slop: float, lift: float, speed: float) -> tuple[float, float]:
    """The least velocity that a normal may have: down to the other side, or slowly out of it."""
    if gap >= 0.0:
        return -gap / dt, 0.0
    return 0.0, min(speed, lift * max(0.0, -gap - slop) / dt)
