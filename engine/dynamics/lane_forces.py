"""Articulated bodies and sums of forces, of LANES states side by side; the formulas are those of `forward.py` and
`inverse.py`.

Rooms and symbols: `lanes.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.lanes import (
    BODY,
    DESK_ROWS,
    FORCE,
    FOUND,
    GAIN,
    HELD,
    INERTIA_ROW,
    MOMENT,
    RATE,
    RESPONSE,
    L,
    desk_of,
    speeds_row,
)
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
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT, RATE_COUNT
from engine.runtime.jit import kernel


@kernel
def factor_lanes(ints: IntArray, floats: Array, given: Array, bodies: Array, rates: Array, desks: Array) -> None:
    """Inward: U, 1 / D and u / D of every rate; articulated inertias and forces of the links."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, desk = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, desk_of(ints, joint)
        mass = floats[(ints[extra + FLOATS] + BODIES + joint * BODY_STRIDE + MASS) & PLACE]
        if ints[entry + BEARS]:
            join_lanes(mass, (joint * BODY * L) & PLACE, desk, bodies, desks)
        else:
            begin_lanes(mass, (joint * BODY * L) & PLACE, desk, bodies, desks)
        for rate in range(ints[entry + RATE_END] - 1, ints[entry + RATE_START] - 1, -1):
            respond_lanes(ints, rate, desk, given, rates, desks)
            eliminate_lanes(rate, desk, rates, desks)
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = desk_of(ints, parent)
            if up != desk:
                for each in range(DESK_ROWS * L):
                    desks[up + each] += desks[desk + each]


@inlined
def begin_lanes(mass: float, body: int, desk: int, bodies: Array, desks: Array) -> None:
    """The force and the inertia of a body that bears no other."""
    for lane in range(L):
        o, b = desk + FORCE * L + lane, body + FORCE * L + lane
        for each in range(6):
            desks[o + each * L] = bodies[b + each * L]
        o, b = desk + HELD * L + lane, body + INERTIA_ROW * L + lane
        for each in range(6):
            desks[o + each * L] = bodies[b + each * L]
        b = body + MOMENT * L + lane
        x, y, z = bodies[b], bodies[b + L], bodies[b + 2 * L]
        desks[o + 6 * L], desks[o + 7 * L], desks[o + 8 * L] = 0.0, -z, y
        desks[o + 9 * L], desks[o + 10 * L], desks[o + 11 * L] = z, 0.0, -x
        desks[o + 12 * L], desks[o + 13 * L], desks[o + 14 * L] = -y, x, 0.0
        desks[o + 15 * L], desks[o + 16 * L], desks[o + 17 * L] = mass, mass, mass
        desks[o + 18 * L], desks[o + 19 * L], desks[o + 20 * L] = 0.0, 0.0, 0.0


@inlined
def join_lanes(mass: float, body: int, desk: int, bodies: Array, desks: Array) -> None:
    """Add the force and the inertia of a body to those of what it bears."""
    for lane in range(L):
        o, b = desk + FORCE * L + lane, body + FORCE * L + lane
        for each in range(6):
            desks[o + each * L] += bodies[b + each * L]
        o, b = desk + HELD * L + lane, body + INERTIA_ROW * L + lane
        for each in range(6):
            desks[o + each * L] += bodies[b + each * L]
        b = body + MOMENT * L + lane
        x, y, z = bodies[b], bodies[b + L], bodies[b + 2 * L]
        desks[o + 7 * L] -= z
        desks[o + 8 * L] += y
        desks[o + 9 * L] += z
        desks[o + 11 * L] -= x
        desks[o + 12 * L] -= y
        desks[o + 13 * L] += x
        desks[o + 15 * L] += mass
        desks[o + 16 * L] += mass
        desks[o + 17 * L] += mass


@inlined
def respond_lanes(ints: IntArray, rate: int, desk: int, given: Array, rates: Array, desks: Array) -> None:
    """U, 1 / D and u / D of a rate."""
    motion, count = (rate * RATE * L) & PLACE, ints[RATE_COUNT]
    taus, diagonals = speeds_row(ints, count + rate), speeds_row(ints, 2 * count + rate)
    desk &= PLACE
    for lane in range(L):
        m, p, o = motion + lane, desk + FORCE * L + lane, desk + HELD * L + lane
        a, b, c = rates[m], rates[m + L], rates[m + 2 * L]
        d, e, f = rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L]
        ux = desks[o] * a + desks[o + 3 * L] * b + desks[o + 4 * L] * c
        uy = desks[o + 3 * L] * a + desks[o + L] * b + desks[o + 5 * L] * c
        uz = desks[o + 4 * L] * a + desks[o + 5 * L] * b + desks[o + 2 * L] * c
        ux += desks[o + 6 * L] * d + desks[o + 7 * L] * e + desks[o + 8 * L] * f
        uy += desks[o + 9 * L] * d + desks[o + 10 * L] * e + desks[o + 11 * L] * f
        uz += desks[o + 12 * L] * d + desks[o + 13 * L] * e + desks[o + 14 * L] * f
        gx = desks[o + 6 * L] * a + desks[o + 9 * L] * b + desks[o + 12 * L] * c
        gy = desks[o + 7 * L] * a + desks[o + 10 * L] * b + desks[o + 13 * L] * c
        gz = desks[o + 8 * L] * a + desks[o + 11 * L] * b + desks[o + 14 * L] * c
        gx += desks[o + 15 * L] * d + desks[o + 18 * L] * e + desks[o + 19 * L] * f
        gy += desks[o + 18 * L] * d + desks[o + 16 * L] * e + desks[o + 20 * L] * f
        gz += desks[o + 19 * L] * d + desks[o + 20 * L] * e + desks[o + 17 * L] * f
        own = a * ux + b * uy + c * uz + (d * gx + e * gy + f * gz)
        met = a * desks[p] + b * desks[p + L] + c * desks[p + 2 * L]
        met += d * desks[p + 3 * L] + e * desks[p + 4 * L] + f * desks[p + 5 * L]
        tau, diagonal = given[taus + lane], given[diagonals + lane]
        inverse = 1.0 / (own + diagonal)
        m += RESPONSE * L
        rates[m], rates[m + L], rates[m + 2 * L] = ux, uy, uz
        rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = gx, gy, gz
        rates[m + 6 * L] = inverse
        rates[m + 7 * L] = tau if diagonal == math.inf else (tau - met) * inverse


