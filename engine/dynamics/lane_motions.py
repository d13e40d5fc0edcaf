"""Velocities, accelerations and forces of bodies, of LANES states side by side; the formulas are those of `motions.py`.

Rooms and symbols: `lanes.py`.
"""

from __future__ import annotations

from engine.dynamics.frames import turn_about, turn_by
from engine.dynamics.lanes import (
    ACCELERATION,
    BODY,
    FORCE,
    INERTIA_ROW,
    MOMENT,
    RATE,
    SEEN,
    VELOCITY,
    L,
    desk_of,
    enter_lanes,
    outside_row,
    rest_lanes,
    set_off_lanes,
    speeds_row,
)
from engine.dynamics.layout import (
    AXES,
    AXIS_STRIDE,
    BODIES,
    BODY_STRIDE,
    CENTRE,
    COORDINATE,
    FLOATS,
    INERTIA,
    KIND,
    KINDS,
    LINK_INT_STRIDE,
    LINK_INTS,
    MASS,
    PLACE,
    PULL,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    SLIDES,
    TURN,
    TURN_X,
    TURN_Y,
    TURN_Z,
    TURNED,
    extra_of,
)
from engine.limits.inlined import inlined
from engine.model.compile import (
    COORDINATE_COUNT,
    HAS_REST,
    HEADER,
    JOINT_COUNT,
    JOINT_FLOATS,
    JOINT_STRIDE,
    RATE_COUNT,
    Array,
    IntArray,
)
from engine.runtime.jit import kernel


@kernel
def lead_lanes(
    ints: IntArray,
    floats: Array,
    driven: bool,
    acted: bool,
    given: Array,
    bodies: Array,
    rates: Array,
    desks: Array,
) -> None:
    """Outward: the motions of all rates, and the forces that bodies need for their accelerations; inertias.

    Accelerations are those by qdd where `driven`, else those without any; `acted`: by forces from outside, too.
    """
    extra = extra_of(ints)
    desks[: SEEN * L] = 0.0
    for step in range(ints[JOINT_COUNT] + 1):
        joint = max(step - 1, 0)
        entry, desk = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, desk_of(ints, joint)
        enter_lanes(ints, floats, joint, desks)
        set_off_lanes(floats, (joint * JOINT_FLOATS) & PLACE, desk, desks)
        if ints[(HEADER + joint * JOINT_STRIDE + HAS_REST) & PLACE]:
            rest_lanes(floats, (joint * JOINT_FLOATS + 3) & PLACE, desk, desks)
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            move_lanes(ints, floats, rate, desk, given, rates, desks)
        if step == 0:
            for each in range(SEEN * L):
                desks[each] = -desks[desk + 9 * L + each]
            continue
        if driven:
            for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
                drive_lanes(ints, rate, desk, given, rates, desks)
        burden_lanes(ints, floats, joint, desk, bodies, desks)
        if acted:
            act_on_lanes(ints, joint, desk, given, bodies, desks)


@inlined
def move_lanes(ints: IntArray, floats: Array, rate: int, desk: int, given: Array, rates: Array, desks: Array) -> None:
    """Turn or slide frames by a rate, or turn them by the ball that begins with it; what its speed adds."""
    extra, end = extra_of(ints), (ints[COORDINATE_COUNT] * L) & PLACE
    at = (ints[extra + KINDS] + rate * RATE_INT_STRIDE) & PLACE
    kind, own = ints[at + KIND], (ints[at + COORDINATE] * L) & PLACE
    axis = (ints[extra + FLOATS] + ints[extra + AXES] + rate * AXIS_STRIDE) & PLACE
    motion, speed = (rate * RATE * L) & PLACE, speeds_row(ints, rate)
    x, y, z, sign = floats[axis], floats[axis + 1], floats[axis + 2], floats[axis + 3]
    if kind == TURN_X:
        turn_lanes(0, 1, 2, sign, own + end, own + 2 * end, speed, motion, desk, given, rates, desks)
    elif kind == TURN_Y:
        turn_lanes(1, 2, 0, sign, own + end, own + 2 * end, speed, motion, desk, given, rates, desks)
    elif kind == TURN_Z:
        turn_lanes(2, 0, 1, sign, own + end, own + 2 * end, speed, motion, desk, given, rates, desks)
    elif kind == TURN:
        turn_lanes_about(x, y, z, own + end, own + 2 * end, speed, motion, desk, given, rates, desks)
    elif kind == SLIDES:
        slide_lanes(x, y, z, own, speed, motion, desk, given, rates, desks)
    elif kind == TURNED:
        turn_lanes_by(own, motion, desk, given, rates, desks)
        spin_lanes(motion, speed, desk, given, rates, desks)


