"""What materials look like: textures the right way round, masks with holes, glass, sides, the figure's own colour."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.export.surface import QtSurface
from app.scene.camera import Camera
from app.scene.gl import RenderTarget, check
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.unpacking import Unpacking, unpacked
from app.scene.visuals.paints import Unpack, at_once
from engine.document import Blob, Box, Colouring, Material, TextureImage, TriangleMesh
from engine.model import Bodies, SkinSurface
from engine.model.meshes import build_mesh
from engine.model.solids import surface_of
from tests.app.scene.mannequins import moved
from tests.coloured import BLUE, GREEN, RED, laid, square, texture

pytestmark = pytest.mark.gui


def paint(material: Material) -> Colouring:
    return Colouring(materials=(material,), coordinates=laid())


def wall(colouring: Colouring | None, depth: float = 0.0) -> Bodies:
    mesh = build_mesh([(square(colouring),)])
    return Bodies(owner=f"wall{depth}", role="result", mesh=mesh, parts=("wall",), transforms=moved([(0, 0, depth)]))


def sheet(colouring: Colouring | None) -> tuple[Bodies, SkinSurface]:
    shape = square(colouring)
    bodies = Bodies(owner="skin", role="result", mesh=build_mesh([()]), parts=("joint",), transforms=moved([(0, 0, 0)]))
    return bodies, SkinSurface(
        owner="skin", role="result", skin="skin", topology="square", triangles=shape.triangles.array,
        body=np.zeros(4, np.int32), positions=shape.positions.array, normals=shape.normals.array,
        colouring=shape.colouring,
    )  # fmt: skip


Look_at = Callable[..., NDArray[np.uint8]]


@pytest.fixture(scope="module")
def look_at(qapp: object) -> Look_at:
    """The picture from the front or from behind, 64 x 64 pixels about the square, behind which nothing is."""
    surface = QtSurface()

    def draw(
        items: list[Bodies],
        skins: list[SkinSurface] | None = None,
        *,
        behind: bool = False,
        unpack: Unpack = at_once,
        selected: frozenset[tuple[str, str]] = frozenset(),
    ) -> NDArray[np.uint8]:
        camera = Camera(target=(0.0, 0.0, 0.0), distance=3.0, azimuth=np.pi * behind, orthographic=True)
        shot = Shot(64, 64, {0: Pane(0, 0, 64, 64)}, (camera,), ("skin",), 1.0)
        with surface.current():
            picture, target = Picture(unpack), RenderTarget(64, 64)
            picture.set_items(items, skins or [])
            picture.highlight(selected, None)
            picture.draw(target.handle, shot, Look(show_backdrop=False, show_grid=False, shadows="off"))
            check()
            return target.read()

    return draw


def channel(pixels: NDArray[np.uint8], x: float, y: float) -> int:
    """The strongest of red, green and blue at shares of the square from its left and its top; -1: nothing is there."""
    red, green, blue, alpha = pixels[round(12 + 40 * y), round(12 + 40 * x)].tolist()
    return int(np.argmax((red, green, blue))) if alpha else -1


@pytest.mark.parametrize("kind", ["shape", "skin"])
def test_a_texture_lies_as_it_is_painted(look_at: Look_at, kind: str) -> None:
    colouring = paint(Material(name="stripes", texture=texture(RED, GREEN, BLUE)))
    bodies, surface = sheet(colouring)
    pixels = look_at([wall(colouring)]) if kind == "shape" else look_at([bodies], [surface])
    assert [channel(pixels, x, 0.5) for x in (0.15, 0.5, 0.85)] == [0, 1, 2]


def test_the_first_row_of_a_picture_is_the_highest(look_at: Look_at) -> None:
    turned = Blob(laid().array[..., ::-1])  # what lies to the right now lies below
    colouring = Colouring(materials=(Material(name="s", texture=texture(RED, BLUE)),), coordinates=turned)
    pixels = look_at([wall(colouring)])
    assert [channel(pixels, 0.5, y) for y in (0.2, 0.8)] == [0, 2]


def test_a_mask_has_holes_and_glass_shows_what_is_behind(look_at: Look_at) -> None:
    nothing = (0, 0, 255, 40)
    masked = wall(paint(Material(name="m", texture=texture(RED, nothing), alpha="mask")))
    alone, over = look_at([masked]), look_at([masked, wall(paint(Material(name="g", colour=(0, 1, 0, 1))), -0.5)])
    assert [channel(alone, x, 0.5) for x in (0.2, 0.8)] == [0, -1]
    assert [channel(over, x, 0.5) for x in (0.2, 0.8)] == [0, 1]
    glass = paint(Material(name="g", colour=(0.0, 0.0, 1.0, 0.4), alpha="blend"))
    behind = wall(paint(Material(name="r", colour=(1.0, 0.0, 0.0, 1.0))), -0.5)
    seen = look_at([wall(glass), behind])[32, 32]
    assert seen[0] > 60
    assert seen[2] > 60
    assert look_at([wall(paint(Material(name="o", colour=(0, 0, 1, 0.4)))), behind])[32, 32][0] < 40  # opacity unheeded


def test_the_outline_of_a_selection_fills_no_holes(look_at: Look_at) -> None:
    found = surface_of(Box(half=(0.4, 0.4, 0.4)))
    box = TriangleMesh(
        positions=Blob(found.positions.astype("<f4")),
        normals=Blob(found.normals.astype("<f4")),
        triangles=Blob(found.triangles.astype("<i4")),
        colouring=Colouring(materials=(Material(name="hole", colour=(1, 1, 1, 0), alpha="mask"),)),
    )
    bodies = Bodies(
        owner="box", role="result", mesh=build_mesh([(box,)]), parts=("box",), transforms=moved([(0, 0, 0)])
    )
    pixels = look_at([bodies], selected=frozenset([("box", "box")]))
    assert channel(pixels, 0.5, 0.5) == -1, "all of it is a hole"
    assert (pixels[32, 10:24, 3] > 0).any(), "it is outlined"


def test_sides_are_seen_as_the_material_says(look_at: Look_at) -> None:
    for two_sided in (False, True):
        bodies = wall(paint(Material(name="s", colour=(1, 0, 0, 1), two_sided=two_sided)))
        assert channel(look_at([bodies], behind=True), 0.5, 0.5) == (0 if two_sided else -1)


def test_colours_of_corners_are_multiplied(look_at: Look_at) -> None:
    colours = np.zeros((2, 3, 4), np.uint8)
    colours[..., 3] = 255
    colours[0, :, 1] = colours[1, :, 2] = 255
    colouring = Colouring(materials=(Material(name="white"),), colours=Blob(colours))
    pixels = look_at([wall(colouring)])
    assert [channel(pixels, *spot) for spot in ((0.8, 0.7), (0.2, 0.3))] == [1, 2]


def test_what_has_no_colours_looks_as_it_did_beside_what_has(look_at: Look_at) -> None:
    plain = look_at([wall(None)])
    beside = look_at([wall(None), wall(paint(Material(name="r", colour=(1, 0, 0, 1))), -0.5)])
    assert np.array_equal(plain[14:50, 14:50], beside[14:50, 14:50])


def test_a_window_draws_base_colours_until_a_thread_has_unpacked_the_texture(
    look_at: Look_at, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end, threads = threading.Event(), threading.Event(), []

    def slow(image: TextureImage) -> NDArray[np.uint8] | None:
        threads.append(threading.current_thread())
        begun.set()
        assert may_end.wait(60)
        return unpacked(image)

    monkeypatch.setattr("app.scene.unpacking.unpacked", slow)
    material = Material(name="stripes", texture=texture(RED, GREEN, name="slow.png"))
    wanted, bare = (look_at([wall(paint(each))]) for each in (material, replace(material, texture=None)))
    monkeypatch.setattr("app.scene.unpacking.unpacked", slow)
    parent = QObject()
    unpacking = Unpacking(parent)
    assert np.array_equal(look_at([wall(paint(material))], unpack=unpacking.pixels), bare)
    assert begun.wait(60)
    busy = [unpacking.is_busy]
    assert np.array_equal(look_at([wall(paint(material))], unpack=unpacking.pixels), bare)
    with qtbot.waitSignal(unpacking.arrived):
        may_end.set()
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    assert [*busy, unpacking.is_busy] == [True, False]
    assert np.array_equal(look_at([wall(paint(material))], unpack=unpacking.pixels), wanted)
    with unpacking.at_once():
        assert np.array_equal(look_at([wall(paint(material))], unpack=unpacking.pixels), wanted)
    parent.deleteLater()


def test_a_picture_is_unpacked_no_larger_than_it_is_shown() -> None:
    image = texture(*[RED] * 2, side=1100)
    pixels = unpacked(image)
    assert pixels is not None
    assert pixels.shape == (2048, 2048, 4)
    broken = replace(image, data=Blob(image.data.array[:200]))
    assert unpacked(broken) is None