@inlined
def eliminate_lanes(rate: int, desk: int, rates: Array, desks: Array) -> None:
    """Compute what is left of inertia and force on the other side of a rate. Apart from what comes before, so that one
    half of the lanes is divided while the other is summed up."""
    motion = ((rate * RATE + RESPONSE) * L) & PLACE
    for lane in range(L):
        m, p, o = motion + lane, desk + FORCE * L + lane, desk + HELD * L + lane
        ux, uy, uz = rates[m], rates[m + L], rates[m + 2 * L]
        gx, gy, gz = rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L]
        inverse, ratio = rates[m + 6 * L], rates[m + 7 * L]
        a, b, c, d, e, f = inverse * ux, inverse * uy, inverse * uz, inverse * gx, inverse * gy, inverse * gz
        desks[p] += ratio * ux
        desks[p + L] += ratio * uy
        desks[p + 2 * L] += ratio * uz
        desks[p + 3 * L] += ratio * gx
        desks[p + 4 * L] += ratio * gy
        desks[p + 5 * L] += ratio * gz
        desks[o] -= a * ux
        desks[o + L] -= b * uy
        desks[o + 2 * L] -= c * uz
        desks[o + 3 * L] -= a * uy
        desks[o + 4 * L] -= a * uz
        desks[o + 5 * L] -= b * uz
        desks[o + 6 * L] -= a * gx
        desks[o + 7 * L] -= a * gy
        desks[o + 8 * L] -= a * gz
        desks[o + 9 * L] -= b * gx
        desks[o + 10 * L] -= b * gy
        desks[o + 11 * L] -= b * gz
        desks[o + 12 * L] -= c * gx
        desks[o + 13 * L] -= c * gy
        desks[o + 14 * L] -= c * gz
        desks[o + 15 * L] -= d * gx
        desks[o + 16 * L] -= e * gy
        desks[o + 17 * L] -= f * gz
        desks[o + 18 * L] -= d * gy
        desks[o + 19 * L] -= d * gz
        desks[o + 20 * L] -= e * gz


@kernel
def accelerate_lanes(ints: IntArray, rates: Array, desks: Array) -> None:
    """Outward: qdd from the factors; the placement has no acceleration."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT]):
        entry, desk = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, desk_of(ints, joint)
        parent = ints[entry + LINK_PARENT]
        if parent < 0:
            for each in range(GAIN * L, (GAIN + 6) * L):
                desks[desk + each] = 0.0
        else:
            up = desk_of(ints, parent)
            if up != desk:
                for each in range(GAIN * L, (GAIN + 6) * L):
                    desks[desk + each] = desks[up + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, desk + GAIN * L + lane
                ax, ay, az = desks[o], desks[o + L], desks[o + 2 * L]
                bx, by, bz = desks[o + 3 * L], desks[o + 4 * L], desks[o + 5 * L]
                r = m + RESPONSE * L
                carried = rates[r] * ax + rates[r + L] * ay + rates[r + 2 * L] * az
                carried += rates[r + 3 * L] * bx + rates[r + 4 * L] * by + rates[r + 5 * L] * bz
                gain = rates[m + FOUND * L] - rates[r + 6 * L] * carried
                rates[m + FOUND * L] = gain
                desks[o], desks[o + L] = ax + gain * rates[m], ay + gain * rates[m + L]
                desks[o + 2 * L], desks[o + 3 * L] = az + gain * rates[m + 2 * L], bx + gain * rates[m + 3 * L]
                desks[o + 4 * L], desks[o + 5 * L] = by + gain * rates[m + 4 * L], bz + gain * rates[m + 5 * L]


@kernel
def sum_lanes(ints: IntArray, bodies: Array, rates: Array, desks: Array) -> None:
    """Inward: the forces of rates that the bodies of their subtrees need."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, desk = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, desk_of(ints, joint)
        body = ((joint * BODY + FORCE) * L) & PLACE
        if ints[entry + BEARS]:
            for each in range(6 * L):
                desks[desk + FORCE * L + each] += bodies[body + each]
        else:
            for each in range(6 * L):
                desks[desk + FORCE * L + each] = bodies[body + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, desk + FORCE * L + lane
                turn = rates[m] * desks[o] + rates[m + L] * desks[o + L] + rates[m + 2 * L] * desks[o + 2 * L]
                slide = rates[m + 3 * L] * desks[o + 3 * L] + rates[m + 4 * L] * desks[o + 4 * L]
                rates[m + FOUND * L] = turn + (slide + rates[m + 5 * L] * desks[o + 5 * L])
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = desk_of(ints, parent)
            if up != desk:
                for each in range(FORCE * L, (FORCE + 6) * L):
                    desks[up + each] += desks[desk + each]


@kernel
def write_found(ints: IntArray, first: int, rates: Array, out_found: Array) -> None:
    """Copy the results of each rate to the states from `first` on, as many as there are."""
    for lane in range(min(L, out_found.shape[0] - first)):
        at = FOUND * L + lane
        for rate in range(ints[RATE_COUNT]):
            out_found[first + lane, rate] = rates[at + rate * RATE * L]
