"""Who takes part in the simulation of water. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.water.parts import WaterTank

OF_BODIES = ("water_force",)
"""Quantities of what is in the water."""


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


def measurable(actor: Actor, kind: str) -> dict[str, str]:
    """Name what of an actor has a quantity of water: all of a tank, by an empty id."""
    return {"": ""} if is_water(actor) else {}


def without_water(document: Document) -> Document:
    """Give the document with no water in it."""
    for actor in document.actors:
        document = document.with_actor(actor.without_part(WaterTank)) if is_water(actor) else document
    return document
