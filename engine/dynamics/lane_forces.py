"""Articulated bodies and sums of forces, of LANES states side by side; the formulas are those of `forward.py` and
`inverse.py`.

Rooms and symbols: `lanes.py`.
"""

from __future__ import annotations

import math

from engine.dynamics.lanes import ACCELERATION, BIAS, BODY, FOUND, LANE_INERTIA, RATE, L, speeds_row
from engine.dynamics.layout import (
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    PLACE,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.model.compile import JOINT_COUNT, RATE_COUNT, Array, IntArray
from engine.runtime.jit import kernel


@kernel
def factor_lanes(ints: IntArray, given: Array, bodies: Array, rates: Array) -> None:
    """Inward: U, 1 / D and u / D of every rate; articulated inertias and forces of the links."""
    extra, count = extra_of(ints), ints[RATE_COUNT]
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, to = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
        for rate in range(ints[entry + RATE_END] - 1, ints[entry + RATE_START] - 1, -1):
            motion = (rate * RATE * L) & PLACE
            taus, diagonals = speeds_row(ints, count + rate), speeds_row(ints, 2 * count + rate)
            for lane in range(L):
                m, p = motion + lane, to + BIAS * L + lane
                o = p + 6 * L
                a, b, c = rates[m], rates[m + L], rates[m + 2 * L]
                d, e, f = rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L]
                nx, ny, nz = bodies[p], bodies[p + L], bodies[p + 2 * L]
                fx, fy, fz = bodies[p + 3 * L], bodies[p + 4 * L], bodies[p + 5 * L]
                axx, ayy, azz = bodies[o], bodies[o + L], bodies[o + 2 * L]
                axy, axz, ayz = bodies[o + 3 * L], bodies[o + 4 * L], bodies[o + 5 * L]
                hxx, hxy, hxz = bodies[o + 6 * L], bodies[o + 7 * L], bodies[o + 8 * L]
                hyx, hyy, hyz = bodies[o + 9 * L], bodies[o + 10 * L], bodies[o + 11 * L]
                hzx, hzy, hzz = bodies[o + 12 * L], bodies[o + 13 * L], bodies[o + 14 * L]
                mxx, myy, mzz = bodies[o + 15 * L], bodies[o + 16 * L], bodies[o + 17 * L]
                mxy, mxz, myz = bodies[o + 18 * L], bodies[o + 19 * L], bodies[o + 20 * L]
                ux = axx * a + axy * b + axz * c + (hxx * d + hxy * e + hxz * f)
                uy = axy * a + ayy * b + ayz * c + (hyx * d + hyy * e + hyz * f)
                uz = axz * a + ayz * b + azz * c + (hzx * d + hzy * e + hzz * f)
                gx = hxx * a + hyx * b + hzx * c + (mxx * d + mxy * e + mxz * f)
                gy = hxy * a + hyy * b + hzy * c + (mxy * d + myy * e + myz * f)
                gz = hxz * a + hyz * b + hzz * c + (mxz * d + myz * e + mzz * f)
                own = a * ux + b * uy + c * uz + (d * gx + e * gy + f * gz)
                tau, diagonal = given[taus + lane], given[diagonals + lane]
                inverse = 1.0 / (own + diagonal)
                ratio = (tau - (a * nx + b * ny + c * nz + (d * fx + e * fy + f * fz))) * inverse
                ratio = tau if diagonal == math.inf else ratio
                rates[m + 6 * L], rates[m + 7 * L], rates[m + 8 * L] = ux, uy, uz
                rates[m + 9 * L], rates[m + 10 * L], rates[m + 11 * L] = gx, gy, gz
                rates[m + 12 * L], rates[m + 13 * L] = inverse, ratio
                bodies[p], bodies[p + L], bodies[p + 2 * L] = nx + ratio * ux, ny + ratio * uy, nz + ratio * uz
                bodies[p + 3 * L], bodies[p + 4 * L] = fx + ratio * gx, fy + ratio * gy
                bodies[p + 5 * L] = fz + ratio * gz
                a, b, c = inverse * ux, inverse * uy, inverse * uz
                d, e, f = inverse * gx, inverse * gy, inverse * gz
                bodies[o], bodies[o + L], bodies[o + 2 * L] = axx - a * ux, ayy - b * uy, azz - c * uz
                bodies[o + 3 * L], bodies[o + 4 * L], bodies[o + 5 * L] = axy - a * uy, axz - a * uz, ayz - b * uz
                bodies[o + 6 * L], bodies[o + 7 * L], bodies[o + 8 * L] = hxx - a * gx, hxy - a * gy, hxz - a * gz
                bodies[o + 9 * L], bodies[o + 10 * L], bodies[o + 11 * L] = hyx - b * gx, hyy - b * gy, hyz - b * gz
                bodies[o + 12 * L], bodies[o + 13 * L], bodies[o + 14 * L] = hzx - c * gx, hzy - c * gy, hzz - c * gz
                bodies[o + 15 * L], bodies[o + 16 * L], bodies[o + 17 * L] = mxx - d * gx, myy - e * gy, mzz - f * gz
                bodies[o + 18 * L], bodies[o + 19 * L], bodies[o + 20 * L] = mxy - d * gy, mxz - d * gz, myz - e * gz
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = ((parent + 1) * BODY * L) & PLACE
            for each in range(BIAS * L, BODY * L):
                bodies[up + each] += bodies[to + each]


