"""drag: how one drag is solved, what is held going before what is pulled (Welman 1993, 6.2 and 6.3).

Locks that count in full at the time are goals beside what is pulled, a hundred times as heavy. A solver whose steps
such a weight leaves short (`Solver.weighs`) goes to what is pulled first, then back to the locks, in turns, as the
source does after each editing operation. Then the locks alone are led to the tolerance of `engine.locks.keep`, by the
same joints, so that the picture, where locks have the last word, shows the pose that was found. A lock that is eased,
and one that names its joints while nothing that hangs on these is pulled, follows with the picture instead: for it
nothing else is to move. Spots that are held stand where they stood before the drag and count as locks; actors that
locks link to the one that is pulled move with it.

With something held, the slides of a root are stiff, and its turns stay as they are until the rest falls short: a pelvis
that is pulled down bends the legs, not the trunk. It never turns for a pull on the root itself, which only places it.

A heel that is pulled turns its foot about the ball, which is held, and toes about the heel (`engine.document.feet`).

Constrained motion (`engine.ik.constrained`) has locks and what is held as its constraints instead, and moves on from
where it was by forces.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from engine.document import Document, Figure
from engine.document.chains import chain
from engine.document.feet import tipping_of
from engine.document.pose import Values
from engine.document.values import Vector3
from engine.ik.goals import Goal, PositionGoal, Spot
from engine.locks.drag_goals import PER_RADIAN, form_of, pivots_of, spot_of, turns_its_body, way_between, weighted
from engine.locks.drag_naturally import NaturalDrag
from engine.locks.found import Found as Found
from engine.locks.found import Poses
from engine.runtime.bounded import Bounded

if TYPE_CHECKING:
    from engine.evaluation import Member
    from engine.ik.constrained import ConstrainedDrag
    from engine.ik.methods import Method, Terms
    from engine.ik.problem import Participant, Preference, Problem
    from engine.ik.solver import Answer, Budget, FrameMemory, Solver
    from engine.locks.keep import CoupledPoses
    from engine.locks.places import Holding
    from engine.locks.request import Request
    from engine.maths.arrays import Array

TURN_PER_METRE = math.radians(5.0) / 1e-3
FIRST = 100.0  # how much heavier what is held is than what is pulled
ROOT_STIFFNESS = 4.0  # of a root's slides, where something is held
ROOT_TURNS = 50.0  # of its turns in constrained motion, whose levers are as long as the figure
MOST_BEND, MUCH = 0.3, 0.3  # the share of the way to their middle that joints are bent at most; [m] missing at half
FLOOR_ROUNDS = 4  # of finding what has sunk into the floor and leading the figure again
_TURNS = 12  # of pulling and going back to what is held, at most
_NO_LESS = 1e-3  # the part of what is missed that a bent start has to gain
_MUCH_MORE = 1.5
_LEAST_FENCE = math.radians(5.0)
PROBLEMS_KEPT = 32  # compiled: of one that is found again only targets, places and what it is drawn to are set

Movable = frozenset[str]  # ids of degrees of freedom


class Drag:
    """One drag: the poses before it, what is held, and what each method gave last."""

    def __init__(self, document: Document, time: int, request: Request, posed: CoupledPoses, worlds: Array) -> None:
        """Begin with `posed`, all that the actor moves with, and `worlds`, its joints' transforms in the world."""
        from engine.locks.as_goals import goals_of, places_of
        from engine.locks.drag_floor import DragFloor
        from engine.locks.keep import linked_by, ways_of
        from engine.locks.problems import Bend

        self.id, self.document, self.time, self.actor = request.drag, document, time, request.actor
        figure = posed.members[request.actor].actor.figure
        pivots = pivots_of(figure, request.goals)
        rolled = {pivot.joint for pivot in pivots}
        kept = (*(spot for spot in request.held if spot.joint not in rolled), *pivots)
        self._rolls_alone = bool(pivots) and len(kept) == len(pivots)
        self._kept_level = frozenset().union(*(tipping_of(figure, pivot.joint) for pivot in pivots))
        self.spots: tuple[Goal, ...] = tuple(
            PositionGoal(spot=spot, target=stands(figure, worlds, spot)) for spot in kept
        )
        counting = [each for each in posed.holdings if each.whole and not _follows(each, figure, request)]
        sets = [(ids, chosen) for ids, chosen in linked_by(posed.members, counting) if request.actor in ids]
        ids, self.holdings = sets[0] if sets else ((request.actor,), [])
        self.members: tuple[Member, ...] = tuple(posed.members[id] for id in ids)
        places = places_of(self.holdings, ids, posed.frames)
        locks = [goal for each, at in zip(self.holdings, places, strict=True) for goal in goals_of(each, at, ids)]
        self.held: tuple[Goal, ...] = tuple(weighted(goal, FIRST) for goal in (*self.spots, *locks))
        self.start: Poses = tuple(posed.poses[id] for id in ids)
        limbs = [set(way) for way in ways_of(self.members, self.holdings)[0]]
        own = ids.index(request.actor)
        limbs[own].update(*(chain(figure, spot.joint, "branch") for spot in kept))
        limbs[own] -= self._kept_level
        self._bends = [
            Bend.of(each.actor.figure, frozenset(limb)) for each, limb in zip(self.members, limbs, strict=True)
        ]
        self._set: set[Problem] = set()
        self._staged: dict[object, list[tuple[Movable, ...]]] = {}
        self._poses: dict[str, Poses] = {}
        self._in_vain: dict[str, float] = {}  # what was missing [m] where limbs were bent most, by slot
        self._unused: dict[str, tuple[float, bool]] = {}  # see `_fence`, by slot
        self._owed: dict[str, float] = {}  # the way [m] that answers had no time for, by slot
        self._goals: dict[str, tuple[Goal, ...]] = {}
        self._frames: dict[str, FrameMemory] = {}
        self._motions: dict[str, tuple[object, ConstrainedDrag]] = {}
        self._floor = DragFloor(self.members[own], self.start[own])
        self._natural = NaturalDrag(self.members, self.start, document.actor(self.actor).natural)

    def solve(self, problems: Bounded[object, Problem], slot: str, request: Request, method: Method) -> Found:
        """Solve the request by a method, starting from the last answer in this slot."""
        if method.is_motion:
            return self._move(problems, slot, request, method)
        from engine.locks.drag_turns import steadied

        shown, before = self._poses.get(slot, self.start), self._goals.get(slot)
        solver = method.make()
        found, movable, kept = self._solve(problems, slot, request, solver)
        if not solver.weighs and not self._natural.is_on:
            return found  # a solver of small steps, which needs what it can get
        way = _farthest(found.problem, shown) if before is None else way_between(before, request.goals)
        way += self._owed.get(slot, 0.0)
        self._owed[slot] = way if found.answer.state == "out of time" else 0.0
        budget = _budget(request.terms, request.terms.milliseconds, alone=False)
        figures = [each.actor.figure for each in self.members]
        hold = partial(self._held_exactly, problems, movable, request) if self.held else None
        found = steadied(found, figures, kept, shown, way, budget, hold)
        self._poses[slot] = found.poses
        return found

    def _solve(
        self, problems: Bounded[object, Problem], slot: str, request: Request, solver: Solver
    ) -> tuple[Found, tuple[Movable, ...], Problem]:
        """Solve the request from the last answer in this slot; also return what of each member was let move, and the
        problem with what keeps them above the floor."""
        from engine.ik.solver import FrameMemory, with_poses

        goals, terms, free = (*request.goals, *self.held), request.terms, 0.0
        cut_short = goes_on = False
        poses = start = self._poses.get(slot, self.start)
        began = perf_counter()
        answers: list[Answer] = []
        memory, last = self._frames.setdefault(slot, FrameMemory()), self._goals.get(slot)
        memory.moves = last is not None and way_between(last, request.goals) > 0.0
        for movable in self._staged_for(request):
            problem = problems.find(*self._together(goals, movable, request))
            self._stand(problem, request.goals, self.held, drawn=terms.preference == "as it was")
            near = self._fence(slot, problem, poses, request.goals)
            led = partial(self._led, problems, problem, movable, request, solver, near, memory, began)
            is_natural = self._natural.leads(problem)
            if is_natural:
                left = _budget(terms, terms.milliseconds - 1e3 * (perf_counter() - began), alone=False)
                answer = self._natural.lead(problem, len(request.goals), solver, left, poses, near)
            else:
                answer = led(poses)
            answers.append(answer)
            cut_short, free = cut_short or answer.state == "out of time", max(free, near)
            goes_on = goes_on or answer.state == "on the way"
            if answer.state != "reached" and len(answers) == 1 and self.held and not is_natural:
                for share in self._shares(slot, float(answer.errors.max())):
                    other = led(self._bent(poses, share))
                    answers.append(other)
                    if other.squares < (1.0 - _NO_LESS) * answer.squares:
                        answer = other
                        self._in_vain.pop(slot, None)
                        break
                    if other.state == "out of time":
                        self._in_vain.pop(slot, None)
                        cut_short = True
            poses = answer.poses
            if answer.state == "reached":
                break
        kept = problem
        if self._floor.is_on:
            poses, kept = self._above_floor(problems, movable, request, problem, poses, solver)
            if poses is not answer.poses:
                answer = with_poses(answer, problem, poses)
        if self.held:
            poses = self._held_exactly(problems, movable, request, poses)
            if _missing(problem, poses, request) >= (1.0 - _NO_LESS) * _missing(problem, start, request):
                poses = start
        self._poses[slot], self._goals[slot] = poses, request.goals
        self._unused[slot] = (free if cut_short or goes_on else 0.0, cut_short)
        is_cut = cut_short and answer.state != "reached"
        found = Found(
            poses=poses,
            answer=replace(answer, state="out of time") if is_cut else answer,
            problem=problem,
            iterations=sum(each.iterations for each in answers),
            evaluations=sum(each.evaluations for each in answers),
            seconds=perf_counter() - began,
            branch_changed=any(each.branch_changed for each in answers),
        )
        return found, movable, kept

    def _above_floor(
        self,
        problems: Bounded[object, Problem],
        movable: tuple[Movable, ...],
        request: Request,
        problem: Problem,
        poses: Poses,
        solver: Solver,
    ) -> tuple[Poses, Problem]:
        """Lead poses again while something of the dragged figure has sunk into the floor; also return the problem that
        keeps it up."""
        from engine.ik.solver import solve

        own = next(number for number, each in enumerate(self.members) if each.actor.id == self.actor)
        figure, kept = self.members[own].actor.figure, dict[Spot, Goal]()
        wanted = {spot.joint for goal in (*request.goals, *self.held) if (spot := spot_of(goal))}
        for _ in range(FLOOR_ROUNDS):
            pose, sunk = self._floor.lift(poses[own], wanted.union(spot.joint for spot in kept))
            poses = poses if pose is poses[own] else (*poses[:own], pose, *poses[own + 1 :])
            if not sunk:
                break
            kept.update(sunk)
            legs = frozenset().union(*(chain(figure, spot.joint, "branch") for spot in kept))
            wider = (*movable[:own], movable[own] | legs, *movable[own + 1 :])
            floor = tuple(weighted(goal, FIRST) for goal in kept.values())
            problem = problems.find(*self._together((*request.goals, *self.held, *floor), wider, request))
            self._stand(problem, request.goals, (*self.held, *floor))
            budget = _budget(request.terms, request.terms.milliseconds, alone=False)
            if self._natural.leads(problem):
                poses = self._natural.lead(problem, len(request.goals), solver, budget, poses, math.pi).poses
            else:
                poses = solve(problem, poses, solver, budget=budget).poses
        return poses, problem

    def _move(self, problems: Bounded[object, Problem], slot: str, request: Request, method: Method) -> Found:
        """Move on from the last answer in this slot by constrained motion."""
        from engine.ik.solver import answer_at

        began, movable = perf_counter(), self._staged_for(request)[-1]
        key = (method, movable, request.stiffness, self._forms(request.goals))
        known, motion = self._motions.get(slot, (None, None))
        if motion is None or known != key:
            motion = self._motion(method, movable, request, self._poses.get(slot, self.start))
        moved = motion.pull(request.goals, request.terms)
        if moved.stalls and self.held and moved.residuals[-1] > request.terms.tolerance:
            for share in self._shares(slot, moved.residuals[-1]):
                other = self._motion(method, movable, request, self._bent(moved.poses, share))
                if other.would_rest_nearer(request.goals, request.terms, (1.0 - _NO_LESS) * moved.residuals[-1]):
                    motion, moved = other, other.pull(request.goals, request.terms)
                    self._in_vain.pop(slot, None)
                    break
        self._motions[slot] = (key, motion)
        poses = moved.poses
        if self.held and motion.options.returns:
            poses = self._held_exactly(problems, movable, request, poses)
        problem = problems.find(*self._together((*request.goals, *self.held), movable, request))
        self._stand(problem, request.goals, self.held)
        answer = answer_at(problem, poses, rests=moved.rests, curve=moved.residuals)
        self._poses[slot], self._goals[slot] = poses, request.goals
        return Found(
            poses=poses,
            answer=answer,
            problem=problem,
            iterations=moved.steps,
            evaluations=moved.steps,
            seconds=perf_counter() - began,
            branch_changed=False,
            forces=moved.forces,
        )

    def _motion(self, method: Method, movable: tuple[Movable, ...], request: Request, poses: Poses) -> ConstrainedDrag:
        """Begin constrained motion at these poses."""
        from engine.ik.problem import compile_problem

        pulled = compile_problem(self._participants(movable, request, turns=ROOT_TURNS), self.held, tasks=request.goals)
        for number, member in enumerate(self.members):
            pulled.place(number, member.base)
        return method.make_motion().drag(pulled, poses)

    def _staged_for(self, request: Request) -> list[tuple[Movable, ...]]:
        """The stages of a request, found once for all that let the same move."""
        key = (request.movable, request.chain_end, request.terms.extent, self._forms(request.goals))
        if key not in self._staged:
            self._staged[key] = self._stages(request)
        return self._staged[key]

    def _led(
        self,
        problems: Bounded[object, Problem],
        problem: Problem,
        movable: tuple[Movable, ...],
        request: Request,
        solver: Solver,
        near: float,
        memory: FrameMemory,
        began: float,
        poses: Poses,
    ) -> Answer:
        """Lead poses to all goals at once, or, by a solver for which the weight of what is held leaves no step for what
        is pulled, to what is pulled and then back to what is held, in turns, as long as that comes nearer."""
        from engine.ik.solver import solve, with_poses

        terms = request.terms

        def budget() -> Budget:
            return _budget(terms, terms.milliseconds - 1e3 * (perf_counter() - began), alone=not self.held)

        if solver.weighs or not self.held:
            return solve(problem, poses, solver, budget=budget(), near=near, memory=memory)
        pulling = problems.find(*self._together(request.goals, movable, request))
        self._stand(pulling, request.goals, (), drawn=terms.preference == "as it was")
        nearest, asked = None, pulling
        for _ in range(_TURNS):
            start = poses if nearest is None else nearest.poses
            answer = solve(asked, start, solver, budget=budget(), near=near)
            found = with_poses(answer, problem, self._held_exactly(problems, movable, request, answer.poses))
            gained = nearest is None or found.squares < (1.0 - _NO_LESS) * nearest.squares
            if gained:
                nearest = found
            if answer.state == "out of time" or found.state == "reached" or (asked is problem and not gained):
                break
            if not gained:
                asked = problem
        assert nearest is not None, "the first turn gives an answer"
        return nearest

    def _shares(self, slot: str, missing: float) -> tuple[float, ...]:
        """Choose by how much limbs are bent to start anew: at first the less the less is missing, then by more, which
        is not tried again while about as much is missing as where it was in vain."""
        least, vain = MOST_BEND * missing / (missing + MUCH), self._in_vain.get(slot, 0.0)
        if vain / _MUCH_MORE < missing < _MUCH_MORE * vain:
            return (least,)
        self._in_vain[slot] = missing
        return least, MOST_BEND

    def _bent(self, poses: Poses, share: float) -> Poses:
        """The poses with the limbs of what is held bent by a share: no small step bends a straight leg, nor one whose
        ankle is at its limit."""
        return tuple(bend.bent(q, share) for bend, q in zip(self._bends, poses, strict=True))

    def _held_exactly(
        self,
        problems: Bounded[object, Problem],
        movable: tuple[Movable, ...],
        request: Request,
        poses: Poses,
        near: float | None = None,
    ) -> Poses:
        """Lead what is held to the tolerance of locks, with no other goal and no joint turned by more than `near`;
        return the poses."""
        from engine.ik.levenberg import Levenberg
        from engine.ik.problem import compile_problem
        from engine.ik.solver import solve, solve_within
        from engine.locks.problems import TOLERANCE

        def make() -> Problem:
            who = self._participants(movable, request)
            return compile_problem(who, self.held, tolerance=TOLERANCE, turn_tolerance=TOLERANCE)

        key = (self._figures, self._forms(self.held), movable, request.stiffness, self._natural.key)
        problem = problems.find(key, make)
        self._stand(problem, (), self.held)
        budget = _budget(request.terms, request.terms.milliseconds, alone=False)
        if near is not None:
            return solve_within(problem, poses, Levenberg(ease=0.0), near, budget)
        return solve(problem, poses, Levenberg(ease=0.0), budget=budget).poses

    def _together(
        self, goals: Sequence[Goal], movable: tuple[Movable, ...], request: Request
    ) -> tuple[object, Callable[[], Problem]]:
        """Return the key and the maker of the problem of all goals."""
        from engine.ik.problem import compile_problem

        terms = request.terms

        def make() -> Problem:
            who = self._participants(movable, request)
            return compile_problem(who, goals, preference=_preference(terms), tolerance=terms.tolerance)

        own = (request.stiffness, bool(self.held), self._natural.key)
        settings = (terms.preference, terms.gain, terms.tolerance, *own)
        return (self._figures, self._forms(goals), movable, settings), make

    @property
    def _figures(self) -> tuple[object, ...]:
        return tuple((each.actor.id, each.actor.figure.digest) for each in self.members)

    @staticmethod
    def _forms(goals: Sequence[Goal]) -> tuple[object, ...]:
        return tuple(map(form_of, goals))

    def _participants(
        self, movable: tuple[Movable, ...], request: Request, *, turns: float = ROOT_STIFFNESS
    ) -> list[Participant]:
        """List the actors that take part, with the joints that are stiffer than their figures say: roots, where
        something is held, their turns by the factor `turns`."""
        from engine.ik.problem import Participant

        found = []
        for member, dofs in zip(self.members, movable, strict=True):
            roots = [dof for joint in member.actor.figure.joints if joint.parent is None for dof in joint.dofs]
            stiff = self._natural.stiffness(member)
            if self.held:
                for dof in roots:
                    factor = ROOT_STIFFNESS if dof.kind == "slide" else turns
                    stiff[dof.id] = max(factor * dof.stiffness, stiff.get(dof.id, 0.0))
            if member.actor.id == self.actor:
                stiff.update(request.stiffness)
            who = Participant(actor=member.actor.id, figure=member.actor.figure, movable=dofs, stiffness=stiff)
            found.append(who)
        return found

    def _stand(self, problem: Problem, pulled: Sequence[Goal], held: Sequence[Goal], *, drawn: bool = False) -> None:
        """Set what a compiled problem does not depend on; of a problem that this drag has set, what is pulled alone."""
        fresh = problem not in self._set
        for number, goal in enumerate((*pulled, *held) if fresh else pulled):
            problem.set_goal(number, goal)
        if fresh:
            self._set.add(problem)
            for number, member in enumerate(self.members):
                problem.place(number, member.base)
            if drawn:
                problem.draw_to(self.start)

    def _fence(self, slot: str, problem: Problem, poses: Poses, goals: tuple[Goal, ...]) -> float:
        """Bound how far joints may turn [rad]: as far as targets moved, at first as far as they are away. What an
        answer that ran out of time was free to turn, the next one is, too; of one that is on its way, the next one to
        the same targets."""
        before, (unused, for_any) = self._goals.get(slot), self._unused.get(slot, (0.0, False))
        if before is not None:
            way = way_between(before, goals)
            unused = unused if for_any or way == 0.0 else 0.0
        else:
            way = _farthest(problem, poses)
        return max(_LEAST_FENCE, unused, min(math.pi, TURN_PER_METRE * way))

    def _stages(self, request: Request) -> list[tuple[Movable, ...]]:
        """List what may move of each member, stage by stage: what the request lets move and, where something is held,
        what gives way for it."""
        from engine.locks.keep import ways_of

        ways = ways_of(self.members, self.holdings)
        held = bool(self.held) and not (self._rolls_alone and len(self.held) == len(self.spots))
        own = next(number for number, each in enumerate(self.members) if each.actor.id == self.actor)
        figure, fixed = self.members[own].actor.figure, self.members[own].fixed
        movable = _movable_of(figure, request, held=held)
        if movable is None:
            limb = _limb_of(figure, request) if self._natural.is_on else frozenset()
            rows = [(*ways[0][:own], limb | ways[0][own], *ways[0][own + 1 :])] if limb else []
            rows += [(*ways[-1][:own], each, *ways[-1][own + 1 :]) for each in _whole(figure, request, held)]
        else:
            rows = [(*way[:own], movable | way[own], *way[own + 1 :]) for way in ways]
        hung = self._kept_level.union(dof.id for joint in figure.joints if joint.id in fixed for dof in joint.dofs)
        return list(dict.fromkeys((*row[:own], row[own] - hung, *row[own + 1 :]) for row in rows))


