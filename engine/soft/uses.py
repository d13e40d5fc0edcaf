"""Who takes part in the simulation of the soft bodies of a scene. Knows documents alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.document import Actor, Document
from engine.evaluation import Pushes
from engine.physics.uses import is_simulated
from engine.runtime.bounded import Bounded
from engine.soft.parts import SoftBody, SoftWorld
from engine.systems import load, systems

_PARTS: Bounded[tuple[int, str | None], tuple[Document, Document]] = Bounded(16)  # by identity, and whose body is left
OF_SPLINES = ("soft_contraction", "soft_alpha")
"""Quantities that splines have."""


def soft_body(actor: Actor) -> SoftBody | None:
    """Give the soft body of an actor, if it is one."""
    return actor.part(SoftBody) if actor.parts else None


def is_soft(actor: Actor) -> bool:
    """Tell whether an actor is a soft body."""
    return soft_body(actor) is not None


def uses_soft(document: Document, actors: Iterable[Actor]) -> bool:
    """Tell whether any of the actors is a soft body."""
    return any(map(is_soft, actors))


def soft_actors(document: Document) -> Iterator[tuple[Actor, SoftBody]]:
    """Give the soft bodies of a scene, in the document's order."""
    for actor in document.actors:
        body = soft_body(actor)
        if body is not None:
            yield actor, body


def soft_world(document: Document) -> SoftWorld:
    """Give what the soft bodies of a scene have in common."""
    return document.part(SoftWorld) or SoftWorld()


def pushes(document: Document) -> Pushes | None:
    """Name the actors that soft bodies push: while physics simulates them those that bodies with a clock are attached
    to, and those that have shapes where they touch anything; in their secondary motion those that wear bodies which are
    stepped over a window. None where they push nothing."""
    from engine.dynamics.stepping import divide_frame  # which brings numpy

    pushing = [body for _, body in soft_actors(clocked(document)) if body.pushes]
    worn = {id for _, body in windowed_actors(document) for id in body.moves(document)}
    swinging = frozenset(each.id for each in document.actors if each.id in worn and each.swings)
    along = pressed(document)  # by what physics pushes, too: so all are stepped in turn
    if not (pushing or swinging or along):
        return None
    held = {each.target for body in pushing for each in body.attachments}
    held |= {each.id for each in document.actors if along and is_simulated(each)}
    if any(body.touches for body in pushing):
        held |= {each.id for each in document.actors if any(joint.shapes for joint in each.figure.joints)}
    _, steps = divide_frame(document.rate[0] / document.rate[1], soft_world(document).step)
    return Pushes(frozenset(held), swinging, steps)


def pressed(document: Document) -> frozenset[str]:
    """Name the soft bodies with a clock that other systems push."""
    own = frozenset(actor.id for actor, _ in soft_actors(clocked(document)))
    found = frozenset[str]()
    for each in systems() if own else ():
        if each.pushes_soft is not None:
            found |= load(each.pushes_soft)(document)
    return found & own


def measurable(actor: Actor, kind: str) -> dict[str, str]:
    """Name what of an actor has a quantity of soft bodies, by ids: its splines, or all of it by an empty one."""
    body = soft_body(actor)
    if body is None:
        return {}
    return {each.id: each.name for each in body.splines} if kind in OF_SPLINES else {"": ""}


def without_soft(document: Document) -> Document:
    """Give the document with no soft body in it."""
    for actor in document.actors:
        document = document.with_actor(actor.without_part(SoftBody)) if is_soft(actor) else document
    return document.without_part(SoftWorld)


def windowed_actors(document: Document) -> Iterator[tuple[Actor, SoftBody]]:
    """Give the soft bodies whose shape at a time is worked out over a window before it."""
    return ((actor, body) for actor, body in soft_actors(document) if body.stepped == "over_window")


def clocked(document: Document) -> Document:
    """Give the document without the soft bodies that have no clock; always the same one of a document."""
    gone = [actor.id for actor, _ in windowed_actors(document)]
    return _kept(document, None, gone) if gone else document


def alone(document: Document, actor: str) -> Document:
    """Give the document with one soft body and no other; always the same one of a document."""
    gone = [each.id for each, _ in soft_actors(document) if each.id != actor]
    return _kept(document, actor, gone) if gone else document


def _kept(document: Document, actor: str | None, gone: Iterable[str]) -> Document:
    known = _PARTS.get((id(document), actor))
    if known is None or known[0] is not document:
        made = document
        for each in gone:
            made = made.with_actor(made.actor(each).without_part(SoftBody))
        known = _PARTS.keep((id(document), actor), (document, made))
    return known[1]
