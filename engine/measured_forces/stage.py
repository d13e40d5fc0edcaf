"""The stage of measured forces: they are drawn as arrows that begin where they act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.document import Actor, Document
from engine.dynamics.measured import ActingForces, acting_at
from engine.evaluation import Evaluation, SceneState, Stage
from engine.maths.arrays import Array
from engine.measured_forces.uses import forces_of
from engine.model.snapshot import Arrows, SnapshotItem

NAME = "measured_forces"
LENGTH = 1e-3  # [m/N] of an arrow
LEAST = 5.0  # [N] that are drawn


class MeasuredForcesStage(Stage):
    """Keeps nothing; used by one thread."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell that no actor's coordinates are others because of what was measured."""
        return False

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the arrows."""
        for actor in document.actors:
            if forces_of(actor) is None:
                continue
            joints = [scene.frames[actor.id, joint.id] for joint in actor.figure.joints]
            found = _acting(actor, [time], np.array(joints).reshape(1, -1, 3, 4))
            force, point = found.forces[0], found.points[0]
            seen = np.linalg.norm(force, axis=1) >= LEAST
            if seen.any():
                yield Arrows(
                    owner=actor.id,
                    role="measured",
                    starts=point[seen].astype(np.float32),
                    vectors=(LENGTH * force[seen]).astype(np.float32),
                    visible=actor.visible,
                )

    def acting(self, document: Document, actor: str, times: Sequence[int]) -> ActingForces:
        """The forces on an actor at some times [ticks], in the world."""
        frames = np.array([self._evaluation.joint_transforms(document, actor, time) for time in times])
        return _acting(document.actor(actor), times, frames)


def _acting(actor: Actor, times: Sequence[int], frames: Array) -> ActingForces:
    measured = forces_of(actor)
    assert measured is not None, "an actor with measured forces"
    return acting_at(measured, actor.figure, times, frames[..., :3], frames[..., 3])
