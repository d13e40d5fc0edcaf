"""Liquids in pictures: what is behind them is seen through them, drops and foam are bright, their shadow lies on the
floor and that of bodies on them, slices have their colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.extent import bounds_of
from app.scene.gl import RenderTarget, check, samples
from app.scene.light import usual_light
from app.scene.look import Look
from app.scene.panes import Pane, Shot
from app.scene.picture import Picture
from app.scene.visuals import liquid
from app.scene.visuals.sheets import colours_of
from engine.document import Box
from engine.document.values import Vector3
from engine.model import LiquidSurface, SliceSheet
from engine.model.solids import surface_of
from tests.app.scene.mannequins import bodies as rigid
from tests.app.scene.mannequins import ellipsoids, snowman

pytestmark = pytest.mark.gui

SIZE = 160, 120
CAMERA = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1)
HALF = (0.9, 0.8, 0.6)
NO_DROPS = np.zeros((0, 10), dtype=np.float32)


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


def block(
    drops: NDArray[np.float32] = NO_DROPS,
    *,
    solid: bool = True,
    foam: float = 0.0,
    half: Vector3 = HALF,
    middle: Vector3 = (0.0, 0.8, 0.0),
) -> LiquidSurface:
    """A box of water, about the snowman unless told otherwise."""
    found = surface_of(Box(half=half))
    triangles = found.triangles.astype(np.int32)[: None if solid else 0]
    return LiquidSurface(
        owner="tank",
        role="water",
        positions=(found.positions + np.array(middle)).astype(np.float32),
        normals=found.normals.astype(np.float32),
        triangles=triangles,
        foam=np.full(len(found.positions), foam, dtype=np.float32),
        shell=triangles,
        drops=drops,
        lower=(-0.9, 0.0, -0.6),
        upper=(0.9, 1.6, 0.6),
    )


def drawn(
    liquids: Sequence[LiquidSurface],
    sheets: Sequence[SliceSheet] = (),
    *,
    camera: Camera = CAMERA,
    shadow: bool = False,
    bodies: bool = True,
) -> NDArray[np.float64]:
    """The pixels of a snowman with these, shape [height, width, 3]."""
    picture, target = Picture(), RenderTarget(*SIZE)
    picture.set_liquids(liquids, sheets)
    picture.set_items([snowman()] if bodies else [], [])
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (camera,), ("mannequin",), 1.0)
    picture.draw(target.handle, shot, Look(shadows="contact" if shadow else "off", show_grid=False))
    check()
    return target.read()[..., :3].astype(np.float64)


def test_a_body_casts_the_shadow_of_the_key_on_water_and_into_it(surface: OffscreenSurface) -> None:
    camera = Camera(target=(0.0, 0.6, 0.0), distance=7.0, elevation=0.6)
    wide = block(half=(2.0, 0.25, 2.0), middle=(0.0, 0.25, 0.0))
    pool = replace(wide, lower=(-2.0, 0.0, -2.0), upper=(2.0, 0.5, 2.0))
    shot = Shot(*SIZE, {0: Pane(0, 0, *SIZE)}, (camera,), ("mannequin",), 1.0)
    found = list[NDArray[np.float64]]()
    with surface.current():
        picture, target = Picture(), RenderTarget(*SIZE)
        picture.set_liquids([pool], [])
        for place in ((-0.3, 1.5, 0.3), (30.0, 1.5, 0.3)):
            picture.set_items([rigid("ball", ellipsoids([(0.35, 0.35, 0.35)]), ["ball"], [place])], [])
            picture.draw(target.handle, shot, Look(shadows="full", show_grid=False))
            found.append(target.read()[..., :3].astype(np.float64))
        check()
    change, key = found[0] - found[1], usual_light(camera).key

    def at(way: float) -> float:
        """The change on the surface, so many times the way of the key's light from the ball to there."""
        down = (1.5 - 0.5) / key[1] * way
        x, y, _ = camera.project(np.array((-0.3 - down * key[0], 0.5, 0.3 - down * key[2])), SIZE)
        row, column = round(float(y)), round(float(x))
        return float(change[row - 1 : row + 2, column - 1 : column + 2].mean())

    assert at(1.0) < -6.0, "where the key's light would have met the surface"
    assert abs(at(-1.0)) < 3.0, "and not on the other side"


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


