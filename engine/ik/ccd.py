"""Cyclic coordinate descent (Welman 1993, 4.2 and 5.4): one coordinate after another is set to where r^T r is least.

Columns are visited from the tips to the root, so each limb is led first and what limbs share afterwards, with their
summed objective (5.8); that is the recursion of 5.4. A turn moves nothing that is still to be visited but the goals'
own points and axes, so only these are carried along; kinematics runs once a sweep.

A turn by x about the axis u through t takes a spot p to t + u (u.w) + cos x (w - u (u.w)) + sin x (u x w), w = p - t.
So the rows are a + b cos x + c sin x for points, axes, planes, lines, meetings and centres of mass, and

    r^T r = const + 2 a.b cos x + 2 a.c sin x + (b.b - c.c)/2 cos 2x + b.c sin 2x.

For goals weighed alike in all directions b.b = c.c and b.c = 0: then r^T r = const - 2 g(x), with the source's

    g(x) = k1 (1 - cos x) + k2 cos x + k3 sin x,  k1 = sum w (d.u)(p.u),  k2 = sum w d.p,  k3 = u . sum w (p x d)

(4.19 to 4.22; d, p from the joint to the target and to the spot), greatest at atan2(k3, k2 - k1), which needs no second
derivative test as the source's arc tangent (4.23) does. A slide goes by -b.r / b.b (4.24). What looks at a point has no
such form: its turn is sampled and narrowed by golden sections. Beyond a limit the better end is taken. The source's
weight w_i of a degree of freedom is its mobility, at most 1: the part of the way that it goes.

The source weighs positions by w_p = alpha (1 + rho), alpha = k / W, W the size of the figure, rho the shorter over the
longer of |d|, |p|, against 1 for turns. d.p is an area, so only alpha = k / W^2 is free of scale: that is what
`balance`, its k, does here, on top of the goals' weights. Each joint then has an objective of its own; a sweep that
raises r^T r is taken back. Preferences and wishes have no null space here and are not followed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from engine.ik.goals import TURN_WEIGHT
from engine.ik.layout import (
    AXIS,
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    CENTRE,
    COLUMN,
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    CURVE,
    CURVE_KEPT,
    ENTRIES_FROM,
    ENTRIES_TO,
    ENTRY,
    FRAME,
    HEIGHT,
    ITERATIONS,
    JOINT,
    KIND,
    LOCAL,
    LOOK,
    LOWER,
    MAIN_ROWS,
    MIX_AT,
    MOBILITY,
    MOTION_AT,
    PART,
    ROW,
    SHAPE,
    SIGN,
    SLIDES,
    SOLVER,
    STALLED,
    STATE,
    SUBTREES,
    TARGET,
    UPPER,
    WORST,
)
from engine.ik.layout import DIRECTION as DIRECTION_AT
from engine.ik.problem import Problem
from engine.ik.rows import apply_rotation, evaluate, write_shape
from engine.ik.steps import turn_ball
from engine.limits.box import clamp_coordinate
from engine.maths.sinusoids import minimise_sinusoids, sum_sinusoids
from engine.model.compile import HEADER as MODEL_HEADER
from engine.model.compile import JOINT_COUNT, JOINT_FLOATS, JOINT_STRIDE, PARENT, Array, IntArray
from engine.model.compile import ROW as FRAME_ROW
from engine.runtime.jit import kernel
from engine.runtime.options import check_options, option

# What is carried along of each block: the spot, its axis, the target, and S R_b^T, all in the world.
_SPOT, _LINE, _GOAL, _ROWS = 0, 3, 6, 9
_CARRIED = 18
_NEAR = 1e-9  # [m]
_SAMPLES, _SECTIONS = 16, 44
_GOLDEN = 0.6180339887498949


@kernel
def write_carried(ints: IntArray, floats: Array, work: Array, out_carried: Array) -> None:
    """The vectors of all blocks at the pose that was evaluated last."""
    state, subtrees = work[ints[STATE] :], work[ints[SUBTREES] :]
    for each in range(ints[BLOCKS]):
        block, place = ints[BLOCKS_AT] + each * BLOCK, each * BLOCK_FLOATS
        kind, joint, frame = ints[block + KIND], ints[block + JOINT], ints[block + FRAME]
        v = out_carried[each * _CARRIED :]
        if kind == CENTRE:
            mass = subtrees[4 * joint]
            for line in range(3):
                v[_SPOT + line] = subtrees[4 * joint + 1 + line] / mass if mass > 0.0 else 0.0
        else:
            apply_rotation(state, joint, floats, place + LOCAL, v)
            for line in range(3):
                v[_SPOT + line] += state[(joint + 1) * FRAME_ROW + 9 + line]
        apply_rotation(state, joint, floats, place + DIRECTION_AT, v[_LINE:])
        if frame < 0:
            for line in range(3):
                v[_GOAL + line] = floats[place + TARGET + line]
        else:
            apply_rotation(state, frame, floats, place + TARGET, v[_GOAL:])
            if kind != AXIS:
                for line in range(3):
                    v[_GOAL + line] += state[(frame + 1) * FRAME_ROW + 9 + line]
        write_shape(state, frame, floats, place + SHAPE, 3, v[_ROWS:])


@kernel
def write_entries(ints: IntArray, out_table: Array) -> None:
    """For each column and block the entry that joins them, 0 where there is none; a row for each column."""
    blocks = ints[BLOCKS]
    for each in range(ints[COLUMNS] * blocks):
        out_table[each] = 0.0
    for each in range(blocks):
        block = ints[BLOCKS_AT] + each * BLOCK
        for entry in range(ints[block + ENTRIES_FROM], ints[block + ENTRIES_TO], ENTRY):
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
    x, y, z = v[_SPOT] - v[_GOAL], v[_SPOT + 1] - v[_GOAL + 1], v[_SPOT + 2] - v[_GOAL + 2]
    if kind == AXIS:
        x, y, z = v[_LINE] - v[_GOAL], v[_LINE + 1] - v[_GOAL + 1], v[_LINE + 2] - v[_GOAL + 2]
    elif kind == LOOK:
        length = math.sqrt(x * x + y * y + z * z)
        if length > _NEAR:
            x, y, z = v[_LINE] + x / length, v[_LINE + 1] + y / length, v[_LINE + 2] + z / length
        else:
            x, y, z = 0.0, 0.0, 0.0
    for line in range(ints[block + HEIGHT]):
        s = _ROWS + 3 * line
        out_rows[row + line] = v[s] * x + v[s + 1] * y + v[s + 2] * z


@kernel
def move_carried(ints: IntArray, state: Array, block: int, entry: int, turn: float, out_v: Array) -> None:
    """Carry a block's vectors along with one rate."""
    motion, slides = ints[entry + MOTION_AT], ints[entry + SLIDES]
    moves_frame = ints[block + KIND] != CENTRE and ints[entry + SIGN] < 0
    if slides:
        first = _GOAL if moves_frame else _SPOT
        if not (moves_frame and ints[block + KIND] == AXIS):
            for line in range(3):
                out_v[first + line] += turn * state[motion + line]
        return
    cosine, sine = math.cos(turn), math.sin(turn)
    if moves_frame:
        turn_vector(state, motion, cosine, sine, ints[block + KIND] != AXIS, out_v[_GOAL:])
        for line in range(3):
            turn_vector(state, motion, cosine, sine, False, out_v[_ROWS + 3 * line :])
    else:
        turn_vector(state, motion, cosine, sine, True, out_v[_SPOT:])
        turn_vector(state, motion, cosine, sine, False, out_v[_LINE:])


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
    first = _LINE if kind == AXIS else _SPOT
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
        s = _ROWS + 3 * line
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


