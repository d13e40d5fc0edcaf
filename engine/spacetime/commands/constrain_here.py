"""ConstrainPose, ConstrainPoint: "be here then", of a figure as it is posed at a time, or of one point of it.

Read off the figure as it is seen. Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3, vector3
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import SpacetimeConstraint
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

APART = TICKS_PER_SECOND // 240  # before and after, between which a velocity is measured
Pairs = tuple[tuple[str, float], ...]


def pose_at(evaluator: Evaluation, document: Document, actor: str, time: int) -> Pairs:
    """Values of an actor's degrees of freedom as it is seen at a time: of balls, all four of their coordinates."""
    from engine.model.compile import ROW

    row = evaluator.rows(document, time)[actor][ROW:]
    return tuple(zip(document.actor(actor).figure.coordinates, row.tolist(), strict=True))


def point_at(
    evaluator: Evaluation, document: Document, actor: str, joint: str, point: Vector3, time: int, velocity: bool
) -> Vector3:
    """Where a point of a joint's body is seen in the world, or its velocity there."""
    import numpy as np

    index, places = document.actor(actor).figure.joint_index[joint], []
    for each in (time - APART, time + APART) if velocity else (time,):
        frame = evaluator.joint_transforms(document, actor, each)[index]
        places.append(frame[:, :3] @ np.array(point) + frame[:, 3])
    if not velocity:
        return vector3("a place", places[0].tolist())
    return vector3("a velocity", ((places[1] - places[0]) * (TICKS_PER_SECOND / (2.0 * APART))).tolist())


@dataclass(frozen=True, kw_only=True)
class ConstrainPose(AtOnce):
    """The command to have the figure, at a share of a stage, as it is posed at a time."""

    id: str  # of the new constraint
    name: str
    actor: str
    stage: str
    at: float
    time: int  # [ticks] at which the pose is taken
    rests: bool = False  # whether it is to be at rest then
    dofs: tuple[str, ...] | None = None  # the degrees of freedom that are meant; None: all

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Be here then"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        every = pose_at(evaluator, document, self.actor, self.time)
        of = document.actor(self.actor).figure.coordinate_dof
        values = tuple((name, value) for name, value in every if self.dofs is None or of[name].id in self.dofs)
        made = SpacetimeConstraint(
            id=self.id,
            name=self.name,
            stage=self.stage,
            at=self.at,
            values=values,
            rates=tuple((dof, 0.0) for dof, _ in values) if self.rests else (),
        )
        return edit("put_spacetime_constraint", actor=self.actor, constraint=made)


@dataclass(frozen=True, kw_only=True)
class ConstrainPoint(AtOnce):
    """The command to have a point of a joint's body, at a share of a stage, where it is seen at a time, or as fast."""

    id: str  # of the new constraint
    name: str
    actor: str
    joint: str
    point: Vector3
    stage: str
    at: float
    time: int  # [ticks] at which it is looked at
    velocity: bool = False

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "This fast then" if self.velocity else "This point here then"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        found = point_at(evaluator, document, self.actor, self.joint, self.point, self.time, self.velocity)
        made = SpacetimeConstraint(
            id=self.id,
            name=self.name,
            stage=self.stage,
            at=self.at,
            quantity="point_velocity" if self.velocity else "point",
            joint=self.joint,
            point=self.point,
            position=found,
        )
        return edit("put_spacetime_constraint", actor=self.actor, constraint=made)


@dataclass(frozen=True, kw_only=True)
class ConstrainCentre(AtOnce):
    """The command to have the centre of mass, at a share of a stage, where it is seen at a time."""

    id: str  # of the new constraint
    name: str
    actor: str
    stage: str
    at: float
    time: int  # [ticks] at which it is looked at

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Centre of mass here then"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        centre = evaluator.centre_of_mass(document, self.actor, self.time).tolist()
        made = SpacetimeConstraint(
            id=self.id, name=self.name, stage=self.stage, at=self.at, quantity="centre",
            position=vector3("a place", centre),
        )  # fmt: skip
        return edit("put_spacetime_constraint", actor=self.actor, constraint=made)


@dataclass(frozen=True, kw_only=True)
class TakeAgain(AtOnce):
    """The command to have a constraint demand what is seen at a time: the pose, the place or the velocity."""

    actor: str
    constraint: str
    time: int  # [ticks]

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Take the constraint from here"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        plan = spacetime_of(document.actor(self.actor))
        if plan is None:
            raise NothingThere("No motion is planned", remedy="Plan one first, in the Spacetime panel")
        old = plan.constraint(self.constraint)
        if old.quantity == "pose":
            dofs = {dof for dof, _ in (*old.values, *old.rates)}
            values = tuple(
                each for each in pose_at(evaluator, document, self.actor, self.time) if not dofs or each[0] in dofs
            )
            new = replace(old, values=values)
        elif old.joint is None:
            centre = evaluator.centre_of_mass(document, self.actor, self.time).tolist()
            new = replace(old, position=vector3("a place", centre), least=None, most=None)
        else:
            found = point_at(
                evaluator, document, self.actor, old.joint, old.point, self.time, old.quantity == "point_velocity"
            )
            new = replace(old, position=found, least=None, most=None)
        return edit("put_spacetime_constraint", actor=self.actor, constraint=new)
