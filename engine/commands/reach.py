"""reach: the live job of drags: the pose in which spots of a figure stand where they are pulled to.

Requests of one drag go on from each other's answers, so that the figure does not leap; the first starts from the pose
that is seen. `engine.locks.drag` says what is held meanwhile and what may move. The answer carries the edit that poses
the figures (the result, never the request; what did not move is left out), as `engine.edits.poses.pose_edit` chooses
it. Where the goal moves by d, joints may turn by 5 degrees for each millimetre of d before that counts as another
branch. What is shown of that turn at once is less: `engine.locks.drag_turns`.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from engine.command import Command, CommandAnswer, Desk, Showing
from engine.document import Actor, Document, Figure
from engine.document.values import Vector3
from engine.edits import Edit
from engine.edits.poses import as_keyed, poses_edit
from engine.ik.goals import CentreGoal, Goal
from engine.ik.methods import Method
from engine.locks.drag import PROBLEMS_KEPT, Drag, Found, moved, stands
from engine.locks.drag_goals import spot_of
from engine.locks.request import Request
from engine.locks.standing import standing_of
from engine.runtime.bounded import Bounded
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.ik.constrained import ConstraintForce
    from engine.ik.problem import Problem
    from engine.ik.solver import Missed, Report
    from engine.maths.arrays import Array
    from engine.model.snapshot import Arrows, Bodies, Snapshot, SnapshotItem

_SAME_POSE = 1e-6
_ROUNDS = 40  # answers that one pose may take
_GAIN = 0.999  # of what was missed by the answer before: another one is computed while it misses less
FORCE_LENGTH = 3e-3  # [m/N] of an arrow


@dataclass(frozen=True, kw_only=True)
class PullHandle(Request, Command):
    """The command of each move of an IK drag."""

    @property
    def needs(self) -> tuple[str, ...]:
        """The purposes of the kernels that it uses."""
        usual = self.method.solver == Method().solver and self.compared is None
        return (*(() if usual else ("methods",)), *(("locks",) if self.held else ()))

    def show(self, desk: Desk, document: Document) -> Showing:
        """Solve it, a step each."""
        reached = None
        for reached in cast("Reach", desk.reach).answer(document, desk.time, self, skins=desk.skins):
            if reached is None:
                yield None
        assert reached is not None, "its last step is the answer"
        return CommandAnswer(reached.snapshot, reached.edit, reached=reached)


@dataclass(frozen=True, eq=False)
class HeldPart:
    """A part of an actor that is held, and the force that holds it."""

    actor: str
    joint: str | None  # None: its centre of mass
    force: ConstraintForce


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of one method for a request: its report, and what of it is shown by names."""

    method: Method
    label: str
    report: Report
    places: tuple[Vector3 | None, ...]  # where the spot of each goal came to stand [m]
    active: tuple[str, ...]  # degrees of freedom at a limit, with their joints' names
    holding: tuple[HeldPart, ...] = ()  # by constrained motion
    turns: bool = False  # whether joints turn further with the next answer, though no goal may ask for it


@dataclass(frozen=True, eq=False)
class Reached:
    """The answer to a request. The snapshot shows the edited document, and the second method's pose as a ghost."""

    request: PullHandle
    goals: tuple[Goal, ...]  # those of the request, then those of what is held
    edit: Edit
    snapshot: Snapshot
    outcome: Outcome
    compared: Outcome | None = None
    added: tuple[SnapshotItem, ...] = ()  # to the picture: the second method's ghost, forces of constraints


class Reach:
    """Answers requests. Keeps compiled problems and the present drag; used by the engine's thread alone."""

    def __init__(self, evaluator: Evaluation) -> None:
        self._evaluator = evaluator
        self._drag: Drag | None = None
        self._problems: Bounded[object, Problem] = Bounded(PROBLEMS_KEPT)

    def answer(
        self, document: Document, time: int, request: PullHandle, *, skins: bool = True
    ) -> Generator[Reached | None, None, None]:
        """The answer for the pose at a time [ticks], at which the picture is; each solve is a step of its own."""
        drag = self._begin(document, time if request.at is None else request.at, request)
        goals = (*request.goals, *drag.spots)
        outcome, change, edited = self._solve(drag, "first", goals, request, request.method)
        yield None
        second, ghost = None, None
        if request.compared is not None:
            second, _, other = self._solve(drag, "second", goals, request, request.compared)
            ghost = self._ghost(other, time, request.actor)
            yield None
        snapshot = self._evaluator.snapshot(edited, time, skins=skins)
        added = (*(() if ghost is None else (ghost,)), *_arrows(outcome))
        if added:
            snapshot = replace(snapshot, items=(*snapshot.items, *added))
        yield Reached(request, goals, change, snapshot, outcome, second, added)

    def settle(self, document: Document, time: int, request: PullHandle) -> Reached:
        """The answer once further ones would come no nearer: that of a library call or a command, not of a move."""
        before, reached = math.inf, None
        for _ in range(_ROUNDS):
            *_, reached = filter(None, self.answer(document, time, request, skins=False))
            report = reached.outcome.report
            missed = sum(each.by for each in report.missed)
            if report.state == "reached" or (report.state == "nearest" and missed > _GAIN * before):
                break
            before = missed
        assert reached is not None, "there is a first round"
        return reached

    def _begin(self, document: Document, time: int, request: Request) -> Drag:
        drag = self._drag
        if drag is None or (drag.id, drag.time) != (request.drag, time) or drag.document is not document:
            posed = standing_of(self._evaluator, document, request.actor, time)
            worlds = self._evaluator.joint_transforms(document, request.actor, time)
            drag = self._drag = Drag(document, time, request, posed, worlds)
        return drag

    def _solve(
        self, drag: Drag, slot: str, goals: tuple[Goal, ...], request: Request, method: Method
    ) -> tuple[Outcome, Edit, Document]:
        """Solve the goals by a method from its last pose; return the outcome, the edit to its pose, and the document so
        edited."""
        found = drag.solve(self._problems, slot, request, method)
        change = _edit_for(drag, found, request)
        edited = change.apply(drag.document)
        for member, pose in zip(drag.members, found.poses, strict=True):
            self._check_shown(edited.actor(member.actor.id), drag.time, pose)
        seen, worlds = self._evaluator.seen(_keyed(edited, drag), drag.actor, drag.time)
        poses = [seen[member.actor.id] for member in drag.members]
        return _outcome(drag, method, found, goals, poses, worlds), change, edited

    def _check_shown(self, actor: Actor, time: int, pose: Array) -> None:
        """Layers that are muted, added, weighed or recorded would show something else than what was solved."""
        shown = self._evaluator.motion(as_keyed(actor), float(time)).at(float(time))[0]
        if abs(shown - pose).max(initial=0.0) > _SAME_POSE:
            layer = actor.layer_for(time)
            name = layer.name or "the layer that keys go to" if layer is not None else "no layer"
            raise InvalidArguments(
                what=f"the pose of {actor.name}",
                value=f"not {name}'s to give at this time",
                allowed="a layer on top that replaces the pose in full; choose or add one in the Layers panel",
            )

    def _ghost(self, document: Document, time: int, actor: str) -> Bodies:
        alone = document.with_all_that_hold(actor)
        items = self._evaluator.snapshot(alone, time, skins=False).bodies
        return replace(next(item for item in items if item.owner == actor), role="ghost")


