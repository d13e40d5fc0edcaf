"""AimSpot: a target for a point of an actor that a joint of another one carries, such as the tip of a soft hat.

The target is of the actor that carries it, whose keys are corrected: the point counts as an end effector fixed to the
joint. What carries it and where it is now is asked of the evaluation. Importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Target
from engine.document.values import Vector3, vector3
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class AimSpot(AtOnce):
    """The command to set a target for a point that is carried: where it is at a time, or at a place."""

    uses = ("secondary", "targets")

    id: str  # of the new target
    actor: str  # whose point it is
    spot: int  # which of what is drawn of it
    time: int  # [ticks]
    position: Vector3 | None = None  # [m] in the world; None: where the point is seen
    speed: Vector3 | None = None  # [m/s] that is wanted, too

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("add_targets", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        carrier = evaluator.carrier(document, self.actor, self.spot, self.time)
        position = self.position
        if position is None:
            (place,) = evaluator.places(document, self.actor, self.spot, (self.time,))
            position = vector3("the place of a target", place.tolist())
        target = Target(
            id=self.id,
            kind="point",
            time=self.time,
            joint=carrier.joint,
            point=carrier.point,
            position=position,
            carried=self.actor,
            spot=self.spot,
            velocity=self.speed is not None,
            speed=self.speed,
        )
        return edit("add_targets", actor=carrier.actor, targets=(target,))
