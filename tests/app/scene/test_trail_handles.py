"""Handles of trails: where they are seen and taken, also where they would lie on their key."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene.camera import Camera, Vector
from app.scene.panes import first_cameras
from app.scene.trail_handles import BESIDE, TAKEN, TrailHandle, handle_at, handle_pixel

SIZE = (640.0, 480.0)
CAMERAS = (*first_cameras(), replace(first_cameras()[1], orthographic=True))
FAR = TrailHandle(key=(0.0, 1.0, 0.0), place=(0.5, 1.6, 0.4), way=(0.1, 1.1, 0.1), side="out")
NEAR = replace(FAR, place=FAR.key)


def pixel_of(camera: Camera, place: Vector) -> tuple[float, float]:
    x, y, _ = camera.project(np.array(place), SIZE).tolist()
    return (x, y)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_handle_is_seen_where_it_stands(camera: Camera) -> None:
    assert handle_pixel(FAR, camera, SIZE) == pytest.approx(pixel_of(camera, FAR.place))


@pytest.mark.parametrize("camera", CAMERAS)
def test_one_on_its_key_is_seen_beside_it_where_the_trail_goes(camera: Camera) -> None:
    seen = np.array(handle_pixel(NEAR, camera, SIZE))
    key, way = np.array(pixel_of(camera, NEAR.key)), np.array(pixel_of(camera, NEAR.way))
    assert float(np.hypot(*(seen - key))) == pytest.approx(BESIDE)
    assert float((seen - key) @ (way - key)) == pytest.approx(BESIDE * float(np.hypot(*(way - key))))


def test_of_a_trail_that_stands_still_one_is_seen_at_the_left_and_one_at_the_right() -> None:
    camera, key = CAMERAS[2], pixel_of(CAMERAS[2], NEAR.key)
    still = replace(NEAR, way=NEAR.key)
    assert handle_pixel(still, camera, SIZE) == pytest.approx((key[0] + BESIDE, key[1]))
    assert handle_pixel(replace(still, side="in"), camera, SIZE) == pytest.approx((key[0] - BESIDE, key[1]))


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_nearest_handle_within_reach_is_taken(camera: Camera) -> None:
    x, y = pixel_of(camera, FAR.place)
    assert handle_at((NEAR, FAR), camera, (x + 0.7 * TAKEN, y), SIZE) == 1
    assert handle_at((NEAR, FAR), camera, (x, y + 1.1 * TAKEN), SIZE) is None
    assert handle_at((), camera, (x, y), SIZE) is None


def test_behind_the_eye_there_is_none() -> None:
    camera = first_cameras()[1]
    x, y, z = (2 * camera.eye - np.array(camera.target)).tolist()
    behind = replace(FAR, place=(x, y, z))
    assert handle_pixel(behind, camera, SIZE) is None
    assert handle_at((behind,), camera, (320.0, 240.0), SIZE) is None
