"""A soft cube at the end of an arm that turns by its keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Capsule, Document, Joint, Key, Layer, Track
from engine.document.figure import Dof, Figure
from engine.physics.parts import PhysicsWorld
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftAttachment, SoftBody, SoftWorld

SECOND = 705_600_000
SWING = (Key(0, 0.0), Key(SECOND // 2, 0.8), Key(SECOND, -0.4), Key(3 * SECOND // 2, 0.3))


def arm(*keys: Key) -> Actor:
    """A bone that turns about z."""
    hinge = Dof(id="turn", name="Turn", kind="hinge", axis=(0.0, 0.0, 1.0))
    shape = Capsule(start=(0.0, 0.0, 0.0), end=(0.2, 0.0, 0.0), radius=0.02)
    figure = Figure(name="Arm", joints=(Joint(id="arm", name="Arm", dofs=(hinge,), shapes=(shape,)),))
    return Actor(
        id="arm", name="Arm", figure=figure, layers=(Layer(id="keys", tracks=(Track(coordinate="turn", keys=keys),)),)
    )


def flag(*, stepped: str = "over_window", hold: str = "hard", **given: Any) -> Actor:
    """A soft slab of 0.2 x 0.1 x 0.05 m, held by its left side."""
    made = soft_actor("flag", "Flag", soft_box((0.2, 0.1, 0.05), (4, 2, 1), **given), position=(0.3, 0.0, 0.0))
    (body,) = made.parts
    assert isinstance(body, SoftBody)
    side = np.flatnonzero(body.points.array[:, 0] < -0.099).astype(np.int32)
    places = Blob(body.points.array[side] + np.array((0.3, 0.0, 0.0)))
    attachment = SoftAttachment(
        id="held", points=Blob(side), places=places, target="arm", joint="arm", hold=hold, tension=30.0
    )
    return made.with_part(replace(body, attachments=(attachment,), stepped=stepped))


def waving(*keys: Key, ground: bool = False, step: float = 1.0 / 60.0, **given: Any) -> Document:
    """The arm with the slab on it."""
    options = {"young": 4e4, "stiffness_damping": 0.03, "window": 0.5, **given}
    parts = (PhysicsWorld(ground=ground), SoftWorld(step=step))
    return Document(actors=(arm(*(keys or SWING)), flag(**options)), parts=parts)
