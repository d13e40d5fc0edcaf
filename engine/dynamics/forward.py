"""Forward dynamics by the articulated body method: how a figure accelerates under given forces.

Source: Featherstone 1987, as Si 2013 (3.2.1) uses it, with every freedom as one massless link after the other. In world
axes about one point (`motions.py`) the recursion has no transforms. Accelerations are counted from those that
the bodies have while all qdd are zero, so velocities enter the bodies' forces p only. From the leaves to the root, with
the diagonal term d:

    U = I s,  D = s . U + d,  u = tau - s . p,  I <- I - U U^T / D,  p <- p + U u / D

then outward qdd = (u - U . a) / D, a <- a + s qdd. This solves (M + diag(d)) qdd = tau - bias in linear time; a servo
taken implicitly is such a term. Where d is infinite the acceleration is given: u / D is tau itself and I stays.

outside: [joint_count, 6], force [N] and torque about the joint's origin [N m] on each body, world axes.
tau: [N m] for a hinge, [N] for a slide, or the given acceleration; a ball's in its own frame. diagonal: [kg m2] or
[kg], 0 and above. A rate that moves no mass and has no diagonal gives numbers that are not finite.
"""

from __future__ import annotations

import math

from engine.dynamics.layout import (
    ACCELERATION,
    BIAS,
    FACTOR_STRIDE,
    FACTORS,
    INVERSE,
    LINK_INERTIA,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    LINK_STRIDE,
    LINKS,
    MOTION_STRIDE,
    MOTIONS,
    PLACE,
    RATE_END,
    RATE_START,
    RATIO,
    extra_of,
)
from engine.dynamics.motions import compute_frames, load_link, move_link
from engine.maths.arrays import Array, IntArray
from engine.model.compile import JOINT_COUNT
from engine.runtime.jit import kernel


@kernel
def compute_forward_dynamics(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    tau: Array,
    diagonal: Array,
    outside: Array,
    work: Array,
    out_qdd: Array,
) -> None:
    """The accelerations: (M + diag(diagonal)) qdd = tau - bias, or tau itself where the diagonal is infinite."""
    compute_frames(ints, floats, q, work)
    for joint in range(ints[JOINT_COUNT]):
        move_link(ints, joint, qd, qd, False, work)
        load_link(ints, floats, joint, outside, True, work)
    factor_links(ints, tau, diagonal, work)
    accelerate_links(ints, work, out_qdd)