def moved(figure: Figure, before: Array, after: Array) -> Values:
    """List the degrees of freedom that differ between two poses, with their new values."""
    index, found = figure.coordinate_index, list[tuple[str, float]]()
    differs, values = (before != after).tolist(), after.tolist()
    for dof in figure.dofs:
        for name in dof.coordinates:
            if differs[index[name]]:
                found += [(each, values[index[each]]) for each in dof.coordinates]
                break
    return tuple(found)


def stands(figure: Figure, worlds: Array, spot: Spot) -> Vector3:
    """Find the position of a spot in the world [m]."""
    frame = worlds[figure.joint_index[spot.joint]]
    x, y, z = (frame[:, :3] @ spot.point + frame[:, 3]).tolist()
    return (x, y, z)


def _follows(holding: Holding, figure: Figure, request: Request) -> bool:
    """Tell whether a lock names its joints and none of them carries what is pulled."""
    named = holding.lock.joints
    if named is None or holding.actor != request.actor:
        return False
    pulled = {joint for goal in request.goals if (spot := spot_of(goal)) for joint in figure.above(spot.joint)}
    return pulled.isdisjoint(named)


def _movable_of(figure: Figure, request: Request, *, held: bool) -> Movable | None:
    """Find the degrees of freedom that a request lets move; None: the whole figure."""
    if request.movable is not None:
        return request.movable
    extent = request.terms.extent
    pulled = [spot.joint if (spot := spot_of(goal)) else None for goal in request.goals]
    if None in pulled or extent == "whole" or (extent == "usual" and held):
        return None
    wanted = "branch" if extent == "usual" else extent
    chains = [chain(figure, joint, wanted, up_to=request.chain_end) for joint in pulled if joint is not None]
    beside = [chain(figure, spot.joint, "part" if wanted == "part" else "branch") for spot in request.held]
    return frozenset().union(*chains, *beside)


