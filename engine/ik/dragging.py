"""Dragging: steps in the tangent of the constraints, each led back onto them.

The tangent step of `engine.ik.multipliers` leaves the constraints by about half its square. Newton's iteration leads
back, K J_c^T A_cc^-1 (-C), with the factor that the step had, so that one correction costs only the rows; where that
does not quarter |C|^2 the Jacobian is taken anew, and the correction shortened until |C| falls, so that constraints
that conflict end where their squares are least. A step has at most a given length, and is quartered until
the constraints that held hold again and the potential of what pulls is not higher than before,

    V = sum of s r^2 / 2 over springs - sum of f r over forces.
"""

from __future__ import annotations

from engine.ik.function_blocks import (
    BEFORE,
    CORRECTIONS,
    FACTOR_FRESH,
    FACTORED,
    FORCES,
    HELD_ROWS,
    KEPT,
    MODES,
    MULTIPLIERS,
    NEAREST,
    NUMBERS,
    PULLED_ROWS,
    SHORTENED,
    STEP,
    TALLY,
    TRIAL,
    WRENCHES,
    evaluate_changed,
)
from engine.ik.layout import (
    AXIS,
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    COLUMNS,
    DIRECTION,
    FRAME,
    HEIGHT,
    JOINT,
    KIND,
    LOOK,
    RESIDUAL,
    ROW,
    ROWS,
    SHAPE,
    SPACE,
    STATE,
    Packed,
)
from engine.ik.multipliers import (
    FADING,
    FORCE,
    LONGEST,
    RETURNS,
    SPRING,
    TIME,
    TOLERANCE,
    TRUNCATION,
    find_motion,
    solve_constraints,
    take_step,
)
from engine.ik.rows import apply_rotation, write_shape
from engine.ik.steps import move_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

_CORRECTIONS = 12
_SLOW = 1e-3  # part of |C|^2: gaining less than this, the constraints are as near as they come for now
_MUCH = 1e4  # of |C|^2: a step to more than this is not gone on from
_STILL = 1e-13  # [rad or m] below which nothing moves
_SETTLED = 1e-11  # [rad or m]: a correction this small ends the iteration
_FACTORS = 7  # after so many in a step, what is left of it is given up
_PARTS = 4  # a step that is too long is made in so many at most


@kernel
def measure_potential(ints: IntArray, plan: IntArray, workspace: Array, work: Array) -> float:
    """V of what pulls [J]."""
    total = 0.0
    for w in range(plan[PULLED_ROWS]):
        r, mode = work[ints[RESIDUAL] + plan[HELD_ROWS] + w], workspace[plan[MODES] + w]
        if mode == SPRING:
            total += 0.5 * workspace[plan[NUMBERS] + w] * r * r
        elif mode == FORCE:
            total -= workspace[plan[NUMBERS] + w] * r
    return total


@kernel
def sum_squares(ints: IntArray, plan: IntArray, work: Array) -> float:
    """|C|^2."""
    total = 0.0
    for row in range(plan[HELD_ROWS]):
        total += work[ints[RESIDUAL] + row] ** 2
    return total


@kernel
def find_correction(
    packed: Packed, plan: IntArray, q: Array, settings: Array, renewed: bool, workspace: Array, work: Array
) -> float:
    """Newton's step back to the constraints, with the factor that is there or a new one for the Jacobian of q;
    returns the share of it that is not too long."""
    ints, mu, step, largest = packed[2], workspace[plan[MULTIPLIERS] :], workspace[plan[STEP] :], 0.0
    if renewed:
        largest = find_motion(packed, plan, q, 0.0, 1.0, settings, workspace, work)
    else:
        for row in range(ints[ROWS]):
            mu[row] = -work[ints[RESIDUAL] + row] if row < plan[HELD_ROWS] else 0.0
        solve_constraints(plan, settings[TRUNCATION], workspace, mu)
        for column in range(ints[COLUMNS]):
            step[column] = 0.0
        take_step(packed, plan, q, False, workspace, work)
        for column in range(ints[COLUMNS]):
            largest = max(largest, abs(step[column]))
    return 0.0 if largest < _SETTLED else float(min(1.0, settings[LONGEST] / largest))


