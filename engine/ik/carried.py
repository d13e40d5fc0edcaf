"""Quantities that cyclic coordinate descent updates along a sweep: the points, axes and targets of each block in the
world.

A turn by x about the axis u through t takes a spot p to t + u (u.w) + cos x (w - u (u.w)) + sin x (u x w), w = p - t.
So the rows of a block are a + b cos x + c sin x, or a + b x for a slide (`engine.ik.ccd`).
"""

from __future__ import annotations

import math

from engine.ik.layout import (
    AXIS,
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    CENTRE,
    COLUMN,
    COLUMNS,
    ENTRIES_FROM,
    ENTRIES_TO,
    ENTRY,
    FRAME,
    HEIGHT,
    JOINT,
    KIND,
    LED,
    LOCAL,
    LOOK,
    MIX_AT,
    MOTION_AT,
    ROW,
    SHAPE,
    SIGN,
    SLIDES,
    STATE,
    SUBTREES,
    TARGET,
)
from engine.ik.layout import DIRECTION as DIRECTION_AT
from engine.ik.rows import apply_rotation, write_shape
from engine.maths.arrays import Array, IntArray
from engine.model.compile import HEADER as MODEL_HEADER
from engine.model.compile import JOINT_STRIDE, PARENT
from engine.model.compile import ROW as FRAME_ROW
from engine.runtime.jit import kernel

# Of each block: the spot, its axis, the target, and S R_b^T, all in the world.
SPOT, LINE, GOAL, SHAPE_ROWS = 0, 3, 6, 9
CARRIED = 18
_NEAR = 1e-9  # [m]


@kernel
def write_carried(ints: IntArray, floats: Array, work: Array, out_carried: Array) -> None:
    """The vectors of all blocks at the pose that was evaluated last."""
    state, subtrees = work[ints[STATE] :], work[ints[SUBTREES] :]
    for each in range(ints[BLOCKS]):
        block, place = ints[BLOCKS_AT] + each * BLOCK, each * BLOCK_FLOATS
        kind, joint, frame = ints[block + KIND], ints[block + JOINT], ints[block + FRAME]
        v = out_carried[each * CARRIED :]
        if kind == CENTRE:
            mass = subtrees[4 * joint]
            for line in range(3):
                v[SPOT + line] = subtrees[4 * joint + 1 + line] / mass if mass > 0.0 else 0.0
        else:
            apply_rotation(state, joint, floats, place + LOCAL, v)
            for line in range(3):
                v[SPOT + line] += state[(joint + 1) * FRAME_ROW + 9 + line]
        apply_rotation(state, joint, floats, place + DIRECTION_AT, v[LINE:])
        if frame < 0:
            for line in range(3):
                v[GOAL + line] = floats[place + TARGET + line]
        else:
            apply_rotation(state, frame, floats, place + TARGET, v[GOAL:])
            if kind != AXIS:
                for line in range(3):
                    v[GOAL + line] += state[(frame + 1) * FRAME_ROW + 9 + line]
        write_shape(state, frame, floats, place + SHAPE, 3, v[SHAPE_ROWS:])


@kernel
def write_entries(ints: IntArray, out_table: Array) -> None:
    """Write for each column and block the entry that joins them, 0 where there is none; a row for each column. What a
    column moves by driving others is no turn, and left out."""
    blocks = ints[BLOCKS]
    for each in range(ints[COLUMNS] * blocks):
        out_table[each] = 0.0
    for each in range(blocks):
        block = ints[BLOCKS_AT] + each * BLOCK
        for entry in range(ints[block + ENTRIES_FROM], ints[block + ENTRIES_TO], ENTRY):
            if ints[entry + LED] == 0:
                out_table[ints[entry + COLUMN] * blocks + each] = float(entry)


@kernel
def turn_vector(state: Array, motion: int, cosine: float, sine: float, fixed: bool, out_v: Array) -> None:
    """Turn a point about the axis at `motion`; a direction (`fixed` false) about its own foot."""
    ux, uy, uz = state[motion], state[motion + 1], state[motion + 2]
    tx, ty, tz = (state[motion + 3], state[motion + 4], state[motion + 5]) if fixed else (0.0, 0.0, 0.0)
    x, y, z = out_v[0] - tx, out_v[1] - ty, out_v[2] - tz
    along = (1.0 - cosine) * (ux * x + uy * y + uz * z)
    out_v[0] = tx + cosine * x + sine * (uy * z - uz * y) + along * ux
    out_v[1] = ty + cosine * y + sine * (uz * x - ux * z) + along * uy
    out_v[2] = tz + cosine * z + sine * (ux * y - uy * x) + along * uz


@kernel
def write_block_rows(ints: IntArray, block: int, v: Array, out_rows: Array) -> None:
    """Residual of a block from its vectors."""
    kind, row = ints[block + KIND], ints[block + ROW]
    x, y, z = v[SPOT] - v[GOAL], v[SPOT + 1] - v[GOAL + 1], v[SPOT + 2] - v[GOAL + 2]
    if kind == AXIS:
        x, y, z = v[LINE] - v[GOAL], v[LINE + 1] - v[GOAL + 1], v[LINE + 2] - v[GOAL + 2]
    elif kind == LOOK:
        length = math.sqrt(x * x + y * y + z * z)
        if length > _NEAR:
            x, y, z = v[LINE] + x / length, v[LINE + 1] + y / length, v[LINE + 2] + z / length
        else:
            x, y, z = 0.0, 0.0, 0.0
    for line in range(ints[block + HEIGHT]):
        s = SHAPE_ROWS + 3 * line
        out_rows[row + line] = v[s] * x + v[s + 1] * y + v[s + 2] * z


