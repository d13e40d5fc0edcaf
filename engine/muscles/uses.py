"""Who has muscles, and how activated they are. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.muscles.parts import MuscleActivations, Muscles
from engine.runtime.errors import NothingThere


def muscles_of(actor: Actor) -> Muscles | None:
    """Give the muscles of an actor, if it has any."""
    return actor.part(Muscles) if actor.parts else None


def required_muscles(actor: Actor) -> Muscles:
    """Give the muscles of an actor; refuse one without any."""
    muscles = muscles_of(actor)
    if muscles is None or not muscles.muscles:
        raise NothingThere(f"{actor.name} has no muscles", remedy="Add muscles to it")
    return muscles


def activations_of(actor: Actor) -> MuscleActivations:
    """Give the activations of an actor's muscles."""
    return actor.part(MuscleActivations) or MuscleActivations()


def with_activations(actor: Actor, activations: MuscleActivations) -> Actor:
    """Give the actor with these activations; without any where they say nothing."""
    if activations.activations or activations.excited:
        return actor.with_part(activations)
    return actor.without_part(MuscleActivations)


def drives_joints(actor: Actor) -> tuple[str, ...] | None:
    """Give the hinges of an actor's roots if its muscles pull while it is simulated, none unless some hold on to the
    ground; None where no muscle pulls."""
    found = muscles_of(actor)
    if found is None or not found.pulling or not found.muscles:
        return None
    if all(point.joint is not None for muscle in found.muscles for point in muscle.points):
        return ()
    return tuple(dof.id for joint in actor.figure.joints if joint.parent is None for dof in joint.dofs)


def uses_muscles(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors has muscles."""
    return any(muscles_of(each) is not None for each in actors)


def muscled_actors(document: Document) -> Iterator[tuple[Actor, Muscles]]:
    """Give the actors with muscles, in the document's order."""
    for actor in document.actors:
        found = muscles_of(actor)
        if found is not None:
            yield actor, found
