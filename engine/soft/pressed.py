"""Kernels: points that contact makes stiff, relaxed before and after the preconditioner, which knows of no contact.

Contact is ten times as stiff as the cells about it, friction as much, and the matrix at rest (`layers.py`) has neither.
So a residual r is first relaxed at these points and those joined to them alone by a sweep of block Gauss-Seidel, then
comes the inverse at rest, then a sweep backward:

    z = F r,  z <- z + P (r - A z),  z <- z + F^T (r - A z)

F the inverse of the lower triangle of A among these points. It is symmetric and positive definite as long as A and P
are, since such a sweep never makes an error longer in the norm of A. A point counts as stiff where the trace of its
diagonal block is more than STIFF times that at rest. Measured on an arm of flesh that lies on a table: 13.8 products a
step, 16.3 where the points beside were left out, and 25 or more without such sweeps.

F r is zero but at these points, and the last sweep reads what is left there alone: so neither A z takes more than the
blocks of these points, which are listed when a matrix is made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import PLACE
from engine.soft.pattern import Pattern

STIFF = 2.0


class Pressed(NamedTuple):
    """The points that are stiff now, and those joined to them."""

    usual: Array  # trace of each point's diagonal block at rest
    points: IntArray  # rising; as many as `number` says
    number: IntArray  # of these, and of the blocks below: shape [2]
    marks: IntArray  # 1 for each point that is stiff, 2 for one that is joined to such, or 0
    inverses: Array  # of their diagonal blocks, in the order of `points`, shape [9 point_count]
    rows: IntArray  # of the blocks beside the diagonal that one of these points has, shape [block_count]
    places: IntArray  # of them
    room: Array  # shape [2, 3 point_count]


def no_pressed(count: int, blocks: int) -> Pressed:
    """Make room for so many points and blocks, of which none is stiff."""
    return Pressed(
        np.full(count, np.inf),
        np.zeros(count, dtype=np.int32),
        np.zeros(2, dtype=np.int32),
        np.zeros(count, dtype=np.int32),
        np.zeros(9 * count),
        np.zeros(blocks, dtype=np.int32),
        np.zeros(blocks, dtype=np.int32),
        np.zeros((2, 3 * count)),
    )


@kernel
def find_traces(pattern: Pattern, values: Array, out: Array) -> None:
    """Find the trace of each point's diagonal block."""
    for point in range(out.shape[0]):
        k = (9 * pattern.starts[point]) & PLACE
        out[point] = values[k] + values[k + 4] + values[k + 8]


@kernel
def invert_block(m: Array, k: int, out: Array, q: int) -> None:
    """Invert a symmetric block."""
    a, b, c, d, e, f = m[k], m[k + 1], m[k + 2], m[k + 4], m[k + 5], m[k + 8]
    p, r, s = d * f - e * e, c * e - b * f, b * e - c * d
    whole = a * p + b * r + c * s
    out[q], out[q + 1], out[q + 2] = p / whole, r / whole, s / whole
    out[q + 3], out[q + 4], out[q + 5] = r / whole, (a * f - c * c) / whole, (b * c - a * e) / whole
    out[q + 6], out[q + 7], out[q + 8] = s / whole, (b * c - a * e) / whole, (a * d - b * b) / whole


@kernel
def mark_pressed(pattern: Pattern, values: Array, free: Array, pressed: Pressed) -> int:
    """Mark the points that are stiff, and those joined to them; how many are stiff."""
    count, marks = 0, pressed.marks
    for point in range(pressed.usual.shape[0]):
        k = (9 * pattern.starts[point]) & PLACE
        trace = values[k] + values[k + 4] + values[k + 8]
        stiff = free[3 * point] != 0.0 and trace > STIFF * pressed.usual[point]
        marks[point] = 1 if stiff else 0
        count += marks[point]
    for row in range(pattern.starts.shape[0] - 1 if count > 0 else 0):
        for place in range(pattern.starts[row] + 1, pattern.starts[row + 1]):
            column = pattern.columns[place]
            if marks[row] == 1 and marks[column] == 0 and free[3 * column] != 0.0:
                marks[column] = 2
            elif marks[column] == 1 and marks[row] == 0 and free[3 * row] != 0.0:
                marks[row] = 2
    return count


@kernel
def find_pressed(pattern: Pattern, values: Array, free: Array, pressed: Pressed) -> None:
    """List the points that are stiff and those joined to them with all their blocks; invert the diagonal ones."""
    pressed.number[0] = pressed.number[1] = 0
    if mark_pressed(pattern, values, free, pressed) == 0:
        return
    points, blocks = 0, 0
    for row in range(pattern.starts.shape[0] - 1):
        if pressed.marks[row] != 0:
            pressed.points[points] = row
            invert_block(values, (9 * pattern.starts[row]) & PLACE, pressed.inverses, 9 * points)
            points += 1
        for place in range(pattern.starts[row] + 1, pattern.starts[row + 1]):
            if pressed.marks[row] + pressed.marks[pattern.columns[place]] > 0:
                pressed.rows[blocks], pressed.places[blocks] = row, place
                blocks += 1
    pressed.number[0], pressed.number[1] = points, blocks