@kernel
def move_carried(ints: IntArray, state: Array, block: int, entry: int, turn: float, out_v: Array) -> None:
    """Carry a block's vectors along with one rate."""
    motion, slides = ints[entry + MOTION_AT], ints[entry + SLIDES]
    moves_frame = ints[block + KIND] != CENTRE and ints[entry + SIGN] < 0
    if slides:
        first = GOAL if moves_frame else SPOT
        if not (moves_frame and ints[block + KIND] == AXIS):
            for line in range(3):
                out_v[first + line] += turn * state[motion + line]
        return
    cosine, sine = math.cos(turn), math.sin(turn)
    if moves_frame:
        turn_vector(state, motion, cosine, sine, ints[block + KIND] != AXIS, out_v[GOAL:])
        for line in range(3):
            turn_vector(state, motion, cosine, sine, False, out_v[SHAPE_ROWS + 3 * line :])
    else:
        turn_vector(state, motion, cosine, sine, True, out_v[SPOT:])
        turn_vector(state, motion, cosine, sine, False, out_v[LINE:])


@kernel
def move_masses(
    model_ints: IntArray, ints: IntArray, state: Array, entry: int, turn: float, v: Array, out_subtrees: Array
) -> None:
    """Carry the mass that hangs on a rate's joint along, and the moments of all joints above it."""
    motion, joint = ints[entry + MOTION_AT], ints[entry + SIGN]
    at = 4 * joint
    mass = out_subtrees[at]
    if mass <= 0.0:
        return
    for line in range(3):
        v[line] = out_subtrees[at + 1 + line] / mass
    x, y, z = v[0], v[1], v[2]
    if ints[entry + SLIDES]:
        for line in range(3):
            v[line] += turn * state[motion + line]
    else:
        turn_vector(state, motion, math.cos(turn), math.sin(turn), True, v)
    x, y, z = mass * (v[0] - x), mass * (v[1] - y), mass * (v[2] - z)
    while joint >= 0:
        out_subtrees[4 * joint + 1] += x
        out_subtrees[4 * joint + 2] += y
        out_subtrees[4 * joint + 3] += z
        joint = model_ints[MODEL_HEADER + joint * JOINT_STRIDE + PARENT]


@kernel
def write_terms(
    ints: IntArray, state: Array, subtrees: Array, block: int, entry: int, v: Array, rows: int, out_terms: Array
) -> None:
    """The rows of a block as a + b cos x + c sin x, or as a + b x for a slide; a, b, c are `rows` numbers each."""
    kind, row, motion = ints[block + KIND], ints[block + ROW], ints[entry + MOTION_AT]
    ux, uy, uz = state[motion], state[motion + 1], state[motion + 2]
    part, sign = 1.0, 1.0 if kind == CENTRE else float(ints[entry + SIGN])
    first = LINE if kind == AXIS else SPOT
    x, y, z = v[first], v[first + 1], v[first + 2]
    if kind == CENTRE:
        body, whole = 4 * ints[entry + SIGN], subtrees[4 * ints[block + JOINT]]
        mass = subtrees[body]
        part = mass / whole if whole > 0.0 else 0.0
        if mass > 0.0:
            x, y, z = subtrees[body + 1] / mass, subtrees[body + 2] / mass, subtrees[body + 3] / mass
    if kind != AXIS:
        x, y, z = x - state[motion + 3], y - state[motion + 4], z - state[motion + 5]
    along = ux * x + uy * y + uz * z
    bx, by, bz = part * (x - along * ux), part * (y - along * uy), part * (z - along * uz)
    cx, cy, cz = part * sign * (uy * z - uz * y), part * sign * (uz * x - ux * z), part * sign * (ux * y - uy * x)
    if ints[entry + SLIDES]:
        part = 0.0 if kind == AXIS else part * sign
        bx, by, bz, cx, cy, cz = part * ux, part * uy, part * uz, 0.0, 0.0, 0.0
    for line in range(ints[block + HEIGHT]):
        s = SHAPE_ROWS + 3 * line
        b = v[s] * bx + v[s + 1] * by + v[s + 2] * bz
        out_terms[rows + row + line] = b
        out_terms[2 * rows + row + line] = v[s] * cx + v[s + 1] * cy + v[s + 2] * cz
        if not ints[entry + SLIDES]:
            out_terms[row + line] -= b


@kernel
def mix(ints: IntArray, floats: Array, rows: int, count: int, spare: Array, out_terms: Array) -> None:
    """Each of `count` lots of rows times the factor M of the matrix over all goals."""
    for each in range(count):
        at = each * rows
        for line in range(rows):
            spare[line] = 0.0
            for other in range(rows):
                spare[line] += floats[ints[MIX_AT] + line * rows + other] * out_terms[at + other]
        for line in range(rows):
            out_terms[at + line] = spare[line]
