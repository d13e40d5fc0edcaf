"""reach: the live job of handles: the pose in which spots of a figure stand where they are pulled to.

Requests of one drag go on from each other's answers, so that the figure does not leap; the first starts from the pose
that the layers give. Spots that are held are goals where they stood before the drag. The answer carries the edit that
poses the figure (the result, never the request; what did not move is left out), as `engine.edits.poses.pose_edit`
chooses it. Where the goal moves by d, joints may turn by 5 degrees for each millimetre of d before that counts as
another branch.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from engine.document import Actor, Document, Figure
from engine.document.pose import Values
from engine.document.values import Vector3
from engine.edits import Edit
from engine.edits.poses import pose_edit
from engine.ik.chains import chain
from engine.ik.goals import Goal, PositionGoal, Spot
from engine.jobs.methods import Method, Terms
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator
    from engine.ik.problem import Participant, Preference, Problem
    from engine.ik.solver import Missed, Report
    from engine.model.compile import Array
    from engine.model.snapshot import Bodies, Snapshot

TURN_PER_METRE = math.radians(5.0) / 1e-3
_LEAST_FENCE = math.radians(5.0)
_PROBLEMS_KEPT = 16
_SAME_POSE = 1e-6
_MOVING = ("target", "position", "rotation", "point", "normal", "direction", "weight", "turn_weight")


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a person pulls, and how it is to be solved."""

    drag: str  # requests with the same one go on from each other
    actor: str
    goals: tuple[Goal, ...]
    held: tuple[Spot, ...] = ()  # stay where they stand
    movable: frozenset[str] | None = None  # ids of degrees of freedom, in place of the chains of the terms
    stiffness: tuple[tuple[str, float], ...] = ()  # by degree of freedom, in place of the figure's own
    method: Method = field(default_factory=Method)
    compared: Method | None = None  # a second one, on the same goals
    terms: Terms = field(default_factory=Terms)
    auto_key: bool = True  # else a pose of a layer that has keys is kept as a draft


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one method made of a request: its report, and what of it is told by names."""

    method: Method
    label: str
    report: Report
    places: tuple[Vector3 | None, ...]  # where the spot of each goal came to stand [m]
    active: tuple[str, ...]  # degrees of freedom at a limit, with their joints' names


@dataclass(frozen=True, eq=False)
class Reached:
    """The answer to a request. The snapshot shows the edited document, and the second method's pose as a ghost."""

    request: Request
    goals: tuple[Goal, ...]  # those of the request, then those of what is held
    edit: Edit
    snapshot: Snapshot
    outcome: Outcome
    compared: Outcome | None = None
    ghost: Bodies | None = None


@dataclass(eq=False)
class _Drag:
    """One drag: the pose and place before it, the goals of what is held, and what each method gave last."""

    id: str
    document: Document
    time: int
    base: Array  # q of the layers
    worlds: Array  # of the joints, shape [joint_count, 3, 4]
    participant: Participant
    held: tuple[Goal, ...]
    poses: dict[str, Array]
    goals: dict[str, tuple[Goal, ...]]