@inlined
def turn_lanes(
    along: int,
    first: int,
    second: int,
    sign: float,
    sines: int,
    cosines: int,
    speed: int,
    motion: int,
    desk: int,
    given: Array,
    rates: Array,
    desks: Array,
) -> None:
    """Turn frames about their main axis `along`, or against it; `first` and `second` are the columns behind that."""
    for lane in range(L):
        sine, cosine, o = sign * given[sines + lane], given[cosines + lane], desk + lane
        u, v, w = desks[o + along * L], desks[o + (3 + along) * L], desks[o + (6 + along) * L]
        for line in range(3):
            i, k = o + (3 * line + first) * L, o + (3 * line + second) * L
            a, b = desks[i], desks[k]
            desks[i], desks[k] = cosine * a + sine * b, cosine * b - sine * a
        swing(sign * u, sign * v, sign * w, given[speed + lane], motion + lane, o, rates, desks)


@inlined
def turn_lanes_about(
    x: float, y: float, z: float, sines: int, cosines: int, speed: int, motion: int, desk: int, given: Array,
    rates: Array, desks: Array,
) -> None:  # fmt: skip
    """Turn frames about the axis (x, y, z)."""
    for lane in range(L):
        sine, cosine, o = given[sines + lane], given[cosines + lane], desk + lane
        u = desks[o] * x + desks[o + L] * y + desks[o + 2 * L] * z
        v = desks[o + 3 * L] * x + desks[o + 4 * L] * y + desks[o + 5 * L] * z
        w = desks[o + 6 * L] * x + desks[o + 7 * L] * y + desks[o + 8 * L] * z
        a, b, c = turn_about(desks[o], desks[o + L], desks[o + 2 * L], x, y, z, u, sine, cosine)
        desks[o], desks[o + L], desks[o + 2 * L] = a, b, c
        o += 3 * L
        a, b, c = turn_about(desks[o], desks[o + L], desks[o + 2 * L], x, y, z, v, sine, cosine)
        desks[o], desks[o + L], desks[o + 2 * L] = a, b, c
        o += 3 * L
        a, b, c = turn_about(desks[o], desks[o + L], desks[o + 2 * L], x, y, z, w, sine, cosine)
        desks[o], desks[o + L], desks[o + 2 * L] = a, b, c
        swing(u, v, w, given[speed + lane], motion + lane, desk + lane, rates, desks)


@inlined
def swing(u: float, v: float, w: float, speed: float, motion: int, at: int, rates: Array, desks: Array) -> None:
    """The motion about O of a hinge about (u, v, w), and what its speed adds to those of the body."""
    m, o = motion, at + 9 * L
    x, y, z = desks[o], desks[o + L], desks[o + 2 * L]
    p, q, r = y * w - z * v, z * u - x * w, x * v - y * u
    rates[m], rates[m + L], rates[m + 2 * L] = u, v, w
    rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = p, q, r
    add_motion(u * speed, v * speed, w * speed, p * speed, q * speed, r * speed, at, desks)


@inlined
def slide_lanes(
    x: float, y: float, z: float, own: int, speed: int, motion: int, desk: int, given: Array, rates: Array, desks: Array
) -> None:
    """Slide frames along the axis (x, y, z), which is the motion of that rate."""
    for lane in range(L):
        way, g, o, m = given[own + lane], given[speed + lane], desk + lane, motion + lane
        u = desks[o] * x + desks[o + L] * y + desks[o + 2 * L] * z
        v = desks[o + 3 * L] * x + desks[o + 4 * L] * y + desks[o + 5 * L] * z
        w = desks[o + 6 * L] * x + desks[o + 7 * L] * y + desks[o + 8 * L] * z
        rates[m], rates[m + L], rates[m + 2 * L] = 0.0, 0.0, 0.0
        rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = u, v, w
        desks[o + 9 * L] += way * u
        desks[o + 10 * L] += way * v
        desks[o + 11 * L] += way * w
        add_motion(0.0, 0.0, 0.0, u * g, v * g, w * g, o, desks)


