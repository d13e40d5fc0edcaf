"""Jacobian transpose: steps along -K g of a length that is fixed, or given by a formula; nothing looks whether f falls.

    q <- P(q - t K g),   g = 2 J^T r                                  (Engell-Norregard 2012, equations 26 and 27)

The source's fixed t is 0.005 in its unit of length, 0.2 m; g goes with the square of a length, so in metres t is
0.005 / 0.2^2 = 0.125, and the 0.05 of its figure 8, where poses flip to and fro, is 1.25. Many write the step as
t' J^T e, without the 2 of equation 26: t' = 2 t. The formula is equation 28, t' = e.z / z.z with z = J K J^T e, the t'
that makes |e - t' z| least. Limits are clamped after the step, which goes along
the boundary of a region that the pose stands at. Tasks are followed as in `engine.ik.descent`.
"""

from __future__ import annotations

from typing import ClassVar

from engine.ik.descent import count_iteration, follow_tasks, is_finished, model_length, task_size, write_gradient
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    COLUMNS,
    COUNTS,
    FIELDS_END,
    MAIN_ROWS,
    MOBILITY,
    SOLVER,
    SQUARES,
    STALLED,
    WORST,
    Packed,
)
from engine.ik.problem import Problem
from engine.ik.region_kernels import slide_step
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

FARTHEST = 1e24  # [m2] f beyond which a pose has run away and is not taken


@kernel
def take_step(packed: Packed, q: Array, step: Array, length: float, work: Array, out_workspace: Array) -> None:
    """q <- P(q + t d), tasks, and the counts; a step that leads nowhere or runs away sets STALLED."""
    ints, floats, regions = packed[2:]
    counts = ints[COUNTS]
    squares = work[counts + SQUARES]
    move_pose(ints, floats, regions, q, step, length, out_workspace)
    found = evaluate(packed, out_workspace, True, work)
    if not found < FARTHEST:
        evaluate(packed, q, True, work)
        work[counts + STALLED] = 1.0
        return
    for each in range(q.shape[0]):
        q[each] = out_workspace[each]
    if abs(squares - found) <= 1e-9 * squares:
        work[counts + STALLED] = 1.0
    follow_tasks(packed, q, max(found, 0.5 * (squares + found)), work, out_workspace)
    count_iteration(ints, work)


@kernel
def advance_transpose(packed: Packed, q: Array, work: Array, count: int, t: float) -> float:
    """Advance by up to `count` iterations with the length t, or where it is 0 with that of equation 28; q is moved.
    Returns the largest error as a part of what is allowed."""
    ints, floats, regions = packed[2:]
    columns, counts = ints[COLUMNS], ints[COUNTS]
    step = work[ints[SOLVER] :]
    rows, workspace = step[columns:], step[columns + ints[MAIN_ROWS] :]
    evaluate(packed, q, True, work)
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_gradient(ints, work, step)
        for column in range(columns):
            step[column] *= -floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        if ints[FIELDS_END] > 0:
            slide_step(ints, floats, regions, q, step)
        length = t if t > 0.0 else model_length(ints, work, step, rows)
        take_step(packed, q, step, length, work, workspace)
    return float(work[counts + WORST])


def transpose_space(problem: Problem) -> int:
    """Return the size of the workspace that a transpose needs."""
    return problem.column_count + problem.row_count + task_size(problem)


@dataclass(frozen=True, kw_only=True)
class Transpose(CheckedOptions):
    """Jacobian transpose with a fixed step."""

    length: float = option(
        0.125,
        label="Step",
        unit="1/m2",
        least=1e-6,
        most=100.0,
        note="t of equation 27. 0.125 is the source's 0.005 in its unit of 0.2 m; its figure 8 flips at 1.25.",
    )

    label: ClassVar[str] = "Jacobian transpose, fixed step"
    source: ClassVar[str] = "Engell-Norregard 2012, equations 26 and 27"
    patience: ClassVar[int] = 200
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        return transpose_space(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_transpose(problem.packed, q, work, count, self.length)


@dataclass(frozen=True, kw_only=True)
class TransposeByModel:
    """Jacobian transpose with the step that the linear model tells."""

    label: ClassVar[str] = "Jacobian transpose, e\N{DOT OPERATOR}z / z\N{DOT OPERATOR}z step"
    source: ClassVar[str] = "Engell-Norregard 2012, equation 28"
    patience: ClassVar[int] = 200
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        return transpose_space(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_transpose(problem.packed, q, work, count, 0.0)
