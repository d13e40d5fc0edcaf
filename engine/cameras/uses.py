"""Who is a camera. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cameras.parts import FilmCamera
from engine.document import Actor, Document
from engine.runtime.errors import InvalidArguments


def film_camera(actor: Actor) -> FilmCamera | None:
    """Give what makes an actor a camera, if it is one."""
    return actor.part(FilmCamera) if actor.parts else None


def uses_cameras(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a camera."""
    return any(film_camera(actor) is not None for actor in actors)


def cameras_in(document: Document) -> tuple[Actor, ...]:
    """List the cameras of a document."""
    return tuple(actor for actor in document.actors if film_camera(actor) is not None)


def camera_named(document: Document, name: str) -> Actor:
    """Find a camera by its name, in whatever case, or by its id."""
    cameras = cameras_in(document)
    for each in cameras:
        if name in (each.id, each.name) or name.lower() == each.name.lower():
            return each
    allowed = ", ".join(each.name for each in cameras) or "none: the scene has no camera"
    raise InvalidArguments(what="the camera", value=name, allowed=allowed)
