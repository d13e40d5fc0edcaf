"""Velocities, accelerations and forces of bodies, of LANES states side by side; the formulas are those of `motions.py`.

Rooms and symbols: `lanes.py`.
"""

from __future__ import annotations

from engine.dynamics.lanes import (
    ACCELERATION,
    BIAS,
    BODY,
    LANE_INERTIA,
    RATE,
    VELOCITY,
    L,
    outside_row,
    place_lanes,
    speeds_row,
)
from engine.dynamics.layout import (
    BODIES,
    BODY_STRIDE,
    CENTRE,
    FLOATS,
    INERTIA,
    KINDS,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    MASS,
    PLACE,
    PULL,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    SLIDES,
    TURNED,
    extra_of,
)
from engine.limits.inlined import inlined
from engine.model.compile import JOINT_COUNT, RATE_COUNT, Array, IntArray
from engine.runtime.jit import kernel


@kernel
def lead_lanes(ints: IntArray, floats: Array, given: Array, bodies: Array, rates: Array) -> None:
    """Outward: frames, motions about O, velocities, and accelerations without any qdd."""
    for joint in range(ints[JOINT_COUNT]):
        place_lanes(ints, floats, joint, given, bodies, rates)
        move_lanes(ints, joint, given, bodies, rates)


@kernel
def drive_lanes(ints: IntArray, given: Array, bodies: Array, rates: Array) -> None:
    """Outward: add the accelerations by qdd; where forces will stand, what it adds to a body's stands meanwhile."""
    extra, count = extra_of(ints), ints[RATE_COUNT]
    bodies[BIAS * L : LANE_INERTIA * L] = 0.0  # the placement's
    for joint in range(ints[JOINT_COUNT]):
        entry, to = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
        up = ((ints[entry + LINK_PARENT] + 1) * BODY * L) & PLACE
        for each in range(BIAS * L, LANE_INERTIA * L):
            bodies[to + each] = bodies[up + each]
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            motion, gain = (rate * RATE * L) & PLACE, speeds_row(ints, count + rate)
            for lane in range(L):
                m, a, g = motion + lane, to + BIAS * L + lane, given[gain + lane]
                bodies[a] += g * rates[m]
                bodies[a + L] += g * rates[m + L]
                bodies[a + 2 * L] += g * rates[m + 2 * L]
                bodies[a + 3 * L] += g * rates[m + 3 * L]
                bodies[a + 4 * L] += g * rates[m + 4 * L]
                bodies[a + 5 * L] += g * rates[m + 5 * L]
        for each in range(6 * L):
            bodies[to + ACCELERATION * L + each] += bodies[to + BIAS * L + each]


@kernel
def burden_all_lanes(ints: IntArray, floats: Array, given: Array, bodies: Array) -> None:
    """The forces that all bodies need for their accelerations, and their inertias."""
    for joint in range(ints[JOINT_COUNT]):
        burden_lanes(ints, floats, joint, given, bodies)


@inlined
def move_lanes(ints: IntArray, joint: int, given: Array, bodies: Array, rates: Array) -> None:
    """Motions about O, velocities and accelerations of a body, which has those of its parent so far."""
    extra, to = extra_of(ints), ((joint + 1) * BODY * L) & PLACE
    entry, origin = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, outside_row(ints, ints[JOINT_COUNT])
    rate, end = ints[entry + RATE_START], ints[entry + RATE_END]
    while rate < end:
        kind = ints[(ints[extra + KINDS] + rate * RATE_INT_STRIDE) & PLACE]
        motion, speed = (rate * RATE * L) & PLACE, speeds_row(ints, rate)
        width = 3 if kind == TURNED else 1
        for each in range(width):
            centre_lanes(kind == SLIDES, motion + each * RATE * L, origin, given, rates)
        if width == 1:
            for lane in range(L):
                m, v = motion + lane, given[speed + lane]
                x, y, z = rates[m] * v, rates[m + L] * v, rates[m + 2 * L] * v
                p, q, r = rates[m + 3 * L] * v, rates[m + 4 * L] * v, rates[m + 5 * L] * v
                add_motion(x, y, z, p, q, r, to + lane, bodies)
        else:
            for lane in range(L):
                at = speed + lane
                u, v, w = given[at], given[at + L], given[at + 2 * L]
                i, j, k = motion + lane, motion + RATE * L + lane, motion + 2 * RATE * L + lane
                x = rates[i] * u + rates[j] * v + rates[k] * w
                y = rates[i + L] * u + rates[j + L] * v + rates[k + L] * w
                z = rates[i + 2 * L] * u + rates[j + 2 * L] * v + rates[k + 2 * L] * w
                p = rates[i + 3 * L] * u + rates[j + 3 * L] * v + rates[k + 3 * L] * w
                q = rates[i + 4 * L] * u + rates[j + 4 * L] * v + rates[k + 4 * L] * w
                r = rates[i + 5 * L] * u + rates[j + 5 * L] * v + rates[k + 5 * L] * w
                add_motion(x, y, z, p, q, r, to + lane, bodies)
        rate += width


