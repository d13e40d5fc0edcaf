"""Liquids in pictures: what is behind them is seen through them, drops are bright, slices have their colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.extent import bounds_of
from app.scene.gl import RenderTarget, check
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.visuals.liquid import flat_at_walls
from app.scene.visuals.sheets import colours_of
from engine.document import Box
from engine.model import LiquidSurface, SliceSheet
from engine.model.solids import surface_of
from tests.app.scene.mannequins import snowman

pytestmark = pytest.mark.gui

SIZE = 160, 120
CAMERA = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1)
HALF = (0.9, 0.8, 0.6)
NO_DROPS = np.zeros((0, 4), dtype=np.float32)


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


def block(drops: NDArray[np.float32] = NO_DROPS, *, solid: bool = True) -> LiquidSurface:
    """A box of water about the snowman."""
    found = surface_of(Box(half=HALF))
    count = None if solid else 0
    return LiquidSurface(
        owner="tank",
        role="water",
        positions=(found.positions + np.array((0.0, 0.8, 0.0))).astype(np.float32),
        normals=found.normals.astype(np.float32),
        triangles=found.triangles.astype(np.int32)[:count],
        drops=drops,
        lower=(-0.9, 0.0, -0.6),
        upper=(0.9, 1.6, 0.6),
    )


def drawn(liquids: Sequence[LiquidSurface], sheets: Sequence[SliceSheet] = ()) -> NDArray[np.float64]:
    """The pixels of a snowman with these, shape [height, width, 3]."""
    picture, target = Picture(), RenderTarget(*SIZE)
    picture.set_liquids(liquids, sheets)
    picture.set_items([snowman()], [])
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (CAMERA,), ("mannequin",), 1.0)
    picture.draw(target.handle, shot, Look(show_shadow=False, show_grid=False))
    check()
    return target.read()[..., :3].astype(np.float64)


def test_a_body_is_seen_through_water_bluer_than_in_the_air(surface: OffscreenSurface) -> None:
    with surface.current():
        dry, wet = drawn([]), drawn([block()])
    changed = np.abs(wet - dry).max(axis=2) > 4.0
    assert 0.1 < changed.mean() < 0.9, "the block, and not all of the view"
    assert (wet - dry)[changed].mean(axis=0)[2] > (wet - dry)[changed].mean(axis=0)[0] + 10.0
    body = dry.sum(axis=2) > 380.0
    seen = wet[body & changed]
    behind = wet[~body & changed]
    assert seen.mean() > behind.mean() + 10.0, "the snowman shines through"
    assert np.isfinite(wet).all()


def test_drops_are_bright_and_a_picture_of_nothing_wet_is_as_it_was(surface: OffscreenSurface) -> None:
    drop = np.array([[0.8, 1.5, 0.0, 0.15]], dtype=np.float32)
    with surface.current():
        dry = drawn([])
        again = drawn([block(solid=False)])
        spray = drawn([block(drop, solid=False)])
    assert (again == dry).all()
    brighter = (spray - dry).sum(axis=2) > 60.0
    assert 3 < brighter.sum() < 400


def test_a_slice_has_the_colours_of_its_numbers_and_none_where_there_are_none(surface: OffscreenSurface) -> None:
    values = np.array([[0.0, 1.0], [np.nan, 2.0]], dtype=np.float32)
    corners = np.array([(-0.8, 0.1, 0.9), (0.8, 0.1, 0.9), (0.8, 1.5, 0.9), (-0.8, 1.5, 0.9)], dtype=np.float32)
    sheet = SliceSheet(owner="tank", role="flow", corners=corners, values=values, low=0.0, high=2.0)
    colours = colours_of(sheet)
    assert colours[1, 0].tolist() == [0, 0, 0, 0]
    assert colours[0, 0].tolist() != colours[0, 1].tolist() != colours[1, 1].tolist()
    with surface.current():
        changed = np.abs(drawn([], [sheet]) - drawn([])).max(axis=2) > 8.0
    assert 0.1 < changed.mean() < 0.6


def test_walls_are_flat_and_the_box_of_a_tank_is_what_is_framed() -> None:
    rows, faces = flat_at_walls(block())
    normals = rows[faces[:, 0], 3:]
    assert np.abs(normals).max(axis=1) == pytest.approx(np.ones(len(faces)))
    assert faces.max() < len(rows)
    bounds = bounds_of([snowman()], liquids=[block()])
    assert bounds is not None
    assert bounds.lower[0] <= -0.4
