"""Shadows of the key, and less light in notches: on the floor and on bodies, and none where nothing casts any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Bounds, Camera
from app.scene.gl import RenderTarget, check
from app.scene.lens import LensSample
from app.scene.light import usual_light
from app.scene.look import Look, Shadows
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.settling import Settling
from app.scene.visuals.key_shadow import KeyShadow
from engine.model import Bodies
from tests.app.scene.mannequins import bodies, ellipsoids, snowman

pytestmark = pytest.mark.gui

SIZE = 160, 120
CAMERA = Camera(target=(0.0, 0.5, 0.0), distance=5.0, elevation=0.5)
LEVEL = Camera(target=(0.0, 0.8, 0.0), distance=4.0)
BALL = ellipsoids([(0.4, 0.4, 0.4)])
PLATE = ellipsoids([(1.2, 0.04, 1.2)])


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    with made.current():
        yield made
    made.close()


def drawn(items: Sequence[Bodies], shadows: Shadows, camera: Camera = CAMERA, samples: int = 4) -> NDArray[np.float64]:
    """The mean of some pictures, shape [height, width, 3]."""
    picture, target, sums = Picture(), RenderTarget(*SIZE), np.zeros((SIZE[1], SIZE[0], 3))
    picture.set_items(items, [])
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (camera,), ("mannequin",), 1.0)
    for number in range(samples):
        picture.draw(target.handle, shot, Look(shadows=shadows, show_grid=False), LensSample(), (number, samples))
        sums += target.read()[..., :3]
    check()
    return sums / samples


def at(point: tuple[float, float, float], camera: Camera = CAMERA) -> tuple[int, int]:
    """Row and column of a place."""
    x, y, _ = camera.project(np.array(point), SIZE)
    return round(float(y)), round(float(x))


def on_floor(place: tuple[float, float, float], camera: Camera = CAMERA) -> tuple[float, float, float]:
    """Where the key casts the shadow of a place."""
    key = usual_light(camera).key
    return place[0] - key[0] * place[1] / key[1], 0.0, place[2] - key[2] * place[1] / key[1]


@pytest.mark.parametrize("shadows", ["quick", "full"])
def test_the_floor_lies_in_shadow_where_the_key_is_hidden_and_nowhere_else(
    surface: OffscreenSurface, shadows: Shadows
) -> None:
    ball = [bodies("ball", BALL, ["ball"], [(0.0, 0.9, 0.0)])]
    before, after = drawn(ball, "contact"), drawn(ball, shadows)
    change = (after - before).mean(axis=2)
    assert change[at(on_floor((0.0, 0.9, 0.0)))] < -8.0
    lit = on_floor((0.0, 0.9, 0.0))
    assert abs(change[at((-lit[0], 0.0, -lit[2]))]) < 4.0, "before the ball, towards the light"
    assert (change < 2.0).mean() > 0.95, "what is above the floor darkens less of it beside a key, and nothing else"


@pytest.mark.parametrize("shadows", ["quick", "full"])
def test_a_body_shades_another_and_not_itself(surface: OffscreenSurface, shadows: Shadows) -> None:
    plate = bodies("plate", PLATE, ["plate"], [(0.0, 0.2, 0.0)])
    ball = bodies("ball", BALL, ["ball"], [(0.0, 1.2, 0.0)])
    alone = drawn([plate], shadows) - drawn([plate], "contact")
    assert np.abs(alone[at((0.0, 0.24, 0.0))]).max() < 3.0, "no stripes on what faces the light"
    both = drawn([plate, ball], shadows) - drawn([plate, ball], "contact")
    key = usual_light(CAMERA).key
    below = (-key[0] / key[1], 0.24, -key[2] / key[1])
    assert both[at(below)].mean() < -25.0


def test_notches_are_darker_and_edges_softer_the_farther_away_what_casts_them(surface: OffscreenSurface) -> None:
    change = (drawn([snowman()], "full", LEVEL) - drawn([snowman()], "quick", LEVEL)).mean(axis=2)
    column = at((0.0, 0.8, 0.0), LEVEL)[1]
    darkest = int(change[: at((0.0, 0.2, 0.0), LEVEL)[0], column].argmin())
    assert change[darkest, column] < -4.0
    assert any(abs(darkest - at((0.0, height, 0.3), LEVEL)[0]) < 5 for height in (0.75, 1.25)), "between two balls"

    above = Camera(target=(0.0, 0.0, 0.0), distance=14.0, elevation=0.5 * np.pi, orthographic=True)

    def slope(height: float) -> float:
        """How steeply the shadow of a ball ends, beside how dark it is."""
        ball = [bodies("ball", BALL, ["ball"], [(0.0, height, 0.0)])]
        dark = (drawn(ball, "off", above, 1) - drawn(ball, "full", above)).mean(axis=2)
        row, column = at(on_floor((0.0, height, 0.0), above), above)
        across = dark[row, column : column + 25]  # away from the ball
        return float(np.abs(np.diff(across)).max() / across.max())

    assert slope(0.8) > 1.3 * slope(2.2)


def test_the_map_moves_by_whole_pixels_and_grows_in_steps(surface: OffscreenSurface) -> None:
    key, none = KeyShadow(64), lambda matrix: None
    found = []
    for number in range(12):
        off = 0.01 * number
        box = Bounds((-0.5 + off, 0.0, -0.4), (0.5 + off + 0.002 * number, 1.7, 0.4))
        key.cast((0.6, 0.64, 0.48), number, box, none)
        corners = box.corners @ key.matrix[:3, :3].T + key.matrix[:3, 3]
        assert ((corners > 0.0) & (corners < 1.0)).all()
        found.append((key.metres, *(key.matrix[:2, 3] * 64)))
    steps = np.array(found)
    assert len(set(steps[:, 0])) == 1
    shifts = np.diff(steps[:, 1:], axis=0)
    assert np.abs(shifts - np.round(shifts)).max() < 1e-9


def test_a_key_from_below_or_level_casts_nothing_on_the_floor(surface: OffscreenSurface) -> None:
    key, box = KeyShadow(16), Bounds((-0.5, 0.0, -0.5), (0.5, 1.0, 0.5))
    for height, there in ((-0.5, False), (0.0, False), (0.3, True)):
        key.cast((0.0, height, float(np.sqrt(1.0 - height * height))), height, box, lambda matrix: None)
        assert (key.on_floor is not None) == there


def test_a_mean_that_is_drawn_again_where_bodies_are_is_the_mean_of_whole_pictures(
    surface: OffscreenSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mean() -> NDArray[np.float64]:
        picture, mean, target = Picture(), Settling(*SIZE), RenderTarget(*SIZE)
        picture.set_items([snowman()], [])
        shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (CAMERA,), ("mannequin",), 1.0)
        while not mean.finished:
            mean.step(picture, shot, Look(shadows="full"))
        mean.show(target.handle)
        part = picture.unsteady(shot)
        assert part is None or 0.05 < part[2] * part[3] / (SIZE[0] * SIZE[1]) < 0.6
        return target.read()[..., :3].astype(np.float64)

    partly = mean()
    monkeypatch.setattr(Picture, "unsteady", lambda self, shot: None)
    assert np.abs(partly - mean()).max() <= 1.0


def test_shadows_on_bodies_have_no_grain(surface: OffscreenSurface, monkeypatch: pytest.MonkeyPatch) -> None:
    items = [
        bodies("plate", PLATE, ["plate"], [(0.0, 0.2, 0.0)]),
        bodies("ball", BALL, ["ball"], [(0.0, 0.7, 0.0)]),
    ]

    def rough(rows: float) -> float:
        """How much a pixel differs from the mean of those beside it, on bodies."""
        monkeypatch.setattr("app.scene.visuals.shade.ROWS", rows)
        grey = drawn(items, "full").mean(axis=2)
        beside = (grey[1:-1, :-2] + grey[1:-1, 2:]) / 2
        away = np.abs(grey[1:-1, 1:-1] - beside)
        return float(away[(grey[1:-1, 1:-1] > 70.0) & (away < 6.0)].mean())

    assert rough(5.0) < 0.8 * rough(1.0)
