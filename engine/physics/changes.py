"""What an edit means to the simulation: nothing, a time from which it is to be stepped anew, or another scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.document import Actor, Document
from engine.physics.parts import PhysicsWorld
from engine.physics.scene import is_simulated, moves, physics_of, taking_part

Changed = Callable[[Document, Document], Iterable[tuple[str, int | None, int | None]]]


def first_change(old: Document, new: Document, changed: Changed) -> float | None:
    """The time [ticks] from which the keyed motion that a simulation reads differs, infinite where none does; None
    where bodies or laws are others. `changed` tells which times differ between two documents without physics."""
    if [_bodies(old, each) for each in taking_part(old)] != [_bodies(new, each) for each in taking_part(new)]:
        return None
    if old.rate != new.rate or _world(old) != _world(new):
        return None
    ids = {each.id for each in taking_part(new)}
    spans = changed(without_physics(old), without_physics(new))
    return min((-math.inf if start is None else start for id, start, _ in spans if id in ids), default=math.inf)


def first_start(document: Document) -> float:
    """The tick at which the first actor is let go; infinite where none is."""
    return min((physics_of(each).start for each in document.actors if is_simulated(each)), default=math.inf)


def without_physics(document: Document) -> Document:
    """The document with nothing simulated in it."""
    for actor in document.actors:
        document = document.with_actor(replace(actor, parts=())) if actor.parts else document
    return replace(document, parts=()) if document.parts else document


def _world(document: Document) -> PhysicsWorld:
    return document.part(PhysicsWorld) or PhysicsWorld()


def _bodies(document: Document, actor: Actor) -> tuple[object, ...]:
    """All of an actor that the simulation reads but for its motion."""
    hangs = bool(actor.attachments)
    return (
        actor.id, actor.figure.digest, None if hangs else actor.placement, hangs, physics_of(actor),
        moves(document, actor),
    )  # fmt: skip
