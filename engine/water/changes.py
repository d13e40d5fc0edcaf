"""Changes of water by an edit: none, a time from which it is to be stepped anew, or another tank."""

from __future__ import annotations

import math
from collections.abc import Iterable

from engine.document import Actor, Document
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import ALWAYS, Interval
from engine.physics.parts import PhysicsWorld
from engine.physics.uses import physics_of
from engine.runtime.bounded import Bounded
from engine.soft.parts import SoftWorld
from engine.soft.uses import soft_body
from engine.water.compile import unseen
from engine.water.uses import is_water, water_actors, water_tank, without_water

_CHANGE: Bounded[tuple[int, int, str], tuple[Document, Document, float | None]] = Bounded(8)


class WaterChanges(Changes):
    """When water may be seen otherwise: what touches anything that may be in it is felt from then on."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From the time on at which the water of a tank is another."""
        one, other = water_tank(before), water_tank(after)
        if one is None and other is None:
            return []
        if one is None or other is None:
            return [ALWAYS]
        change = first_change(old, new, after.id)
        if change is None or change <= other.start or one != other:
            return [ALWAYS]
        return [] if change == math.inf else [(change, math.inf)]

    def pushes(self, old: Document, new: Document) -> float | None:
        """From when on what is simulated is pushed otherwise: since the water of a tank is stepped anew."""
        tanks = [each.id for each, tank in water_actors(new) if tank.touches]
        if tanks != [each.id for each, tank in water_actors(old) if tank.touches]:
            return None
        found = [first_change(old, new, each) for each in tanks]
        return None if None in found else min((each for each in found if each is not None), default=math.inf)


def first_change(old: Document, new: Document, actor: str) -> float | None:
    """The time [ticks] from which what the water of a tank follows from differs, infinite where nothing does; None
    where the tank, its laws or what may be in it are others."""
    if old is new:
        return math.inf
    key = (id(old), id(new), actor)
    known = _CHANGE.get(key)
    if known is None or known[0] is not old or known[1] is not new:
        known = _CHANGE.keep(key, (old, new, _find_change(old, new, actor)))
    return known[2]


def _find_change(old: Document, new: Document, actor: str) -> float | None:
    if actor not in old.actor_index or actor not in new.actor_index or _laws(old, actor) != _laws(new, actor):
        return None
    tank = water_tank(new.actor(actor))
    assert tank is not None, "its laws are the same"
    found = [math.inf]
    read = {actor, *((each.id for each in _bodies(new)) if tank.touches else ())}
    for each, start, _ in changed_span(without_water(old), without_water(new)):
        if each == actor:
            return None  # it stands elsewhere
        if each in read:
            found.append(-math.inf if start is None else start)
    return min(found)


def _laws(document: Document, actor: str) -> tuple[object, ...]:
    """All that the water of a tank follows from but for motions."""
    owner = document.actor(actor)
    tank = water_tank(owner)
    if tank is None:
        return ()
    bodies = tuple(_body(each) for each in _bodies(document)) if tank.touches else ()
    world = document.part(PhysicsWorld) or PhysicsWorld()
    return unseen(tank), bodies, document.rate, world.gravity, document.part(SoftWorld) or SoftWorld()


def _bodies(document: Document) -> Iterable[Actor]:
    return (each for each in document.actors if not is_water(each))


def _body(actor: Actor) -> tuple[object, ...]:
    soft = soft_body(actor)
    shape = None if soft is None else (soft.positions, soft.triangles, soft.touches)
    return actor.id, actor.figure.digest, physics_of(actor).role, shape
