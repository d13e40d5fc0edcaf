"""The camera's geometry, against closed forms and against itself turned round."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from app.scene.camera import FARTHEST, NEAREST, RIGHT_ANGLE, Bounds, Camera, crop_matrix, wrap
from tests.drawn import given, st

SIZE = (1280.0, 800.0)
LEVEL = Camera(target=(0.0, 1.0, 0.0), distance=5.0)

angles = st.floats(-3.1, 3.1)
cameras = st.builds(
    Camera,
    target=st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.floats(-3, 3)),
    distance=st.floats(0.3, 30),
    azimuth=angles,
    elevation=st.floats(-1.5, 1.5),
    fov=st.floats(0.2, 1.4),
    orthographic=st.booleans(),
)
pixels = st.tuples(st.floats(0, SIZE[0]), st.floats(0, SIZE[1]))


def pixel_of(camera: Camera, point: object) -> np.ndarray:
    return camera.project(np.array(point, dtype=float), SIZE)


def test_front_view_sees_the_face_with_the_figures_left_on_the_right() -> None:
    left, right = pixel_of(LEVEL, (1, 1, 0)), pixel_of(LEVEL, (-1, 1, 0))
    assert left[0] > SIZE[0] / 2 > right[0]
    assert pixel_of(LEVEL, (0, 1, 1))[2] < pixel_of(LEVEL, (0, 1, -1))[2]
    assert LEVEL.eye == pytest.approx([0, 1, 5])


def test_up_is_up_on_screen() -> None:
    assert pixel_of(LEVEL, (0, 2, 0))[1] < SIZE[1] / 2 < pixel_of(LEVEL, (0, 0, 0))[1]


def test_from_above_the_figure_faces_down_the_screen() -> None:
    above = replace(LEVEL, elevation=RIGHT_ANGLE)
    assert pixel_of(above, (0, 1, 1))[1] > SIZE[1] / 2
    assert pixel_of(above, (1, 1, 0))[0] > SIZE[0] / 2


@pytest.mark.parametrize("orthographic", [False, True])
def test_field_of_view_reaches_the_edge_of_the_picture(orthographic: bool) -> None:
    camera = replace(LEVEL, orthographic=orthographic)
    half = 5.0 * math.tan(camera.fov / 2)
    assert pixel_of(camera, (0, 1 + half, 0))[1] == pytest.approx(0.0, abs=1e-9)
    assert pixel_of(camera, (half * 1.6, 1, 0))[0] == pytest.approx(SIZE[0])


@given(cameras, pixels, st.floats(0.1, 20))
def test_a_point_on_the_ray_under_a_pixel_projects_to_that_pixel(
    camera: Camera, pixel: tuple[float, float], along: float
) -> None:
    origin, direction = camera.ray(pixel, SIZE)
    assert np.linalg.norm(direction) == pytest.approx(1.0)
    assert camera.project(origin + along * direction, SIZE)[:2] == pytest.approx(pixel, abs=1e-5)


@given(cameras, st.tuples(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1)))
def test_projecting_agrees_with_the_matrix_that_is_drawn_with(
    camera: Camera, offset: tuple[float, float, float]
) -> None:
    point = np.array(camera.target) + 0.4 * camera.distance * np.array(offset) / math.sqrt(3)
    clip = camera.matrix(SIZE) @ np.array([*point, 1.0])
    x, y = clip[:2] / clip[3]
    assert abs(clip[2] / clip[3]) <= 1.0
    assert camera.project(point, SIZE)[:2] == pytest.approx([(x + 1) / 2 * SIZE[0], (1 - y) / 2 * SIZE[1]], abs=1e-6)


@given(cameras)
def test_the_view_matrix_is_rigid(camera: Camera) -> None:
    rotation = camera.view_matrix[:3, :3]
    assert rotation @ rotation.T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(rotation) == pytest.approx(1.0)


@given(cameras, angles, angles)
def test_orbiting_keeps_target_and_distance_and_stops_at_the_poles(camera: Camera, turn: float, lift: float) -> None:
    turned = camera.orbit(turn, lift)
    assert (turned.target, turned.distance) == (camera.target, camera.distance)
    assert abs(turned.elevation) <= RIGHT_ANGLE
    assert wrap(turned.azimuth - camera.azimuth - turn) == pytest.approx(0.0, abs=1e-9)


@given(cameras, st.floats(-300, 300), st.floats(-300, 300))
def test_the_target_follows_a_pan_pixel_by_pixel(camera: Camera, right: float, down: float) -> None:
    panned = camera.pan((right, down), SIZE)
    moved = panned.project(np.array(camera.target), SIZE)
    assert moved[:2] == pytest.approx([SIZE[0] / 2 + right, SIZE[1] / 2 + down], abs=1e-6)


@given(cameras, pixels, st.floats(0.5, 2.0))
def test_zooming_keeps_what_is_under_the_pointer(camera: Camera, pixel: tuple[float, float], factor: float) -> None:
    origin, direction = camera.ray(pixel, SIZE)
    back = camera.axes[2]
    point = origin + direction * (((np.array(camera.target) - origin) @ back) / (direction @ back))
    zoomed = camera.zoom(factor, pixel, SIZE)
    assert zoomed.distance == pytest.approx(camera.distance * factor)
    assert zoomed.project(point, SIZE)[:2] == pytest.approx(pixel, abs=1e-4)


def test_zooming_in_ends_before_the_target() -> None:
    assert LEVEL.zoom(1e-9).distance == NEAREST


@pytest.mark.parametrize(("distance", "factor"), [(NEAREST, 0.5), (FARTHEST, 2.0)])
def test_at_the_ends_of_the_zoom_the_view_stays_where_it_is(distance: float, factor: float) -> None:
    camera = replace(LEVEL, distance=distance)
    assert camera.zoom(factor, (100.0, 50.0), SIZE) == camera


@given(cameras, st.tuples(*[st.floats(0.1, 3)] * 3))
def test_framing_shows_every_corner_and_wastes_little(camera: Camera, half: tuple[float, float, float]) -> None:
    bounds = Bounds((1 - half[0], 1 - half[1], 1 - half[2]), (1 + half[0], 1 + half[1], 1 + half[2]))
    framed = camera.frame(bounds, SIZE, margin=1.0)
    shown = framed.project(bounds.corners, SIZE)
    assert framed.target == pytest.approx(bounds.centre)
    assert (shown[:, :2] >= -1e-6).all()
    assert (shown[:, 0] <= SIZE[0] + 1e-6).all()
    assert (shown[:, 1] <= SIZE[1] + 1e-6).all()
    margins = np.abs(np.array([shown[:, 0], SIZE[0] - shown[:, 0], shown[:, 1], SIZE[1] - shown[:, 1]]))
    assert margins.min() < 1e-3, "one corner touches the edge"


def test_going_from_one_camera_to_another_takes_the_short_way_round() -> None:
    start, end = replace(LEVEL, azimuth=3.0), replace(LEVEL, azimuth=-3.0, distance=20.0)
    half = start.towards(end, 0.5)
    assert abs(wrap(half.azimuth - math.pi)) < 1e-9
    assert half.distance == pytest.approx(10.0)
    assert start.towards(end, 1.0) is end
    assert start.towards(end, 0.0).eye == pytest.approx(start.eye)


@given(cameras, pixels, st.floats(-6, 6), st.floats(-6, 6))
def test_a_cropped_projection_shows_the_same_pixels_larger(
    camera: Camera, centre: tuple[float, float], right: float, down: float
) -> None:
    origin, direction = camera.ray((centre[0] + right, centre[1] + down), SIZE)
    point = np.array([*(origin + 2.0 * direction), 1.0])
    clip = crop_matrix(centre, 13.0, SIZE) @ camera.matrix(SIZE) @ point
    assert clip[:2] / clip[3] == pytest.approx([right / 6.5, -down / 6.5], abs=1e-4)


def test_metres_per_pixel_grows_with_the_distance_only_in_perspective() -> None:
    near, far = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, -5.0])
    assert LEVEL.metres_per_pixel(far, SIZE) == pytest.approx(LEVEL.metres_per_pixel(near, SIZE) * 10 / 3)
    flat = replace(LEVEL, orthographic=True)
    assert flat.metres_per_pixel(far, SIZE) == flat.metres_per_pixel(near, SIZE)


def test_cameras_survive_a_view_without_size() -> None:
    for camera in (LEVEL, replace(LEVEL, orthographic=True)):
        assert np.isfinite(camera.matrix((0, 0))).all()
        assert np.isfinite(camera.ray((0, 0), (0, 0))[1]).all()


@pytest.mark.parametrize(
    "change",
    [{"distance": math.nan}, {"distance": 0.0}, {"elevation": 4.0}, {"fov": 0.0}, {"target": (0.0, math.inf, 0.0)}],
)
def test_a_camera_that_cannot_be_drawn_with_is_not_sound(change: dict[str, object]) -> None:
    assert LEVEL.is_sound
    assert not replace(LEVEL, **change).is_sound  # type: ignore[arg-type]
