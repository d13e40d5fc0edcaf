"""Locks kept: from the layered poses of actors to poses in which what is locked stands where it is to.

Each lock that counts becomes goals, led from the layered pose to within 1e-8 (metres, and the length of an axis'
difference), by descent alone: another branch of the pose would be a leap between two frames. Nothing of the frame
before is used, and nothing is decided by the clock, so that a frame alone is the same bytes as in sequence.

A lock that is eased in or out, or weighted, counts by a share s. With q_S the pose in which the locks that count in
full and those of the set S are kept, the pose lies at

    q = sum over S of  prod_{i in S} s_i  prod_{i not in S} (1 - s_i)  q_S,

which is smooth in every share and has no jump where a lock begins, ends or becomes whole, whatever others do; then the
locks that count in full are met once more from there, since what lies between two poses need not keep them. Locks of
one timing are one set. Blending their targets instead would not do: a target at the layered pose is a lock, too, and
lets go with a jump where others move the figure.

Actors that a lock links at a time are one problem; a lock to the actor itself holds one part of it at another. What
may move comes in stages (`lock_stages`). Each starts nearer to the layered pose the more the one before it left: by
half where it left 3 cm, or 20 cm of what its locks hold steady. Between limbs and root, a spine leans by a few damped
steps of a fixed measure only, since a solve that has to end far short decides by trial which step it takes, and leaps
where it decides otherwise. So no joint leaps where a stage begins to be needed.

A pose that keeps its locks is left as it is, to the last bit, and so is one that misses locks which contradict each
other by as little as can be: what a drag found is what is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.document import Actor, Figure, Lock, Placement
from engine.evaluate.holds import Array
from engine.evaluate.kept_limits import keep_limits
from engine.evaluate.lock_goals import Aims, Frames, goals_of, places_of, structure_of
from engine.evaluate.lock_places import Holding
from engine.evaluate.lock_stages import Movable, stages_of, steady_of
from engine.formats.turns import quaternions
from engine.ik.damped import Damped
from engine.ik.goals import Goal
from engine.ik.layout import COUNT, COUNTS, SQUARES
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.regions import ends_over
from engine.ik.solver import Budget, Solver, new_work, solve
from engine.ik.solvers import SOLVERS
from engine.model.compile import IntArray

TOLERANCE = 1e-8  # [m], and of the length of an axis' difference
MULTIPLIERS = "multipliers"
LEANING = "leaning"  # the few steps of a stage between limbs and root

_PROBLEMS_KEPT = 256
_MOST_BEND, _MUCH = 0.3, 0.3  # the share at most; [m] by which locks are missed at half of it
_AT_EASE = 0.05  # [m] by which locks are missed where half of the comfort that is wished counts
_SHORT, _STEADY = 0.03, 0.2  # [m] left by a stage at which the next one starts halfway to where it ended
_LEANS, _LEAN = 20, 0.8  # steps, and their damping [m]
_NO_LESS = 1e-3  # the part of what is missed that a pose has to gain to count as a better one
_EASED = 6  # locks with timings of their own that are eased at one time; of more, the least are left out

Poses = dict[str, Array]


@dataclass(frozen=True, eq=False)
class Member:
    """An actor whose locks are to be kept: its layered pose, where it stands, and what may not move for locks."""

    actor: Actor
    q: Array
    base: Array  # world from actor, shape [3, 4]
    fixed: frozenset[str] = frozenset()  # joints between its root and one that hangs on something


@dataclass(frozen=True, eq=False)
class Standing:
    """Actors that locks may move together, as they stand at a time."""

    members: Mapping[str, Member]  # as their layers have them
    poses: Poses  # as they are seen
    holdings: tuple[Holding, ...]
    frames: Frames  # of joints outside of the group that locks hold on to


@dataclass(frozen=True, eq=False)
class Bend:
    """The hinges that locks move between limits, and the middle of those limits: joints bent that way are far from
    limits and from a straight limb, which no small step bends."""

    places: IntArray
    middles: Array

    @classmethod
    def of(cls, figure: Figure, movable: frozenset[str]) -> Bend:
        """Those of a figure of which this may move."""
        index, found, ends = figure.coordinate_index, [], _region_ends(figure, movable)
        for joint in figure.joints:
            for dof in joint.dofs if joint.parent is not None else ():
                if dof.kind == "hinge" and dof.id in movable:
                    lower, upper = ends.get(dof.id, (dof.lower, dof.upper))
                    if lower is not None and upper is not None and math.isfinite(upper - lower):
                        found.append((index[dof.id], 0.5 * (lower + upper)))
        return cls(np.array([place for place, _ in found], dtype=np.int32), np.array([middle for _, middle in found]))

    def bent(self, q: Array, share: float) -> Array:
        """The pose with these hinges so far on their way to the middle."""
        out = q.copy()
        out[self.places] += share * (self.middles - out[self.places])
        return out


@dataclass(frozen=True, eq=False)
class _Kept:
    """A compiled problem, its room, and what of it follows which lock."""

    problem: Problem
    solver: Solver
    work: Array
    aims: Aims
    bends: tuple[Bend, ...]
    leaning: bool  # not led to the end
    halves: tuple[Array, ...]  # [m] left at which each coordinate of each actor goes back halfway

    def aim(self, linked: Sequence[Member], holdings: Sequence[Holding], places: Sequence[Array]) -> None:
        """Stand the figures and the targets where they are now."""
        for number, each in enumerate(linked):
            self.problem.place(number, each.base)
        self.aims.follow(self.problem, holdings, places, [each.actor.id for each in linked])

    def missing(self, poses: Sequence[Array]) -> float:
        """How far the locks are from being kept [m]; 0 where they are."""
        counts, q = int(self.problem.ints[COUNTS]), self.problem.gather(poses)
        self.work[counts : counts + COUNT] = 0.0
        kept = self.solver.advance(self.problem, q, self.work, 0) <= 1.0
        return 0.0 if kept else math.sqrt(float(self.work[counts + SQUARES]))

    def bent(self, linked: Sequence[Member], missing: float) -> tuple[Array, ...]:
        """The layered poses, bent by the comfort that is wished, else a little, the less the less is missing."""
        share, ease = _MOST_BEND * missing / (missing + _MUCH), missing / (missing + _AT_EASE)
        shares = (share + (1.0 - share) * ease * each.actor.comfort for each in linked)
        return tuple(bend.bent(each.q, by) for each, bend, by in zip(linked, self.bends, shares, strict=True))

    def lead(self, poses: Sequence[Array], iterations: int) -> tuple[tuple[Array, ...], float]:
        """The poses led from these, and by how much they miss the locks [m]; 0 where they are kept."""
        most = min(iterations, _LEANS) if self.leaning else iterations
        budget = Budget(iterations=most, milliseconds=math.inf, starts=0)
        answer = solve(self.problem, poses, self.solver, budget=budget, work=self.work)
        return answer.poses, 0.0 if answer.state == "reached" else math.sqrt(answer.squares)

    def back(
        self, linked: Sequence[Member], start: Sequence[Array], end: Sequence[Array], left: float
    ) -> tuple[Array, ...]:
        """Where the next stage starts: where this one ended if that fell short by little, and the nearer to its start
        the more is left."""
        return tuple(
            _normalised(member.actor.figure, before + half / (half + left) * (after - before))
            for member, half, before, after in zip(linked, self.halves, start, end, strict=True)
        )


class Locks:
    """Keeps locks. Compiled problems are kept between calls; used by one thread."""

    def __init__(self) -> None:
        self._problems: dict[tuple[object, ...], tuple[_Kept, ...]] = {}

    def poses(
        self,
        members: Mapping[str, Member],
        holdings: Sequence[Holding],
        frames: Frames,
        solver: str,
        iterations: int,
    ) -> Poses:
        """The pose of every member; `frames` has the joints outside of the group that locks hold on to."""
        whole = [each for each in holdings if each.whole]
        eased = {each.timing: each.share for each in holdings if not each.whole}
        timings = sorted(eased, key=lambda timing: -eased[timing])[:_EASED]
        if not timings:
            return self._keep(members, whole, frames, solver, iterations)
        mean: Poses = {}
        for corner in range(1 << len(timings)):
            inside = {timing for place, timing in enumerate(timings) if corner >> place & 1}
            factor = math.prod(eased[each] if each in inside else 1.0 - eased[each] for each in timings)
            chosen = [each for each in holdings if each.whole or each.timing in inside]
            for id, q in self._keep(members, chosen, frames, solver, iterations).items():
                mean[id] = _added(members[id].actor.figure, mean.get(id), q, factor)
        begun = {id: replace(each, q=_between(each, mean[id])) for id, each in members.items()}
        return self._keep(begun, whole, frames, solver, iterations, begun=True)

    def _keep(
        self,
        members: Mapping[str, Member],
        holdings: Sequence[Holding],
        frames: Frames,
        solver: str,
        iterations: int,
        begun: bool = False,
    ) -> Poses:
        """The poses, from those of the members, that keep all of these locks; `begun`: they almost do."""
        out = {id: member.q for id, member in members.items()}
        for ids, chosen in linked_by(members, holdings):
            linked, places = [members[id] for id in ids], places_of(chosen, ids, frames)
            ways = self._compiled(linked, chosen, places, solver)
            for kept in ways:
                kept.aim(linked, chosen, places)
            poses = tuple(each.q for each in linked)
            missing = ways[0].missing(poses)
            if missing == 0.0:
                continue
            if not begun:
                poses = ways[0].bent(linked, missing)
            start = poses
            for kept in ways[-1:] if begun else ways:
                if solver == MULTIPLIERS and not kept.leaning:
                    poses, left = _by_multipliers(kept.problem, linked, chosen, places, poses)
                else:
                    poses, left = kept.lead(poses, iterations)
                if left == 0.0:
                    break
                if kept is not ways[-1]:
                    poses = kept.back(linked, start, poses, left)
            if left < (1.0 - _NO_LESS) * missing:
                out.update(zip(ids, poses, strict=True))
        return out

    def _compiled(
        self, linked: Sequence[Member], holdings: Sequence[Holding], places: Sequence[Array], solver: str
    ) -> tuple[_Kept, ...]:
        """What is tried in turn: the stages of all figures side by side."""
        ids = tuple(each.actor.id for each in linked)
        figures = ((each.actor.figure.digest, each.fixed) for each in linked)
        key = (solver, ids, *figures, *(structure_of(each, ids) for each in holdings))
        kept = self._problems.get(key)
        if kept is None:
            goals = [goals_of(each, place, ids) for each, place in zip(holdings, places, strict=True)]
            ways = ways_of(linked, holdings)
            leaning = [way not in (ways[0], ways[-1]) and not _moves_roots(linked, way) for way in ways]
            kept = tuple(
                _compile(linked, way, holdings, goals, LEANING if leans else solver)
                for way, leans in zip(ways, leaning, strict=True)
            )
            while len(self._problems) >= _PROBLEMS_KEPT:
                self._problems.pop(next(iter(self._problems)))
            self._problems[key] = kept
        return kept


def _compile(
    linked: Sequence[Member],
    movable: Sequence[frozenset[str]],
    holdings: Sequence[Holding],
    goals: Sequence[Sequence[Goal]],
    solver: str,
) -> _Kept:
    participants = [
        Participant(actor=each.actor.id, figure=each.actor.figure, movable=dofs)
        for each, dofs in zip(linked, movable, strict=True)
    ]
    together = [goal for mine in goals for goal in mine]
    problem = compile_problem(participants, together, tolerance=TOLERANCE, turn_tolerance=TOLERANCE)
    chosen = _solver(solver)
    led = [frozenset(dof for at, dof in problem.columns if at == number) for number in range(len(linked))]
    bends = tuple(Bend.of(each.figure, dofs) for each, dofs in zip(participants, led, strict=True))
    halves = tuple(_halves(each, holdings) for each in linked)
    aims = Aims.of(holdings, goals)
    return _Kept(problem, chosen, new_work(problem, chosen), aims, bends, solver == LEANING, halves)


def _solver(name: str) -> Solver:
    """No path is followed from frame to frame: what the layers say is kept as far as the locks let it."""
    if name == LEANING:
        return Damped(rule="fixed", damping=_LEAN, largest=math.pi)
    return Levenberg(ease=0.0) if name in ("levenberg", MULTIPLIERS) else SOLVERS[name]()


def _halves(member: Member, holdings: Sequence[Holding]) -> Array:
    """Of each coordinate, what a stage has to leave [m] for it to go back halfway."""
    figure = member.actor.figure
    steady = steady_of(figure, _held(member, holdings))
    each = [_STEADY if figure.coordinate_dof[name].id in steady else _SHORT for name in figure.coordinates]
    return np.array(each)


def _moves_roots(linked: Sequence[Member], way: Sequence[Movable]) -> bool:
    """Whether a stage moves the root of an actor."""
    roots = {
        (number, dof.id)
        for number, member in enumerate(linked)
        for joint in member.actor.figure.joints
        if joint.parent is None
        for dof in joint.dofs
    }
    return any((number, id) in roots for number, dofs in enumerate(way) for id in dofs)


def _by_multipliers(
    problem: Problem,
    linked: Sequence[Member],
    holdings: Sequence[Holding],
    places: Sequence[Array],
    poses: Sequence[Array],
) -> tuple[tuple[Array, ...], float]:
    """Newton's iteration with multipliers onto the constraints, compiled for this once; by how much they are missed."""
    from engine.ik.maintain import Maintain

    placed = []
    for member, participant in zip(linked, problem.participants, strict=True):
        w, i, j, k = quaternions(member.base[None, :, :3])[0].tolist()
        x, y, z = member.base[:, 3].tolist()
        placed.append(replace(participant, placement=Placement(position=(x, y, z), rotation=(w, i, j, k))))
    together = [each.actor for each in placed]
    goals = [goal for each, at in zip(holdings, places, strict=True) for goal in goals_of(each, at, together)]
    held = Maintain(tolerance=TOLERANCE).start(compile_problem(placed, goals), poses)
    worst = held.report().worst
    return held.poses, 0.0 if worst <= 2.0 * TOLERANCE else worst


