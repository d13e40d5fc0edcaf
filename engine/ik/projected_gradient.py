"""Projected gradient with Armijo back-tracking (Engell-Norregard 2012, equations 26 to 40).

q <- P(q - t K g), t found by `engine.ik.descent.search_line`. The source prints neither alpha, beta nor the first t.
Ours are 1e-4 and 0.5, and for t the step of Barzilai and Borwein (1988) from the last two gradients, in the measure of
the mobilities: s^T K^-1 s / s^T y, the next time s^T y / y^T K y, with s what q changed by and y what g did (Dai and
Fletcher 2005 take the two by turns for boxes). The first of all is equation 28.
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
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    FIELDS_END,
    ITERATIONS,
    LENGTH,
    MAIN_ROWS,
    MOBILITY,
    PART,
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
def next_length(ints: IntArray, floats: Array, moved: Array, before: Array, gradient: Array, even: bool) -> float:
    """The step of Barzilai and Borwein; 0 where f does not curve upwards along the last one."""
    ss, sy, yy = 0.0, 0.0, 0.0
    for column in range(ints[COLUMNS]):
        mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        s, y = moved[column], gradient[column] - before[column]
        ss += s * s / mobility
        sy += s * y
        yy += y * y * mobility if s != 0.0 else 0.0
    if not (sy > 0.0 and yy > 0.0):
        return 0.0
    return ss / sy if even else sy / yy


@kernel
def advance_gradient(packed: Packed, q: Array, work: Array, count: int, alpha: float, beta: float) -> float:
    """Advance by up to `count` iterations; q is moved. Returns the largest error as a part of what is allowed."""
    ints, floats, regions = packed[2:]
    columns, counts = ints[COLUMNS], ints[COUNTS]
    gradient = work[ints[SOLVER] :]
    before, step, moved = gradient[columns:], gradient[2 * columns :], gradient[3 * columns :]
    workspace = gradient[4 * columns :]
    start = workspace[q.shape[0] + ints[MAIN_ROWS] :]
    task = start[q.shape[0] :]
    squares = evaluate(packed, q, True, work)
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_gradient(ints, work, gradient)
        write_descent(ints, floats, regions, q, gradient, step)
        length, is_given = 0.0, False
        if work[counts + LENGTH] > 0.0:
            length = next_length(ints, floats, moved, before, gradient, int(work[counts + ITERATIONS]) % 2 == 0)
            is_given = length != 0.0
        if length == 0.0:
            length = model_length(ints, work, step, workspace)
        for each in range(q.shape[0]):
            start[each] = q[each]
        length = search_line(packed, q, step, length, alpha, beta, work, workspace)
        work[counts + LENGTH] = length
        for column in range(columns):
            place = ints[COLUMNS_AT] + column * COLUMN_INTS
            at = ints[place + COORDINATE]
            moved[column] = q[at] - start[at] if ints[place + PART] == 0 else length * step[column]
            before[column] = gradient[column]
        found = work[counts + SQUARES]
        if squares - found <= 1e-9 * squares:
            # Along the boundary of a region the last two gradients may tell of another part of it.
            again = is_given and ints[FIELDS_END] > 0
            work[counts + LENGTH] = 0.0 if again else work[counts + LENGTH]
            work[counts + STALLED] = 0.0 if again else 1.0
        if follow_tasks(packed, q, 0.5 * (squares + found), work, task):
            work[counts + LENGTH] = 0.0
        squares = work[counts + SQUARES]
        count_iteration(ints, work)
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class ProjectedGradient(CheckedOptions):
    """Steepest descent, kept within the limits, with the longest step that pays."""

    alpha: float = option(
        1e-4,
        label="Least gain",
        least=0.0,
        most=0.9,
        note="alpha of equation 39: the part of what the gradient promises that a step must keep.",
    )
    beta: float = option(
        0.5,
        label="Shortening",
        least=0.05,
        most=0.95,
        note="beta of equation 34: what a step that gains too little is multiplied with.",
    )

    label: ClassVar[str] = "Projected gradient"
    source: ClassVar[str] = "Engell-Norregard 2012, equations 26 to 40"
    patience: ClassVar[int] = 200
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        coordinates = len(problem.model.rest)
        return 4 * problem.column_count + 2 * coordinates + problem.row_count + task_size(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_gradient(problem.packed, q, work, count, self.alpha, self.beta)
