"""Kernels that fit poses to points: the least sum of weighted squares of distances, within the limits.

For the residual r of a problem of position goals (`engine.ik.rows`) and its Jacobian J, each iteration solves

    (J^T J + mu D) d = -J^T r,   lower <= q + d <= upper,   D the diagonal of J^T J,

(Marquardt 1963) over the columns that are free: one that stands on a limit and is driven against it is held there,
and one whose step leaves the limits goes as far as they are, its share goes into the right side, and the rest is solved
again. A step that does not bring r^T r down is taken back and mu raised. Markers do not meet their goals, so that the
system is as small as the figure has columns and not as the markers have rows, and mu may vanish.

Frames are fitted one after the other, each from the pose of the one before. A point that was not seen has weight 0.

roots: square roots of the weights [1], one a point. targets: [m], shape [frames, points, 3], nan where not seen.
"""

from __future__ import annotations

import math

from engine.ik.layout import (
    AT_LIMIT,
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    FIELDS_END,
    JACOBIAN,
    LOWER,
    PART,
    RESIDUAL,
    ROW,
    ROWS,
    SHAPE,
    SOLVER,
    SPANS_FROM,
    SPANS_TO,
    TARGET,
    UPPER,
    Packed,
)
from engine.ik.region_kernels import keep_regions
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

ENOUGH = 1e-8  # of r^T r: a step that gains less is the last
SHORT = 1e-11  # [rad] or [m]: so is a step whose largest number is below
SMALLEST, LARGEST = 1e-12, 1e8  # of mu
_TURNS = 40  # solves of one step, in which limits are found that it meets


def space_of(columns: int, coordinates: int) -> int:
    """Numbers of work memory."""
    return 2 * columns * columns + 4 * columns + 2 * coordinates


@kernel
def aim_at(ints: IntArray, floats: Array, points: Array, roots: Array) -> int:
    """Set targets and weights of all points; return how many were seen."""
    seen = 0
    for each in range(ints[BLOCKS]):
        place = each * BLOCK_FLOATS
        there = math.isfinite(points[each, 0]) and math.isfinite(points[each, 1]) and math.isfinite(points[each, 2])
        root = roots[each] if there else 0.0
        seen += 1 if root > 0.0 else 0
        for line in range(3):
            floats[place + TARGET + line] = points[each, line] if there else 0.0
            for column in range(3):
                floats[place + SHAPE + 3 * line + column] = root if line == column else 0.0
    return seen


@kernel
def write_normal(ints: IntArray, work: Array, out_h: Array, out_g: Array) -> None:
    """J^T J, its lower triangle, and J^T r."""
    rows, columns = ints[ROWS], ints[COLUMNS]
    jacobian, residual = work[ints[JACOBIAN] :], work[ints[RESIDUAL] :]
    for one in range(columns):
        entry, mine = ints[COLUMNS_AT] + one * COLUMN_INTS, one * rows
        total = 0.0
        for span in range(ints[entry + SPANS_FROM], ints[entry + SPANS_TO], 2):
            for row in range(ints[span], ints[span + 1]):
                total += jacobian[mine + row] * residual[row]
        out_g[one] = total
        for two in range(one + 1):
            other = two * rows
            total = 0.0
            for span in range(ints[entry + SPANS_FROM], ints[entry + SPANS_TO], 2):
                for row in range(ints[span], ints[span + 1]):
                    total += jacobian[mine + row] * jacobian[other + row]
            out_h[one * columns + two] = total


@kernel
def factor_free(h: Array, size: int, damping: float, least: float, free: Array, out_factor: Array) -> None:
    """Cholesky's factor of H + mu D over the free columns, its diagonal inverted; the others are as if not there."""
    for row in range(size):
        line = row * size
        if free[row] == 0.0:
            for column in range(row + 1):
                out_factor[line + column] = 0.0
            continue
        for column in range(row):
            other = column * size
            total = h[line + column] if free[column] != 0.0 else 0.0
            for each in range(column):
                total -= out_factor[line + each] * out_factor[other + each]
            out_factor[line + column] = total * out_factor[other + column]
        pivot = h[line + row] * (1.0 + damping) + least
        for each in range(row):
            pivot -= out_factor[line + each] ** 2
        out_factor[line + row] = 1.0 / math.sqrt(max(pivot, least))


@kernel
def free_columns(ints: IntArray, floats: Array, q: Array, g: Array, movable: Array, out_free: Array) -> None:
    """1 for each column that may move, 0 where it stands on a limit that it is driven against."""
    for column in range(ints[COLUMNS]):
        place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        free = movable[column]
        if free != 0.0 and ints[place + PART] == 0:
            value, lower, upper = q[ints[place + COORDINATE]], floats[numbers + LOWER], floats[numbers + UPPER]
            at_lower, at_upper = value <= lower + AT_LIMIT, value >= upper - AT_LIMIT
            if lower >= upper or (at_lower and g[column] > 0.0) or (at_upper and g[column] < 0.0):
                free = 0.0
        out_free[column] = free


