"""Transposed derivatives of the rotations of points (`frames.py`) by where points are.

A point's rotation R is nearest to a gradient F that is a sum over the points around, F = R S. From a change of F it
turns by R^T dR = [o]x with (tr S - S) o = 2 axis of the skew part of R^T dF, so that a covector C of R gives

    R [p]x  by F,   (tr S - S) p = 2 axis of the skew part of R^T C
"""

from __future__ import annotations

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.frames import PointFrames, sum_gradients
from engine.soft.lanes import PLACE
from engine.soft.pattern import Pattern


@kernel
def transpose_turns(
    pattern: Pattern, frames: PointFrames, x: Array, rotations: Array, turns: Array, room: Array, out_x: Array
) -> None:
    """Add what covectors of the rotations of points give by where the points are. `room`: of as many numbers."""
    count, stretch, own = pattern.starts.shape[0] - 1, np.empty((3, 3)), np.empty((3, 3))
    sum_gradients(pattern, frames, x, room)
    for point in range(count):
        a = (9 * point) & PLACE
        f, r, c = room[a : a + 9], rotations[a : a + 9], turns[a : a + 9]
        if not c.any():
            f[:] = 0.0
            continue
        for i in range(3):
            for j in range(3):
                stretch[i, j] = -(r[i] * f[j] + r[3 + i] * f[3 + j] + r[6 + i] * f[6 + j])
                own[i, j] = r[i] * c[j] + r[3 + i] * c[3 + j] + r[6 + i] * c[6 + j]
        trace = stretch[0, 0] + stretch[1, 1] + stretch[2, 2]
        for i in range(3):
            stretch[i, i] -= trace
        p, q, s = solve_three(stretch, own[2, 1] - own[1, 2], own[0, 2] - own[2, 0], own[1, 0] - own[0, 1])
        for i in range(3):
            u, v, w = r[3 * i], r[3 * i + 1], r[3 * i + 2]
            f[3 * i], f[3 * i + 1], f[3 * i + 2] = v * s - w * q, w * p - u * s, u * q - v * p
    for point in range(count):
        a = (9 * point) & PLACE
        for place in range(pattern.starts[point] + 1, pattern.starts[point + 1]):
            other = pattern.columns[place]
            b = (9 * other) & PLACE
            for row in range(3):
                total = 0.0
                for way in range(3):
                    total += room[a + 3 * row + way] * frames.slopes[place, way]
                    total += room[b + 3 * row + way] * frames.slopes[place, 3 + way]
                out_x[3 * other + row] += total
                out_x[3 * point + row] -= total


@inlined
def solve_three(matrix: Array, a: float, b: float, c: float) -> tuple[float, float, float]:
    """Solve three equations of a symmetric matrix by its cofactors."""
    m00, m01, m02, m11, m12, m22 = matrix[0, 0], matrix[0, 1], matrix[0, 2], matrix[1, 1], matrix[1, 2], matrix[2, 2]
    p, q, r = m11 * m22 - m12 * m12, m02 * m12 - m01 * m22, m01 * m12 - m02 * m11
    s, t, u = m00 * m22 - m02 * m02, m01 * m02 - m00 * m12, m00 * m11 - m01 * m01
    size = m00 * p + m01 * q + m02 * r
    return (p * a + q * b + r * c) / size, (q * a + s * b + t * c) / size, (r * a + t * b + u * c) / size
