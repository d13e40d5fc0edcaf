"""Lagrange multipliers: what holds the constraints while other forces pull (Welman 1993, 5.2.3 to 5.2.5).

The equation of motion is of first order, q' = K (g_a + g_c). The source writes a constraint that p be at R as
C = (R - p)^2, component by component; its derivative 2 (p - R) dp/dq vanishes where it holds, so that J_c K J_c^T
would be zero just when it is needed. Here C is the difference itself. (5.4) is printed g_c = lambda J_c, which is no
vector over the coordinates: it is g_c = J_c^T lambda. C' = J_c q' = 0 then gives

    (J_c K J_c^T) lambda = -J_c K g_a.                                       (5.5)

The feedback of (5.7), - k J_c^T C, pulls at every constraint as hard as its Jacobian happens to be large, and disturbs
others; C' = -k C instead, on the right of (5.5), lets each fade by itself at the rate k, also where they are coupled.

A spring of stiffness s pulls with g_a = -s J_w^T r_w, r_w the way from its target. Taken at the end of the step, it is
stable for any s and any h: with mu = h lambda and A = J K J^T over all rows,

    (A_cc  A_cw         ) (mu_c)   ((e^(-k h) - 1) C)
    (A_wc  A_ww + 1/(h s)) (mu_w) = (-r_w            ),     step = K (J_c^T mu_c + J_w^T mu_w),

which for h to 0 is (5.5) and (5.7). A constant force f has mu = h f. The springs' rows are eliminated first (a Schur
complement), so only A_cc is factored: by Cholesky with pivots, or by the eigenvalues, leaving out those below the
truncation as a share of the largest (5.2.4). Its pseudo-inverse gives the step of least squares.

A coordinate that its step would carry through a limit goes to the limit, drops out of K, and the rest is solved again.
Where q stands at the boundary of a region and the step leads out, K loses the direction of its gradient
(`engine.ik.stops`).
Buffers as `engine.ik.layout` and `engine.ik.function_blocks` name their parts.
"""

from __future__ import annotations

from engine.ik.columns import add_column, add_outer, dot_column
from engine.ik.function_blocks import (
    BY_VALUES,
    COUNTED,
    DECOMPOSED,
    FACTOR,
    FACTOR_FRESH,
    FACTORED,
    HELD_ROWS,
    KEPT_MOBILITY,
    LEFT,
    MATRIX,
    MATRIX_FRESH,
    MODES,
    MULTIPLIERS,
    NUMBERS,
    PULLED_ROWS,
    RANK,
    SCHUR,
    SCHUR_FACTOR,
    SOLVED,
    SPARE,
    SQUARE,
    STEP,
    STOPPED,
    TALLY,
    VALUES,
    VECTORS,
)
from engine.ik.layout import (
    ACTIVE,
    AT_LIMIT,
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    FIELDS_END,
    JACOBIAN,
    LOWER,
    MEASURE,
    MOBILITY,
    PART,
    RESIDUAL,
    ROWS,
    SEEN,
    UPPER,
    Packed,
)
from engine.ik.stops import change_stops, downdate, refresh_stops, stop_at, write_shifts
from engine.maths.arrays import Array, IntArray
from engine.maths.semidefinite import factor_semidefinite, solve_semidefinite
from engine.maths.symmetric import decompose_symmetric, factor_cholesky, solve_cholesky
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

# Settings of a step.
TIME, FADING, TOLERANCE, TRUNCATION, BY_VALUES_ALWAYS, LONGEST, RETURNS = range(7)
IDLE, SPRING, FORCE = range(3)  # modes of a pulled row; its number is s [N/m] or f [N]
_STIFFEST = 1e-9  # of a spring's own mobility, so that two springs at one place can be distinguished


@borrowing
@kernel
def factor_constraints(
    ints: IntArray, floats: Array, plan: IntArray, truncation: float, by_values: bool, workspace: Array, work: Array
) -> None:
    """A over all rows from the columns that are not stopped, without what regions stop, and a factor of A_cc."""
    rows, held, tally = ints[ROWS], plan[HELD_ROWS], workspace[plan[TALLY] :]
    matrix, square, counted = workspace[plan[MATRIX] :], workspace[plan[SQUARE] :], workspace[plan[COUNTED] :]
    if tally[MATRIX_FRESH] == 0.0 or ints[FIELDS_END] > 0:
        for each in range(rows * rows):
            matrix[each] = 0.0
        for column in range(ints[COLUMNS]):
            counted[column] = 0.0
        tally[MATRIX_FRESH] = 1.0
    for column in range(ints[COLUMNS]):
        moving = 1.0 if workspace[plan[STOPPED] + column] == 0.0 else 0.0
        if moving != counted[column]:
            mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
            add_outer(ints, work[ints[JACOBIAN] :], column, (moving - counted[column]) * mobility, matrix)
            counted[column] = moving
    for field in range(ints[FIELDS_END]):
        stop = stop_at(ints, field)
        if work[stop + ACTIVE] != 0.0:
            downdate(rows, work[stop + SEEN :], 1.0 / work[stop + MEASURE], matrix)
    for row in range(held):
        for column in range(row + 1):
            square[row * held + column] = matrix[row * rows + column]
    if by_values:
        decompose_symmetric(
            square, held, workspace[plan[VALUES] :], workspace[plan[VECTORS] :], workspace[plan[SPARE] :]
        )
        tally[DECOMPOSED] += 1.0
    else:
        tally[RANK] = factor_semidefinite(
            square, held, truncation, workspace[plan[FACTOR] :], workspace[plan[VALUES] :], workspace[plan[VECTORS] :]
        )
    tally[FACTORED] += 1.0
    tally[FACTOR_FRESH], tally[BY_VALUES] = 1.0, 1.0 if by_values else 0.0


