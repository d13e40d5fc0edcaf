"""What a radian of a joint is on the screen: against a projection of the turned point, done by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from app.scene.arcs import arcs_of
from app.scene.camera import Camera
from engine.document import Actor, Box, Document, Dof, Figure, Joint
from engine.evaluate import rest_snapshot
from engine.model import Bodies

SIZE = (800.0, 600.0)
CAMERA = Camera(target=(0.0, 0.5, 0.0), distance=4.0, fov=math.radians(32.0))
PARENTS = {"upper": None, "lower": "upper", "side": "upper"}


def arm() -> Bodies:
    """A post of a metre, a rod of half a metre on it, and something without a shape."""
    upper = Joint(id="upper", name="Upper", dofs=(Dof(id="upper.turn", name="Turn"),))
    shapes = (Box(half=(1e-5, 0.25, 1e-5), centre=(0.0, 0.25, 0.0)),)
    lower = Joint(id="lower", name="Lower", parent="upper", offset=(0.0, 1.0, 0.0), shapes=shapes)
    side = Joint(id="side", name="Side", parent="upper", offset=(0.2, 0.0, 0.0))
    figure = Figure(name="Arm", joints=(upper, lower, side))
    return rest_snapshot(Document(actors=(Actor(id="arm", name="Arm", figure=figure),))).bodies[0]


def test_in_the_world_an_arc_is_as_long_as_the_way_to_the_farthest_point() -> None:
    found = {part: (turn, slide) for part, turn, slide in arcs_of(arm(), PARENTS, None, SIZE)}
    assert found["upper"] == pytest.approx((1.5, 1.0), abs=1e-4)
    assert found["lower"] == pytest.approx((0.5, 1.0), abs=1e-4)
    assert found["side"] == pytest.approx((0.0, 1.0), abs=1e-4)


@pytest.mark.parametrize("orthographic", [False, True])
def test_on_the_screen_it_is_what_a_small_turn_square_to_the_view_moves_the_tip(orthographic: bool) -> None:
    camera = replace(CAMERA, orthographic=orthographic)
    found = {part: turn for part, turn, _ in arcs_of(arm(), PARENTS, camera, SIZE)}
    angle = 1e-5
    for part, length in (("upper", 1.5), ("lower", 0.5)):
        foot = np.array([0.0, 1.5 - length, 0.0])
        tip = foot + np.array([0.0, length, 0.0])
        turned = foot + length * np.array([math.sin(angle), math.cos(angle), 0.0])  # about the axis of the view
        (x, y, _), (u, v, _) = camera.project(np.array([tip, turned]), SIZE)
        assert found[part] == pytest.approx(math.hypot(u - x, v - y) / angle, rel=1e-3)


def test_a_slide_by_a_metre_is_so_many_pixels_at_the_depth_of_what_it_moves() -> None:
    near = replace(CAMERA, target=(0.0, 1.25, 0.0))
    (slide,) = (slide for part, _, slide in arcs_of(arm(), PARENTS, near, SIZE) if part == "lower")
    (x, _, _), (u, _, _) = near.project(np.array([[0.0, 1.25, 0.0], [1e-4, 1.25, 0.0]]), SIZE)
    assert slide == pytest.approx((u - x) / 1e-4, rel=1e-3)


def test_from_twice_as_far_it_is_half_as_large() -> None:
    far = replace(CAMERA, distance=8.0)
    cameras = (CAMERA, far)
    near, halved = ({part: turn for part, turn, _ in arcs_of(arm(), PARENTS, each, SIZE)} for each in cameras)
    assert halved["upper"] == pytest.approx(0.5 * near["upper"], rel=1e-5)