@inlined
def centre_lanes(slides: bool, motion: int, origin: int, given: Array, rates: Array) -> None:
    """The motion about O of a rate from its axis and its point."""
    if slides:
        for lane in range(L):
            m = motion + lane
            u, v, w = rates[m], rates[m + L], rates[m + 2 * L]
            rates[m], rates[m + L], rates[m + 2 * L] = 0.0, 0.0, 0.0
            rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = u, v, w
    else:
        for lane in range(L):
            m, o = motion + lane, origin + lane
            u, v, w = rates[m], rates[m + L], rates[m + 2 * L]
            x, y, z = rates[m + 3 * L] - given[o], rates[m + 4 * L] - given[o + L], rates[m + 5 * L] - given[o + 2 * L]
            rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = y * w - z * v, z * u - x * w, x * v - y * u


@inlined
def add_motion(x: float, y: float, z: float, p: float, q: float, r: float, at: int, bodies: Array) -> None:
    """Let a body turn by (x, y, z) and move by (p, q, r), too; what that adds to its acceleration."""
    v, a = at + VELOCITY * L, at + ACCELERATION * L
    wx, wy, wz = bodies[v], bodies[v + L], bodies[v + 2 * L]
    vx, vy, vz = bodies[v + 3 * L], bodies[v + 4 * L], bodies[v + 5 * L]
    bodies[a] += wy * z - wz * y
    bodies[a + L] += wz * x - wx * z
    bodies[a + 2 * L] += wx * y - wy * x
    bodies[a + 3 * L] += (wy * r - wz * q) + (vy * z - vz * y)
    bodies[a + 4 * L] += (wz * p - wx * r) + (vz * x - vx * z)
    bodies[a + 5 * L] += (wx * q - wy * p) + (vx * y - vy * x)
    bodies[v], bodies[v + L], bodies[v + 2 * L] = wx + x, wy + y, wz + z
    bodies[v + 3 * L], bodies[v + 4 * L], bodies[v + 5 * L] = vx + p, vy + q, vz + r


