"""Residual and Jacobian of a problem: r = S (y - g), J = dr/dq, block by block.

For a spot p and an axis a of a body, in the frame of another body b (or the world), with u the world axis of a rate and
t a point on it:

    point   r = S R_b^T (p - g)        column  S R_b^T (u x (p - t))          slide: S R_b^T u
    axis    r = S (R_b^T a - g)        column  S R_b^T (u x a)                slide: 0
    look    r = S R_b^T (a - d)        column  S R_b^T (u x a + N (u x (p - t)))   slide: S R_b^T N u
            d = (g - p) / |g - p|, N = (1 - d d^T) / |g - p|
    centre  r = S (c - g)              column  S (m_k / M) (u x (c_k - t))    slide: S (m_k / M) u

(Engell-Norregard 2012, equations 51, 55 and 62, whose (48) is printed with a wrong sign.) A rate that moves b changes
what b sees by the opposite of what it would do to a body fixed to the spot: its column has the same form and the sign
-1, taken at p itself. Rates that move both cancel, and are no entries.

A coordinate q_d that others drive has no column: in that of q_k it comes with the factor f' of q_d = f(q_k).

J lies by columns: J[k] are the rows of rate k, shape [column_count, row_count]; entries that are always zero are never
written. Buffers as `engine.ik.layout` names their parts.
"""

from __future__ import annotations

import math

from engine.ik.layout import (
    ALLOWED,
    AXIS,
    BEGUN,
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    BODIES,
    CENTRE,
    CENTRES,
    COLUMN,
    COLUMNS,
    COUNTS,
    DIRECTION,
    DRIVEN_AT,
    DRIVEN_FLOATS,
    ENTRIES_FROM,
    ENTRIES_TO,
    ENTRY,
    ERRORS,
    EVALUATIONS,
    FRAME,
    HEIGHT,
    JACOBIAN,
    JOINT,
    KIND,
    LED,
    LOCAL,
    LOOK,
    MAIN_ROWS,
    MASSES_FLOATS,
    MIX_AT,
    MOTION_AT,
    RESIDUAL,
    ROW,
    ROWS,
    SCALE,
    SHAPE,
    SIGN,
    SLIDES,
    SLOPES,
    SPACE,
    SQUARES,
    STATE,
    SUBTREES,
    TARGET,
    WORST,
    Packed,
)
from engine.maths.arrays import Array, IntArray
from engine.model.compile import HEADER as MODEL_HEADER
from engine.model.compile import JOINT_STRIDE, PARENT
from engine.model.compile import ROW as FRAME_ROW
from engine.model.driven_kernels import write_driven, write_slopes
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import entered_kernel, kernel, lazy_kernel

_NEAR = 1e-9  # [m] closer than this to what is looked at, no direction is defined


@borrowing
@kernel
def apply_rotation(state: Array, joint: int, local: Array, at: int, out_v: Array) -> None:
    """A joint's vector in the world."""
    row = (joint + 1) * FRAME_ROW
    x, y, z = local[at], local[at + 1], local[at + 2]
    for line in range(3):
        each = row + 3 * line
        out_v[line] = state[each] * x + state[each + 1] * y + state[each + 2] * z


@borrowing
@kernel
def write_shape(state: Array, frame: int, floats: Array, shape: int, height: int, out_s: Array) -> None:
    """S, or S R_b^T where the target lies in the frame of b; rows of 3."""
    if frame < 0:
        for each in range(3 * height):
            out_s[each] = floats[shape + each]
        return
    row = (frame + 1) * FRAME_ROW
    for line in range(height):
        a, b, c = floats[shape + 3 * line], floats[shape + 3 * line + 1], floats[shape + 3 * line + 2]
        for axis in range(3):
            at = row + 3 * axis
            out_s[3 * line + axis] = a * state[at] + b * state[at + 1] + c * state[at + 2]


@borrowing
@kernel
def sum_subtrees(model_ints: IntArray, ints: IntArray, floats: Array, state: Array, out_subtrees: Array) -> None:
    """Mass [kg] and first moment [kg m] of what hangs on each joint, rows of 4."""
    count = ints[BODIES]
    for joint in range(count):
        at, row, body = 4 * joint, (joint + 1) * FRAME_ROW, ints[MASSES_FLOATS] + 4 * joint
        mass = floats[body]
        out_subtrees[at] = mass
        for line in range(3):
            each = row + 3 * line
            out_subtrees[at + 1 + line] = mass * (
                state[each] * floats[body + 1]
                + state[each + 1] * floats[body + 2]
                + state[each + 2] * floats[body + 3]
                + state[row + 9 + line]
            )
    for joint in range(count - 1, -1, -1):
        parent = model_ints[MODEL_HEADER + joint * JOINT_STRIDE + PARENT]
        if parent >= 0:
            for each in range(4):
                out_subtrees[4 * parent + each] += out_subtrees[4 * joint + each]


