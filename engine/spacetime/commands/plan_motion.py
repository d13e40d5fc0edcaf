"""PlanMotion: a problem to begin with, from the pose at a time, or from the poses at two times.

The figure begins at rest as it is posed; every joint that turns has a muscle, and what has none flies. With a second
time it ends there, at rest, as it is posed then. A root that stands on the ground is nailed meanwhile; feet that do,
and stay, are held by it. Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Figure
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.commands.constrain_here import pose_at
from engine.spacetime.commands.standing import planned_stages
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeMuscle
from engine.spacetime.queries.drivable import drivable

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

LENGTH = 0.4  # [s] of the stage where no second time says how long it is
PIECE, PIECE_IN_SPACE = 0.05, 0.075  # [s], about as long as a piece is
PLANES: tuple[Vector3, ...] = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class PlanMotion(AtOnce):
    """The command to give an actor a problem."""

    actor: str
    stage: str  # ids of what is made
    begin: str
    end: str
    time: int  # [ticks] at which it begins
    until: int | None = None  # at which it ends, as it is posed then
    apart: int = 0  # [ticks] before and after, within which what moves does not stand

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("put_spacetime", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        owner, figure = document.actor(self.actor), document.actor(self.actor).figure
        plane = plane_of(figure)
        turning = drivable(figure, plane)
        if not turning and not figure.joints[0].dofs:
            remedy = "Give it bones with joints that turn (Figure > Edit figure)"
            raise NothingThere(f"{owner.name} has no joint that a muscle could turn", remedy=remedy)
        length = LENGTH if self.until is None else (self.until - self.time) / TICKS_PER_SECOND
        times = (self.time,) if self.until is None else (self.time, self.until)
        pieces = min(200, max(4, round(length / (PIECE if plane is not None else PIECE_IN_SPACE))))
        stages = planned_stages(
            evaluator, document, self.actor, times, id=self.stage, pieces=pieces, length=length, apart=self.apart
        )
        poses = [self._pose(evaluator, document, self.begin, "Begin", self.time, stages[0].id, 0.0)]
        if self.until is not None:
            poses.append(self._pose(evaluator, document, self.end, "End", self.until, stages[-1].id, 1.0))
        made = Spacetime(
            start=self.time,
            plane=plane,
            stages=stages,
            whole=length if len(stages) > 1 else 0.0,
            muscles=tuple(SpacetimeMuscle(dof=dof) for dof in turning),
            constraints=tuple(poses),
        )
        return edit("put_spacetime", actor=self.actor, spacetime=made)

    def _pose(
        self, evaluator: Evaluation, document: Document, id: str, name: str, time: int, stage: str, at: float
    ) -> SpacetimeConstraint:
        values = pose_at(evaluator, document, self.actor, time)
        rates = tuple((dof, 0.0) for dof, _ in values)
        return SpacetimeConstraint(id=id, name=name, stage=stage, at=at, values=values, rates=rates)


def plane_of(figure: Figure) -> Vector3 | None:
    """Normal of the plane in which a figure moves most freely: with its root, and with joints that turn no other way;
    the first of those alike. None, for space, where its hinges have several axes and no plane has them all, or its root
    turns like a ball."""
    from engine.spacetime.planes import figure_plane

    def freedom(normal: Vector3) -> float:
        joints = (figure.dof_joint[each.dof.id] for each in figure_plane(figure, normal).freedoms)
        return sum(1.0 if each.parent is None else 1.0 / len(each.dofs) for each in joints)

    found = max(PLANES, key=freedom)
    has_ball = any(dof.kind == "ball" for dof in figure.dofs)
    return None if has_ball or len(drivable(figure, None)) > len(drivable(figure, found)) else found