@kernel
def accelerate_lanes(ints: IntArray, bodies: Array, rates: Array) -> None:
    """Outward: qdd from the factors; the placement has no acceleration."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT]):
        entry, to = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
        up = ((ints[entry + LINK_PARENT] + 1) * BODY * L) & PLACE
        for each in range(ACCELERATION * L, BIAS * L):
            bodies[to + each] = bodies[up + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, to + ACCELERATION * L + lane
                ax, ay, az = bodies[o], bodies[o + L], bodies[o + 2 * L]
                bx, by, bz = bodies[o + 3 * L], bodies[o + 4 * L], bodies[o + 5 * L]
                carried = rates[m + 6 * L] * ax + rates[m + 7 * L] * ay + rates[m + 8 * L] * az
                carried += rates[m + 9 * L] * bx + rates[m + 10 * L] * by + rates[m + 11 * L] * bz
                gain = rates[m + 13 * L] - rates[m + 12 * L] * carried
                rates[m + FOUND * L] = gain
                bodies[o], bodies[o + L] = ax + gain * rates[m], ay + gain * rates[m + L]
                bodies[o + 2 * L], bodies[o + 3 * L] = az + gain * rates[m + 2 * L], bx + gain * rates[m + 3 * L]
                bodies[o + 4 * L], bodies[o + 5 * L] = by + gain * rates[m + 4 * L], bz + gain * rates[m + 5 * L]


@kernel
def sum_lanes(ints: IntArray, bodies: Array, rates: Array) -> None:
    """Inward: the forces of rates that the bodies of their subtrees need."""
    extra = extra_of(ints)
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry, to = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion = (rate * RATE * L) & PLACE
            for lane in range(L):
                m, o = motion + lane, to + BIAS * L + lane
                turn = rates[m] * bodies[o] + rates[m + L] * bodies[o + L] + rates[m + 2 * L] * bodies[o + 2 * L]
                slide = rates[m + 3 * L] * bodies[o + 3 * L] + rates[m + 4 * L] * bodies[o + 4 * L]
                rates[m + FOUND * L] = turn + (slide + rates[m + 5 * L] * bodies[o + 5 * L])
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            up = ((parent + 1) * BODY * L) & PLACE
            for each in range(BIAS * L, LANE_INERTIA * L):
                bodies[up + each] += bodies[to + each]


@kernel
def write_found(ints: IntArray, first: int, rates: Array, out_found: Array) -> None:
    """What was found of each rate, to the states from `first` on, as many as there are."""
    count = min(L, out_found.shape[0] - first)
    for rate in range(ints[RATE_COUNT]):
        at = ((rate * RATE + FOUND) * L) & PLACE
        for lane in range(count):
            out_found[first + lane, rate] = rates[at + lane]
