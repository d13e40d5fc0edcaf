"""Who has measured forces, and whom they push while it is simulated. Knows documents alone.

What was measured is what the ground did: bodies that feel a force, and those that hang on them, as toes do on a foot,
have no contact with the ground from its first to its last frame. What hangs on a root keeps it, so that a pull at the
waist leaves feet on the ground.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.document import Actor, Document, Figure
from engine.document.extent import acting_extent
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.evaluation import OffGround, Pushes


def forces_of(actor: Actor) -> MeasuredForces | None:
    """Give the measured forces of an actor, if it has any."""
    return actor.part(MeasuredForces) if actor.parts else None


def with_forces(actor: Actor, old: MeasuredForces, forces: tuple[MeasuredForce, ...]) -> Actor:
    """Give an actor other measured forces than those that it has, felt alike; none take the part away."""
    return actor.with_part(replace(old, forces=forces)) if forces else actor.without_part(MeasuredForces)


def uses_forces(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether forces were measured on any of the actors."""
    return any(forces_of(each) is not None for each in actors)


def felt_by(actor: Actor) -> MeasuredForces | None:
    """Give the measured forces that an actor feels while it is simulated, if any counts."""
    found = forces_of(actor)
    return found if found is not None and found.felt and not all(each.mute for each in found.forces) else None


def pushes(document: Document) -> Pushes | None:
    """Name the actors that feel measured forces, and their bodies that feel them in place of the ground."""
    felt = [(actor, found) for actor in document.actors if (found := felt_by(actor)) is not None]
    if not felt:
        return None
    bodies = tuple(
        OffGround(actor.id, joint, force.start, force.end)
        for actor, found in felt
        for force in found.on(actor.figure)
        if not force.mute
        for joint in _limb(actor.figure, force.joint)
    )
    return Pushes(frozenset(actor.id for actor, _ in felt), off_ground=bodies)


def measured_time(actor: Actor) -> tuple[int, int] | None:
    """From when to when forces were measured while the actor moves [ticks]; None: never."""
    found = forces_of(actor)
    extents = [each for each in map(acting_extent, actor.layers) if each is not None]
    forces = [each for each in (() if found is None else found.on(actor.figure)) if not each.mute]
    if not extents or not forces:
        return None
    start = max(min(each[0] for each in extents), min(each.start for each in forces))
    end = min(max(each[1] for each in extents), max(each.end for each in forces))
    return (start, end) if start < end else None


def _limb(figure: Figure, joint: str) -> list[str]:
    """A joint with all below it; a root alone."""
    found = [joint]
    if figure.joint(joint).parent is not None:
        for each in figure.joints:  # parents first
            if each.parent in found:
                found.append(each.id)
    return found
