"""Frames of joints, and where and about what their freedoms move: the kinematics of the dynamics.

What it finds is that of `engine.model.kinematics`, in the same places, to rounding. It is written for speed: sines and
cosines of all coordinates first, in a loop without branches that the compiler turns into vector code; then a joint's
frame stays in local numbers while its freedoms are gone through one after the other.

q: coordinates [rad, m], shape [coordinate_count].
"""

from __future__ import annotations

import math

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
    MOTION_STRIDE,
    MOTIONS,
    PLACE,
    RATE_END,
    RATE_INT_STRIDE,
    RATE_START,
    SINES,
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
from engine.model.compile import (
    COORDINATE_COUNT,
    HAS_REST,
    HEADER,
    JOINT_FLOATS,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    ROW,
)

_ROUND = 6755399441055744.0  # 1.5 * 2^52: what is added to it and taken from it again is a whole number
_LARGEST = 1e5  # [rad] beyond it the reduction loses digits, and the library's functions are called


@inlined
def compute_sines(q: Array, out_sine: Array, out_cosine: Array) -> None:
    """Sines and cosines of all coordinates; those of slides and balls mean nothing.

    Cody and Waite's reduction to a quarter turn, then the polynomials of fdlibm (k_sin.c, k_cos.c), without a branch.
    """
    far = 0
    for each in range(len(q)):
        far += abs(q[each]) > _LARGEST
        turn = (q[each] * 0.6366197723675814 + _ROUND) - _ROUND
        r = q[each] - turn * 1.57079632673412561417 - turn * 6.07710050630396597660e-11
        r = r - turn * 2.02226624879595063154e-21
        z = r * r
        odd = -2.50507602534068634195e-08 + z * 1.58969099521155010221e-10
        odd = -1.98412698298579493134e-04 + z * (2.75573137070700676789e-06 + z * odd)
        sine = r + r * z * (-1.66666666666666324348e-01 + z * (8.33333333332248946124e-03 + z * odd))
        even = 2.08757232129817482790e-09 - z * 1.13596475577881948265e-11
        even = 2.48015872894767294178e-05 + z * (-2.75573143513906633035e-07 + z * even)
        even = 4.16666666666666019037e-02 + z * (-1.38888888888741095749e-03 + z * even)
        cosine = 1.0 - (0.5 * z - z * z * even)
        quarter = turn - 4.0 * ((0.25 * turn + _ROUND) - _ROUND)  # -2 to 2
        swapped = abs(quarter) == 1.0
        flipped = abs(quarter) == 2.0
        out_sine[each] = (-1.0 if flipped or quarter == -1.0 else 1.0) * (cosine if swapped else sine)
        out_cosine[each] = (-1.0 if flipped or quarter == 1.0 else 1.0) * (sine if swapped else cosine)
    for each in range(len(q) if far else 0):
        if abs(q[each]) > _LARGEST:
            out_sine[each], out_cosine[each] = math.sin(q[each]), math.cos(q[each])


