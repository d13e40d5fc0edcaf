"""A soft cube at the end of an arm that turns by its keys."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Capsule, Document, Joint, Key, Layer, Track
from engine.document.figure import Dof, Figure
from engine.document.secondary import Gains, Secondary
from engine.formats.figure_toml import load_figure
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


def reaching(**given: Any) -> Document:
    """An arm of seven joints that swings, with the slab in its hand."""
    figure, held = load_figure("arm7"), flag(young=2e5, stiffness_damping=0.03, density=200.0, window=0.3)
    (body,) = held.parts
    assert isinstance(body, SoftBody)
    (attachment,) = body.attachments
    places = Blob(body.points.array[attachment.points.array] + np.array((0.0, 0.15, 0.0)))
    held = held.with_part(replace(body, attachments=(replace(attachment, places=places, target="arm", joint="j7"),)))
    keys = {
        "j2.lean": ((0.0, 0.3), (0.5, 0.8), (1.0, 0.4)),
        "j4.bend": ((0.0, 0.6), (0.5, 0.9), (1.0, 1.2)),
        "j6.lean": ((0.0, 0.5), (0.5, 0.2), (1.0, 0.6)),
        "j1.turn": ((0.0, 0.0), (1.0, 0.8)),
    }
    tracks = tuple(
        Track(coordinate=name, keys=tuple(Key(round(time * SECOND), value) for time, value in pairs))
        for name, pairs in keys.items()
    )
    gains = Gains(tension=4.0, damping=0.7)
    owner = Actor(
        id="arm", name="Arm", figure=figure, layers=(Layer(id="keys", tracks=tracks),), secondary=Secondary(gains=gains)
    )
    return Document(actors=(owner, held), parts=(PhysicsWorld(ground=False), SoftWorld(**given)))


def waving(*keys: Key, ground: bool = False, step: float = 1.0 / 60.0, **given: Any) -> Document:
    """The arm with the slab on it."""
    options: dict[str, Any] = {"young": 4e4, "stiffness_damping": 0.03, "window": 0.5, **given}
    parts = (PhysicsWorld(ground=ground), SoftWorld(step=step))
    return Document(actors=(arm(*(keys or SWING)), flag(**options)), parts=parts)
