"""Markers of locks in a pose, and by how much each is missed, for the picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from engine.document import Actor, Lock
from engine.document.lock import AXES
from engine.document.motion import weight
from engine.document.values import Vector3
from engine.evaluation import Frames
from engine.locks.as_goals import normal_of, places_of
from engine.locks.places import Holding
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.model.snapshot import LockMark


def marks_of(holdings: Sequence[Holding], frames: Frames, centres: Mapping[str, Array]) -> list[LockMark]:
    """One for each lock: `frames` has all joints that the locks speak of, `centres` the centres of mass."""
    places = places_of(holdings, (), frames)
    return [
        _mark(each, place, frames[each.actor, each.lock.joint], centres.get(each.actor))
        for each, place in zip(holdings, places, strict=True)
    ]


def muted_marks(actors: Sequence[Actor], time: float, frames: Frames) -> tuple[LockMark, ...]:
    """One for each lock that is muted and would count at a time: where its spot is, whatever it would hold."""
    found = []
    for actor in actors:
        for lock in actor.locks:
            if lock.mute and weight(lock.span, time) > 0.0:
                body = frames[actor.id, lock.joint]
                at = _vector(body[:, 3] + body[:, :3] @ np.array(lock.point))
                found.append(
                    LockMark(
                        owner=actor.id,
                        lock=lock.id,
                        name=lock.name,
                        part=lock.joint,
                        at=at,
                        target=at,
                        share=0.0,
                        held=lock.held,
                    )
                )
    return tuple(found)


def _mark(holding: Holding, place: Array, body: Array, centre: Array | None) -> LockMark:
    lock = holding.lock
    at = centre if lock.of_mass and centre is not None else body[:, 3] + body[:, :3] @ np.array(lock.point)
    away = at - place[:, 3]
    if lock.held in ("line", "plane"):
        normal = np.array(normal_of(holding, place))
        along = normal * float(normal @ away) / float(normal @ normal)
        away = along if lock.held == "plane" else away - along
    elif lock.of_mass:
        away = away * (1.0, 0.0, 1.0)
    elif lock.held == "turn":
        away = np.zeros(3)
    x, y, z = at.tolist()
    u, v, w = (at - away).tolist()
    return LockMark(
        owner=holding.actor,
        lock=lock.id,
        name=lock.name,
        part=lock.joint,
        at=(x, y, z),
        target=(u, v, w),
        share=holding.share,
        held=lock.held,
        axes=tuple((axis, _vector(place[:, AXES.index(axis)])) for axis in lock.axes),
        normal=normal_of(holding, place) if lock.held in ("line", "plane") else None,
        position=_vector(holding.place[:, 3]) if lock.tracks else lock.position,
        rotation=quaternion_of(holding.place) if lock.tracks else lock.rotation,
        off=float(np.linalg.norm(away)) if holding.whole else 0.0,
        turned=_turned(lock, place, body) if holding.whole else 0.0,
    )


def _turned(lock: Lock, place: Array, body: Array) -> float:
    """The largest angle between a held axis and where it is to point [rad]."""
    columns = [AXES.index(axis) for axis in lock.axes]
    chords = np.linalg.norm(body[:, columns] - place[:, columns], axis=0)
    return 2.0 * math.asin(min(1.0, 0.5 * float(chords.max(initial=0.0))))


def _vector(numbers: Array) -> Vector3:
    x, y, z = numbers.tolist()
    return (x, y, z)
