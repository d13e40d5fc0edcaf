"""Frames of joints and what their freedoms add to the motions of bodies, of LANES states side by side; the formulas are
those of `frames.py` and `motions.py`.

Rooms and symbols: `lanes.py`. Each base of what is read is masked (`& PLACE`) where the loop stands: numba makes vector
code of a function before it is put into its callers, and gathers numbers one by one if a place might be negative.
"""

from __future__ import annotations

from engine.dynamics.frames import turn_about, turn_by
from engine.dynamics.lanes import ACCELERATION, RATE, SEEN, SPREAD, VELOCITY, L, desk_of, speeds_row
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
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.model.compile import COORDINATE_COUNT


@inlined
def enter_lanes(ints: IntArray, floats: Array, joint: int, desks: Array) -> None:
    """Start a joint's recursion: its parent's frame and speeds, or the placement."""
    extra, desk = extra_of(ints), desk_of(ints, joint)
    parent = ints[(ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE + LINK_PARENT) & PLACE]
    if parent < 0:
        placement = (ints[extra + FLOATS] + PLACEMENT) & PLACE
        for each in range(9):
            value = floats[placement + each]
            for lane in range(L):
                desks[desk + each * L + lane] = value
        for each in range(SEEN * L):
            desks[desk + 9 * L + each] = desks[each]
        for each in range(VELOCITY * L, SPREAD * L):
            desks[desk + each] = 0.0
        return
    up = desk_of(ints, parent)
    if up != desk:
        for each in range(SPREAD * L):
            desks[desk + each] = desks[up + each]


@inlined
def set_off_lanes(floats: Array, at: int, desk: int, desks: Array) -> None:
    """Move frames by an offset."""
    u, v, w = floats[at], floats[at + 1], floats[at + 2]
    for lane in range(L):
        o = desk + lane
        desks[o + 9 * L] += desks[o] * u + desks[o + L] * v + desks[o + 2 * L] * w
        desks[o + 10 * L] += desks[o + 3 * L] * u + desks[o + 4 * L] * v + desks[o + 5 * L] * w
        desks[o + 11 * L] += desks[o + 6 * L] * u + desks[o + 7 * L] * v + desks[o + 8 * L] * w


@inlined
def rest_lanes(floats: Array, at: int, desk: int, desks: Array) -> None:
    """Turn frames by a rest orientation."""
    xx, xy, xz = floats[at], floats[at + 1], floats[at + 2]
    yx, yy, yz = floats[at + 3], floats[at + 4], floats[at + 5]
    zx, zy, zz = floats[at + 6], floats[at + 7], floats[at + 8]
    for lane in range(L):
        for line in range(3):
            o = desk + 3 * line * L + lane
            a, b, c = desks[o], desks[o + L], desks[o + 2 * L]
            desks[o] = a * xx + b * yx + c * zx
            desks[o + L] = a * xy + b * yy + c * zy
            desks[o + 2 * L] = a * xz + b * yz + c * zz


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
