"""Projected Levenberg-Marquardt with an active set: the solver for work by hand.

Each iteration minimises the linear model of the residual over the box of the limits,

    min_d  |r + J d|^2 + mu (d - z)^T K^-1 (d - z),   lower <= q + d <= upper,

with z the step that the preferences and tasks want, and K the mobilities. For the columns F that are free,

    d_F = z_F + K_F J_F^T (J_F K_F J_F^T + mu I)^-1 (-r - J z),

a system as small as the goals have rows (18 for six positions), whatever the number of joints; z is followed in the
null space of the goals alone (Welman 1993, equation 3.8). Columns whose step leaves the box are set on their limit,
their share goes into the residual, and the system is solved again; what would leave a region is held on planes of its
boundary, or pinned to it (`engine.ik.stops`). The step is accepted by the ratio of what |r|^2 lost
to what the model promised, and mu follows that ratio (Nielsen 1999). mu is a part of |r|^2 (Fan and Yuan 2005: still
quadratic near a solution, and steps near a singularity stay small while the goal is far), and raised where a joint
would turn too far for a linear model, by Newton's method; what is left of the excess is scaled away.

In the first iteration, z also eases each coordinate without a preference towards the middle m of its limits,

    z = min(1, ease |e|) min(1, K) (m - q),

with e the errors at the start. A path that turns joints as little as it can leads one after another onto its limits,
until only a jump to another branch helps; this one keeps off them. It is a rate for each metre that the goals move, so
more frames or more iterations ease no more, and a pose that meets its goals stays as it is.
"""

from __future__ import annotations

import math
from typing import ClassVar

from engine.ik.columns import add_column, add_outer, dot_column, model_squares
from engine.ik.layout import (
    AT_LIMIT,
    BLOCK,
    BLOCKS,
    BLOCKS_AT,
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    CURVE,
    CURVE_KEPT,
    DAMPING,
    ERRORS,
    FIELDS_END,
    ITERATIONS,
    JACOBIAN,
    LOWER,
    MAIN_ROWS,
    MOBILITY,
    PART,
    PREFERRED,
    PULL,
    RESIDUAL,
    ROW,
    ROWS,
    SOLVER,
    STALLED,
    TURNS,
    UPPER,
    WORST,
    Packed,
    Regions,
)
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.ik.stops import add_stops, clear_stops, holder_of, stop_at, use_stop, write_shifts
from engine.maths.arrays import Array, IntArray
from engine.maths.symmetric import solve_cholesky
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

_SHORTER = 4  # values of mu that are tried for one step
_SHARPLY = 8  # the power of the norm in which it is measured
_LEAST_SLOPE = 0.01  # of that norm over the logarithm of mu, that is counted on
_TURNS = 16  # solves of one step: limits and boundaries that it meets are found in turn


@borrowing
@kernel
def solve_shifted(a: Array, size: int, shift: float, out_factor: Array, out_x: Array) -> None:
    """x <- (A + shift I)^-1 x from the lower triangle of A. A pivot lost to rounding is lifted to the shift."""
    for row in range(size):
        line = row * size
        for column in range(row + 1):
            other = column * size
            total = a[line + column]
            for each in range(column):
                total -= out_factor[line + each] * out_factor[other + each]
            if row == column:
                out_factor[line + row] = 1.0 / math.sqrt(max(total + shift, shift))
            else:
                out_factor[line + column] = total * out_factor[other + column]
    solve_cholesky(out_factor, size, out_x)


@borrowing
@kernel
def write_task(ints: IntArray, floats: Array, q: Array, work: Array, out_task: Array) -> bool:
    """z: how far the preferences would move each column; False if there are none."""
    any_task = ints[ROWS] > ints[MAIN_ROWS]
    rows = ints[ROWS]
    for column in range(ints[COLUMNS]):
        numbers = ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        at = ints[ints[COLUMNS_AT] + column * COLUMN_INTS + COORDINATE]
        pull = floats[numbers + PULL]
        out_task[column] = -pull * (q[at] - floats[numbers + PREFERRED])
        any_task = any_task or pull > 0.0
        for row in range(ints[MAIN_ROWS], rows):
            slope = work[ints[JACOBIAN] + column * rows + row]
            out_task[column] -= floats[numbers + MOBILITY] * slope * work[ints[RESIDUAL] + row]
    return bool(any_task)


