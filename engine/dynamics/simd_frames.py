"""Frames of joints and what their freedoms add to the motions of bodies, of LANES states side by side; the formulas are
those of `frames.py` and `motions.py`.

Arrays and symbols: `simd_batch.py`. Each base of what is read is masked (`& PLACE`) where the loop stands: numba makes
vector code of a function before it is put into its callers, and gathers numbers one by one if a place might be
negative.
"""

from __future__ import annotations

from engine.dynamics.frames import turn_about, turn_by
from engine.dynamics.layout import (
    AXES,
    AXIS_STRIDE,
    COORDINATE,
    FLOATS,
    KIND,
    KINDS,
    LINK_INT_STRIDE,
    LINK_INTS,
    LINK_PARENT,
    PLACE,
    PLACEMENT,
    RATE_INT_STRIDE,
    SLIDES,
    TURN,
    TURN_X,
    TURN_Y,
    TURN_Z,
    TURNED,
    extra_of,
)
from engine.dynamics.simd_batch import ACCELERATION, RATE, SEEN, SPREAD, VELOCITY, L, slot_of, speeds_row
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT


@inlined
def enter_lanes(ints: IntArray, floats: Array, joint: int, slots: Array) -> None:
    """Start a joint's recursion: its parent's frame and speeds, or the placement."""
    extra, slot = extra_of(ints), slot_of(ints, joint)
    parent = ints[(ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE + LINK_PARENT) & PLACE]
    if parent < 0:
        placement = (ints[extra + FLOATS] + PLACEMENT) & PLACE
        for each in range(9):
            value = floats[placement + each]
            for lane in range(L):
                slots[slot + each * L + lane] = value
        for each in range(SEEN * L):
            slots[slot + 9 * L + each] = slots[each]
        for each in range(VELOCITY * L, SPREAD * L):
            slots[slot + each] = 0.0
        return
    up = slot_of(ints, parent)
    if up != slot:
        for each in range(SPREAD * L):
            slots[slot + each] = slots[up + each]


@inlined
def set_off_lanes(floats: Array, at: int, slot: int, slots: Array) -> None:
    """Move frames by an offset."""
    u, v, w = floats[at], floats[at + 1], floats[at + 2]
    for lane in range(L):
        o = slot + lane
        slots[o + 9 * L] += slots[o] * u + slots[o + L] * v + slots[o + 2 * L] * w
        slots[o + 10 * L] += slots[o + 3 * L] * u + slots[o + 4 * L] * v + slots[o + 5 * L] * w
        slots[o + 11 * L] += slots[o + 6 * L] * u + slots[o + 7 * L] * v + slots[o + 8 * L] * w


@inlined
def rest_lanes(floats: Array, at: int, slot: int, slots: Array) -> None:
    """Turn frames by a rest orientation."""
    xx, xy, xz = floats[at], floats[at + 1], floats[at + 2]
    yx, yy, yz = floats[at + 3], floats[at + 4], floats[at + 5]
    zx, zy, zz = floats[at + 6], floats[at + 7], floats[at + 8]
    for lane in range(L):
        for line in range(3):
            o = slot + 3 * line * L + lane
            a, b, c = slots[o], slots[o + L], slots[o + 2 * L]
            slots[o] = a * xx + b * yx + c * zx
            slots[o + L] = a * xy + b * yy + c * zy
            slots[o + 2 * L] = a * xz + b * yz + c * zz


