"""BakePhysics: the simulated motion of an actor as samples of its own, on the frames that are played.

What is seen at a frame is what the layer holds there, number for number; the actor is then an obstacle. Frames are
those of the document: where what is played begins or ends between two of them, the one beyond is the first or last.

Worked through in slices on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Document
from engine.edits import Edit, edit
from engine.physics.uses import is_simulated
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.sampling import sample_played

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class BakePhysics(Gradual):
    """The simulated motion of an actor, made its own."""

    uses = ("dynamics",)

    id: str  # of the new layer
    actor: str

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("bake_physics", actor=self.actor).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit; yields the share that is done."""
        owner = document.actor(self.actor)
        if not is_simulated(owner):
            remedy = "Let physics simulate it first, in the Physics panel"
            raise NothingThere(f"{owner.name} is not simulated", remedy=remedy)
        samples = yield from sample_played(evaluator, document, self.actor)
        return edit("bake_physics", actor=self.actor, id=self.id, samples=samples)
