"""Function blocks that keep what they computed: residual and Jacobian of a constraint, until a coordinate changes.

Each block of a problem (a constraint over one or two handles, Welman 1993, figures 5.3 and 5.4) knows the coordinates
that its function depends on: those between the body and the root, or, where the target lies in the frame of a second
body, those between the two. A coordinate that changed makes the blocks above it compute again and no others
(5.3.4); a centre of mass depends on all. Rows and columns that are always zero are never touched
(`engine.ik.rows`).

`plan` and `workspace` are the packed buffers of a drag, laid out by `PackedPlan`.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engine.ik import layout as at
from engine.ik.layout import (
    BLOCK,
    BLOCK_FLOATS,
    BLOCKS,
    BLOCKS_AT,
    CENTRES,
    DRIVEN_AT,
    ERRORS,
    ROW,
    SPACE,
    STATE,
    SUBTREES,
    Packed,
)
from engine.ik.problem import Problem
from engine.ik.rows import compute_block, follow_drivers, sum_subtrees
from engine.maths.arrays import Array, IntArray
from engine.model.compile import BALL, DOF_END, DOF_INTS, DOF_START, DOF_STRIDE, HEADER, JOINT_STRIDE, PARENT
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import entered_kernel, kernel
from engine.runtime.quick_dataclass import dataclass

# Header of `plan`: rows of the constraints, then where parts of `workspace` begin.
HELD_ROWS, PULLED_ROWS, DEPENDS, SEEN, CHANGED, FRESH, MATRIX, SQUARE, FACTOR, VALUES, VECTORS, SPARE = range(12)
SOLVED, SCHUR, SCHUR_FACTOR, MULTIPLIERS, LEFT, FORCES, STEP, KEPT, STOPPED, TRIAL, BEFORE = range(12, 23)
MODES, NUMBERS, WRENCHES, TALLY, KEPT_MOBILITY, COUNTED, NEAREST, SIZE = range(23, 31)
PLAN_HEADER = 31
# The tally: counts since the start, flags about the factor that is there, its rank, if the matrix is the Jacobian's.
COMPUTED, REQUESTED, FACTORED, DECOMPOSED, CORRECTIONS, SHORTENED, FACTOR_FRESH, BY_VALUES, RANK, MATRIX_FRESH = range(
    10
)
TALLY_SIZE = 10
_VALUE, _JACOBIAN = 0, 1  # flags of a block in FRESH


@dataclass(frozen=True, eq=False)
class PackedPlan:
    """The packed plan of a problem whose first rows are constraints and whose others are pulls."""

    ints: IntArray

    def new_workspace(self) -> Array:
        """Allocate a workspace in which nothing has been computed."""
        return np.zeros(int(self.ints[SIZE]))

    def part(self, workspace: Array, name: int, size: int) -> Array:
        """Return a part of the workspace as a view."""
        start = int(self.ints[name])
        return workspace[start : start + size]


def make_plan(problem: Problem, constraint_count: int) -> PackedPlan:
    """Lay out the workspace for a problem of so many constraints; the goals after them are pulls."""
    blocks, columns, numbers = int(problem.ints[at.BLOCKS]), problem.column_count, len(problem.model.rest)
    heads = problem.ints[at.HEADER : at.HEADER + blocks * at.BLOCK].reshape(-1, at.BLOCK)
    held = sum(
        int(head[at.HEIGHT]) for head, owner in zip(heads, problem.owners, strict=True) if owner < constraint_count
    )
    pulled = problem.row_count - held
    rows = held + pulled
    sizes = {
        SEEN: numbers,
        CHANGED: numbers,
        FRESH: 2 * blocks,
        MATRIX: rows * rows,
        SQUARE: held * held,
        FACTOR: held * held,
        VALUES: 2 * held,
        VECTORS: held * held,
        SPARE: 2 * held,
        SOLVED: pulled * held,
        SCHUR: pulled * pulled,
        SCHUR_FACTOR: pulled * pulled,
        MULTIPLIERS: rows,
        LEFT: rows,
        FORCES: rows,
        STEP: columns,
        KEPT: columns,
        STOPPED: columns,
        COUNTED: columns,
        TRIAL: numbers,
        BEFORE: numbers,
        NEAREST: numbers,
        MODES: pulled,
        NUMBERS: pulled,
        WRENCHES: 6 * blocks,
        TALLY: TALLY_SIZE,
        KEPT_MOBILITY: columns if problem.regions.listed else 0,
    }
    header = [0] * PLAN_HEADER
    header[HELD_ROWS], header[PULLED_ROWS], header[DEPENDS] = held, pulled, PLAN_HEADER
    size = 0
    for name, length in sizes.items():
        header[name], size = size, size + length
    header[SIZE] = size
    lists = [_depends(problem, head) for head in heads]
    ends = PLAN_HEADER + 2 * blocks + np.cumsum([0, *(len(each) for each in lists)])
    spans = [end for pair in pairwise(ends.tolist()) for end in pair]
    return PackedPlan(np.array([*header, *spans, *(each for one in lists for each in one)], dtype=np.int32))


def _depends(problem: Problem, head: IntArray) -> list[int]:
    """The coordinates that a block's function depends on, movable or not, and what drives them."""
    count = problem.model.joint_count
    chains = [set(_above(problem, joint)) for joint in (int(head[at.JOINT]), int(head[at.FRAME]))]
    if int(head[at.KIND]) == at.CENTRE:
        joints = {joint for joint in range(count) if int(head[at.JOINT]) in _above(problem, joint)}
    else:
        joints = chains[0] ^ chains[1]
    found = {each for joint in joints for each in _coordinates(problem, joint)}
    figure = problem.model.figure
    for dof in figure.driven:
        if figure.coordinate_index[dof.id] in found:
            found.update(figure.coordinate_index[each.dof] for each in dof.driven)
    return sorted(found)


