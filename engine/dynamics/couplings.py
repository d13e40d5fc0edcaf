"""Kernels: what impulses along rows do to each other and to all rates, by the factors of the articulated bodies.

With the factors that `forward.py` leaves (U and D of each rate), A = M + diagonal is L^T D L, where L^T eliminates
rates from the leaves to the root. Of a unit impulse along a row there comes to the rates on its way to the root, with f
first the force on the body and s the rate's motion,

    y = s . f,    f <- f - U y / D

So W = J A^-1 J^T is the sum of y y^T / D over the rates, and takes no outward pass: a row costs its way to the root,
and W is symmetric to the byte. A row between two bodies comes in on two ways, which go on as one from where they meet.
One outward pass for all rows together tells what their impulses do to the rates.

Rates of given accelerations (D infinite) give way to nothing. In the work: PULLS y of all rows for each rate in turn,
shape [rate_count, rows], and whether any row comes to it; DELASSUS W; ROW_MOTIONS the motions of the rates, since
looking at energy writes over those in the dynamics, and what impulses change of the bodies' velocities.
"""

from __future__ import annotations

from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, POINT, PUSH
from engine.dynamics.driven import add_turn
from engine.dynamics.layout import (
    FACTOR_STRIDE,
    FACTORS,
    INVERSE,
    KINDS,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    MOTION_STRIDE,
    MOTIONS,
    ORIGIN,
    PREVIOUS,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    extra_of,
)
from engine.dynamics.step_layout import CONTACT_BODIES, CONTACTS, COUPLED, DELASSUS, JOINT_ROWS, PULLS, ROW_MOTIONS
from engine.maths.arrays import Array, IntArray
from engine.model.compile import RATE_COUNT
from engine.runtime.jit import kernel


@kernel
def write_couplings(ints: IntArray, contacts: int, rows: int, offsets: IntArray, work: Array, dynamics: Array) -> None:
    """Compute the change of rates by unit impulses along all rows, and W."""
    rates, origin = ints[RATE_COUNT], ints[extra_of(ints) + ORIGIN]
    pulls = work[offsets[PULLS] : offsets[PULLS] + rates * (rows + 1)]
    pulls[:] = 0.0
    first = ints[extra_of(ints) + MOTIONS]
    for place in range(MOTION_STRIDE * rates):
        work[offsets[ROW_MOTIONS] + place] = dynamics[first + place]
    for contact in range(contacts):
        at, entry = offsets[CONTACTS] + contact * CONTACT, CONTACT_BODIES + contact * CONTACT_INTS
        one, two = _last_rate(ints, offsets[entry + 1]), _last_rate(ints, offsets[entry + 2])
        x, y, z = (
            work[at + POINT] - dynamics[origin],
            work[at + POINT + 1] - dynamics[origin + 1],
            work[at + POINT + 2] - dynamics[origin + 2],
        )
        for axis in range(3):
            way = at + PUSH + 3 * axis
            fx, fy, fz = work[way], work[way + 1], work[way + 2]
            force = (y * fz - z * fy, z * fx - x * fz, x * fy - y * fx, fx, fy, fz)
            _bring_in(ints, one, two, force, rows, 3 * contact + axis, dynamics, pulls)
    for row in range(3 * contacts, rows):
        entry = offsets[offsets[JOINT_ROWS] + row - 3 * contacts]
        if entry < 2 * rates:
            _turn(ints, entry % rates, rows, row, dynamics, pulls)
            continue
        line = offsets[COUPLED] + (entry - 2 * rates) * rates
        for rate in range(rates):
            if work[line + rate] != 0.0:
                add_turn(ints, rate, work[line + rate], rows, row, dynamics, pulls)
    _write_delassus(ints, rows, pulls, dynamics, work[offsets[DELASSUS] : offsets[DELASSUS] + rows * rows])


