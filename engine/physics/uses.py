"""Who takes part in the simulation of a scene, and who drives it. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from engine.document import Actor, Document
from engine.physics.parts import Physics, TorqueCurves
from engine.systems import System, load, systems

_OBSTACLE = Physics(role="obstacle")


def physics_of(actor: Actor) -> Physics:
    """Give the part that an actor takes."""
    return actor.part(Physics) or _OBSTACLE


def is_simulated(actor: Actor) -> bool:
    """Tell whether an actor's pose comes of a simulation at some time."""
    return physics_of(actor).role == "simulated" and not actor.attachments


def curves_of(actor: Actor) -> TorqueCurves | None:
    """Give the torque curves that drive an actor, if any count."""
    found = actor.part(TorqueCurves) if actor.parts and is_simulated(actor) else None
    return found if found is not None and found.heard else None


def driving_systems(actor: Actor) -> Iterator[tuple[System, tuple[str, ...]]]:
    """Give the systems that drive joints of an actor while it is simulated, and the degrees of freedom of its roots
    that each drives."""
    for system, drives in _drivers() if actor.parts and is_simulated(actor) else ():
        roots = drives(actor)
        if roots is not None:
            yield system, tuple(roots)


def uses_physics(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is simulated."""
    return any(map(is_simulated, actors))


@cache
def _drivers() -> tuple[tuple[System, Any], ...]:
    return tuple((each, load(each.drives)) for each in systems() if each.drives is not None)


def taking_part(document: Document) -> Iterator[Actor]:
    """Give the actors of the scene, in the document's order, without those that simulated ones carry."""
    going: set[str] = set()
    for actor in document.in_order:
        if is_simulated(actor) or any(each.target in going for each in actor.attachments):
            going.add(actor.id)
    for actor in document.actors:
        shaped = any(joint.shapes for joint in actor.figure.joints)
        if is_simulated(actor) or (shaped and actor.id not in going and physics_of(actor).role != "none"):
            yield actor


def moves(document: Document, actor: Actor) -> bool:
    """Tell whether an actor's keyed pose may differ from time to time."""
    if any(layer.tracks or layer.samples is not None for layer in actor.layers) or actor.locks or actor.swings:
        return True
    return any(moves(document, document.actor(each.target)) for each in actor.attachments)
