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
raises r^T r is taken back. There is no null space here, so that preferences and tasks are not followed. Within a
region a column goes no farther than the way along it is free; where no column gains any more, a step of the projected
gradient slides along the boundary. So it does where coordinates drive others: what those move is no turn.
"""

from __future__ import annotations

import math
from typing import ClassVar

from engine.ik.carried import (
    CARRIED,
    GOAL,
    SPOT,
    mix,
    move_carried,
    move_masses,
    write_block_rows,
    write_carried,
    write_entries,
    write_terms,
)
from engine.ik.descent import model_length, search_line, write_descent, write_gradient
from engine.ik.goals import TURN_WEIGHT
from engine.ik.layout import (
    AXIS,
    BLOCK,
    BLOCKS,
    BLOCKS_AT,
    CENTRE,
    COLUMN_FLOATS,
    COLUMN_INTS,
    COLUMN_WIDTH,
    COLUMNS,
    COLUMNS_AT,
    COORDINATE,
    COUNTS,
    CURVE,
    CURVE_KEPT,
    DRIVEN_AT,
    FIELDS_END,
    HEIGHT,
    ITERATIONS,
    JOINT,
    KIND,
    LOOK,
    LOWER,
    MAIN_ROWS,
    MIX_AT,
    MOBILITY,
    MOTION_AT,
    PART,
    ROW,
    SLIDES,
    SOLVER,
    SQUARES,
    STALLED,
    STATE,
    SUBTREES,
    UPPER,
    WORST,
    Packed,
    Regions,
)
from engine.ik.problem import Problem
from engine.ik.region_kernels import find_span, keep_regions, measure_turned
from engine.ik.rows import evaluate
from engine.ik.steps import turn_ball
from engine.limits.box import clamp_coordinate
from engine.maths.arrays import Array, IntArray
from engine.maths.sinusoids import minimise_sinusoids, sum_sinusoids
from engine.model.compile import HEADER as MODEL_HEADER
from engine.model.compile import JOINT_COUNT, JOINT_FLOATS, JOINT_STRIDE, PARENT
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

Visited = tuple[IntArray, Array, Array, Array, Array, Array]
"""What a column is moved by: ints, floats, the state, its row of entries, what is carried, and its terms."""
_SAMPLES, _SECTIONS = 16, 44
_GOLDEN = 0.6180339887498949


@kernel
def weigh_position(ints: IntArray, state: Array, block: int, entry: int, v: Array, alpha: float) -> float:
    """sqrt(w_p) = sqrt(alpha (1 + rho)) of a position; 1 for what is no position, or where alpha is 0."""
    if alpha <= 0.0 or ints[block + KIND] in (AXIS, LOOK):
        return 1.0
    motion = ints[entry + MOTION_AT]
    spot, goal = 0.0, 0.0
    for line in range(3):
        spot += (v[SPOT + line] - state[motion + 3 + line]) ** 2
        goal += (v[GOAL + line] - state[motion + 3 + line]) ** 2
    longer = max(spot, goal)
    return math.sqrt(alpha * (1.0 + (math.sqrt(min(spot, goal) / longer) if longer > 0.0 else 0.0)))


@kernel
def measure_turn(visited: Visited, x: float) -> float:
    """r^T r with one column moved by x, where some block of it looks at a point."""
    ints, floats, state, table, carried, terms = visited
    rows = ints[MAIN_ROWS]
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
            for number in range(CARRIED):
                v[number] = carried[each * CARRIED + number]
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
def search_turn(visited: Visited, lower: float, upper: float) -> float:
    """The best of some samples, narrowed by golden sections; 0 where nothing is better."""
    best, least = 0.0, measure_turn(visited, 0.0)
    width = (upper - lower) / _SAMPLES
    for each in range(_SAMPLES + 1):
        x = lower + each * width
        value = measure_turn(visited, x)
        if value < least:
            best, least = x, value
    left, right = max(lower, best - width), min(upper, best + width)
    one, two = right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)
    at_one = measure_turn(visited, one)
    at_two = measure_turn(visited, two)
    for _ in range(_SECTIONS):
        if at_one < at_two:
            right, two, at_two = two, one, at_one
            one = right - _GOLDEN * (right - left)
            at_one = measure_turn(visited, one)
        else:
            left, one, at_one = one, two, at_two
            two = left + _GOLDEN * (right - left)
            at_two = measure_turn(visited, two)
    if at_one < least:
        best, least = one, at_one
    return two if at_two < least else best


@kernel
def find_reach(ints: IntArray, table: Array, carried: Array) -> float:
    """Return how far to search along a column that moves something which looks at a point: half a turn, or for a slide
    the distances to what is looked at; below 0 where nothing looks."""
    looks, slides, distance = False, False, 0.0
    for each in range(ints[BLOCKS]):
        entry, block = int(table[each]), ints[BLOCKS_AT] + each * BLOCK
        if entry > 0 and ints[block + ROW] < ints[MAIN_ROWS]:
            slides = ints[entry + SLIDES] != 0
            if ints[block + KIND] == LOOK:
                looks = True
                for line in range(3):
                    distance += abs(carried[each * CARRIED + SPOT + line] - carried[each * CARRIED + GOAL + line])
    if not looks:
        return -1.0
    return distance if slides else math.pi


@kernel
def is_slide(ints: IntArray, table: Array) -> bool:
    """Tell whether a column slides what it moves."""
    slides = False
    for each in range(ints[BLOCKS]):
        entry = int(table[each])
        if entry > 0 and ints[ints[BLOCKS_AT] + each * BLOCK + ROW] < ints[MAIN_ROWS]:
            slides = ints[entry + SLIDES] != 0
    return slides


@kernel
def best_turn(visited: Visited, reach: float, weight: float, lower: float, upper: float) -> float:
    """Find how far to move a column whose terms are written: to the least r^T r between two ends, times `weight`."""
    ints, _, _, table, _, terms = visited
    rows = ints[MAIN_ROWS]
    if reach >= 0.0:
        x = search_turn(visited, max(lower, -reach), min(upper, reach))
        before = measure_turn(visited, 0.0)
        after = measure_turn(visited, weight * x)
        return weight * x if after < before else 0.0
    ab, ac, bb, bc, cc = 0.0, 0.0, 0.0, 0.0, 0.0
    for row in range(rows):
        a, b, c = terms[row], terms[rows + row], terms[2 * rows + row]
        ab, ac, bb, bc, cc = ab + a * b, ac + a * c, bb + b * b, bc + b * c, cc + c * c
    if is_slide(ints, table):
        return weight * min(max(-ab / bb, lower), upper) if bb > 0.0 else 0.0
    x = minimise_sinusoids(2.0 * ab, 2.0 * ac, 0.5 * (bb - cc), bc, lower, upper)
    change = sum_sinusoids(2.0 * ab, 2.0 * ac, 0.5 * (bb - cc), bc, weight * x) - 2.0 * ab - 0.5 * (bb - cc)
    return weight * x if change < 0.0 else 0.0


@kernel
def choose_turn(visited: Visited, regions: Regions, q: Array, work: Array, column: int) -> float:
    """Choose how far to move a column whose terms are written, within its limits and the regions that it belongs to."""
    ints, floats, _, table, carried, terms = visited
    place, numbers = ints[COLUMNS_AT] + column * COLUMN_INTS, ints[COLUMN_FLOATS] + column * COLUMN_WIDTH
    rows, turns = ints[MAIN_ROWS], work[ints[SOLVER] :]
    lower, upper = -math.inf, math.inf
    if ints[place + PART] == 0:
        value = q[ints[place + COORDINATE]]
        lower, upper = floats[numbers + LOWER] - value, floats[numbers + UPPER] - value
    reach, weight = find_reach(ints, table, carried), min(1.0, floats[numbers + MOBILITY])
    if ints[MIX_AT] >= 0 and reach < 0.0:
        mix(ints, floats, rows, 3, terms[3 * rows :], terms)
    x = best_turn(visited, reach, weight, lower, upper)
    if ints[FIELDS_END] == 0 or x == 0.0 or measure_turned(ints, regions, q, turns, column, x) <= 0.0:
        return x
    lower, upper = (
        max(lower, -find_span(ints, regions, q, turns, column, -1.0)),
        min(upper, find_span(ints, regions, q, turns, column, 1.0)),
    )
    x = best_turn(visited, reach, weight, min(lower, 0.0), max(upper, 0.0))
    return x if measure_turned(ints, regions, q, turns, column, x) <= 0.0 else 0.0


@kernel
def visit_column(
    packed: Packed,
    q: Array,
    work: Array,
    column: int,
    alpha: float,
    carried: Array,
    table: Array,
    out_residual: Array,
    terms: Array,
) -> float:
    """Move one column to the least r^T r, and what hangs on it along; returns how far. `table` is the column's row."""
    model_ints, _, ints, floats, regions = packed
    rows, state, subtrees = ints[MAIN_ROWS], work[ints[STATE] :], work[ints[SUBTREES] :]
    for row in range(rows):
        terms[row], terms[rows + row], terms[2 * rows + row] = out_residual[row], 0.0, 0.0
    for each in range(ints[BLOCKS]):
        block, entry = ints[BLOCKS_AT] + each * BLOCK, int(table[each])
        if entry == 0 or ints[block + ROW] >= rows or ints[block + KIND] == LOOK:
            continue
        v = carried[each * CARRIED :]
        write_terms(ints, state, subtrees, block, entry, v, rows, terms)
        weight = weigh_position(ints, state, block, entry, v, alpha)
        if weight != 1.0:
            for row in range(ints[block + ROW], ints[block + ROW] + ints[block + HEIGHT]):
                for lot in range(3):
                    terms[lot * rows + row] *= weight
    x = choose_turn((ints, floats, state, table, carried, terms), regions, q, work, column)
    if x == 0.0:
        return 0.0
    masses_moved = False
    for each in range(ints[BLOCKS]):
        block, entry = ints[BLOCKS_AT] + each * BLOCK, int(table[each])
        if entry == 0 or ints[block + ROW] >= rows:
            continue
        v = carried[each * CARRIED :]
        if ints[block + KIND] != CENTRE:
            move_carried(ints, state, block, entry, x, v)
        else:
            if not masses_moved:
                move_masses(model_ints, ints, state, entry, x, terms, subtrees)
                masses_moved = True
            whole = 4 * ints[block + JOINT]
            for line in range(3):
                v[SPOT + line] = subtrees[whole + 1 + line] / subtrees[whole] if subtrees[whole] > 0.0 else 0.0
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
def slide_down(packed: Packed, q: Array, work: Array, workspace: Array) -> float:
    """One step of the projected gradient, for a pose at the boundary of a region that is oblique to every column, and
    where coordinates drive others, which sweeps leave out; r^T r then."""
    ints, floats, regions = packed[2:]
    columns, counts = ints[COLUMNS], ints[COUNTS]
    trial = workspace[columns:]
    evaluate(packed, q, True, work)
    write_gradient(ints, work, work[ints[SOLVER] :])
    write_descent(ints, floats, regions, q, work[ints[SOLVER] :], workspace)
    first = model_length(ints, work, workspace, trial)
    if first > 0.0:
        search_line(packed, q, workspace, first, 1e-4, 0.5, work, trial)
    return float(work[counts + SQUARES])