@lazy_kernel
def follow_drivers(ints: IntArray, floats: Array, q: Array, work: Array) -> None:
    """Put driven coordinates where they belong, and write their f'."""
    table, numbers = ints[ints[DRIVEN_AT] :], floats[ints[DRIVEN_FLOATS] :]
    write_driven(table, numbers, q)
    write_slopes(table, numbers, q, 1, work[ints[SLOPES] :])


@borrowing
@kernel
def write_columns(
    ints: IntArray,
    state: Array,
    block: int,
    s: Array,
    v: Array,
    subtrees: Array,
    slopes: Array,
    near: float,
    out_jacobian: Array,
) -> None:
    """The columns of a block. `v`: the spot (3), the axis (3), the direction that is looked along (3)."""
    kind, height, row, rows = ints[block + KIND], ints[block + HEIGHT], ints[block + ROW], ints[ROWS]
    for entry in range(ints[block + ENTRIES_FROM], ints[block + ENTRIES_TO], ENTRY):
        motion, slides = ints[entry + MOTION_AT], ints[entry + SLIDES]
        ux, uy, uz = state[motion], state[motion + 1], state[motion + 2]
        x, y, z, sign = 0.0, 0.0, 0.0, 1.0
        if kind == CENTRE:
            body = 4 * ints[entry + SIGN]
            sign = near * subtrees[body]
            px, py, pz = subtrees[body + 1], subtrees[body + 2], subtrees[body + 3]
            if subtrees[body] > 0.0:
                px, py, pz = px / subtrees[body], py / subtrees[body], pz / subtrees[body]
        else:
            sign = float(ints[entry + SIGN])
            px, py, pz = v[0], v[1], v[2]
        if kind != AXIS:
            if slides:
                x, y, z = ux, uy, uz
            else:
                rx, ry, rz = px - state[motion + 3], py - state[motion + 4], pz - state[motion + 5]
                x, y, z = uy * rz - uz * ry, uz * rx - ux * rz, ux * ry - uy * rx
        if kind == LOOK:
            along = x * v[6] + y * v[7] + z * v[8]
            x, y, z = near * (x - along * v[6]), near * (y - along * v[7]), near * (z - along * v[8])
        if (kind in (AXIS, LOOK)) and not slides:
            x += uy * v[5] - uz * v[4]
            y += uz * v[3] - ux * v[5]
            z += ux * v[4] - uy * v[3]
        at, led = ints[entry + COLUMN] * rows + row, ints[entry + LED]
        if led != 0:
            factor, kept = sign * slopes[abs(led) - 1], 1.0 if led < 0 else 0.0
            for line in range(height):
                found = s[3 * line] * x + s[3 * line + 1] * y + s[3 * line + 2] * z
                out_jacobian[at + line] = kept * out_jacobian[at + line] + factor * found
            continue
        for line in range(height):
            out_jacobian[at + line] = sign * (s[3 * line] * x + s[3 * line + 1] * y + s[3 * line + 2] * z)


