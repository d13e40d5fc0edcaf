"""BakeSwing: the secondary motion of an actor as samples of its own, on the frames that are played.

What is seen at a frame, with the correction that meets targets and with locks, is what the layer holds there, number
for number; secondary motion is then off, its gains and targets stay for when it is switched on again. Locks go on
having the last word, over a motion that keeps them already. Before and after what is played the keys show. Frames are
those of the document: where what is played begins or ends between two of them, the one beyond is the first or last.

Worked through in slices on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.sampling import sample_played

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class BakeSwing(Gradual):
    """The command to bake an actor's secondary motion into a layer of its own."""

    uses = ("secondary",)

    id: str  # of the new layer
    actor: str

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("bake_secondary", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """The edit that does it; yields the share that is done."""
        owner = document.actor(self.actor)
        if not owner.swings:
            remedy = "Switch it on in the Secondary motion panel, then bake"
            raise NothingThere(f"{owner.name} has no secondary motion to bake", remedy=remedy)
        samples = yield from sample_played(evaluator, document, self.actor)
        return edit("bake_secondary", actor=self.actor, id=self.id, samples=samples)
