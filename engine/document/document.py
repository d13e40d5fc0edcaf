"""Document: all that a person made, as one frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from engine.document.actor import Actor
from engine.document.motion import Rate, Span
from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument, UnknownPart


@dataclass(frozen=True, kw_only=True)
class Document(Part):
    """The actors of one scene, and how its time is counted and played."""

    actors: tuple[Actor, ...] = ()
    rate: Rate = (30, 1)  # frames in so many seconds
    play: Span | None = None  # what is played; None: from the first motion to the last

    def __post_init__(self) -> None:
        if min(self.rate) < 1:
            raise InvalidDocument(what="the rate", value=self.rate, allowed="two whole numbers above 0")

    @cached_property
    def actor_index(self) -> dict[str, int]:
        """Place of each actor."""
        return {actor.id: index for index, actor in enumerate(self.actors)}

    @cached_property
    def in_order(self) -> tuple[Actor, ...]:
        """The actors, each behind all that it hangs on, else as listed; refused where some hang in a ring."""
        if not any(actor.attachments for actor in self.actors):
            return self.actors
        waiting = {actor.id: {each.target for each in actor.attachments} for actor in self.actors}
        ordered: list[Actor] = []
        while waiting:
            free = [id for id, targets in waiting.items() if not targets & waiting.keys()]
            if not free:
                allowed = "actors that do not hang on each other in a ring"
                raise InvalidDocument(what="the attachments", value=" on ".join(self._ring(waiting)), allowed=allowed)
            for id in free:
                ordered.append(self.actor(id))
                del waiting[id]
        return tuple(ordered)

    def _ring(self, waiting: Mapping[str, set[str]]) -> list[str]:
        """Names along a ring, the first one again at the end."""
        path = [next(iter(waiting))]
        while path[-1] not in path[:-1]:
            path.append(min(waiting[path[-1]] & waiting.keys()))
        return [self.actor(id).name for id in path[path.index(path[-1]) :]]

    def actor(self, id: str) -> Actor:
        """The actor of that id."""
        index = self.actor_index.get(id)
        if index is None:
            raise UnknownPart(kind="actor", id=id, known=tuple(self.actor_index))
        return self.actors[index]

    def with_all_that_hold(self, id: str) -> Document:
        """The document with one actor, all that it hangs on, and no others."""
        kept, waiting = {id}, [self.actor(id)]
        while waiting:
            found = {each.target for each in waiting.pop().attachments} - kept
            kept |= found
            waiting += map(self.actor, found)
        return replace(self, actors=tuple(actor for actor in self.actors if actor.id in kept))

    def with_actor(self, actor: Actor) -> Document:
        """The document with the actor of the same id replaced."""
        index = self.actor_index.get(actor.id)
        if index is None:
            raise UnknownPart(kind="actor", id=actor.id, known=tuple(self.actor_index))
        return replace(self, actors=(*self.actors[:index], actor, *self.actors[index + 1 :]))
