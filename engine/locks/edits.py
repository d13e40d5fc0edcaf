"""Edits of locks. Places are results: `engine.locks.commands.lock_here` works them out from a pose."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Document, Key, Lock, Samples, Span, Track
from engine.document.lock import TRACKS, Axis, Held
from engine.document.values import Quaternion, Vector3
from engine.edits.find import with_baked
from engine.locks.find import find_lock
from engine.runtime.errors import InvalidDocument


def add_lock(document: Document, *, actor: str, lock: Lock) -> Document:
    """Hold a part of an actor."""
    owner = document.actor(actor)
    return document.with_actor(replace(owner, locks=(*owner.locks, lock)))


def plant_locks(document: Document, *, parts: tuple[tuple[str, tuple[Lock, ...]], ...]) -> Document:
    """Hold parts of several actors, each by some locks."""
    for actor, locks in parts:
        owner = document.actor(actor)
        document = document.with_actor(replace(owner, locks=(*owner.locks, *locks)))
    return document


def remove_lock(document: Document, *, actor: str, lock: str) -> Document:
    """Let a part go for good."""
    owner, gone = find_lock(document, actor, lock)
    return document.with_actor(replace(owner, locks=tuple(each for each in owner.locks if each is not gone)))


def rename_lock(document: Document, *, actor: str, lock: str, name: str) -> Document:
    """Give a lock another name; names need not be unique."""
    if not name.strip():
        raise InvalidDocument(what="the name of a lock", value=name, allowed="some text")
    return _with(document, actor, lock, name=name)


def mute_lock(document: Document, *, actor: str, lock: str, mute: bool) -> Document:
    """Leave a lock out, or let it count again."""
    return _with(document, actor, lock, mute=mute)


def set_lock_target(
    document: Document,
    *,
    actor: str,
    lock: str,
    position: Vector3 | None = None,
    rotation: Quaternion | None = None,
    normal: Vector3 | None = None,
    point: Vector3 | None = None,
) -> Document:
    """Hold at another place, turn or plane, or another point of the body; what is None stays. Keys go on counting."""
    given = {"position": position, "rotation": rotation, "normal": normal, "point": point}
    return _with(document, actor, lock, **{name: value for name, value in given.items() if value is not None})


def key_lock(
    document: Document, *, actor: str, lock: str, time: int, values: tuple[tuple[str, float], ...]
) -> Document:
    """Set keys at a tick: of x, y, z [m], turn_x to turn_z (a rotation vector) [rad], or the weight."""
    _, old = find_lock(document, actor, lock)
    tracks = dict(old.track_of)
    for name, value in values:
        if name not in TRACKS:
            raise InvalidDocument(what="a number of a lock", value=name, allowed=", ".join(TRACKS))
        track = tracks.get(name)
        before = {key.time: key for key in track.keys} if track is not None else {}
        before[time] = replace(before[time], value=value) if time in before else Key(time, value)
        keys = tuple(before[each] for each in sorted(before))
        tracks[name] = Track(coordinate=name, keys=keys) if track is None else replace(track, keys=keys)
    return _with(document, actor, lock, tracks=tuple(tracks[name] for name in TRACKS if name in tracks))


def unkey_lock(
    document: Document, *, actor: str, lock: str, names: tuple[str, ...], time: int | None = None
) -> Document:
    """Take the keys of some numbers away, at one tick or all; the number itself counts where no key is left."""
    _, old = find_lock(document, actor, lock)
    tracks: list[Track] = []
    for track in old.tracks:
        stays = track.coordinate not in names
        keys = tuple(key for key in track.keys if stays or (time is not None and key.time != time))
        if keys:
            tracks.append(track if keys == track.keys else replace(track, keys=keys))
    return _with(document, actor, lock, tracks=tuple(tracks))


def set_lock_weight(
    document: Document,
    *,
    actor: str,
    lock: str,
    weight: float | None = None,
    importance: float | None = None,
    turn_importance: float | None = None,
) -> Document:
    """Set how much a lock counts (0 to 1), and which gives way where locks contradict each other; None: as it is."""
    given = {"weight": weight, "importance": importance, "turn_importance": turn_importance}
    return _with(document, actor, lock, **{name: value for name, value in given.items() if value is not None})


def set_lock_span(
    document: Document,
    *,
    actor: str,
    lock: str,
    start: int | None = None,
    end: int | None = None,
    ease_in: int = 0,
    ease_out: int = 0,
) -> Document:
    """Hold from a tick to another, eased in and out within them; always, where neither is given."""
    return _with(document, actor, lock, span=Span.between(start, end, ease_in, ease_out))


def set_lock_axes(
    document: Document, *, actor: str, lock: str, axes: tuple[Axis, ...], held: Held | None = None
) -> Document:
    """Set which axes of the body keep their direction, and what else is held; None: as it is."""
    _, old = find_lock(document, actor, lock)
    wanted = tuple(each for each in ("i", "j", "k") if each in axes) if len(set(axes)) == len(axes) else axes
    return _with(document, actor, lock, axes=wanted, held=old.held if held is None else held)


def set_lock_joints(document: Document, *, actor: str, lock: str, joints: tuple[str, ...] | None) -> Document:
    """Set which joints may move to keep a lock, in the order of the figure; None: all."""
    owner, _ = find_lock(document, actor, lock)
    for id in joints or ():
        owner.figure.joint(id)
    wanted = None if joints is None else tuple(each.id for each in owner.figure.joints if each.id in set(joints))
    return _with(document, actor, lock, joints=wanted)


def move_lock_to(
    document: Document,
    *,
    actor: str,
    lock: str,
    target: str | None,
    target_joint: str | None = None,
    position: Vector3,
    rotation: Quaternion,
    normal: Vector3 | None = None,
    shared: bool = False,
) -> Document:
    """Hold on to a joint of another actor, or to the world (None), at a place in its frame. Keys in the old one go.

    The normal of a plane, or the direction of a line, stays as it is in its frame, unless another is given."""
    old = find_lock(document, actor, lock)[1]
    frame: dict[str, Any] = {"target": target, "target_joint": target_joint}
    if normal is not None:
        frame["normal"] = normal
    moved = (old.target, old.target_joint) != (target, target_joint)
    tracks = tuple(each for each in old.tracks if each.coordinate == "weight" or not moved)
    return _with(document, actor, lock, **frame, position=position, rotation=rotation, shared=shared, tracks=tracks)


def set_lock_solver(document: Document, *, solver: str) -> Document:
    """Choose the solver that keeps the locks of a scene: one of the solvers by name, or multipliers."""
    from engine.ik.solvers import SOLVERS

    known = (*SOLVERS, "multipliers")
    if solver not in known:
        raise InvalidDocument(what="the solver of locks", value=solver, allowed=", ".join(known))
    return document if solver == document.lock_solver else replace(document, lock_solver=solver)


def set_lock_iterations(document: Document, *, iterations: int) -> Document:
    """Set how many iterations the solver of locks is given for each picture, in each of its stages."""
    return document if iterations == document.lock_iterations else replace(document, lock_iterations=iterations)


def bake_locks(
    document: Document, *, actor: str, locks: tuple[str, ...], id: str, samples: Samples, name: str = "Locked"
) -> Document:
    """Put the motion that locks gave, as the caller found it, in a layer on top, over its span; the locks go."""
    owner = document.actor(actor)
    gone = {find_lock(document, actor, each)[1].id for each in locks}
    if not gone:
        raise InvalidDocument(what="the locks to bake", value=locks, allowed="one or more")
    kept = tuple(each for each in owner.locks if each.id not in gone)
    return document.with_actor(replace(with_baked(owner, samples, id=id, name=name), locks=kept))


def set_comfort(document: Document, *, actor: str, comfort: float) -> Document:
    """Set how far (0 to 1) joints that locks move go to the middle of their limits before the locks are met."""
    owner = document.actor(actor)
    return document if owner.comfort == comfort else document.with_actor(replace(owner, comfort=comfort))


def set_natural(document: Document, *, actor: str, natural: float) -> Document:
    """Set how far (0 to 1) drags pose an actor as bodies move: shoulder blades with arms, elbows, knees and feet."""
    owner = document.actor(actor)
    return document if owner.natural == natural else document.with_actor(replace(owner, natural=natural))


def set_floor(document: Document, *, actor: str, floor: bool) -> Document:
    """Set whether drags keep the bodies of an actor above the floor, the plane y = 0 of the world."""
    owner = document.actor(actor)
    return document if owner.floor == floor else document.with_actor(replace(owner, floor=floor))


def _with(document: Document, actor: str, lock: str, **changed: Any) -> Document:
    """The document with some fields of a lock replaced; the identical one where they are the same."""
    owner, old = find_lock(document, actor, lock)
    new = replace(old, **changed)
    if new == old:
        return document
    return document.with_actor(replace(owner, locks=tuple(new if each is old else each for each in owner.locks)))
