"""Where reference pictures stand in the views."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene.camera import Camera
from app.scene.panes import DIRECTIONS
from app.scene.planes import Plane, hangs_in, rectangle

SIZE = (640.0, 480.0)
PLANE = Plane(
    image="a", pixels=np.zeros((1, 1, 4), dtype=np.uint8), facing="front", size=2.0, aspect=0.5, centre=(0.3, 1.0),
    opacity=1.0, in_front=False,
)  # fmt: skip


@pytest.mark.parametrize("name", DIRECTIONS)
def test_a_plane_hangs_in_the_views_of_its_direction_alone(name: str) -> None:
    azimuth, elevation = DIRECTIONS[name]
    camera = Camera(azimuth=azimuth, elevation=elevation, orthographic=True)
    assert hangs_in(replace(PLANE, facing=name.lower()), camera)
    assert not hangs_in(replace(PLANE, facing="perspective"), camera)
    assert not hangs_in(replace(PLANE, facing=name.lower()), replace(camera, azimuth=azimuth + 0.1))
    assert hangs_in(PLANE, camera) == (name == "Front")
    assert not hangs_in(replace(PLANE, facing=name.lower()), replace(camera, orthographic=False))


def test_a_plane_without_perspective_is_as_large_as_a_thing_of_its_size_wherever_the_view_looks() -> None:
    camera = Camera(target=(0.2, 0.7, 5.0), distance=3.0, orthographic=True)
    left, bottom, right, top = rectangle(PLANE, camera, SIZE)
    corners = camera.project(np.array([[0.3 - 0.5, 0.0, 0.0], [0.3 + 0.5, 2.0, 0.0]]), SIZE)
    seen = [(left + 1) / 2 * SIZE[0], (1 - bottom) / 2 * SIZE[1], (right + 1) / 2 * SIZE[0], (1 - top) / 2 * SIZE[1]]
    assert seen == pytest.approx([*corners[0, :2], *corners[1, :2]])


def test_a_plane_of_the_perspective_view_stays_where_it_is_however_the_camera_moves() -> None:
    plane = replace(PLANE, facing="perspective", size=1.0, centre=(0.0, 0.25))
    first = rectangle(plane, Camera(), SIZE)
    assert first == rectangle(plane, Camera(azimuth=1.0, distance=9.0), SIZE)
    assert first[1::2] == pytest.approx((-0.5, 1.5)), "as high as the view, a quarter of it up"
    assert first[2] - first[0] == pytest.approx(0.5 * SIZE[1] / SIZE[0] * 2.0)
