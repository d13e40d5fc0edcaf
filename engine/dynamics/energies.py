"""The energy of a stepped figure: what it has, what is given to it, and slowing down what has too much.

Counted are the kinetic energy, that by gravity, that of servos, taken as springs to their goals now, that of the
joints' own springs, and that of fields. What is given in a step is the work of torques along the way of the step, that
of the dampers of moving servos and of forces from outside at the rates after it; the ground gives to what began deep
inside it (`step_layout.py`) until that is out.
"""

from __future__ import annotations

import math

from engine.dynamics.contact import compute_velocities, seen_from
from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, GAP
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.layout import ORIGIN, extra_of
from engine.dynamics.momenta import KINETIC, POTENTIAL, compute_momenta
from engine.dynamics.motions import velocity_of
from engine.dynamics.resistance import KD, RATE_WIDTH, Buffers, Stepped, store_energy
from engine.dynamics.step_layout import (
    ANGLES,
    CONTACT_BODIES,
    CONTACT_COUNT,
    CONTACTS,
    DIFFERENCE,
    ENERGIES,
    GOAL,
    GOAL_RATES,
    IMPULSES,
    INSIDE,
    METHOD,
    MIDPOINT,
    OUTSIDE,
    Q_NEXT,
    QD_NEXT,
    RATES,
    TIME,
    TORQUES,
    VELOCITIES,
)
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, RATE_COUNT, ROW
from engine.runtime.jit import kernel

SLACK = 5e-7
"""[J] that a step may add, so that what hardly moves is not held by impulses that are not quite solved."""
_SHORTER = 12


@kernel
def measure_energy(stepped: Stepped, q: Array, qd: Array, buffers: Buffers) -> float:
    """All energy [J]; ENERGIES in the work are its momenta."""
    (ints, floats, table, fields, _, _), (state, offsets, work, dynamics) = stepped, buffers
    momenta = work[offsets[ENERGIES] :]
    compute_momenta(ints, floats, q, qd, dynamics, momenta)
    stored = store_energy(
        ints, table, fields, state[offsets[GOAL] :], q, work[offsets[ANGLES] :], work[offsets[DIFFERENCE] :]
    )
    return float(momenta[KINETIC] + momenta[POTENTIAL] + stored)


@kernel
def measure_given(stepped: Stepped, buffers: Buffers, dt: float) -> float:
    """The work [J] that torques, servos' dampers and forces from outside do in the step."""
    (ints, _, table, _, _, options), (state, offsets, work, dynamics) = stepped, buffers
    qd_next = work[offsets[QD_NEXT] :]
    power, early = 0.0, 0.5 if int(options[METHOD]) == MIDPOINT else 0.0
    for rate in range(ints[RATE_COUNT]):
        v, aim, torque = qd_next[rate], state[offsets[GOAL_RATES] + rate], state[offsets[TORQUES] + rate]
        power += torque * v + table[rate * RATE_WIDTH + KD] * (aim - v) * aim
        power += early * torque * (state[offsets[RATES] + rate] - v)
    pushed = False
    for each in range(offsets[OUTSIDE], offsets[IMPULSES]):
        pushed = pushed or state[each] != 0.0
    if pushed:
        velocities, origin = work[offsets[VELOCITIES] :], ints[extra_of(ints) + ORIGIN]
        compute_velocities(ints, dynamics, qd_next, velocities)
        for joint in range(ints[JOINT_COUNT]):
            at, row = offsets[OUTSIDE] + 6 * joint, (joint + 1) * ROW + 9
            x, y, z = seen_from(dynamics, row, dynamics, origin)
            vx, vy, vz = velocity_of(velocities, 6 * joint, x, y, z)
            power += state[at] * vx + state[at + 3] * velocities[6 * joint]
            power += state[at + 1] * vy + state[at + 4] * velocities[6 * joint + 1]
            power += state[at + 2] * vz + state[at + 5] * velocities[6 * joint + 2]
    return dt * power


@kernel
def slow_down(stepped: Stepped, allowed: float, given: float, q: Array, buffers: Buffers, dt: float) -> None:
    """Slow Q_NEXT and QD_NEXT down to the energy that is allowed beside what is given; what is taken away by torques
    becomes less with the speed."""
    ints, (_, offsets, work, _) = stepped[0], buffers
    rates = ints[RATE_COUNT]
    q_next, qd_next = work[offsets[Q_NEXT] :], work[offsets[QD_NEXT] :]
    momenta = work[offsets[ENERGIES] :]
    for attempt in range(_SHORTER):
        total = measure_energy(stepped, q_next, qd_next, buffers)
        over = total - (allowed + given)
        if over <= SLACK:
            return
        share, kinetic = -1.0, momenta[KINETIC]
        if kinetic > 0.0 and given < 0.0:
            spare = kinetic - (total - allowed)  # K s^2 - given s = spare
            if spare >= 0.0:
                share = ((math.sqrt(given * given + 4.0 * kinetic * spare) + given) / (2.0 * kinetic)) ** 2
        elif kinetic > 0.0:
            share = 1.0 - over / kinetic
        if share >= 0.0:
            for rate in range(rates):
                qd_next[rate] *= math.sqrt(share)
            return
        for rate in range(rates):
            qd_next[rate] *= 0.5 if attempt < _SHORTER - 2 else 0.0
        if given < 0.0:
            given *= 0.5 if attempt < _SHORTER - 2 else 0.0
        integrate_coordinates(ints, q, qd_next, dt, q_next)


@kernel
def began_deep(deep: float, contact: int, state: Array, offsets: IntArray, work: Array) -> bool:
    """Tell whether a contact is deep, and was so when the state was made, and ever since."""
    began = state[offsets[INSIDE] + 1 + offsets[CONTACT_BODIES + contact * CONTACT_INTS]]
    return bool(began > deep and work[offsets[CONTACTS] + contact * CONTACT + GAP] < -deep)


@kernel
def keep_depths(deep: float, state: Array, offsets: IntArray, work: Array) -> None:
    """Forget that something began deep where it no longer is."""
    first = offsets[INSIDE]
    if state[first] == 0.0:
        return
    left = 0
    for contact in range(offsets[CONTACT_COUNT]):
        if began_deep(deep, contact, state, offsets, work):
            at = first + 1 + offsets[CONTACT_BODIES + contact * CONTACT_INTS]
            state[at] = -state[at]
            left += 1
    for at in range(first + 1, offsets[TIME]):
        state[at] = max(0.0, -state[at])
    state[first] = left
