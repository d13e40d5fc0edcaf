"""KeepMotion: a motion that a search has come to, made a layer of the actor; its torques, which physics may play back.

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
    curves: str  # id of the torques
    motion: SeenMotion

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("keep_spacetime", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        made, planned = self.motion.compiled, self.motion.planned
        layer, curves = made.layer(planned, id=self.id), made.curves(planned, id=self.curves)
        lengths = made.lengths(planned)
        return edit("keep_spacetime", actor=self.actor, layer=layer, curves=curves, lengths=lengths)
