"""lock_here and bake_locks: edits of pins that are worked out from poses.

Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Lock, Span
from engine.document.lock import Axis, Held
from engine.document.values import Vector3, vector3
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.sampling import sampled

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class LockHere(AtOnce):
    """The command to pin a part where it stands at a time, in the world or on a joint of an actor."""

    uses = ("locks",)

    id: str  # of the lock
    name: str
    actor: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    held: Held = "point"
    axes: tuple[Axis, ...] = ()
    normal: Vector3 = (0.0, 1.0, 0.0)  # of a plane, or along a line, in the world
    target: str | None = None
    target_joint: str | None = None
    shared: bool = False
    span: Span | None = None
    time: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Pin {self.name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        import numpy as np

        from engine.maths.rotation_arrays import quaternion_of
        from engine.maths.transforms import joined, undone

        owner = document.actor(self.actor)
        owner.figure.joint(self.joint)
        place = evaluator.joint_transforms(document, owner.id, self.time)[owner.figure.joint_index[self.joint]]
        place[:, 3] += place[:, :3] @ np.array(self.point)
        if self.held in ("centre", "balance"):
            place[:, 3] = evaluator.centre_of_mass(document, owner.id, self.time)
        normal = np.array(self.normal)
        if self.target is not None and self.target_joint is not None:
            other = document.actor(self.target).figure
            other.joint(self.target_joint)
            frames = evaluator.joint_transforms(document, self.target, self.time)
            frame = undone(frames[other.joint_index[self.target_joint]])
            place, normal = joined(frame, place), frame[:, :3] @ normal
        x, y, z = place[:, 3].tolist()
        lock = Lock(
            id=self.id,
            name=self.name,
            joint=self.joint,
            point=self.point,
            held=self.held,
            axes=self.axes,
            position=(x, y, z),
            rotation=quaternion_of(place),
            normal=vector3("normal", normal.tolist()),
            target=self.target,
            target_joint=self.target_joint,
            shared=self.shared,
            span=self.span,
        )
        return edit("add_lock", actor=self.actor, lock=lock)


@dataclass(frozen=True, kw_only=True)
class BakeLocks(AtOnce):
    """The command to bake the pinned motion of an actor into a layer of its own, frame by frame over a span of time."""

    uses = ("locks",)

    id: str  # of the new layer
    actor: str
    start: int
    end: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("bake_locks", actor=self.actor).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        owner = document.actor(self.actor)
        shared = [each.name for each in owner.locks if each.shared]
        if shared or not owner.locks:
            if not shared:
                raise NothingThere(f"{owner.name} has no pin to bake", remedy="Pin a body first")
            lacking = f"{', '.join(shared)} binds two actors, and cannot be baked into one of them"
            raise NothingThere(lacking, remedy="Remove it, or let it bind one alone, first")
        samples = sampled(evaluator, document, self.actor, document.rate, self.start, self.end)
        locks = tuple(each.id for each in owner.locks)
        return edit("bake_locks", actor=self.actor, locks=locks, id=self.id, samples=samples)
