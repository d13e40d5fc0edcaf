"""The order in which actors are posed: each behind all that it hangs on or is locked to.

Actors whose locks are shared move each other and form a group, posed together. An actor of one group may not hang on
another of it, and no groups may wait for each other in a ring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.document.actor import Actor
from engine.runtime.errors import InvalidDocument

Group = tuple[Actor, ...]


def groups_of(actors: Sequence[Actor]) -> tuple[Group, ...]:
    """The groups in order, as listed where the order is free; most have one actor."""
    if not any(actor.attachments or actor.locks or _held_by_parts(actor) for actor in actors):
        return tuple((actor,) for actor in actors)
    by_id = {actor.id: actor for actor in actors}
    first = _joined(actors)
    members: dict[str, list[Actor]] = {}
    for actor in actors:
        members.setdefault(first[actor.id], []).append(actor)
    waiting = {group: _awaited(group, members[group], first) for group in members}
    ordered: list[Group] = []
    while waiting:
        free = [group for group, awaited in waiting.items() if not awaited & waiting.keys()]
        if not free:
            ring = " on ".join(by_id[group].name for group in _ring(waiting))
            allowed = "actors that do not hang on or hold on to each other in a ring; take one off, or share the pin"
            raise InvalidDocument(what="the order of what is attached or pinned", value=ring, allowed=allowed)
        for group in free:
            ordered.append(tuple(members[group]))
            del waiting[group]
    return tuple(ordered)


def targets_of(actor: Actor) -> Iterator[str]:
    """The other actors that must stand before this one does, or together with it."""
    yield from (each.target for each in actor.attachments)
    for lock in actor.locks:
        if lock.target is not None and lock.target != actor.id:
            yield lock.target
    yield from _held_by_parts(actor)


def _held_by_parts(actor: Actor) -> list[str]:
    return [id for part in actor.parts for id, _ in part.holds_on_to()]


def _joined(actors: Sequence[Actor]) -> dict[str, str]:
    """Name for each actor the first one of its group."""
    first = {actor.id: actor.id for actor in actors}
    for actor in actors:
        for lock in actor.locks:
            if lock.shared and lock.target in first:
                one, other = first[actor.id], first[str(lock.target)]
                first = {id: one if each == other else each for id, each in first.items()}
    return first


def _awaited(group: str, members: Sequence[Actor], first: Mapping[str, str]) -> set[str]:
    """The groups that a group waits for; itself, where one of it hangs on another of it."""
    found = {first[each.target] for actor in members for each in actor.attachments}
    return found | {first[id] for actor in members for id in targets_of(actor) if first[id] != group}


def _ring(waiting: Mapping[str, set[str]]) -> list[str]:
    """Groups along a ring, the first one again at the end."""
    path = [next(iter(waiting))]
    while path[-1] not in path[:-1]:
        path.append(min(waiting[path[-1]] & waiting.keys()))
    return path[path.index(path[-1]) :]
