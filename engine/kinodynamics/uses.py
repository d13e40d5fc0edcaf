"""Tests for secondary motion among some actors. Knows documents alone."""

from collections.abc import Iterable

from engine.document import Actor, Document


def uses_secondary(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors swings."""
    return any(actor.swings for actor in actors)
