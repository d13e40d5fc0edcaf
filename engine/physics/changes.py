"""Changes of a simulation by an edit: none, a time from which it is to be stepped anew, or another scene."""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import Interval
from engine.physics.parts import Physics, PhysicsWorld
from engine.physics.uses import is_simulated, moves, physics_of, taking_part
from engine.runtime.bounded import Bounded

_LAWS: Bounded[int, tuple[Document, tuple[object, ...]]] = Bounded(4)  # by the identity of the document


class PhysicsChanges(Changes):
    """When simulated actors may stand otherwise because of laws, bodies, or who is simulated; what touches the motion
    of one of them or of an obstacle is felt by all from then on, since they are coupled."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From the first start on, where the scene of a simulated actor is another."""
        if not (is_simulated(before) or is_simulated(after)) or _laws(old) == _laws(new):
            return []
        return [(min(first_start(old), first_start(new)), math.inf)]


def first_change(old: Document, new: Document) -> float | None:
    """The time [ticks] from which the keyed motion that a simulation reads differs, infinite where none does; None
    where bodies or laws are others."""
    if _laws(old) != _laws(new):
        return None
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
