"""Jacobian inverse by singular values, the limits clamped after the solve: what Blender's solver does, and the baseline
of Engell-Norregard 2012 (equations 9 to 14).

With J K^(1/2) = U D V^T (K the mobilities),

    d = z + K^(1/2) sum_i v_i (u_i . (-r - J z)) / sigma_i     over the sigma_i above the threshold,

z the step that the preferences and null-space tasks want, followed in the null space of the goals (Welman 1993,
equation 3.8). (14) is printed as (J^T J)^-1 J^T, which does not exist where there are more columns than rows; the
pseudo-inverse is meant.

What is taken from Blender's own solver: each singular direction is bounded by itself (selective damping, Buss and Kim
2005: no angle moves more than gamma_i = `largest` min(1, N_i / M_i), with N_i = sum over goals |u_i| and M_i the sum
over goals and columns of |v_i| |J| / sigma_i), the share of 0.8 of that step is taken, the whole is shrunk again where
an angle would still move more than pi/4, singular values of 1e-10 and less are left out, and limits are clamped
afterwards. Blender then holds the clamped coordinate and solves again; the source clamps once, and so does this one.
"""

from __future__ import annotations

import math
from typing import ClassVar

from engine.ik.layout import (
    BLOCK,
    BLOCKS,
    BLOCKS_AT,
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    COLUMNS,
    COUNTS,
    HEIGHT,
    JACOBIAN,
    MAIN_ROWS,
    MOBILITY,
    RESIDUAL,
    ROW,
    ROWS,
    SOLVER,
    WORST,
    Packed,
)
from engine.ik.levenberg import write_task
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.ik.unchecked import PATIENCE, bound_step, is_done, return_to, take_step
from engine.maths.arrays import Array, IntArray
from engine.maths.orthogonal import measure_row, orthogonalise_rows
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass


@kernel
def write_rows(ints: IntArray, floats: Array, work: Array, task: Array, has_task: bool, out_rows: Array) -> int:
    """[J K^(1/2) | I | -r - J z], a row for each main row; returns the numbers in a row."""
    height, columns, rows = ints[MAIN_ROWS], ints[COLUMNS], ints[ROWS]
    stride = int(columns + height + 1)
    for row in range(height):
        line = row * stride
        total = -work[ints[RESIDUAL] + row]
        for column in range(columns):
            entry = work[ints[JACOBIAN] + column * rows + row]
            mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
            out_rows[line + column] = entry * math.sqrt(mobility)
            if has_task:
                total -= entry * task[column]
        for other in range(height):
            out_rows[line + columns + other] = 1.0 if other == row else 0.0
        out_rows[line + stride - 1] = total
    return stride


@kernel
def write_lengths(ints: IntArray, stride: int, rows: Array, out_lengths: Array) -> None:
    """Sum up for each column how far it moves the goals."""
    for column in range(ints[COLUMNS]):
        out_lengths[column] = 0.0
        for each in range(ints[BLOCKS]):
            block = ints[BLOCKS_AT] + each * BLOCK
            if ints[block + ROW] < ints[MAIN_ROWS]:
                total = 0.0
                for row in range(ints[block + ROW], ints[block + ROW] + ints[block + HEIGHT]):
                    total += rows[row * stride + column] ** 2
                out_lengths[column] += math.sqrt(total)


@kernel
def find_share(
    ints: IntArray, stride: int, row: int, rows: Array, lengths: Array, largest: float, value: float
) -> float:
    """Compute the share of a singular direction's step that may be taken."""
    columns, line = ints[COLUMNS], row * stride
    goals, reach, most = 0.0, 0.0, 0.0
    for each in range(ints[BLOCKS]):
        block = ints[BLOCKS_AT] + each * BLOCK
        if ints[block + ROW] < ints[MAIN_ROWS]:
            total = 0.0
            for other in range(ints[block + ROW], ints[block + ROW] + ints[block + HEIGHT]):
                total += rows[line + columns + other] ** 2
            goals += math.sqrt(total)
    for column in range(columns):
        reach += abs(rows[line + column]) * lengths[column]
        most = max(most, abs(rows[line + column]))
    most *= abs(rows[line + stride - 1]) / (value * value)
    reach /= value * value
    bound = largest * (goals / reach if goals < reach else 1.0)
    return bound / most if bound < most else 1.0


