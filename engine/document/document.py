"""Document: all that a person made, as one frozen value."""

from __future__ import annotations

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

    def actor(self, id: str) -> Actor:
        """The actor of that id."""
        index = self.actor_index.get(id)
        if index is None:
            raise UnknownPart(kind="actor", id=id, known=tuple(self.actor_index))
        return self.actors[index]

    def with_actor(self, actor: Actor) -> Document:
        """The document with the actor of the same id replaced."""
        index = self.actor_index.get(actor.id)
        if index is None:
            raise UnknownPart(kind="actor", id=actor.id, known=tuple(self.actor_index))
        return replace(self, actors=(*self.actors[:index], actor, *self.actors[index + 1 :]))