def linked_by(
    members: Mapping[str, Member], holdings: Sequence[Holding]
) -> Iterator[tuple[tuple[str, ...], list[Holding]]]:
    """The actors that locks link, and the locks of each such set; those without any are left out."""
    first = {id: id for id in members}
    for each in holdings:
        if each.lock.target in first:
            one, other = first[each.actor], first[str(each.lock.target)]
            first = {id: one if at == other else at for id, at in first.items()}
    for head in dict.fromkeys(first[each.actor] for each in holdings):
        chosen = [each for each in holdings if first[each.actor] == head]
        yield tuple(id for id in members if first[id] == head), chosen


def ways_of(linked: Sequence[Member], holdings: Sequence[Holding]) -> tuple[tuple[Movable, ...], ...]:
    """What may move of each of these actors, stage by stage; one whose stages are fewer stays at its last."""
    each = [stages_of(member.actor.figure, _held(member, holdings), member.fixed) for member in linked]
    height = max(map(len, each))
    return tuple(tuple(mine[min(stage, len(mine) - 1)] for mine in each) for stage in range(height))


def _held(member: Member, holdings: Sequence[Holding]) -> list[tuple[Lock, str]]:
    """The locks that move an actor, each with the joint of it that it holds or holds on to."""
    found = []
    for each in holdings:
        if each.actor == member.actor.id:
            found.append((each.lock, each.lock.joint))
        if each.lock.target == member.actor.id and each.lock.target_joint is not None:
            found.append((each.lock if each.actor == member.actor.id else _ours(each.lock), each.lock.target_joint))
    return found


