"""Which plans of a document are one problem: those of actors that meet. Knows documents alone."""

from __future__ import annotations

from engine.document import Document
from engine.spacetime.parts import Spacetime
from engine.spacetime.uses import spacetime_of

Plans = tuple[tuple[str, Spacetime], ...]
"""Plans that are searched for together, by the ids of their actors."""


def coupled(document: Document, actor: str) -> tuple[str, ...]:
    """Name the actors whose plans are one problem with that of an actor, itself among them: those that meet, and those
    that they meet in turn; in the order of the document."""
    pairs = [
        (each.id, meeting.other)
        for each in document.actors
        if (plan := spacetime_of(each)) is not None
        for meeting in plan.meetings
        if meeting.on and meeting.other in document.actor_index
    ]
    found, grown = {actor}, True
    while grown:
        size = len(found)
        for one, other in pairs:
            if (one in found or other in found) and spacetime_of(document.actor(other)) is not None:
                found |= {one, other}
        grown = len(found) > size
    return tuple(each.id for each in document.actors if each.id in found)


def coupled_plans(document: Document, actor: str) -> Plans:
    """Give those actors with their plans."""
    found = ((each, spacetime_of(document.actor(each))) for each in coupled(document, actor))
    return tuple((id, plan) for id, plan in found if plan is not None)
