"""AttachSoft: points of a soft body held in the frame of a joint, where they are at a time.

Importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Blob, Document, Span
from engine.document.drafts import without_drafts
from engine.document.ticks import TICKS_LIMIT
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import SoftAttachment
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array, BoolArray


@dataclass(frozen=True, kw_only=True)
class AttachSoft(AtOnce):
    """Some points of a soft body, or those within a reach of a place, held by a joint of another actor: always, or from
    that time on, where the body has begun to move by then."""

    uses = ("soft",)

    id: str  # of the new attachment
    actor: str
    target: str
    joint: str
    time: int  # [ticks]
    points: tuple[int, ...] | None = None  # of the mesh; None: by `reach`
    place: Vector3 | None = None  # [m] in the world; None: the joint's origin
    reach: float = 0.1  # [m] from the place
    hold: str = "hard"
    tension: float = 8.0  # [Hz] of springs

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("attach_soft_body", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        import numpy as np

        from engine.soft.stage import SoftStage

        owner, stage = document.actor(self.actor), evaluator.stage("soft")
        body = soft_body(owner)
        if body is None or not isinstance(stage, SoftStage):
            raise NothingThere(f"{owner.name} is no soft body", remedy="Make it soft first, in the Soft body panel")
        simulation = stage.stepped(without_drafts(document), self.actor)
        shape = simulation.points(self.time)[simulation.scene.member(self.actor).points]
        figure = document.actor(self.target).figure
        frame = evaluator.joint_transforms(document, self.target, self.time)[figure.joint_index[self.joint]]
        chosen = np.flatnonzero(self._meant(shape, frame[:, 3])).astype(np.int32)
        if not len(chosen):
            allowed = "one or more: a larger reach, or another place"
            raise InvalidArguments(what=f"the points of {owner.name} to hold", value=0, allowed=allowed)
        held = SoftAttachment(
            id=self.id,
            points=Blob(chosen),
            places=Blob((shape[chosen] - frame[:, 3]) @ frame[:, :3]),
            target=self.target,
            joint=self.joint,
            hold=self.hold,
            tension=self.tension,
            span=Span(start=self.time, end=TICKS_LIMIT) if self.time > body.start else None,
        )
        return edit("attach_soft_body", actor=self.actor, attachment=held)

    def _meant(self, shape: Array, origin: Array) -> BoolArray:
        import numpy as np

        if self.points is not None:
            found = np.zeros(len(shape), dtype=np.bool_)
            if not all(0 <= each < len(shape) for each in self.points):
                allowed = f"0 to {len(shape) - 1}"
                raise InvalidArguments(what="the points to hold", value=self.points, allowed=allowed)
            found[list(self.points)] = True
            return found
        place = origin if self.place is None else np.array(self.place)
        return np.asarray(np.linalg.norm(shape - place, axis=1) <= self.reach)