def _limb_of(figure: Figure, request: Request) -> Movable:
    """Find the limbs of what is pulled, which come first where a figure is posed as bodies move: an arm that reaches
    leaves the trunk alone. None where a root is pulled, or the whole figure is asked for."""
    pulled = [spot.joint if (spot := spot_of(goal)) else None for goal in request.goals]
    if request.terms.extent != "usual":
        return frozenset()
    if any(joint is None or figure.joint(joint).parent is None for joint in pulled):
        return frozenset()
    return frozenset().union(*(chain(figure, joint, "branch") for joint in pulled if joint is not None))


def _whole(figure: Figure, request: Request, held: bool) -> list[Movable]:
    """The whole figure: at first without the turns of its roots, where something is held that they would move."""
    everything = frozenset(dof.id for dof in figure.dofs)
    roots = [joint for joint in figure.joints if joint.parent is None]
    kinds = {dof.id: dof.kind for joint in roots for dof in joint.dofs}
    spots = [spot_of(goal) for goal in request.goals]
    on_root = [spot is not None and spot.joint in {joint.id for joint in roots} for spot in spots]
    turned = any(of_root and turns_its_body(goal) for of_root, goal in zip(on_root, request.goals, strict=True))
    if not held or turned or figure.is_prop or "slide" not in kinds.values():
        return [everything]
    first = everything - {id for id, kind in kinds.items() if kind != "slide"}
    return [first] if all(on_root) else [first, everything]


