"""Many muscles that are small on the screen: roofs in place of spindles, colours by corner, a floor that is kept."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera, eye_of
from app.scene.gl import RenderTarget, check
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from engine.document import Figure, Joint
from engine.model import Spindles
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscle, Muscles, PathPoint
from tests.app.scene.mannequins import bodies, ellipsoids

pytestmark = pytest.mark.gui

SIZE = 160, 120
ASIDE = Camera(target=(0.0, 0.4, 0.0), distance=3.2, azimuth=0.4, elevation=0.2)
ABOVE = Camera(target=(0.0, 0.4, 0.0), distance=3.2, elevation=1.4)


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    with made.current():
        yield made
    made.close()


@pytest.fixture(scope="module")
def spindles() -> Spindles:
    """Upright muscles, as many as are drawn as roofs, not touching each other."""
    figure = Figure(name="Block", joints=(Joint(id="block", name="Block"),))
    muscles = []
    for number in range(225):
        x, z = 0.1 * (number % 15 - 7), 0.1 * (number // 15 - 7)
        points = tuple(PathPoint(joint="block", point=(x, y, z)) for y in (0.05, 0.4, 0.75))
        muscles.append(Muscle(id=f"m{number}", name=f"M{number}", points=points, force=6000.0, fibre=0.3, tendon=0.2))
    made = MuscledFigure(compile_model(figure), Muscles(muscles=tuple(muscles)))
    positions, normals, spine = made.spindles(np.zeros(0))
    return Spindles(
        owner="block", muscles=tuple(each.id for each in muscles), topology=made.topology, triangles=made.triangles,
        few=made.few_rings, muscle=made.muscle, sinew=made.sinew, positions=positions, normals=normals, spine=spine,
        activation=np.zeros(len(muscles), dtype=np.float32),
    )  # fmt: skip


def drawn(picture: Picture, camera: Camera, coarse: float, look: Look) -> NDArray[np.int64]:
    """One picture, shape [height, width, 3]."""
    target = RenderTarget(*SIZE)
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (camera,), ("mannequin",), 1.0)
    picture.draw(target.handle, shot, look, coarse=coarse)
    check()
    return target.read()[..., :3].astype(np.int64)


@pytest.mark.parametrize("shadows", ["off", "quick"])
@pytest.mark.parametrize("camera", [ASIDE, ABOVE], ids=["aside", "above"])
def test_roofs_cover_what_spindles_cover_and_are_as_bright(
    surface: OffscreenSurface, spindles: Spindles, camera: Camera, shadows: str
) -> None:
    look = Look(shadows="off" if shadows == "off" else "quick", show_grid=False)
    bone = bodies("block", ellipsoids([(0.01, 0.8, 0.01)]), ["block"], [(0.05, 0.4, 0.05)])
    picture, bare = Picture(), Picture()
    picture.set_items([bone], [], spindles=[spindles])
    bare.set_items([bone], [])
    empty = drawn(bare, camera, 0.0, Look(shadows="off", show_grid=False))
    fine, coarse = drawn(picture, camera, 0.0, look), drawn(picture, camera, 3.0, look)
    assert (fine != coarse).any(), "roofs are others"
    there = np.abs(fine - empty).max(axis=-1) > 12, np.abs(coarse - empty).max(axis=-1) > 12
    assert there[0].mean() > 0.08
    assert (there[0] != there[1]).mean() < 0.08 * there[0].mean()
    both = there[0] & there[1]
    assert fine[both].mean() == pytest.approx(coarse[both].mean(), rel=0.05)


@pytest.mark.parametrize("camera", [ASIDE, Camera(azimuth=0.7, elevation=-0.3, orthographic=True)])
def test_a_matrix_tells_where_it_sees_from(camera: Camera) -> None:
    x, y, z, w = eye_of(camera.matrix(SIZE))
    assert w == (0.0 if camera.orthographic else 1.0)
    expected = camera.axes[2] if camera.orthographic else camera.eye
    assert (x, y, z) == pytest.approx(tuple(expected), abs=1e-6)


def same(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """True if two pictures are one, but for the last bit where a driver rounds otherwise."""
    return bool((np.abs(one - other) <= 1).all())


def test_a_floor_that_is_kept_is_that_of_its_camera_and_look(surface: OffscreenSurface) -> None:
    picture, look = Picture(), Look(shadows="off")
    plain = drawn(picture, ASIDE, 0.0, look)
    for _ in range(3):
        assert same(drawn(picture, ASIDE, 3.0, look), plain)
    assert same(drawn(picture, ABOVE, 3.0, look), drawn(picture, ABOVE, 0.0, look))
    bare = Look(shadows="off", show_grid=False)
    assert not same(drawn(picture, ABOVE, 3.0, bare), plain)
    for _ in range(2):
        assert same(drawn(picture, ABOVE, 3.0, bare), drawn(picture, ABOVE, 0.0, bare))


def test_a_view_that_comes_to_rest_has_its_own_floor(surface: OffscreenSurface) -> None:
    look, target = Look(shadows="off"), RenderTarget(2 * SIZE[0], SIZE[1])
    panes = {0: Pane(0, 0, *SIZE), 1: Pane(SIZE[0], 0, *SIZE)}
    shot = Shot(target.width, target.height, panes, (ASIDE, ABOVE), ("mannequin", "mannequin"), 1.0)

    def at_rest(picture: Picture) -> NDArray[np.int64]:
        picture.draw(target.handle, shot, look, sample=(0, 2))
        check()
        return target.read()[..., :3].astype(np.int64)

    plain, picture = at_rest(Picture()), Picture()
    for _ in range(3):
        picture.draw(target.handle, shot, look, coarse=3.0)
    assert same(at_rest(picture), plain)


def test_the_soft_shadow_is_a_picture_late_at_most_and_never_at_rest(surface: OffscreenSurface) -> None:
    picture, look = Picture(), Look(show_grid=False, shadows="contact")

    def at(x: float, coarse: float) -> NDArray[np.int64]:
        picture.set_items([bodies("ball", ellipsoids([(0.1, 0.1, 0.1)]), ["ball"], [(x, 0.1, 0.0)])], [])
        return drawn(picture, ABOVE, coarse, look)

    at(0.0, 3.0)
    moved, late = at(0.04, 3.0), at(0.04, 0.0)
    assert not same(moved, late), "the shadow stood where it was cast before"
    at(0.0, 0.0)
    at(0.04, 3.0)
    assert same(at(0.08, 3.0), at(0.08, 0.0)), "every second one is cast"
    at(0.0, 0.0)
    assert same(at(0.5, 3.0), at(0.5, 0.0)), "what leaps takes its shadow along"
