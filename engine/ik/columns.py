"""Columns of the Jacobian, of which only the rows that they move are looked at.

`dot_column` is put into its callers: as a call, it took a fifth of an iteration of Levenberg-Marquardt.
"""

from __future__ import annotations

from engine.ik.layout import (
    COLUMN_INTS,
    COLUMNS,
    COLUMNS_AT,
    JACOBIAN,
    MAIN_ROWS,
    RESIDUAL,
    ROWS,
    SPAN,
    SPANS_FROM,
    SPANS_TO,
)
from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel


@borrowing
@kernel
def add_outer(ints: IntArray, jacobian: Array, column: int, factor: float, out_a: Array) -> None:
    """A += factor j j^T over the rows that the column moves, three rows at a time: the lower triangle, and a few
    numbers beside it."""
    height = ints[MAIN_ROWS]
    place, at = ints[COLUMNS_AT] + column * COLUMN_INTS, column * ints[ROWS]
    for first in range(ints[place + SPANS_FROM], ints[place + SPANS_TO], SPAN):
        end = min(ints[first + 1], height)
        for row in range(ints[first], end, 3):
            lines = min(3, end - row)
            for second in range(ints[place + SPANS_FROM], first + SPAN, SPAN):
                last = min(ints[second + 1], row + lines)
                whole = ints[second] + (last - ints[second]) // 3 * 3 if lines == 3 else ints[second]
                for other in range(ints[second], whole, 3):
                    u, v, w = jacobian[at + other], jacobian[at + other + 1], jacobian[at + other + 2]
                    for line in range(3):
                        scaled, into = factor * jacobian[at + row + line], (row + line) * height + other
                        out_a[into] += scaled * u
                        out_a[into + 1] += scaled * v
                        out_a[into + 2] += scaled * w
                for other in range(whole, last):
                    for line in range(lines):
                        out_a[(row + line) * height + other] += (
                            factor * jacobian[at + row + line] * jacobian[at + other]
                        )


@borrowing
@kernel
def add_column(ints: IntArray, jacobian: Array, column: int, factor: float, out_rows: Array) -> None:
    """rows += factor j."""
    place, at = ints[COLUMNS_AT] + column * COLUMN_INTS, column * ints[ROWS]
    for span in range(ints[place + SPANS_FROM], ints[place + SPANS_TO], SPAN):
        for row in range(ints[span], min(ints[span + 1], ints[MAIN_ROWS])):
            out_rows[row] += factor * jacobian[at + row]


@borrowing
@kernel
def model_squares(ints: IntArray, work: Array, step: Array, out_rows: Array) -> float:
    """|r + J d|^2."""
    height = ints[MAIN_ROWS]
    for row in range(height):
        out_rows[row] = work[ints[RESIDUAL] + row]
    for column in range(ints[COLUMNS]):
        if step[column] != 0.0:
            add_column(ints, work[ints[JACOBIAN] :], column, step[column], out_rows)
    squares = 0.0
    for row in range(height):
        squares += out_rows[row] * out_rows[row]
    return squares


@borrowing
@inlined
def dot_column(ints: IntArray, jacobian: Array, column: int, rows: Array) -> float:
    """j . rows, over the main rows."""
    place, at, height = ints[COLUMNS_AT] + column * COLUMN_INTS, column * ints[ROWS], ints[MAIN_ROWS]
    span, end, total = ints[place + SPANS_FROM], ints[place + SPANS_TO], 0.0
    while span < end:
        row, last = ints[span], min(ints[span + 1], height)
        while row < last:
            total += jacobian[at + row] * rows[row]
            row += 1
        span += SPAN
    return total