@kernel
def weigh_position(ints: IntArray, state: Array, block: int, entry: int, v: Array, alpha: float) -> float:
    """sqrt(w_p) = sqrt(alpha (1 + rho)) of a position; 1 for what is no position, or where alpha is 0."""
    if alpha <= 0.0 or ints[block + KIND] in (AXIS, LOOK):
        return 1.0
    motion = ints[entry + MOTION_AT]
    spot, goal = 0.0, 0.0
    for line in range(3):
        spot += (v[_SPOT + line] - state[motion + 3 + line]) ** 2
        goal += (v[_GOAL + line] - state[motion + 3 + line]) ** 2
    longer = max(spot, goal)
    return math.sqrt(alpha * (1.0 + (math.sqrt(min(spot, goal) / longer) if longer > 0.0 else 0.0)))


@kernel
def measure_turn(
    ints: IntArray, floats: Array, state: Array, table: Array, x: float, carried: Array, rows: int, terms: Array
) -> float:
    """r^T r with one column moved by x, where some block of it looks at a point; `table` is the column's row."""
    value = terms[3 * rows :]
    cosine, sine = math.cos(x), math.sin(x)
    v = value[2 * rows :]
    for row in range(rows):
        value[row] = terms[row]
    for each in range(ints[BLOCKS]):
        block, entry = ints[BLOCKS_AT] + each * BLOCK, int(table[each])
        if entry == 0 or ints[block + ROW] >= rows:
            continue
        if ints[block + KIND] == LOOK:
            for number in range(_CARRIED):
                v[number] = carried[each * _CARRIED + number]
            move_carried(ints, state, block, entry, x, v)
            write_block_rows(ints, block, v, value)
            continue
        for row in range(ints[block + ROW], ints[block + ROW] + ints[block + HEIGHT]):
            b, c = terms[rows + row], terms[2 * rows + row]
            value[row] += b * x if ints[entry + SLIDES] else b * cosine + c * sine
    if ints[MIX_AT] >= 0:
        mix(ints, floats, rows, 1, value[rows:], value)
    total = 0.0
    for row in range(rows):
        total += value[row] * value[row]
    return total


