"""Projected dog-leg: a trust region on the linear model of the residual, inside the limits (Engell-Norregard 2012,
section 7; Powell 1970).

Two steps within the limits are found: d_c, the projected gradient's, P(q - t K g) - q with the t that makes the model
|r + J d|^2 least, halved until the projected step gains; and d_n, the model's minimum inside the box
(`engine.ik.levenberg.find_step` with next to no damping, which also follows tasks in the null space). The step is the
last point within the radius on the way 0 - d_c - d_n, and all of that way lies in the box because the box is convex.
Lengths are  |K^-1/2 d|, in radians and metres. The radius grows and shrinks with what the model foretold (a quarter, or
to twice the step; Nocedal and Wright 2006, algorithm 4.1).
"""

from __future__ import annotations

import math
from typing import ClassVar

from engine.ik.columns import model_squares
from engine.ik.descent import count_iteration, is_finished, model_length, write_descent, write_gradient
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    LENGTH,
    LOWER,
    MAIN_ROWS,
    MOBILITY,
    PART,
    SOLVER,
    SQUARES,
    STALLED,
    UPPER,
    WORST,
    Packed,
)
from engine.ik.levenberg import find_step, step_space, write_system, write_task
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

_DAMPING = 1e-9  # [m2] that keeps the system of the model's minimum regular


@kernel
def find_cauchy(
    ints: IntArray, floats: Array, q: Array, work: Array, way: Array, out_rows: Array, out_step: Array
) -> float:
    """d_c along `way`; returns the model there."""
    length, squares = model_length(ints, work, way, out_rows), work[ints[COUNTS] + SQUARES]
    found = squares
    for _ in range(20):
        for column in range(ints[COLUMNS]):
            place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
            step = length * way[column]
            if ints[place + PART] == 0 and step != 0.0:
                value = q[ints[place + COORDINATE]]
                step = min(max(step, floats[numbers + LOWER] - value), floats[numbers + UPPER] - value)
            out_step[column] = step
        found = model_squares(ints, work, out_step, out_rows)
        if found <= squares:
            break
        length *= 0.5
    return float(found)


@kernel
def bend_step(ints: IntArray, floats: Array, radius: float, cauchy: Array, out_step: Array) -> float:
    """The dog-leg: `out_step` is d_n when it begins. Returns its length."""
    first, second, between = 0.0, 0.0, 0.0
    for column in range(ints[COLUMNS]):
        mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        first += cauchy[column] ** 2 / mobility
        second += out_step[column] ** 2 / mobility
        between += cauchy[column] * out_step[column] / mobility
    if second <= radius * radius:
        return math.sqrt(second)
    if first >= radius * radius:
        along, across = radius / math.sqrt(first), 0.0
    else:
        # |c + s (n - c)|^2 = radius^2 for the s in 0 to 1.
        a, b, c = first - 2.0 * between + second, between - first, first - radius * radius
        across = min(1.0, -c / (b + math.sqrt(max(b * b - a * c, 0.0)))) if a > 0.0 else 0.0
        along = 1.0 - across
    for column in range(ints[COLUMNS]):
        out_step[column] = along * cauchy[column] + across * out_step[column]
    return radius


@kernel
def advance_dogleg(packed: Packed, q: Array, work: Array, count: int, first_radius: float, most_radius: float) -> float:
    """Advance by up to `count` iterations; q is moved. Returns the largest error as a part of what is allowed."""
    ints, floats, regions = packed[2:]
    height, columns, counts = ints[MAIN_ROWS], ints[COLUMNS], ints[COUNTS]
    gradient = work[ints[SOLVER] :]
    way, cauchy, step = gradient[columns:], gradient[2 * columns :], gradient[3 * columns :]
    rows, trial = gradient[4 * columns :], gradient[4 * columns + height :]
    space = trial[q.shape[0] :]
    squares = evaluate(packed, q, True, work)
    if work[counts + LENGTH] <= 0.0:
        work[counts + LENGTH] = first_radius
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_gradient(ints, work, gradient)
        write_descent(ints, floats, regions, q, gradient, way)
        least = find_cauchy(ints, floats, q, work, way, rows, cauchy)
        has_task = write_task(ints, floats, q, work, space)
        write_system(ints, floats, q, work, has_task, space)
        find_step(ints, floats, regions, q, work, space, _DAMPING, has_task, step)
        if model_squares(ints, work, step, rows) > least:
            for column in range(columns):
                step[column] = cauchy[column]
        radius = work[counts + LENGTH]
        length = bend_step(ints, floats, radius, cauchy, step)
        promised = squares - model_squares(ints, work, step, rows)
        move_pose(ints, floats, regions, q, step, 1.0, trial)
        found = evaluate(packed, trial, True, work)
        gained = squares - found
        if gained < 0.25 * promised:
            work[counts + LENGTH] = 0.25 * length
        elif gained > 0.75 * promised and length >= 0.999 * radius:
            work[counts + LENGTH] = min(2.0 * radius, most_radius)
        if gained > 1e-4 * promised and gained > 0.0:
            for each in range(q.shape[0]):
                q[each] = trial[each]
            if gained < 1e-9 * squares:
                work[counts + STALLED] = 1.0
            squares = found
        else:
            squares = evaluate(packed, q, True, work)
            if promised <= 1e-9 * squares or length < 1e-9:
                work[counts + STALLED] = 1.0
        count_iteration(ints, work)
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class DogLeg(CheckedOptions):
    """Gauss-Newton where it can be trusted, the gradient where it cannot, within the limits."""

    radius: float = option(
        0.5,
        label="First radius",
        unit="rad",
        least=1e-3,
        most=100.0,
        note="How long a first step is trusted. The radius then follows how well the model did.",
    )
    most: float = option(
        3.0,
        label="Largest radius",
        unit="rad",
        least=1e-3,
        most=100.0,
        note="What the radius never grows beyond.",
    )

    label: ClassVar[str] = "Projected dog-leg"
    source: ClassVar[str] = "Engell-Norregard 2012, section 7; Powell 1970"
    patience: ClassVar[int] = 30
    weighs: ClassVar[bool] = True

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        height, columns = problem.row_count, problem.column_count
        return 4 * columns + height + len(problem.model.rest) + step_space(height, columns)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_dogleg(problem.packed, q, work, count, self.radius, self.most)
