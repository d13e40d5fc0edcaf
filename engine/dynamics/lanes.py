"""Frames of LANES states side by side: each number of a joint stands beside the same number of the other states.

What is found is that of `frames.py` for each state, but for rounding, and a state's numbers do not depend on those
beside it. Loops over the lanes stand innermost, and what depends on the figure alone (kinds of freedoms, rests, masses)
is read before them, so that the compiler turns them into vector code. It does so where it sees that what a loop writes
is not what it reads: within one array by distances that are constant, between arrays by comparing their ends. So a room
has three arrays, what a joint needs of its parent is copied first, and LANES is no less than 16, below which the
compiler (LLVM) takes no comparisons.

Rows of LANES numbers; L is the way from one to the next:

    given   the coordinates, their sines, their cosines; qd; tau, or qdd; the diagonal; forces from outside, 6 for each
            joint; the point O, 3
    bodies  of the placement, then of each joint FRAME (12), VELOCITY, ACCELERATION, BIAS (6 each), INERTIA (21), as in
            `layout.py`
    rates   of each rate its motion (6; `place_lanes` leaves the axis and its point there), then U (6), 1 / D, u / D,
            and what is found

Symbols: q, qd as in `engine.model.compile`; `to`: where the rows of a joint begin, `motion`: those of a rate.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.frames import compute_sines, turn_about, turn_by
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
from engine.dynamics.mechanics import Mechanics
from engine.limits.inlined import inlined
from engine.model.compile import (
    COORDINATE_COUNT,
    HAS_REST,
    HEADER,
    JOINT_COUNT,
    JOINT_FLOATS,
    JOINT_STRIDE,
    RATE_COUNT,
    ROW,
    Array,
    IntArray,
)
from engine.runtime.jit import kernel

LANES = 16
L = LANES
VELOCITY, ACCELERATION, BIAS, LANE_INERTIA, BODY = 12, 18, 24, 30, 51
FOUND, RATE = 14, 15
_LINE = 8  # floats in a line of the machine's cache


def new_lanes(mechanics: Mechanics, block_count: int) -> tuple[Array, Array, Array]:
    """Rooms `given`, `bodies` and `rates` for as many blocks, shapes [block_count, ...]; each block is one thread's."""
    coordinates, rates, joints = mechanics.coordinate_count, mechanics.rate_count, mechanics.joint_count
    rows = 3 * coordinates + 3 * rates + 6 * joints + 3, BODY * (joints + 1), RATE * rates
    given, bodies, factors = (_aligned(block_count, count * L) for count in rows)
    return given, bodies, factors


