"""MovableFrame: a joint of the figure under edit, for manipulators: its frame in its parent at rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.features.figure.view.parts import JointPart, base_of, body_frames
from app.scene.manipulator import MOVES, TURNS, WORLD
from app.tools.movable import AxesOf, Kind, ManipulatorFrame, Movable, TransformDelta, body_frame, triple
from engine.document import Actor, Joint
from engine.document.frames import Frame, fixed_frame
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.quaternions import product, turn_about, turned, unit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session import Session
    from engine.model import Snapshot


@dataclass(frozen=True)
class MovableFrame:
    """A joint of the figure that is edited."""

    actor: Actor
    joint: Joint

    @property
    def name(self) -> str:
        """The name of the joint."""
        return f"joint {self.joint.name}"

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, at the joint's origin."""
        frame = body_frame(snapshot, self.actor.id, self.joint.id)
        if frame is None:
            return None
        above = np.array([turned(self._above.rotation, axis) for axis in WORLD]).T
        own = triple({"local": frame[:, :3], "parent": above, "world": np.eye(3)}[axes])
        x, y, z = frame[:, 3].tolist()
        first, second, third = own
        by = (("world", first), ("world", second), ("world", third))
        return ManipulatorFrame(place=(x, y, z), axes=own, own=by, parts=MOVES if kind == "move" else TURNS)  # type: ignore[arg-type]

    def command(self, change: TransformDelta) -> Edit:
        """Return the edit that sets another offset, or another rest orientation."""
        above, fixed = self._above, fixed_frame(self.joint)
        place: Vector3 = body_frames(self.actor)[self.joint.id].position
        if change.kind == "move":
            x, y, z = (here + way for here, way in zip(place, change.shift, strict=True))
            part = JointPart(id="", name=self.joint.name, joint=self.joint.id, place=place)
            return part.moved(self.actor, (x, y, z), keep_children=False)
        world = above.holding(fixed)
        spun = Frame(world.position, unit(product(turn_about(change.axis, change.angle), world.rotation)))
        rest = above.seeing(spun).rotation
        return edit("set_joint_frame", actor=self.actor.id, joint=self.joint.id, offset=self.joint.offset, rest=rest)

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return None: it turns exactly as asked."""
        return None

    @property
    def _above(self) -> Frame:
        if self.joint.parent is None:
            return base_of(self.actor)
        return body_frames(self.actor)[self.joint.parent]


def find_frame(session: Session, snapshot: Snapshot, kind: Kind) -> Movable | None:
    """Return the joint that was selected last, if its figure is edited."""
    item = session.selection.active
    if item is None or item.actor != session.editing or item.part is None:
        return None
    actor = session.document.actor(item.actor)
    if actor.frozen or item.part not in actor.figure.joint_index:
        return None
    return MovableFrame(actor, actor.figure.joint(item.part))
