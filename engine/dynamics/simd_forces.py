"""Articulated bodies and sums of forces, of LANES states side by side; the formulas are those of `forward.py` and
`inverse.py`.

Arrays and symbols: `simd_batch.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.layout import (
    BEARS,
    BODIES,
    BODY_STRIDE,
    FLOATS,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    MASS,
    PLACE,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.dynamics.simd_batch import (
    BODY,
    FORCE,
    FOUND,
    GAIN,
    HELD,
    INERTIA_ROW,
    MOMENT,
    RATE,
    RESPONSE,
    SLOT_ROWS,
    L,
    slot_of,
    speeds_row,
)
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import kernel


@kernel
def factor_lanes(ints: IntArray, floats: Array, given: Array, bodies: Array, rates: Array, slots: Array) -> None:
    """Inward: U, 1 / D and u / D of every rate; articulated inertias and forces of the links."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, slot = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, slot_of(ints, joint)
        mass = floats[(ints[extra + FLOATS] + BODIES + joint * BODY_STRIDE + MASS) & PLACE]
        if ints[entry + BEARS]:
            join_lanes(mass, (joint * BODY * L) & PLACE, slot, bodies, slots)
        else:
            begin_lanes(mass, (joint * BODY * L) & PLACE, slot, bodies, slots)
        for rate in range(ints[entry + RATE_END] - 1, ints[entry + RATE_START] - 1, -1):
            respond_lanes(ints, rate, slot, given, rates, slots)
            eliminate_lanes(rate, slot, rates, slots)
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = slot_of(ints, parent)
            if up != slot:
                for each in range(SLOT_ROWS * L):
                    slots[up + each] += slots[slot + each]


@inlined
def begin_lanes(mass: float, body: int, slot: int, bodies: Array, slots: Array) -> None:
    """The force and the inertia of a body that bears no other."""
    for lane in range(L):
        o, b = slot + FORCE * L + lane, body + FORCE * L + lane
        for each in range(6):
            slots[o + each * L] = bodies[b + each * L]
        o, b = slot + HELD * L + lane, body + INERTIA_ROW * L + lane
        for each in range(6):
            slots[o + each * L] = bodies[b + each * L]
        b = body + MOMENT * L + lane
        x, y, z = bodies[b], bodies[b + L], bodies[b + 2 * L]
        slots[o + 6 * L], slots[o + 7 * L], slots[o + 8 * L] = 0.0, -z, y
        slots[o + 9 * L], slots[o + 10 * L], slots[o + 11 * L] = z, 0.0, -x
        slots[o + 12 * L], slots[o + 13 * L], slots[o + 14 * L] = -y, x, 0.0
        slots[o + 15 * L], slots[o + 16 * L], slots[o + 17 * L] = mass, mass, mass
        slots[o + 18 * L], slots[o + 19 * L], slots[o + 20 * L] = 0.0, 0.0, 0.0


@inlined
def join_lanes(mass: float, body: int, slot: int, bodies: Array, slots: Array) -> None:
    """Add the force and the inertia of a body to those of what it bears."""
    for lane in range(L):
        o, b = slot + FORCE * L + lane, body + FORCE * L + lane
        for each in range(6):
            slots[o + each * L] += bodies[b + each * L]
        o, b = slot + HELD * L + lane, body + INERTIA_ROW * L + lane
        for each in range(6):
            slots[o + each * L] += bodies[b + each * L]
        b = body + MOMENT * L + lane
        x, y, z = bodies[b], bodies[b + L], bodies[b + 2 * L]
        slots[o + 7 * L] -= z
        slots[o + 8 * L] += y
        slots[o + 9 * L] += z
        slots[o + 11 * L] -= x
        slots[o + 12 * L] -= y
        slots[o + 13 * L] += x
        slots[o + 15 * L] += mass
        slots[o + 16 * L] += mass
        slots[o + 17 * L] += mass


