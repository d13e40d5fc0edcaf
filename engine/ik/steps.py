"""Moving a pose: q <- P(q + t d), with d a step of the columns and P the projection onto the limits: of each
coordinate first, then of those over several angles.

A ball's three numbers are a turn about its own axes: its quaternion is multiplied from the right by exp(t d / 2).
"""

from __future__ import annotations

import math

from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    FIELDS_END,
    LOWER,
    PART,
    UPPER,
    Regions,
)
from engine.ik.region_kernels import keep_regions
from engine.limits.box import clamp_coordinate
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel


@borrowing
@kernel
def turn_ball(q: Array, at: int, x: float, y: float, z: float, out_q: Array) -> None:
    """Quaternion times exp(half the turn)."""
    angle = math.sqrt(x * x + y * y + z * z)
    factor = math.sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
    c, x, y, z = math.cos(0.5 * angle), factor * x, factor * y, factor * z
    a, b, e, f = q[at], q[at + 1], q[at + 2], q[at + 3]
    w0, x0 = a * c - b * x - e * y - f * z, a * x + b * c + e * z - f * y
    y0, z0 = a * y - b * z + e * c + f * x, a * z + b * y - e * x + f * c
    norm = 1.0 / math.sqrt(w0 * w0 + x0 * x0 + y0 * y0 + z0 * z0)
    out_q[at], out_q[at + 1], out_q[at + 2], out_q[at + 3] = w0 * norm, x0 * norm, y0 * norm, z0 * norm


@borrowing
@kernel
def move_pose(
    ints: IntArray, floats: Array, regions: Regions, q: Array, step: Array, factor: float, out_q: Array
) -> None:
    """The projected step from q, into another array; coordinates that no column moves are copied."""
    for each in range(q.shape[0]):
        out_q[each] = q[each]
    for column in range(ints[COLUMNS]):
        place, limits = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        at, part = ints[place + COORDINATE], ints[place + PART]
        if part == 0:
            out_q[at] = clamp_coordinate(q[at] + factor * step[column], floats[limits + LOWER], floats[limits + UPPER])
        elif part == 1:
            turn_ball(q, at, factor * step[column], factor * step[column + 1], factor * step[column + 2], out_q)
    if ints[FIELDS_END] > 0:
        keep_regions(ints, regions, q, out_q)