class Reach:
    """Answers requests. Keeps compiled problems and the present drag; used by the engine's thread alone."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._drag: _Drag | None = None
        self._problems: dict[object, Problem] = {}

    def answer(
        self, document: Document, time: int, request: Request, *, skins: bool = True
    ) -> Generator[Reached | None, None, None]:
        """The answer for the pose at a time [ticks]; each solve is a step of its own."""
        drag = self._begin(document, time, request)
        goals = (*request.goals, *drag.held)
        outcome, change, edited = self._solve(drag, "first", goals, request, request.method)
        yield None
        second, ghost = None, None
        if request.compared is not None:
            second, _, other = self._solve(drag, "second", goals, request, request.compared)
            ghost = self._ghost(other, time, request.actor)
            yield None
        snapshot = self._evaluator.snapshot(edited, time, skins=skins)
        if ghost is not None:
            snapshot = replace(snapshot, items=(*snapshot.items, ghost))
        yield Reached(request, goals, change, snapshot, outcome, second, ghost)

    def _begin(self, document: Document, time: int, request: Request) -> _Drag:
        drag = self._drag
        if drag is None or (drag.id, drag.time) != (request.drag, time) or drag.document is not document:
            actor = document.actor(request.actor)
            base = self._evaluator.motion(actor, float(time)).at(float(time))[0]
            worlds = self._evaluator.joint_transforms(document, actor.id, time)
            held = tuple(PositionGoal(spot=spot, target=_stands(actor, worlds, spot)) for spot in request.held)
            participant = _participant(actor, base, worlds)
            drag = _Drag(request.drag, document, time, base, worlds, participant, held, {}, {})
            self._drag = drag
        return drag

    def _solve(
        self, drag: _Drag, slot: str, goals: tuple[Goal, ...], request: Request, method: Method
    ) -> tuple[Outcome, Edit, Document]:
        """What a method makes of the goals from its last pose; the edit to it, and the document so edited."""
        from engine.ik.solver import Budget, solve

        actor, terms = drag.document.actor(request.actor), request.terms
        problem = self._problem(drag, goals, request)
        near = max(
            _LEAST_FENCE, min(math.pi, TURN_PER_METRE * _way(drag.goals.get(slot) or _standing(drag, goals), goals))
        )
        budget = Budget(iterations=int(terms.iterations), milliseconds=terms.milliseconds)
        solved = solve(problem, [drag.poses.get(slot, drag.base)], method.make(), budget=budget, near=near)
        drag.poses[slot], drag.goals[slot] = solved.poses[0], goals
        values = _moved(actor.figure, drag.base, solved.poses[0])
        change = pose_edit(drag.document, actor.id, drag.time, values, auto_key=request.auto_key)
        edited = change.apply(drag.document)
        self._check_shown(edited.actor(actor.id), drag.time, solved.poses[0])
        worlds = self._evaluator.joint_transforms(edited, actor.id, drag.time)
        return _told(actor, method, solved.report(), goals, worlds, terms.tolerance), change, edited

    def _problem(self, drag: _Drag, goals: tuple[Goal, ...], request: Request) -> Problem:
        """Compiled once for a figure, its place and the kinds of goals; then only targets move."""
        from engine.ik.problem import compile_problem

        actor, terms = drag.document.actor(request.actor), request.terms
        movable = _movable(actor, goals, request)
        like = drag.base.tobytes() if terms.preference == "as it was" else b""
        key = (
            actor.id, actor.figure.digest, drag.participant.placement, tuple(map(_form, goals)), movable,
            request.stiffness, terms.preference, terms.gain, terms.tolerance, like,
        )  # fmt: skip
        problem = self._problems.pop(key, None)
        if problem is None:
            participant = replace(drag.participant, movable=movable, stiffness=dict(request.stiffness))
            preference = _preference(terms, actor.figure, drag.base)
            problem = compile_problem([participant], goals, preference=preference, tolerance=terms.tolerance)
        else:
            for place, goal in enumerate(goals):
                problem.set_goal(place, goal)
        while len(self._problems) >= _PROBLEMS_KEPT:
            self._problems.pop(next(iter(self._problems)))
        self._problems[key] = problem
        return problem

    def _check_shown(self, actor: Actor, time: int, pose: Array) -> None:
        """Layers that are muted, added, weighed or recorded would show something else than what was solved."""
        shown = self._evaluator.motion(actor, float(time)).at(float(time))[0]
        if abs(shown - pose).max(initial=0.0) > _SAME_POSE:
            name = actor.layers[-1].name or "the last layer"
            raise InvalidArguments(
                what=f"the pose of {actor.name}",
                value=f"not {name}'s to give at this time",
                allowed="a last layer that replaces the pose in full; add one in the Layers panel",
            )

    def _ghost(self, document: Document, time: int, actor: str) -> Bodies:
        alone = document.with_all_that_hold(actor)
        items = self._evaluator.snapshot(alone, time, skins=False).items
        return replace(next(item for item in items if item.owner == actor), role="ghost")


def _participant(actor: Actor, base: Array, worlds: Array) -> Participant:
    """The figure where it stands now: what hangs on another actor stands elsewhere than where it was placed."""
    from engine.document.actor import Placement
    from engine.evaluate.holds import joined, undone
    from engine.formats.turns import quaternions
    from engine.ik.problem import Participant

    placement = actor.placement
    if actor.attachments:
        frame = joined(worlds[0], undone(_root_frame(actor.figure, base)))
        x, y, z = frame[:, 3].tolist()
        w, i, j, k = quaternions(frame[None, :, :3])[0].tolist()
        placement = Placement(position=(x, y, z), rotation=(w, i, j, k))
    return Participant(actor=actor.id, figure=actor.figure, placement=placement)


def _root_frame(figure: Figure, q: Array) -> Array:
    """The root joint in the frame of its actor, shape [3, 4]."""
    import numpy as np

    from engine.model.compile import compile_model
    from engine.model.kinematics import compute_forward_kinematics

    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, q, state)
    row = model.transforms(state)[0]
    return np.hstack((row[:9].reshape(3, 3), row[9:, None]))


def _movable(actor: Actor, goals: Sequence[Goal], request: Request) -> frozenset[str]:
    """The chains of all goals; what an actor hangs by on another stays as it is, or its base would move."""
    figure = actor.figure
    found = request.movable
    if found is None:
        joints = [spot.joint for spot in map(_spot, goals) if spot is not None]
        every = [chain(figure, joint, request.terms.extent) for joint in joints]
        whole = len(joints) < len(goals) or not every
        found = frozenset(dof.id for dof in figure.dofs) if whole else frozenset().union(*every)
    for each in actor.attachments:
        found = found - chain(figure, each.joint, "joint", up_to=figure.joints[0].id)
    return found


def _preference(terms: Terms, figure: Figure, base: Array) -> Preference:
    from engine.ik.problem import Preference

    if terms.preference == "comfort":
        return Preference(comfort=1.0, gain=terms.gain)
    if terms.preference == "nothing":
        return Preference()
    wanted = dict(zip(figure.coordinates, base.tolist(), strict=True)) if terms.preference == "as it was" else {}
    return Preference(rest=1.0, gain=terms.gain, rest_pose=wanted)


def _moved(figure: Figure, before: Array, after: Array) -> Values:
    """All degrees of freedom that moved."""
    moved = {
        figure.coordinate_dof[name].id
        for name, place in figure.coordinate_index.items()
        if before[place] != after[place]
    }
    return tuple(
        (name, float(after[place]))
        for name, place in figure.coordinate_index.items()
        if figure.coordinate_dof[name].id in moved
    )


def _told(
    actor: Actor, method: Method, report: Report, goals: Sequence[Goal], worlds: Array, tolerance: float
) -> Outcome:
    """The report as it holds of the picture: a lock has the last word, and may keep a spot from where it was led."""
    from engine.ik.solvers import SOLVERS

    names = {dof.id: f"{joint.name}, {dof.name}" for joint in actor.figure.joints for dof in joint.dofs}
    places = tuple(_stands(actor, worlds, spot) if (spot := _spot(goal)) else None for goal in goals)
    missed = tuple(_seen(each, goals[each.goal], places[each.goal], tolerance) for each in report.missed)
    if report.state == "reached" and not all(each.reached for each in missed):
        report = replace(report, state="nearest")
    active = tuple(names[dof] for _, dof in report.active)
    return Outcome(method, SOLVERS[method.solver].label, replace(report, missed=missed), places, active)


def _seen(missed: Missed, goal: Goal, place: Vector3 | None, tolerance: float) -> Missed:
    """What is missed of a goal where its spot came to stand."""
    if place is None or not isinstance(goal, PositionGoal):
        return missed
    by = math.dist(place, goal.target)
    return replace(missed, by=by, reached=by <= tolerance)


def _spot(goal: Goal) -> Spot | None:
    found = getattr(goal, "spot", None)
    return found if isinstance(found, Spot) else None


def _stands(actor: Actor, worlds: Array, spot: Spot) -> Vector3:
    """Where a spot stands [m]."""
    frame = worlds[actor.figure.joint_index[spot.joint]]
    x, y, z = (frame[:, :3] @ spot.point + frame[:, 3]).tolist()
    return (x, y, z)


def _standing(drag: _Drag, goals: Sequence[Goal]) -> tuple[Goal, ...]:
    """The same goals as they are met before the drag."""
    actor = drag.document.actor(drag.participant.actor)
    return tuple(
        replace(goal, target=_stands(actor, drag.worlds, goal.spot)) if isinstance(goal, PositionGoal) else goal
        for goal in goals
    )


def _way(before: Sequence[Goal], after: Sequence[Goal]) -> float:
    """How far the target that moved most has moved [m]."""
    ways = [
        math.dist(one.target, other.target)
        for one, other in zip(before, after, strict=True)
        if isinstance(one, PositionGoal) and isinstance(other, PositionGoal)
    ]
    return max(ways, default=math.inf)


def _form(goal: Goal) -> tuple[object, ...]:
    """What a problem is compiled for: all of a goal but its numbers."""
    return (type(goal).__name__, *(getattr(goal, each.name) for each in fields(goal) if each.name not in _MOVING))
