"""Overlay symbols: which one lies under the pointer, how it looks, and what of a figure and its ghost is meant."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from app.scene.camera import Camera
from app.scene.look import Look
from app.scene.markers import Marker, marker_at, place_markers
from app.scene.painting import painted
from app.scene.picks import APART, PickHit, in_front
from app.scene.symbols import TAKEN, Symbol, placed, symbol_at
from app.scene.visuals.symbols import SHAPES, STICK, SYMBOLS, lines_of, paint_symbol, picture_of
from tests.app.scene.mannequins import snowman

SIZE = (400.0, 300.0)
CAMERA = Camera(orthographic=True)
HERE = (0.1, 1.0, 0.0)
MIDDLE = QPointF(20.0, 20.0)
SYMBOL = Symbol(of="toy", owner="one", id="t@0", name="Hand", part="hand", shape="point", place=HERE)


def pixel(place: tuple[float, float, float], right: float = 0.0) -> tuple[float, float]:
    x, y, _ = CAMERA.project(np.array(place), SIZE).tolist()
    return x + right, y


def found(*symbols: Symbol, right: float = 0.0) -> str | None:
    taken = symbol_at(placed(symbols), CAMERA, pixel(HERE, right), SIZE, of="toy")
    return None if taken is None else taken.marker.id


def test_a_symbol_is_taken_within_its_ring_by_its_feature_and_is_no_handle() -> None:
    assert found(SYMBOL) == found(SYMBOL, right=TAKEN - 0.5) == "t@0"
    assert found(SYMBOL, right=TAKEN + 0.5) is None
    markers = placed((SYMBOL,))
    assert marker_at(markers, CAMERA, pixel(HERE), SIZE) is None
    assert symbol_at(markers, CAMERA, pixel(HERE), SIZE, of="other") is None


def test_of_symbols_in_one_place_that_of_the_present_is_taken() -> None:
    other = replace(SYMBOL, id="t@9", quiet=True)
    assert found(other, SYMBOL) == found(SYMBOL, other) == "t@0"
    assert found(replace(other, place=HERE), replace(SYMBOL, place=(0.9, 1.0, 0.0))) == "t@9"


def test_a_symbol_behind_the_eye_is_not_taken() -> None:
    camera = Camera(orthographic=False)
    behind = tuple((camera.eye + 2.0 * camera.axes[2]).tolist())
    markers = placed((replace(SYMBOL, place=behind),))
    x, y, depth = camera.project(np.array(behind), SIZE).tolist()
    assert depth <= 0.0
    assert symbol_at(markers, camera, (x, y), SIZE, of="toy") is None


@pytest.mark.parametrize(
    ("change", "hot", "looks"),
    [
        ({}, False, "point plain"),
        ({"state": "faint"}, False, "point faint"),
        ({"state": "missed"}, False, "point missed"),
        ({"state": "missed", "chosen": True}, False, "point chosen"),
        ({"chosen": True, "shape": "pose"}, True, "pose hot"),
    ],
)
def test_how_it_looks_tells_its_state(change: dict[str, object], hot: bool, looks: str) -> None:
    assert picture_of(replace(SYMBOL, **change), hot=hot, chosen=False) == looks  # type: ignore[arg-type]
    assert looks in SYMBOLS


@pytest.mark.parametrize("shape", SHAPES)
def test_each_state_has_a_picture_of_its_own(shape: str) -> None:
    names = [f"{shape} {state}" for state in ("plain", "chosen", "missed", "faint")]
    pictures = [
        painted(40.0, 40.0, 1.0, partial(paint_symbol, middle=MIDDLE, name=each, look=Look())) for each in names
    ]
    assert all(one != other for one, other in combinations(pictures, 2))


def test_what_is_missed_has_a_line_from_the_body_and_a_turn_its_axes() -> None:
    axes = ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    ((ink, _, ends),) = lines_of(replace(SYMBOL, at=(0.1, 0.9, 0.0)), CAMERA, SIZE)
    assert ink == "ink warning"
    assert np.array_equal(ends, [(0.1, 0.9, 0.0), SYMBOL.place])
    turn = replace(SYMBOL, shape="turn", axes=tuple(zip("xyz", axes, strict=True)))
    lines = list(lines_of(turn, CAMERA, SIZE))
    assert [line[0] for line in lines] == ["ink axis_x", "ink axis_y", "ink axis_z"]
    reach = STICK * CAMERA.metres_per_pixel(np.array(HERE), SIZE)
    assert np.allclose([line[2][1] - line[2][0] for line in lines], reach * np.array(axes))
    assert list(lines_of(SYMBOL, CAMERA, SIZE)) == []


def test_a_mark_of_what_is_keyed_stands_on_the_ghost_where_there_is_one() -> None:
    solid = snowman()
    moved = solid.transforms.copy()
    moved[:, :, 3] += (0.5, 0.0, 0.0)
    ghost = replace(solid, role="ghost", transforms=moved)
    marker = Marker(owner=solid.owner, id="a", name="A", part=solid.parts[0], point=(0.0, 0.0, 0.0), keyed=True)
    (alone,), (behind,) = place_markers((marker,), (solid,)), place_markers((marker,), (solid,), (ghost,))
    assert np.subtract(behind.place, alone.place) == pytest.approx((0.5, 0.0, 0.0))
    (plain,) = place_markers((replace(marker, keyed=False),), (solid,), (ghost,))
    assert plain.place == alone.place


def test_of_a_figure_and_its_ghost_the_nearer_to_the_pointer_is_meant_then_the_nearer_to_the_eye() -> None:
    solid = PickHit(("one", "hand"), HERE, 0.0, 3.0)
    ghost = replace(solid, part=("one", "arm"))
    assert in_front(solid, None) is solid
    assert in_front(None, ghost) is ghost
    assert in_front(None, None) is None
    assert in_front(solid, ghost) is solid, "in one place"
    assert in_front(solid, replace(ghost, along=3.0 - 0.5 * APART)) is solid
    nearer = replace(ghost, along=3.0 - 2.0 * APART)
    assert in_front(solid, nearer) is nearer
    assert in_front(replace(solid, away=2.0), ghost) is ghost
    assert in_front(solid, replace(nearer, away=1.0)) is solid