@kernel
def search_turn(
    ints: IntArray,
    floats: Array,
    state: Array,
    table: Array,
    lower: float,
    upper: float,
    carried: Array,
    rows: int,
    terms: Array,
) -> float:
    """The best of some samples, narrowed by golden sections; 0 where nothing is better."""
    best, least = 0.0, measure_turn(ints, floats, state, table, 0.0, carried, rows, terms)
    width = (upper - lower) / _SAMPLES
    for each in range(_SAMPLES + 1):
        x = lower + each * width
        value = measure_turn(ints, floats, state, table, x, carried, rows, terms)
        if value < least:
            best, least = x, value
    left, right = max(lower, best - width), min(upper, best + width)
    one, two = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
    at_one = measure_turn(ints, floats, state, table, one, carried, rows, terms)
    at_two = measure_turn(ints, floats, state, table, two, carried, rows, terms)
    for _ in range(_SECTIONS):
        if at_one < at_two:
            right, two, at_two = two, one, at_one
            one = right - _GOLDEN * (right - left)
            at_one = measure_turn(ints, floats, state, table, one, carried, rows, terms)
        else:
            left, one, at_one = one, two, at_two
            two = left + _GOLDEN * (right - left)
            at_two = measure_turn(ints, floats, state, table, two, carried, rows, terms)
    if at_one < least:
        best, least = one, at_one
    return two if at_two < least else best