@inlined
def move_lanes(ints: IntArray, floats: Array, rate: int, slot: int, given: Array, rates: Array, slots: Array) -> None:
    """Turn or slide frames by a rate, or turn them by the ball that begins with it; what its speed adds."""
    extra, end = extra_of(ints), (ints[COORDINATE_COUNT] * L) & PLACE
    at = (ints[extra + KINDS] + rate * RATE_INT_STRIDE) & PLACE
    kind, own = ints[at + KIND], (ints[at + COORDINATE] * L) & PLACE
    axis = (ints[extra + FLOATS] + ints[extra + AXES] + rate * AXIS_STRIDE) & PLACE
    motion, speed = (rate * RATE * L) & PLACE, speeds_row(ints, rate)
    x, y, z, sign = floats[axis], floats[axis + 1], floats[axis + 2], floats[axis + 3]
    if kind == TURN_X:
        turn_lanes(0, 1, 2, sign, own + end, own + 2 * end, speed, motion, slot, given, rates, slots)
    elif kind == TURN_Y:
        turn_lanes(1, 2, 0, sign, own + end, own + 2 * end, speed, motion, slot, given, rates, slots)
    elif kind == TURN_Z:
        turn_lanes(2, 0, 1, sign, own + end, own + 2 * end, speed, motion, slot, given, rates, slots)
    elif kind == TURN:
        turn_lanes_about(x, y, z, own + end, own + 2 * end, speed, motion, slot, given, rates, slots)
    elif kind == SLIDES:
        slide_lanes(x, y, z, own, speed, motion, slot, given, rates, slots)
    elif kind == TURNED:
        turn_lanes_by(own, motion, slot, given, rates, slots)
        spin_lanes(motion, speed, slot, given, rates, slots)


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
    slot: int,
    given: Array,
    rates: Array,
    slots: Array,
) -> None:
    """Turn frames about their main axis `along`, or against it; `first` and `second` are the columns behind that."""
    for lane in range(L):
        sine, cosine, o = sign * given[sines + lane], given[cosines + lane], slot + lane
        u, v, w = slots[o + along * L], slots[o + (3 + along) * L], slots[o + (6 + along) * L]
        for line in range(3):
            i, k = o + (3 * line + first) * L, o + (3 * line + second) * L
            a, b = slots[i], slots[k]
            slots[i], slots[k] = cosine * a + sine * b, cosine * b - sine * a
        swing(sign * u, sign * v, sign * w, given[speed + lane], motion + lane, o, rates, slots)


@inlined
def turn_lanes_about(
    x: float, y: float, z: float, sines: int, cosines: int, speed: int, motion: int, slot: int, given: Array,
    rates: Array, slots: Array,
) -> None:  # fmt: skip
    """Turn frames about the axis (x, y, z)."""
    for lane in range(L):
        sine, cosine, o = given[sines + lane], given[cosines + lane], slot + lane
        u = slots[o] * x + slots[o + L] * y + slots[o + 2 * L] * z
        v = slots[o + 3 * L] * x + slots[o + 4 * L] * y + slots[o + 5 * L] * z
        w = slots[o + 6 * L] * x + slots[o + 7 * L] * y + slots[o + 8 * L] * z
        a, b, c = turn_about(slots[o], slots[o + L], slots[o + 2 * L], x, y, z, u, sine, cosine)
        slots[o], slots[o + L], slots[o + 2 * L] = a, b, c
        o += 3 * L
        a, b, c = turn_about(slots[o], slots[o + L], slots[o + 2 * L], x, y, z, v, sine, cosine)
        slots[o], slots[o + L], slots[o + 2 * L] = a, b, c
        o += 3 * L
        a, b, c = turn_about(slots[o], slots[o + L], slots[o + 2 * L], x, y, z, w, sine, cosine)
        slots[o], slots[o + L], slots[o + 2 * L] = a, b, c
        swing(u, v, w, given[speed + lane], motion + lane, slot + lane, rates, slots)


@inlined
def swing(u: float, v: float, w: float, speed: float, motion: int, at: int, rates: Array, slots: Array) -> None:
    """The motion about O of a hinge about (u, v, w), and what its speed adds to those of the body."""
    m, o = motion, at + 9 * L
    x, y, z = slots[o], slots[o + L], slots[o + 2 * L]
    p, q, r = y * w - z * v, z * u - x * w, x * v - y * u
    rates[m], rates[m + L], rates[m + 2 * L] = u, v, w
    rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = p, q, r
    add_motion(u * speed, v * speed, w * speed, p * speed, q * speed, r * speed, at, slots)


