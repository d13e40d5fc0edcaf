"""The stage of measured forces: they are drawn as arrows that begin where they act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.document import Actor, Document
from engine.document.ticks import TICKS_PER_SECOND
from engine.dynamics.measured import ActingForces, acting_at, wrenches_at
from engine.evaluation import Evaluation, MovingBodies, SceneState, Stage, Wrenches
from engine.maths.arrays import Array
from engine.measured_forces.uses import felt_by, forces_of
from engine.model.compile import ROW
from engine.model.kinematics import compute_forward_kinematics
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

    def push(self, document: Document, moving: MovingBodies) -> Wrenches:
        """Push those that feel what was measured on them."""
        middle, found = moving.time + 0.5 * moving.dt * TICKS_PER_SECOND, dict[str, Array]()
        for actor, frames in moving.frames.items():
            owner = document.actor(actor)
            felt = felt_by(owner)
            if felt is not None:
                found[actor] = wrenches_at(felt, owner.figure, middle, frames)
        return found

    def items(self, document: Document, time: int, scene: SceneState) -> Iterator[SnapshotItem]:
        """Give the arrows."""
        for actor in document.actors:
            if forces_of(actor) is None:
                continue
            found = _acting(actor, [time], self._frames(actor, scene)[None])
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

    def _frames(self, actor: Actor, scene: SceneState) -> Array:
        """World transforms of the joints in a picture, shape [joint_count, 3, 4]; 0 where no force is given in one."""
        model, measured = self._evaluation.model(actor), forces_of(actor)
        if measured is None or all(each.frame is None for each in measured.forces):
            return np.zeros((model.joint_count, 3, 4))
        member, state = scene.member(actor.id), model.new_state()
        state[:9], state[9:ROW] = member.base[:, :3].ravel(), member.base[:, 3]
        compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(member.q), state)
        rows = model.transforms(state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)

    def acting(self, document: Document, actor: str, times: Sequence[int]) -> ActingForces:
        """The forces on an actor at some times [ticks], in the world."""
        frames = np.array([self._evaluation.joint_transforms(document, actor, time) for time in times])
        return _acting(document.actor(actor), times, frames)


def _acting(actor: Actor, times: Sequence[int], frames: Array) -> ActingForces:
    measured = forces_of(actor)
    assert measured is not None, "an actor with measured forces"
    return acting_at(measured, actor.figure, times, frames[..., :3], frames[..., 3])