@kernel
def find_inverse_step(
    ints: IntArray,
    floats: Array,
    work: Array,
    task: Array,
    has_task: bool,
    threshold: float,
    largest: float,
    share: float,
    rows: Array,
    out_step: Array,
) -> None:
    """Find the step; `rows` takes the matrix, and one number a column after it."""
    height, columns = ints[MAIN_ROWS], ints[COLUMNS]
    stride = write_rows(ints, floats, work, task, has_task, rows)
    lengths = rows[height * stride :]
    write_lengths(ints, stride, rows, lengths)
    orthogonalise_rows(height, columns, stride, rows)
    for column in range(columns):
        out_step[column] = 0.0
    for row in range(height):
        value = measure_row(columns, row * stride, rows)
        if value <= threshold:
            continue
        part = share * find_share(ints, stride, row, rows, lengths, largest, value)
        factor = part * rows[(row + 1) * stride - 1] / (value * value)
        for column in range(columns):
            out_step[column] += factor * rows[row * stride + column]
    for column in range(columns):
        out_step[column] *= math.sqrt(floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY])
        if has_task:
            out_step[column] += task[column]
    bound_step(ints, largest, out_step)


@kernel
def advance_inverse(
    packed: Packed, q: Array, work: Array, count: int, threshold: float, largest: float, share: float
) -> float:
    """Advance by up to `count` iterations; q becomes the best pose of them. Returns the largest error as a part of what
    is allowed."""
    ints, floats = packed[2:4]
    columns = ints[COLUMNS]
    step = work[ints[SOLVER] :]
    task, best = step[columns:], step[2 * columns :]
    rows = best[2 * q.shape[0] :]
    squares = evaluate(packed, q, True, work)
    least = squares
    for each in range(q.shape[0]):
        best[each] = q[each]
    for _ in range(count):
        if is_done(ints, squares, work):
            break
        has_task = write_task(ints, floats, q, work, task)
        find_inverse_step(ints, floats, work, task, has_task, threshold, largest, share, rows, step)
        squares = take_step(packed, q, work, step, least, best)
        least = min(least, squares)
    if least < squares and work[ints[COUNTS] + WORST] > 1.0:
        return_to(packed, best, q, work)
    return float(work[ints[COUNTS] + WORST])


@dataclass(frozen=True, kw_only=True)
class Inverse(CheckedOptions):
    """Jacobian inverse by singular values, limits clamped after the solve."""

    threshold: float = option(
        1e-10,
        label="Smallest singular value",
        least=0.0,
        most=1.0,
        note="Directions that move the goals by no more than this per radian are left out of the inverse "
        "(Welman, equation 3.9).",
    )
    largest: float = option(
        0.25 * math.pi,
        label="Largest turn",
        unit="rad",
        least=1e-3,
        most=math.pi,
        note="The most that an angle moves in one iteration; less in directions that move the goals little.",
    )
    share: float = option(
        0.8,
        label="Share of the step",
        least=0.05,
        most=1.0,
        note="How much of the step d = J+ (g - y) is taken (equation 14); less calms the jitter at limits.",
    )

    label: ClassVar[str] = "Jacobian inverse (SVD)"
    source: ClassVar[str] = "Engell-Norregard 2012, equations 9 to 14, as Blender does it"
    patience: ClassVar[int] = PATIENCE
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        height, columns = problem.row_count, problem.column_count
        return 3 * columns + 2 * len(problem.model.rest) + height * (columns + height + 1)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_inverse(problem.packed, q, work, count, self.threshold, self.largest, self.share)
