"""Velocities, accelerations and forces of bodies, of LANES states side by side; the formulas are those of `motions.py`.

Arrays and symbols: `simd_batch.py`.
"""

from __future__ import annotations

from engine.dynamics.layout import (
    BODIES,
    BODY_STRIDE,
    CENTRE,
    FLOATS,
    INERTIA,
    LINK_INT_STRIDE,
    LINK_INTS,
    MASS,
    PLACE,
    PULL,
    RATE_END,
    RATE_START,
    extra_of,
)
from engine.dynamics.simd_batch import (
    ACCELERATION,
    BODY,
    FORCE,
    INERTIA_ROW,
    MOMENT,
    RATE,
    SEEN,
    VELOCITY,
    L,
    outside_row,
    slot_of,
    speeds_row,
)
from engine.dynamics.simd_frames import enter_lanes, move_lanes, rest_lanes, set_off_lanes
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import HAS_REST, HEADER, JOINT_COUNT, JOINT_FLOATS, JOINT_STRIDE, RATE_COUNT
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
    slots: Array,
) -> None:
    """Outward: the motions of all rates, and the forces that bodies need for their accelerations; inertias.

    Accelerations are those by qdd where `driven`, else those without any; `acted`: by forces from outside, too.
    """
    extra = extra_of(ints)
    slots[: SEEN * L] = 0.0
    for step in range(ints[JOINT_COUNT] + 1):
        joint = max(step - 1, 0)
        entry, slot = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, slot_of(ints, joint)
        enter_lanes(ints, floats, joint, slots)
        set_off_lanes(floats, (joint * JOINT_FLOATS) & PLACE, slot, slots)
        if ints[(HEADER + joint * JOINT_STRIDE + HAS_REST) & PLACE]:
            rest_lanes(floats, (joint * JOINT_FLOATS + 3) & PLACE, slot, slots)
        for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
            move_lanes(ints, floats, rate, slot, given, rates, slots)
        if step == 0:
            for each in range(SEEN * L):
                slots[each] = -slots[slot + 9 * L + each]
            continue
        if driven:
            for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
                drive_lanes(ints, rate, slot, given, rates, slots)
        burden_lanes(ints, floats, joint, slot, bodies, slots)
        if acted:
            act_on_lanes(ints, joint, slot, given, bodies, slots)


@inlined
def drive_lanes(ints: IntArray, rate: int, slot: int, given: Array, rates: Array, slots: Array) -> None:
    """Add the acceleration of a body by qdd of a rate."""
    motion, gain = (rate * RATE * L) & PLACE, speeds_row(ints, ints[RATE_COUNT] + rate)
    for lane in range(L):
        m, a, g = motion + lane, slot + ACCELERATION * L + lane, given[gain + lane]
        slots[a] += g * rates[m]
        slots[a + L] += g * rates[m + L]
        slots[a + 2 * L] += g * rates[m + 2 * L]
        slots[a + 3 * L] += g * rates[m + 3 * L]
        slots[a + 4 * L] += g * rates[m + 4 * L]
        slots[a + 5 * L] += g * rates[m + 5 * L]


@inlined
def burden_lanes(ints: IntArray, floats: Array, joint: int, slot: int, bodies: Array, slots: Array) -> None:
    """The force that a body needs for its acceleration, less gravity; its inertia about O."""
    body, to = (ints[extra_of(ints) + FLOATS] + BODIES + joint * BODY_STRIDE) & PLACE, (joint * BODY * L) & PLACE
    slot &= PLACE
    mass, mx, my, mz = floats[body + MASS], floats[body + CENTRE], floats[body + CENTRE + 1], floats[body + CENTRE + 2]
    at = body + INERTIA
    ixx, iyy, izz = floats[at], floats[at + 1], floats[at + 2]
    ixy, ixz, iyz = floats[at + 3], floats[at + 4], floats[at + 5]
    pull_x, pull_y, pull_z = floats[body + PULL], floats[body + PULL + 1], floats[body + PULL + 2]
    for lane in range(L):
        o = slot + lane
        a, b, c = slots[o], slots[o + L], slots[o + 2 * L]
        d, e, f = slots[o + 3 * L], slots[o + 4 * L], slots[o + 5 * L]
        g, h, i = slots[o + 6 * L], slots[o + 7 * L], slots[o + 8 * L]
        cx = a * mx + b * my + c * mz + slots[o + 9 * L]
        cy = d * mx + e * my + f * mz + slots[o + 10 * L]
        cz = g * mx + h * my + i * mz + slots[o + 11 * L]
        p, q, r = a * ixx + b * ixy + c * ixz, a * ixy + b * iyy + c * iyz, a * ixz + b * iyz + c * izz
        s, t, u = d * ixx + e * ixy + f * ixz, d * ixy + e * iyy + f * iyz, d * ixz + e * iyz + f * izz
        v, w, z = g * ixx + h * ixy + i * ixz, g * ixy + h * iyy + i * iyz, g * ixz + h * iyz + i * izz
        xx, yy, zz = p * a + q * b + r * c, s * d + t * e + u * f, v * g + w * h + z * i
        xy, xz, yz = p * d + q * e + r * f, p * g + q * h + r * i, s * g + t * h + u * i
        at = o + VELOCITY * L
        wx, wy, wz = slots[at], slots[at + L], slots[at + 2 * L]
        x = slots[at + 3 * L] + (wy * cz - wz * cy)
        y = slots[at + 4 * L] + (wz * cx - wx * cz)
        z = slots[at + 5 * L] + (wx * cy - wy * cx)
        at = o + ACCELERATION * L
        ax, ay, az = slots[at], slots[at + L], slots[at + 2 * L]
        fx = mass * (slots[at + 3 * L] + (wy * z - wz * y) + (ay * cz - az * cy) - pull_x)
        fy = mass * (slots[at + 4 * L] + (wz * x - wx * z) + (az * cx - ax * cz) - pull_y)
        fz = mass * (slots[at + 5 * L] + (wx * y - wy * x) + (ax * cy - ay * cx) - pull_z)
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
def act_on_lanes(ints: IntArray, joint: int, slot: int, given: Array, bodies: Array, slots: Array) -> None:
    """Forces from outside on a body, about its joint's origin, are forces that it need not get from its joint."""
    acting, to = outside_row(ints, joint), ((joint * BODY + FORCE) * L) & PLACE
    slot &= PLACE
    for lane in range(L):
        g, o, f = acting + lane, slot + 9 * L + lane, to + lane
        x, y, z = slots[o], slots[o + L], slots[o + 2 * L]
        p, q, r = given[g], given[g + L], given[g + 2 * L]
        bodies[f] -= given[g + 3 * L] + (y * r - z * q)
        bodies[f + L] -= given[g + 4 * L] + (z * p - x * r)
        bodies[f + 2 * L] -= given[g + 5 * L] + (x * q - y * p)
        bodies[f + 3 * L] -= p
        bodies[f + 4 * L] -= q
        bodies[f + 5 * L] -= r