@kernel
def _last_rate(ints: IntArray, body: int) -> int:
    """The last rate on the way from the root to a body; -1 for the ground, and for what nothing moves."""
    extra = extra_of(ints)
    while body >= 0:
        entry = ints[extra + LINK_INTS] + body * LINK_INT_STRIDE
        if ints[entry + RATE_END] > ints[entry + RATE_START]:
            return int(ints[entry + RATE_END] - 1)
        body = ints[entry + LINK_PARENT]
    return -1


@kernel
def _bring_in(
    ints: IntArray,
    one: int,
    two: int,
    force: tuple[float, float, float, float, float, float],
    rows: int,
    row: int,
    dynamics: Array,
    out_pulls: Array,
) -> None:
    """A force on the body behind the rate `one`, and its opposite on that behind `two`, inward to the root."""
    extra = extra_of(ints)
    motions, factors, kinds = ints[extra + MOTIONS], ints[extra + FACTORS], ints[extra + KINDS] + PREVIOUS
    reached = ints[RATE_COUNT] * rows
    a, b, c, d, e, f = force
    g, h, i, j, k, m = -a, -b, -c, -d, -e, -f
    while one >= 0 or two >= 0:
        if one < two:
            one, two = two, one
            a, g, b, h, c, i = g, a, h, b, i, c
            d, j, e, k, f, m = j, d, k, e, m, f
        if one == two:
            a, b, c, d, e, f = a + g, b + h, c + i, d + j, e + k, f + m
            two = -1
        at = motions + one * MOTION_STRIDE
        y = a * dynamics[at] + b * dynamics[at + 1] + c * dynamics[at + 2]
        y += d * dynamics[at + 3] + e * dynamics[at + 4] + f * dynamics[at + 5]
        out_pulls[one * rows + row], out_pulls[reached + one] = y, 1.0
        at = factors + one * FACTOR_STRIDE
        y *= dynamics[at + INVERSE]
        a, b, c = a - y * dynamics[at], b - y * dynamics[at + 1], c - y * dynamics[at + 2]
        d, e, f = d - y * dynamics[at + 3], e - y * dynamics[at + 4], f - y * dynamics[at + 5]
        one = ints[kinds + one * RATE_INT_STRIDE]


@kernel
def _turn(ints: IntArray, rate: int, rows: int, row: int, dynamics: Array, out_pulls: Array) -> None:
    """Bring a unit impulse at a rate inward to the root."""
    extra = extra_of(ints)
    at = ints[extra + FACTORS] + rate * FACTOR_STRIDE
    y = -dynamics[at + INVERSE]
    force = (
        y * dynamics[at],
        y * dynamics[at + 1],
        y * dynamics[at + 2],
        y * dynamics[at + 3],
        y * dynamics[at + 4],
        y * dynamics[at + 5],
    )
    _bring_in(
        ints, ints[ints[extra + KINDS] + rate * RATE_INT_STRIDE + PREVIOUS], -1, force, rows, row, dynamics, out_pulls
    )
    out_pulls[rate * rows + row] = out_pulls[ints[RATE_COUNT] * rows + rate] = 1.0


@kernel
def _write_delassus(ints: IntArray, rows: int, pulls: Array, dynamics: Array, out_delassus: Array) -> None:
    """W, rate by rate; those that any row comes to are added four at a time, in their order."""
    factors, rates = ints[extra_of(ints) + FACTORS], ints[RATE_COUNT]
    out_delassus[:] = 0.0
    at, rate = rates * rows, 0
    while rate < rates:
        one = _next_reached(rates, factors, rate, pulls[at:], dynamics)
        two = _next_reached(rates, factors, one + 1, pulls[at:], dynamics)
        three = _next_reached(rates, factors, two + 1, pulls[at:], dynamics)
        four = _next_reached(rates, factors, three + 1, pulls[at:], dynamics)
        if four < rates:
            _add_four(rows, factors, (one, two, three, four), pulls, dynamics, out_delassus)
        else:
            for each in (one, two, three):
                if each < rates:
                    _add_one(rows, factors, each, pulls, dynamics, out_delassus)
        rate = four + 1
    for row in range(rows):
        for other in range(row):
            out_delassus[other * rows + row] = out_delassus[row * rows + other]


