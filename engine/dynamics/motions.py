"""Motions and forces of all bodies in world axes about one point, outward from the root.

Source: Featherstone 1987, as Si 2013 (3.2.1) uses it, written in one inertial frame: its axes are the world's, its
origin O is where the root joint stands now. Nothing is transformed from body to body, a joint's freedom is a vector of
six numbers, and what a subtree has is the plain sum of what its bodies have.

With w the angular velocity, v the velocity of the body's material point at O and s the motion of a rate:
v_i = v_p + s qd and a_i = a_p + s qdd + (v_i x s) qd. A body of mass m with its centre at c has the momentum
f = m (v + w x c), n = I w + c x f; its material centre accelerates with a + w x v + dw x c + w x (w x c).

Symbols: qd, qdd as in `engine.model.compile` [rad/s, m/s; their rates]; a moment comes before a force.
"""

from __future__ import annotations

from engine.dynamics.frames import compute_sines, place_joint, write_motion
from engine.dynamics.layout import (
    ACCELERATION,
    BIAS,
    BODIES,
    BODY_STRIDE,
    CENTRE,
    FLOATS,
    INERTIA,
    KINDS,
    LINK_INERTIA,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    LINK_STRIDE,
    LINKS,
    MASS,
    MOTION_STRIDE,
    MOTIONS,
    ORIGIN,
    PLACE,
    PLACEMENT,
    PULL,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    SINES,
    SLIDES,
    TURNED,
    VELOCITY,
    extra_of,
)
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT, JOINT_COUNT, MOTION, MOTION_START, ROW
from engine.runtime.jit import entered_kernel


@entered_kernel
def compute_frames(ints: IntArray, floats: Array, q: Array, work: Array) -> None:
    """The state of the pose, the point O, and the motion of each rate."""
    extra = extra_of(ints)
    placement, origin = ints[extra + FLOATS] + PLACEMENT, ints[extra + ORIGIN]
    for each in range(ROW):
        work[each] = floats[placement + each]
    sines, count = ints[extra + SINES], ints[COORDINATE_COUNT]
    compute_sines(q[:count], work[sines : sines + count], work[sines + count : sines + 2 * count])
    place_joint(ints, floats, 0, q, 0.0, 0.0, 0.0, work)
    ox, oy, oz = work[ROW + 9], work[ROW + 10], work[ROW + 11]
    work[origin], work[origin + 1], work[origin + 2] = ox, oy, oz
    for rate in range(ints[ints[extra + LINK_INTS] + RATE_END]):  # of the root, about the place that it came to
        at, slides = ints[MOTION_START] + rate * MOTION, ints[ints[extra + KINDS] + rate * RATE_INT_STRIDE] == SLIDES
        x, y, z = work[at + 3] - ox, work[at + 4] - oy, work[at + 5] - oz
        into = ints[extra + MOTIONS] + rate * MOTION_STRIDE
        write_motion(slides, work[at], work[at + 1], work[at + 2], x, y, z, into, work)
    for joint in range(1, ints[JOINT_COUNT]):
        place_joint(ints, floats, joint, q, ox, oy, oz, work)


@inlined
def move_link(ints: IntArray, joint: int, qd: Array, qdd: Array, accelerated: bool, work: Array) -> None:
    """Velocity and acceleration of a body from its parent's; without `accelerated` all qdd count as zero."""
    extra = extra_of(ints)
    entry = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE
    links, motions = ints[extra + LINKS], ints[extra + MOTIONS]
    parent, kinds = ints[entry + LINK_PARENT], ints[extra + KINDS]
    wx = wy = wz = vx = vy = vz = 0.0
    ax = ay = az = bx = by = bz = 0.0
    if parent >= 0:
        at = (links + parent * LINK_STRIDE + VELOCITY) & PLACE
        wx, wy, wz, vx, vy, vz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
        at = (links + parent * LINK_STRIDE + ACCELERATION) & PLACE
        ax, ay, az, bx, by, bz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
    rate, end = ints[entry + RATE_START], ints[entry + RATE_END]
    while rate < end:
        at, speed = (motions + rate * MOTION_STRIDE) & PLACE, qd[rate & PLACE]
        x, y, z = work[at] * speed, work[at + 1] * speed, work[at + 2] * speed
        p, q, r = work[at + 3] * speed, work[at + 4] * speed, work[at + 5] * speed
        width = 3 if ints[(kinds + rate * RATE_INT_STRIDE) & PLACE] == TURNED else 1
        for other in range(rate + 1, rate + width):
            at, speed = (motions + other * MOTION_STRIDE) & PLACE, qd[other & PLACE]
            x, y, z = x + work[at] * speed, y + work[at + 1] * speed, z + work[at + 2] * speed
            p, q, r = p + work[at + 3] * speed, q + work[at + 4] * speed, r + work[at + 5] * speed
        ax, ay, az = ax + (wy * z - wz * y), ay + (wz * x - wx * z), az + (wx * y - wy * x)
        bx = bx + (wy * r - wz * q) + (vy * z - vz * y)
        by = by + (wz * p - wx * r) + (vz * x - vx * z)
        bz = bz + (wx * q - wy * p) + (vx * y - vy * x)
        wx, wy, wz, vx, vy, vz = wx + x, wy + y, wz + z, vx + p, vy + q, vz + r
        if accelerated:
            for other in range(rate, rate + width):
                at, gain = (motions + other * MOTION_STRIDE) & PLACE, qdd[other & PLACE]
                ax, ay, az = ax + gain * work[at], ay + gain * work[at + 1], az + gain * work[at + 2]
                bx, by, bz = bx + gain * work[at + 3], by + gain * work[at + 4], bz + gain * work[at + 5]
        rate += width
    at = (links + joint * LINK_STRIDE + VELOCITY) & PLACE
    work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = wx, wy, wz, vx, vy, vz
    at = (links + joint * LINK_STRIDE + ACCELERATION) & PLACE
    work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = ax, ay, az, bx, by, bz


