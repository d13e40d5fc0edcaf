"""Rotations as unit quaternions (w, x, y, z), matrices and Euler angles, in kernels.

An order of Euler angles is three axis numbers (0, 1, 2): the rotation is R_a(e0) R_b(e1) R_c(e2), each about the axis
that the one before has left. Twelve orders exist: six with three different axes, six that repeat the first one.
At gimbal lock (the middle angle at +-90 degrees, or at 0 and 180 for a repeated axis) only the sum or the difference
of the outer angles is determined; the last one is then taken as zero.

Symbols: q a quaternion, v a vector. Angles in radians.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.runtime.jit import entered_kernel, kernel

Order = NDArray[np.int32] | NDArray[np.float64]

ORDERS = tuple(
    first + second + third
    for first in "XYZ"
    for second in "XYZ"
    for third in "XYZ"
    if first != second and second != third
)
"""The twelve orders by name."""

_LOCKED = 1e-28  # of a squared sine: 1e-14 rad from gimbal lock


@kernel
def multiply_quaternions(a: Array, b: Array, out_product: Array) -> None:
    """a b: first b, then a. `out_product` may be either of them."""
    w = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    x = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]
    y = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1]
    z = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]
    out_product[0], out_product[1], out_product[2], out_product[3] = w, x, y, z


@kernel
def normalise_quaternion(out_q: Array) -> None:
    """Scale to norm 1; the identity where the norm is zero."""
    norm = math.sqrt(out_q[0] ** 2 + out_q[1] ** 2 + out_q[2] ** 2 + out_q[3] ** 2)
    if norm == 0.0:
        out_q[0], out_q[1], out_q[2], out_q[3] = 1.0, 0.0, 0.0, 0.0
    else:
        for each in range(4):
            out_q[each] /= norm


@kernel
def rotate_vector(q: Array, v: Array, out_v: Array) -> None:
    """q v q*. `out_v` may be `v`."""
    tx = 2.0 * (q[2] * v[2] - q[3] * v[1])
    ty = 2.0 * (q[3] * v[0] - q[1] * v[2])
    tz = 2.0 * (q[1] * v[1] - q[2] * v[0])
    x = v[0] + q[0] * tx + q[2] * tz - q[3] * ty
    y = v[1] + q[0] * ty + q[3] * tx - q[1] * tz
    z = v[2] + q[0] * tz + q[1] * ty - q[2] * tx
    out_v[0], out_v[1], out_v[2] = x, y, z


@kernel
def exponential(v: Array, out_q: Array) -> None:
    """The rotation by |v| about v."""
    angle = math.sqrt(v[0] ** 2 + v[1] ** 2 + v[2] ** 2)
    half = 0.5 * angle
    scale = 0.5 - half * half / 12.0 if angle < 1e-4 else math.sin(half) / angle
    out_q[0] = math.cos(half)
    out_q[1], out_q[2], out_q[3] = scale * v[0], scale * v[1], scale * v[2]


@entered_kernel
def logarithm(q: Array, out_v: Array) -> None:
    """The rotation vector of a unit quaternion, of length at most pi."""
    sign = -1.0 if q[0] < 0.0 else 1.0
    sine = math.sqrt(q[1] ** 2 + q[2] ** 2 + q[3] ** 2)
    cosine = sign * q[0]
    scale = (
        2.0 / cosine * (1.0 - sine * sine / (3.0 * cosine * cosine))
        if sine < 1e-4
        else 2.0 * math.atan2(sine, cosine) / sine
    )
    for each in range(3):
        out_v[each] = sign * scale * q[each + 1]


@entered_kernel
def matrix_to_quaternion(matrix: Array, out_q: Array) -> None:
    """Unit quaternion with w >= 0 of a rotation matrix (Shepperd's choice of the largest component)."""
    trace = matrix[0, 0] + matrix[1, 1] + matrix[2, 2]
    largest = 0
    for each in range(1, 3):
        if matrix[each, each] > matrix[largest, largest]:
            largest = each
    if trace > matrix[largest, largest]:
        out_q[0] = 1.0 + trace
        out_q[1] = matrix[2, 1] - matrix[1, 2]
        out_q[2] = matrix[0, 2] - matrix[2, 0]
        out_q[3] = matrix[1, 0] - matrix[0, 1]
    else:
        i, j, k = largest, (largest + 1) % 3, (largest + 2) % 3
        out_q[0] = matrix[k, j] - matrix[j, k]
        out_q[i + 1] = 1.0 + matrix[i, i] - matrix[j, j] - matrix[k, k]
        out_q[j + 1] = matrix[j, i] + matrix[i, j]
        out_q[k + 1] = matrix[k, i] + matrix[i, k]
    normalise_quaternion(out_q)
    if out_q[0] < 0.0:
        for each in range(4):
            out_q[each] = -out_q[each]


@kernel
def euler_to_quaternion(angles: Array, order: Order, out_q: Array) -> None:
    """The rotation of three angles in an order of three axis numbers."""
    step = np.empty(4)
    out_q[0], out_q[1], out_q[2], out_q[3] = 1.0, 0.0, 0.0, 0.0
    for each in range(3):
        step[0], step[1], step[2], step[3] = math.cos(0.5 * angles[each]), 0.0, 0.0, 0.0
        step[1 + int(order[each])] = math.sin(0.5 * angles[each])
        multiply_quaternions(out_q, step, out_q)


@kernel
def quaternion_to_euler(q: Array, order: Order, out_angles: Array) -> None:
    """Angles in the given order; the middle one in [-pi/2, pi/2], or [0, pi] where the first axis is repeated.

    After Bernardes and Viollet, Quaternion to Euler angles conversion (2022): the sum and the difference of the outer
    angles come from two-argument arc tangents of quaternion components, which stays accurate near gimbal lock.
    """
    i, j, k = int(order[2]), int(order[1]), int(order[0])
    repeated = i == k
    if repeated:
        k = 3 - i - j
    sign = 0.5 * (i - j) * (j - k) * (k - i)
    if repeated:
        a, b, c, d = q[0], q[i + 1], q[j + 1], sign * q[k + 1]
    else:
        a, b, c, d = q[0] - q[j + 1], q[i + 1] + sign * q[k + 1], q[j + 1] + q[0], sign * q[k + 1] - q[i + 1]
    upper, lower = a * a + b * b, c * c + d * d
    middle = 2.0 * math.atan2(math.sqrt(lower), math.sqrt(upper))
    plus, minus = math.atan2(b, a), math.atan2(d, c)
    if lower < _LOCKED * (upper + lower):
        first, last = 2.0 * plus, 0.0
    elif upper < _LOCKED * (upper + lower):
        first, last = 2.0 * minus, 0.0
    else:
        first, last = plus + minus, plus - minus
    if not repeated:
        first = sign * first
        middle -= 0.5 * math.pi
    out_angles[0], out_angles[1], out_angles[2] = wrap_angle(first), middle, wrap_angle(last)


@kernel
def wrap_angle(angle: float) -> float:
    """Wrap an angle into (-pi, pi]."""
    return angle - 2.0 * math.pi * math.ceil((angle - math.pi) / (2.0 * math.pi))


def turn_to(before: Array, after: Array) -> Array:
    """The rotation vector in the world from one rotation to another, each [3, 3]."""
    q, found = np.empty(4), np.empty(3)
    matrix_to_quaternion(np.ascontiguousarray(after @ before.T), q)
    logarithm(q, found)
    return found