@kernel
def _next_reached(rates: int, factors: int, rate: int, reached: Array, dynamics: Array) -> int:
    """The next rate that gives way and that any row comes to."""
    while rate < rates and (reached[rate] == 0.0 or dynamics[factors + rate * FACTOR_STRIDE + INVERSE] == 0.0):
        rate += 1
    return rate


@kernel
def _add_one(rows: int, factors: int, rate: int, pulls: Array, dynamics: Array, out_delassus: Array) -> None:
    """Add what comes over one rate to the lower half of W."""
    line, inverse = pulls[rate * rows : (rate + 1) * rows], dynamics[factors + rate * FACTOR_STRIDE + INVERSE]
    for row in range(rows):
        if line[row] != 0.0:
            share, found = inverse * line[row], out_delassus[row * rows : row * rows + row + 1]
            for other in range(len(found)):
                found[other] += share * line[other]


@kernel
def _add_four(
    rows: int, factors: int, rates: tuple[int, int, int, int], pulls: Array, dynamics: Array, out_delassus: Array
) -> None:
    """Add what comes over four rates to the lower half of W, in their order."""
    one, two, three, four = rates
    a, b = pulls[one * rows : (one + 1) * rows], pulls[two * rows : (two + 1) * rows]
    c, d = pulls[three * rows : (three + 1) * rows], pulls[four * rows : (four + 1) * rows]
    at = factors + INVERSE
    e, f = dynamics[at + one * FACTOR_STRIDE], dynamics[at + two * FACTOR_STRIDE]
    g, h = dynamics[at + three * FACTOR_STRIDE], dynamics[at + four * FACTOR_STRIDE]
    for row in range(rows):
        if a[row] == 0.0 and b[row] == 0.0 and c[row] == 0.0 and d[row] == 0.0:
            continue
        p, q, r, s = e * a[row], f * b[row], g * c[row], h * d[row]
        found = out_delassus[row * rows : row * rows + row + 1]
        for other in range(len(found)):
            found[other] = found[other] + p * a[other] + q * b[other] + r * c[other] + s * d[other]


@kernel
def add_impulses(
    ints: IntArray, rows: int, impulse: Array, offsets: IntArray, work: Array, dynamics: Array, out_rates: Array
) -> None:
    """Add to the rates what impulses along all rows change of them."""
    extra, rates = extra_of(ints), ints[RATE_COUNT]
    factors, kinds, motions = ints[extra + FACTORS], ints[extra + KINDS] + PREVIOUS, offsets[ROW_MOTIONS]
    for rate in range(rates):
        pulls, total = work[offsets[PULLS] + rate * rows : offsets[PULLS] + (rate + 1) * rows], 0.0
        if work[offsets[PULLS] + rates * rows + rate] != 0.0:
            for row in range(rows):
                total += impulse[row] * pulls[row]
        a = b = c = d = e = f = 0.0
        before = ints[kinds + rate * RATE_INT_STRIDE]
        if before >= 0:
            at = motions + (rates + before) * MOTION_STRIDE
            a, b, c, d, e, f = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        at = factors + rate * FACTOR_STRIDE
        total -= a * dynamics[at] + b * dynamics[at + 1] + c * dynamics[at + 2]
        total -= d * dynamics[at + 3] + e * dynamics[at + 4] + f * dynamics[at + 5]
        gain = total * dynamics[at + INVERSE]
        out_rates[rate] += gain
        at, to = motions + rate * MOTION_STRIDE, motions + (rates + rate) * MOTION_STRIDE
        work[to], work[to + 1], work[to + 2] = a + gain * work[at], b + gain * work[at + 1], c + gain * work[at + 2]
        work[to + 3], work[to + 4] = d + gain * work[at + 3], e + gain * work[at + 4]
        work[to + 5] = f + gain * work[at + 5]
