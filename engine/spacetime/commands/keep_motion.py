"""KeepMotion: a motion that a search has come to, made a layer of the actor; its torques, which physics may play back.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document
from engine.edits import Edit, both, edit
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
    """With those of the actors that it meets, which are kept as well: what is new of them has these ids with a number
    behind."""

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("keep_spacetime", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        return reduce(both, (kept(motion, id=id, curves=curves) for motion, id, curves in self.made()))

    def made(self) -> Iterator[tuple[SeenMotion, str, str]]:
        """Go through the motions that are kept, each with the ids of its layer and of its torques."""
        yield self.motion, self.id, self.curves
        for number, each in enumerate(self.motion.others, start=2):
            yield each, f"{self.id}_{number}", f"{self.curves}_{number}"


def kept(motion: SeenMotion, *, id: str, curves: str) -> Edit:
    """Make the edit that keeps the motion of one actor."""
    made, planned = motion.compiled, motion.planned
    layer, torques = made.layer(planned, id=id), made.curves(planned, id=curves)
    return edit("keep_spacetime", actor=motion.actor, layer=layer, curves=torques, lengths=made.lengths(planned))
