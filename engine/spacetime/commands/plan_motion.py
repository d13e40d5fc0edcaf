"""PlanMotion: a problem to begin with, from the pose at a time, or from the poses at two times.

The figure begins at rest as it is posed; every joint that turns has a muscle, and what has none flies. With a second
time it ends there, at rest, as it is posed then. A root that stands on the ground is nailed meanwhile; feet that do,
and stay, are held by it. Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Figure
from engine.document.feet import feet_of
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3, vector3
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.commands.constrain_here import pose_at
from engine.spacetime.parts import Spacetime, SpacetimeConstraint, SpacetimeContact, SpacetimeMuscle, SpacetimeStage
from engine.spacetime.queries.drivable import drivable

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

LENGTH = 0.4  # [s] of the stage where no second time says how long it is
PIECE, PIECE_IN_SPACE = 0.05, 0.075  # [s], about as long as a piece is
SOLE = 0.1  # [m] above the ground, up to which heel and ball of a foot are that stands
STANDS = 0.03  # [m] above the ground, up to which what stands on it stands
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
        nailed = self._is_on_the_ground(evaluator, document)
        times = (self.time,) if self.until is None else (self.time, self.until)
        stage = SpacetimeStage(
            id=self.stage,
            name="Stage 1",
            pieces=min(200, max(4, round(length / (PIECE if plane is not None else PIECE_IN_SPACE)))),
            length=length,
            nailed=nailed,
            contacts=() if nailed else standing_feet(evaluator, document, self.actor, times),
        )
        poses = [self._pose(evaluator, document, self.begin, "Begin", self.time, 0.0)]
        if self.until is not None:
            poses.append(self._pose(evaluator, document, self.end, "End", self.until, 1.0))
        made = Spacetime(
            start=self.time,
            plane=plane,
            stages=(stage,),
            muscles=tuple(SpacetimeMuscle(dof=dof) for dof in turning),
            constraints=tuple(poses),
        )
        return edit("put_spacetime", actor=self.actor, spacetime=made)

    def _pose(
        self, evaluator: Evaluation, document: Document, id: str, name: str, time: int, at: float
    ) -> SpacetimeConstraint:
        values = pose_at(evaluator, document, self.actor, time)
        rates = tuple((dof, 0.0) for dof, _ in values)
        return SpacetimeConstraint(id=id, name=name, stage=self.stage, at=at, values=values, rates=rates)

    def _is_on_the_ground(self, evaluator: Evaluation, document: Document) -> bool:
        frames = evaluator.joint_transforms(document, self.actor, self.time)
        return bool(document.actor(self.actor).figure.joints[0].dofs) and abs(float(frames[0, 1, 3])) <= STANDS


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


def standing_feet(
    evaluator: Evaluation, document: Document, actor: str, times: tuple[int, ...]
) -> tuple[SpacetimeContact, ...]:
    """Heels and balls of the feet that stand on the ground, at the same place at all of some times."""
    import numpy as np

    figure, found = document.actor(actor).figure, list[SpacetimeContact]()
    frames = np.array([evaluator.joint_transforms(document, actor, each) for each in times])
    for foot in feet_of(figure):
        mine = frames[:, figure.joint_index[foot.handle.joint]]
        places = np.einsum("tij,pj->tpi", mine[:, :, :3], (foot.heel, foot.ball)) + mine[:, None, :, 3]
        if np.ptp(places, axis=0).max() < STANDS and abs(places[..., 1]).max() < SOLE:
            under = places[0] * (1.0, 0.0, 1.0)  # the sole, below them
            for each in (under - mine[0, :, 3]) @ mine[0, :, :3]:
                point = vector3("a contact", (each.round(4) + 0.0).tolist())
                found.append(SpacetimeContact(joint=foot.handle.joint, point=point))
    return tuple(found)