@borrowing
@kernel
def ease_off(ints: IntArray, floats: Array, q: Array, work: Array, ease: float, out_task: Array) -> bool:
    """z += min(1, ease |e|) min(1, K) (m - q) where nothing else is preferred; False if no goal is missed."""
    squares = 0.0
    for each in range(ints[BLOCKS]):
        if ints[ints[BLOCKS_AT] + each * BLOCK + ROW] < ints[MAIN_ROWS]:
            squares += work[ints[ERRORS] + each] ** 2
    share = min(1.0, ease * math.sqrt(squares))
    for column in range(ints[COLUMNS]):
        place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        lower, upper = floats[numbers + LOWER], floats[numbers + UPPER]
        if ints[place + PART] == 0 and floats[numbers + PULL] == 0.0 and upper - lower < math.inf:
            part = share * min(1.0, floats[numbers + MOBILITY])
            out_task[column] += part * (0.5 * (lower + upper) - q[ints[place + COORDINATE]])
    return share > 0.0


@borrowing
@kernel
def find_mobility(ints: IntArray, floats: Array, q: Array, work: Array, column: int, task: float) -> float:
    """K of a column; 0 at a limit that it is driven against."""
    place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
    mobility = float(floats[numbers + MOBILITY])
    if ints[place + PART] != 0:
        return mobility
    value, lower, upper = q[ints[place + COORDINATE]], floats[numbers + LOWER], floats[numbers + UPPER]
    if lower >= upper:
        return 0.0
    if lower + AT_LIMIT < value < upper - AT_LIMIT:
        return mobility
    way = -dot_column(ints, work[ints[JACOBIAN] :], column, work[ints[RESIDUAL] :])
    upwards = way > 0.0 and value >= upper - AT_LIMIT and task >= 0.0
    against = upwards or (way < 0.0 and value <= lower + AT_LIMIT and task <= 0.0)
    return 0.0 if against else mobility


def step_space(height: int, columns: int) -> int:
    """Return how many numbers of workspace a step takes."""
    return columns + 2 * (height * height + height + columns) + height * height + height


@borrowing
@kernel
def write_system(ints: IntArray, floats: Array, q: Array, work: Array, has_task: bool, space: Array) -> None:
    """Write what a step begins with, whatever its damping: J K J^T, -r - J z, and the mobilities of the columns that
    are free at q. z, where there is one, stands in `space`, as `find_step` takes it."""
    height, columns, jacobian = ints[MAIN_ROWS], ints[COLUMNS], work[ints[JACOBIAN] :]
    task, a = space, space[columns:]
    left, mobility = a[height * height :], a[height * height + height :]
    for each in range(height * height):
        a[each] = 0.0
    for row in range(height):
        left[row] = -work[ints[RESIDUAL] + row]
    for column in range(columns):
        mobility[column] = find_mobility(ints, floats, q, work, column, task[column] if has_task else 0.0)
        if mobility[column] > 0.0:
            add_outer(ints, jacobian, column, mobility[column], a)
            if has_task:
                add_column(ints, jacobian, column, -task[column], left)


