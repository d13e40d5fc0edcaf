"""KeyframeHere: a soft body is to be at a time where it is then, from where a person moves the keyframe on.

Worked through in slices on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Blob, Document
from engine.document.drafts import without_drafts
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.goals import SoftKeyframe
from engine.soft.uses import soft_body

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class KeyframeHere(Gradual):
    """A keyframe where a body is at a time, from which a person moves it to where it should be."""

    uses = ("soft",)

    id: str  # of the new keyframe
    actor: str
    time: int  # [ticks]
    whole: bool = False  # with its shape, and standing still; else its centre alone

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("put_soft_keyframe", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit; yields the share that is done."""
        from engine.soft.stage import SoftStage

        owner, stage = document.actor(self.actor), evaluator.stage("soft")
        body = soft_body(owner)
        if body is None or not isinstance(stage, SoftStage):
            raise NothingThere(f"{owner.name} is no soft body", remedy="Make it soft first, in the Soft body panel")
        stepped = stage.stepped(without_drafts(document), self.actor)
        yield from stepped.reach(self.time)
        member, points = stepped.scene.member(self.actor), stepped.of(stepped.scene.member(self.actor), self.time)
        centre = member.masses @ points / member.masses.sum()
        x, y, z = centre.tolist()
        keyframe = SoftKeyframe(
            id=self.id,
            time=self.time,
            position=(x, y, z),
            shape=Blob(points - centre) if self.whole else None,
            velocity=(0.0, 0.0, 0.0) if self.whole else None,
        )
        return edit("put_soft_keyframe", actor=self.actor, keyframe=keyframe)
