"""Who is a camera. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cameras.parts import FilmCamera
from engine.document import Actor, Document


def film_camera(actor: Actor) -> FilmCamera | None:
    """Give what makes an actor a camera, if it is one."""
    return actor.part(FilmCamera) if actor.parts else None


def uses_cameras(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a camera."""
    return any(film_camera(actor) is not None for actor in actors)


def cameras_in(document: Document) -> tuple[Actor, ...]:
    """List the cameras of a document."""
    return tuple(actor for actor in document.actors if film_camera(actor) is not None)