@borrowing
@kernel
def find_step(
    ints: IntArray,
    floats: Array,
    regions: Regions,
    q: Array,
    work: Array,
    space: Array,
    damping: float,
    has_task: bool,
    out_step: Array,
) -> None:
    """Find the step of the linear model within the limits. `space`: z, what `write_system` wrote, which stays, as much
    again that is worked with, a matrix and a column of rows."""
    height, columns = ints[MAIN_ROWS], ints[COLUMNS]
    jacobian, length = work[ints[JACOBIAN] :], height * height + height + columns
    task, system, a = space, space[columns:], space[columns + length :]
    left, mobility = a[height * height :], a[height * height + height :]
    factor, y = a[length:], a[length + height * height :]
    stops = ints[FIELDS_END] > 0
    shifts = work[stop_at(ints, ints[FIELDS_END]) :]
    if stops:
        clear_stops(ints, work)
    for each in range(length):
        a[each] = system[each]
    for column in range(columns):
        out_step[column] = 0.0
    pins = False
    for _ in range(_TURNS):
        for row in range(height):
            y[row] = left[row]
        solve_shifted(a, height, damping, factor, y)
        again = False
        if stops:
            write_shifts(ints, work, y)
        for column in range(columns):
            if mobility[column] <= 0.0:
                continue
            place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
            step = mobility[column] * dot_column(ints, jacobian, column, y) + (task[column] if has_task else 0.0)
            if stops:
                step -= shifts[column]
            out_step[column] = step
            if ints[place + PART] == 0:
                value = q[ints[place + COORDINATE]]
                least, most = floats[numbers + LOWER] - value, floats[numbers + UPPER] - value
                if step < least or step > most:
                    held = holder_of(ints, work, column) if stops else -1
                    if held >= 0:
                        use_stop(ints, held, False, work, a, left)
                    out_step[column] = least if step < least else most
                    mobility[column] = -mobility[column]
                    again = True
        if stops and not again:
            again = add_stops(ints, regions, q, mobility, task, out_step, pins, work, a, left)
            pins = True
        if not again:
            break
        for column in range(columns):
            if mobility[column] < 0.0:
                add_outer(ints, jacobian, column, mobility[column], a)
                mobility[column] = 0.0
                change = -out_step[column] + (task[column] if has_task else 0.0)
                add_column(ints, jacobian, column, change, left)


@borrowing
@kernel
def allowed(ints: IntArray, column: int, turn: float, slide: float) -> float:
    """Return how far a column may go in a step: what turns, and what slides."""
    return turn if ints[ints[COLUMNS_AT] + column * COLUMN_INTS + TURNS] != 0 else slide


@borrowing
@kernel
def excess(ints: IntArray, step: Array, turn: float, slide: float) -> float:
    """Return how many times as far as allowed a step goes, by a norm in which the column that goes furthest counts by
    far the most, and which changes as smoothly as the step."""
    total = 0.0
    for column in range(ints[COLUMNS]):
        total += (step[column] / allowed(ints, column, turn, slide)) ** _SHARPLY
    return math.sqrt(math.sqrt(math.sqrt(total)))


@borrowing
@kernel
def more_damping(
    ints: IntArray, work: Array, space: Array, step: Array, damping: float, turn: float, slide: float, out_rows: Array
) -> float:
    """Return mu with which a step that `find_step` found goes hardly further than allowed, by Newton's method for the
    inverse of its excess, which is nearly linear in mu (Hebden 1973)."""
    height, columns, jacobian = ints[MAIN_ROWS], ints[COLUMNS], work[ints[JACOBIAN] :]
    length = height * height + height + columns
    mobility, factor = space[columns + length + height * height + height :], space[columns + 2 * length :]
    y, most, slope = factor[height * height :], excess(ints, step, turn, slide), 0.0
    for row in range(height):
        out_rows[row] = y[row]
    solve_cholesky(factor, height, out_rows)
    for column in range(columns):
        if mobility[column] > 0.0:
            far = allowed(ints, column, turn, slide)
            change = mobility[column] * dot_column(ints, jacobian, column, out_rows) / far
            slope += (step[column] / far) ** (_SHARPLY - 1) * change
    return damping + most * (most - 1.0) / max(slope / most ** (_SHARPLY - 1), _LEAST_SLOPE / damping)


