"""A correction added to what the layers have given: a sum of bells and wiggles, in closed form to the acceleration.

    f = sum_i lambda_i phi_i + beta_i phi_i',   f' = sum_i lambda_i phi_i' + beta_i phi_i'',   and so on

(`engine.document.correction`; phi_i: `engine.motion.bells`). A weight w of the layer that moves makes it w f, with the
derivatives of that product. A number is added to its coordinate. Of a ball, r = w f is a rotation vector [rad] about
the axes of the turned body, and its quaternion is multiplied from the right by

    e = (C, K r),   C = cos(|r| / 2),   K = sin(|r| / 2) / |r|,   both analytic in u = |r|^2:
    dC/du = -K / 4,   dK/du = (C / 2 - K) / (2 u),   d2K/du2 = -(K / 8 + 3 dK/du) / (2 u),

near u = 0 by their series. Layout: for each term a packed bell, then amplitude and wiggle of every row; a row is one
number of f. `work` from row `first` on: f, f', f'' of each.
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array, IntArray
from engine.maths.rotations import multiply_quaternions
from engine.motion.bells import BELL, END, START, evaluate_bell
from engine.runtime.jit import kernel

CORRECTED_ENTRY = 3  # whether it is a ball, its place among the coordinates, its first row
_SMALL = 1e-2  # of u: the series below are exact to rounding, the closed forms not yet hurt by cancellation


@kernel
def sum_terms(terms: IntArray, floats: Array, count: int, time: float, first: int, out_work: Array) -> bool:
    """f and its derivatives at a time [ticks], in rows from `first` on; False where no bell is there."""
    some = False
    for term in range(terms.shape[0]):
        at = terms[term]
        if time <= floats[at + START] or time >= floats[at + END]:
            continue
        if not some:
            for row in range(first, first + count):
                out_work[row, 0], out_work[row, 1], out_work[row, 2] = 0.0, 0.0, 0.0
            some = True
        value, rate, bend, jerk = evaluate_bell(floats, at, time)
        for row in range(count):
            amplitude, wiggle = floats[at + BELL + 2 * row], floats[at + BELL + 2 * row + 1]
            out_work[first + row, 0] += amplitude * value + wiggle * rate
            out_work[first + row, 1] += amplitude * rate + wiggle * bend
            out_work[first + row, 2] += amplitude * bend + wiggle * jerk
    return some


@kernel
def shape_turn(u: float) -> tuple[float, float, float, float]:
    """C, K and the first two derivatives of K by u."""
    if u < _SMALL:
        k = 0.5 + u * (-1.0 / 48.0 + u * (1.0 / 3840.0 + u * (-1.0 / 645120.0 + u / 185794560.0)))
        k1 = -1.0 / 48.0 + u * (1.0 / 1920.0 + u * (-1.0 / 215040.0 + u / 46448640.0))
        k2 = 1.0 / 1920.0 + u * (-1.0 / 107520.0 + u / 15482880.0)
        return math.cos(0.5 * math.sqrt(u)), k, k1, k2
    angle = math.sqrt(u)
    c, k = math.cos(0.5 * angle), math.sin(0.5 * angle) / angle
    k1 = (0.5 * c - k) / (2.0 * u)
    return c, k, k1, -(0.125 * k + 3.0 * k1) / (2.0 * u)


@kernel
def write_turn(work: Array, row: int, out_row: int) -> None:
    """The quaternion of the rotation vector whose components stand in three rows, with its rate and acceleration."""
    u, u1, u2 = 0.0, 0.0, 0.0
    for each in range(row, row + 3):
        r, r1, r2 = work[each, 0], work[each, 1], work[each, 2]
        u += r * r
        u1 += 2.0 * r * r1
        u2 += 2.0 * (r1 * r1 + r * r2)
    c, k, k1, k2 = shape_turn(u)
    work[out_row, 0], work[out_row + 1, 0] = c, -0.25 * k * u1
    work[out_row + 2, 0] = -0.25 * (k1 * u1 * u1 + k * u2)
    for each in range(3):
        r, r1, r2 = work[row + each, 0], work[row + each, 1], work[row + each, 2]
        work[out_row, each + 1] = k * r
        work[out_row + 1, each + 1] = k1 * u1 * r + k * r1
        work[out_row + 2, each + 1] = (k2 * u1 * u1 + k1 * u2) * r + 2.0 * k1 * u1 * r1 + k * r2


@kernel
def multiply_motion(work: Array, scratch: int, out_motion: Array, q: int) -> None:
    """A ball of `out_motion`, shape [3, coordinate_count], times the quaternion in row `scratch` from the right,
    with its rate and acceleration in the next two."""
    below, product = scratch + 3, scratch + 6
    for order in range(3):
        for each in range(4):
            work[below + order, each] = out_motion[order, q + each]
    for order in range(3):
        work[product, :] = 0.0
        for first in range(order + 1):
            multiply_quaternions(work[below + first], work[scratch + order - first], work[product + 1])
            times = 2.0 if order == 2 and first == 1 else 1.0
            for each in range(4):
                work[product, each] += times * work[product + 1, each]
        for each in range(4):
            out_motion[order, q + each] = work[product, each]


@kernel
def add_correction(
    corrected: IntArray, scratch: int, first: int, w: float, w1: float, w2: float, work: Array, out_motion: Array
) -> None:
    """Add the sums that `sum_terms` found, times the layer's weight, to what the layers have given, shape [3,
    coordinate_count]."""
    for entry in range(0, corrected.shape[0], CORRECTED_ENTRY):
        is_ball, q, start = corrected[entry], corrected[entry + 1], first + corrected[entry + 2]
        for row in range(start, start + (3 if is_ball > 0 else 1)):
            value, rate, bend = work[row, 0], work[row, 1], work[row, 2]
            work[row, 0], work[row, 1] = w * value, w * rate + w1 * value
            work[row, 2] = w * bend + 2.0 * w1 * rate + w2 * value
        if is_ball > 0:
            write_turn(work, start, scratch)
            multiply_motion(work, scratch, out_motion, q)
        else:
            for order in range(3):
                out_motion[order, q] += work[start, order]
