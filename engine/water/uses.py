"""Who takes part in the simulation of water, and whom it pushes. Knows documents alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.evaluation import Pushes
from engine.soft.uses import clocked, soft_actors
from engine.water.parts import WaterTank


def water_tank(actor: Actor) -> WaterTank | None:
    """Give the tank of an actor, if it is one."""
    return actor.part(WaterTank) if actor.parts else None


def is_water(actor: Actor) -> bool:
    """Tell whether an actor is a tank."""
    return water_tank(actor) is not None


def uses_water(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a tank."""
    return any(map(is_water, actors))


def water_actors(document: Document) -> Iterator[tuple[Actor, WaterTank]]:
    """Give the tanks of a scene, in the document's order."""
    for actor in document.actors:
        tank = water_tank(actor)
        if tank is not None:
            yield actor, tank


def pushes(document: Document) -> Pushes | None:
    """Name the actors that water pushes while physics simulates them: all that have shapes, where a tank feels bodies.
    None where there is no such tank."""
    from engine.dynamics.stepping import divide_frame  # which brings numpy

    tanks = [tank for _, tank in water_actors(document) if tank.touches]
    if not tanks:
        return None
    rate = document.rate[0] / document.rate[1]
    held = {each.id for each in document.actors if any(joint.shapes for joint in each.figure.joints)}
    return Pushes(frozenset(held), steps=math.lcm(*(divide_frame(rate, each.step)[1] for each in tanks)))


def pressed_bodies(document: Document) -> frozenset[str]:
    """Name the soft bodies that water pushes: those with a clock that touch anything, where a tank feels bodies."""
    if not any(tank.touches for _, tank in water_actors(document)):
        return frozenset()
    return frozenset(actor.id for actor, body in soft_actors(clocked(document)) if body.touches)


def measurable(actor: Actor, kind: str) -> dict[str, str]:
    """Name what of an actor has a quantity of water: all of a tank, by an empty id."""
    return {"": ""} if is_water(actor) else {}


def without_water(document: Document) -> Document:
    """Give the document with no water in it."""
    for actor in document.actors:
        document = document.with_actor(actor.without_part(WaterTank)) if is_water(actor) else document
    return document
