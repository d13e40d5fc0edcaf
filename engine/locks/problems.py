"""Locks of some actors, compiled: a problem of inverse kinematics that follows them from time to time.

One is led at several times at once, where the same locks hold at the same places: a row of poses for each time. Rows
do not know of each other, so that a time alone has the same bytes as in a row with others. A problem that is aimed
already at the very arrays that it is given is left as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field

import numpy as np

from engine.document import Figure
from engine.evaluation import Member
from engine.ik.damped import Damped
from engine.ik.goals import Goal
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.regions import ends_over
from engine.ik.rows_led import lead_rows
from engine.ik.solver import Solver, new_work
from engine.ik.solvers import SOLVERS
from engine.locks.as_goals import LockColumns
from engine.locks.members import Rows, held_of
from engine.locks.multipliers import lead_by_multipliers
from engine.locks.places import Holding
from engine.locks.stages import Movable, steady_of
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass

TOLERANCE = 1e-8  # [m], and of the length of an axis' difference
MULTIPLIERS = "multipliers"
LEANING = "leaning"  # the few steps of a stage between limbs and root

_MOST_BEND, _MUCH = 0.3, 0.3  # the share at most; [m] by which locks are missed at half of it
_AT_EASE = 0.05  # [m] by which locks are missed where half of the wanted comfort counts
_SHORT, _STEADY = 0.03, 0.2  # [m] left by a stage at which the next one starts halfway to where it ended
_LARGEST = 0.5  # [rad] that a joint turns in an iteration: more is chance where locks are out of reach
_LEANS, _LEAN = 20, 0.8  # steps, and their damping [m]


@dataclass(frozen=True, eq=False)
class Bend:
    """The hinges that locks move between limits, and the middle of those limits: joints bent that way are far from
    limits and from a straight limb, which no small step bends."""

    places: IntArray
    middles: Array

    @classmethod
    def of(cls, figure: Figure, movable: frozenset[str]) -> Bend:
        """Collect the hinges with two limits among what may move, each with the middle of its range."""
        index, found, ends = figure.coordinate_index, [], _region_ends(figure, movable)
        for joint in figure.joints:
            for dof in joint.dofs if joint.parent is not None else ():
                if dof.kind == "hinge" and dof.id in movable:
                    lower, upper = ends.get(dof.id, (dof.lower, dof.upper))
                    if lower is not None and upper is not None and math.isfinite(upper - lower):
                        found.append((index[dof.id], 0.5 * (lower + upper)))
        return cls(np.array([place for place, _ in found], dtype=np.int32), np.array([middle for _, middle in found]))

    def bent(self, q: Array, share: float | Array) -> Array:
        """A pose, or rows of them and a share of each, with these hinges so far on their way to the middle."""
        out = q.copy()
        now = out[..., self.places]
        out[..., self.places] = now + np.asarray(share)[..., None] * (self.middles - now)
        return out


@dataclass(eq=False)
class LockProblem:
    """A compiled problem, its room, and what of it follows which lock."""

    problem: Problem
    solver: Solver
    work: Array
    aims: LockColumns
    bends: tuple[Bend, ...]
    by_multipliers: bool
    leaning: bool  # not led to the end
    halves: tuple[Array, ...]  # [m] left at which each coordinate of each actor goes back halfway
    own: tuple[tuple[IntArray, IntArray], ...]  # of each actor: coordinates of the problem, and its own
    _aimed: list[Array] = field(default_factory=list)  # where figures and targets were last

    def aim(self, linked: Sequence[Member], holdings: Sequence[Holding], places: Sequence[Array]) -> None:
        """Stand the figures and the targets where they are now. Neither array may be written to later."""
        wanted = [*(each.base for each in linked), *places]
        if not self.aims.directed and len(wanted) == len(self._aimed) and _same(wanted, self._aimed):
            return
        for number, each in enumerate(linked):
            self.problem.place(number, each.base)
        self.aims.follow(self.problem, holdings, places, [each.actor.id for each in linked])
        self._aimed = wanted

    def gather(self, poses: Rows) -> Array:
        """The problem's own rows, of poses of the actors."""
        q = np.empty((len(poses[0]), len(self.problem.model.rest)))
        q[:] = self.problem.model.rest
        for rows, (here, there) in zip(poses, self.own, strict=True):
            q[:, here] = rows[:, there]
        return q

    def scatter(self, q: Array, poses: Rows) -> Rows:
        """Poses of the actors with the problem's coordinates in them."""
        out = [rows.copy() for rows in poses]
        for rows, (here, there) in zip(out, self.own, strict=True):
            rows[:, there] = q[:, here]
        return out

    def missing(self, poses: Rows) -> Array:
        """Measure how far the locks are from being kept [m], at each time; 0 where they are."""
        return lead_rows(self.problem, self.solver, self.gather(poses), self.work, 0)

    def bent(self, linked: Sequence[Member], poses: Rows, missing: Array) -> Rows:
        """The layered poses, bent by the comfort that is set, else a little, the less the less is missing."""
        share, ease = _MOST_BEND * missing / (missing + _MUCH), missing / (missing + _AT_EASE)
        shares = (share + (1.0 - share) * ease * each.actor.comfort for each in linked)
        return [bend.bent(rows, by) for bend, rows, by in zip(self.bends, poses, shares, strict=True)]

    def lead(
        self,
        linked: Sequence[Member],
        holdings: Sequence[Holding],
        places: Sequence[Array],
        poses: Rows,
        iterations: int,
    ) -> tuple[Rows, Array]:
        """The poses led from these, and by how much they miss the locks [m]; 0 where they are kept."""
        if self.by_multipliers:
            return lead_by_multipliers(self.problem, linked, holdings, places, poses, TOLERANCE)
        q, most = self.gather(poses), min(iterations, _LEANS) if self.leaning else iterations
        left = lead_rows(self.problem, self.solver, q, self.work, most)
        return self.scatter(q, poses), left

    def back(self, linked: Sequence[Member], start: Rows, end: Rows, left: Array) -> Rows:
        """Find where the next stage starts: where this one ended if that fell short by little, and the nearer to its
        start the more is left."""
        return [
            np.array(
                [
                    normalised(each.actor.figure, one + half / (half + by) * (other - one))
                    for one, other, by in zip(before, after, left, strict=True)
                ]
            )
            for each, half, before, after in zip(linked, self.halves, start, end, strict=True)
        ]


