"""The interface of solvers, and a solve with a budget, other starts, and an honest answer.

A solver is a frozen dataclass of options with two methods. `solve` runs it from the pose that is there. Where that ends
short of a goal (limits make poses from which every small step is a step back) it tries other starts: towards the middle
of the limits, with more and more of a random pose in it, always the same ones. What a start reaches is taken; if none
reaches, the pose near the first one stays, or, in a wide search, the one that misses least; likewise where small steps
lead nowhere at all, as in a straight chain that is pulled along itself, if that comes clearly nearer. A step that leads
away is no answer: of the start and of what was looked at on the way the nearest is kept.

`near` keeps every hinge within an angle of where it was as long as some such pose meets the goals, or misses them by a
little: at the edge of reach a figure that jumps to whatever reaches would jump to and fro. Only when it is left behind
may it go to another branch that reaches, or, where small steps lead nowhere, to one that comes clearly nearer, and the
answer says that it did.

While the goals of a drag move, another frame follows soon. A solver that is through in a few iterations is then given
few in each frame, and other starts are followed beside, some iterations a frame (`FrameMemory`). An answer that is
still short of its goals is "on the way": asked for the same once more, the solver takes the time that it needs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import ClassVar, Literal, Protocol

import numpy as np

from engine.ik import layout as at
from engine.ik.problem import Problem
from engine.ik.region_kernels import keep_regions
from engine.ik.rows import evaluate
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

State = Literal["reached", "nearest", "out of time", "on the way"]
_SEED = 20121993
_BACK = (0.5, 0.5, 0.5, 0.7)  # shares of the way from the pose that is there to the one that reached
_SLICE, _LARGE = 20, 100_000  # iterations between looks at the clock; fewer where the Jacobian has many numbers
_NEAR_STARTS = 5  # other starts in a frame of a drag, which has another frame soon
_PROMPT = 30  # iterations of the patience of a solver that is through in a few
_FRAME, _FIRST, _LATER = 0.6, 0.4, 0.2  # of the patience: in a frame while goals move; of that from the pose before
_LEFT_BEHIND = 20.0  # tolerances by which a goal has to run away before another branch is looked for
_FINISHED = 10  # the best of the other starts that a wide search follows to their end
_SURE = 20  # starts within the fence before a jump is reported
_AT_LIMIT = 1e-9  # [rad] or [m]
_STUCK, _CLEARLY = 0.02, 0.8  # parts of r^T r: small steps that gain less lead nowhere; what leaves less is nearer


class Solver(Protocol):
    """One way to lead goals and bodies together. Options are fields made by `engine.runtime.options.option`."""

    label: ClassVar[str]
    source: ClassVar[str]
    patience: ClassVar[int]  # iterations that a start is given before another is tried
    weighs: ClassVar[bool]  # whether goals that are a hundred times as heavy leave steps for the others

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that it needs in `work`, from `SOLVER` on."""
        ...

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` iterations on q, in place, within the limits. Keeps the counts and the curve in
        `work`; stops when the worst error is within its tolerance, sets STALLED when going on is of no use; returns
        that error as a part of what is allowed."""
        ...


@dataclass(frozen=True, kw_only=True)
class Budget:
    """Limits at which a solve stops."""

    iterations: int = 200  # in one start
    milliseconds: float = 50.0
    starts: int = 40  # other starts, where the first does not reach
    wide: bool = False  # among poses that reach nothing, take the one that misses least, however far away

    def __post_init__(self) -> None:
        if self.iterations < 1 or self.starts < 0 or not self.milliseconds > 0.0:
            allowed = "at least one iteration, 0 or more other starts, more than 0 ms"
            raise InvalidArguments(what="the budget of a solve", value=self, allowed=allowed)


THOROUGH = Budget(iterations=500, milliseconds=2000.0, starts=60, wide=True)


class FrameMemory:
    """Memory of the solves of a drag's frames. `moves` is set by who drags, the rest by the solves."""

    def __init__(self) -> None:
        self.moves = False  # whether the goals do: what is not done in this frame is gone on with in the next
        self.problem: Problem | None = None  # that the others are starts of
        self.tried = 0  # other starts since the goals were met last
        self.other: Array | None = None  # the pose that the last of them has come to
        self.spent = 0  # its iterations

    def forget(self) -> None:
        """Follow no other start."""
        self.problem, self.tried, self.other, self.spent = None, 0, None, 0


@dataclass(frozen=True, kw_only=True)
class Missed:
    """Error of a goal, in one respect."""

    goal: int
    by: float  # [m], or [rad] where it is a turn
    turn: bool
    reached: bool

    @property
    def text(self) -> str:
        """A description for a person."""
        if self.reached:
            return "reached"
        return (
            f"missed by {math.degrees(self.by):.1f}\N{DEGREE SIGN}"
            if self.turn
            else f"missed by {1e3 * self.by:.0f} mm"
        )


@dataclass(frozen=True, eq=False)
class Report:
    """A solver's report of its answer."""

    state: State
    missed: tuple[Missed, ...]
    active: tuple[tuple[str, str], ...]  # actor and degree of freedom that stand at a limit
    regions: tuple[tuple[str, str], ...]  # actor and limit over several angles at whose boundary it stands
    residual: float  # square root of r^T r
    iterations: int
    evaluations: int
    starts: int  # other starts that were tried
    seconds: float
    branch_changed: bool
    curve: Array  # square root of r^T r after each iteration of the last start, the last 256 of them


@dataclass(frozen=True, eq=False)
class Answer:
    """Poses, and what is needed to tell of them."""

    poses: tuple[Array, ...]
    state: State
    problem: Problem
    q: Array
    errors: Array  # of each block, [m] or length of an axis' difference
    squares: float
    iterations: int
    evaluations: int
    starts: int
    seconds: float
    branch_changed: bool
    curve: Array

    def report(self) -> Report:
        """The answer in words and numbers."""
        problem = self.problem
        return Report(
            state=self.state,
            missed=tuple(_missed(problem, self.errors)),
            active=_active(problem, self.q),
            regions=tuple(
                (problem.participants[each.participant].actor, each.limit.id) for each in problem.regions.active(self.q)
            ),
            residual=math.sqrt(self.squares),
            iterations=self.iterations,
            evaluations=self.evaluations,
            starts=self.starts,
            seconds=self.seconds,
            branch_changed=self.branch_changed,
            curve=np.sqrt(self.curve),
        )


def solve(
    problem: Problem,
    poses: Sequence[Array],
    solver: Solver,
    *,
    budget: Budget = Budget(),
    near: float | None = None,
    work: Array | None = None,
    memory: FrameMemory | None = None,
) -> Answer:
    """Lead the figures to the goals from the given poses, which are not changed. `work` may be kept between solves of
    the same problem and solver (`new_work`), `memory` between the frames of a drag, which stay `near`."""
    began = perf_counter()
    if near is not None and not near >= 0.0:
        raise InvalidArguments(what="how near to stay", value=near, allowed="an angle of 0 or more [rad]")
    q = problem.gather(poses)
    if not np.isfinite(q).all():
        raise InvalidArguments(what="the pose to start from", value="not a number", allowed="finite numbers")
    run = _Run(problem, solver, q, new_work(problem, solver) if work is None else work, budget, began)
    changed = run.search(near, memory or FrameMemory())
    return run.answer(poses, changed)


def slice_of(problem: Problem) -> int:
    """Iterations between looks at what was reached."""
    return max(1, min(_SLICE, _LARGE // (1 + problem.row_count * problem.column_count)))


def new_work(problem: Problem, solver: Solver) -> Array:
    """Allocate the workspace of a problem and a solver."""
    return problem.new_work(solver.space(problem))


class _Run:
    """One solve: the best pose so far and what has been spent."""

    def __init__(self, problem: Problem, solver: Solver, q: Array, work: Array, budget: Budget, began: float) -> None:
        self.problem, self.solver, self.work, self.budget = problem, solver, work, budget
        self.began, self.deadline = began, began + 1e-3 * budget.milliseconds
        self.slice = slice_of(problem)
        self.patience = min(solver.patience, budget.iterations)
        # From outside the limits, f may have to rise on the way back, which a solver that only descends would refuse.
        self.start = np.minimum(np.maximum(q, problem.lower), problem.upper)
        if problem.regions.listed:
            keep_regions(problem.ints, problem.regions.buffers, self.start.copy(), self.start)
        self.q = self.looked_at = self.start.copy()
        self.counts = int(problem.ints[at.COUNTS])
        self.iterations = self.evaluations = self.starts = 0
        self.squares, self.reached, self.timed_out, self.on_the_way = math.inf, False, False, False
        self.gained, self.stuck = 0.0, False  # in the last descent; whether small steps from the pose lead nowhere
        self.looked_at = self.q  # the pose that `work` tells of

    def search(self, near: float | None, memory: FrameMemory) -> bool:
        """Fill `q` with the answer; whether another branch was taken."""
        if near is None:
            self._go_wide(self.budget.starts)
            return False
        wide, most = self.budget.wide, self.budget.starts
        hurries = memory.moves and most > 0 and not wide and self.solver.patience <= _PROMPT
        if not hurries or memory.problem is not self.problem:
            memory.forget()
        reached = self._hurry(near, memory) if hurries else self.stay(near)
        if reached or (self.work[self.counts + at.WORST] <= _LEFT_BEHIND and not wide):
            memory.forget()
            return False
        stayed, left = self.q.copy(), self.squares
        if hurries:
            self._look_aside(memory)
            self.on_the_way = not self.reached
        else:
            self._go_wide(most if wide else min(_NEAR_STARTS, most))
        if not self.reached and not wide and not (self.stuck and self.squares < _CLEARLY * left):
            self.q, self.squares = stayed, left
            return False
        return bool(self._moved() > near + _AT_LIMIT) and not self._stay_after_all(near)

    def stay(self, near: float) -> bool:
        """Descend within the fence; whether that reached."""
        saved = self._fence(near)
        try:
            if not self._keep(self._descend(self.start.copy(), self.patience)):
                self._keep(self._descend(self.q.copy(), self.budget.iterations))
        finally:
            self._limits()[:] = saved
        return self.reached

    def _hurry(self, near: float, memory: FrameMemory) -> bool:
        """Descend within the fence for a few iterations, fewer where the frame before was not enough; whether that
        reached."""
        saved = self._fence(near)
        try:
            self._keep(self._descend(self.start.copy(), self._some(_LATER if memory.tried else _FIRST)))
        finally:
            self._limits()[:] = saved
        return self.reached

    def _some(self, share: float) -> int:
        return max(1, round(share * self.patience))

    def _look_aside(self, memory: FrameMemory) -> None:
        """Follow other starts with what is left of a frame's iterations, each until it reaches or its patience ends."""
        memory.problem, most = self.problem, self._some(_FRAME)
        while self.iterations < most and not self._late():
            if memory.other is None:
                number = memory.tried % self.budget.starts
                rng = np.random.default_rng([_SEED, number])
                memory.other = self._entered(self._other_start(self.q, rng, number))
                memory.tried, memory.spent = memory.tried + 1, 0
                self.starts += 1
            before = self.iterations
            found = self._descend(memory.other, min(most - before, self.patience - memory.spent))
            stalled = self.work[self.counts + at.STALLED] != 0.0
            memory.other, memory.spent = found[0], memory.spent + self.iterations - before
            if self._keep(found, only_if_reached=True):
                self._walk_back()
                memory.forget()
                return
            if stalled or self.iterations == before or memory.spent >= self.patience:
                memory.other = None

    def _stay_after_all(self, near: float) -> bool:
        """Tell whether some start within the fence reaches, too, before a jump is reported."""
        saved, rng = self._fence(near), np.random.default_rng(_SEED)
        try:
            for _ in range(_SURE):
                other = self._descend(self._entered(self._anywhere(rng)), self.patience)
                if other[2]:
                    return self._keep(other)
        finally:
            self._limits()[:] = saved
        return False

    def _go_wide(self, starts: int) -> None:
        """Search from the pose that is there, then from others."""
        local = self._descend(self.start.copy(), self.patience if starts else self.budget.iterations)
        if self._keep(local) or not starts:
            return
        stalled = self.work[self.counts + at.STALLED] != 0.0
        self.stuck = self.gained < _STUCK * (local[1] + self.gained)
        counts_nearer = self.budget.wide or self.stuck
        rng = np.random.default_rng(_SEED)
        tries = []
        while self.starts < starts and not self._late():
            other = self._descend(self._entered(self._other_start(local[0], rng, self.starts)), self.patience)
            self.starts += 1
            tries.append(other)
            if self._keep(other, only_if_reached=not counts_nearer):
                self._walk_back()
                return
        if not stalled:
            self._keep(self._descend(local[0], self.budget.iterations))
        if counts_nearer:
            for other in sorted(tries, key=lambda each: each[1])[:_FINISHED]:
                if self._late() or self._keep(self._descend(other[0], self.budget.iterations)):
                    return

    def _walk_back(self) -> None:
        """Another start reached, far from the pose that is there: nearer poses that reach, too, while there are any."""
        in_vain = 0.0
        for share in _BACK:
            if self._late():
                return
            if share == in_vain:  # from the same pose to the same end
                continue
            before = self._distance(self.q)
            other = self._descend(self._entered(self.start + share * (self.q - self.start)), self.patience)
            if other[2] and self._distance(other[0]) < before:
                self.q, self.squares = other[0], other[1]
            else:
                in_vain = share

    def _distance(self, q: Array) -> float:
        """Measure how far the hinges have turned, together [rad]."""
        return float(np.linalg.norm((q - self.start)[self._coordinates()[0][self.problem.hinges]]))

    def _descend(self, q: Array, iterations: int) -> tuple[Array, float, bool]:
        """Run the solver from q; the pose, its r^T r, and whether it reached."""
        work, counts, self.looked_at = self.work, self.counts, q
        work[counts : counts + at.COUNT] = 0.0
        best, begun, nearest, worst, done = q.copy(), math.inf, math.inf, math.inf, 0
        while done < iterations:
            count = min(self.slice, iterations - done)
            worst = self.solver.advance(self.problem, q, work, count)
            if done == 0:
                begun = nearest = float(work[counts + at.BEGUN])
            done += count
            if (squares := float(work[counts + at.SQUARES])) < nearest or worst <= 1.0:
                nearest, best[:] = squares, q
            if worst <= 1.0 or work[counts + at.STALLED] != 0.0 or self._late():
                break
        self.iterations += int(work[counts + at.ITERATIONS])
        self.evaluations += int(work[counts + at.EVALUATIONS])
        self.gained = begun - nearest
        return best, nearest, worst <= 1.0

    def _entered(self, q: Array) -> Array:
        """A pose moved into its regions, from which no solver leads it out again."""
        if self.problem.regions.listed:
            keep_regions(self.problem.ints, self.problem.regions.buffers, self.start, q)
        return q

    def _keep(self, found: tuple[Array, float, bool], only_if_reached: bool = False) -> bool:
        q, squares, reached = found
        better = squares < self.squares * (1.0 if self.squares == math.inf else 0.999)
        if reached or (better and not only_if_reached):
            self.q, self.squares, self.reached = q.copy(), squares, reached
        return self.reached

    def _late(self) -> bool:
        self.timed_out = self.timed_out or perf_counter() > self.deadline
        return self.timed_out

    def _limits(self) -> Array:
        """Limits of the columns as a view, shape [column_count, 2]."""
        first, count = int(self.problem.ints[at.COLUMN_FLOATS]), self.problem.column_count
        table = self.problem.floats[first : first + count * at.COLUMN_WIDTH].reshape(count, at.COLUMN_WIDTH)
        return table[:, : at.UPPER + 1]

    def _coordinates(self) -> tuple[IntArray, IntArray]:
        """Coordinate and part of each column."""
        first, count = int(self.problem.ints[at.COLUMNS_AT]), self.problem.column_count
        table = self.problem.ints[first : first + count * at.COLUMN_INTS].reshape(count, at.COLUMN_INTS)
        return table[:, at.COORDINATE], table[:, at.PART]

    def _fence(self, near: float) -> Array:
        """Draw the limits close around the pose; the limits as they were."""
        limits = self._limits()
        saved: Array = limits.copy()
        where, part = self._coordinates()
        turning = (part == 0) & self.problem.hinges
        now = np.clip(self.start[where[turning]], saved[turning, 0], saved[turning, 1])
        limits[turning, 0] = np.maximum(saved[turning, 0], now - near)
        limits[turning, 1] = np.minimum(saved[turning, 1], now + near)
        return saved

    def _moved(self) -> float:
        """The largest turn of a hinge [rad]."""
        where, _ = self._coordinates()
        return float(np.abs(self.q - self.start)[where[self.problem.hinges]].max(initial=0.0))

    def _anywhere(self, rng: np.random.Generator) -> Array:
        """The start with its fenced hinges anywhere within the fence."""
        where, part = self._coordinates()
        turning = (part == 0) & self.problem.hinges
        bounds, other = self._limits()[turning], self.start.copy()
        other[where[turning]] = rng.uniform(bounds[:, 0], bounds[:, 1])
        return other

    def _other_start(self, q: Array, rng: np.random.Generator, number: int) -> Array:
        """Towards the middle of the limits, and further from it with every start; roots stay where they are."""
        where, _ = self._coordinates()
        free, limits = self.problem.joints_hinges, self._limits()
        places, bounds = where[free], limits[free]
        open_ended = ~np.isfinite(bounds).all(axis=1)
        lower = np.where(open_ended, -math.pi, bounds[:, 0])
        upper = np.where(open_ended, math.pi, bounds[:, 1])
        share, wild = (0.3, 0.6, 1.0)[number % 3], min(1.0, 0.1 + 0.1 * number)
        aim = (1.0 - wild) * 0.5 * (lower + upper) + wild * rng.uniform(lower, upper)
        other = q.copy()
        other[places] = (1.0 - share) * q[places] + share * aim
        return other

    def answer(self, poses: Sequence[Array], changed: bool) -> Answer:
        """Return the best pose, its errors by one more evaluation where another pose was looked at last."""
        work, ints = self.work, self.problem.ints
        errors, curve = int(ints[at.ERRORS]), int(ints[at.CURVE])
        done = int(work[self.counts + at.ITERATIONS])
        order = np.arange(max(1, done + 1 - at.CURVE_KEPT), done + 1) % at.CURVE_KEPT
        curve_now = work[curve + order]
        if not self.reached or not np.array_equal(self.looked_at, self.q):
            self.solver.advance(self.problem, self.q.copy(), work, 0)
        short: State = "out of time" if self.timed_out else "on the way" if self.on_the_way else "nearest"
        return Answer(
            poses=self.problem.scatter(self.q, poses),
            state="reached" if self.reached else short,
            problem=self.problem,
            q=self.q,
            errors=np.array(work[errors : errors + int(ints[at.BLOCKS])]),
            squares=float(work[self.counts + at.SQUARES]),
            iterations=self.iterations,
            evaluations=self.evaluations,
            starts=self.starts,
            seconds=perf_counter() - self.began,
            branch_changed=changed,
            curve=curve_now,
        )


def answer_at(problem: Problem, poses: Sequence[Array], *, rests: bool, curve: Sequence[float]) -> Answer:
    """Return an answer of poses that were found otherwise, with their residuals on the way; what does not rest has run
    out of time."""
    found = Answer(
        poses=tuple(poses),
        state="reached",
        problem=problem,
        q=problem.gather(poses),
        errors=np.zeros(0),
        squares=0.0,
        iterations=max(0, len(curve) - 1),
        evaluations=len(curve),
        starts=0,
        seconds=0.0,
        branch_changed=False,
        curve=np.square(curve),
    )
    answer = with_poses(found, problem, poses)
    return answer if rests or answer.state == "reached" else replace(answer, state="out of time")


def with_poses(answer: Answer, problem: Problem, poses: Sequence[Array]) -> Answer:
    """Return the answer with other poses, and what a problem says of them."""
    ints, work, q = problem.ints, problem.new_work(), problem.gather(poses)
    squares = evaluate(problem.packed, q, False, work)
    counts, errors = int(ints[at.COUNTS]), int(ints[at.ERRORS])
    return replace(
        answer,
        poses=tuple(poses),
        state="reached" if work[counts + at.WORST] <= 1.0 else "nearest" if answer.state == "reached" else answer.state,
        problem=problem,
        q=q,
        errors=np.array(work[errors : errors + int(ints[at.BLOCKS])]),
        squares=float(squares),
    )


def solve_within(
    problem: Problem, poses: Sequence[Array], solver: Solver, near: float, budget: Budget
) -> tuple[Array, ...]:
    """Lead poses to the goals, or as near as comes with no hinge turned by more than `near` [rad]; what goals leave
    free stays as it is, whatever it is drawn to."""
    saved = problem.floats.copy()
    problem.draw_to(poses)
    run = _Run(problem, solver, problem.gather(poses), new_work(problem, solver), budget, perf_counter())
    try:
        run.stay(near)
    finally:
        problem.floats[:] = saved
    return problem.scatter(run.q, poses)


def within_limits(problem: Problem, before: Sequence[Array], poses: Sequence[Array]) -> tuple[Array, ...]:
    """Return poses led into the limits, into those over several angles from poses that were within them."""
    q = np.minimum(np.maximum(problem.gather(poses), problem.lower), problem.upper)
    if problem.regions.listed:
        keep_regions(problem.ints, problem.regions.buffers, problem.gather(before), q)
    return problem.scatter(q, poses)


def missed_in(problem: Problem, poses: Sequence[Array]) -> list[Missed]:
    """Measure how far each goal is missed in poses of the participants, an entry for each block."""
    work = problem.new_work()
    evaluate(problem.packed, problem.gather(poses), False, work)
    errors = int(problem.ints[at.ERRORS])
    return _missed(problem, work[errors : errors + int(problem.ints[at.BLOCKS])])


def _missed(problem: Problem, errors: Array) -> list[Missed]:
    found = []
    count, goals = len(problem.owners), len(problem.goals)
    kinds = problem.ints[at.HEADER + at.KIND : at.HEADER + count * at.BLOCK : at.BLOCK].tolist()
    allowed = problem.floats[at.ALLOWED : count * at.BLOCK_FLOATS : at.BLOCK_FLOATS].tolist()
    for owner, kind, error, most in zip(problem.owners, kinds, errors.tolist(), allowed, strict=True):
        if owner < goals:
            turn = kind in (at.AXIS, at.LOOK)
            by = 2.0 * math.asin(min(1.0, 0.5 * error)) if turn else error
            found.append(Missed(goal=owner, by=by, turn=turn, reached=error <= most))
    return found


def _active(problem: Problem, q: Array) -> tuple[tuple[str, str], ...]:
    first, count = int(problem.ints[at.COLUMNS_AT]), problem.column_count
    table = problem.ints[first : first + count * at.COLUMN_INTS].reshape(count, at.COLUMN_INTS)
    values = q[table[:, at.COORDINATE]]
    lower, upper = problem.model.lower[table[:, at.COORDINATE]], problem.model.upper[table[:, at.COORDINATE]]
    held = ((table[:, at.PART] == 0) & ((values <= lower + _AT_LIMIT) | (values >= upper - _AT_LIMIT))).tolist()
    stood = {(each.participant, dof) for each in problem.regions.active(q) for dof in each.limit.dofs}
    limited = {(each.participant, dof) for each in problem.regions.listed for dof in each.limit.dofs}
    return tuple(
        (problem.participants[hinge[0]].actor, hinge[1])
        for column, hinge in enumerate(problem.columns)
        if (hinge in stood if hinge in limited else held[column])
    )