@kernel
def subtract_pressed(pattern: Pattern, values: Array, pressed: Pressed, given: Array, out: Array) -> None:
    """Subtract the product of the blocks of stiff points with a vector from another."""
    for each in range(pressed.number[0]):
        point = pressed.points[each]
        at, k = (3 * point) & PLACE, (9 * pattern.starts[point]) & PLACE
        x, y, z = given[at], given[at + 1], given[at + 2]
        out[at] -= values[k] * x + values[k + 1] * y + values[k + 2] * z
        out[at + 1] -= values[k + 3] * x + values[k + 4] * y + values[k + 5] * z
        out[at + 2] -= values[k + 6] * x + values[k + 7] * y + values[k + 8] * z
    for each in range(pressed.number[1]):
        place = pressed.places[each]
        at, to, k = (3 * pressed.rows[each]) & PLACE, (3 * pattern.columns[place]) & PLACE, (9 * place) & PLACE
        x, y, z, u, v, w = given[at], given[at + 1], given[at + 2], given[to], given[to + 1], given[to + 2]
        out[at] -= values[k] * u + values[k + 1] * v + values[k + 2] * w
        out[at + 1] -= values[k + 3] * u + values[k + 4] * v + values[k + 5] * w
        out[at + 2] -= values[k + 6] * u + values[k + 7] * v + values[k + 8] * w
        out[to] -= values[k] * x + values[k + 3] * y + values[k + 6] * z
        out[to + 1] -= values[k + 1] * x + values[k + 4] * y + values[k + 7] * z
        out[to + 2] -= values[k + 2] * x + values[k + 5] * y + values[k + 8] * z


@kernel
def relax_forward(pattern: Pattern, values: Array, pressed: Pressed, given: Array, out: Array) -> None:
    """Solve with the lower triangle among stiff points; zero at others."""
    starts, columns = pattern.starts, pattern.columns
    out[:] = 0.0
    for each in range(pressed.number[0]):
        point = pressed.points[each]
        at, q = (3 * point) & PLACE, (9 * each) & PLACE
        # what those before it take away lies in `out` already, with the opposite sign
        x, y, z = given[at] - out[at], given[at + 1] - out[at + 1], given[at + 2] - out[at + 2]
        m = pressed.inverses
        u = m[q] * x + m[q + 1] * y + m[q + 2] * z
        v = m[q + 3] * x + m[q + 4] * y + m[q + 5] * z
        w = m[q + 6] * x + m[q + 7] * y + m[q + 8] * z
        out[at], out[at + 1], out[at + 2] = u, v, w
        for place in range(starts[point] + 1, starts[point + 1]):
            if pressed.marks[columns[place]] != 0:
                to, k = (3 * columns[place]) & PLACE, (9 * place) & PLACE
                out[to] += values[k] * u + values[k + 3] * v + values[k + 6] * w
                out[to + 1] += values[k + 1] * u + values[k + 4] * v + values[k + 7] * w
                out[to + 2] += values[k + 2] * u + values[k + 5] * v + values[k + 8] * w


@kernel
def relax_backward(pattern: Pattern, values: Array, pressed: Pressed, given: Array, out: Array) -> None:
    """Solve with the upper triangle among stiff points, and add that; `given` is used up."""
    starts, columns = pattern.starts, pattern.columns
    for each in range(pressed.number[0] - 1, -1, -1):
        point = pressed.points[each]
        at, q = (3 * point) & PLACE, (9 * each) & PLACE
        x, y, z = given[at], given[at + 1], given[at + 2]
        for place in range(starts[point] + 1, starts[point + 1]):
            if pressed.marks[columns[place]] != 0:
                to, k = (3 * columns[place]) & PLACE, (9 * place) & PLACE
                u, v, w = given[to], given[to + 1], given[to + 2]  # what was found there
                x -= values[k] * u + values[k + 1] * v + values[k + 2] * w
                y -= values[k + 3] * u + values[k + 4] * v + values[k + 5] * w
                z -= values[k + 6] * u + values[k + 7] * v + values[k + 8] * w
        m = pressed.inverses
        given[at] = m[q] * x + m[q + 1] * y + m[q + 2] * z
        given[at + 1] = m[q + 3] * x + m[q + 4] * y + m[q + 5] * z
        given[at + 2] = m[q + 6] * x + m[q + 7] * y + m[q + 8] * z
        for way in range(3):
            out[at + way] += given[at + way]