def compile_lock_problem(
    linked: Sequence[Member],
    movable: Sequence[Movable],
    holdings: Sequence[Holding],
    goals: Sequence[Sequence[Goal]],
    solver: str,
) -> LockProblem:
    """The problem of some locks with their goals, of which so much of each actor may move."""
    participants = [
        Participant(actor=each.actor.id, figure=each.actor.figure, movable=dofs)
        for each, dofs in zip(linked, movable, strict=True)
    ]
    together = [goal for mine in goals for goal in mine]
    problem = compile_problem(participants, together, tolerance=TOLERANCE, turn_tolerance=TOLERANCE)
    chosen = _solver(solver)
    led = [frozenset(dof for at, dof in problem.columns if at == number) for number in range(len(linked))]
    return LockProblem(
        problem=problem,
        solver=chosen,
        work=new_work(problem, chosen),
        aims=LockColumns.of(holdings, goals),
        bends=tuple(Bend.of(each.figure, dofs) for each, dofs in zip(participants, led, strict=True)),
        by_multipliers=solver == MULTIPLIERS,
        leaning=solver == LEANING,
        halves=tuple(_halves(each, holdings) for each in linked),
        own=_own(problem),
    )


def normalised(figure: Figure, mean: Array) -> Array:
    """Normalise the quaternions of balls in a pose, in place."""
    for ball in balls_of(figure):
        norm = np.linalg.norm(mean[ball])
        mean[ball] = mean[ball] / norm if norm > 1e-9 else (1.0, 0.0, 0.0, 0.0)
    return mean


def balls_of(figure: Figure) -> list[list[int]]:
    """The coordinates of each ball."""
    dofs = [dof for joint in figure.joints if joint.parent is None for dof in joint.dofs if dof.kind == "ball"]
    return [[figure.coordinate_index[name] for name in dof.coordinates] for dof in dofs]


def _same(ones: Sequence[object], others: Sequence[object]) -> bool:
    return all(one is other for one, other in zip(ones, others, strict=True))


def _own(problem: Problem) -> tuple[tuple[IntArray, IntArray], ...]:
    """Map each participant's coordinates: which of the problem are its own, and which of its own these are."""
    index = problem.model.figure.coordinate_index
    found = []
    for number, each in enumerate(problem.participants):
        names = [name for name in each.figure.coordinates if f"{number}/{name}" in index]
        here, there = [index[f"{number}/{name}"] for name in names], [each.figure.coordinate_index[n] for n in names]
        found.append((np.array(here, dtype=np.int32), np.array(there, dtype=np.int32)))
    return tuple(found)


def _solver(name: str) -> Solver:
    """Make the solver of a name. No path is followed from frame to frame: what the layers say is kept as far as the
    locks let it."""
    if name == LEANING:
        return Damped(rule="fixed", damping=_LEAN, largest=math.pi)
    return Levenberg(ease=0.0, largest=_LARGEST) if name in ("levenberg", MULTIPLIERS) else SOLVERS[name]()


def _halves(member: Member, holdings: Sequence[Holding]) -> Array:
    """Bound, for each coordinate, what a stage has to leave [m] for it to go back halfway."""
    figure = member.actor.figure
    steady = steady_of(figure, held_of(member, holdings))
    each = [_STEADY if figure.coordinate_dof[name].id in steady else _SHORT for name in figure.coordinates]
    return np.array(each)


def _region_ends(figure: Figure, movable: frozenset[str]) -> dict[str, tuple[float, float]]:
    """The ends along hinges that may move of the limits over several angles that hold for them."""
    limits = [limit for limit in figure.limits_on if not movable.isdisjoint(limit.dofs)]
    return dict(ends_over(figure, limits))
