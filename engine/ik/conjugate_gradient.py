"""Projected non-linear conjugate gradient (Engell-Norregard 2012, section 7, and Engell-Norregard and Erleben 2009).

d <- -K g + max(0, g^T K (g - g_before) / g_before^T K g_before) d  (Polak and Ribiere; the maximum: Gilbert and
Nocedal 1992), q <- P(q + t d) by the line search of the projected gradient, which begins with the t at which the linear
model of the residual is least. The search starts again from -K g when other limits hold than before, when d no longer
goes down or gains next to nothing, and after as many iterations as there are columns.
"""

from __future__ import annotations

from typing import ClassVar

from engine.ik.descent import (
    count_iteration,
    follow_tasks,
    is_finished,
    model_length,
    search_line,
    task_size,
    write_descent,
    write_gradient,
)
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    COLUMNS,
    COUNTS,
    LENGTH,
    MAIN_ROWS,
    MOBILITY,
    SOLVER,
    SQUARES,
    STALLED,
    WORST,
    Packed,
)
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass


@kernel
def conjugate(ints: IntArray, floats: Array, gradient: Array, before: Array, way: Array, out_step: Array) -> bool:
    """d <- -K g + beta d, where `way` is -K g; whether it kept any of d."""
    above, below = 0.0, 0.0
    for column in range(ints[COLUMNS]):
        mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        if (way[column] == 0.0) != (out_step[column] == 0.0):
            below = 0.0
            break
        if way[column] != 0.0:
            above -= way[column] * (gradient[column] - before[column])
            below += mobility * before[column] * before[column]
    beta = max(0.0, above / below) if below > 0.0 else 0.0
    slope = 0.0
    for column in range(ints[COLUMNS]):
        slope += gradient[column] * (way[column] + beta * out_step[column])
    if not slope < 0.0:
        beta = 0.0
    for column in range(ints[COLUMNS]):
        out_step[column] = way[column] + beta * out_step[column]
    return beta > 0.0


@kernel
def advance_conjugate(packed: Packed, q: Array, work: Array, count: int, alpha: float, beta: float) -> float:
    """Advance by up to `count` iterations; q is moved. Returns the largest error as a part of what is allowed. The
    length that is kept counts the iterations since the search started again."""
    ints, floats, regions = packed[2:]
    columns, counts = ints[COLUMNS], ints[COUNTS]
    gradient = work[ints[SOLVER] :]
    before, step, way = gradient[columns:], gradient[2 * columns :], gradient[3 * columns :]
    workspace = gradient[4 * columns :]
    task = workspace[q.shape[0] + ints[MAIN_ROWS] :]
    squares = evaluate(packed, q, True, work)
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_gradient(ints, work, gradient)
        write_descent(ints, floats, regions, q, gradient, way)
        kept = 0.0 < work[counts + LENGTH] < columns and conjugate(ints, floats, gradient, before, way, step)
        if not kept:
            work[counts + LENGTH] = 0.0
            for column in range(columns):
                step[column] = way[column]
        first = model_length(ints, work, step, workspace)
        length = search_line(packed, q, step, first, alpha, beta, work, workspace)
        work[counts + LENGTH] = work[counts + LENGTH] + 1.0 if length > 0.0 else 0.0
        for column in range(columns):
            before[column] = gradient[column]
        found = work[counts + SQUARES]
        if squares - found <= 1e-9 * squares:
            work[counts + LENGTH] = 0.0
            work[counts + STALLED] = 0.0 if kept else 1.0
        if follow_tasks(packed, q, 0.5 * (squares + found), work, task):
            work[counts + LENGTH] = 0.0
        squares = work[counts + SQUARES]
        count_iteration(ints, work)
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class ConjugateGradient(CheckedOptions):
    """Conjugate directions, kept within the limits."""

    alpha: float = option(
        1e-4,
        label="Least gain",
        least=0.0,
        most=0.9,
        note="alpha of equation 39: the part of what the gradient promises that a step must keep.",
    )
    beta: float = option(
        0.3,
        label="Shortening",
        least=0.05,
        most=0.95,
        note="beta of equation 34: what a step that gains too little is multiplied with.",
    )

    label: ClassVar[str] = "Projected conjugate gradient"
    source: ClassVar[str] = "Engell-Norregard 2012, section 7; Engell-Norregard and Erleben 2009"
    patience: ClassVar[int] = 150
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        return 4 * problem.column_count + len(problem.model.rest) + problem.row_count + task_size(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_conjugate(problem.packed, q, work, count, self.alpha, self.beta)
