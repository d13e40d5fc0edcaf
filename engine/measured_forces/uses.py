"""Who has measured forces. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.document import Actor, Document
from engine.document.measured_forces import MeasuredForces


def forces_of(actor: Actor) -> MeasuredForces | None:
    """Give the measured forces of an actor, if it has any."""
    return actor.part(MeasuredForces) if actor.parts else None


def uses_forces(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether forces were measured on any of the actors."""
    return any(forces_of(each) is not None for each in actors)
