"""Edits of nodal forces on soft bodies: on which points, how strong they may be, and what they do.

What is None stays as it is, unless an edit says otherwise.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Blob, Document
from engine.document.conformance import given_fields
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.soft.nodal import NodalForces
from engine.soft.parts import SoftBody
from engine.soft.uses import soft_body

_OF = "nodal forces"


def put_nodal_forces(document: Document, *, actor: str, forces: NodalForces) -> Document:
    """Put forces on points of a soft body, in place of those of that id or behind those that it has."""
    body = _body(document, actor)
    if body.nodal(forces.id) is None:
        return _with_forces(document, actor, (*body.forces, forces))
    return _with_forces(document, actor, tuple(forces if each.id == forces.id else each for each in body.forces))


def set_nodal_forces(
    document: Document,
    *,
    actor: str,
    forces: str,
    name: str | None = None,
    strongest: float | None = None,
    form: str | None = None,
    mute: bool | None = None,
) -> Document:
    """Set the name of nodal forces, how strong a plan may make them, how they go between knots, whether they act."""
    if name is not None and not name.strip():
        raise InvalidDocument(what="the name of nodal forces", value=name, allowed="some text")
    given = given_fields(NodalForces, of=_OF, name=name, strongest=strongest, form=form, mute=mute)
    return _with_one(document, actor, forces, **given)


def set_nodal_values(
    document: Document, *, actor: str, forces: str, times: tuple[int, ...] = (), values: Blob | None = None
) -> Document:
    """Say what nodal forces are at some times [ticks] on each of their points [N, in the world]; without times they do
    nothing."""
    return _with_one(document, actor, forces, times=tuple(times), values=values)


def remove_nodal_forces(document: Document, *, actor: str, forces: tuple[str, ...] | None = None) -> Document:
    """Take nodal forces off a soft body; None: all of them."""
    body = _body(document, actor)
    for each in forces or ():
        _one(body, each)
    kept = tuple(each for each in body.forces if forces is not None and each.id not in forces)
    return _with_forces(document, actor, kept)


def _body(document: Document, actor: str) -> SoftBody:
    owner = document.actor(actor)
    body = soft_body(owner)
    if body is None:
        raise InvalidDocument(what="the actor of nodal forces", value=owner.name, allowed="a soft body")
    return body


def _one(body: SoftBody, id: str) -> NodalForces:
    found = body.nodal(id)
    if found is None:
        raise UnknownPart(kind="nodal forces", id=id, known=tuple(each.id for each in body.forces))
    return found


def _with_one(document: Document, actor: str, id: str, **given: Any) -> Document:
    body = _body(document, actor)
    old = _one(body, id)
    new = replace(old, **given)
    return _with_forces(document, actor, tuple(new if each is old else each for each in body.forces))


def _with_forces(document: Document, actor: str, forces: tuple[NodalForces, ...]) -> Document:
    body = _body(document, actor)
    if forces == body.forces:
        return document
    return document.with_actor(document.actor(actor).with_part(replace(body, forces=forces)))
