"""Light of bodies: what none of them asks for is left out of the shaders, and the picture is the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.gl import RenderTarget, check
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.visuals import clay
from app.scene.visuals.clay_light import LIT, LIT_CORNERS, PAINTED, QUICKLY_SHADED, SHADED, Pair, needed
from engine.model import ActorFinish
from tests.app.scene.mannequins import snowman

pytestmark = pytest.mark.gui

SIZE = 120, 160


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    with made.current():
        yield made
    made.close()


def drawn(roughness: float | None) -> NDArray[np.int64]:
    """A snowman, perhaps with a finish, shape [height, width, 3]."""
    picture, target, item = Picture(), RenderTarget(*SIZE), replace(snowman(), owner="one")
    finishes = [] if roughness is None else [ActorFinish(owner="one", colour="", roughness=roughness)]
    picture.set_items([item], [], finishes=finishes)
    camera = Camera(target=(0.0, 0.8, 0.0), distance=4.0)
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (camera,), ("mannequin",), 1.0)
    picture.draw(target.handle, shot, Look(shadows="off", show_grid=False))
    check()
    return target.read()[..., :3].astype(np.int64)


@pytest.mark.parametrize("roughness", [None, 1.0, 0.3])
def test_what_is_left_out_is_not_seen(
    surface: OffscreenSurface, monkeypatch: pytest.MonkeyPatch, roughness: float | None
) -> None:
    used = set[tuple[bool, bool, bool]]()

    def kept(pair: Pair, *, finished: bool, shines: bool, mapped: bool) -> Pair:
        used.add((finished, shines, mapped))
        return pair

    found = drawn(roughness)
    monkeypatch.setattr(clay, "needed", kept)
    assert np.abs(found - drawn(roughness)).max() <= 1
    assert used == {(roughness == 0.3, roughness == 0.3, False)}


def test_what_is_glossy_shines(surface: OffscreenSurface) -> None:
    assert drawn(0.3).max() > drawn(1.0).max() + 10


def test_light_at_corners_leaves_out_the_same() -> None:
    for pair in (LIT_CORNERS, QUICKLY_SHADED[LIT_CORNERS]):
        vertex, _ = needed(pair, finished=False, shines=False, mapped=False)
        assert "gloss" in pair[0]
        assert all(text not in vertex for text in ("gloss", "texture2D(colours", "finished.r"))


@pytest.mark.parametrize(
    "pairs", [(LIT, PAINTED), *(tuple(each[pair] for pair in (LIT, PAINTED)) for each in (SHADED, QUICKLY_SHADED))]
)
def test_every_shader_has_what_can_be_left_out(pairs: tuple[Pair, ...]) -> None:
    for pair in pairs:
        dull = needed(pair, finished=True, shines=False, mapped=True)[1]
        plain = needed(pair, finished=True, shines=True, mapped=False)[1]
        assert "finished" in "".join(pair)
        assert "finished" not in "".join(needed(pair, finished=False, shines=False, mapped=False))
        assert "gloss" in plain
        assert "gloss" not in dull
        assert "texture2D(colours" in dull
        assert "texture2D(colours" not in plain
