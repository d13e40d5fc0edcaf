"""Panes, gestures, picks, boxes and colours: what the viewport computes without a window."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import Qt

from app.scene.camera import Camera
from app.scene.extent import bounds_of
from app.scene.look import Look, contrast, rgb
from app.scene.navigation import BLENDER, INDUSTRY, CameraDrag, motion_for, wheel_zoom
from app.scene.panes import DIRECTIONS, PERSPECTIVE, divide, first_cameras, view_name
from app.scene.picks import Facets, nearest_number, ray_triangles
from app.scene.probe import Graphics, judge
from tests.app.scene.mannequins import bodies, ellipsoids, snowman

LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
PLAIN, ALT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.AltModifier
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.mark.parametrize("size", [(1280, 800), (1281, 801), (7, 5), (1, 1)])
def test_four_views_fill_the_canvas_but_for_the_gaps(size: tuple[int, int]) -> None:
    panes = divide(*size, None, 2)
    assert sorted(panes) == [0, 1, 2, 3]
    assert all(pane.width > 0 and pane.height > 0 for pane in panes.values())
    if min(size) > 4:
        assert panes[0].width + 2 + panes[1].width == size[0]
        assert panes[0].height + 2 + panes[2].height == size[1]
        owners = [[view for view in panes if panes[view].holds(x, y)] for x in range(size[0]) for y in range(5)]
        assert all(len(found) <= 1 for found in owners)


def test_a_maximised_view_has_the_whole_canvas() -> None:
    assert divide(300, 200, 2, 2) == {2: divide(300, 200, 2, 2)[2]}
    assert divide(300, 200, 2, 2)[2].size == (300, 200)


def test_views_are_named_after_what_they_show() -> None:
    assert [view_name(camera) for camera in first_cameras()] == ["Top", "Perspective", "Front", "Right"]
    assert view_name(Camera(azimuth=0.3, orthographic=True)) == "Orthographic"
    assert view_name(Camera(azimuth=-math.pi, orthographic=True)) == "Back"


def test_right_is_where_the_eye_of_a_person_who_faces_the_figure_would_go() -> None:
    azimuth, elevation = DIRECTIONS["Right"]
    assert Camera(azimuth=azimuth, elevation=elevation).axes[2] == pytest.approx([1, 0, 0])


@pytest.mark.parametrize(
    ("button", "modifiers", "perspective", "flat"),
    [
        (MIDDLE, PLAIN, "orbit", "pan"),
        (MIDDLE, SHIFT, "pan", "pan"),
        (MIDDLE, CONTROL, "zoom", "zoom"),
        (LEFT, ALT, "orbit", "orbit"),
        (MIDDLE, ALT, "pan", "pan"),
        (RIGHT, ALT, "zoom", "zoom"),
        (LEFT, PLAIN, None, None),
        (RIGHT, PLAIN, None, None),
    ],
)
def test_buttons_move_the_camera(
    button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, perspective: str | None, flat: str | None
) -> None:
    top, free, *_ = first_cameras()
    assert motion_for(button, modifiers, free, INDUSTRY) == perspective
    assert motion_for(button, modifiers, top, INDUSTRY) == flat


@pytest.mark.parametrize(
    ("button", "modifiers", "wanted"),
    [
        (MIDDLE, PLAIN, "orbit"),
        (MIDDLE, SHIFT, "pan"),
        (MIDDLE, CONTROL, "zoom"),
        (LEFT, ALT, None),
        (RIGHT, ALT, None),
        (LEFT, PLAIN, None),
    ],
)
def test_in_blenders_keymap_the_middle_button_alone_moves_the_camera(
    button: Qt.MouseButton, modifiers: Qt.KeyboardModifier, wanted: str | None
) -> None:
    for camera in first_cameras():
        assert motion_for(button, modifiers, camera, BLENDER) == wanted


def test_a_drag_that_returns_brings_the_camera_back() -> None:
    camera = first_cameras()[PERSPECTIVE]
    for motion in ("orbit", "pan", "zoom"):
        drag = CameraDrag(motion, camera, (100.0, 100.0), (640.0, 400.0))
        assert drag.at(180.0, 60.0) != camera
        assert drag.at(100.0, 100.0).eye == pytest.approx(camera.eye)


def test_dragging_to_the_right_shows_more_of_the_left() -> None:
    drag = CameraDrag("orbit", Camera(), (0.0, 0.0), (640.0, 400.0))
    assert drag.at(50.0, 0.0).eye[0] < 0.0
    assert drag.at(0.0, 50.0).eye[1] > Camera().eye[1]


def test_the_wheel_turned_away_brings_nearer_and_back_again() -> None:
    near = wheel_zoom(Camera(), 120.0, (10.0, 10.0), (640.0, 400.0))
    assert near.distance < Camera().distance
    assert wheel_zoom(near, -120.0, (10.0, 10.0), (640.0, 400.0)).eye == pytest.approx(Camera().eye)


def test_the_nearest_number_within_reach_wins() -> None:
    numbers = np.zeros((13, 13), dtype=np.int64)
    assert nearest_number(numbers, 6) is None
    numbers[0, 0] = 9
    assert nearest_number(numbers, 6) is None, "a corner is farther than six pixels"
    numbers[6, 11], numbers[3, 6] = 4, 7
    assert nearest_number(numbers, 6) == (7, 6, 3)
    numbers[6, 6] = 5
    assert nearest_number(numbers, 6) == (5, 6, 6)


def test_a_ray_meets_the_first_of_the_triangles_from_either_side() -> None:
    square = np.array([[[-1.0, -1, 0], [1, -1, 0], [1, 1, 0]], [[-1.0, -1, 0], [1, 1, 0], [-1, 1, 0]]])
    corners = np.concatenate((square, square - [0, 0, 3]))
    towards = np.array([0.0, 0.0, -1.0])
    assert ray_triangles(np.array([0.2, 0.1, 5.0]), towards, corners) == pytest.approx(5.0)
    assert ray_triangles(np.array([0.2, 0.1, -9.0]), -towards, corners) == pytest.approx(6.0)
    assert ray_triangles(np.array([1.2, 0.1, 5.0]), towards, corners) is None


def test_a_ray_meets_the_same_where_far_triangles_are_not_tried() -> None:
    rng = np.random.default_rng(3)
    corners = rng.normal(size=(300, 1, 3)) + 0.2 * rng.normal(size=(300, 3, 3))
    facets, hits = Facets(corners), 0
    for place, aim in zip(rng.normal(size=(100, 3)), rng.normal(size=(100, 3)), strict=True):
        found = ray_triangles(5.0 * place, aim - 5.0 * place, corners)
        hits += found is not None
        assert facets.meet(5.0 * place, aim - 5.0 * place) == (None if found is None else pytest.approx(found))
    assert 10 < hits < 100


def test_the_box_about_bodies_is_theirs() -> None:
    item = snowman(x=2.0)
    whole = bounds_of([item])
    assert whole is not None
    assert whole.lower == pytest.approx((1.6, 0.0, -0.4), abs=1e-5)
    assert whole.upper == pytest.approx((2.4, 1.7, 0.4), abs=1e-5)
    head = bounds_of([item], frozenset([("snowman", "high")]))
    assert head is not None
    assert head.lower[1] == pytest.approx(1.3, abs=1e-5)
    assert bounds_of([item], frozenset([("someone else", "high")])) is None
    assert bounds_of([]) is None


def test_the_box_turns_with_the_body() -> None:
    item = bodies("long", ellipsoids([(1.0, 0.1, 0.1)]), ["long"], [(0.0, 0.0, 0.0)])
    item.transforms[0, :, :3] = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    box = bounds_of([item])
    assert box is not None
    assert box.upper == pytest.approx((0.1, 1.0, 0.1), abs=1e-5)


def test_text_in_the_view_is_readable() -> None:
    look = Look()
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    for ground in (look.view_top, look.view_bottom):
        assert contrast(look.text, ground) >= 4.5
        assert contrast(look.text_quiet, ground) >= 4.5


def test_a_colour_is_six_digits() -> None:
    assert rgb("#ff0080") == (1.0, 0.0, 128 / 255)
    with pytest.raises(ValueError, match="allowed"):
        rgb("red")


@pytest.mark.parametrize(
    ("renderer", "software"),
    [("llvmpipe (LLVM 15.0.6, 256 bits)", True), ("softpipe", True), ("NVIDIA GeForce RTX 4090", False)],
)
def test_software_renderers_are_known(renderer: str, software: bool) -> None:
    assert Graphics("", renderer, "4.5").is_software is software


@pytest.mark.parametrize("version", ["1.4 Mesa", "2.0", "OpenGL ES 3.2", ""])
def test_an_opengl_that_is_too_old_is_refused_in_words(version: str) -> None:
    assert isinstance(judge(Graphics("", "Old", version)), str)


@pytest.mark.parametrize("version", ["2.1 Mesa 20", "4.5 (Compatibility Profile) Mesa 22.3.6", "10.0"])
def test_a_sufficient_opengl_is_taken(version: str) -> None:
    assert isinstance(judge(Graphics("", "New", version)), Graphics)