def _edit_for(drag: Drag, found: Found, request: Request) -> Edit:
    """The edit that poses all that moved: the actor that is pulled, and those that locks move with it."""
    poses = [
        (member.actor.id, moved(member.actor.figure, member.q, pose))
        for member, pose in zip(drag.members, found.poses, strict=True)
    ]
    poses.sort(key=lambda each: each[0] != drag.actor)
    keys = request.auto_key or request.at is not None
    return poses_edit(drag.document, drag.time, tuple(poses), auto_key=keys)


def _keyed(document: Document, drag: Drag) -> Document:
    """The document in which the figures of a drag stand where they are keyed: that is what is solved for."""
    for member in drag.members:
        actor = document.actor(member.actor.id)
        document = document.with_actor(as_keyed(actor)) if actor.swings else document
    return document


def _outcome(
    drag: Drag,
    method: Method,
    found: Found,
    goals: Sequence[Goal],
    poses: Sequence[Array],
    worlds: Array,
) -> Outcome:
    """The report as it holds of the picture: a lock has the last word, and may keep a spot from where it was led."""
    from engine.ik.solver import missed_in

    report = found.answer.report()
    figures = {member.actor.id: member.actor.figure for member in drag.members}
    missed = tuple(_worst(missed_in(found.problem, poses), len(goals)))
    reached = all(each.reached for each in missed)
    fell_short = report.state if report.state != "reached" else "nearest"
    report = replace(
        report,
        state="on the way" if found.turns else "reached" if reached else fell_short,
        missed=missed,
        iterations=found.iterations,
        evaluations=found.evaluations,
        seconds=found.seconds,
        branch_changed=found.branch_changed,
    )
    spots = [spot_of(goal) for goal in goals]
    places = tuple(
        stands(figures[drag.actor], worlds, spot) if spot is not None and spot.actor == drag.actor else None
        for spot in spots
    )
    active = tuple(_name_of(figures[actor], dof) for actor, dof in report.active)
    return Outcome(method, method.label, report, places, active, tuple(_holding(drag, found)), found.turns)


def _name_of(figure: Figure, dof: str) -> str:
    """The name of a degree of freedom, behind that of its joint."""
    return next(f"{joint.name}, {each.name}" for joint in figure.joints for each in joint.dofs if each.id == dof)


def _holding(drag: Drag, found: Found) -> Iterator[HeldPart]:
    """The forces of a drag's constraints, with what each holds."""
    for each in found.forces:
        goal = drag.held[each.goal]
        spot = spot_of(goal)
        centre = goal.actor if isinstance(goal, CentreGoal) else drag.actor
        yield HeldPart(spot.actor if spot else centre, spot.joint if spot else None, each)


def _arrows(outcome: Outcome) -> Iterator[Arrows]:
    """The forces of an outcome, as they are drawn."""
    import numpy as np

    from engine.model.snapshot import Arrows

    forces = [each.force for each in outcome.holding if each.joint is not None]
    if forces:
        starts = np.array([each.at for each in forces], dtype=np.float32)
        vectors = FORCE_LENGTH * np.array([each.force for each in forces], dtype=np.float32)
        yield Arrows(owner="drag", role="constraint", starts=starts, vectors=vectors)


def _worst(missed: Sequence[Missed], goals: int) -> Iterator[Missed]:
    """Find what each goal misses most, in metres and as a turn."""
    for goal in range(goals):
        for turn in (False, True):
            mine = [each for each in missed if each.goal == goal and each.turn == turn]
            if mine:
                yield max(mine, key=lambda each: (not each.reached, each.by))