@inlined
def burden_lanes(ints: IntArray, floats: Array, joint: int, given: Array, bodies: Array) -> None:
    """The force that a body needs for its acceleration, less gravity and those from outside; its inertia about O."""
    body, to = (ints[extra_of(ints) + FLOATS] + BODIES + joint * BODY_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
    acting, origin = outside_row(ints, joint), outside_row(ints, ints[JOINT_COUNT])
    mass, mx, my, mz = floats[body + MASS], floats[body + CENTRE], floats[body + CENTRE + 1], floats[body + CENTRE + 2]
    at = body + INERTIA
    ixx, iyy, izz = floats[at], floats[at + 1], floats[at + 2]
    ixy, ixz, iyz = floats[at + 3], floats[at + 4], floats[at + 5]
    pull_x, pull_y, pull_z = floats[body + PULL], floats[body + PULL + 1], floats[body + PULL + 2]
    for lane in range(L):
        o, at = to + lane, origin + lane
        a, b, c = bodies[o], bodies[o + L], bodies[o + 2 * L]
        d, e, f = bodies[o + 3 * L], bodies[o + 4 * L], bodies[o + 5 * L]
        g, h, i = bodies[o + 6 * L], bodies[o + 7 * L], bodies[o + 8 * L]
        px, py, pz = (
            bodies[o + 9 * L] - given[at],
            bodies[o + 10 * L] - given[at + L],
            bodies[o + 11 * L] - given[at + 2 * L],
        )
        cx, cy, cz = a * mx + b * my + c * mz + px, d * mx + e * my + f * mz + py, g * mx + h * my + i * mz + pz
        p, q, r = a * ixx + b * ixy + c * ixz, a * ixy + b * iyy + c * iyz, a * ixz + b * iyz + c * izz
        s, t, u = d * ixx + e * ixy + f * ixz, d * ixy + e * iyy + f * iyz, d * ixz + e * iyz + f * izz
        v, w, z = g * ixx + h * ixy + i * ixz, g * ixy + h * iyy + i * iyz, g * ixz + h * iyz + i * izz
        xx, yy, zz = p * a + q * b + r * c, s * d + t * e + u * f, v * g + w * h + z * i
        xy, xz, yz = p * d + q * e + r * f, p * g + q * h + r * i, s * g + t * h + u * i
        at = o + VELOCITY * L
        wx, wy, wz = bodies[at], bodies[at + L], bodies[at + 2 * L]
        x = bodies[at + 3 * L] + (wy * cz - wz * cy)
        y = bodies[at + 4 * L] + (wz * cx - wx * cz)
        z = bodies[at + 5 * L] + (wx * cy - wy * cx)
        at = o + ACCELERATION * L
        ax, ay, az = bodies[at], bodies[at + L], bodies[at + 2 * L]
        fx = mass * (bodies[at + 3 * L] + (wy * z - wz * y) + (ay * cz - az * cy) - pull_x)
        fy = mass * (bodies[at + 4 * L] + (wz * x - wx * z) + (az * cx - ax * cz) - pull_y)
        fz = mass * (bodies[at + 5 * L] + (wx * y - wy * x) + (ax * cy - ay * cx) - pull_z)
        x, y, z = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
        nx = xx * ax + xy * ay + xz * az + (wy * z - wz * y) + (cy * fz - cz * fy)
        ny = xy * ax + yy * ay + yz * az + (wz * x - wx * z) + (cz * fx - cx * fz)
        nz = xz * ax + yz * ay + zz * az + (wx * y - wy * x) + (cx * fy - cy * fx)
        at = acting + lane
        p, q, r = given[at], given[at + L], given[at + 2 * L]
        s, t, u = given[at + 3 * L], given[at + 4 * L], given[at + 5 * L]
        at = o + BIAS * L
        bodies[at] = nx - s - (py * r - pz * q)
        bodies[at + L] = ny - t - (pz * p - px * r)
        bodies[at + 2 * L] = nz - u - (px * q - py * p)
        bodies[at + 3 * L], bodies[at + 4 * L], bodies[at + 5 * L] = fx - p, fy - q, fz - r
        x, y, z = mass * cx, mass * cy, mass * cz
        at = o + LANE_INERTIA * L
        bodies[at], bodies[at + L] = xx + (y * cy + z * cz), yy + (x * cx + z * cz)
        bodies[at + 2 * L] = zz + (x * cx + y * cy)
        bodies[at + 3 * L], bodies[at + 4 * L], bodies[at + 5 * L] = xy - x * cy, xz - x * cz, yz - y * cz
        bodies[at + 6 * L], bodies[at + 7 * L], bodies[at + 8 * L] = 0.0, -z, y
        bodies[at + 9 * L], bodies[at + 10 * L], bodies[at + 11 * L] = z, 0.0, -x
        bodies[at + 12 * L], bodies[at + 13 * L], bodies[at + 14 * L] = -y, x, 0.0
        bodies[at + 15 * L], bodies[at + 16 * L], bodies[at + 17 * L] = mass, mass, mass
        bodies[at + 18 * L], bodies[at + 19 * L], bodies[at + 20 * L] = 0.0, 0.0, 0.0
