"""Constraints that are maintained while a figure is dragged (Welman 1993, 5.2 and 5.3).

The goals of a problem are its constraints: of one figure, of two that hold hands, of a hand on a moving prop (a
participant of which nothing is movable, put elsewhere with `Dragging.place`). Its tasks are what may be pulled: by a
`Spring` towards the task's target, which follows the mouse, or by a `Force` on its spot.

    dragging = Maintain().start(problem, poses)
    poses = dragging.step((Spring(task=0, target=cursor),), 1.0 / 60.0)
    dragging.report().constraints[0].force                # what holds the first constraint [N]

Weights only say which constraint gives way how far where they conflict. `engine.ik.multipliers` has the equations,
`engine.ik.function_blocks` what is computed again and what is not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from engine.document.values import Vector3
from engine.ik import layout as at
from engine.ik.dragging import drag, return_to_constraints
from engine.ik.function_blocks import (
    BY_VALUES,
    COMPUTED,
    CORRECTIONS,
    DECOMPOSED,
    FACTOR,
    FACTOR_FRESH,
    FACTORED,
    FRESH,
    HELD_ROWS,
    MODES,
    NUMBERS,
    PULLED_ROWS,
    RANK,
    REQUESTED,
    SEEN,
    SHORTENED,
    SQUARE,
    TALLY,
    TALLY_SIZE,
    VALUES,
    VECTORS,
    WRENCHES,
    evaluate_changed,
    make_plan,
)
from engine.ik.goals import Goal, LookAtGoal, PositionGoal
from engine.ik.levenberg import Levenberg
from engine.ik.multipliers import FORCE, IDLE, SPRING
from engine.ik.problem import Problem, compile_problem
from engine.ik.solver import Budget, solve
from engine.maths.arrays import Array, IntArray
from engine.model.compile import ROW as STATE_ROW
from engine.runtime.errors import InvalidArguments
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

BY_STIFFNESS, BY_LENGTH = "stiffness", "stiffness and length"
FACTORISATION, TRUNCATED = "factorisation", "truncated singular values"
_LENGTHS = (0.1, 10.0)  # of links as parts of their mean, between which they count
_UNTIMED = Budget(milliseconds=math.inf)  # a frame is the same however busy the machine is


@dataclass(frozen=True, kw_only=True)
class Spring:
    """Pulls a task towards its target; a position task may be given another target with each step."""

    task: int
    target: Vector3 | None = None
    stiffness: float = 500.0  # [N/m], times the weight of the task


@dataclass(frozen=True, kw_only=True)
class Force:
    """A force on the spot of a position task, in the world."""

    task: int
    force: Vector3  # [N]


Pull = Spring | Force


@dataclass(frozen=True, kw_only=True)
class Maintain(CheckedOptions):
    """Options of constraints that are maintained during a drag."""

    scaling: str = option(
        BY_STIFFNESS,
        label="Mobility",
        choices=(BY_STIFFNESS, BY_LENGTH),
        note="K of q' = K (g_a + g_c): 1 / stiffness, or 1 / (stiffness x length of the link) (Welman 4.10, 4.11).",
    )
    feedback: float = option(
        60.0,
        label="Feedback",
        unit="1/s",
        least=0.0,
        most=1e4,
        note="k of C' = -k C: how fast a constraint that was broken closes within the step (Welman 5.7).",
    )
    returns: bool = option(
        True,
        label="Return to the constraints",
        note="After each step, Newton's iteration until the tolerance is met; without it, feedback alone, that drifts.",
    )
    tolerance: float = option(
        1e-6, label="Tolerance", unit="m", least=1e-12, most=1e-2, note="How far a constraint may be off; axes alike."
    )
    method: str = option(
        FACTORISATION,
        label="Multipliers",
        choices=(FACTORISATION, TRUNCATED),
        labels=("Factorised", "Truncated SVD"),
        note="Cholesky's factor with pivots, which finds what others imply, or the slower truncated SVD (5.2.4).",
    )
    truncation: float = option(
        1e-11,
        label="Truncation",
        least=1e-14,
        most=1e-2,
        note="Pivots, or singular values, of J K J^T below this share of the largest count as zero.",
    )
    longest: float = option(
        0.2, label="Longest step", unit="rad", least=1e-4, most=math.pi, note="Of a coordinate between two returns."
    )

    label: ClassVar[str] = "Lagrange multipliers"
    source: ClassVar[str] = "Welman 1993, 5.2, equations 5.5 and 5.7"

    def start(self, problem: Problem, poses: Sequence[Array]) -> Dragging:
        """Begin a drag: the constraints are met first, as near as they can be."""
        return Dragging(self, problem, poses)


@dataclass(frozen=True, kw_only=True)
class ConstraintReport:
    """A constraint after a step."""

    goal: int
    force: Vector3  # [N] on the body, in the world
    torque: Vector3  # [N m] on the body about its spot, in the world
    off: float  # [m]
    turned: float  # [rad]
    met: bool
    redundant: bool  # others imply a part of it, which leaves its share of their forces open
    conflicting: bool  # not met, since others contradict it

    @property
    def text(self) -> str:
        """A description for a person."""
        if self.met:
            return "held, as others hold it already" if self.redundant else "held"
        by = f"{1e3 * self.off:.1f} mm, {math.degrees(self.turned):.1f}\N{DEGREE SIGN}"
        return f"off by {by}: {'others contradict it' if self.conflicting else 'out of reach'}"


@dataclass(frozen=True, kw_only=True)
class Counts:
    """Counts of what was computed since the start."""

    blocks: int  # function blocks computed
    requested: int  # by the solve, which would be computed if nothing were kept
    factored: int
    decomposed: int  # of these, by singular values
    corrections: int
    shortened: int


@dataclass(frozen=True, eq=False)
class DragReport:
    """Report of a drag's last step."""

    constraints: tuple[ConstraintReport, ...]
    worst: float  # largest error of a constraint [m, or length of an axis' difference]
    counts: Counts


