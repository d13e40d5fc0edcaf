"""Edits of measured forces: put, changed, taken away. What is None stays as it is, unless an edit says otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Actor, Document
from engine.document.conformance import given_fields
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.measured_forces.uses import forces_of, with_forces
from engine.runtime.errors import NothingThere, UnknownPart


def put_measured_forces(document: Document, *, actor: str, forces: tuple[MeasuredForce, ...]) -> Document:
    """Put measured forces on bodies of a figure, in place of those of the same ids or behind those that it has."""
    owner = document.actor(actor)
    for each in forces:
        _check_joints(owner, each)
    old = forces_of(owner) or MeasuredForces()
    new = {each.id: each for each in forces}
    kept = tuple(new.pop(each.id, each) for each in old.forces)
    return _with(document, owner, (*kept, *new.values()))


def set_measured_force(
    document: Document,
    *,
    actor: str,
    force: str,
    name: str | None = None,
    joint: str | None = None,
    start: int | None = None,
    frame: str | None = None,
    in_world: bool = False,
    mute: bool | None = None,
) -> Document:
    """Set the name of a measured force, on whose body it acts, when it begins [ticks], in the frame of which joint
    it is given, or, `in_world`, in the world's, and whether it is left out."""
    owner = document.actor(actor)
    old = _one(owner, force)
    given: dict[str, Any] = given_fields(
        MeasuredForce, of="a measured force", name=name, joint=joint, start=start, mute=mute
    )
    if frame is not None or in_world:
        given["frame"] = None if in_world else frame
    new = replace(old, **given)
    _check_joints(owner, new)
    found = forces_of(owner) or MeasuredForces()
    return _with(document, owner, tuple(new if each.id == force else each for each in found.forces))


def set_measured_forces(document: Document, *, actor: str, felt: bool | None = None) -> Document:
    """Set whether a figure feels what was measured on it while it is simulated, in place of the ground."""
    owner = document.actor(actor)
    old = forces_of(owner)
    if old is None:
        raise NothingThere(f"{owner.name} has no measured forces", remedy="Put some on it first")
    given = given_fields(MeasuredForces, of="measured forces", felt=felt)
    new = replace(old, **given)
    return document if new == old else document.with_actor(owner.with_part(new))


def remove_measured_forces(document: Document, *, actor: str, forces: tuple[str, ...] | None = None) -> Document:
    """Take measured forces off a figure; None: all of them."""
    owner = document.actor(actor)
    for each in forces or ():
        _one(owner, each)
    old = forces_of(owner) or MeasuredForces()
    return _with(document, owner, tuple(each for each in old.forces if forces is not None and each.id not in forces))


def _one(owner: Actor, force: str) -> MeasuredForce:
    found = forces_of(owner) or MeasuredForces()
    one = found.of(force)
    if one is None:
        raise UnknownPart(kind="measured force", id=force, known=tuple(each.id for each in found.forces))
    return one


def _check_joints(owner: Actor, force: MeasuredForce) -> None:
    """Refuse a body that the figure has not."""
    for joint in (force.joint, force.frame):
        if joint is not None:
            owner.figure.joint(joint)


def _with(document: Document, owner: Actor, forces: tuple[MeasuredForce, ...]) -> Document:
    old = forces_of(owner) or MeasuredForces()
    return document if old.forces == forces else document.with_actor(with_forces(owner, old, forces))
