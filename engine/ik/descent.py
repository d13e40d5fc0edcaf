"""Steps shared by the solvers that walk down f = r^T r along a direction: the gradient, the projected line search, and
null-space tasks in the freedom that is left.

The gradient is  g = 2 J^T r  (Engell-Norregard 2012, equation 26, whose e is our -r; W lies inside J and r). A step of
length t along d is accepted when  f(P(q + t d)) < f(q) + alpha g^T (P(q + t d) - q)  (39); otherwise t shrinks by beta
(34). Where a pose stands at the boundary of a region, d goes along it (`engine.ik.region_kernels`). `model_length` is
the t at which the linear model |r + t J d|^2 is least; along d = -K g it is equation 28.

Mobilities K scale the gradient, d = -K g: steepest descent where turning a stiff joint counts as a longer way. A task z
is followed in the null space of the goals, (1 - K J^T (J K J^T)^-1 J) z (Welman 1993, equation 3.8), and only so far
that f keeps at least half of what the step gained: f never rises, and the tasks are followed until they cost.
"""

from __future__ import annotations

from engine.ik.columns import add_column, add_outer, dot_column
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    CURVE,
    CURVE_KEPT,
    FIELDS_END,
    ITERATIONS,
    JACOBIAN,
    LOWER,
    MAIN_ROWS,
    MOBILITY,
    PART,
    RESIDUAL,
    SOLVER,
    SQUARES,
    STALLED,
    UPPER,
    WORST,
    Packed,
    Regions,
)
from engine.ik.levenberg import solve_shifted, write_task
from engine.ik.problem import Problem
from engine.ik.region_kernels import slide_step
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

_SHORTER = 40  # steps that a line search tries
_ENOUGH = 1e-30  # [m2] f that is as good as zero


@kernel
def is_finished(ints: IntArray, work: Array) -> bool:
    """Tell whether another iteration is of no use: the goals are met, or the solver has stalled."""
    counts = ints[COUNTS]
    met = work[counts + WORST] <= 1.0 and work[counts + ITERATIONS] > 0.0
    return bool(met or work[counts + SQUARES] <= _ENOUGH or work[counts + STALLED] != 0.0)


@kernel
def count_iteration(ints: IntArray, work: Array) -> None:
    """One more iteration, with f as it is now on the curve."""
    counts = ints[COUNTS]
    work[counts + ITERATIONS] += 1.0
    work[ints[CURVE] + int(work[counts + ITERATIONS]) % CURVE_KEPT] = work[counts + SQUARES]


@kernel
def write_gradient(ints: IntArray, work: Array, out_gradient: Array) -> None:
    """g = df/dq of every column."""
    jacobian, residual = work[ints[JACOBIAN] :], work[ints[RESIDUAL] :]
    for column in range(ints[COLUMNS]):
        out_gradient[column] = 2.0 * dot_column(ints, jacobian, column, residual)


@kernel
def is_held(ints: IntArray, floats: Array, q: Array, column: int, way: float) -> bool:
    """Tell whether a column stands on a limit and its direction of travel leads past it."""
    place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
    if ints[place + PART] != 0:
        return False
    value = q[ints[place + COORDINATE]]
    return bool((value <= floats[numbers + LOWER] and way <= 0.0) or (value >= floats[numbers + UPPER] and way >= 0.0))


@kernel
def write_descent(ints: IntArray, floats: Array, regions: Regions, q: Array, gradient: Array, out_step: Array) -> None:
    """d = -K g, and 0 where a limit holds; along the boundary of a region."""
    for column in range(ints[COLUMNS]):
        way = -floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY] * gradient[column]
        out_step[column] = 0.0 if is_held(ints, floats, q, column, way) else way
    if ints[FIELDS_END] > 0:
        slide_step(ints, floats, regions, q, out_step)


