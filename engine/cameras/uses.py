"""Who is a camera. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.cameras.parts import film_camera
from engine.document import Actor, Document


def uses_cameras(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a camera."""
    return any(film_camera(actor) is not None for actor in actors)
