"""Coordinates and rates: steps, differences and derivatives, for balls too.

A hinge's and a slide's rate is the derivative of its coordinate. A ball's coordinates are a unit quaternion
p = (w, x, y, z) and its three rates the angular velocity w about the axes of the frame that it has turned:
dp/dt = p (0, w) / 2, so w = 2 Im(p* dp/dt), a step is p exp(dt w) and a difference log(p* goal).

q: coordinates [rad, m], [coordinate_count]; qd: rates [rad/s, m/s], [rate_count].
"""

from __future__ import annotations

import math

from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, DOF_COUNT, DOF_INTS, DOF_STRIDE
from engine.runtime.jit import kernel


@kernel
def integrate_coordinates(ints: IntArray, q: Array, qd: Array, dt: float, out_q: Array) -> None:
    """q + dt qd; a ball turns by dt times its own rates and stays of unit length. `out_q` may be `q`."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL:
            out_q[at] = q[at] + dt * qd[rate]
            continue
        x, y, z = dt * qd[rate], dt * qd[rate + 1], dt * qd[rate + 2]
        angle = math.sqrt(x * x + y * y + z * z)
        half = 0.5 * angle
        scale = 0.5 - half * half / 12.0 if angle < 1e-4 else math.sin(half) / angle
        s, x, y, z = math.cos(half), scale * x, scale * y, scale * z
        w, a, b, c = q[at], q[at + 1], q[at + 2], q[at + 3]
        p = w * s - a * x - b * y - c * z
        i = w * x + a * s + b * z - c * y
        j = w * y - a * z + b * s + c * x
        k = w * z + a * y - b * x + c * s
        norm = math.sqrt(p * p + i * i + j * j + k * k)
        out_q[at], out_q[at + 1], out_q[at + 2], out_q[at + 3] = p / norm, i / norm, j / norm, k / norm


@kernel
def nudge_coordinates(ints: IntArray, q: Array, change: float, rates: Array, out_q: Array) -> None:
    """Move the pose along each rate alone by so much, shape [rate_count, coordinate_count]; `rates`: workspace."""
    rates[:] = 0.0
    for rate in range(len(rates)):
        rates[rate] = change
        integrate_coordinates(ints, q, rates, 1.0, out_q[rate])
        rates[rate] = 0.0


@kernel
def read_rates(ints: IntArray, q: Array, q_rate: Array, out_qd: Array) -> None:
    """The rates of coordinates that change by `q_rate` a second; what changes a quaternion's length is left out."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL:
            out_qd[rate] = q_rate[at]
            continue
        w, x, y, z = q[at], q[at + 1], q[at + 2], q[at + 3]
        p, a, b, c = q_rate[at], q_rate[at + 1], q_rate[at + 2], q_rate[at + 3]
        out_qd[rate] = 2.0 * (w * a - x * p - y * c + z * b)
        out_qd[rate + 1] = 2.0 * (w * b - y * p - z * a + x * c)
        out_qd[rate + 2] = 2.0 * (w * c - z * p - x * b + y * a)


@kernel
def compute_difference(ints: IntArray, q: Array, goal: Array, out_difference: Array) -> None:
    """goal - q for each rate; for a ball the shorter rotation there, as a vector in the frame that it has turned."""
    for dof in range(ints[DOF_COUNT]):
        entry = ints[DOF_INTS] + dof * DOF_STRIDE
        at, rate = ints[entry + 1], ints[entry + 2]
        if ints[entry] != BALL:
            out_difference[rate] = goal[at] - q[at]
            continue
        w, x, y, z = q[at], -q[at + 1], -q[at + 2], -q[at + 3]
        p, a, b, c = goal[at], goal[at + 1], goal[at + 2], goal[at + 3]
        cosine = w * p - x * a - y * b - z * c
        i = w * a + x * p + y * c - z * b
        j = w * b - x * c + y * p + z * a
        k = w * c + x * b - y * a + z * p
        sign = -1.0 if cosine < 0.0 else 1.0
        sine, cosine = math.sqrt(i * i + j * j + k * k), sign * cosine
        ratio = sine / cosine
        scale = 2.0 / cosine * (1.0 - ratio * ratio / 3.0) if sine < 1e-4 else 2.0 * math.atan2(sine, cosine) / sine
        scale *= sign
        out_difference[rate], out_difference[rate + 1], out_difference[rate + 2] = scale * i, scale * j, scale * k
