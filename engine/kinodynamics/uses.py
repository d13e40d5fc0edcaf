"""Tests for secondary motion among some actors. Knows documents alone."""

from collections.abc import Iterable

from engine.document import Actor, Document
from engine.runtime.bounded import Bounded
from engine.systems import load, systems

_PUSHING: Bounded[int, tuple[Document, dict[str, tuple[str, ...]]]] = Bounded(16)  # by the identity of the document


def uses_secondary(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors swings."""
    return any(actor.swings for actor in actors)


def pushing_over(document: Document, actor: str) -> tuple[str, ...]:
    """Name the systems that push the secondary motion of an actor; kept, since each frame asks."""
    known = _PUSHING.get(id(document))
    if known is None or known[0] is not document:
        found: dict[str, tuple[str, ...]] = {}
        for each in systems():
            pushes = None if each.pushes is None else load(each.pushes)(document)
            for swinging in () if pushes is None else sorted(pushes.swinging):
                found[swinging] = (*found.get(swinging, ()), each.name)
        known = _PUSHING.keep(id(document), (document, found))
    return known[1].get(actor, ())
