"""Round marks under a real mouse: they light up, stay under the pixel that took them, and with Shift on one axis."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.scene.markers import place_markers
from app.scene.panes import FRONT, PERSPECTIVE
from app.session import Item
from tests.gui.test_window import canvas_of, pixels
from tests.one_window import OneWindow
from tests.stage import Stage, move

pytestmark = [pytest.mark.gui, pytest.mark.pixels]

Place = NDArray[np.float64]
HAND = "hand_left"
BESIDE = QPoint(3, -2)  # [px] from the middle of a mark, still on it


@pytest.fixture
def opened(the_window: OneWindow, unhurried: None) -> Iterator[Stage]:
    with the_window.begun() as made:
        reaching = made.session.reaching
        made.until(lambda: reaching.ready)
        made.session.select([Item(made.session.document.actors[0].id)])
        made.settle()
        yield made


def place_of(opened: Stage) -> Place:
    """Where the mark of the hand stands in the picture [m]."""
    assert opened.snapshot is not None
    found = place_markers(opened.view.markers, opened.snapshot.bodies)
    return np.array(next(each.place for each in found if each.marker.id == HAND))


def seen_at(opened: Stage, place: Place, view: int) -> Place:
    """Where a place is seen in the canvas [px]."""
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(place, opened.view.size_of(view)).tolist()
    return np.array((pane.x + x, pane.y + y))


def take(opened: Stage, view: int) -> QPoint:
    """Press on the mark, a little beside its middle."""
    x, y = seen_at(opened, place_of(opened), view)
    start = QPoint(round(x), round(y)) + BESIDE
    QTest.mousePress(canvas_of(opened), Qt.MouseButton.LeftButton, pos=start)
    return start


def go(opened: Stage, to: QPoint, *, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> Place:
    """Move there with the button held; where the mark is wanted then [m], once the figure has followed."""
    reaching = opened.session.reaching
    move(canvas_of(opened), to, modifiers=modifiers)
    opened.until(lambda: _is_answered(opened))
    assert reaching.goal is not None
    return np.array(reaching.goal)


def _is_answered(opened: Stage) -> bool:
    last, reaching = opened.session.reaching.reached, opened.session.reaching
    return last is not None and last.request.drag == reaching.drag and last.goals[0].target == reaching.goal  # type: ignore[union-attr]


def let_go(opened: Stage, at: QPoint) -> None:
    QTest.mouseRelease(canvas_of(opened), Qt.MouseButton.LeftButton, pos=at)
    opened.until(lambda: opened.session.reaching.pulled is None)


@pytest.mark.parametrize("view", [FRONT, PERSPECTIVE])
def test_a_dragged_mark_keeps_the_exact_pixel_that_it_was_taken_by(opened: Stage, view: int) -> None:
    before = seen_at(opened, place_of(opened), view)
    start = take(opened, view)
    apart = before - (start.x(), start.y())
    for right, down in ((-6, -5), (-14, -12), (-9, -18), (-11, -3)):
        pointer = start + QPoint(right, down)
        wanted = go(opened, pointer)
        under = np.array((pointer.x(), pointer.y())) + apart
        np.testing.assert_allclose(seen_at(opened, wanted, view), under, atol=1e-6)
        assert np.hypot(*(seen_at(opened, place_of(opened), view) - under)) < 1.0, "the hand is there, too"
    let_go(opened, pointer)


@pytest.mark.parametrize("view", [FRONT, PERSPECTIVE])
@pytest.mark.parametrize(("right", "down"), [(-14, -3), (2, -15)])
def test_shift_leads_a_dragged_mark_along_one_axis_of_the_world(
    opened: Stage, view: int, right: int, down: int
) -> None:
    before = place_of(opened)
    start = take(opened, view)
    free = go(opened, start + QPoint(right, down))
    assert np.count_nonzero(np.abs(free - before) > 1e-4) > 1, "without Shift it goes askew"
    led = go(opened, start + QPoint(right, down), modifiers=Qt.KeyboardModifier.ShiftModifier)
    away = np.abs(led - before)
    assert np.count_nonzero(away > 1e-9) == 1
    assert away.max() > 0.01
    along = seen_at(opened, led, view) - seen_at(opened, before, view)
    assert float(along @ (right, down)) > 0.0, "the way that the pointer goes"
    again = go(opened, start + QPoint(right, down))
    np.testing.assert_allclose(again, free, atol=1e-9)
    let_go(opened, start + QPoint(right, down))


def test_a_mark_lights_up_under_the_pointer_and_goes_dark_behind_it(opened: Stage) -> None:
    canvas, (x, y) = canvas_of(opened), seen_at(opened, place_of(opened), FRONT)
    pane = opened.view.panes()[FRONT]
    away, on = QPoint(round(pane.x) + 30, round(pane.y + pane.height) - 60), QPoint(round(x), round(y))

    def looks(at: QPoint) -> NDArray[np.int64]:
        move(canvas, at, held=False)
        opened.settle()
        left, top = round(x) - 10, round(y) - 10
        return pixels(opened.view.grab_image())[top : top + 21, left : left + 21].astype(int)

    dark = looks(away)
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    lit = looks(on)
    assert (np.abs(lit - dark).max(axis=2) > 12).sum() > 20
    assert canvas.cursor().shape() == Qt.CursorShape.OpenHandCursor
    assert opened.window.status.pointer.text == "Left hand · drag to reach, click to pin it for drags"
    np.testing.assert_array_equal(looks(away), dark)
    assert canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
    assert opened.window.status.pointer.text == ""
