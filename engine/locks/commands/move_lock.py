"""Pins moved, keyed and tied elsewhere: edits that are worked out from where a pin holds at a time, keys and all.

Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Document, Lock
from engine.document.lock import PLACE_TRACKS, TURN_TRACKS
from engine.document.values import Quaternion, Vector3, vector3
from engine.edits import Edit, edit
from engine.locks.find import find_lock
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

Keyed = Literal["place", "turn", "weight"]


@dataclass(frozen=True, kw_only=True)
class MoveLock(AtOnce):
    """The command to move a pin at a time; sets a key at that time where its position or rotation is keyed."""

    uses = ("locks",)

    actor: str
    lock: str
    time: int
    to: Vector3 | None = None  # [m] in the world
    position: Vector3 | None = None  # [m] in the frame of its target
    rotation: Quaternion | None = None  # likewise

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("set_lock_target", actor=self.actor, lock=self.lock).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        _, lock = find_lock(document, self.actor, self.lock)
        if self.rotation is not None:
            if not lock.track_of.keys() & set(TURN_TRACKS):
                return edit("set_lock_target", actor=self.actor, lock=self.lock, rotation=self.rotation)
            return self._keys(_turn_keys(lock, self.time, self.rotation))
        position = self.position or self._in_frame(evaluator, document, lock)
        if not lock.track_of.keys() & set(PLACE_TRACKS):
            return edit("set_lock_target", actor=self.actor, lock=self.lock, position=position)
        return self._keys(tuple(zip(PLACE_TRACKS, position, strict=True)))

    def _in_frame(self, evaluator: Evaluation, document: Document, lock: Lock) -> Vector3:
        assert self.to is not None, "a place is given in the world or in a frame"
        if lock.target is None:
            return self.to
        frame = _frame(evaluator, document, lock.target, lock.target_joint, self.time)
        return vector3("place", (frame[:, :3].T @ (self.to - frame[:, 3])).tolist())

    def _keys(self, values: tuple[tuple[str, float], ...]) -> Edit:
        return edit("key_lock", actor=self.actor, lock=self.lock, time=self.time, values=values)


@dataclass(frozen=True, kw_only=True)
class KeyLock(AtOnce):
    """The command to key a pin at a time, as it holds then."""

    uses = ("locks",)

    actor: str
    lock: str
    time: int
    what: tuple[Keyed, ...]

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("key_lock", actor=self.actor, lock=self.lock).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        from engine.locks.places import Places
        from engine.maths.rotation_arrays import quaternion_of

        _, lock = find_lock(document, self.actor, self.lock)
        places = Places()
        place = places.place(lock, self.time)
        values: list[tuple[str, float]] = []
        if "place" in self.what:
            values += zip(PLACE_TRACKS, place[:, 3].tolist(), strict=True)
        if "turn" in self.what:
            values += _turn_keys(lock, self.time, quaternion_of(place))
        if "weight" in self.what:
            values.append(("weight", places.weight(lock, self.time)))
        return edit("key_lock", actor=self.actor, lock=self.lock, time=self.time, values=tuple(values))


@dataclass(frozen=True, kw_only=True)
class TieLock(AtOnce):
    """The command to tie a pin to a joint of an actor, or to the world, at the place where it holds at a time."""

    uses = ("locks",)

    actor: str
    lock: str
    target: str | None
    target_joint: str | None = None
    time: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("move_lock_to", actor=self.actor, lock=self.lock).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        from engine.locks.places import Places
        from engine.maths.rotation_arrays import quaternion_of
        from engine.maths.transforms import joined, undone

        _, lock = find_lock(document, self.actor, self.lock)
        old, new = (
            _frame(evaluator, document, *ends, self.time)
            for ends in ((lock.target, lock.target_joint), (self.target, self.target_joint))
        )
        change = joined(undone(new), old)
        place = joined(change, Places().place(lock, self.time))
        return edit(
            "move_lock_to",
            actor=self.actor,
            lock=self.lock,
            target=self.target,
            target_joint=self.target_joint,
            position=vector3("place", place[:, 3].tolist()),
            rotation=quaternion_of(place),
            normal=vector3("normal", (change[:, :3] @ lock.normal).tolist()),
            shared=lock.shared and self.target not in (None, self.actor),
        )


def _frame(evaluator: Evaluation, document: Document, actor: str | None, joint: str | None, time: int) -> Array:
    """A joint in the world, shape [3, 4]; the world itself for none."""
    import numpy as np

    if actor is None or joint is None:
        return np.eye(3, 4)
    figure = document.actor(actor).figure
    at = figure.joints.index(figure.joint(joint))
    return np.asarray(evaluator.joint_transforms(document, actor, time)[at])


def _turn_keys(lock: Lock, time: int, rotation: Quaternion) -> tuple[tuple[str, float], ...]:
    """A turn as a rotation vector: of those that differ by whole turns the one nearest to what is there, so that what
    lies between two keys goes the short way."""
    import numpy as np

    from engine.locks.places import Places
    from engine.maths.rotations import logarithm

    there: Array = Places().turn(lock, time)
    vector = np.empty(3)
    logarithm(np.array(rotation), vector)
    angle = float(np.linalg.norm(vector))
    if angle > 1e-9:
        turns = round(float(vector @ (there - vector)) / (angle * math.tau))
        vector += vector * (turns * math.tau / angle)
    return tuple(zip(TURN_TRACKS, vector.tolist(), strict=True))
