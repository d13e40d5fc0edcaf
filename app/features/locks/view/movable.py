"""MovableLock: a pin as the manipulators move and turn it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.features.locks.part import lock_in
from app.scene.manipulator import MOVES, TURNS, WORLD
from app.session import Session
from app.tools.movable import AxesOf, Kind, ManipulatorFrame, Movable, TransformDelta, body_frame, can_be_moved, triple
from engine.document import Actor, Lock
from engine.document.values import Vector3
from engine.locks.commands.move_lock import MoveLock
from engine.maths.quaternions import product, turn_about, turned, unit
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.camera import Array
    from app.session.gesture import EditOrCommand
    from engine.model import Snapshot


@dataclass(frozen=True, eq=False)
class MovableLock:
    """A pin: the place or the turn that it holds."""

    session: Session
    actor: str
    lock: Lock
    above: Array  # rotation of what it holds at, shape [3, 3]
    at: Vector3  # [m] where it held, in the world

    @property
    def name(self) -> str:
        """The name of the pin."""
        return f"pin {self.lock.name}"

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, where the pin holds. One that holds no turn is not turned; one that holds no
        place, or the balance, not moved."""
        turn_is_keyed = any(each.startswith("turn") for each in self.lock.track_of)
        stays = not self.lock.axes or turn_is_keyed if kind == "rotate" else self.lock.held in ("turn", "balance")
        mark = next((each for each in snapshot.locks if each.lock == self.lock.id), None)
        if stays or mark is None:
            return None
        body = np.array([turned(self.lock.rotation, axis) for axis in WORLD]).T
        rotation = {"local": self.above @ body, "parent": self.above, "world": np.eye(3)}[axes]
        if kind == "rotate":
            own = tuple(("world", axis) for axis in triple(rotation))
            return ManipulatorFrame(place=mark.target, axes=triple(rotation), own=own, parts=TURNS)  # type: ignore[arg-type]
        if self.lock.held == "centre":
            return ManipulatorFrame(place=mark.target, parts=frozenset(("x", "z", "zx")))
        return ManipulatorFrame(place=mark.target, axes=triple(rotation), parts=MOVES)

    def command(self, change: TransformDelta) -> EditOrCommand:
        """Return the edit that moves or turns the pin."""
        actor, lock, time = self.actor, self.lock.id, self.session.playhead
        if change.kind == "move":
            x, y, z = (here + way for here, way in zip(self.at, change.shift, strict=True))
            return MoveLock(actor=actor, lock=lock, time=time, to=(x, y, z))
        i, j, k = (self.above.T @ change.axis).tolist()
        rotation = unit(product(turn_about((i, j, k), change.angle), self.lock.rotation))
        return MoveLock(actor=actor, lock=lock, time=time, rotation=rotation)

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return None: it turns exactly as asked."""
        return None


def find_lock(session: Session, snapshot: Snapshot, kind: Kind) -> Movable | None:
    """Return the pin that was selected last, or that of the part that was: a pinned part goes where its pin goes, and a
    key of it would be unseen. None of an actor that is frozen or whose figure is edited."""
    item, document = session.selection.active, session.document
    if item is None or item.actor not in document.actor_index:
        return None
    actor = document.actor(item.actor)
    lock = lock_in(actor, item.added) if item.added is not None else _pin_of(actor, item.part, snapshot, kind)
    mark = next((each for each in snapshot.locks if lock is not None and each.lock == lock.id), None)
    if lock is None or mark is None or lock.mute or not can_be_moved(session, actor):
        return None
    above = np.eye(3)
    if lock.target is not None and lock.target_joint is not None:
        frame = body_frame(snapshot, lock.target, lock.target_joint)
        if frame is None:
            return None
        above = frame[:, :3]
    return MovableLock(session, actor.id, lock, above, mark.target)


def _pin_of(actor: Actor, part: str | None, snapshot: Snapshot, kind: Kind) -> Lock | None:
    """Return the pin of a part, or of a prop, that counts now and holds what is to be moved or turned."""
    joint = actor.figure.joints[0].id if part is None and actor.figure.is_prop else part
    counting = {each.lock for each in snapshot.locks if each.share > 0.0}
    pins = (each for each in actor.locks if each.joint == joint and each.id in counting and not each.mute)
    places = ("point", "line", "plane")
    return next((each for each in pins if (each.held in places if kind == "move" else each.axes)), None)
