"""Places of locks at a time, and their weights.

Times are ticks, transforms arrays of shape [3, 4]: rotation and position [m].
"""

from __future__ import annotations

import math

import numpy as np

from engine.document import Lock, Track
from engine.document.lock import PLACE_TRACKS, TURN_TRACKS
from engine.document.motion import weight
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.maths.rotations import logarithm
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_TRACKS_KEPT, _STILL_KEPT = 1024, 1024
_WHOLE = 1.0 - 1e-12  # from this share on a lock counts in full


@dataclass(frozen=True, eq=False)
class Holding:
    """A lock of an actor at a time."""

    actor: str
    lock: Lock
    share: float  # above 0, at most 1
    place: Array  # of the target, in its frame, shape [3, 4]

    @property
    def whole(self) -> bool:
        """True if it counts in full."""
        return self.share >= _WHOLE

    @property
    def timing(self) -> tuple[object, ...]:
        """The numbers that its share depends on: locks that agree in this agree at all times."""
        track = self.lock.track_of.get("weight")
        return (self.lock.span, self.lock.weight, None if track is None else track.digest)


class Places:
    """Reads locks at times. Keeps packed tracks, and what locks without tracks hold, which is one object at all times;
    used by one thread."""

    def __init__(self) -> None:
        self._packed: Bounded[str, Array] = Bounded(_TRACKS_KEPT)
        self._still: Bounded[int, Holding] = Bounded(_STILL_KEPT)  # in full, by the identity of the lock
        self._times, self._row = np.zeros(1), np.zeros((1, 3))

    def holding(self, actor: str, lock: Lock, time: float) -> Holding | None:
        """The lock at a time; None where it does not count."""
        if lock.mute:
            return None
        share = weight(lock.span, time)
        if share > 0.0:
            share *= min(1.0, max(0.0, self.weight(lock, time)))
        if share <= 0.0:
            return None
        if lock.tracks:
            return Holding(actor, lock, share, self.place(lock, time))
        still = self._stands(actor, lock)
        return still if share == 1.0 else Holding(actor, lock, share, still.place)

    def _stands(self, actor: str, lock: Lock) -> Holding:
        """A lock that no key moves, in full."""
        found = self._still.get(id(lock))
        if found is None or found.lock is not lock or found.actor != actor:
            place = self.place(lock, 0.0)
            place.flags.writeable = False
            found = Holding(actor, lock, 1.0, place)
            self._still.keep(id(lock), found)
        return found

    def place(self, lock: Lock, time: float) -> Array:
        """Evaluate the place of a lock, keys included, in the frame of its target, shape [3, 4]."""
        place = np.empty((3, 4))
        for axis, name in enumerate(PLACE_TRACKS):
            place[axis, 3] = self._value(lock, name, lock.position[axis], time)
        place[:, :3] = rotation_matrix(lock.rotation)
        if any(name in lock.track_of for name in TURN_TRACKS):
            place[:, :3] = self._keyed_rotation(lock, time)
        return place

    def turn(self, lock: Lock, time: float) -> Array:
        """The keyed rotation vector [rad]; what has no key is that of the lock's own rotation."""
        vector = np.empty(3)
        logarithm(np.array(lock.rotation), vector)
        for axis, name in enumerate(TURN_TRACKS):
            vector[axis] = self._value(lock, name, float(vector[axis]), time)
        return vector

    def weight(self, lock: Lock, time: float) -> float:
        """Evaluate the weight of a lock, without its span."""
        return self._value(lock, "weight", lock.weight, time)

    def _keyed_rotation(self, lock: Lock, time: float) -> Array:
        vector = self.turn(lock, time)
        angle = float(np.linalg.norm(vector))
        direction = vector * (0.5 if angle < 1e-9 else math.sin(0.5 * angle) / angle)
        x, y, z = direction.tolist()
        return rotation_matrix((math.cos(0.5 * angle), x, y, z))

    def _value(self, lock: Lock, name: str, constant: float, time: float) -> float:
        track = lock.track_of.get(name) if lock.tracks else None
        if track is None:
            return constant
        self._times[0] = time
        evaluate_times(self._pack(track), 0, self._times, self._row)
        return float(self._row[0, 0])

    def _pack(self, track: Track) -> Array:
        return self._packed.find(track.digest, lambda: pack_track(track))
