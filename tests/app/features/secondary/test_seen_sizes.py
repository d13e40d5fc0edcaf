"""What a motion of a joint is in the world is asked of the body that is seen, not of a ghost that stands before it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from app.features.secondary.view.seen_sizes import seen_sizes
from app.scene.camera import Camera
from engine.document import Actor, Box, Document, Dof, Figure, Joint
from engine.evaluate import rest_snapshot

TURN = Dof(id="post.turn", name="Turn")
SHAPE = Box(half=(1e-5, 0.25, 1e-5), centre=(0.0, 0.25, 0.0))


def test_a_ghost_that_comes_first_is_passed_over() -> None:
    lower = Joint(id="rod", name="Rod", parent="post", offset=(0.0, 1.0, 0.0), shapes=(SHAPE,))
    figure = Figure(name="Arm", joints=(Joint(id="post", name="Post", dofs=(TURN,)), lower))
    document = Document(actors=(Actor(id="arm", name="Arm", figure=figure),))
    snapshot = rest_snapshot(document)
    (body,) = snapshot.bodies
    far = body.transforms.copy()
    far[1, 1, 3] += 7.0
    ghost = replace(body, role="ghost", transforms=far)
    session: Any = SimpleNamespace(document=document, snapshot=replace(snapshot, items=(ghost, body)))
    viewport: Any = SimpleNamespace(active="free", cameras={"free": Camera()}, size_of=lambda view: (800.0, 600.0))
    found = {part: turn for part, turn, _ in seen_sizes(viewport, session, "arm", pixels=False)}
    assert found["post"] == pytest.approx(1.5, abs=1e-4)
