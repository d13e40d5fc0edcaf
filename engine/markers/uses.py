"""Which actors are captures of markers. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.document.capture import MarkerGaps
from engine.document.motion import Samples


def capture_samples(actor: Actor) -> Samples | None:
    """The samples of a capture's markers; None where an actor is none."""
    if actor.part(MarkerGaps) is None:
        return None
    return next((each.samples for each in actor.layers if each.samples is not None), None)


def captures(document: Document) -> Iterator[Actor]:
    """The captures of markers of a document."""
    return (each for each in document.actors if capture_samples(each) is not None)


def uses_markers(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a capture."""
    return any(each.part(MarkerGaps) is not None for each in actors)
