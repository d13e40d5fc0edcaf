"""Who has blend shapes. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.shapes.parts import BlendShapes


def blend_shapes(actor: Actor) -> BlendShapes | None:
    """Give the blend shapes of an actor, if it has any."""
    return actor.part(BlendShapes) if actor.parts else None


def has_shapes(actor: Actor) -> bool:
    """Tell whether an actor has blend shapes."""
    return blend_shapes(actor) is not None


def uses_shapes(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has blend shapes."""
    return any(map(has_shapes, actors))


def shaped_actors(document: Document) -> Iterator[tuple[Actor, BlendShapes]]:
    """Give the actors with blend shapes, in the document's order."""
    for actor in document.actors:
        found = blend_shapes(actor)
        if found is not None:
            yield actor, found


def without_shapes(document: Document) -> Document:
    """Give the document without blend shapes."""
    for actor in document.actors:
        document = document.with_actor(actor.without_part(BlendShapes)) if has_shapes(actor) else document
    return document
