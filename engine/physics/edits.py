"""Edits of physics: the part that an actor takes in the simulation, what the scene has in common, and the baked result.

The first edit gives an actor, or the scene, its part where it has none.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Samples
from engine.document.conformance import given_fields
from engine.edits.find import find_figure, with_baked
from engine.physics.parts import Physics, PhysicsWorld


def set_physics(
    document: Document,
    *,
    actor: str,
    role: str | None = None,
    start: int | None = None,
    follow: float | None = None,
    ratio: float | None = None,
) -> Document:
    """Let an actor fall, roll and collide, or be an obstacle; what is None stays."""
    owner, _ = find_figure(document, actor)
    old = owner.part(Physics) or Physics()
    given = given_fields(Physics, of="physics", role=role, start=start, follow=follow, ratio=ratio)
    return document.with_actor(owner.with_part(replace(old, **given)))


def remove_physics(document: Document, *, actor: str) -> Document:
    """Let an actor follow its keys again; it is an obstacle then."""
    return document.with_actor(document.actor(actor).without_part(Physics))


def set_physics_world(
    document: Document,
    *,
    gravity: float | None = None,
    ground: bool | None = None,
    ground_friction: float | None = None,
    friction: float | None = None,
    step: float | None = None,
    stepper: str | None = None,
) -> Document:
    """Set what all simulated actors have in common; what is None stays."""
    given = given_fields(
        PhysicsWorld, of="physics", gravity=gravity, ground=ground, ground_friction=ground_friction,
        friction=friction, step=step, stepper=stepper,
    )  # fmt: skip
    return document.with_part(replace(document.part(PhysicsWorld) or PhysicsWorld(), **given))


def bake_physics(document: Document, *, actor: str, id: str, samples: Samples, name: str = "Physics") -> Document:
    """Put the simulated motion, as the caller found it, in a layer on top, over its span; the actor is an obstacle
    then, and its locks are muted, which the simulation did not keep."""
    owner, _ = find_figure(document, actor)
    locks = tuple(replace(each, mute=True) for each in owner.locks)
    moved, part = replace(with_baked(owner, samples, id=id, name=name), locks=locks), owner.part(Physics)
    return document.with_actor(moved if part is None else moved.with_part(replace(part, role="obstacle")))