def _farthest(problem: Problem, poses: Poses) -> float:
    """Measure how far the goal that is missed most is away [m]."""
    from engine.ik.solver import missed_in

    missed = missed_in(problem, poses)
    return max((each.by * (PER_RADIAN if each.turn else 1.0) for each in missed), default=0.0)


def _missing(problem: Problem, poses: Poses, request: Request) -> float:
    """Measure how far what is pulled is from where it is wanted [m]: what does not bring it nearer is not to move at
    all."""
    from engine.ik.solver import missed_in

    pulled = [each for each in missed_in(problem, poses) if each.goal < len(request.goals)]
    return math.hypot(*(each.by * (PER_RADIAN if each.turn else 1.0) for each in pulled))


def _budget(terms: Terms, milliseconds: float, *, alone: bool) -> Budget:
    """Other branches are looked for only where nothing is held: what is held would be left for a moment."""
    from engine.ik.solver import Budget

    left = max(milliseconds, 0.5)
    if alone:
        return Budget(iterations=int(terms.iterations), milliseconds=left)
    return Budget(iterations=int(terms.iterations), milliseconds=left, starts=0)


def _preference(terms: Terms) -> Preference:
    from engine.ik.problem import Preference

    if terms.preference == "comfort":
        return Preference(comfort=1.0, gain=terms.gain)
    return Preference() if terms.preference == "nothing" else Preference(rest=1.0, gain=terms.gain)
