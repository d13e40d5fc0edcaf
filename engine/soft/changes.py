"""Changes of soft bodies by an edit: none, a time from which they are to be stepped anew, or another scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace

from engine.document import Actor, Document
from engine.document.ticks import ticks_per_frame
from engine.dynamics.stepping import divide_frame
from engine.motion.changed import Changes, changed_span
from engine.motion.changes import Interval, merge, track_changes
from engine.physics.parts import PhysicsWorld
from engine.physics.uses import physics_of
from engine.runtime.bounded import Bounded
from engine.soft.nodal import first_nodal
from engine.soft.parts import ALPHA, ActivationSpline, SoftBody
from engine.soft.pulls import first_pulled
from engine.soft.surroundings import find_surroundings
from engine.soft.uses import alone, clocked, pressed, soft_actors, soft_body, soft_world, windowed_actors, without_soft
from engine.systems import load, systems

Read = Callable[[Document, Document, Collection[str]], list[Interval]]

_LAWS: Bounded[int, tuple[Document, tuple[object, ...]]] = Bounded(4)  # by the identity of the document
_CHANGE: Bounded[tuple[int, int], tuple[Document, Document, float | None]] = Bounded(4)


class SoftChanges(Changes):
    """When soft bodies may be seen otherwise: what touches one of them, what they are attached to, or an obstacle is
    felt by all of them from then on; by one that is stepped over a window no longer than that is. What physics
    simulates is moved by those with a clock that push."""

    def scene(self, old: Document, new: Document, before: Actor, after: Actor, *, regrouped: bool) -> list[Interval]:
        """From the time on at which the scene of a soft body is another."""
        bodies = soft_body(before), soft_body(after)
        if bodies == (None, None):
            return pushed_changes(old, new, after.id) if before.swings or after.swings else []
        if any(each is not None and each.stepped == "over_window" for each in bodies):
            found = windowed_changes(old, new, after.id)
            return [(-math.inf, math.inf)] if found is None else found
        change = first_change(old, new)
        if change is None or change <= first_start(clocked(new)):
            return [(-math.inf, math.inf)]  # its place before its start among them
        return [] if change == math.inf else [(change, math.inf)]

    def pushes(self, old: Document, new: Document) -> float | None:
        """From when on what is simulated is pushed otherwise: since soft bodies are stepped anew."""
        return first_change(old, new)


def first_change(old: Document, new: Document) -> float | None:
    """The time [ticks] from which what a simulation reads differs, infinite where nothing does; None where bodies or
    laws are others. Kept, since each of the bodies asks."""
    if old is new:
        return math.inf
    known = _CHANGE.get((id(old), id(new)))
    if known is None or known[0] is not old or known[1] is not new:
        known = _CHANGE.keep((id(old), id(new)), (old, new, _find_change(old, new)))
    return known[2]


def windowed_changes(old: Document, new: Document, actor: str) -> list[Interval] | None:
    """When a body that is stepped over a window is seen otherwise: as long as what it reads is felt. None where it or
    its laws are others; nothing where it is not there."""
    return _felt_changes(old, new, actor, read_changes)


def pushed_changes(old: Document, new: Document, wearer: str) -> list[Interval]:
    """When what an actor wears pushes its secondary motion otherwise, by windows that end up to a step later."""
    worn = {
        actor.id: None
        for document in (old, new)
        for actor, body in windowed_actors(document)
        if body.swings_wearer and any(each.target == wearer for each in body.attachments)
    }
    found, aside = list[Interval](), felt_for(new, 0.0)
    for id in worn:
        changes = _felt_changes(old, new, id, _changes_below) if id in new.actor_index else None
        found += [(-math.inf, math.inf)] if changes is None else changes
    return merge((start - aside, end + aside) for start, end in found)


def _felt_changes(old: Document, new: Document, actor: str, read: Read) -> list[Interval] | None:
    if old is new:
        return []
    one, other = alone(old, actor), alone(new, actor)
    if _laws(one) != _laws(other):
        return None
    found = list[Interval]()
    for (_, before), (_, after) in zip(soft_actors(one), soft_actors(other), strict=True):
        for spline, told in zip(before.splines, after.splines, strict=True):
            found += _activation_changes(spline, told)
        if (pushed := first_nodal(before.forces, after.forces)) < math.inf:
            found.append((pushed, max(each.times[-1] for each in (*before.forces, *after.forces) if each.times)))
        if (pulled := first_pulled(before.pulls, after.pulls)) is not None:
            found.append((pulled, max(each.end for each in (*before.pulls, *after.pulls))))
        felt = felt_for(new, after.window)
        found += read(old, new, {each.id for each in find_surroundings(other).actors})
        found = [(start, end + felt) for start, end in found]
    return merge(found)


def felt_for(document: Document, window: float) -> int:
    """For how long [ticks] what a window [s] of a document reads is felt: with a step before it, for the speeds there,
    and a tick for the places of steps."""
    dt, steps = divide_frame(document.rate[0] / document.rate[1], soft_world(document).step)
    return math.ceil((max(1, math.ceil(window / dt - 1e-9)) + 1) * ticks_per_frame(document.rate) / steps) + 1


def read_changes(old: Document, new: Document, read: Collection[str]) -> list[Interval]:
    """When some actors stand otherwise, by what they wear, too."""
    found = _moved_changes(old, new, read)
    for actor in new.actors:
        if actor.id in read and actor.swings and actor.secondary is not None:
            felt = actor.secondary.memory
            found += [(start, end + felt) for start, end in pushed_changes(old, new, actor.id)]
    return found


def _changes_below(old: Document, new: Document, read: Collection[str]) -> list[Interval]:
    """When some actors stand otherwise below secondary motion."""
    return _moved_changes(_without_swinging(old), _without_swinging(new), read)


def _without_swinging(document: Document) -> Document:
    for actor in document.actors:
        document = document.with_actor(replace(actor, secondary=None)) if actor.secondary is not None else document
    return document


def _moved_changes(old: Document, new: Document, read: Collection[str]) -> list[Interval]:
    """When some actors stand otherwise by what moves them beside soft bodies."""
    spans = changed_span(without_soft(old), without_soft(new))
    return [
        (-math.inf if start is None else start, math.inf if end is None else end)
        for actor, start, end in spans
        if actor in read
    ]


def first_start(document: Document) -> int:
    """The tick at which the first soft body begins to move."""
    return min((body.start for _, body in soft_actors(document)), default=0)


def _find_change(whole_old: Document, whole_new: Document) -> float | None:
    old, new = clocked(whole_old), clocked(whole_new)
    if _laws(old) != _laws(new):
        return None
    found = [math.inf]
    for (_, before), (_, after) in zip(soft_actors(old), soft_actors(new), strict=True):
        for one, other in zip(before.splines, after.splines, strict=True):
            found.append(_activation_change(one, other))
        pulled = first_pulled(before.pulls, after.pulls)
        found.append(math.inf if pulled is None else pulled + 1)  # a hand moves what comes after it
        found.append(first_nodal(before.forces, after.forces) + 1)
    read = {actor.id for actor in find_surroundings(new).actors}
    if pressed(whole_old) or pressed(whole_new):
        for each in systems():
            if each.pushes_soft is not None and each.changes is not None:
                change = load(each.changes)().pushes(whole_old, whole_new)
                if change is None:
                    return None
                found.append(change)
    return min((*found, *(start for start, _ in read_changes(whole_old, whole_new, read))))


def _activation_change(old: ActivationSpline, new: ActivationSpline) -> float:
    """The time from which a spline is moved otherwise."""
    return min((start for start, _ in _activation_changes(old, new)), default=math.inf)


def _activation_changes(old: ActivationSpline, new: ActivationSpline) -> list[Interval]:
    """When a spline is moved otherwise; always where that is not by keys."""
    if old == new:
        return []
    if (old.activation, new.activation) != ("keys", "keys") or old.track is None or new.track is None:
        return [(-math.inf, math.inf)] if _told(old) != _told(new) else []
    return list(track_changes({ALPHA: old.track}, {ALPHA: new.track}))


def _told(spline: ActivationSpline) -> object:
    """Give what moves a spline, whatever else it remembers."""
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
    """A body whose splines are passive and have no names, without what pulls and pushes it."""
    splines = (
        replace(each, name="", activation="constant", alpha=1.0, track=None, expression="") for each in body.splines
    )
    return replace(body, splines=tuple(splines), pulls=(), forces=())
