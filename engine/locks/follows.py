"""LockFollows: what becomes of locks where general edits change the time or the figure that they name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from engine.document import Actor, Document, Figure, Lock
from engine.edits.everywhere import goes, held_span
from engine.edits.follows import Follows
from engine.edits.retime import lay_out_track
from engine.edits.stretches import Layout


class LockFollows(Follows):
    """A lock goes with what it holds; one of the centre of mass, which a joint only shows, to the joint's heir."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        return replace(actor, locks=tuple(_laid_out(actor, layout)))

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        locks = tuple(lock for each in actor.locks if (lock := _fitted(each, content, heirs)) is not None)
        return replace(actor, locks=locks)

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """A joint that has gone moves nothing any more, and the one that now carries what it did does."""
        carrier = {dof.id: joint.id for joint in content.joints for dof in joint.dofs}
        moved = {joint.id: [carrier.get(dof.id, "") for dof in joint.dofs] for joint in actor.figure.joints}
        out = []
        for lock in actor.locks:
            if lock.joints is not None:
                kept = {id for joint in lock.joints for id in (joint, *moved[joint])}
                lock = replace(lock, joints=tuple(each.id for each in content.joints if each.id in kept))
            out.append(lock)
        return replace(actor, locks=tuple(out))

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        held = (each for each in actor.locks if each.target is None or is_there(each.target, each.target_joint or ""))
        locks = tuple(held)
        return actor if len(locks) == len(actor.locks) else replace(actor, locks=locks)

    def named(self, document: Document, actor: str) -> Iterator[str]:
        yield from (lock.joint for lock in document.actor(actor).locks)
        locks = (lock for other in document.actors for lock in other.locks if lock.target == actor)
        yield from (lock.target_joint or "" for lock in locks)


def _laid_out(actor: Actor, layout: Layout) -> Iterator[Lock]:
    for lock in actor.locks:
        if not goes(lock.span, layout):
            tracks = (lay_out_track(track, layout) for track in lock.tracks)
            kept = tuple(track for track in tracks if track is not None)
            yield replace(lock, span=held_span(lock.span, layout), tracks=kept)


def _fitted(lock: Lock, content: Figure, heirs: Mapping[str, str]) -> Lock | None:
    known = content.joint_index
    if lock.joint not in known:
        heir = heirs.get(lock.joint)
        if not lock.of_mass or heir is None:
            return None
        lock = replace(lock, joint=heir)
    if lock.joints is None:
        return lock
    kept = set(lock.joints)
    joints = tuple(id for id in known if id in kept)
    return lock if joints == lock.joints else replace(lock, joints=joints)
