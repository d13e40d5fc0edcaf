"""The stage of bushings: they drive what physics simulates. Nothing is drawn of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.bushings.forces import BushingForces
from engine.bushings.parts import Bushing
from engine.bushings.uses import acting_bushings
from engine.document import Actor, Document
from engine.evaluation import Drive, Evaluation, Stage
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded

NAME = "bushings"
_KEPT = 16


class BushingDrive:
    """The bushings of one actor (`engine.evaluation.Drive`); used by one thread."""

    def __init__(self, forces: BushingForces) -> None:
        self._forces = forces

    def torques(self, time: float, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Give what they resist with at the end of a step, and by how much that falls, times dt."""
        return self._forces.ahead(np.ascontiguousarray(q), np.ascontiguousarray(qd), dt)


class BushingsStage(Stage):
    """Keeps compiled bushings between calls; used by one thread."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._compiled: Bounded[tuple[int, tuple[Bushing, ...]], BushingForces] = Bounded(_KEPT)

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of bushings, but where physics simulates it."""
        return False

    def compiled(self, actor: Actor) -> BushingForces | None:
        """The bushings of an actor that count; None where there are none."""
        acting = acting_bushings(actor)
        if not acting:
            return None
        model = self._evaluation.model(actor)
        found = self._compiled.get((id(model), acting))
        if found is None or found.model is not model:
            found = self._compiled.keep((id(model), acting), BushingForces(model, acting))
        return found

    def drive(self, document: Document, actor: str) -> Drive | None:
        """Give the bushings of an actor."""
        found = self.compiled(document.actor(actor))
        return None if found is None else BushingDrive(found)