@kernel
def advance_ccd(packed: Packed, q: Array, work: Array, count: int, balance: float) -> float:
    """Advance by up to `count` sweeps; q is moved. Returns the largest error as a part of what is allowed."""
    model_ints, model_floats, ints, floats, regions = packed
    columns, blocks, counts = ints[COLUMNS], ints[BLOCKS], ints[COUNTS]
    turns = work[ints[SOLVER] :]
    before = turns[columns:]
    carried = before[q.shape[0] :]
    table = carried[blocks * CARRIED :]
    residual = table[columns * blocks :]
    terms = residual[ints[MAIN_ROWS] :]
    workspace = terms[5 * ints[MAIN_ROWS] + CARRIED + model_ints[JOINT_COUNT] :]
    alpha = 0.0
    if balance > 0.0:
        size = measure_figure(model_ints, model_floats, terms[5 * ints[MAIN_ROWS] + CARRIED :])
        alpha = TURN_WEIGHT * balance / (size * size) if size > 0.0 else 0.0
    squares = evaluate(packed, q, False, work)
    write_entries(ints, table)
    for _ in range(count):
        met = work[counts + WORST] <= 1.0 and work[counts + ITERATIONS] > 0.0
        if squares <= 1e-30 or met or work[counts + STALLED] != 0.0:
            break
        write_carried(ints, floats, work, carried)
        for each in range(blocks):
            block = ints[BLOCKS_AT] + each * BLOCK
            if ints[block + ROW] < ints[MAIN_ROWS]:
                write_block_rows(ints, block, carried[each * CARRIED :], residual)
        for each in range(q.shape[0]):
            before[each] = q[each]
        for column in range(columns):
            turns[column] = 0.0
        for column in range(columns - 1, -1, -1):
            row = table[column * blocks :]
            turns[column] = visit_column(packed, q, work, column, alpha, carried, row, residual, terms)
        apply_turns(ints, floats, turns, q)
        if ints[FIELDS_END] > 0:
            keep_regions(ints, regions, before, q)
        found = evaluate(packed, q, False, work)
        if found > squares:
            for each in range(q.shape[0]):
                q[each] = before[each]
            found = evaluate(packed, q, False, work)
        work[counts + ITERATIONS] += 1.0
        work[ints[CURVE] + int(work[counts + ITERATIONS]) % CURVE_KEPT] = found
        if squares - found <= 1e-7 * squares:
            if ints[FIELDS_END] > 0 or ints[DRIVEN_AT] > 0:
                found = slide_down(packed, q, work, workspace)
            work[counts + STALLED] = 1.0 if squares - found <= 1e-7 * squares else 0.0
        squares = found
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class Ccd(CheckedOptions):
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
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        blocks, columns, rows = len(problem.owners), problem.column_count, problem.row_count
        carried = blocks * CARRIED + columns * blocks
        slides = problem.regions.listed or problem.model.driven is not None
        slide = columns + max(rows, len(problem.model.rest)) if slides else 0
        return columns + len(problem.model.rest) + carried + 6 * rows + CARRIED + problem.model.joint_count + slide

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` sweeps."""
        return advance_ccd(problem.packed, q, work, count, self.balance)
