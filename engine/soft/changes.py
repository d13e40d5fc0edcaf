"""Changes of soft bodies by an edit: none, a time from which they are to be stepped anew, or another scene."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document import Actor, Document
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import Interval, track_changes
from engine.physics.parts import PhysicsWorld
from engine.physics.uses import physics_of
from engine.runtime.bounded import Bounded
from engine.soft.parts import ALPHA, ActivationSpline, SoftBody
from engine.soft.pulls import first_pulled
from engine.soft.surroundings import find_surroundings
from engine.soft.uses import soft_actors, soft_body, soft_world, without_soft

_LAWS: Bounded[int, tuple[Document, tuple[object, ...]]] = Bounded(4)  # by the identity of the document
_CHANGE: Bounded[tuple[int, int], tuple[Document, Document, float | None]] = Bounded(4)


class SoftChanges(Changes):
    """When soft bodies may be seen otherwise: what touches one of them, what they are attached to, or an obstacle is
    felt by all of them from then on. Nobody else is moved by them."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From the time on at which the scene of a soft body is another."""
        if soft_body(before) is None and soft_body(after) is None:
            return []
        change = first_change(old, new)
        if change is None or change <= first_start(new):
            return [(-math.inf, math.inf)]  # its place before its start among them
        return [] if change == math.inf else [(change, math.inf)]


def first_change(old: Document, new: Document) -> float | None:
    """The time [ticks] from which what a simulation reads differs, infinite where nothing does; None where bodies or
    laws are others. Kept, since each of the bodies asks."""
    if old is new:
        return math.inf
    known = _CHANGE.get((id(old), id(new)))
    if known is None or known[0] is not old or known[1] is not new:
        known = _CHANGE.keep((id(old), id(new)), (old, new, _find_change(old, new)))
    return known[2]


def first_start(document: Document) -> int:
    """The tick at which the first soft body begins to move."""
    return min((body.start for _, body in soft_actors(document)), default=0)


def _find_change(old: Document, new: Document) -> float | None:
    if _laws(old) != _laws(new):
        return None
    found = [math.inf]
    for (_, before), (_, after) in zip(soft_actors(old), soft_actors(new), strict=True):
        for one, other in zip(before.splines, after.splines, strict=True):
            found.append(_activation_change(one, other))
        pulled = first_pulled(before.pulls, after.pulls)
        found.append(math.inf if pulled is None else pulled + 1)  # a hand moves what comes after it
    read = {actor.id for actor in find_surroundings(new).actors}
    for actor, start, _ in changed_span(without_soft(old), without_soft(new)):
        if actor in read:
            found.append(-math.inf if start is None else start)
    return min(found)


def _activation_change(old: ActivationSpline, new: ActivationSpline) -> float:
    """The time from which a spline is told otherwise; its first one where that is not by keys."""
    if old == new:
        return math.inf
    if (old.activation, new.activation) != ("keys", "keys") or old.track is None or new.track is None:
        return -math.inf if _told(old) != _told(new) else math.inf
    return min((start for start, _ in track_changes({ALPHA: old.track}, {ALPHA: new.track})), default=math.inf)


def _told(spline: ActivationSpline) -> object:
    """What a spline is told, whatever else it remembers."""
    kind = spline.activation
    if kind == "keys":
        return kind, spline.track
    return (kind, spline.expression) if kind == "expression" and spline.expression else ("constant", spline.alpha)


def _laws(document: Document) -> tuple[object, ...]:
    """All that a simulation reads but for motions and activations; kept, since each of its actors asks."""
    known = _LAWS.get(id(document))
    if known is None or known[0] is not document:
        known = _LAWS.keep(id(document), (document, _find_laws(document)))
    return known[1]


def _find_laws(document: Document) -> tuple[object, ...]:
    bodies = tuple((actor.id, _untold(body)) for actor, body in soft_actors(document))
    surroundings = find_surroundings(document)
    figures = tuple((actor.id, actor.figure.digest, physics_of(actor).role) for actor in surroundings.actors)
    world = document.part(PhysicsWorld) or PhysicsWorld()
    return bodies, surroundings.solids, figures, document.rate, soft_world(document), world.gravity, world.ground


def _untold(body: SoftBody) -> SoftBody:
    """A body whose splines are told nothing, and have no names."""
    splines = (
        replace(each, name="", activation="constant", alpha=1.0, track=None, expression="") for each in body.splines
    )
    return replace(body, splines=tuple(splines), pulls=())
