"""Tests for targets among some actors. Knows documents alone."""

from collections.abc import Iterable

from engine.document import Actor, Document


def uses_targets(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors that swing has targets."""
    return any(actor.swings and actor.secondary is not None and actor.secondary.targets for actor in actors)