@inlined
def respond_lanes(ints: IntArray, rate: int, slot: int, given: Array, rates: Array, slots: Array) -> None:
    """U, 1 / D and u / D of a rate."""
    motion, count = (rate * RATE * L) & PLACE, ints[RATE_COUNT]
    taus, diagonals = speeds_row(ints, count + rate), speeds_row(ints, 2 * count + rate)
    slot &= PLACE
    for lane in range(L):
        m, p, o = motion + lane, slot + FORCE * L + lane, slot + HELD * L + lane
        a, b, c = rates[m], rates[m + L], rates[m + 2 * L]
        d, e, f = rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L]
        ux = slots[o] * a + slots[o + 3 * L] * b + slots[o + 4 * L] * c
        uy = slots[o + 3 * L] * a + slots[o + L] * b + slots[o + 5 * L] * c
        uz = slots[o + 4 * L] * a + slots[o + 5 * L] * b + slots[o + 2 * L] * c
        ux += slots[o + 6 * L] * d + slots[o + 7 * L] * e + slots[o + 8 * L] * f
        uy += slots[o + 9 * L] * d + slots[o + 10 * L] * e + slots[o + 11 * L] * f
        uz += slots[o + 12 * L] * d + slots[o + 13 * L] * e + slots[o + 14 * L] * f
        gx = slots[o + 6 * L] * a + slots[o + 9 * L] * b + slots[o + 12 * L] * c
        gy = slots[o + 7 * L] * a + slots[o + 10 * L] * b + slots[o + 13 * L] * c
        gz = slots[o + 8 * L] * a + slots[o + 11 * L] * b + slots[o + 14 * L] * c
        gx += slots[o + 15 * L] * d + slots[o + 18 * L] * e + slots[o + 19 * L] * f
        gy += slots[o + 18 * L] * d + slots[o + 16 * L] * e + slots[o + 20 * L] * f
        gz += slots[o + 19 * L] * d + slots[o + 20 * L] * e + slots[o + 17 * L] * f
        own = a * ux + b * uy + c * uz + (d * gx + e * gy + f * gz)
        met = a * slots[p] + b * slots[p + L] + c * slots[p + 2 * L]
        met += d * slots[p + 3 * L] + e * slots[p + 4 * L] + f * slots[p + 5 * L]
        tau, diagonal = given[taus + lane], given[diagonals + lane]
        inverse = 1.0 / (own + diagonal)
        m += RESPONSE * L
        rates[m], rates[m + L], rates[m + 2 * L] = ux, uy, uz
        rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = gx, gy, gz
        rates[m + 6 * L] = inverse
        rates[m + 7 * L] = tau if diagonal == math.inf else (tau - met) * inverse


@inlined
def eliminate_lanes(rate: int, slot: int, rates: Array, slots: Array) -> None:
    """Compute what is left of inertia and force on the other side of a rate. Apart from what comes before, so that one
    half of the lanes is divided while the other is summed up."""
    motion = ((rate * RATE + RESPONSE) * L) & PLACE
    for lane in range(L):
        m, p, o = motion + lane, slot + FORCE * L + lane, slot + HELD * L + lane
        ux, uy, uz = rates[m], rates[m + L], rates[m + 2 * L]
        gx, gy, gz = rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L]
        inverse, ratio = rates[m + 6 * L], rates[m + 7 * L]
        a, b, c, d, e, f = inverse * ux, inverse * uy, inverse * uz, inverse * gx, inverse * gy, inverse * gz
        slots[p] += ratio * ux
        slots[p + L] += ratio * uy
        slots[p + 2 * L] += ratio * uz
        slots[p + 3 * L] += ratio * gx
        slots[p + 4 * L] += ratio * gy
        slots[p + 5 * L] += ratio * gz
        slots[o] -= a * ux
        slots[o + L] -= b * uy
        slots[o + 2 * L] -= c * uz
        slots[o + 3 * L] -= a * uy
        slots[o + 4 * L] -= a * uz
        slots[o + 5 * L] -= b * uz
        slots[o + 6 * L] -= a * gx
        slots[o + 7 * L] -= a * gy
        slots[o + 8 * L] -= a * gz
        slots[o + 9 * L] -= b * gx
        slots[o + 10 * L] -= b * gy
        slots[o + 11 * L] -= b * gz
        slots[o + 12 * L] -= c * gx
        slots[o + 13 * L] -= c * gy
        slots[o + 14 * L] -= c * gz
        slots[o + 15 * L] -= d * gx
        slots[o + 16 * L] -= e * gy
        slots[o + 17 * L] -= f * gz
        slots[o + 18 * L] -= d * gy
        slots[o + 19 * L] -= d * gz
        slots[o + 20 * L] -= e * gz


