"""Marks: where they stand, which of them is taken, and where a pull leads them. Then with the real mouse."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.features.locks.view.dragging import lock_pulled_to
from app.scene.camera import Camera, Vector
from app.scene.held_symbols import HELD, _symbol
from app.scene.markers import (
    GRAB,
    Marker,
    PlacedMarker,
    marker_at,
    nearest_on_ray,
    place_markers,
    pulled_to,
)
from app.scene.panes import FRONT, Pane, first_cameras
from app.scene.symbols import BESIDE, placed, symbol_at
from app.scene.visuals.sprites import _cut
from engine.model import LockMark
from tests.app.scene.conftest import Show, pixels
from tests.app.scene.conftest import pixel_of as pixel_on
from tests.app.scene.mannequins import snowman

SIZE = (640.0, 480.0)
CAMERAS = (*first_cameras(), replace(first_cameras()[1], orthographic=True))


def marker(id: str = "tip", **more: object) -> Marker:
    part = snowman().parts[-1]
    return Marker(**{"owner": "snowman", "id": id, "name": id, "part": part, "point": (0.0, 0.1, 0.0), **more})  # type: ignore[arg-type]


def pixel_of(camera: Camera, place: Vector) -> tuple[float, float]:
    x, y, _ = camera.project(np.array(place), SIZE).tolist()
    return (x, y)


def test_a_mark_stands_on_its_body() -> None:
    item = snowman()
    (placed,) = place_markers([marker(owner=item.owner)], [item])
    frame = item.transforms[-1].astype(float)
    assert placed.place == pytest.approx(tuple(frame[:, :3] @ (0.0, 0.1, 0.0) + frame[:, 3]))
    assert place_markers([marker(owner="gone")], [item]) == ()
    assert place_markers([marker(owner=item.owner, part="gone")], [item]) == ()
    assert place_markers([marker(owner=item.owner)], [replace(item, visible=False)]) == ()


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_nearest_mark_within_reach_is_taken(camera: Camera) -> None:
    one, other = PlacedMarker(marker("one"), (0.1, 1.0, 0.2)), PlacedMarker(marker("other"), (0.4, 1.3, 0.5))
    x, y = pixel_of(camera, one.place)
    assert marker_at((one, other), camera, (x + 0.7 * GRAB, y), SIZE) is one
    assert marker_at((one, other), camera, (x, y - GRAB - 1.0), SIZE) is None
    assert marker_at((one, other), camera, pixel_of(camera, other.place), SIZE) is other


def test_of_marks_behind_each_other_the_nearer_one_is_taken() -> None:
    camera = first_cameras()[2]
    back, front = PlacedMarker(marker("back"), (0.0, 1.0, -0.3)), PlacedMarker(marker("front"), (0.0, 1.0, 0.3))
    assert marker_at((back, front), camera, pixel_of(camera, front.place), SIZE) is front


def test_a_minor_mark_yields_to_others_within_reach() -> None:
    camera = first_cameras()[2]
    back = PlacedMarker(marker("back"), (0.0, 1.0, -0.3))
    front = PlacedMarker(replace(marker("front"), minor=True), (0.0, 1.0, 0.3))
    assert marker_at((back, front), camera, pixel_of(camera, front.place), SIZE) is back
    assert marker_at((front,), camera, pixel_of(camera, front.place), SIZE) is front


def test_a_mark_behind_the_eye_is_not_taken() -> None:
    camera = first_cameras()[1]
    behind = PlacedMarker(marker(), tuple((2 * camera.eye - np.array(camera.target)).tolist()))
    assert marker_at((behind,), camera, (SIZE[0] / 2, SIZE[1] / 2), SIZE) is None


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_pull_stays_under_the_pointer_in_the_plane_that_faces_the_camera(camera: Camera) -> None:
    start = (0.2, 1.1, 0.3)
    x, y = pixel_of(camera, start)
    goal = pulled_to(camera, (x + 60.0, y - 25.0), SIZE, start, along_axis=False)
    assert pixel_of(camera, goal) == pytest.approx((x + 60.0, y - 25.0), abs=1e-6)
    assert float((np.array(goal) - start) @ camera.axes[2]) == pytest.approx(0.0, abs=1e-9)
    assert pulled_to(camera, (x, y), SIZE, start, along_axis=False) == pytest.approx(start, abs=1e-9)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_pull_along_an_axis_follows_the_pointer(camera: Camera, axis: int) -> None:
    if abs(camera.axes[2][axis]) > 0.9:
        pytest.skip("the axis is seen end-on")
    start = np.array((0.2, 1.1, 0.3))
    wanted = start + 0.2 * np.eye(3)[axis]
    goal = pulled_to(camera, pixel_of(camera, tuple(wanted.tolist())), SIZE, tuple(start.tolist()), along_axis=True)
    assert goal == pytest.approx(tuple(wanted), abs=1e-6)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_body_that_is_dragged_is_wanted_on_the_ray_where_it_comes_nearest(camera: Camera) -> None:
    place = (0.2, 1.1, 0.3)
    x, y = pixel_of(camera, place)
    assert nearest_on_ray(camera, (x, y), SIZE, place) == pytest.approx(place, abs=1e-9)
    goal = nearest_on_ray(camera, (x + 60.0, y - 25.0), SIZE, place)
    assert pixel_of(camera, goal) == pytest.approx((x + 60.0, y - 25.0), abs=1e-6)
    _, direction = camera.ray((x + 60.0, y - 25.0), SIZE)
    assert float((np.array(goal) - place) @ direction) == pytest.approx(0.0, abs=1e-9)
    depth = float((np.array(goal) - place) @ camera.axes[2])
    assert (abs(depth) < 1e-9) == camera.orthographic, "with perspective it can be pushed and pulled"


def test_a_place_behind_the_eye_is_wanted_before_it() -> None:
    camera = first_cameras()[1]
    behind = tuple((2 * camera.eye - np.array(camera.target)).tolist())
    goal = nearest_on_ray(camera, (300.0, 200.0), SIZE, behind)
    assert float((camera.eye - np.array(goal)) @ camera.axes[2]) > 0.0


def test_a_picture_at_the_edge_of_a_view_is_cut_off_there() -> None:
    pane = Pane(100, 50, 200, 100)
    assert _cut((0, 0, 20, 20), 150, 60, pane) == (0, 0, 20, 20, 150, 60)
    assert _cut((40, 0, 20, 20), 90, 140, pane) == (50, 0, 10, 10, 100, 140)
    assert _cut((0, 0, 20, 20), 70, 60, pane) is None


@pytest.mark.gui
def test_a_goal_that_is_missed_is_shown_with_its_way_and_its_words(show: Show) -> None:
    view = show()
    view.set_markers((marker(),))
    view.set_active(FRONT)
    before = pixels(view.grab_image())
    view.set_markers((marker(pulled=True, goal=(0.5, 1.8, 0.0), missed="missed by 34 mm"),))
    after = pixels(view.grab_image())
    x, y = (round(each) for each in pixel_on(view, FRONT, (0.5, 1.8, 0.0)))
    assert np.abs(after - before)[y - 12 : y + 13, x - 12 : x + 13].max() > 40, "the goal"
    assert np.abs(after - before)[y + 13 : y + 34, x - 30 : x + 30].max() > 40, "by how much"
    x, y = (round(each) for each in pixel_on(view, FRONT, (0.25, 1.7, 0.0)))
    assert np.abs(after - before)[y - 6 : y + 7, x - 6 : x + 7].max() > 40, "the way"


def lock(**more: object) -> LockMark:
    told = {"owner": "snowman", "lock": "lock", "name": "Lock", "part": "tip", "share": 1.0}
    place = {"at": (0.2, 1.0, 0.3), "target": (0.2, 1.0, 0.3)}
    return LockMark(**{**told, **place, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_lock_is_found_at_its_spot_and_at_its_sign_and_is_no_handle(camera: Camera) -> None:
    (found,) = placed((_symbol(lock()),))
    x, y = pixel_of(camera, found.place)
    assert symbol_at((found,), camera, (x, y), SIZE, of=HELD) is found
    assert symbol_at((found,), camera, (x + BESIDE[0], y + BESIDE[1]), SIZE, of=HELD) is found
    assert symbol_at((found,), camera, (x - 3.0 * GRAB, y), SIZE, of=HELD) is None
    assert marker_at((found,), camera, (x, y), SIZE) is None


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_plane_is_pulled_along_its_normal_to_the_point_nearest_to_the_ray(camera: Camera) -> None:
    held = lock(held="plane", normal=(0.0, 0.6, 0.8))
    x, y = pixel_of(camera, held.target)
    found = np.array(lock_pulled_to(held, camera, (x + 40.0, y - 30.0), SIZE, held.target, along_axis=False))
    way = found - held.target
    assert np.linalg.norm(np.cross(way, (0.0, 0.6, 0.8))) < 1e-9
    origin, direction = camera.ray((x + 40.0, y - 30.0), SIZE)

    def apart(share: float) -> float:
        point = np.array(held.target) + share * np.array((0.0, 0.6, 0.8)) - origin
        return float(np.linalg.norm(point - (point @ direction) * direction))

    there = float(way @ (0.0, 0.6, 0.8))
    assert apart(there) <= min(apart(there - 1e-3), apart(there + 1e-3))


def test_a_plane_seen_along_its_normal_stays() -> None:
    camera = first_cameras()[FRONT]
    held = lock(held="plane", normal=(0.0, 0.0, 1.0))
    x, y = pixel_of(camera, held.target)
    assert lock_pulled_to(held, camera, (x + 50.0, y), SIZE, held.target, along_axis=False) == held.target


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_centre_of_mass_stays_at_its_height(camera: Camera) -> None:
    held = lock(held="centre")
    x, y = pixel_of(camera, held.target)
    found = lock_pulled_to(held, camera, (x + 40.0, y - 10.0), SIZE, held.target, along_axis=False)
    assert found[1] == held.target[1]
    assert found != held.target


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_point_is_pulled_to_where_the_ray_is_nearest_to_it(camera: Camera) -> None:
    held = lock()
    x, y = pixel_of(camera, held.target)
    found = np.array(lock_pulled_to(held, camera, (x + 30.0, y + 20.0), SIZE, held.target, along_axis=False))
    assert pixel_of(camera, tuple(found)) == pytest.approx((x + 30.0, y + 20.0), abs=1e-6)
    _, direction = camera.ray((x + 30.0, y + 20.0), SIZE)
    assert abs(float((found - held.target) @ direction)) < 1e-9
