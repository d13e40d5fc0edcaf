"""Who has muscles, and how activated they are. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.muscles.parts import MuscleActivations, Muscles


def muscles_of(actor: Actor) -> Muscles | None:
    """Give the muscles of an actor, if it has any."""
    return actor.part(Muscles) if actor.parts else None


def activations_of(actor: Actor) -> MuscleActivations:
    """Give the activations of an actor's muscles."""
    return actor.part(MuscleActivations) or MuscleActivations()


def uses_muscles(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has muscles."""
    return any(muscles_of(each) is not None for each in actors)


def muscled_actors(document: Document) -> Iterator[tuple[Actor, Muscles]]:
    """Give the actors with muscles, in the document's order."""
    for actor in document.actors:
        found = muscles_of(actor)
        if found is not None:
            yield actor, found
