"""Damped least squares (Engell-Norregard 2012, equation 15), the limits clamped after the step:

    d = z + K J^T (J K J^T + lambda^2)^-1 (-r - J z),

K the mobilities, z the step that the preferences and null-space tasks want. lambda is fixed, or chosen in each
iteration:

    Nakamura and Hanafusa 1986   lambda = damping (1 - w / threshold)^2 where w < threshold, else 0 (here: 1e-6),
                                 w = det(J K J^T)^(1 / 2m), the manipulability, as a length of m rows
    Sugihara 2011                lambda^2 = r^T r / 2 + damping^2

The determinant of m rows is a volume; its 2m-th root makes the threshold a length whatever the number of goals.
r: residual [m]; J: [m/rad] or 1; lambda, damping, threshold in the same unit.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from engine.ik.columns import add_column, add_outer, dot_column
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    COLUMNS,
    COUNTS,
    JACOBIAN,
    MAIN_ROWS,
    MOBILITY,
    RESIDUAL,
    SOLVER,
    WORST,
    Packed,
)
from engine.ik.levenberg import solve_shifted, write_task
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.ik.unchecked import PATIENCE, bound_step, is_done, return_to, take_step
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

_RULES = ("fixed", "nakamura", "sugihara")
_FIXED, _NAKAMURA, _SUGIHARA = range(3)
_LEAST = 1e-12  # [m2] of lambda^2, so that the factor exists


@kernel
def measure_manipulability(a: Array, size: int, out_factor: Array) -> float:
    """det(A)^(1 / 2 size) from the lower triangle of A; 0 where A is singular."""
    logarithm = 0.0
    for row in range(size):
        line = row * size
        for column in range(row + 1):
            other = column * size
            total = a[line + column]
            for each in range(column):
                total -= out_factor[line + each] * out_factor[other + each]
            if row > column:
                out_factor[line + column] = total / out_factor[other + column]
            elif total <= 1e-14 * a[line + row]:
                return 0.0
            else:
                out_factor[line + row] = math.sqrt(total)
                logarithm += math.log(total)
    return math.exp(0.5 * logarithm / size) if size > 0 else 0.0


@kernel
def choose_damping(rule: int, damping: float, threshold: float, squares: float, a: Array, size: int) -> float:
    """lambda^2; `a` takes a factor behind the matrix."""
    if rule == _FIXED:
        return max(damping * damping, _LEAST)
    if rule == _SUGIHARA:
        return max(0.5 * squares + damping * damping, _LEAST)
    manipulability = measure_manipulability(a, size, a[size * size :])
    if manipulability >= threshold:
        return _LEAST
    return max((damping * (1.0 - manipulability / threshold) ** 2) ** 2, _LEAST)


@kernel
def advance_damped(
    packed: Packed, q: Array, work: Array, count: int, rule: int, damping: float, threshold: float, largest: float
) -> float:
    """Advance by up to `count` iterations; q becomes the best pose of them. Returns the largest error as a part of what
    is allowed."""
    ints, floats = packed[2:4]
    height, columns, jacobian = ints[MAIN_ROWS], ints[COLUMNS], work[ints[JACOBIAN] :]
    step = work[ints[SOLVER] :]
    task, best = step[columns:], step[2 * columns :]
    a = best[2 * q.shape[0] :]
    y = a[2 * height * height :]
    squares = evaluate(packed, q, True, work)
    least = squares
    for each in range(q.shape[0]):
        best[each] = q[each]
    for _ in range(count):
        if is_done(ints, squares, work):
            break
        has_task = write_task(ints, floats, q, work, task)
        for each in range(height * height):
            a[each] = 0.0
        for row in range(height):
            y[row] = -work[ints[RESIDUAL] + row]
        for column in range(columns):
            add_outer(ints, jacobian, column, floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY], a)
            if has_task:
                add_column(ints, jacobian, column, -task[column], y)
        shift = choose_damping(rule, damping, threshold, squares, a, height)
        solve_shifted(a, height, shift, a[height * height :], y)
        for column in range(columns):
            mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
            step[column] = mobility * dot_column(ints, jacobian, column, y) + (task[column] if has_task else 0.0)
        bound_step(ints, largest, step)
        squares = take_step(packed, q, work, step, least, best)
        least = min(least, squares)
    if least < squares and work[ints[COUNTS] + WORST] > 1.0:
        return_to(packed, best, q, work)
    return float(work[ints[COUNTS] + WORST])


@dataclass(frozen=True, kw_only=True)
class Damped(CheckedOptions):
    """Damped least squares, limits clamped after the step."""

    rule: Literal["fixed", "nakamura", "sugihara"] = option(
        "sugihara",
        label="Choice of lambda",
        choices=_RULES,
        note="Fixed; by how near a singular pose is (Nakamura and Hanafusa 1986); or by the error (Sugihara 2011).",
    )
    damping: float = option(
        0.01,
        label="Damping",
        unit="m",
        least=1e-6,
        most=10.0,
        note="lambda of equation 15: itself, the most that Nakamura's rule takes, or what Sugihara's rule adds to.",
    )
    threshold: float = option(
        0.02,
        label="Near singular below",
        unit="m",
        least=1e-6,
        most=10.0,
        note="Manipulability w under which Nakamura's rule begins to damp.",
    )
    largest: float = option(
        0.25 * math.pi,
        label="Largest turn",
        unit="rad",
        least=1e-3,
        most=math.pi,
        note="A step that would turn a joint further is shrunk as a whole.",
    )

    label: ClassVar[str] = "Damped least squares"
    source: ClassVar[str] = "Engell-Norregard 2012, equation 15"
    patience: ClassVar[int] = PATIENCE
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        height, columns = problem.row_count, problem.column_count
        return 2 * columns + 2 * len(problem.model.rest) + 2 * height * height + height

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        rule = _RULES.index(self.rule)
        return advance_damped(problem.packed, q, work, count, rule, self.damping, self.threshold, self.largest)