@kernel
def bounded_step(
    ints: IntArray, floats: Array, q: Array, h: Array, g: Array, damping: float, factor: Array, space: Array
) -> float:
    """The step within the limits, at the begin of `space`; behind it the free columns, which are given, and a right
    side. Returns the largest number of the step."""
    columns = ints[COLUMNS]
    step, free, right = space, space[columns:], space[2 * columns :]
    largest = 0.0
    for column in range(columns):
        right[column] = -g[column]
        step[column] = 0.0
        largest = max(largest, h[column * columns + column])
    least = 1e-14 * largest + 1e-30
    for _ in range(_TURNS):
        factor_free(h, columns, damping, least, free, factor)
        for column in range(columns):
            if free[column] != 0.0:
                step[column] = right[column]
        # Held columns are rows of zeros in the factor and keep what they have.
        solve_free(factor, columns, free, step)
        again = False
        for column in range(columns):
            place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
            if free[column] == 0.0 or ints[place + PART] != 0:
                continue
            value = q[ints[place + COORDINATE]]
            low, high = floats[numbers + LOWER] - value, floats[numbers + UPPER] - value
            if step[column] < low or step[column] > high:
                step[column] = low if step[column] < low else high
                free[column] = 0.0
                again = True
                for other in range(columns):
                    share = h[max(column, other) * columns + min(column, other)]
                    right[other] -= share * step[column]
        if not again:
            break
    most = 0.0
    for column in range(columns):
        most = max(most, abs(step[column]))
    return most


@kernel
def solve_free(factor: Array, size: int, free: Array, out_x: Array) -> None:
    """x <- A^-1 x over the free columns; the others stay."""
    for row in range(size):
        if free[row] == 0.0:
            continue
        total, line = out_x[row], row * size
        for each in range(row):
            if free[each] != 0.0:
                total -= factor[line + each] * out_x[each]
        out_x[row] = total * factor[line + row]
    for row in range(size - 1, -1, -1):
        if free[row] == 0.0:
            continue
        total = out_x[row]
        for each in range(row + 1, size):
            if free[each] != 0.0:
                total -= factor[each * size + row] * out_x[each]
        out_x[row] = total * factor[row * size + row]


@kernel
def fit_pose(packed: Packed, q: Array, work: Array, movable: Array, most: int) -> float:
    """Fit one pose, in place, by up to `most` steps; returns r^T r. Targets and weights are set before."""
    ints, floats, regions = packed[2:]
    columns = ints[COLUMNS]
    space = work[ints[SOLVER] :]
    h, factor = space, space[columns * columns :]
    g = space[2 * columns * columns :]
    step = g[columns:]
    free, trial = step[columns:], step[3 * columns :]
    squares = evaluate(packed, q, True, work)
    damping, growth, taken = 1e-6, 4.0, 0
    fresh = True
    while taken < most and squares > 1e-30:
        if fresh:
            write_normal(ints, work, h, g)
        taken += 1
        free_columns(ints, floats, q, g, movable, free)
        largest = bounded_step(ints, floats, q, h, g, damping, factor, step)
        move_pose(ints, floats, regions, q, step, 1.0, trial)
        found = evaluate(packed, trial, True, work)
        gained = squares - found
        if gained > 0.0:
            for each in range(q.shape[0]):
                q[each] = trial[each]
            squares = found
            damping, growth, fresh = max(0.1 * damping, SMALLEST), 4.0, True
            if gained <= ENOUGH * squares or largest < SHORT:
                break
        else:
            if largest < SHORT or damping >= LARGEST or -gained <= 1e-15 * squares:
                break
            damping, growth, fresh = max(damping, 1e-9) * growth, 2.0 * growth, False
    return squares


@kernel
def fit_frames(
    packed: Packed,
    targets: Array,
    roots: Array,
    movable: Array,
    most: int,
    q: Array,
    work: Array,
    out_poses: Array,
    out_errors: Array,
) -> None:
    """Fit frames in their order, each from the pose before, which `q` is at the start and at the end. Errors: distance
    of each point from its target [m], nan where it was not seen, shape [frames, points]."""
    ints, floats, regions = packed[2:]
    if ints[FIELDS_END] > 0:
        start = q.copy()
        keep_regions(ints, regions, start, q)
    for frame in range(targets.shape[0]):
        if aim_at(ints, floats, targets[frame], roots) > 0:
            fit_pose(packed, q, work, movable, most)
        evaluate(packed, q, False, work)
        for each in range(q.shape[0]):
            out_poses[frame, each] = q[each]
        for point in range(ints[BLOCKS]):
            row = ints[RESIDUAL] + ints[ints[BLOCKS_AT] + point * BLOCK + ROW]
            root = floats[point * BLOCK_FLOATS + SHAPE]
            out_errors[frame, point] = math.nan
            if root > 0.0:
                x, y, z = work[row], work[row + 1], work[row + 2]
                out_errors[frame, point] = math.sqrt(x * x + y * y + z * z) / root