@kernel
def model_length(ints: IntArray, work: Array, step: Array, out_rows: Array) -> float:
    """The t that makes |r + t J d|^2 least; 0 where d does not go down."""
    height = ints[MAIN_ROWS]
    for row in range(height):
        out_rows[row] = 0.0
    for column in range(ints[COLUMNS]):
        if step[column] != 0.0:
            add_column(ints, work[ints[JACOBIAN] :], column, step[column], out_rows)
    along, squares = 0.0, 0.0
    for row in range(height):
        along -= out_rows[row] * work[ints[RESIDUAL] + row]
        squares += out_rows[row] * out_rows[row]
    return along / squares if along > 0.0 and squares > 0.0 else 0.0


@kernel
def search_line(
    packed: Packed, q: Array, step: Array, first: float, alpha: float, beta: float, work: Array, out_trial: Array
) -> float:
    """Projected Armijo back-tracking from the length `first`; the pose moves. Returns the length that was taken, 0 if
    none was. The gradient is what the solver's workspace begins with. Residual and Jacobian are those of the pose when
    it begins and when it ends."""
    ints, floats, regions = packed[2:]
    squares, gradient = work[ints[COUNTS] + SQUARES], work[ints[SOLVER] :]
    length = first
    for attempt in range(_SHORTER):
        move_pose(ints, floats, regions, q, step, length, out_trial)
        promised = 0.0
        for column in range(ints[COLUMNS]):
            place = ints[COLUMNS_AT] + column * COLUMN_INTS
            at = ints[place + COORDINATE]
            moved = out_trial[at] - q[at] if ints[place + PART] == 0 else length * step[column]
            promised += gradient[column] * moved
        if not promised < 0.0:
            if ints[FIELDS_END] == 0:
                break
            length *= beta  # of a pose far outside of a region the projection is rough: a shorter step may go down
            continue
        found = evaluate(packed, out_trial, attempt == 0, work)
        if found < squares + alpha * promised:
            for each in range(q.shape[0]):
                q[each] = out_trial[each]
            if attempt > 0:
                evaluate(packed, q, True, work)
            return length
        length *= beta
    evaluate(packed, q, True, work)
    return 0.0


@kernel
def follow_tasks(packed: Packed, q: Array, most: float, work: Array, out_workspace: Array) -> bool:
    """Move the pose as its preferences and tasks want in the null space of the goals, while f stays at most `most`;
    whether it moved. Residual and Jacobian are those of the pose when it begins and when it ends."""
    ints, floats, regions = packed[2:]
    height, columns = ints[MAIN_ROWS], ints[COLUMNS]
    task, trial = out_workspace, out_workspace[columns:]
    a = trial[q.shape[0] :]
    factor, y = a[height * height :], a[2 * height * height :]
    if not write_task(ints, floats, q, work, task):
        return False
    jacobian = work[ints[JACOBIAN] :]
    for each in range(height * height):
        a[each] = 0.0
    for row in range(height):
        y[row] = 0.0
    for column in range(columns):
        if is_held(ints, floats, q, column, task[column]):
            task[column] = 0.0
        else:
            add_outer(ints, jacobian, column, floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY], a)
            add_column(ints, jacobian, column, task[column], y)
    trace = 0.0
    for row in range(height):
        trace += a[row * height + row]
    solve_shifted(a, height, 1e-9 * trace + 1e-15, factor, y)
    for column in range(columns):
        if not is_held(ints, floats, q, column, task[column]):
            mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
            task[column] -= mobility * dot_column(ints, jacobian, column, y)
    if ints[FIELDS_END] > 0:
        slide_step(ints, floats, regions, q, task)
    length = 1.0
    for _ in range(4):
        move_pose(ints, floats, regions, q, task, length, trial)
        if evaluate(packed, trial, True, work) <= most:
            for each in range(q.shape[0]):
                q[each] = trial[each]
            return True
        length *= 0.5
    evaluate(packed, q, True, work)
    return False


def task_size(problem: Problem) -> int:
    """Return the size of the workspace that `follow_tasks` needs."""
    height = problem.row_count
    return problem.column_count + len(problem.model.rest) + 2 * height * height + height