@kernel
def factor_links(ints: IntArray, tau: Array, diagonal: Array, work: Array) -> None:
    """Inward: U, 1 / D and u / D of every rate; articulated inertias and forces of the links."""
    extra = extra_of(ints)
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    motions, factors = ints[extra + MOTIONS], ints[extra + FACTORS]
    for joint in range(ints[JOINT_COUNT] - 1, -1, -1):
        entry = (link_ints + joint * LINK_INT_STRIDE) & PLACE
        at = (links + joint * LINK_STRIDE + LINK_INERTIA) & PLACE
        axx, ayy, azz, axy, axz, ayz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        hxx, hxy, hxz = work[at + 6], work[at + 7], work[at + 8]
        hyx, hyy, hyz = work[at + 9], work[at + 10], work[at + 11]
        hzx, hzy, hzz = work[at + 12], work[at + 13], work[at + 14]
        mxx, myy, mzz = work[at + 15], work[at + 16], work[at + 17]
        mxy, mxz, myz = work[at + 18], work[at + 19], work[at + 20]
        at = (links + joint * LINK_STRIDE + BIAS) & PLACE
        nx, ny, nz, fx, fy, fz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        for rate in range(ints[entry + RATE_END] - 1, ints[entry + RATE_START] - 1, -1):
            at = (motions + rate * MOTION_STRIDE) & PLACE
            a, b, c, d, e, f = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
            ux = axx * a + axy * b + axz * c + (hxx * d + hxy * e + hxz * f)
            uy = axy * a + ayy * b + ayz * c + (hyx * d + hyy * e + hyz * f)
            uz = axz * a + ayz * b + azz * c + (hzx * d + hzy * e + hzz * f)
            gx = hxx * a + hyx * b + hzx * c + (mxx * d + mxy * e + mxz * f)
            gy = hxy * a + hyy * b + hzy * c + (mxy * d + myy * e + myz * f)
            gz = hxz * a + hyz * b + hzz * c + (mxz * d + myz * e + mzz * f)
            own = a * ux + b * uy + c * uz + (d * gx + e * gy + f * gz)
            inverse = 1.0 / (own + diagonal[rate & PLACE])
            ratio = tau[rate & PLACE]
            if not math.isinf(diagonal[rate & PLACE]):
                ratio = (ratio - (a * nx + b * ny + c * nz + (d * fx + e * fy + f * fz))) * inverse
            at = (factors + rate * FACTOR_STRIDE) & PLACE
            work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = ux, uy, uz, gx, gy, gz
            work[at + INVERSE], work[at + RATIO] = inverse, ratio
            nx, ny, nz = nx + ratio * ux, ny + ratio * uy, nz + ratio * uz
            fx, fy, fz = fx + ratio * gx, fy + ratio * gy, fz + ratio * gz
            a, b, c, d, e, f = inverse * ux, inverse * uy, inverse * uz, inverse * gx, inverse * gy, inverse * gz
            axx, ayy, azz = axx - a * ux, ayy - b * uy, azz - c * uz
            axy, axz, ayz = axy - a * uy, axz - a * uz, ayz - b * uz
            hxx, hxy, hxz = hxx - a * gx, hxy - a * gy, hxz - a * gz
            hyx, hyy, hyz = hyx - b * gx, hyy - b * gy, hyz - b * gz
            hzx, hzy, hzz = hzx - c * gx, hzy - c * gy, hzz - c * gz
            mxx, myy, mzz = mxx - d * gx, myy - e * gy, mzz - f * gz
            mxy, mxz, myz = mxy - d * gy, mxz - d * gz, myz - e * gz
        parent = ints[entry + LINK_PARENT]
        if parent >= 0:
            at = (links + parent * LINK_STRIDE + BIAS) & PLACE
            work[at], work[at + 1], work[at + 2] = work[at] + nx, work[at + 1] + ny, work[at + 2] + nz
            work[at + 3], work[at + 4], work[at + 5] = work[at + 3] + fx, work[at + 4] + fy, work[at + 5] + fz
            at = (links + parent * LINK_STRIDE + LINK_INERTIA) & PLACE
            work[at], work[at + 1], work[at + 2] = work[at] + axx, work[at + 1] + ayy, work[at + 2] + azz
            work[at + 3], work[at + 4], work[at + 5] = work[at + 3] + axy, work[at + 4] + axz, work[at + 5] + ayz
            work[at + 6], work[at + 7], work[at + 8] = work[at + 6] + hxx, work[at + 7] + hxy, work[at + 8] + hxz
            work[at + 9], work[at + 10], work[at + 11] = work[at + 9] + hyx, work[at + 10] + hyy, work[at + 11] + hyz
            work[at + 12], work[at + 13], work[at + 14] = work[at + 12] + hzx, work[at + 13] + hzy, work[at + 14] + hzz
            work[at + 15], work[at + 16], work[at + 17] = work[at + 15] + mxx, work[at + 16] + myy, work[at + 17] + mzz
            work[at + 18], work[at + 19], work[at + 20] = work[at + 18] + mxy, work[at + 19] + mxz, work[at + 20] + myz


@kernel
def accelerate_links(ints: IntArray, work: Array, out_qdd: Array) -> None:
    """Outward: the accelerations from the factors; ACCELERATION of a link counts from that without any qdd."""
    extra = extra_of(ints)
    link_ints, links = ints[extra + LINK_INTS], ints[extra + LINKS]
    motions, factors = ints[extra + MOTIONS], ints[extra + FACTORS]
    for joint in range(ints[JOINT_COUNT]):
        entry = (link_ints + joint * LINK_INT_STRIDE) & PLACE
        parent = ints[entry + LINK_PARENT]
        ax = ay = az = bx = by = bz = 0.0
        if parent >= 0:
            at = (links + parent * LINK_STRIDE + ACCELERATION) & PLACE
            ax, ay, az, bx, by, bz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            at = (factors + rate * FACTOR_STRIDE) & PLACE
            carried = work[at] * ax + work[at + 1] * ay + work[at + 2] * az
            carried += work[at + 3] * bx + work[at + 4] * by + work[at + 5] * bz
            gain = work[at + RATIO] - work[at + INVERSE] * carried
            out_qdd[rate & PLACE] = gain
            at = (motions + rate * MOTION_STRIDE) & PLACE
            ax, ay, az = ax + gain * work[at], ay + gain * work[at + 1], az + gain * work[at + 2]
            bx, by, bz = bx + gain * work[at + 3], by + gain * work[at + 4], bz + gain * work[at + 5]
        at = (links + joint * LINK_STRIDE + ACCELERATION) & PLACE
        work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = ax, ay, az, bx, by, bz