@borrowing
@kernel
def solve_constraints(plan: IntArray, truncation: float, workspace: Array, out_x: Array) -> None:
    """x <- A_cc^-1 x, or the truncated inverse."""
    held = plan[HELD_ROWS]
    if workspace[plan[TALLY] + BY_VALUES] == 0.0:
        factor, order, gram = workspace[plan[FACTOR] :], workspace[plan[VALUES] :], workspace[plan[VECTORS] :]
        rank = int(workspace[plan[TALLY] + RANK])
        solve_semidefinite(factor, order, gram, held, rank, workspace[plan[SPARE] :], out_x)
        return
    values, vectors, spare = workspace[plan[VALUES] :], workspace[plan[VECTORS] :], workspace[plan[SPARE] :]
    least = truncation * values[held - 1] if held > 0 else 0.0
    for each in range(held):
        total = 0.0
        if values[each] > least and values[each] > 0.0:
            for row in range(held):
                total += vectors[row * held + each] * out_x[row]
            total /= values[each]
        spare[each] = total
    for row in range(held):
        total = 0.0
        for each in range(held):
            total += vectors[row * held + each] * spare[each]
        out_x[row] = total


@borrowing
@kernel
def solve_rows(ints: IntArray, plan: IntArray, h: float, truncation: float, workspace: Array) -> None:
    """The multipliers of all rows, times h, for what is LEFT of the rows: the system above; for h = 0 without pulls."""
    rows, held, pulled = ints[ROWS], plan[HELD_ROWS], plan[PULLED_ROWS] if h > 0.0 else 0
    mu, left, matrix = workspace[plan[MULTIPLIERS] :], workspace[plan[LEFT] :], workspace[plan[MATRIX] :]
    solved, schur, modes = workspace[plan[SOLVED] :], workspace[plan[SCHUR] :], workspace[plan[MODES] :]
    for row in range(rows):
        mu[row] = left[row] if row < held else 0.0
    solve_constraints(plan, truncation, workspace, mu)
    for w in range(pulled):
        line = (held + w) * rows
        mu[held + w] = h * workspace[plan[NUMBERS] + w] if modes[w] == FORCE else 0.0
        if modes[w] != IDLE:
            for row in range(held):
                solved[w * held + row] = matrix[line + row]
            solve_constraints(plan, truncation, workspace, solved[w * held :])
    for w in range(pulled):
        line = (held + w) * rows
        for v in range(w + 1):
            total = 0.0
            if modes[w] != IDLE and modes[v] != IDLE:
                total = matrix[line + held + v]
                for row in range(held):
                    total -= matrix[line + row] * solved[v * held + row]
            schur[w * pulled + v] = total
    # Springs answer to what the constraints' feedback and the forces leave of their way.
    for w in range(pulled):
        if modes[w] == SPRING:
            total = left[held + w]
            for row in range(held):
                total -= matrix[(held + w) * rows + row] * mu[row]
            for v in range(pulled):
                if modes[v] == FORCE:
                    total -= schur[max(v, w) * pulled + min(v, w)] * mu[held + v]
            left[held + w] = total
    for w in range(pulled):
        for v in range(w + 1):
            if modes[w] != SPRING or modes[v] != SPRING:
                schur[w * pulled + v] = 0.0
        if modes[w] == SPRING:
            schur[w * pulled + w] *= 1.0 + _STIFFEST
            schur[w * pulled + w] += 1.0 / (h * workspace[plan[NUMBERS] + w])
        else:
            left[held + w] = 0.0
    factor_cholesky(schur, pulled, workspace[plan[SCHUR_FACTOR] :])
    solve_cholesky(workspace[plan[SCHUR_FACTOR] :], pulled, left[held:])
    for w in range(pulled):
        mu[held + w] += left[held + w]
        if modes[w] != IDLE:
            for row in range(held):
                mu[row] -= solved[w * held + row] * mu[held + w]