@borrowing
@kernel
def advance_levenberg(
    packed: Packed,
    q: Array,
    work: Array,
    count: int,
    damping_factor: float,
    least_damping: float,
    ease: float,
    largest: float,
) -> float:
    """Advance by up to `count` iterations; q is moved. Returns the largest error as a part of what is allowed."""
    ints, floats, regions = packed[2:]
    height, columns, counts = ints[MAIN_ROWS], ints[COLUMNS], ints[COUNTS]
    step = work[ints[SOLVER] :]
    trial, rows = step[columns:], step[columns + q.shape[0] :]
    space = rows[height:]
    task = space  # in its first numbers
    squares = evaluate(packed, q, True, work)
    factor = work[counts + DAMPING]
    if factor <= 0.0:
        factor = damping_factor
    growth, share = 2.0, 1.0
    for _ in range(count):
        if (
            squares <= 1e-30
            or (work[counts + WORST] <= 1.0 and work[counts + ITERATIONS] > 0.0)
            or work[counts + STALLED] != 0.0
        ):
            break
        has_task = write_task(ints, floats, q, work, task)
        if work[counts + ITERATIONS] == 0.0 and ease > 0.0:
            has_task = ease_off(ints, floats, q, work, ease, task) or has_task
        for column in range(columns):
            task[column] *= share
        # What shortens a step grows from nothing, so that the pose stays continuous in what is asked for.
        write_system(ints, floats, q, work, has_task, space)
        damping, slide, most = factor * squares + least_damping, max(largest, math.sqrt(squares)), 1.0
        for shortened in range(_SHORTER):
            find_step(ints, floats, regions, q, work, space, damping, has_task, step)
            most = max(excess(ints, step, largest, slide), 1.0)
            if most <= 1.0 or shortened == _SHORTER - 1:
                break
            damping = more_damping(ints, work, space, step, damping, largest, slide, rows)
            factor = damping / squares
        promised = (squares - model_squares(ints, work, step, rows)) / most
        for column in range(columns):
            step[column] /= most
        move_pose(ints, floats, regions, q, step, 1.0, trial)
        found = evaluate(packed, trial, True, work)
        gained = squares - found
        work[counts + ITERATIONS] += 1.0
        work[ints[CURVE] + int(work[counts + ITERATIONS]) % CURVE_KEPT] = min(found, squares)
        if gained > 1e-4 * promised and gained > 0.0:
            ratio = gained / promised if promised > 0.0 else 0.5  # a step that only avoids limits tells nothing of mu
            for each in range(q.shape[0]):
                q[each] = trial[each]
            if gained < 1e-7 * squares:
                work[counts + STALLED] = 1.0
            squares = found
            factor = max(factor * max(0.1, 1.0 - (2.0 * ratio - 1.0) ** 3), 1e-6)
            growth, share = 2.0, min(1.0, 4.0 * share)
        else:
            squares = evaluate(packed, q, True, work)
            if has_task and share > 1e-3:
                # mu would shorten the way to the goals alone, not to the tasks.
                share *= 0.1
                continue
            factor = max(factor, 1e-4) * growth * 2.0
            growth *= 2.0
            if abs(promised) <= 1e-9 * squares or factor > 1e9:
                work[counts + STALLED] = 1.0
    work[counts + DAMPING] = factor
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class Levenberg(CheckedOptions):
    """Projected Levenberg-Marquardt with an active set."""

    damping: float = option(
        0.05,
        label="Damping",
        least=1e-6,
        most=100.0,
        note="mu at the start as a part of |r|^2: more is slower and safer. It then follows how well the model did.",
    )
    least: float = option(
        1e-6,
        label="Least damping",
        unit="m2",
        least=1e-12,
        most=1.0,
        note="What mu never falls below; keeps steps short where a chain is stretched out.",
    )
    ease: float = option(
        0.4,
        label="Eased off the limits",
        unit="1/m",
        least=0.0,
        most=2.0,
        note="Part of the way to the middle of its limits that a joint goes for each metre that the goals are away,"
        " where goals and preferences leave it free; 0: none.",
    )

    largest: float = option(
        100.0,
        label="Largest turn",
        unit="rad",
        least=1e-3,
        most=100.0,
        note="mu is raised until no joint turns further in an iteration: where goals are out of reach, directions that"
        " hardly move them would turn joints round and round.",
    )

    label: ClassVar[str] = "Levenberg-Marquardt"
    source: ClassVar[str] = "Engell-Norregard 2012, equation 15, with limits inside the step"
    patience: ClassVar[int] = 20
    weighs: ClassVar[bool] = True

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        height, columns = problem.row_count, problem.column_count
        return columns + len(problem.model.rest) + height + step_space(height, columns)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations."""
        return advance_levenberg(problem.packed, q, work, count, self.damping, self.least, self.ease, self.largest)
