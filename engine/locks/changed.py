"""Times that an edit touches through locks: their spans, or the times between keys where nothing else differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.document import Actor, Document, Lock
from engine.motion.changed import Changes, held, within
from engine.motion.changes import Interval, track_changes


class LockChanges(Changes):
    """The changes of locks, of the settings that keep them, and of the actors that they link."""

    def actor(self, old: Actor, new: Actor) -> list[Interval]:
        """Find the times at which an actor's own locks, or the comfort with which they are kept, differ."""
        found: list[Interval] = []
        if old.locks != new.locks:
            found += _lock_changes(old.locks, new.locks)
        if old.comfort != new.comfort or (new.locks and old.attachments != new.attachments):
            found += _lock_spans(old, new)
        return found

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """Find the spans of locks, where the lock solver or the group of an actor differs."""
        return _lock_spans(before, after) if regrouped or _kept_by(old) != _kept_by(new) else []

    def reads(self, actor: Actor) -> Iterator[tuple[str, Interval]]:
        """Name what its locks hold on to."""
        for each in actor.locks:
            if each.target is not None and each.target != actor.id and not each.mute:
                yield each.target, held(each.span)

    def drawn(self, old: Actor, new: Actor) -> list[Interval]:
        """Find the spans of locks whose markers differ, which show more of a lock than poses depend on, such as its
        name."""
        if old.locks == new.locks:
            return []
        return [held(lock.span) for lock in {*old.locks, *new.locks} - ({*old.locks} & {*new.locks})]


def _kept_by(document: Document) -> tuple[str, int]:
    """Return the solver that keeps the locks, and its number of iterations."""
    return document.lock_solver, document.lock_iterations


def _lock_changes(old: Sequence[Lock], new: Sequence[Lock]) -> list[Interval]:
    """Spans of locks that differ, or the times between keys where nothing else does. The order of locks counts."""
    before, after = [lock for lock in old if not lock.mute], [lock for lock in new if not lock.mute]
    if [lock.id for lock in before] != [lock.id for lock in after]:
        gone = [lock for lock in before if lock not in after]
        come = [lock for lock in after if lock not in before]
        kept = [lock for lock in before if lock not in gone] != [lock for lock in after if lock not in come]
        return [held(lock.span) for lock in ((*before, *after) if kept else (*gone, *come))]
    found: list[Interval] = []
    for one, other in zip(before, after, strict=True):
        if replace(one, tracks=()) != replace(other, tracks=()):
            found += [held(one.span), held(other.span)] if _counts(one, other) else []
        elif one.tracks != other.tracks:
            found += within(track_changes(one.track_of, other.track_of), held(one.span))
    return found


def _counts(one: Lock, other: Lock) -> bool:
    """Tell whether two locks differ in more than their names."""
    return replace(one, name=other.name) != other


def _lock_spans(old: Actor, new: Actor) -> list[Interval]:
    return [held(lock.span) for lock in (*old.locks, *new.locks) if not lock.mute]
