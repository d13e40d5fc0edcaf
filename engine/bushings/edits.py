"""Edits of bushings: put, changed, taken away. What is None stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.bushings.parts import Bushing
from engine.bushings.uses import bushings_of, with_bushings
from engine.document import Actor, Document
from engine.document.conformance import given_fields
from engine.document.values import Vector3
from engine.runtime.errors import UnknownPart


def put_bushings(document: Document, *, actor: str, bushings: tuple[Bushing, ...]) -> Document:
    """Put bushings between bodies of a figure, in place of those of the same ids or behind those that it has."""
    owner = document.actor(actor)
    for each in bushings:
        for joint in each.joints:
            owner.figure.joint(joint)
    new = {each.id: each for each in bushings}
    kept = tuple(new.pop(each.id, each) for each in bushings_of(owner))
    return _with(document, owner, (*kept, *new.values()))


def set_bushing(
    document: Document,
    *,
    actor: str,
    bushing: str,
    name: str | None = None,
    turning: Vector3 | None = None,
    sliding: Vector3 | None = None,
    turning_damping: Vector3 | None = None,
    sliding_damping: Vector3 | None = None,
    mute: bool | None = None,
) -> Document:
    """Set the name of a bushing, its stiffness and its damping along the axes of its first frame, and whether it is
    left out."""
    owner = document.actor(actor)
    old = _one(owner, bushing)
    given: dict[str, Any] = given_fields(
        Bushing,
        of="a bushing",
        name=name,
        turning=turning,
        sliding=sliding,
        turning_damping=turning_damping,
        sliding_damping=sliding_damping,
        mute=mute,
    )
    new = replace(old, **given)
    return _with(document, owner, tuple(new if each.id == bushing else each for each in bushings_of(owner)))


def remove_bushings(document: Document, *, actor: str, bushings: tuple[str, ...] | None = None) -> Document:
    """Take bushings out of a figure; None: all of them."""
    owner = document.actor(actor)
    for each in bushings or ():
        _one(owner, each)
    kept = (each for each in bushings_of(owner) if bushings is not None and each.id not in bushings)
    return _with(document, owner, tuple(kept))


def _one(owner: Actor, bushing: str) -> Bushing:
    found = {each.id: each for each in bushings_of(owner)}
    if bushing not in found:
        raise UnknownPart(kind="bushing", id=bushing, known=tuple(found))
    return found[bushing]


def _with(document: Document, owner: Actor, bushings: tuple[Bushing, ...]) -> Document:
    return document if bushings == bushings_of(owner) else document.with_actor(with_bushings(owner, bushings))
