"""Tests for locks among some actors. Knows documents alone."""

from collections.abc import Iterable

from engine.document import Actor, Document


def uses_locks(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has a lock."""
    return any(actor.locks for actor in actors)