@kernel
def return_to_constraints(
    packed: Packed, plan: IntArray, q: Array, settings: Array, workspace: Array, work: Array
) -> float:
    """Lead q back onto the constraints; returns the largest error left [m, or length of an axis' difference].

    A long step along a direction that hardly moves the constraints breaks those that it moves much, which the next step
    mends: after a few it may come to less than before where this one came to more, so they are taken before the step is
    shortened."""
    ints, floats, regions = packed[2:]
    trial, tally = workspace[plan[TRIAL] : plan[TRIAL] + q.shape[0]], workspace[plan[TALLY] :]
    nearest = workspace[plan[NEAREST] : plan[NEAREST] + q.shape[0]]
    worst = evaluate_changed(packed, plan, q, False, workspace, work)
    squares, renew, share = sum_squares(ints, plan, work), tally[FACTOR_FRESH] == 0.0, 1.0
    renewed, shortened, least = False, 0, -1.0
    for _ in range(_CORRECTIONS):
        if worst <= settings[TOLERANCE]:
            return worst
        if renew:
            evaluate_changed(packed, plan, q, True, workspace, work)
            renewed, renew = True, False
        most = find_correction(packed, plan, q, settings, renewed, workspace, work)
        if most == 0.0:
            if renewed:
                break
            renew = True
            continue
        share = min(share, most) if renewed else most
        move_pose(ints, floats, regions, q, workspace[plan[STEP] :], share, trial)
        found = evaluate_changed(packed, plan, trial, False, workspace, work)
        after, stopped = sum_squares(ints, plan, work), tally[FACTOR_FRESH] == 0.0
        tally[CORRECTIONS] += 1.0
        if least >= 0.0:
            if after < least:
                squares, least = least, -1.0
            elif after < 0.25 * squares:
                for each in range(q.shape[0]):
                    q[each] = trial[each]
                worst, squares, renew = found, after, True
                continue
            else:
                for each in range(q.shape[0]):
                    q[each] = nearest[each]
                worst, squares = evaluate_changed(packed, plan, q, False, workspace, work), least
                renew, share, least, shortened = True, 0.25, -1.0, 1
                continue
        if after < 0.25 * squares or (renewed and after < squares):
            for each in range(q.shape[0]):
                q[each] = trial[each]
            renew, slow = stopped or after >= 0.25 * squares, after > (1.0 - _SLOW) * squares
            worst, squares, renewed, share, shortened = found, after, False, 1.0, 0
            if slow:
                break
            continue
        if renewed and not stopped and shortened == 0 and after < _MUCH * squares:
            least = squares
            for each in range(q.shape[0]):
                nearest[each], q[each] = q[each], trial[each]
            worst, squares, renew = found, after, True
            continue
        worst = evaluate_changed(packed, plan, q, False, workspace, work)
        renew = True
        if renewed and not stopped:
            share *= 0.25
            shortened += 1
            if shortened > 8:
                break
    if least >= 0.0:
        for each in range(q.shape[0]):
            q[each] = nearest[each]
        worst = evaluate_changed(packed, plan, q, False, workspace, work)
    return worst


@kernel
def write_wrenches(ints: IntArray, floats: Array, plan: IntArray, h: float, workspace: Array, work: Array) -> None:
    """Write each row's multiplier in the step of time h, and for each block S^T lambda as a force [N] (3) and, for an
    axis a, the torque a x S^T lambda [N m] (3), in the world and on the body."""
    forces, state, scratch = workspace[plan[FORCES] :], work[ints[STATE] :], work[ints[SPACE] :]
    s, axis = scratch[:9], scratch[9:12]
    for row in range(ints[ROWS]):
        forces[row] = workspace[plan[MULTIPLIERS] + row] / h
    for each in range(ints[BLOCKS]):
        block, place, out = ints[BLOCKS_AT] + each * BLOCK, each * BLOCK_FLOATS, plan[WRENCHES] + 6 * each
        height, row, turns = ints[block + HEIGHT], ints[block + ROW], ints[block + KIND] in (AXIS, LOOK)
        write_shape(state, ints[block + FRAME], floats, place + SHAPE, height, s)
        x, y, z = 0.0, 0.0, 0.0
        for line in range(height):
            x += s[3 * line] * forces[row + line]
            y += s[3 * line + 1] * forces[row + line]
            z += s[3 * line + 2] * forces[row + line]
        for line in range(6):
            workspace[out + line] = 0.0
        if turns:
            apply_rotation(state, ints[block + JOINT], floats, place + DIRECTION, axis)
            workspace[out + 3] = axis[1] * z - axis[2] * y
            workspace[out + 4] = axis[2] * x - axis[0] * z
            workspace[out + 5] = axis[0] * y - axis[1] * x
        else:
            workspace[out], workspace[out + 1], workspace[out + 2] = x, y, z


@kernel
def drag(packed: Packed, plan: IntArray, q: Array, settings: Array, workspace: Array, work: Array) -> float:
    """One step on q, in place; returns the largest error of a constraint. Multipliers and what they push with are
    those of its first part."""
    ints, floats, regions = packed[2:]
    before, tally = workspace[plan[BEFORE] : plan[BEFORE] + q.shape[0]], workspace[plan[TALLY] :]
    left, worst, began = settings[TIME], 0.0, tally[FACTORED]
    for part in range(_PARTS):
        worst = evaluate_changed(packed, plan, q, True, workspace, work)
        potential, resting = measure_potential(ints, plan, workspace, work), worst <= 4.0 * settings[TOLERANCE]
        fading = settings[FADING]
        if settings[RETURNS] != 0.0 and worst <= settings[TOLERANCE]:
            fading = 0.0
        largest = find_motion(packed, plan, q, left, fading, settings, workspace, work)
        if part == 0:
            write_wrenches(ints, floats, plan, left, workspace, work)
        for each in range(q.shape[0]):
            before[each] = q[each]
        for column in range(ints[COLUMNS]):
            workspace[plan[KEPT] + column] = workspace[plan[STEP] + column]
        slack = 1e-12 * (1.0 + abs(potential))
        for row in range(plan[HELD_ROWS]):
            slack += settings[TOLERANCE] * abs(workspace[plan[FORCES] + row])
        share = min(1.0, settings[LONGEST] / largest) if largest > _STILL else 0.0
        for halving in range(5):
            move_pose(ints, floats, regions, before, workspace[plan[KEPT] :], share, q)
            if settings[RETURNS] != 0.0:
                worst = return_to_constraints(packed, plan, q, settings, workspace, work)
            else:
                worst = evaluate_changed(packed, plan, q, False, workspace, work)
            kept = settings[RETURNS] == 0.0 or worst <= 4.0 * settings[TOLERANCE]
            if not resting or share == 0.0:
                break
            if kept and measure_potential(ints, plan, workspace, work) <= potential + slack:
                break
            tally[SHORTENED] += 1.0
            share = 0.25 * share if halving < 3 and tally[FACTORED] - began < _FACTORS else 0.0
        given_up = tally[FACTORED] - began >= _FACTORS
        if given_up or share == 0.0 or share >= 1.0 or left * (1.0 - share) <= 1e-9:
            break
        left *= 1.0 - share
    return worst
