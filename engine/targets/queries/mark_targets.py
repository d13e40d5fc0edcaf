"""MarkTargets: the targets of an actor as markers in the world: where each is wanted, and where the body is seen then.

A point stands where it is wanted. A pose has the place of one joint in it, the chosen one; a turn stands where its
joint is seen, with the axes that are wanted, or as they are seen where its velocity alone is. What is seen is the end
of the stack at the target's own time, whatever time is shown (DESIGN 3.3), so that a marker is known to be met before
anyone goes there.

The targets nearest to the present come first, and no more than `MOST` of them: keys may all be targets.
Runs on the engine's thread in slices; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from engine.document import Actor, Document, Target
from engine.document.drafts import without_drafts
from engine.document.target_times import placed_targets
from engine.document.values import Quaternion, Vector3
from engine.runtime.amounts import amount_text
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.targets.actor_targets import ActorTargets
    from engine.targets.equations import Residual, TimedGoal

MOST = 64
SLICE = 0.004  # [s] of a step
SEEN = {"m": 1e-4, "rad": 1e-4, "m/s": 1e-2, "rad/s": 1e-2}  # from which something is missed


@dataclass(frozen=True, kw_only=True)
class TargetMark:
    """A target at one time, and how near the body comes to it."""

    owner: str  # id of the actor
    target: str  # id of the target; several marks have that of one that stands for many
    kind: Literal["pose", "point", "turn"]
    time: int  # [ticks]
    own: bool  # whether that is a time of its own, not one of keys or of so many frames
    name: str
    part: str  # id of the joint that it is about, or that stands for a pose
    place: Vector3  # [m] in the world, where it is wanted
    at: Vector3  # [m] where that spot is seen then
    rotation: Quaternion | None = None  # that is wanted, of a turn; as it is seen where its velocity alone is wanted
    missed: str = ""  # by how much; empty where it is met

    @property
    def id(self) -> str:
        """The id of the marker."""
        return f"{self.target}@{self.time}"


@dataclass(frozen=True, eq=False)
class TargetsMarked:
    """The target markers of one document."""

    document: Document
    actor: str
    marks: tuple[TargetMark, ...]  # in order of time
    whole: bool  # else only those nearest to the present


def mark_targets(
    evaluator: Evaluation,
    document: Document,
    actor: str,
    time: int,
    *,
    joint: str | None = None,
    clock: Callable[[], float] = perf_counter,
) -> Generator[TargetsMarked | None, None, None]:
    """The marks of the targets of an actor that are on, those nearest to a time [ticks]; a pose has the place of a
    joint, or (None) of the root. None between steps."""
    owner = document.actor(actor)
    placed = placed_targets(owner, document.rate) if owner.swings and owner.visible else ()
    if not placed:
        yield TargetsMarked(document, actor, (), True)
        return
    marking = _Marking(evaluator, document, owner, joint)
    began, marks = clock(), []
    for target in sorted(placed, key=lambda each: (abs(each.time - time), each.time))[:MOST]:
        mark = marking.mark(target)
        if mark is not None:
            marks.append(mark)
        if clock() - began >= SLICE:
            yield None
            began = clock()
    yield TargetsMarked(document, actor, tuple(sorted(marks, key=lambda each: each.time)), len(placed) <= MOST)


class _Marking:
    """The markers of one actor's targets, while they are worked out."""

    def __init__(self, evaluator: Evaluation, document: Document, owner: Actor, joint: str | None) -> None:
        from engine.targets.actor_targets import (
            EquationCompiler,
            compile_targets,
            correction_layer,
            needed_by,
            spots_of,
        )

        assert owner.secondary is not None, "it has targets"
        self._evaluator, self._owner = evaluator, owner
        self._joint = joint if joint in owner.figure.joint_index else None
        self._seen_in = without_drafts(needed_by(document, owner))
        layer = correction_layer(owner)  # left out whatever becomes of it: what is wanted does not depend on it
        layers = tuple(replace(each, correction=None) if each is layer else each for each in owner.layers)
        bare = replace(owner, layers=layers, secondary=replace(owner.secondary, targets=()))
        aimed = compile_targets(evaluator, document.with_actor(bare), owner.id, bare=True)
        self._aimed: ActorTargets = replace(aimed, spots=spots_of(placed_targets(owner, document.rate)))
        current = replace(self._aimed.actor, secondary=owner.secondary)
        self._wants = EquationCompiler(current, self._aimed.kino, self._aimed.keyed)
        self._listed = frozenset(each.id for each in owner.secondary.targets)

    def mark(self, target: Target) -> TargetMark | None:
        """Build the marker of a target; None where nothing is known of it, which meeting the targets explains."""
        from engine.targets.equations import TimedGoal

        kind = target.kind
        if kind == "wish":
            return None
        try:
            goal = TimedGoal(id=target.id, bell=target.bell_at(target.time), equations=self._wants.of(target))
            q = self._aimed.seen(self._evaluator, self._seen_in, goal).q
            residuals = self._aimed.residuals(self._evaluator, self._seen_in, goal)
        except EngineError:
            return None
        about = target.joint or self._stand_in(target)
        at = self._spot(target) if target.id in self._aimed.spots else self._place(q, about, target.point)
        wanted, rotation = self._wanted(goal, target, about)
        if kind == "turn" and rotation is None:
            rotation = self._turn(q, about)
        own = target.id in self._listed
        return TargetMark(
            owner=self._owner.id,
            target=target.id if own else target.id.rpartition("@")[0],
            kind=kind,
            time=target.time,
            own=own,
            name=_name(self._seen_in, self._owner, target),
            part=about,
            place=wanted or at,
            at=at,
            rotation=rotation,
            missed=_missed(residuals),
        )

    def _spot(self, target: Target) -> Vector3:
        """The place of a point of another actor that is carried, as it is seen."""
        actor, spot = self._aimed.spots[target.id]
        x, y, z = self._evaluator.places(self._seen_in, actor, spot, (target.time,))[0].tolist()
        return (x, y, z)

    def _stand_in(self, target: Target) -> str:
        """The joint at whose place a pose is shown."""
        about = target.joints or (self._owner.figure.joints[0].id,)
        return self._joint if self._joint is not None else about[0]

    def _wanted(self, goal: TimedGoal, target: Target, about: str) -> tuple[Vector3 | None, Quaternion | None]:
        """Find the wanted place of a marker and the wanted orientation; None where it stands as it is seen."""
        from engine.targets.equations import PointEquation, PoseEquation, TurnEquation

        for equation in goal.equations:
            if isinstance(equation, PointEquation):
                return equation.position, None
            if isinstance(equation, TurnEquation):
                return None, equation.rotation
            if isinstance(equation, PoseEquation):
                return self._place(equation.q, about, target.point), None
        return None, None

    def _place(self, q: Array, joint: str, point: Vector3) -> Vector3:
        from engine.targets.equations import find_point

        model = self._aimed.kino.mechanics.model
        number = model.figure.joint_index[joint]
        x, y, z = find_point(model, q, number, point, self._aimed.workspace).tolist()
        return (x, y, z)

    def _turn(self, q: Array, joint: str) -> Quaternion:
        from engine.maths.rotation_arrays import quaternion_of

        self._place(q, joint, (0.0, 0.0, 0.0))
        model = self._aimed.kino.mechanics.model
        frames = model.transforms(self._aimed.workspace)[model.figure.joint_index[joint], :9]
        return quaternion_of(frames.reshape(3, 3))


def spot_name(owner: Actor, joint: str) -> str:
    """Name the spot at a joint: by the handle there, else by the joint."""
    handles = [each.name for each in owner.figure.handles if each.joint == joint]
    return handles[0] if len(handles) == 1 else owner.figure.joint(joint).name


def _name(document: Document, owner: Actor, target: Target) -> str:
    """Name a target by its spot; one of a pose, "Pose"."""
    if target.joint is None:
        return "Pose"
    if target.carried is not None and target.carried in document.actor_index:
        return document.actor(target.carried).name
    name = spot_name(owner, target.joint)
    return f"{name}, turn" if target.kind == "turn" else name


def _missed(residuals: tuple[Residual, ...]) -> str:
    amounts = [
        amount_text(residual.size, residual.unit) for residual in residuals if residual.size > SEEN[residual.unit]
    ]
    return f"missed by {' and '.join(amounts)}" if amounts else ""
