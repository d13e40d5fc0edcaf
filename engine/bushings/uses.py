"""Who has bushings. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable

from engine.bushings.parts import Bushing, Bushings
from engine.document import Actor, Document


def bushings_of(actor: Actor) -> tuple[Bushing, ...]:
    """Give the bushings of an actor."""
    found = actor.part(Bushings) if actor.parts else None
    return () if found is None else found.bushings


def acting_bushings(actor: Actor) -> tuple[Bushing, ...]:
    """Give those that count: not muted, between joints that its figure has."""
    known = actor.figure.joint_index
    return tuple(each for each in bushings_of(actor) if not each.mute and all(joint in known for joint in each.joints))


def with_bushings(actor: Actor, bushings: tuple[Bushing, ...]) -> Actor:
    """Give an actor other bushings; none take the part away."""
    return actor.with_part(Bushings(bushings=bushings)) if bushings else actor.without_part(Bushings)


def uses_bushings(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has bushings."""
    return any(bushings_of(each) for each in actors)


def drives_joints(actor: Actor) -> tuple[str, ...] | None:
    """Give the hinges of an actor's roots if some bushing holds on to the ground, else none; None where none counts."""
    acting = acting_bushings(actor)
    if not acting:
        return None
    if all(len(each.joints) == 2 for each in acting):
        return ()
    return tuple(dof.id for joint in actor.figure.joints if joint.parent is None for dof in joint.dofs)