@kernel
def choose_turn(
    ints: IntArray, floats: Array, q: Array, work: Array, column: int, carried: Array, table: Array, terms: Array
) -> float:
    """How far to move a column whose terms are written: the least r^T r within its limits, and its weight of that."""
    place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
    rows, lower, upper = ints[MAIN_ROWS], -math.inf, math.inf
    if ints[place + PART] == 0:
        value = q[ints[place + COORDINATE]]
        lower, upper = floats[numbers + LOWER] - value, floats[numbers + UPPER] - value
    looks, slides, distance = False, False, 0.0
    for each in range(ints[BLOCKS]):
        entry, block = int(table[each]), ints[BLOCKS_AT] + each * BLOCK
        if entry > 0 and ints[block + ROW] < rows:
            slides = ints[entry + SLIDES] != 0
            if ints[block + KIND] == LOOK:
                looks = True
                for line in range(3):
                    distance += abs(carried[each * _CARRIED + _SPOT + line] - carried[each * _CARRIED + _GOAL + line])
    weight = min(1.0, floats[numbers + MOBILITY])
    if looks:
        reach = distance if slides else math.pi
        x = search_turn(
            ints, floats, work[ints[STATE] :], table, max(lower, -reach), min(upper, reach), carried, rows, terms
        )
        before = measure_turn(ints, floats, work[ints[STATE] :], table, 0.0, carried, rows, terms)
        after = measure_turn(ints, floats, work[ints[STATE] :], table, weight * x, carried, rows, terms)
        return weight * x if after < before else 0.0
    if ints[MIX_AT] >= 0:
        mix(ints, floats, rows, 3, terms[3 * rows :], terms)
    ab, ac, bb, bc, cc = 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(rows):
        a, b, c = terms[row], terms[rows + row], terms[2 * rows + row]
        ab, ac, bb, bc, cc = ab + a * b, ac + a * c, bb + b * b, bc + b * c, cc + c * c
    if slides:
        return weight * min(max(-ab / bb, lower), upper) if bb > 0.0 else 0.0
    x = minimise_sinusoids(2.0 * ab, 2.0 * ac, 0.5 * (bb - cc), bc, lower, upper)
    change = sum_sinusoids(2.0 * ab, 2.0 * ac, 0.5 * (bb - cc), bc, weight * x) - 2.0 * ab - 0.5 * (bb - cc)
    return weight * x if change < 0.0 else 0.0


@kernel
def visit_column(
    model_ints: IntArray,
    ints: IntArray,
    floats: Array,
    q: Array,
    work: Array,
    column: int,
    alpha: float,
    carried: Array,
    table: Array,
    out_residual: Array,
    terms: Array,
) -> float:
    """Move one column to the least r^T r, and what hangs on it along; returns how far."""
    rows, state, subtrees = ints[MAIN_ROWS], work[ints[STATE] :], work[ints[SUBTREES] :]
    for row in range(rows):
        terms[row], terms[rows + row], terms[2 * rows + row] = out_residual[row], 0.0, 0.0
    for each in range(ints[BLOCKS]):
        block, entry = ints[BLOCKS_AT] + each * BLOCK, int(table[each])
        if entry == 0 or ints[block + ROW] >= rows or ints[block + KIND] == LOOK:
            continue
        v = carried[each * _CARRIED :]
        write_terms(ints, state, subtrees, block, entry, v, rows, terms)
        weight = weigh_position(ints, state, block, entry, v, alpha)
        if weight != 1.0:
            for row in range(ints[block + ROW], ints[block + ROW] + ints[block + HEIGHT]):
                for lot in range(3):
                    terms[lot * rows + row] *= weight
    x = choose_turn(ints, floats, q, work, column, carried, table, terms)
    if x == 0.0:
        return 0.0
    masses_moved = False
    for each in range(ints[BLOCKS]):
        block, entry = ints[BLOCKS_AT] + each * BLOCK, int(table[each])
        if entry == 0 or ints[block + ROW] >= rows:
            continue
        v = carried[each * _CARRIED :]
        if ints[block + KIND] != CENTRE:
            move_carried(ints, state, block, entry, x, v)
        else:
            if not masses_moved:
                move_masses(model_ints, ints, state, entry, x, terms, subtrees)
                masses_moved = True
            whole = 4 * ints[block + JOINT]
            for line in range(3):
                v[_SPOT + line] = subtrees[whole + 1 + line] / subtrees[whole] if subtrees[whole] > 0.0 else 0.0
        write_block_rows(ints, block, v, out_residual)
    return x


@kernel
def apply_turns(ints: IntArray, floats: Array, turns: Array, out_q: Array) -> None:
    """Add what every column was moved by. A ball's turns are products about axes that it had at the start."""
    for column in range(ints[COLUMNS]):
        place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
        at, part = ints[place + COORDINATE], ints[place + PART]
        if part == 0:
            out_q[at] = clamp_coordinate(out_q[at] + turns[column], floats[numbers + LOWER], floats[numbers + UPPER])
        elif part == 1:
            turn_ball(out_q, at, turns[column], 0.0, 0.0, out_q)
            turn_ball(out_q, at, 0.0, turns[column + 1], 0.0, out_q)
            turn_ball(out_q, at, 0.0, 0.0, turns[column + 2], out_q)