def _ours(lock: Lock) -> Lock:
    """A lock as it looks from its target, whose joints it does not name."""
    return lock if lock.joints is None else replace(lock, joints=None)


def _added(figure: Figure, mean: Array | None, q: Array, factor: float) -> Array:
    """The sum with one pose more. Of a ball's two quaternions the one on the side of the sum counts."""
    if mean is None:
        return factor * q
    scaled = factor * q
    for ball in _balls(figure):
        if mean[ball] @ scaled[ball] < 0.0:
            scaled[ball] *= -1.0
    return mean + scaled


def _region_ends(figure: Figure, movable: frozenset[str]) -> Mapping[str, tuple[float, float]]:
    """The ends along hinges that may move of the limits over several angles that hold for them."""
    limits = [limit for limit in figure.limits_on if not movable.isdisjoint(limit.dofs)]
    return ends_over(figure, limits)


def _between(member: Member, mean: Array) -> Array:
    """What lies between poses, kept to those limits over several angles that the layered pose keeps: between two poses
    within a region there may be others outside of it."""
    figure, q = member.actor.figure, _normalised(member.actor.figure, mean)
    keep_limits(figure, member.q, q)
    return q


def _normalised(figure: Figure, mean: Array) -> Array:
    for ball in _balls(figure):
        norm = np.linalg.norm(mean[ball])
        mean[ball] = mean[ball] / norm if norm > 1e-9 else (1.0, 0.0, 0.0, 0.0)
    return mean


def _balls(figure: Figure) -> list[list[int]]:
    dofs = [dof for joint in figure.joints if joint.parent is None for dof in joint.dofs if dof.kind == "ball"]
    return [[figure.coordinate_index[name] for name in dof.coordinates] for dof in dofs]