@inlined
def turn_lanes_by(own: int, motion: int, desk: int, given: Array, rates: Array, desks: Array) -> None:
    """Turn frames by quaternions; the axes of all three rates of a ball are those of the frame that has turned."""
    for lane in range(L):
        at = own + lane
        w, x, y, z = given[at], given[at + L], given[at + 2 * L], given[at + 3 * L]
        for line in range(3):
            o, m = desk + 3 * line * L + lane, motion + line * L + lane
            a, b, c = turn_by(desks[o], desks[o + L], desks[o + 2 * L], w, x, y, z)
            desks[o], desks[o + L], desks[o + 2 * L] = a, b, c
            rates[m], rates[m + RATE * L], rates[m + 2 * RATE * L] = a, b, c


@inlined
def spin_lanes(motion: int, speed: int, desk: int, given: Array, rates: Array, desks: Array) -> None:
    """The motions about O of a ball's three rates from their axes, and what their speeds add together."""
    for lane in range(L):
        o, at = desk + 9 * L + lane, speed + lane
        x, y, z = desks[o], desks[o + L], desks[o + 2 * L]
        wx = wy = wz = vx = vy = vz = 0.0
        for each in range(3):
            m, g = motion + each * RATE * L + lane, given[at + each * L]
            u, v, w = rates[m], rates[m + L], rates[m + 2 * L]
            p, q, r = y * w - z * v, z * u - x * w, x * v - y * u
            rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = p, q, r
            wx, wy, wz, vx, vy, vz = wx + u * g, wy + v * g, wz + w * g, vx + p * g, vy + q * g, vz + r * g
        add_motion(wx, wy, wz, vx, vy, vz, desk + lane, desks)


@inlined
def add_motion(x: float, y: float, z: float, p: float, q: float, r: float, at: int, desks: Array) -> None:
    """Let a body turn by (x, y, z) and move by (p, q, r), too; what that adds to its acceleration."""
    v, a = at + VELOCITY * L, at + ACCELERATION * L
    wx, wy, wz = desks[v], desks[v + L], desks[v + 2 * L]
    vx, vy, vz = desks[v + 3 * L], desks[v + 4 * L], desks[v + 5 * L]
    desks[a] += wy * z - wz * y
    desks[a + L] += wz * x - wx * z
    desks[a + 2 * L] += wx * y - wy * x
    desks[a + 3 * L] += (wy * r - wz * q) + (vy * z - vz * y)
    desks[a + 4 * L] += (wz * p - wx * r) + (vz * x - vx * z)
    desks[a + 5 * L] += (wx * q - wy * p) + (vx * y - vy * x)
    desks[v], desks[v + L], desks[v + 2 * L] = wx + x, wy + y, wz + z
    desks[v + 3 * L], desks[v + 4 * L], desks[v + 5 * L] = vx + p, vy + q, vz + r


@inlined
def drive_lanes(ints: IntArray, rate: int, desk: int, given: Array, rates: Array, desks: Array) -> None:
    """What qdd of a rate adds to the acceleration of a body."""
    motion, gain = (rate * RATE * L) & PLACE, speeds_row(ints, ints[RATE_COUNT] + rate)
    for lane in range(L):
        m, a, g = motion + lane, desk + ACCELERATION * L + lane, given[gain + lane]
        desks[a] += g * rates[m]
        desks[a + L] += g * rates[m + L]
        desks[a + 2 * L] += g * rates[m + 2 * L]
        desks[a + 3 * L] += g * rates[m + 3 * L]
        desks[a + 4 * L] += g * rates[m + 4 * L]
        desks[a + 5 * L] += g * rates[m + 5 * L]