class Dragging:
    """Poses that are pulled while constraints hold: the work of one drag."""

    def __init__(self, options: Maintain, problem: Problem, poses: Sequence[Array]) -> None:
        self.options = options
        self._count, self._task_count = len(problem.goals), len(problem.tasks)
        self.problem = compile_problem(problem.participants, (*problem.goals, *problem.tasks), independent=True)
        self._scale_mobility()
        self._plan = make_plan(self.problem, self._count)
        self._workspace, self._work = self._plan.new_workspace(), self.problem.new_work()
        self._poses = tuple(np.array(pose, dtype=float) for pose in poses)
        self.caching = True  # False: all blocks are computed each time, to measure what keeping them gains
        self._goals: list[Goal] = list(self.problem.goals)
        self._rows = self._row_spans()
        self._workspace[int(self._plan.ints[SEEN])] = np.nan
        self._q = self.problem.gather(poses)
        self.problem.stand_as(problem)
        self._last_step = self._q, self._q  # before it and after it
        if not np.isfinite(self._q).all():
            raise InvalidArguments(what="the pose to start from", value="not a number", allowed="finite numbers")
        self._meet()

    @property
    def poses(self) -> tuple[Array, ...]:
        """Poses of the participants."""
        return self.problem.scatter(self._q, self._poses)

    def step(self, pulls: Sequence[Pull], dt: float) -> tuple[Array, ...]:
        """Let so much time [s] pass; the poses then."""
        if not (math.isfinite(dt) and dt > 0.0):
            raise InvalidArguments(what="the time of a step", value=dt, allowed="more than 0 s")
        self._set_pulls(pulls)
        if not self.caching:
            self._forget()
        self._last_step = self._q.copy(), self._q
        self._worst = self._drag(dt)
        return self.poses

    @property
    def moved(self) -> float:
        """How far the last step moved the coordinate that it moved most [rad or m]."""
        before, after = self._last_step
        return float(np.abs(after - before).max(initial=0.0))

    def set_task(self, task: int, goal: Goal) -> None:
        """Give a task another target, or another weight."""
        if not 0 <= task < self._task_count:
            raise InvalidArguments(what="the task to set", value=task, allowed=f"0 to {self._task_count - 1}")
        if goal != self._goals[self._count + task]:
            self._set_goal(self._count + task, goal)

    def task_residual(self, task: int | None = None) -> float:
        """Measure how far a task, or all together, are from their targets, times the root of their weights [m]."""
        evaluate_changed(self.problem.packed, self._plan.ints, self._q, False, self._workspace, self._work)
        place, held = int(self.problem.ints[at.RESIDUAL]), int(self._plan.ints[HELD_ROWS])
        end = held + int(self._plan.ints[PULLED_ROWS])
        first, end = (held, end) if task is None else self._rows[self._count + task]
        return float(np.linalg.norm(self._work[place + first : place + end]))

    def spot_of(self, goal: int) -> Vector3:
        """Find where the first body of a constraint is held [m], in the world, as of the last step."""
        block = self.problem.owners.index(goal)
        start = int(self.problem.ints[at.STATE]) + (int(self._head(block)[at.JOINT]) + 1) * STATE_ROW
        rotation, origin = self._work[start : start + 9].reshape(3, 3), self._work[start + 9 : start + 12]
        x, y, z = (rotation @ self._floats(block)[at.LOCAL : at.LOCAL + 3] + origin).tolist()
        return (x, y, z)

    def place(self, actor: str, pose: Array) -> None:
        """Put a participant elsewhere, such as a prop that moves by itself."""
        actors = [each.actor for each in self.problem.participants]
        if actor not in actors:
            raise InvalidArguments(what="the actor to place", value=actor, allowed=", ".join(actors))
        now = list(self.poses)
        now[actors.index(actor)] = np.array(pose, dtype=float)
        self.stand(now)

    def stand(self, poses: Sequence[Array]) -> None:
        """Put all participants elsewhere."""
        self._poses = tuple(np.array(pose, dtype=float) for pose in poses)
        self._q = self.problem.gather(self._poses)

    def report(self) -> DragReport:
        """Forces, errors and counts of the last step."""
        loose = self._loose_rows()
        tally = self._plan.part(self._workspace, TALLY, TALLY_SIZE)
        counts = Counts(
            blocks=int(tally[COMPUTED]),
            requested=int(tally[REQUESTED]),
            factored=int(tally[FACTORED]),
            decomposed=int(tally[DECOMPOSED]),
            corrections=int(tally[CORRECTIONS]),
            shortened=int(tally[SHORTENED]),
        )
        constraints = tuple(self._report_of(goal, loose) for goal in range(self._count))
        return DragReport(constraints=constraints, worst=self._worst, counts=counts)

    def _drag(self, dt: float) -> float:
        settings = self._settings(dt)
        return drag(self.problem.packed, self._plan.ints, self._q, settings, self._workspace, self._work)

    def _return(self) -> float:
        plan, settings = self._plan.ints, self._settings(1.0)
        return return_to_constraints(self.problem.packed, plan, self._q, settings, self._workspace, self._work)

    def _settings(self, dt: float) -> Array:
        chosen = self.options
        fading = 1.0 - math.exp(-chosen.feedback * dt)
        always = float(chosen.method == TRUNCATED)
        return np.array([dt, fading, chosen.tolerance, chosen.truncation, always, chosen.longest, chosen.returns])

    def _meet(self) -> None:
        """Onto the constraints; from far off by a solver, since Newton's iteration is for what is near."""
        chosen = self.options
        self._worst = self._return()
        if not chosen.returns:
            self._q = self.problem.gather(self._poses)
        elif self._worst > chosen.tolerance or self._is_turned_over():
            goals, limit = self.problem.goals[: self._count], chosen.tolerance
            plain = compile_problem(self.problem.participants, goals, tolerance=limit, turn_tolerance=limit)
            answer = solve(plain, self._poses, Levenberg(ease=0.0), budget=_UNTIMED)
            self._q = self.problem.gather(answer.poses)
            self._worst = self._return()
        self._plan.part(self._workspace, TALLY, FACTOR_FRESH)[:] = 0.0

    def _is_turned_over(self) -> bool:
        """Tell whether an axis is more than a right angle from its target, where its rows vanish too."""
        blocks = range(len(self.problem.owners))
        return any(self.problem.owners[each] < self._count and self._axis_dot(each) < 0.0 for each in blocks)

    def _axis_dot(self, block: int) -> float:
        head, floats = self._head(block), self._floats(block)
        if int(head[at.KIND]) != at.AXIS:
            return 1.0
        rotation = self._rotation(int(head[at.JOINT]))
        other = np.eye(3) if head[at.FRAME] < 0 else self._rotation(int(head[at.FRAME]))
        axis, target = floats[at.DIRECTION : at.TARGET], floats[at.TARGET : at.SHAPE]
        return float((rotation @ axis) @ (other @ target))

    def _head(self, block: int) -> IntArray:
        start = at.HEADER + block * at.BLOCK
        return self.problem.ints[start : start + at.BLOCK]

    def _floats(self, block: int) -> Array:
        return self.problem.floats[block * at.BLOCK_FLOATS : (block + 1) * at.BLOCK_FLOATS]

    def _rotation(self, joint: int) -> Array:
        start = int(self.problem.ints[at.STATE]) + (joint + 1) * STATE_ROW
        return self._work[start : start + 9].reshape(3, 3)

    def _row_spans(self) -> list[tuple[int, int]]:
        """First row and end of each goal."""
        spans = [(self.problem.row_count, 0)] * len(self.problem.goals)
        for block, owner in enumerate(self.problem.owners):
            head = self._head(block)
            first, end = int(head[at.ROW]), int(head[at.ROW]) + int(head[at.HEIGHT])
            spans[owner] = (min(first, spans[owner][0]), max(end, spans[owner][1]))
        return spans

    def _set_pulls(self, pulls: Sequence[Pull]) -> None:
        held, pulled = int(self._plan.ints[HELD_ROWS]), int(self._plan.ints[PULLED_ROWS])
        modes, numbers = (
            self._plan.part(self._workspace, MODES, pulled),
            self._plan.part(self._workspace, NUMBERS, pulled),
        )
        modes[:] = IDLE
        for pull in pulls:
            if not 0 <= pull.task < self._task_count:
                allowed = f"0 to {self._task_count - 1}"
                raise InvalidArguments(what="the task that is pulled", value=pull.task, allowed=allowed)
            index = self._count + pull.task
            rows = slice(self._rows[index][0] - held, self._rows[index][1] - held)
            if isinstance(pull, Spring):
                modes[rows], numbers[rows] = SPRING, self._spring(index, pull)
            else:
                modes[rows], numbers[rows] = FORCE, self._force(index, pull)

    def _spring(self, index: int, pull: Spring) -> float:
        if not (math.isfinite(pull.stiffness) and pull.stiffness > 0.0):
            raise InvalidArguments(what="the stiffness of a spring", value=pull.stiffness, allowed="more than 0 N/m")
        task = self._goals[index]
        if pull.target is not None:
            if not isinstance(task, PositionGoal):
                allowed = "none, where the task is not a position"
                raise InvalidArguments(what="the target of a spring", value=pull.target, allowed=allowed)
            if task.target != pull.target:
                self._set_goal(index, replace(task, target=pull.target))
        return pull.stiffness

    def _force(self, index: int, pull: Force) -> Array:
        task = self._goals[index]
        if not isinstance(task, PositionGoal) or task.frame is not None or not isinstance(task.weight, (int, float)):
            allowed = "a position in the world with a plain weight"
            raise InvalidArguments(what="the task that a force pulls", value=task, allowed=allowed)
        if not all(math.isfinite(each) for each in pull.force) or task.weight <= 0.0:
            raise InvalidArguments(what="a force", value=pull.force, allowed="finite numbers, on a weight above 0")
        return np.array(pull.force) / math.sqrt(task.weight)

    def _set_goal(self, index: int, goal: Goal) -> None:
        self.problem.set_goal(index, goal)
        point = isinstance(goal, PositionGoal) and goal.weight == getattr(self._goals[index], "weight", None)
        self._goals[index] = goal
        fresh = self._plan.part(self._workspace, FRESH, 2 * len(self.problem.owners)).reshape(-1, 2)
        for block, owner in enumerate(self.problem.owners):
            if owner == index:
                fresh[block, : 1 if point else 2] = 0.0  # A point's Jacobian does not depend on its target.

    def _forget(self) -> None:
        self._plan.part(self._workspace, FRESH, 2 * len(self.problem.owners))[:] = 0.0

    def _scale_mobility(self) -> None:
        """K_i = 1 / (w_i phi_i), w_i the length of what a hinge turns as a part of the mean (4.11)."""
        if self.options.scaling != BY_LENGTH:
            return
        problem, joints = self.problem, self.problem.model.figure.joints
        reach = {joint.id: 0.0 for joint in joints}
        for joint in joints:
            if joint.parent is not None:
                reach[joint.parent] = max(reach[joint.parent], math.hypot(*joint.offset))
        lengths = {dof.id: reach[joint.id] for joint in joints for dof in joint.dofs if dof.kind == "hinge"}
        known = [length for length in lengths.values() if length > 0.0]
        mean = sum(known) / len(known) if known else 1.0
        for column, (index, dof) in enumerate(problem.columns):
            length = lengths.get(f"{index}/{dof}", 0.0)
            if length > 0.0:
                place = int(problem.ints[at.COLUMN_FLOATS]) + column * at.COLUMN_WIDTH + at.MOBILITY
                problem.floats[place] /= min(max(length / mean, _LENGTHS[0]), _LENGTHS[1])

    def _loose_rows(self) -> Array:
        """Compute for each row how much of it lies in what other rows imply; 0 where none is implied."""
        plan, size = self._plan, int(self._plan.ints[HELD_ROWS])
        tally = plan.part(self._workspace, TALLY, TALLY_SIZE)
        values = plan.part(self._workspace, VALUES, size)
        if size == 0 or (tally[BY_VALUES] == 0.0 and tally[RANK] == size):
            return np.zeros(size)
        if tally[BY_VALUES] != 0.0:
            vectors = plan.part(self._workspace, VECTORS, size * size).reshape(size, size)
            implied = vectors[:, values <= self.options.truncation * values[-1]]
        else:
            rank, is_moved = int(tally[RANK]), values >= 0.0
            factor = plan.part(self._workspace, FACTOR, size * size).reshape(size, size)
            mixed = factor[rank:, :rank][is_moved[rank:]]
            implied = np.zeros((size, len(mixed)))
            implied[values[is_moved].astype(int)] = np.linalg.qr(np.vstack([-mixed.T, np.eye(len(mixed))]))[0]
        share: Array = np.sum(implied**2, axis=1)
        # A row that nothing movable reaches is not implied by others.
        reached = plan.part(self._workspace, SQUARE, size * size).reshape(size, size).diagonal()
        share[reached <= self.options.truncation * reached.max()] = 0.0
        return share

    def _report_of(self, goal: int, loose: Array) -> ConstraintReport:
        blocks = [block for block, owner in enumerate(self.problem.owners) if owner == goal]
        wrenches = self._plan.part(self._workspace, WRENCHES, 6 * len(self.problem.owners)).reshape(-1, 6)
        fx, fy, fz, tx, ty, tz = wrenches[blocks].sum(axis=0).tolist()
        errors = int(self.problem.ints[at.ERRORS])
        off, turned = 0.0, 0.0
        for block in blocks:
            error = float(self._work[errors + block])
            if int(self._head(block)[at.KIND]) in (at.AXIS, at.LOOK):
                turned = max(turned, math.asin(min(1.0, error)))
            else:
                off = max(off, error)
        first, end = self._rows[goal]
        # A look has three rows for the two degrees that it takes.
        spare = 1.0 if isinstance(self._goals[goal], LookAtGoal) else 0.0
        redundant = float(loose[first:end].sum()) > spare + 1e-6
        met = max(off, turned) <= 2.0 * self.options.tolerance
        return ConstraintReport(
            goal=goal,
            force=(fx, fy, fz),
            torque=(tx, ty, tz),
            off=off,
            turned=turned,
            met=met,
            redundant=redundant,
            conflicting=redundant and not met,
        )