def test_water_is_as_deep_at_a_side_wall_as_in_its_middle_which_sends_light_back(surface: OffscreenSurface) -> None:
    ahead = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1, azimuth=0.0)
    with surface.current():
        dry, wet = (drawn(each, camera=ahead, bodies=False) for each in ([], [block()]))
    row = SIZE[1] // 2
    changed = np.flatnonzero(np.abs(wet - dry)[row].max(axis=1) > 4.0)
    left, middle = wet[row, changed[2]], wet[row, changed[len(changed) // 2]]
    assert np.abs(left - middle).max() < 12.0, "it does not fade towards its edge"


def test_a_body_in_water_is_seen_once_and_whole_and_shifted(surface: OffscreenSurface) -> None:
    aside = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1, azimuth=0.5)
    with surface.current():
        empty = drawn([block()], camera=aside, bodies=False)
        full = drawn([block()], camera=aside)
        dry = drawn([], camera=aside) - drawn([], camera=aside, bodies=False)
    seen, air = ((np.abs(each).max(axis=2) > 12.0)[40:76] for each in (full - empty, dry))
    for each in seen:
        columns = np.flatnonzero(each)
        parts = np.split(columns, np.flatnonzero(np.diff(columns) > 4) + 1)
        assert len(parts) <= 2, "once through each of the two walls that are seen"
    front = seen[:, : SIZE[0] // 2 + 8]
    assert 0.8 * air.sum() < front.sum() < 1.1 * air.sum(), "whole"
    places = np.arange(front.shape[1]), np.arange(SIZE[0])
    shift = (front * places[0]).sum() / front.sum() - (air * places[1]).sum() / air.sum()
    assert -12.0 < shift < -3.0, "towards who looks slantwise through a wall"


def test_pixels_of_several_samples_see_smooth_outlines_through_water(
    surface: OffscreenSurface, monkeypatch: pytest.MonkeyPatch
) -> None:
    with surface.current():
        assert samples() <= 1
        once = drawn([block()])
        monkeypatch.setattr(liquid, "samples", lambda: 4)
        smooth = drawn([block()])
    apart = np.abs(once - smooth).max(axis=2)
    assert 0.001 < (apart > 15.0).mean() < 0.03, "outlines alone"
    steps = [np.sort(np.abs(np.diff(each, axis=1)).max(axis=2)[40:76].ravel())[-50:].mean() for each in (once, smooth)]
    assert steps[1] < 0.95 * steps[0]


def test_drops_are_bright_and_a_picture_of_nothing_wet_is_as_it_was(surface: OffscreenSurface) -> None:
    drop = np.array([[0.8, 1.5, 0.0, 0.15, 0.0, 0.0, 0.15, 0.0, 0.15, 0.8]], dtype=np.float32)
    with surface.current():
        dry = drawn([])
        again = drawn([block(solid=False)])
        spray = drawn([block(drop, solid=False)])
    assert (again == dry).all()
    brighter = (spray - dry).sum(axis=2) > 60.0
    assert 3 < brighter.sum() < 400


def test_a_thin_stream_of_water_in_a_wide_tank_takes_hardly_any_colour(surface: OffscreenSurface) -> None:
    aside = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1, azimuth=0.5)
    stream = block(half=(0.03, 0.5, 0.03), middle=(0.0, 0.8, 0.6))
    wide = replace(stream, lower=(-3.0, 0.0, -3.0), upper=(3.0, 3.0, 3.0))
    with surface.current():
        dry, wet = (drawn(each, camera=aside, bodies=False) for each in ([], [wide]))
    bluer = (wet - dry)[..., 2] - (wet - dry)[..., 0]
    assert (np.abs(wet - dry).max(axis=2) > 4.0).sum() > 40, "it is seen"
    assert (bluer > 40.0).sum() < 10, "as if the tank were full from there on"


def test_a_drop_before_water_is_not_seen_in_it_once_more(surface: OffscreenSurface) -> None:
    aside = Camera(target=(0.0, 0.8, 0.0), distance=5.0, elevation=0.1, azimuth=0.5)
    here = np.array([[0.1, 0.8, 1.0, 0.1, 0.0, 0.0, 0.1, 0.0, 0.1, 1.0]], dtype=np.float32)
    there = here * np.array([1, 1, 0.3, 1, 1, 1, 1, 1, 1, 1], dtype=np.float32)
    with surface.current():
        alone = np.abs(drawn([block(here, solid=False)], camera=aside) - drawn([], camera=aside)).max(axis=2) > 6.0
        without = drawn([block()], camera=aside, bodies=False)
        before, within = (
            np.abs(drawn([block(each)], camera=aside, bodies=False) - without).max(axis=2) > 6.0
            for each in (here, there)
        )
    assert alone.sum() > 20
    assert not (before & ~alone).any()
    assert within.sum() > 10, "one within is seen through the wall"


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


def test_a_drop_is_as_long_as_its_matrix_says_and_fades_instead_of_vanishing(surface: OffscreenSurface) -> None:
    def rows(*sides: float) -> NDArray[np.float32]:
        x, y, z = sides
        return np.array([[0.8, 1.5, 0.0, x, 0.0, 0.0, y, 0.0, z, 1.0]], dtype=np.float32)

    with surface.current():
        dry = drawn([])
        wide, small = (
            np.abs(drawn([block(rows(*sides), solid=False)]) - dry).sum(axis=2)
            for sides in ((0.24, 0.06, 0.1), (0.002, 0.002, 0.002))
        )
    down, across = np.nonzero(wide > 40.0)
    assert 2.5 < (across.max() - across.min() + 1) / (down.max() - down.min() + 1) < 5.0
    assert 2.0 < small.max() < 120.0, "a twelfth of a pixel"


def test_foam_is_white_in_spots(surface: OffscreenSurface) -> None:
    with surface.current():
        clear, some, much = (drawn([block(foam=foam)]).sum(axis=2) for foam in (0.0, 0.4, 1.0))
    assert (some - clear > 60.0).mean() > 0.02
    assert (much - clear > 60.0).mean() > 1.5 * (some - clear > 60.0).mean()


def test_water_darkens_the_floor_softly_and_bodies_darken_water(surface: OffscreenSurface) -> None:
    above = Camera(target=(0.0, 0.0, 0.0), distance=9.0, elevation=1.2)
    with surface.current():
        plain, shaded = (drawn([block()], camera=above, shadow=shadow, bodies=False) for shadow in (False, True))
        bare = drawn([], camera=above, bodies=False)
        dry, wet = (drawn([block()], camera=above, shadow=True, bodies=bodies) for bodies in (False, True))
        lit = drawn([block()], camera=above, bodies=True)
    floor = np.abs(plain - bare).max(axis=2) < 1.0
    darker = (plain - shaded).sum(axis=2)
    assert darker[floor].max() > 12.0
    soft = floor & (darker > 2.0)
    assert len(np.unique(np.round(darker[soft]))) > 5, "it fades"
    assert darker[0].max() < 1.0, "far from it the floor is as it was"
    water = ~floor & (np.abs(lit - plain).max(axis=2) < 40.0)
    assert (dry - wet).sum(axis=2)[water].max() > 5.0


def test_the_box_of_a_tank_is_what_is_framed() -> None:
    bounds = bounds_of([snowman()], liquids=[block()])
    assert bounds is not None
    assert bounds.lower[0] <= -0.4
