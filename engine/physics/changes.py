"""Changes of a simulation by an edit: none, a time from which it is to be stepped anew, or another scene."""

from __future__ import annotations

import math

from engine.document import Actor, Document
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import Interval, track_changes
from engine.physics.parts import Physics, PhysicsWorld, TorqueCurves
from engine.physics.pushing import pushing_systems
from engine.physics.uses import curves_of, driving_systems, is_simulated, moves, physics_of, taking_part
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
        pushed = _led_otherwise(old, new) if same else None
        start = min(first_start(old), first_start(new))
        return [(start if pushed is None else max(start, pushed), math.inf)] if pushed != math.inf else []


def first_change(old: Document, new: Document) -> float | None:
    """The time [ticks] from which the keyed motion that a simulation reads differs, or what else pushes it, infinite
    where none does; None where bodies or laws are others."""
    if _laws(old) != _laws(new) or pushing_systems(old) != pushing_systems(new):
        return None
    pushed = _led_otherwise(old, new)
    return None if pushed is None else min(pushed, _moved_otherwise(old, new))


def _led_otherwise(old: Document, new: Document) -> float | None:
    """The time from which anything pushes or drives bodies otherwise; None where other systems push."""
    pushed = _pushed_otherwise(old, new)
    return None if pushed is None else min(pushed, _driven_otherwise(old, new))


def _driven_otherwise(old: Document, new: Document) -> float:
    """The time from which torque curves differ, those that count being of the same degrees of freedom, or what else
    drives joints."""
    found = [math.inf]
    for actor in new.actors:
        earlier = old.actor(actor.id) if actor.id in old.actor_index else actor
        for system, _ in driving_systems(actor) if earlier is not actor else ():
            if system.changes is not None:
                found += [start for start, _ in load(system.changes)().drawn(earlier, actor)]
        after = curves_of(actor)
        before = None if after is None else curves_of(old.actor(actor.id))
        if after is None or before is None or after is before:
            continue
        one, other = ({track.coordinate: track for track in each.heard} for each in (before, after))
        found += [start for start, end in track_changes(one, other) if after.span is None or end >= after.span.start]
    return min(found)


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
        bare = actor.without_part(Physics).without_part(TorqueCurves) if actor.parts else actor
        document = document.with_actor(bare) if bare is not actor else document
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
    return actor.id, actor.figure.digest, place, hangs, physics_of(actor), moves(document, actor), _driving(actor)


def _driving(actor: Actor) -> tuple[object, ...]:
    """All of an actor's torque curves but for their shapes, and who else drives it."""
    curves, others = curves_of(actor), tuple((system.name, roots) for system, roots in driving_systems(actor))
    if curves is None:
        return others
    return others, tuple(track.coordinate for track in curves.heard), curves.span, curves.tissue, curves.launches