@kernel
def measure_figure(model_ints: IntArray, model_floats: Array, out_lengths: Array) -> float:
    """W: the length [m] of the longest chain of offsets, placements left out."""
    longest = 0.0
    for joint in range(model_ints[JOINT_COUNT]):
        parent, at = model_ints[MODEL_HEADER + joint * JOINT_STRIDE + PARENT], joint * JOINT_FLOATS
        out_lengths[joint] = 0.0
        if parent >= 0:
            x, y, z = model_floats[at], model_floats[at + 1], model_floats[at + 2]
            out_lengths[joint] = out_lengths[parent] + math.sqrt(x * x + y * y + z * z)
        longest = max(longest, out_lengths[joint])
    return longest


@kernel
def advance_ccd(
    model_ints: IntArray,
    model_floats: Array,
    ints: IntArray,
    floats: Array,
    q: Array,
    work: Array,
    count: int,
    balance: float,
) -> float:
    """Up to `count` sweeps; q is moved. Returns the largest error as a part of what is allowed."""
    columns, blocks, counts = ints[COLUMNS], ints[BLOCKS], ints[COUNTS]
    turns = work[ints[SOLVER] :]
    before = turns[columns:]
    carried = before[q.shape[0] :]
    table = carried[blocks * _CARRIED :]
    residual = table[columns * blocks :]
    terms = residual[ints[MAIN_ROWS] :]
    alpha = 0.0
    if balance > 0.0:
        size = measure_figure(model_ints, model_floats, terms[5 * ints[MAIN_ROWS] + _CARRIED :])
        alpha = TURN_WEIGHT * balance / (size * size) if size > 0.0 else 0.0
    squares = evaluate(model_ints, model_floats, ints, floats, q, False, work)
    write_entries(ints, table)
    for _ in range(count):
        met = work[counts + WORST] <= 1.0 and work[counts + ITERATIONS] > 0.0
        if squares <= 1e-30 or met or work[counts + STALLED] != 0.0:
            break
        write_carried(ints, floats, work, carried)
        for each in range(blocks):
            block = ints[BLOCKS_AT] + each * BLOCK
            if ints[block + ROW] < ints[MAIN_ROWS]:
                write_block_rows(ints, block, carried[each * _CARRIED :], residual)
        for each in range(q.shape[0]):
            before[each] = q[each]
        for column in range(columns - 1, -1, -1):
            row = table[column * blocks :]
            turns[column] = visit_column(
                model_ints, ints, floats, q, work, column, alpha, carried, row, residual, terms
            )
        apply_turns(ints, floats, turns, q)
        found = evaluate(model_ints, model_floats, ints, floats, q, False, work)
        if found > squares:
            for each in range(q.shape[0]):
                q[each] = before[each]
            found = evaluate(model_ints, model_floats, ints, floats, q, False, work)
        work[counts + ITERATIONS] += 1.0
        work[ints[CURVE] + int(work[counts + ITERATIONS]) % CURVE_KEPT] = found
        if squares - found <= 1e-7 * squares:
            work[counts + STALLED] = 1.0
        squares = found
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class Ccd:
    """Cyclic coordinate descent."""

    balance: float = option(
        0.0,
        label="Positions against turns",
        least=0.0,
        most=100.0,
        note="k of w_p = k (1 + rho) / W^2, what positions count beside turns of weight 1 (equation 4.18). At 0 the "
        "weights of the goals alone decide.",
    )

    label: ClassVar[str] = "Cyclic coordinate descent"
    source: ClassVar[str] = "Welman 1993, 4.2 and 5.4"
    patience: ClassVar[int] = 60

    def __post_init__(self) -> None:
        check_options(self)

    def space(self, problem: Problem) -> int:
        """Numbers of room that the solver needs."""
        blocks, columns, rows = len(problem.owners), problem.column_count, problem.row_count
        carried = blocks * _CARRIED + columns * blocks
        return columns + len(problem.model.rest) + carried + 6 * rows + _CARRIED + problem.model.joint_count

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Up to `count` sweeps."""
        model = problem.model
        return advance_ccd(model.ints, model.floats, problem.ints, problem.floats, q, work, count, self.balance)