@inlined
def burden_lanes(ints: IntArray, floats: Array, joint: int, desk: int, bodies: Array, desks: Array) -> None:
    """The force that a body needs for its acceleration, less gravity; its inertia about O."""
    body, to = (ints[extra_of(ints) + FLOATS] + BODIES + joint * BODY_STRIDE) & PLACE, (joint * BODY * L) & PLACE
    desk &= PLACE
    mass, mx, my, mz = floats[body + MASS], floats[body + CENTRE], floats[body + CENTRE + 1], floats[body + CENTRE + 2]
    at = body + INERTIA
    ixx, iyy, izz = floats[at], floats[at + 1], floats[at + 2]
    ixy, ixz, iyz = floats[at + 3], floats[at + 4], floats[at + 5]
    pull_x, pull_y, pull_z = floats[body + PULL], floats[body + PULL + 1], floats[body + PULL + 2]
    for lane in range(L):
        o = desk + lane
        a, b, c = desks[o], desks[o + L], desks[o + 2 * L]
        d, e, f = desks[o + 3 * L], desks[o + 4 * L], desks[o + 5 * L]
        g, h, i = desks[o + 6 * L], desks[o + 7 * L], desks[o + 8 * L]
        cx = a * mx + b * my + c * mz + desks[o + 9 * L]
        cy = d * mx + e * my + f * mz + desks[o + 10 * L]
        cz = g * mx + h * my + i * mz + desks[o + 11 * L]
        p, q, r = a * ixx + b * ixy + c * ixz, a * ixy + b * iyy + c * iyz, a * ixz + b * iyz + c * izz
        s, t, u = d * ixx + e * ixy + f * ixz, d * ixy + e * iyy + f * iyz, d * ixz + e * iyz + f * izz
        v, w, z = g * ixx + h * ixy + i * ixz, g * ixy + h * iyy + i * iyz, g * ixz + h * iyz + i * izz
        xx, yy, zz = p * a + q * b + r * c, s * d + t * e + u * f, v * g + w * h + z * i
        xy, xz, yz = p * d + q * e + r * f, p * g + q * h + r * i, s * g + t * h + u * i
        at = o + VELOCITY * L
        wx, wy, wz = desks[at], desks[at + L], desks[at + 2 * L]
        x = desks[at + 3 * L] + (wy * cz - wz * cy)
        y = desks[at + 4 * L] + (wz * cx - wx * cz)
        z = desks[at + 5 * L] + (wx * cy - wy * cx)
        at = o + ACCELERATION * L
        ax, ay, az = desks[at], desks[at + L], desks[at + 2 * L]
        fx = mass * (desks[at + 3 * L] + (wy * z - wz * y) + (ay * cz - az * cy) - pull_x)
        fy = mass * (desks[at + 4 * L] + (wz * x - wx * z) + (az * cx - ax * cz) - pull_y)
        fz = mass * (desks[at + 5 * L] + (wx * y - wy * x) + (ax * cy - ay * cx) - pull_z)
        x, y, z = xx * wx + xy * wy + xz * wz, xy * wx + yy * wy + yz * wz, xz * wx + yz * wy + zz * wz
        at = to + FORCE * L + lane
        bodies[at] = xx * ax + xy * ay + xz * az + (wy * z - wz * y) + (cy * fz - cz * fy)
        bodies[at + L] = xy * ax + yy * ay + yz * az + (wz * x - wx * z) + (cz * fx - cx * fz)
        bodies[at + 2 * L] = xz * ax + yz * ay + zz * az + (wx * y - wy * x) + (cx * fy - cy * fx)
        bodies[at + 3 * L], bodies[at + 4 * L], bodies[at + 5 * L] = fx, fy, fz
        x, y, z = mass * cx, mass * cy, mass * cz
        at = to + INERTIA_ROW * L + lane
        bodies[at], bodies[at + L], bodies[at + 2 * L] = (
            xx + (y * cy + z * cz),
            yy + (x * cx + z * cz),
            zz + (x * cx + y * cy),
        )
        bodies[at + 3 * L], bodies[at + 4 * L], bodies[at + 5 * L] = xy - x * cy, xz - x * cz, yz - y * cz
        at = to + MOMENT * L + lane
        bodies[at], bodies[at + L], bodies[at + 2 * L] = x, y, z


@inlined
def act_on_lanes(ints: IntArray, joint: int, desk: int, given: Array, bodies: Array, desks: Array) -> None:
    """Forces from outside on a body, about its joint's origin, are forces that it need not get from its joint."""
    acting, to = outside_row(ints, joint), ((joint * BODY + FORCE) * L) & PLACE
    desk &= PLACE
    for lane in range(L):
        g, o, f = acting + lane, desk + 9 * L + lane, to + lane
        x, y, z = desks[o], desks[o + L], desks[o + 2 * L]
        p, q, r = given[g], given[g + L], given[g + 2 * L]
        bodies[f] -= given[g + 3 * L] + (y * r - z * q)
        bodies[f + L] -= given[g + 4 * L] + (z * p - x * r)
        bodies[f + 2 * L] -= given[g + 5 * L] + (x * q - y * p)
        bodies[f + 3 * L] -= p
        bodies[f + 4 * L] -= q
        bodies[f + 5 * L] -= r
