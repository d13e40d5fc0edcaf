"""The ticks on which keys stand: of a document, an actor, a joint or a lock; and how many stand between frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from engine.document.actor import Actor
from engine.document.document import Document
from engine.document.motion import TICKS_PER_SECOND, Rate, Track, frame_time

Meant = tuple[str, str | None, str | None]  # actor, joint or None for all of it, lock or None


def key_times(document: Document, meant: Iterable[Meant] = ()) -> tuple[int, ...]:
    """Every tick on which a key stands, of all that is meant; of everything where nothing is. In rising order."""
    chosen = tuple(meant)
    if chosen:
        tracks = (track for actor, joint, lock in chosen for track in _tracks(document.actor(actor), joint, lock))
    else:
        tracks = (track for actor in document.actors for track in _tracks(actor, None, None))
    return tuple(sorted({key.time for track in tracks for key in track.keys}))


def nearest_frame(time: int, rate: Rate) -> int:
    """The tick of the frame nearest to a tick; of two as near that of the later one."""
    whole = TICKS_PER_SECOND * rate[1]
    return frame_time((2 * time * rate[0] + whole) // (2 * whole), rate)


def between_frames(document: Document) -> int:
    """Count the keys of layers between frames, of what is not frozen: those that `snap_keys` moves. Keys of locks are
    not counted."""
    moving = (actor for actor in document.actors if not actor.frozen)
    tracks = (track for actor in moving for layer in actor.layers for track in layer.tracks)
    keys = Counter(key.time for track in tracks for key in track.keys)
    return sum(count for time, count in keys.items() if nearest_frame(time, document.rate) != time)


def _tracks(actor: Actor, joint: str | None, lock: str | None) -> Iterator[Track]:
    """Yield the tracks of a lock, of a joint with the locks on it, or of all of an actor."""
    names = None
    if joint is not None:
        names = {name for dof in actor.figure.joint(joint).dofs for name in dof.coordinates}
    if lock is None:
        for layer in actor.layers:
            yield from (track for track in layer.tracks if names is None or track.coordinate in names)
    for each in actor.locks:
        if (lock is None and joint in (None, each.joint)) or each.id == lock:
            yield from each.tracks
