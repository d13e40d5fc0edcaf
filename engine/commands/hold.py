"""hold: the edit that lets one actor hang on another, its place worked out from where both stand at a time.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Attachment, Document, Span
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class Hold(AtOnce):
    """The command to attach a joint of one actor to a joint of another."""

    uses = ("locks",)

    id: str  # of the attachment
    actor: str
    joint: str
    target: str
    target_joint: str
    span: Span | None = None
    time: int  # tick of the pose that the place is taken from
    keep: bool = True  # stay where it stands then; else its middle goes to the middle of the target's body

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("attach_actor", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        from engine.maths.rotation_arrays import quaternion_of
        from engine.maths.transforms import joined, undone
        from engine.model.inertia import body_of

        worlds, bodies = [], []
        for actor, joint in ((self.actor, self.joint), (self.target, self.target_joint)):
            owner = document.actor(actor)
            body = owner.figure.joint(joint)
            worlds.append(evaluator.joint_transforms(document, actor, self.time)[owner.figure.joint_index[joint]])
            bodies.append(body_of(body))
        place = joined(undone(worlds[1]), worlds[0])
        if not self.keep:
            place[:, 3] = bodies[1].centre - place[:, :3] @ bodies[0].centre
        x, y, z = place[:, 3].tolist()
        attachment = Attachment(
            id=self.id,
            joint=self.joint,
            target=self.target,
            target_joint=self.target_joint,
            position=(x, y, z),
            rotation=quaternion_of(place),
            span=self.span,
        )
        return edit("attach_actor", actor=self.actor, attachment=attachment)
