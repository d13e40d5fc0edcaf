"""Which actors have a motion planned. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.document import Actor, Document
from engine.spacetime.parts import Spacetime


def spacetime_of(actor: Actor) -> Spacetime | None:
    """Give the problem of an actor, if it has one."""
    return actor.part(Spacetime) if actor.parts else None


def uses_spacetime(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has one."""
    return any(spacetime_of(actor) is not None for actor in actors)
