"""KeepMotion: a motion that a search has come to, made a layer of the actor.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.spacetime.queries.seen_motion import SeenMotion


@dataclass(frozen=True, kw_only=True)
class KeepMotion(AtOnce):
    """The command to keep an iterate or a result, in place of the one that was kept before."""

    actor: str
    id: str  # of a new layer
    motion: SeenMotion

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("keep_spacetime", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        layer = self.motion.compiled.layer(self.motion.planned, id=self.id)
        return edit("keep_spacetime", actor=self.actor, layer=layer)
