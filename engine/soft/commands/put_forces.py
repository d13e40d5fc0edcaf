"""PutForces: nodal forces on all points of a soft body, or on those near one that was clicked, for a plan to choose.

Importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Blob, Document
from engine.document.drafts import without_drafts
from engine.edits import Edit, edit
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.nodal import NodalForces
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import IntArray
    from engine.soft.members import SoftMember

WEIGHTS = 4.0  # of the whole body, that all of the forces may push with along an axis


@dataclass(frozen=True, kw_only=True)
class PutForces(AtOnce):
    """Forces that do nothing yet, as strong as a few times the weight of the body, all together."""

    uses = ("soft",)

    id: str  # of the new forces
    actor: str
    spot: int | None = None  # vertex of what is drawn of the body, or a point of a body without a surface; None: all
    reach: float = 0.1  # [m] from there, at rest
    strongest: float | None = None  # [N]; None: by the weight

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("put_nodal_forces", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        import numpy as np

        from engine.soft.stage import SoftStage

        owner, stage = document.actor(self.actor), evaluator.stage("soft")
        body = soft_body(owner)
        if body is None or not isinstance(stage, SoftStage):
            raise NothingThere(f"{owner.name} is no soft body", remedy="Make it soft first, in the Soft body panel")
        member = stage.stepped(without_drafts(document), self.actor).scene.member(self.actor)
        points = np.arange(body.point_count, dtype=np.int32) if self.spot is None else self._near(member, self.spot)
        strongest = self.strongest
        if strongest is None:
            gravity = (document.part(PhysicsWorld) or PhysicsWorld()).gravity or 9.81
            strongest = float(f"{WEIGHTS * member.masses.sum() * gravity / len(points):.2g}")
        named = "all points" if self.spot is None else "one point" if len(points) == 1 else f"{len(points):,} points"
        forces = NodalForces(id=self.id, name=f"Forces on {named}", points=Blob(points), strongest=strongest)
        return edit("put_nodal_forces", actor=self.actor, forces=forces)

    def _near(self, member: SoftMember, spot: int) -> IntArray:
        import numpy as np

        rest = member.mesh.points
        drawn = member.body.positions.array if len(member.body_of_vertex) else rest
        if not 0 <= spot < len(drawn):
            allowed = f"0 to {len(drawn) - 1}: click it anew"
            raise InvalidArguments(what=f"the point of {member.actor.name}", value=spot, allowed=allowed)
        away = np.linalg.norm(rest - drawn[spot], axis=1)
        found = np.flatnonzero(away <= max(self.reach, float(away.min()))).astype(np.int32)
        return found