def _above(problem: Problem, joint: int) -> list[int]:
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(problem.model.ints[HEADER + joint * JOINT_STRIDE + PARENT])
    return found


def _coordinates(problem: Problem, joint: int) -> list[int]:
    ints = problem.model.ints
    entry = HEADER + joint * JOINT_STRIDE
    found: list[int] = []
    for dof in range(int(ints[entry + DOF_START]), int(ints[entry + DOF_END])):
        code, first, _ = ints[int(ints[DOF_INTS]) + dof * DOF_STRIDE :][:3].tolist()
        found += range(first, first + (4 if code == BALL else 1))
    return found


@borrowing
@kernel
def find_changes(plan: IntArray, q: Array, workspace: Array) -> bool:
    """Mark the coordinates that are not as they were seen last."""
    seen, changed = workspace[plan[SEEN] :], workspace[plan[CHANGED] :]
    any_change = False
    for each in range(q.shape[0]):
        changed[each] = 1.0 if q[each] != seen[each] else 0.0
        any_change = any_change or q[each] != seen[each]
        seen[each] = q[each]
    return any_change


@borrowing
@kernel
def is_changed(plan: IntArray, block: int, changed: Array) -> bool:
    """Tell whether a coordinate that the block depends on has changed."""
    span = plan[DEPENDS] + 2 * block
    found = False
    for each in range(plan[span], plan[span + 1]):
        found = found or changed[plan[each]] != 0.0
    return found


@borrowing
@entered_kernel
def evaluate_changed(packed: Packed, plan: IntArray, q: Array, jacobian: bool, workspace: Array, work: Array) -> float:
    """Residual (and Jacobian) at q, from what the blocks keep where it is still true. Returns the largest error of a
    constraint [m, or length of an axis' difference]."""
    model_ints, model_floats, ints, floats = packed[:4]
    state, changed = work[ints[STATE] :], workspace[plan[CHANGED] :]
    fresh, tally = workspace[plan[FRESH] :], workspace[plan[TALLY] :]
    if ints[DRIVEN_AT] > 0:
        follow_drivers(ints, floats, q, work)
    if find_changes(plan, q, workspace):
        compute_forward_kinematics(model_ints, model_floats, q, state)
        if ints[CENTRES]:
            sum_subtrees(model_ints, ints, floats, state, work[ints[SUBTREES] :])
    worst = 0.0
    for each in range(ints[BLOCKS]):
        block, flags = ints[BLOCKS_AT] + each * BLOCK, 2 * each
        if is_changed(plan, each, changed):
            fresh[flags + _VALUE], fresh[flags + _JACOBIAN] = 0.0, 0.0
        wanted = jacobian and fresh[flags + _JACOBIAN] == 0.0
        tally[REQUESTED] += 1.0
        if wanted or fresh[flags + _VALUE] == 0.0:
            error = compute_block(ints, floats, block, each * BLOCK_FLOATS, state, work[ints[SPACE] :], wanted, work)
            work[ints[ERRORS] + each] = error
            tally[COMPUTED] += 1.0
            fresh[flags + _VALUE] = 1.0
            if wanted:
                fresh[flags + _JACOBIAN], tally[FACTOR_FRESH], tally[MATRIX_FRESH] = 1.0, 0.0, 0.0
        if ints[block + ROW] < plan[HELD_ROWS]:
            worst = max(worst, work[ints[ERRORS] + each])
    return worst
