"""Whose light or finish is set. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.document import Actor, Document
from engine.lighting.parts import Finish, Lighting


def uses_lighting(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether the scene has lights of its own, or any of the actors a finish."""
    return document.part(Lighting) is not None or any(each.parts and each.part(Finish) for each in actors)