@inlined
def place_joint(
    ints: IntArray, floats: Array, joint: int, q: Array, ox: float, oy: float, oz: float, work: Array
) -> None:
    """The frame of a joint from its parent's, the axes and points of its rates, and their motions about O."""
    extra = extra_of(ints)
    entry, fixed = (ints[extra + LINK_INTS] + joint * LINK_INT_STRIDE) & PLACE, (joint * JOINT_FLOATS) & PLACE
    row, sines = ((ints[entry + LINK_PARENT] + 1) * ROW) & PLACE, ints[extra + SINES] & PLACE
    cosines = (sines + ints[COORDINATE_COUNT]) & PLACE
    a, b, c, d, e, f = work[row], work[row + 1], work[row + 2], work[row + 3], work[row + 4], work[row + 5]
    g, h, i, x, y, z = work[row + 6], work[row + 7], work[row + 8], work[row + 9], work[row + 10], work[row + 11]
    u, v, w = floats[fixed], floats[fixed + 1], floats[fixed + 2]
    x, y, z = x + (a * u + b * v + c * w), y + (d * u + e * v + f * w), z + (g * u + h * v + i * w)
    if ints[(HEADER + joint * JOINT_STRIDE + HAS_REST) & PLACE]:
        a, b, c = turn_row(floats, fixed + 3, a, b, c)
        d, e, f = turn_row(floats, fixed + 3, d, e, f)
        g, h, i = turn_row(floats, fixed + 3, g, h, i)
    for rate in range(ints[entry + RATE_START], ints[entry + RATE_END]):
        at = (ints[extra + KINDS] + rate * RATE_INT_STRIDE) & PLACE
        kind, own = ints[at + KIND], ints[at + COORDINATE] & PLACE
        axis = (ints[extra + FLOATS] + ints[extra + AXES] + rate * AXIS_STRIDE) & PLACE
        sine, cosine, sign = work[sines + own] * floats[axis + 3], work[cosines + own], floats[axis + 3]
        px, py, pz = x, y, z
        if kind == TURN_X:
            u, v, w = sign * a, sign * d, sign * g
            b, c = cosine * b + sine * c, cosine * c - sine * b
            e, f = cosine * e + sine * f, cosine * f - sine * e
            h, i = cosine * h + sine * i, cosine * i - sine * h
        elif kind == TURN_Y:
            u, v, w = sign * b, sign * e, sign * h
            c, a = cosine * c + sine * a, cosine * a - sine * c
            f, d = cosine * f + sine * d, cosine * d - sine * f
            i, g = cosine * i + sine * g, cosine * g - sine * i
        elif kind == TURN_Z:
            u, v, w = sign * c, sign * f, sign * i
            a, b = cosine * a + sine * b, cosine * b - sine * a
            d, e = cosine * d + sine * e, cosine * e - sine * d
            g, h = cosine * g + sine * h, cosine * h - sine * g
        elif TURN <= kind <= SLIDES:
            p, r, s = floats[axis], floats[axis + 1], floats[axis + 2]
            u, v, w = a * p + b * r + c * s, d * p + e * r + f * s, g * p + h * r + i * s
            if kind == SLIDES:
                x, y, z = x + q[own] * u, y + q[own] * v, z + q[own] * w
            else:
                a, b, c = turn_about(a, b, c, p, r, s, u, sine, cosine)
                d, e, f = turn_about(d, e, f, p, r, s, v, sine, cosine)
                g, h, i = turn_about(g, h, i, p, r, s, w, sine, cosine)
        elif kind == TURNED:
            s, p, r, t = q[own], q[own + 1], q[own + 2], q[own + 3]
            a, b, c = turn_by(a, b, c, s, p, r, t)
            d, e, f = turn_by(d, e, f, s, p, r, t)
            g, h, i = turn_by(g, h, i, s, p, r, t)
            u, v, w = a, d, g
        elif kind == TURNED + 1:
            u, v, w = b, e, h
        else:
            u, v, w = c, f, i
        at = (ints[MOTION_START] + rate * MOTION) & PLACE
        work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = u, v, w, px, py, pz
        write_motion(
            kind == SLIDES, u, v, w, px - ox, py - oy, pz - oz, ints[extra + MOTIONS] + rate * MOTION_STRIDE, work
        )
    row = ((joint + 1) * ROW) & PLACE
    work[row], work[row + 1], work[row + 2], work[row + 3], work[row + 4], work[row + 5] = a, b, c, d, e, f
    work[row + 6], work[row + 7], work[row + 8], work[row + 9], work[row + 10], work[row + 11] = g, h, i, x, y, z


@inlined
def turn_row(floats: Array, at: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """A row of a rotation times the rotation at `floats[at]`."""
    return (
        a * floats[at] + b * floats[at + 3] + c * floats[at + 6],
        a * floats[at + 1] + b * floats[at + 4] + c * floats[at + 7],
        a * floats[at + 2] + b * floats[at + 5] + c * floats[at + 8],
    )


@inlined
def turn_about(
    a: float, b: float, c: float, x: float, y: float, z: float, along: float, sine: float, cosine: float
) -> tuple[float, float, float]:
    """A row of a rotation times one about the unit axis (x, y, z), to which the row has the product `along`."""
    kept = (1.0 - cosine) * along
    return (
        cosine * a + sine * (b * z - c * y) + kept * x,
        cosine * b + sine * (c * x - a * z) + kept * y,
        cosine * c + sine * (a * y - b * x) + kept * z,
    )


@inlined
def turn_by(a: float, b: float, c: float, w: float, x: float, y: float, z: float) -> tuple[float, float, float]:
    """A row r of a rotation times that of a unit quaternion: r + 2 w (r x v) + 2 (r x v) x v."""
    p, q, r = b * z - c * y, c * x - a * z, a * y - b * x
    return (
        a + 2.0 * (w * p + q * z - r * y),
        b + 2.0 * (w * q + r * x - p * z),
        c + 2.0 * (w * r + p * y - q * x),
    )


@inlined
def write_motion(
    slides: bool, u: float, v: float, w: float, x: float, y: float, z: float, at: int, work: Array
) -> None:
    """Angular velocity and velocity at O of a rate about or along (u, v, w); (x, y, z): its point seen from O."""
    if slides:
        work[at], work[at + 1], work[at + 2], work[at + 3], work[at + 4], work[at + 5] = 0.0, 0.0, 0.0, u, v, w
    else:
        work[at], work[at + 1], work[at + 2] = u, v, w
        work[at + 3], work[at + 4], work[at + 5] = y * w - z * v, z * u - x * w, x * v - y * u
