"""The manipulator's geometry: what is hit, and what a pull from one pixel to another means, against closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from app.scene.camera import RIGHT_ANGLE, Camera, Vector, vector
from app.scene.look import Look
from app.scene.manipulator import (
    AXES,
    FINE,
    MOVES,
    PLANES,
    TURNS,
    Finger,
    Manipulator,
    Part,
    Pull,
    Shown,
    arm_of,
    part_at,
    shift,
    snapped,
    strokes,
    taken_at,
    to_eye,
    turn,
)
from app.scene.panes import first_cameras
from app.scene.visuals.manipulator import rows_of
from engine.maths.arrays import Array

SIZE = (640.0, 480.0)
OBLIQUE = Camera(target=(0.2, 1.0, 0.1), distance=3.0, azimuth=0.6, elevation=0.35)
CAMERAS = (OBLIQUE, replace(OBLIQUE, orthographic=True), replace(OBLIQUE, azimuth=-2.3, elevation=-0.5))
ORIGIN = (0.3, 1.1, 0.2)
TILTED = tuple(
    vector(row) for row in np.linalg.qr(np.array([[1.0, 0.3, -0.2], [-0.2, 1.0, 0.4], [0.1, -0.3, 1.0]]))[0].T
)
MOVE = Manipulator(kind="move", origin=ORIGIN, axes=TILTED)  # type: ignore[arg-type]
ROTATE = Manipulator(kind="rotate", origin=ORIGIN, axes=TILTED, parts=TURNS)  # type: ignore[arg-type]


def pixel(camera: Camera, place: Array) -> tuple[float, float]:
    x, y, _ = camera.project(place, SIZE).tolist()
    return (x, y)


def on_ring(camera: Camera, manipulator: Manipulator, number: int, angle: float = 0.0) -> Array:
    """A point of a ring, from its point nearest to the eye on."""
    axis, facing = np.array(manipulator.axes[number]), to_eye(camera, manipulator.origin)
    near = facing - (facing @ axis) * axis
    near /= np.linalg.norm(near)
    way = math.cos(angle) * near + math.sin(angle) * np.cross(axis, near)
    return np.asarray(np.array(manipulator.origin) + arm_of(camera, manipulator.origin, SIZE) * way)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_arrows_squares_and_rings_are_hit_where_they_stand(camera: Camera, number: int) -> None:
    arm, origin = arm_of(camera, ORIGIN, SIZE), np.array(ORIGIN)
    axes = np.array(TILTED)
    if np.linalg.norm(np.cross(axes[number], to_eye(camera, ORIGIN))) > 0.5:
        assert part_at(MOVE, camera, pixel(camera, origin + 0.9 * arm * axes[number]), SIZE) == AXES[number]
    assert part_at(MOVE, camera, pixel(camera, origin), SIZE) == "view"
    assert part_at(ROTATE, camera, pixel(camera, on_ring(camera, ROTATE, number, 0.3)), SIZE) is not None
    assert part_at(MOVE, camera, (5.0, 5.0), SIZE) is None


def test_the_middle_of_a_square_is_the_square() -> None:
    arm, axes = arm_of(OBLIQUE, ORIGIN, SIZE), np.eye(3)
    manipulator = replace(MOVE, axes=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))
    for number, part in enumerate(PLANES):
        middle = np.array(ORIGIN) + 0.45 * arm * (axes[(number + 1) % 3] + axes[(number + 2) % 3])
        assert part_at(manipulator, OBLIQUE, pixel(OBLIQUE, middle), SIZE) == part


def test_the_back_half_of_a_ring_is_neither_seen_nor_hit() -> None:
    back = pixel(OBLIQUE, on_ring(OBLIQUE, ROTATE, 1, math.pi))
    assert part_at(ROTATE, OBLIQUE, back, SIZE) == "free", "the ball inside is"
    (ring,) = [each for each in strokes(ROTATE, OBLIQUE, SIZE) if each.part == "y"]
    assert np.hypot(*(ring.points - back).T).min() > 10.0


@pytest.mark.parametrize("camera", CAMERAS)
def test_an_arrow_is_as_long_on_the_screen_wherever_it_stands(camera: Camera) -> None:
    right, _, back = camera.axes
    for far in (1e-2, 1.0, 400.0):
        near = replace(camera, distance=far)
        for depth in (0.5, 0.0, -3.0):
            place = np.array(near.target) + depth * far * back
            arm = arm_of(near, vector(place), SIZE)
            ends = near.project(np.array((place, place + arm * right)), SIZE)
            assert np.hypot(*(ends[1] - ends[0])[:2]) == pytest.approx(88.0, abs=1e-6)


def test_behind_the_eye_there_is_nothing() -> None:
    behind = vector(OBLIQUE.eye + OBLIQUE.axes[2])
    for manipulator in (
        replace(MOVE, origin=behind),
        replace(ROTATE, origin=behind),
        replace(MOVE, origin=vector(OBLIQUE.eye)),
    ):
        assert strokes(manipulator, OBLIQUE, SIZE) == ()
        assert part_at(manipulator, OBLIQUE, (320.0, 240.0), SIZE) is None
        assert len(rows_of(Shown(manipulator=manipulator), OBLIQUE, SIZE, 1.0, Look())) == 0


def test_what_is_seen_end_on_fades_and_is_not_taken() -> None:
    camera = Camera(target=ORIGIN, distance=3.0, orthographic=True)
    manipulator = Manipulator(kind="move", origin=ORIGIN)
    seen = {(each.part, each.filled): each.seen for each in strokes(manipulator, camera, SIZE)}
    assert seen["z", False] == seen["xy", True] - 1.0 == seen["yz", True] == 0.0
    parts = {
        part_at(manipulator, camera, (320.0 + x, 240.0 + y), SIZE)
        for x in range(-99, 100, 3)
        for y in range(-99, 100, 3)
    }
    assert parts == {None, "x", "y", "view", "xy"}


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_pull_along_an_axis_moves_as_far_as_the_pointer(camera: Camera, number: int) -> None:
    axis = np.array(TILTED)[number]
    if np.linalg.norm(np.cross(axis, to_eye(camera, ORIGIN))) < 0.3:
        pytest.skip("seen end-on")
    start = np.array(ORIGIN) + 0.07 * axis
    found = shift(MOVE, AXES[number], camera, SIZE, pixel(camera, start), pixel(camera, start + 0.2 * axis))
    assert found == pytest.approx(tuple(0.2 * np.eye(3)[number]), abs=1e-9)


@pytest.mark.parametrize("camera", CAMERAS)
def test_a_pull_over_a_plane_stays_in_it_and_under_the_pointer(camera: Camera) -> None:
    axes, start = np.array(TILTED), np.array(ORIGIN)
    for number, part in enumerate(PLANES):
        way = 0.05 * axes[(number + 1) % 3] - 0.03 * axes[(number + 2) % 3]
        if abs(float(axes[number] @ to_eye(camera, ORIGIN))) > 0.2:
            found = shift(MOVE, part, camera, SIZE, pixel(camera, start), pixel(camera, start + way))
            assert found == pytest.approx(tuple(axes @ way), abs=1e-9)
    x, y = pixel(camera, start)
    found = shift(MOVE, "view", camera, SIZE, (x, y), (x + 31.0, y - 12.0))
    assert found is not None
    moved = np.array(found) @ axes
    assert pixel(camera, start + moved) == pytest.approx((x + 31.0, y - 12.0), abs=1e-6)
    assert moved @ camera.axes[2] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("camera", CAMERAS)
@pytest.mark.parametrize("number", [0, 1, 2])
@pytest.mark.parametrize("angle", [0.4, -0.9])
def test_a_ring_turns_by_the_angle_that_the_pointer_went_along_it(camera: Camera, number: int, angle: float) -> None:
    axis = np.array(TILTED)[number]
    if abs(float(axis @ to_eye(camera, ORIGIN))) < 0.2:
        pytest.skip("seen edge-on")
    ends = [pixel(camera, on_ring(camera, ROTATE, number, each)) for each in (0.1, 0.1 + angle)]
    found = turn(ROTATE, AXES[number], camera, SIZE, ends[0], ends[1])
    assert found is not None
    assert found[0] == pytest.approx(tuple(axis))
    assert found[1] == pytest.approx(angle, abs=1e-9)
    first = np.array(taken_at(ROTATE, vector(axis), camera, SIZE, ends[0]))
    arm = arm_of(camera, ORIGIN, SIZE)
    assert np.array(ORIGIN) + arm * first == pytest.approx(on_ring(camera, ROTATE, number, 0.1), abs=1e-9)


def test_a_ring_seen_edge_on_turns_along_its_line() -> None:
    camera = Camera(target=ORIGIN, distance=3.0, orthographic=True)
    manipulator = Manipulator(kind="rotate", origin=ORIGIN, parts=TURNS)
    found = turn(manipulator, "y", camera, SIZE, (320.0, 240.0), (342.0, 240.0))
    assert found is not None
    assert (*found[0], found[1]) == pytest.approx((0.0, 1.0, 0.0, 22.0 / 88.0), rel=1e-3)
    assert part_at(manipulator, camera, (350.0, 240.0), SIZE) == "y"


def test_whole_turns_are_counted() -> None:
    camera = replace(OBLIQUE, elevation=1.0)
    angle, before = 0.0, pixel(camera, on_ring(camera, ROTATE, 1, 0.0))
    for step in range(1, 90):
        now = pixel(camera, on_ring(camera, ROTATE, 1, 0.1 * step))
        found = turn(ROTATE, "y", camera, SIZE, before, now, angle)
        assert found is not None
        angle = found[1]
    assert angle == pytest.approx(8.9, abs=1e-9)


@pytest.mark.parametrize("camera", CAMERAS)
def test_the_outer_ring_turns_about_the_line_of_sight_and_the_ball_about_the_picture(camera: Camera) -> None:
    manipulator = replace(ROTATE, origin=camera.target)
    found = turn(manipulator, "view", camera, SIZE, (420.0, 240.0), (320.0, 140.0))
    assert found is not None
    assert found[0] == pytest.approx(tuple(to_eye(camera, camera.target)))
    assert found[1] == pytest.approx(0.5 * math.pi)
    right = turn(manipulator, "free", camera, SIZE, (300.0, 200.0), (344.0, 200.0))
    down = turn(manipulator, "free", camera, SIZE, (300.0, 200.0), (300.0, 244.0))
    assert right is not None
    assert down is not None
    assert (*right[0], right[1]) == pytest.approx((*camera.axes[1], 0.5))
    assert (*down[0], down[1]) == pytest.approx((*camera.axes[0], 0.5))
    assert turn(manipulator, "free", camera, SIZE, (300.0, 200.0), (300.0, 200.0)) == (tuple(camera.axes[1]), 0.0)


def test_where_the_ray_meets_nothing_there_is_no_answer_and_never_a_number_that_is_none() -> None:
    level = Camera(target=(0.0, 1.0, 0.0), distance=2.0)
    floor = Manipulator(kind="move", origin=(0.0, 0.7, 0.0))
    start = pixel(level, np.array((0.0, 0.7, 0.5)))
    assert shift(floor, "zx", level, SIZE, start, (320.0, 100.0)) is None, "above the horizon"
    assert shift(floor, "z", level, SIZE, start, (320.0, 300.0)) is not None
    assert shift(floor, "z", level, SIZE, start, (320.0, 240.0)) is None, "where the axis meets the horizon"
    parts: tuple[Part, ...] = ("x", "y", "z", "yz", "zx", "xy", "view", "free")
    for camera in (*CAMERAS, *first_cameras(), replace(level, elevation=RIGHT_ANGLE), replace(level, distance=0.02)):
        for manipulator, known in ((floor, MOVES), (replace(floor, kind="rotate", origin=camera.target), TURNS)):
            for part in (each for each in parts if each in known):
                for now in ((320.0, 240.0), (-5000.0, 9000.0), (0.0, 0.0), (1e6, -1e6)):
                    move = shift(manipulator, part, camera, SIZE, (320.0, 240.0), now) if known is MOVES else None
                    round = turn(manipulator, part, camera, SIZE, (320.0, 240.0), now) if known is TURNS else None
                    numbers = (*(move or ()), *((*round[0], round[1]) if round else ()))
                    assert all(map(math.isfinite, numbers))


def test_fine_counts_a_tenth_from_where_it_begins_and_never_jumps() -> None:
    finger = Finger((100.0, 50.0))
    assert finger.at((120.0, 50.0), fine=False) == (120.0, 50.0)
    assert finger.at((120.0, 50.0), fine=True) == (120.0, 50.0)
    assert finger.at((140.0, 30.0), fine=True) == (120.0 + FINE * 20.0, 50.0 - FINE * 20.0)
    assert finger.at((140.0, 30.0), fine=False) == (122.0, 48.0)
    assert finger.at((150.0, 30.0), fine=False) == (132.0, 48.0)


def test_snapping_goes_to_the_nearest_step_from_where_it_is_counted() -> None:
    assert snapped(math.radians(32.4), math.radians(5.0)) == pytest.approx(math.radians(30.0))
    assert snapped(0.234, 0.01) == pytest.approx(0.23)
    assert snapped(0.234, 0.0) == 0.234
    assert 0.133 + snapped(0.234, 0.05, origin=0.133) == pytest.approx(0.35), "the place lands on the grid"


@pytest.mark.parametrize("manipulator", [MOVE, ROTATE])
def test_the_part_under_the_pointer_is_drawn_unlike_the_others(manipulator: Manipulator) -> None:
    drawn = {
        hot: rows_of(Shown(manipulator=manipulator, hot=hot), OBLIQUE, SIZE, 1.0, Look()).tobytes()
        for hot in (None, *AXES)
    }
    assert len(set(drawn.values())) == len(drawn)


@pytest.mark.parametrize("camera", [*CAMERAS, *first_cameras()])
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_what_is_drawn_is_finite_whatever_is_pulled(camera: Camera, ratio: float) -> None:
    place: Vector = camera.target
    pulls = (
        Pull(part="y", axis=(0.0, 1.0, 0.0), first=(1.0, 0.0, 0.0), angle=-7.0, step=math.radians(5.0)),
        Pull(part="free", axis=(0.0, 1.0, 0.0), first=(1.0, 0.0, 0.0), angle=0.0),
    )
    pane = (round(SIZE[0] * ratio), round(SIZE[1] * ratio))
    for pull in (None, *pulls):
        shown = Shown(manipulator=replace(ROTATE, origin=place), hot="y", pull=pull)
        rows = rows_of(shown, camera, pane, ratio, Look())
        assert np.isfinite(rows).all()
        assert len(rows) > 0
    for part in ("x", "zx", "view"):
        shown = Shown(manipulator=replace(MOVE, origin=place), pull=Pull(part=part))
        assert np.isfinite(rows_of(shown, camera, pane, ratio, Look())).all()