def _aligned(block_count: int, size: int) -> Array:
    """Zeros that begin where a line of the cache does: a vector across two lines takes twice as long."""
    room = np.zeros(block_count * size + _LINE)
    first = -(room.ctypes.data // room.itemsize) % _LINE
    return room[first : first + block_count * size].reshape(block_count, size)


@inlined
def speeds_row(ints: IntArray, rate: int) -> int:
    """Where qd of a rate stands in `given`; the two rows of its own stand behind those of all rates."""
    return int(((3 * ints[COORDINATE_COUNT] + rate) * L) & PLACE)


@inlined
def outside_row(ints: IntArray, joint: int) -> int:
    """Where the force from outside on a joint's body stands in `given`; behind that of the last one O stands."""
    return int(((3 * (ints[COORDINATE_COUNT] + ints[RATE_COUNT]) + 6 * joint) * L) & PLACE)


@kernel
def load_lanes(
    ints: IntArray,
    floats: Array,
    q: Array,
    qd: Array,
    one: Array,
    two: Array,
    outside: Array,
    first: int,
    given: Array,
    bodies: Array,
) -> None:
    """Take over the states from `first` on, the last one for lanes beyond it; sines; the placement."""
    coordinates, rates, last = ints[COORDINATE_COUNT], ints[RATE_COUNT], q.shape[0] - 1
    for each in range(coordinates):
        at = (each * L) & PLACE
        for lane in range(L):
            given[at + lane] = q[min(first + lane, last), each]
    for rate in range(rates):
        speed, row = speeds_row(ints, rate), speeds_row(ints, rates + rate)
        other = speeds_row(ints, 2 * rates + rate)
        for lane in range(L):
            state = min(first + lane, last)
            given[speed + lane], given[row + lane], given[other + lane] = (
                qd[state, rate],
                one[state, rate],
                two[state, rate],
            )
    for joint in range(ints[JOINT_COUNT]):
        for axis in range(6):
            at = outside_row(ints, joint) + axis * L
            for lane in range(L):
                given[at + lane] = outside[min(first + lane, last), joint, axis]
    end = coordinates * L
    compute_sines(given[:end], given[end : 2 * end], given[2 * end : 3 * end])
    placement = ints[extra_of(ints) + FLOATS] + PLACEMENT
    for each in range(ROW):
        bodies[each * L : (each + 1) * L] = floats[placement + each]
    bodies[VELOCITY * L : BIAS * L] = 0.0


@inlined
def place_lanes(ints: IntArray, floats: Array, joint: int, given: Array, bodies: Array, rates: Array) -> None:
    """The frames of a joint, axes and points of its rates, the motion that its parent has; O, if it is the root."""
    extra = extra_of(ints)
    entry, to = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, ((joint + 1) * BODY * L) & PLACE
    up = ((ints[entry + LINK_PARENT] + 1) * BODY * L) & PLACE
    for each in range(BIAS * L):
        bodies[to + each] = bodies[up + each]
    set_off_lanes(floats, (joint * JOINT_FLOATS) & PLACE, to, bodies)
    if ints[(HEADER + joint * JOINT_STRIDE + HAS_REST) & PLACE]:
        rest_lanes(floats, (joint * JOINT_FLOATS + 3) & PLACE, to, bodies)
    for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
        at = (ints[extra + KINDS] + rate * RATE_INT_STRIDE) & PLACE
        kind, own = ints[at + KIND], (ints[at + COORDINATE] * L) & PLACE
        axis = (ints[extra + FLOATS] + ints[extra + AXES] + rate * AXIS_STRIDE) & PLACE
        motion, end = (rate * RATE * L) & PLACE, (ints[COORDINATE_COUNT] * L) & PLACE
        x, y, z, sign = floats[axis], floats[axis + 1], floats[axis + 2], floats[axis + 3]
        if kind == TURN_X:
            turn_lanes(0, 1, 2, sign, own + end, own + 2 * end, motion, to, given, bodies, rates)
        elif kind == TURN_Y:
            turn_lanes(1, 2, 0, sign, own + end, own + 2 * end, motion, to, given, bodies, rates)
        elif kind == TURN_Z:
            turn_lanes(2, 0, 1, sign, own + end, own + 2 * end, motion, to, given, bodies, rates)
        elif kind == TURN:
            turn_lanes_about(x, y, z, own + end, own + 2 * end, motion, to, given, bodies, rates)
        elif kind == SLIDES:
            slide_lanes(x, y, z, own, motion, to, given, bodies, rates)
        elif kind == TURNED:
            turn_lanes_by(own, motion, to, given, bodies, rates)
    if joint == 0:
        origin = outside_row(ints, ints[JOINT_COUNT])
        for each in range(3 * L):
            given[origin + each] = bodies[to + 9 * L + each]


@inlined
def set_off_lanes(floats: Array, at: int, to: int, bodies: Array) -> None:
    """Move frames by an offset."""
    u, v, w = floats[at], floats[at + 1], floats[at + 2]
    for lane in range(L):
        o = to + lane
        bodies[o + 9 * L] += bodies[o] * u + bodies[o + L] * v + bodies[o + 2 * L] * w
        bodies[o + 10 * L] += bodies[o + 3 * L] * u + bodies[o + 4 * L] * v + bodies[o + 5 * L] * w
        bodies[o + 11 * L] += bodies[o + 6 * L] * u + bodies[o + 7 * L] * v + bodies[o + 8 * L] * w


@inlined
def rest_lanes(floats: Array, at: int, to: int, bodies: Array) -> None:
    """Turn frames by a rest orientation."""
    xx, xy, xz = floats[at], floats[at + 1], floats[at + 2]
    yx, yy, yz = floats[at + 3], floats[at + 4], floats[at + 5]
    zx, zy, zz = floats[at + 6], floats[at + 7], floats[at + 8]
    for lane in range(L):
        for line in range(3):
            o = to + 3 * line * L + lane
            a, b, c = bodies[o], bodies[o + L], bodies[o + 2 * L]
            bodies[o] = a * xx + b * yx + c * zx
            bodies[o + L] = a * xy + b * yy + c * zy
            bodies[o + 2 * L] = a * xz + b * yz + c * zz


@inlined
def turn_lanes(
    along: int,
    first: int,
    second: int,
    sign: float,
    sines: int,
    cosines: int,
    motion: int,
    to: int,
    given: Array,
    bodies: Array,
    rates: Array,
) -> None:
    """Turn frames about their main axis `along`, or against it; `first` and `second` are the columns behind that."""
    for lane in range(L):
        sine, cosine = sign * given[sines + lane], given[cosines + lane]
        for line in range(3):
            o, m, place = to + 3 * line * L + lane, motion + line * L + lane, to + (9 + line) * L + lane
            a, b = bodies[o + first * L], bodies[o + second * L]
            rates[m], rates[m + 3 * L] = sign * bodies[o + along * L], bodies[place]
            bodies[o + first * L], bodies[o + second * L] = cosine * a + sine * b, cosine * b - sine * a


@inlined
def turn_lanes_about(
    x: float,
    y: float,
    z: float,
    sines: int,
    cosines: int,
    motion: int,
    to: int,
    given: Array,
    bodies: Array,
    rates: Array,
) -> None:
    """Turn frames about the axis (x, y, z)."""
    for lane in range(L):
        sine, cosine = given[sines + lane], given[cosines + lane]
        for line in range(3):
            o, m, place = to + 3 * line * L + lane, motion + line * L + lane, to + (9 + line) * L + lane
            a, b, c = bodies[o], bodies[o + L], bodies[o + 2 * L]
            along = a * x + b * y + c * z
            rates[m], rates[m + 3 * L] = along, bodies[place]
            a, b, c = turn_about(a, b, c, x, y, z, along, sine, cosine)
            bodies[o], bodies[o + L], bodies[o + 2 * L] = a, b, c


@inlined
def slide_lanes(
    x: float, y: float, z: float, own: int, motion: int, to: int, given: Array, bodies: Array, rates: Array
) -> None:
    """Slide frames along the axis (x, y, z)."""
    for lane in range(L):
        way = given[own + lane]
        for line in range(3):
            o, m, place = to + 3 * line * L + lane, motion + line * L + lane, to + (9 + line) * L + lane
            along = bodies[o] * x + bodies[o + L] * y + bodies[o + 2 * L] * z
            rates[m], rates[m + 3 * L] = along, bodies[place]
            bodies[place] += way * along


@inlined
def turn_lanes_by(own: int, motion: int, to: int, given: Array, bodies: Array, rates: Array) -> None:
    """Turn frames by quaternions; the axes of all three rates of a ball are those of the frame that has turned."""
    for lane in range(L):
        at = own + lane
        w, x, y, z = given[at], given[at + L], given[at + 2 * L], given[at + 3 * L]
        for line in range(3):
            o, m, place = to + 3 * line * L + lane, motion + line * L + lane, to + (9 + line) * L + lane
            a, b, c = turn_by(bodies[o], bodies[o + L], bodies[o + 2 * L], w, x, y, z)
            bodies[o], bodies[o + L], bodies[o + 2 * L] = a, b, c
            rates[m], rates[m + RATE * L], rates[m + 2 * RATE * L] = a, b, c
            rates[m + 3 * L], rates[m + (3 + RATE) * L] = bodies[place], bodies[place]
            rates[m + (3 + 2 * RATE) * L] = bodies[place]
