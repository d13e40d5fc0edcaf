"""Drawing off the screen: any size, in tiles or whole, smooth by many samples, with alpha and captions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from app.export.caption import straighten
from app.export.drawing import Drawing, tiles
from app.export.plan import Caption, Plan
from app.export.surface import EglSurface, NoOpenGL, OffscreenSurface, QtSurface
from app.scene.camera import Camera
from app.scene.gl import RenderTarget
from app.scene.lens import shifts
from app.scene.look import Look
from app.scene.picture import Picture
from engine.document import Document, Lock
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.measure import Quantity
from engine.queries.stills import Still, Stills
from engine.runtime.progress import finish
from engine.soft.making import soft_actor, soft_box
from tests.app.export.films import plan_for, waving

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator()


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


def picture(**changes: Any) -> Plan:
    given = {"codec": "png", "end": 0, "camera": Camera(azimuth=0.5, elevation=0.2), **changes}
    return plan_for(Path("a.png"), waving(), **given)


def still_of(plan: Plan, evaluator: Evaluator) -> Still:
    *_, found = filter(None, Stills(evaluator, plan.wanted).answer((plan.time(0),)))
    return found[0]


def draw(surface: OffscreenSurface, plan: Plan, evaluator: Evaluator, **choices: Any) -> NDArray[np.int64]:
    """The frame, shape [height, width, 4], row 0 the highest."""
    still = still_of(plan, evaluator)
    with surface.current():
        frame = finish(Drawing(plan, Picture(), **choices).frame(still, 0))
    width, height = plan.frame_size
    return np.frombuffer(frame, dtype=np.uint8).reshape(height, width, 4)[::-1].astype(np.int64)


def test_tiles_cover_a_picture_once_and_are_of_one_size() -> None:
    found = tiles((1000, 501), (300, 200))
    assert {(each.width, each.height) for each in found} == {(250, 167)}
    covered = np.zeros((501, 1000), dtype=int)
    for each in found:
        covered[each.y : each.y + each.height, each.x : each.x + each.width] += 1
    assert (covered == 1).all()
    assert len(tiles((300, 200), (300, 200))) == 1


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16, 32])
def test_shifts_are_rooks_about_the_middle_of_a_pixel(count: int) -> None:
    found = np.array(shifts(count))
    np.testing.assert_allclose(found.mean(axis=0), 0.0, atol=1e-12)
    assert np.abs(found).max() < 0.5
    for axis in (0, 1):
        assert len(set(np.round(found[:, axis], 9))) == count


@pytest.mark.parametrize("samples", [1, 4])
def test_a_picture_in_tiles_is_the_picture_in_one(
    surface: OffscreenSurface, evaluator: Evaluator, samples: int
) -> None:
    plan = picture(size=(301, 200), samples=samples)
    whole, tiled = draw(surface, plan, evaluator), draw(surface, plan, evaluator, largest=(128, 64))
    off = np.abs(whole - tiled).max(axis=2)
    assert (off > 3).mean() < 0.003, "edges may fall to the other side of a pixel, and nothing else"
    assert off.mean() < 0.05
    assert len(np.unique(whole.reshape(-1, 4), axis=0)) > 200, "a shaded body"


def test_a_small_card_draws_in_tiles(
    surface: OffscreenSurface, evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = picture(size=(200, 150))
    whole = draw(surface, plan, evaluator)
    monkeypatch.setattr("app.export.drawing.largest_side", lambda: 64)
    assert np.abs(whole - draw(surface, plan, evaluator)).mean() < 0.05


def test_a_picture_is_larger_than_any_window(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    small, large = picture(size=(320, 180), samples=8), picture(size=(3200, 1800), samples=1)
    shrunk = draw(surface, replace(large, look=Look(show_grid=False)), evaluator)
    shrunk = shrunk.reshape(180, 10, 320, 10, 4).mean(axis=(1, 3))
    off = np.abs(shrunk - draw(surface, replace(small, look=Look(show_grid=False)), evaluator))
    assert off.mean() < 1.5, "the same picture, ten times as large"


def test_samples_smooth_the_edges(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    def steps(plan: Plan) -> float:
        found = draw(surface, plan, evaluator)[..., 3]
        return float(((found > 0) & (found < 255)).sum())

    bare: dict[str, Any] = {"look": Look(show_grid=False), "shadows": False, "background": "transparent"}
    rough, smooth = (picture(samples=count, **bare) for count in (1, 8))
    assert steps(rough) == 0
    assert steps(smooth) > 100


def test_nothing_is_behind_a_transparent_picture(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    found = draw(surface, picture(background="transparent", look=Look(show_grid=False)), evaluator)
    assert (found[0, 0] == 0).all()
    assert found[..., 3].max() == 255


@pytest.mark.parametrize(("at_once", "steps"), [(4 << 20, 1), (4 * 4 * 2, 2), (1, 3)])
def test_colours_are_not_multiplied_by_their_alpha_in_a_file(
    at_once: int, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.export.caption.AT_ONCE", at_once)
    found = bytearray(bytes((100, 50, 0, 128)) * 12)
    assert len(list(straighten(found, (4, 3)))) + 1 == steps
    assert found == bytes((199, 100, 0, 128)) * 12


def test_no_step_reads_more_than_a_tile_or_works_on_more_of_the_whole_than_some_rows(
    surface: OffscreenSurface, evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[RenderTarget] = []
    real = RenderTarget.read_bytes

    def noted(target: RenderTarget) -> bytes:
        read.append(target)
        return real(target)

    monkeypatch.setattr(RenderTarget, "read_bytes", noted)
    monkeypatch.setattr("app.export.caption.AT_ONCE", 4 * 301 * 50)
    plan = picture(size=(301, 200), background="transparent", caption=Caption(title="Wave"))
    steps, still = list[int](), still_of(plan, evaluator)
    with surface.current():
        drawing = Drawing(plan, Picture(), largest=(160, 120))
        for _ in drawing.frame(still, 0):
            steps.append(len(read))
            read.clear()
    assert steps == [1] * 4 + [0] * 3, "four tiles, three of four bands; the last one comes with the frame"


def test_signs_of_locks_are_drawn_if_wanted_in_tiles_too(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    held = edit("add_lock", actor="human", lock=Lock(id="lock", name="Lock", joint="wrist_left")).apply(waving())
    plain = replace(picture(size=(320, 240)), document=held)
    signed = replace(plain, signs=True)
    whole = draw(surface, signed, evaluator)
    off = np.abs(draw(surface, plain, evaluator) - whole).max(axis=2) > 8
    assert 20 < off.sum() < 2000, "a small sign"
    tiled = np.abs(
        draw(surface, plain, evaluator, largest=(128, 64)) - draw(surface, signed, evaluator, largest=(128, 64))
    )
    assert (tiled.max(axis=2) > 8).sum() == pytest.approx(off.sum(), rel=0.1)


def test_a_film_of_coloured_surfaces_has_their_legend_in_tiles_too(
    surface: OffscreenSurface, evaluator: Evaluator
) -> None:
    jelly = soft_actor("jelly", "Jelly", soft_box((0.3, 0.3, 0.3), (2, 2, 2)))
    plain = replace(picture(size=(480, 300)), document=Document(actors=(jelly,)))
    coloured = replace(plain, look=replace(plain.look, field="strain"))
    corner = (slice(-64, -10), slice(-200, -10))
    whole = draw(surface, coloured, evaluator)[corner]
    assert (np.abs(draw(surface, plain, evaluator)[corner] - whole).max(axis=2) > 8).mean() > 0.5
    tiled = draw(surface, coloured, evaluator, largest=(256, 160))[corner]
    assert (np.abs(tiled - whole).max(axis=2) > 8).mean() < 0.02


def test_a_background_is_one_colour(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    found = draw(surface, picture(background="#4080c0", look=Look(show_grid=False)), evaluator)
    assert found[0, 0].tolist() == [64, 128, 192, 255]
    assert found[0, -1].tolist() == [64, 128, 192, 255]


def test_a_caption_stands_in_the_lower_left(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    plan = picture(size=(640, 360))
    written = replace(
        plan, caption=Caption(title="A wave", quantities=(Quantity(kind="value", actor="human", part="pelvis.turn"),))
    )
    off = np.abs(draw(surface, plan, evaluator) - draw(surface, written, evaluator)).max(axis=2) > 8
    rows, columns = np.nonzero(off)
    assert rows.min() > 250
    assert columns.max() < 320
    assert off.sum() > 400


def test_a_shifted_camera_shows_something_else(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    here, there = picture(), picture(camera=Camera(azimuth=2.0))
    assert np.abs(draw(surface, here, evaluator) - draw(surface, there, evaluator)).mean() > 2


def test_without_a_screen_the_pixels_are_the_same(surface: OffscreenSurface, evaluator: Evaluator) -> None:
    try:
        egl = EglSurface()
    except NoOpenGL as problem:
        pytest.skip(str(problem))
    plan = picture(samples=4, size=(640, 360))
    found = draw(egl, plan, evaluator)
    egl.close()
    np.testing.assert_array_equal(found, draw(surface, plan, evaluator))
