"""Changes of a simulation by an edit: none, a time from which it is to be stepped anew, or another scene."""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import Interval
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.pushing import pushing_systems
from engine.physics.uses import is_simulated, moves, physics_of, taking_part
from engine.runtime.bounded import Bounded
from engine.systems import load

_LAWS: Bounded[int, tuple[Document, tuple[object, ...]]] = Bounded(4)  # by the identity of the document


class PhysicsChanges(Changes):
    """When simulated actors may stand otherwise because of laws, bodies, or who is simulated; what touches the motion
    of one of them or of an obstacle is felt by all from then on, since they are coupled."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From the first start on, where the scene of a simulated actor is another; or since what pushes it does."""
        if not (is_simulated(before) or is_simulated(after)):
            return []
        same = _laws(old) == _laws(new) and pushing_systems(old) == pushing_systems(new)
        pushed = _pushed_otherwise(old, new) if same else None
        start = min(first_start(old), first_start(new))
        return [(start if pushed is None else max(start, pushed), math.inf)] if pushed != math.inf else []


def first_change(old: Document, new: Document) -> float | None:
    """The time [ticks] from which the keyed motion that a simulation reads differs, or what else pushes it, infinite
    where none does; None where bodies or laws are others."""
    if _laws(old) != _laws(new) or pushing_systems(old) != pushing_systems(new):
        return None
    pushed = _pushed_otherwise(old, new)
    return None if pushed is None else min(pushed, _moved_otherwise(old, new))


def _pushed_otherwise(old: Document, new: Document) -> float | None:
    found = [math.inf]
    for system, _ in pushing_systems(new):
        changes = None if system.changes is None else load(system.changes)().pushes(old, new)
        if changes is None:
            return None
        found.append(changes)
    return min(found)


def _moved_otherwise(old: Document, new: Document) -> float:
    ids = {each.id for each in taking_part(new)}
    spans = changed_span(without_physics(old), without_physics(new))
    return min((-math.inf if start is None else start for id, start, _ in spans if id in ids), default=math.inf)


def first_start(document: Document) -> float:
    """The tick at which the first actor is let go; infinite where none is."""
    return min((physics_of(each).start for each in document.actors if is_simulated(each)), default=math.inf)


def without_physics(document: Document) -> Document:
    """The document with nothing simulated in it."""
    for actor in document.actors:
        document = document.with_actor(actor.without_part(Physics)) if actor.parts else document
    return document.without_part(PhysicsWorld)


def _laws(document: Document) -> tuple[object, ...]:
    """All that a simulation reads but for the motion of its members; kept, since each of its actors asks."""
    known = _LAWS.get(id(document))
    if known is None or known[0] is not document:
        known = _LAWS.keep(id(document), (document, _find_laws(document)))
    return known[1]


def _find_laws(document: Document) -> tuple[object, ...]:
    members = tuple(_body(document, each) for each in taking_part(document))
    return members, document.rate, document.part(PhysicsWorld) or PhysicsWorld()


def _body(document: Document, actor: Actor) -> tuple[object, ...]:
    hangs = bool(actor.attachments)
    place = None if hangs else actor.placement
    return actor.id, actor.figure.digest, place, hangs, physics_of(actor), moves(document, actor)