@borrowing
@kernel
def drop_stopped(packed: Packed, plan: IntArray, q: Array, workspace: Array, work: Array) -> None:
    """Stopped columns and regions that are off their limit move again; those without any way to go stop."""
    ints, floats, regions = packed[2:]
    for column in range(ints[COLUMNS]):
        numbers = ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        place = ints[COLUMNS_AT] + column * COLUMN_INTS
        workspace[plan[STEP] + column] = 0.0
        stopped = 0.0
        if ints[place + PART] == 0:
            value = q[ints[place + COORDINATE]]
            at_limit = value <= floats[numbers + LOWER] + AT_LIMIT or value >= floats[numbers + UPPER] - AT_LIMIT
            fixed = floats[numbers + LOWER] >= floats[numbers + UPPER]
            stopped = 1.0 if fixed else workspace[plan[STOPPED] + column] if at_limit else 0.0
        if stopped != workspace[plan[STOPPED] + column]:
            workspace[plan[STOPPED] + column], workspace[plan[TALLY] + FACTOR_FRESH] = stopped, 0.0
    if ints[FIELDS_END] > 0:
        mobility = workspace[plan[KEPT_MOBILITY] :]
        write_mobility(ints, floats, workspace[plan[STOPPED] :], mobility)
        if refresh_stops(ints, regions, q, mobility, work):
            workspace[plan[TALLY] + FACTOR_FRESH] = 0.0


@borrowing
@kernel
def write_mobility(ints: IntArray, floats: Array, stopped: Array, out_mobility: Array) -> None:
    """K of every column, 0 where it is stopped."""
    for column in range(ints[COLUMNS]):
        mobility = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY]
        out_mobility[column] = mobility if stopped[column] == 0.0 else 0.0


@borrowing
@kernel
def take_step(packed: Packed, plan: IntArray, q: Array, release: bool, workspace: Array, work: Array) -> bool:
    """step = K J^T mu; whether a column or a region was stopped at its limit, or let go from it, which changes K."""
    ints, floats, regions = packed[2:]
    step, stopped, again = workspace[plan[STEP] :], workspace[plan[STOPPED] :], False
    shifts = work[stop_at(ints, ints[FIELDS_END]) :]
    if ints[FIELDS_END] > 0:
        write_shifts(ints, work, workspace[plan[MULTIPLIERS] :])
    for column in range(ints[COLUMNS]):
        numbers = ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        place = ints[COLUMNS_AT] + column * COLUMN_INTS
        way = floats[numbers + MOBILITY] * dot_column(
            ints, work[ints[JACOBIAN] :], column, workspace[plan[MULTIPLIERS] :]
        )
        if ints[FIELDS_END] > 0 and stopped[column] == 0.0:
            way -= shifts[column]
        if ints[place + PART] != 0:
            step[column] = way
            continue
        least = floats[numbers + LOWER] - q[ints[place + COORDINATE]]
        most = floats[numbers + UPPER] - q[ints[place + COORDINATE]]
        if stopped[column] != 0.0:
            inwards = (least >= -AT_LIMIT and way > 0.0) or (most <= AT_LIMIT and way < 0.0)
            if release and inwards and least < most and step[column] == 0.0:
                stopped[column], again = 0.0, True
        elif way < least or way > most:
            step[column] = least if way < least else most
            stopped[column], again = 1.0, True
        else:
            step[column] = way
    if ints[FIELDS_END] > 0:
        mobility = workspace[plan[KEPT_MOBILITY] :]
        write_mobility(ints, floats, stopped, mobility)
        if change_stops(ints, regions, q, mobility, step, workspace[plan[MULTIPLIERS] :], release, work):
            again = True
        if again:
            refresh_stops(ints, regions, q, mobility, work)
    if again:
        workspace[plan[TALLY] + FACTOR_FRESH] = 0.0
    return again


@borrowing
@kernel
def find_motion(
    packed: Packed, plan: IntArray, q: Array, h: float, fading: float, settings: Array, workspace: Array, work: Array
) -> float:
    """The step of time h from q, where residual and Jacobian are those of q; returns its largest component. For
    h = 0 and nothing faded it is Newton's step back to the constraints."""
    ints, floats, truncation = packed[2], packed[3], settings[TRUNCATION]
    rows, held, left = ints[ROWS], plan[HELD_ROWS], workspace[plan[LEFT] :]
    drop_stopped(packed, plan, q, workspace, work)
    for tried in range(12):
        if workspace[plan[TALLY] + FACTOR_FRESH] == 0.0:
            factor_constraints(ints, floats, plan, truncation, settings[BY_VALUES_ALWAYS] != 0.0, workspace, work)
        for row in range(rows):
            left[row] = -work[ints[RESIDUAL] + row] * (fading if row < held else 1.0)
        for column in range(ints[COLUMNS]):
            if workspace[plan[STOPPED] + column] != 0.0 and workspace[plan[STEP] + column] != 0.0:
                add_column(ints, work[ints[JACOBIAN] :], column, -workspace[plan[STEP] + column], left)
        solve_rows(ints, plan, h, truncation, workspace)
        if not take_step(packed, plan, q, tried < 3, workspace, work):
            break
    largest = 0.0
    for column in range(ints[COLUMNS]):
        largest = max(largest, abs(workspace[plan[STEP] + column]))
    return largest
