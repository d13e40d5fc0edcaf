"""The locks that move an actor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.document import Lock
from engine.evaluation import Member
from engine.locks.places import Holding
from engine.maths.arrays import Array

Rows = list[Array]  # of each actor: a pose for each time, shape [time_count, coordinate_count]


def held_of(member: Member, holdings: Sequence[Holding]) -> list[tuple[Lock, str]]:
    """The locks that move an actor, each with the joint of it that it holds or holds on to."""
    found = []
    for each in holdings:
        if each.actor == member.actor.id:
            found.append((each.lock, each.lock.joint))
        if each.lock.target == member.actor.id and each.lock.target_joint is not None:
            found.append((each.lock if each.actor == member.actor.id else _ours(each.lock), each.lock.target_joint))
    return found


def _ours(lock: Lock) -> Lock:
    """A lock as it looks from its target, whose joints it does not name."""
    return lock if lock.joints is None else replace(lock, joints=None)
