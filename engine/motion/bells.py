"""Bells: smooth curves in time of value 1 and slope 0 in their middle and 0 from their ends on (Rahgoshay 2011, 3.1).

A bell is g(s(t)), s from -1 at its beginning over 0 in its middle to 1 at its end.

    Gaussian    g = exp(-c s^2 / (1 - s^2)), c = 9/2: in the middle the Gaussian exp(-s^2 / 2 sigma^2) of sigma = 1/3 of
                the width. The denominator takes the exponent to minus infinity at the ends, so that the tail needs no
                cut: value and all derivatives go to 0 there. (The source treats its Gaussian as if it had an end.)
    polynomial  g = (1 - s^2)^4: fuller, of degree 8, its first three derivatives 0 at the ends.

With different widths b before and a after the middle, s is not t/b and t/a: what a wiggle (a bell's derivative) does to
the velocity is the second derivative in the middle, which would jump there. Its slope goes from p to r within a time of
h = min(a, b) on both sides of the middle, as the polynomial B(u) = 1/2 + 15/16 u - 5/8 u^3 + 3/16 u^5 of u = t/h:

    s' = p + (r - p) B(t/h),    r = (b - 2 k h) / D,    p = (a - 2 k h) / D,    D = (a - k h)(b - k h) - (k h)^2,

with k = 5/32, the integral of 1 - B from 0 to 1, which are the slopes that take s to -1 and 1 exactly at the ends; for
a = b it is t/a. Value and three derivatives are continuous everywhere: the third is the acceleration of a wiggle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from engine.document.correction import Bell
from engine.maths.arrays import Array
from engine.motion.curve_kernels import TICKS
from engine.runtime.jit import kernel

GAUSSIAN, POLYNOMIAL = range(2)
KINDS = {"gaussian": GAUSSIAN, "polynomial": POLYNOMIAL}
KIND, MIDDLE, START, END, BLEND, SLOPE_BEFORE, SLOPE_AFTER = range(7)
BELL = 7

_SHARPNESS = 4.5
_SHARE = 5.0 / 32.0
_FLOOR = 1e-3  # of 1 - s^2: nearer to the ends a Gaussian is below exp(-4500), which is 0


def pack_bell(bell: Bell) -> Array:
    """The numbers that the kernels read."""
    before, after = bell.before / TICKS, bell.after / TICKS
    blend = min(before, after)
    bent = _SHARE * blend
    whole = (after - bent) * (before - bent) - bent * bent
    slopes = (after - 2.0 * bent) / whole, (before - 2.0 * bent) / whole
    return np.array([KINDS[bell.kind], bell.time, bell.start, bell.end, blend, *slopes], dtype=np.float64)


def bell_motion(bell: Bell, times: ArrayLike) -> Array:
    """Value, first, second [1/s2] and third derivative of a bell at some times [ticks], shape [len(times), 4]."""
    wanted = np.ascontiguousarray(np.atleast_1d(np.asarray(times, dtype=np.float64)))
    rows = np.empty((len(wanted), 4))
    evaluate_bells(pack_bell(bell), wanted, rows)
    return rows


def bell_matrix(bells: Sequence[Bell], times: Sequence[int]) -> Array:
    """Values of bells and of their wiggles at times, and the rates of both, for the interpolation of equations 4.4, 4.7
    and 4.8: shape [2, len(times), 2, len(bells)]; first index value or rate, third bell or wiggle."""
    rows = np.array([bell_motion(bell, times) for bell in bells]).reshape(len(bells), len(times), 4)
    values, rates = rows[:, :, 0:2], rows[:, :, 1:3]
    return np.ascontiguousarray(np.stack((values, rates)).transpose(0, 2, 3, 1))


@kernel
def shape_gaussian(s: float) -> tuple[float, float, float, float]:
    """The Gaussian of a bell and its three derivatives by s, between the ends."""
    v = 1.0 - s * s
    if v < _FLOOR:
        return 0.0, 0.0, 0.0, 0.0
    value = math.exp(-_SHARPNESS * s * s / v)
    first = -2.0 * _SHARPNESS * s / (v * v)
    second = -2.0 * _SHARPNESS * (1.0 + 3.0 * s * s) / (v * v * v)
    third = -24.0 * _SHARPNESS * s * (1.0 + s * s) / (v * v * v * v)
    bent = second + first * first
    return value, value * first, value * bent, value * (third + first * (2.0 * second + bent))


@kernel
def shape_polynomial(s: float) -> tuple[float, float, float, float]:
    """The polynomial of a bell and its three derivatives by s, between the ends."""
    v = 1.0 - s * s
    square = v * v
    second = square * (48.0 * s * s - 8.0 * v)
    return square * square, -8.0 * s * square * v, second, 48.0 * s * v * (3.0 * v - 4.0 * s * s)


@kernel
def warp_time(floats: Array, at: int, t: float) -> tuple[float, float, float, float]:
    """s and its three derivatives [1/s] when so many seconds have passed since the middle of a bell."""
    h, p, r = floats[at + BLEND], floats[at + SLOPE_BEFORE], floats[at + SLOPE_AFTER]
    step = r - p
    if t >= h:
        return r * t - step * _SHARE * h, r, 0.0, 0.0
    if t <= -h:
        return p * t - step * _SHARE * h, p, 0.0, 0.0
    u = t / h
    square = u * u
    share = 0.5 + u * (0.9375 + square * (0.1875 * square - 0.625))
    passed = u * (0.5 + u * (0.46875 + square * (0.03125 * square - 0.15625)))
    left = 1.0 - square
    bend, twist = 0.9375 * left * left / h, -3.75 * u * left / (h * h)
    return p * t + step * h * passed, p + step * share, step * bend, step * twist


@kernel
def evaluate_bell(floats: Array, at: int, time: float) -> tuple[float, float, float, float]:
    """Value, and first to third derivative [1/s, 1/s2, 1/s3], of a packed bell at a time [ticks]."""
    if time <= floats[at + START] or time >= floats[at + END]:
        return 0.0, 0.0, 0.0, 0.0
    s, s1, s2, s3 = warp_time(floats, at, (time - floats[at + MIDDLE]) / TICKS)
    if s * s >= 1.0:
        return 0.0, 0.0, 0.0, 0.0
    if int(floats[at + KIND]) == GAUSSIAN:
        value, first, second, third = shape_gaussian(s)
    else:
        value, first, second, third = shape_polynomial(s)
    rate, bend = first * s1, second * s1 * s1 + first * s2
    return value, rate, bend, third * s1 * s1 * s1 + 3.0 * second * s1 * s2 + first * s3


@kernel
def evaluate_bells(floats: Array, times: Array, out_rows: Array) -> None:
    """One packed bell at many times, shape [len(times), 4]."""
    for each in range(times.shape[0]):
        value, rate, bend, jerk = evaluate_bell(floats, 0, times[each])
        out_rows[each, 0], out_rows[each, 1], out_rows[each, 2], out_rows[each, 3] = value, rate, bend, jerk