@borrowing
@kernel
def compute_block(
    ints: IntArray, floats: Array, block: int, place: int, state: Array, scratch: Array, jacobian: bool, work: Array
) -> float:
    """Residual of a block, its columns if wanted; returns its error [m, or length of an axis' difference]."""
    kind, joint, frame = ints[block + KIND], ints[block + JOINT], ints[block + FRAME]
    height, row = ints[block + HEIGHT], ints[block + ROW]
    s, v, subtrees = scratch[:9], scratch[9:18], work[ints[SUBTREES] :]
    write_shape(state, frame, floats, place + SHAPE, height, s)
    near = 0.0
    if kind == CENTRE:
        total = subtrees[4 * joint]
        near = 1.0 / total if total > 0.0 else 0.0
        for line in range(3):
            v[line] = subtrees[4 * joint + 1 + line] * near
    else:
        apply_rotation(state, joint, floats, place + LOCAL, v)
        for line in range(3):
            v[line] += state[(joint + 1) * FRAME_ROW + 9 + line]
    if kind in (AXIS, LOOK):
        apply_rotation(state, joint, floats, place + DIRECTION, v[3:])
    gx, gy, gz = floats[place + TARGET], floats[place + TARGET + 1], floats[place + TARGET + 2]
    if frame >= 0:
        at = (frame + 1) * FRAME_ROW
        wx = state[at] * gx + state[at + 1] * gy + state[at + 2] * gz
        wy = state[at + 3] * gx + state[at + 4] * gy + state[at + 5] * gz
        wz = state[at + 6] * gx + state[at + 7] * gy + state[at + 8] * gz
        gx, gy, gz = wx, wy, wz
        if kind != AXIS:
            gx, gy, gz = gx + state[at + 9], gy + state[at + 10], gz + state[at + 11]
    if kind == LOOK:
        x, y, z = gx - v[0], gy - v[1], gz - v[2]
        length = math.sqrt(x * x + y * y + z * z)
        near = 1.0 / length if length > _NEAR else 0.0
        for line in range(3):
            v[6 + line] = v[3 + line] if near == 0.0 else near * (x if line == 0 else y if line == 1 else z)
        ex, ey, ez = v[3] - v[6], v[4] - v[7], v[5] - v[8]
    elif kind == AXIS:
        ex, ey, ez = v[3] - gx, v[4] - gy, v[5] - gz
    else:
        ex, ey, ez = v[0] - gx, v[1] - gy, v[2] - gz
    squares = 0.0
    for line in range(height):
        r = s[3 * line] * ex + s[3 * line + 1] * ey + s[3 * line + 2] * ez
        work[ints[RESIDUAL] + row + line] = r
        squares += r * r
    if jacobian:
        write_columns(ints, state, block, s, v, subtrees, work[ints[SLOPES] :], near, work[ints[JACOBIAN] :])
    scale = floats[place + SCALE]
    return math.sqrt(squares) / scale if scale > 0.0 else 0.0


@borrowing
@kernel
def mix_rows(ints: IntArray, floats: Array, jacobian: bool, work: Array) -> None:
    """r <- M r and J <- M J, where one weight matrix W = M^T M spans all goals (equation 17)."""
    rows, height = ints[ROWS], ints[MAIN_ROWS]
    spare = work[ints[SPACE] + 18 :]
    for column in range(-1, ints[COLUMNS] if jacobian else 0):
        at = ints[RESIDUAL] if column < 0 else ints[JACOBIAN] + column * rows
        for line in range(height):
            total = 0.0
            for each in range(height):
                total += floats[ints[MIX_AT] + line * height + each] * work[at + each]
            spare[line] = total
        for line in range(height):
            work[at + line] = spare[line]


@borrowing
@entered_kernel
def evaluate(packed: Packed, q: Array, jacobian: bool, work: Array) -> float:
    """Residual (and Jacobian) at q, whose driven coordinates are put where they belong; returns f = r^T r over the main
    rows. The largest error, as a part of what is allowed to its goal, lies in the counts."""
    model_ints, model_floats, ints, floats = packed[:4]
    state, scratch = work[ints[STATE] :], work[ints[SPACE] :]
    if ints[DRIVEN_AT] > 0:
        follow_drivers(ints, floats, q, work)
    compute_forward_kinematics(model_ints, model_floats, q, state)
    if ints[CENTRES]:
        sum_subtrees(model_ints, ints, floats, state, work[ints[SUBTREES] :])
    if jacobian and ints[MIX_AT] >= 0:
        # The rows were mixed in place, so entries that no block writes are not zero any more.
        for each in range(ints[COLUMNS] * ints[ROWS]):
            work[ints[JACOBIAN] + each] = 0.0
    worst = 0.0
    for each in range(ints[BLOCKS]):
        block, place = ints[BLOCKS_AT] + each * BLOCK, each * BLOCK_FLOATS
        error = compute_block(ints, floats, block, place, state, scratch, jacobian, work)
        work[ints[ERRORS] + each] = error
        if ints[block + ROW] < ints[MAIN_ROWS]:
            worst = max(worst, error / floats[place + ALLOWED])
    if ints[MIX_AT] >= 0:
        mix_rows(ints, floats, jacobian, work)
    squares = 0.0
    for row in range(ints[MAIN_ROWS]):
        squares += work[ints[RESIDUAL] + row] ** 2
    counts = ints[COUNTS]
    work[counts + SQUARES], work[counts + WORST] = squares, worst
    if work[counts + EVALUATIONS] == 0.0:
        work[counts + BEGUN] = squares
    work[counts + EVALUATIONS] += 1.0
    return squares