@inlined
def slide_lanes(
    x: float, y: float, z: float, own: int, speed: int, motion: int, slot: int, given: Array, rates: Array, slots: Array
) -> None:
    """Slide frames along the axis (x, y, z), which is the motion of that rate."""
    for lane in range(L):
        way, g, o, m = given[own + lane], given[speed + lane], slot + lane, motion + lane
        u = slots[o] * x + slots[o + L] * y + slots[o + 2 * L] * z
        v = slots[o + 3 * L] * x + slots[o + 4 * L] * y + slots[o + 5 * L] * z
        w = slots[o + 6 * L] * x + slots[o + 7 * L] * y + slots[o + 8 * L] * z
        rates[m], rates[m + L], rates[m + 2 * L] = 0.0, 0.0, 0.0
        rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = u, v, w
        slots[o + 9 * L] += way * u
        slots[o + 10 * L] += way * v
        slots[o + 11 * L] += way * w
        add_motion(0.0, 0.0, 0.0, u * g, v * g, w * g, o, slots)


@inlined
def turn_lanes_by(own: int, motion: int, slot: int, given: Array, rates: Array, slots: Array) -> None:
    """Turn frames by quaternions; the axes of all three rates of a ball are those of the frame that has turned."""
    for lane in range(L):
        at = own + lane
        w, x, y, z = given[at], given[at + L], given[at + 2 * L], given[at + 3 * L]
        for line in range(3):
            o, m = slot + 3 * line * L + lane, motion + line * L + lane
            a, b, c = turn_by(slots[o], slots[o + L], slots[o + 2 * L], w, x, y, z)
            slots[o], slots[o + L], slots[o + 2 * L] = a, b, c
            rates[m], rates[m + RATE * L], rates[m + 2 * RATE * L] = a, b, c


@inlined
def spin_lanes(motion: int, speed: int, slot: int, given: Array, rates: Array, slots: Array) -> None:
    """The motions about O of a ball's three rates from their axes, and what their speeds add together."""
    for lane in range(L):
        o, at = slot + 9 * L + lane, speed + lane
        x, y, z = slots[o], slots[o + L], slots[o + 2 * L]
        wx = wy = wz = vx = vy = vz = 0.0
        for each in range(3):
            m, g = motion + each * RATE * L + lane, given[at + each * L]
            u, v, w = rates[m], rates[m + L], rates[m + 2 * L]
            p, q, r = y * w - z * v, z * u - x * w, x * v - y * u
            rates[m + 3 * L], rates[m + 4 * L], rates[m + 5 * L] = p, q, r
            wx, wy, wz, vx, vy, vz = wx + u * g, wy + v * g, wz + w * g, vx + p * g, vy + q * g, vz + r * g
        add_motion(wx, wy, wz, vx, vy, vz, slot + lane, slots)


@inlined
def add_motion(x: float, y: float, z: float, p: float, q: float, r: float, at: int, slots: Array) -> None:
    """Let a body turn by (x, y, z) and move by (p, q, r), too; what that adds to its acceleration."""
    v, a = at + VELOCITY * L, at + ACCELERATION * L
    wx, wy, wz = slots[v], slots[v + L], slots[v + 2 * L]
    vx, vy, vz = slots[v + 3 * L], slots[v + 4 * L], slots[v + 5 * L]
    slots[a] += wy * z - wz * y
    slots[a + L] += wz * x - wx * z
    slots[a + 2 * L] += wx * y - wy * x
    slots[a + 3 * L] += (wy * r - wz * q) + (vy * z - vz * y)
    slots[a + 4 * L] += (wz * p - wx * r) + (vz * x - vx * z)
    slots[a + 5 * L] += (wx * q - wy * p) + (vx * y - vy * x)
    slots[v], slots[v + L], slots[v + 2 * L] = wx + x, wy + y, wz + z
    slots[v + 3 * L], slots[v + 4 * L], slots[v + 5 * L] = vx + p, vy + q, vz + r