@kernel
def accelerate_lanes(ints: IntArray, rates: Array, slots: Array) -> None:
    """Outward: qdd from the factors; the placement has no acceleration."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT]):
        entry, slot = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, slot_of(ints, joint)
        parent = ints[entry + LINK_PARENT]
        if parent < 0:
            for each in range(GAIN * L, (GAIN + 6) * L):
                slots[slot + each] = 0.0
        else:
            up = slot_of(ints, parent)
            if up != slot:
                for each in range(GAIN * L, (GAIN + 6) * L):
                    slots[slot + each] = slots[up + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, slot + GAIN * L + lane
                ax, ay, az = slots[o], slots[o + L], slots[o + 2 * L]
                bx, by, bz = slots[o + 3 * L], slots[o + 4 * L], slots[o + 5 * L]
                r = m + RESPONSE * L
                carried = rates[r] * ax + rates[r + L] * ay + rates[r + 2 * L] * az
                carried += rates[r + 3 * L] * bx + rates[r + 4 * L] * by + rates[r + 5 * L] * bz
                gain = rates[m + FOUND * L] - rates[r + 6 * L] * carried
                rates[m + FOUND * L] = gain
                slots[o], slots[o + L] = ax + gain * rates[m], ay + gain * rates[m + L]
                slots[o + 2 * L], slots[o + 3 * L] = az + gain * rates[m + 2 * L], bx + gain * rates[m + 3 * L]
                slots[o + 4 * L], slots[o + 5 * L] = by + gain * rates[m + 4 * L], bz + gain * rates[m + 5 * L]


@kernel
def sum_lanes(ints: IntArray, bodies: Array, rates: Array, slots: Array) -> None:
    """Inward: the forces of rates that the bodies of their subtrees need."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, slot = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, slot_of(ints, joint)
        body = ((joint * BODY + FORCE) * L) & PLACE
        if ints[entry + BEARS]:
            for each in range(6 * L):
                slots[slot + FORCE * L + each] += bodies[body + each]
        else:
            for each in range(6 * L):
                slots[slot + FORCE * L + each] = bodies[body + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, slot + FORCE * L + lane
                turn = rates[m] * slots[o] + rates[m + L] * slots[o + L] + rates[m + 2 * L] * slots[o + 2 * L]
                slide = rates[m + 3 * L] * slots[o + 3 * L] + rates[m + 4 * L] * slots[o + 4 * L]
                rates[m + FOUND * L] = turn + (slide + rates[m + 5 * L] * slots[o + 5 * L])
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = slot_of(ints, parent)
            if up != slot:
                for each in range(FORCE * L, (FORCE + 6) * L):
                    slots[up + each] += slots[slot + each]


@kernel
def write_found(ints: IntArray, first: int, rates: Array, out_found: Array) -> None:
    """Copy the results of each rate to the states from `first` on, as many as there are."""
    for lane in range(min(L, out_found.shape[0] - first)):
        at = FOUND * L + lane
        for rate in range(ints[RATE_COUNT]):
            out_found[first + lane, rate] = rates[at + rate * RATE * L]
