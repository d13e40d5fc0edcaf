"""Kernels from a path of rotations back to the three angles of a joint, with rates and accelerations.

Of the two branches, each with any number of whole turns, the one nearest to the joint's own Euler curves is taken, so
that nothing jumps at the keys. With the body axes v0, v1, v2 of the three hinges the angular velocity is
omega = v0 e0' + v1 e1' + v2 e2', hence e' = B^-1 omega and e'' = B^-1 (omega' - B' e').
Near gimbal lock det B is kept at `LOCK` at least, which bounds the rates; in it only the sum or the difference of the
outer angles is determined, and both are moved alike to it from the Euler curves' own angles.

Symbols: e angles [rad], omega angular velocity about the axes of the turned frame [rad/s].
"""

from __future__ import annotations

import math

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.maths.rotations import quaternion_to_euler, wrap_angle
from engine.motion.rotation_kernels import BEND, SPARE, TURN
from engine.runtime.jit import entered_kernel, kernel

LOCK = 1e-6
_LOCKED = 1e-12


@kernel
def turn_row_back(work: Array, row: int, axis: int, angle: float) -> None:
    """The vector in a row, seen from a frame turned by an angle about a main axis."""
    second, third = (axis + 1) % 3, (axis + 2) % 3
    cosine, sine = math.cos(angle), math.sin(angle)
    a, b = work[row, second], work[row, third]
    work[row, second], work[row, third] = cosine * a + sine * b, cosine * b - sine * a


@entered_kernel
def write_axes(work: Array, row: int, angles: int, order: IntArray) -> None:
    """The axes of the three hinges in the turned frame, in three rows."""
    for hinge in range(3):
        work[row + hinge, 0] = work[row + hinge, 1] = work[row + hinge, 2] = 0.0
        work[row + hinge, order[hinge]] = 1.0
        for later in range(hinge + 1, 3):
            turn_row_back(work, row + hinge, order[later], work[angles, later])


@kernel
def triple_product(work: Array, a: int, b: int, c: int) -> float:
    """a . (b x c) of three rows."""
    return float(
        work[a, 0] * (work[b, 1] * work[c, 2] - work[b, 2] * work[c, 1])
        + work[a, 1] * (work[b, 2] * work[c, 0] - work[b, 0] * work[c, 2])
        + work[a, 2] * (work[b, 0] * work[c, 1] - work[b, 1] * work[c, 0])
    )


@kernel
def nearest_turn(angle: float, near: float) -> float:
    """The angle, with as many whole turns as bring it nearest."""
    return float(angle + 2.0 * math.pi * np.rint((near - angle) / (2.0 * math.pi)))


@entered_kernel
def write_nearest_angles(work: Array, at: int, order: IntArray, near: int, out_row: int) -> None:
    """Angles of the quaternion at `at`, on the branch nearest to those in the row `near`."""
    quaternion_to_euler(work[at], order, work[out_row])
    repeated = order[0] == order[2]
    middle = work[out_row, 1]
    if abs(math.sin(middle) if repeated else math.cos(middle)) < _LOCKED:
        work[out_row, 1] = nearest_turn(middle, work[near, 1])
        axes = out_row + 1
        write_axes(work, axes, out_row, order)
        along = 0.0
        for each in range(3):
            along += work[axes, each] * work[axes + 2, each]
        sign = 1.0 if along > 0.0 else -1.0
        gap = wrap_angle(sign * work[out_row, 0] + work[out_row, 2] - sign * work[near, 0] - work[near, 2])
        work[out_row, 0] = work[near, 0] + 0.5 * sign * gap
        work[out_row, 2] = work[near, 2] + 0.5 * gap
        return
    plain, other = 0.0, 0.0
    for each in range(3):
        angle = work[out_row, each]
        flipped = angle + math.pi
        if each == 1:
            flipped = -angle if repeated else math.pi - angle
        work[out_row, each] = nearest_turn(angle, work[near, each])
        work[out_row + 1, each] = nearest_turn(flipped, work[near, each])
        plain += (work[out_row, each] - work[near, each]) ** 2
        other += (work[out_row + 1, each] - work[near, each]) ** 2
    if other < plain:
        for each in range(3):
            work[out_row, each] = work[out_row + 1, each]


@entered_kernel
def solve_rates(work: Array, axes: int, given: int, out_row: int) -> None:
    """The three rates whose turns about the axes add up to the vector in the row `given`."""
    scale = triple_product(work, axes, axes + 1, axes + 2)
    if abs(scale) < LOCK:
        scale = LOCK if scale >= 0.0 else -LOCK
    work[out_row, 0] = triple_product(work, given, axes + 1, axes + 2) / scale
    work[out_row, 1] = triple_product(work, axes, given, axes + 2) / scale
    work[out_row, 2] = triple_product(work, axes, axes + 1, given) / scale


@kernel
def subtract_turning(work: Array, axes: int, rates: int, out_row: int) -> None:
    """Subtract B' e' from a row: v2 is fixed, v1' = -(v2 e2') x v1 and v0' = -(v2 e2' + v1 e1') x v0."""
    for hinge in range(2):
        x = y = z = 0.0
        for later in range(hinge + 1, 3):
            x += work[rates, later] * work[axes + later, 0]
            y += work[rates, later] * work[axes + later, 1]
            z += work[rates, later] * work[axes + later, 2]
        a, b, c = work[axes + hinge, 0], work[axes + hinge, 1], work[axes + hinge, 2]
        rate = work[rates, hinge]
        work[out_row, 0] += rate * (y * c - z * b)
        work[out_row, 1] += rate * (z * a - x * c)
        work[out_row, 2] += rate * (x * b - y * a)


@kernel
def write_euler_motion(work: Array, at: int, entry: IntArray, on_key: bool) -> None:
    """Replace the angles of a joint's Euler curves by those of the path whose rotation stands at `at`.

    `entry`: three slots, three axis numbers, three signs (-1 for a hinge about a negative main axis). On a key the
    curves' own angles stay.
    """
    near, angles, axes = at + SPARE, at + SPARE + 1, at + SPARE + 2
    order, rates = entry[3:6], at + 3
    for each in range(3):
        work[near, each] = entry[6 + each] * work[entry[each], 0]
        work[angles, each] = work[near, each]
    if not on_key:
        write_nearest_angles(work, at, order, near, angles)
    write_axes(work, axes, angles, order)
    solve_rates(work, axes, at + TURN, rates)
    subtract_turning(work, axes, rates, at + BEND)
    solve_rates(work, axes, at + BEND, rates + 1)
    for each in range(3):
        if not on_key:
            work[entry[each], 0] = entry[6 + each] * work[angles, each]
        work[entry[each], 1] = entry[6 + each] * work[rates, each]
        work[entry[each], 2] = entry[6 + each] * work[rates + 1, each]
