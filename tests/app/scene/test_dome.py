"""The handle of a light: the ball goes with the pointer, over the rim to the other side and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.scene.camera import Bounds, Camera
from app.scene.dome import Dome, angles_of, dome_about
from app.scene.light import direction_of

SIZE = 400.0, 300.0
CAMERA = Camera(orthographic=True, azimuth=0.3, elevation=0.2)
DOME = Dome((0.0, 0.9, 0.0), 0.8)
PIXELS = DOME.radius / CAMERA.metres_per_pixel(np.array(DOME.centre), SIZE)


def test_the_ball_goes_with_the_pointer_on_the_side_where_it_was_taken() -> None:
    for azimuth in (0.2, 0.3 + math.pi):
        key = direction_of(azimuth, 0.5)
        assert DOME.is_hit(key, CAMERA, tuple(CAMERA.project(DOME.place(key), SIZE)[:2].tolist()), SIZE)
        turned = DOME.turned(key, CAMERA, (20.0, -7.0), SIZE)
        gone = (CAMERA.project(DOME.place(turned), SIZE) - CAMERA.project(DOME.place(key), SIZE))[:2]
        assert gone == pytest.approx((20.0, -7.0), abs=1e-6), "[px]"
        assert np.sign(np.dot(turned, CAMERA.axes[2])) == np.sign(np.dot(key, CAMERA.axes[2]))
    assert angles_of(key) == pytest.approx((0.3 - math.pi, 0.5))


def test_beyond_the_rim_it_goes_on_over_the_other_side() -> None:
    right, _, back = CAMERA.axes
    key = tuple((0.6 * right + 0.8 * back).tolist())
    over = DOME.turned(key, CAMERA, (0.6 * PIXELS, 0.0), SIZE)
    assert over == pytest.approx(0.8 * right - 0.6 * back), "as far inside as the pointer is outside, behind"
    assert DOME.turned(key, CAMERA, (9.0 * PIXELS, 0.0), SIZE) == pytest.approx(-back), "no farther than the middle"


def test_a_dome_is_about_what_is_seen_or_about_what_the_view_looks_at() -> None:
    person = Bounds((-0.3, 0.0, -0.2), (0.3, 1.8, 0.2))
    far = Camera(distance=6.0)
    assert dome_about(person, far, SIZE).centre == person.centre
    near = Camera(target=(0.0, 1.7, 0.0), distance=0.6)
    assert dome_about(person, near, SIZE).centre == near.target
    for found in (dome_about(person, near, SIZE), dome_about(None, near, SIZE)):
        assert found.radius < near.half_height