@inlined
def velocity_of(motions: Array, at: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """The velocity of the place (x, y, z), seen from O, with a body whose motion about O stands at `motions[at]`."""
    wx, wy, wz = motions[at], motions[at + 1], motions[at + 2]
    return motions[at + 3] + wy * z - wz * y, motions[at + 4] + wz * x - wx * z, motions[at + 5] + wx * y - wy * x


@inlined
def weigh_link(
    floats: Array, body: int, row: int, work: Array, ox: float, oy: float, oz: float
) -> tuple[float, float, float, float, float, float, float, float, float]:
    """A body's centre, seen from O, and its inertia about it (xx, yy, zz, xy, xz, yz), in world axes."""
    a, b, c = work[row], work[row + 1], work[row + 2]
    d, e, f = work[row + 3], work[row + 4], work[row + 5]
    g, h, i = work[row + 6], work[row + 7], work[row + 8]
    x, y, z = floats[body + CENTRE], floats[body + CENTRE + 1], floats[body + CENTRE + 2]
    cx = a * x + b * y + c * z + (work[row + 9] - ox)
    cy = d * x + e * y + f * z + (work[row + 10] - oy)
    cz = g * x + h * y + i * z + (work[row + 11] - oz)
    at = body + INERTIA
    xx, yy, zz, xy, xz, yz = floats[at], floats[at + 1], floats[at + 2], floats[at + 3], floats[at + 4], floats[at + 5]
    p, q, r = a * xx + b * xy + c * xz, a * xy + b * yy + c * yz, a * xz + b * yz + c * zz
    s, t, u = d * xx + e * xy + f * xz, d * xy + e * yy + f * yz, d * xz + e * yz + f * zz
    v, w, o = g * xx + h * xy + i * xz, g * xy + h * yy + i * yz, g * xz + h * yz + i * zz
    return (
        cx,
        cy,
        cz,
        p * a + q * b + r * c,
        s * d + t * e + u * f,
        v * g + w * h + o * i,
        p * d + q * e + r * f,
        p * g + q * h + r * i,
        s * g + t * h + u * i,
    )


@inlined
def load_link(ints: IntArray, floats: Array, joint: int, outside: Array, articulated: bool, work: Array) -> None:
    """Write the force that a body needs for its acceleration, less gravity and those from outside; and its inertia."""
    extra = extra_of(ints)
    body, link = ints[extra + FLOATS] + BODIES + joint * BODY_STRIDE, ints[extra + LINKS] + joint * LINK_STRIDE
    body, link, row, origin = body & PLACE, link & PLACE, ((joint + 1) * ROW) & PLACE, ints[extra + ORIGIN] & PLACE
    ox, oy, oz = work[origin], work[origin + 1], work[origin + 2]
    cx, cy, cz, xx, yy, zz, xy, xz, yz = weigh_link(floats, body, row, work, ox, oy, oz)
    mass = floats[body + MASS]
    at = link + VELOCITY
    wx, wy, wz, vx, vy, vz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
    at = link + ACCELERATION
    ax, ay, az, bx, by, bz = work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5]
    x, y, z = vx + (wy * cz - wz * cy), vy + (wz * cx - wx * cz), vz + (wx * cy - wy * cx)
    at = body + PULL
    fx = mass * (bx + (wy * z - wz * y) + (ay * cz - az * cy) - floats[at])
    fy = mass * (by + (wz * x - wx * z) + (az * cx - ax * cz) - floats[at + 1])
    fz = mass * (bz + (wx * y - wy * x) + (ax * cy - ay * cx) - floats[at + 2])
    x, y, z = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
    nx = xx * ax + xy * ay + xz * az + (wy * z - wz * y) + (cy * fz - cz * fy)
    ny = xy * ax + yy * ay + yz * az + (wz * x - wx * z) + (cz * fx - cx * fz)
    nz = xz * ax + yz * ay + zz * az + (wx * y - wy * x) + (cx * fy - cy * fx)
    gx, gy, gz = outside[joint & PLACE, 0], outside[joint & PLACE, 1], outside[joint & PLACE, 2]
    px, py, pz = work[row + 9] - ox, work[row + 10] - oy, work[row + 11] - oz
    at = link + BIAS
    work[at] = nx - outside[joint & PLACE, 3] - (py * gz - pz * gy)
    work[at + 1] = ny - outside[joint & PLACE, 4] - (pz * gx - px * gz)
    work[at + 2] = nz - outside[joint & PLACE, 5] - (px * gy - py * gx)
    work[at + 3], work[at + 4], work[at + 5] = fx - gx, fy - gy, fz - gz
    if articulated:
        at, x, y, z = link + LINK_INERTIA, mass * cx, mass * cy, mass * cz
        work[at], work[at + 1], work[at + 2] = xx + (y * cy + z * cz), yy + (x * cx + z * cz), zz + (x * cx + y * cy)
        work[at + 3], work[at + 4], work[at + 5] = xy - x * cy, xz - x * cz, yz - y * cz
        work[at + 6], work[at + 7], work[at + 8] = 0.0, -z, y
        work[at + 9], work[at + 10], work[at + 11] = z, 0.0, -x
        work[at + 12], work[at + 13], work[at + 14] = -y, x, 0.0
        work[at + 15], work[at + 16], work[at + 17] = mass, mass, mass
        work[at + 18], work[at + 19], work[at + 20] = 0.0, 0.0, 0.0
