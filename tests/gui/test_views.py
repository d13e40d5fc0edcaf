"""The four views by real keys, wheel and buttons of both keymaps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from app.scene.camera import Array
from app.scene.navigation import MICE
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
NONE, ALT, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as begun:
        yield begun


def canvas(opened: Stage) -> QWidget:
    found = opened.view.childAt(opened.view.rect().center())
    assert isinstance(found, QWidget)
    return found


def middle(opened: Stage, view: int) -> QPoint:
    pane = opened.view.panes()[view]
    return QPoint(pane.x + pane.width * 3 // 5, pane.y + pane.height // 3)


@pytest.mark.parametrize("view", range(4))
def test_a_key_maximises_the_view_that_was_pressed_in_and_brings_all_back(
    view: int, opened: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened.view.set_active(view)
    monkeypatch.setattr(opened.view, "view_under_pointer", lambda: view)  # where the real pointer is, nobody knows
    canvas(opened).setFocus()
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_M)
    assert set(opened.view.panes()) == {view}
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_M)
    assert set(opened.view.panes()) == {0, 1, 2, 3}


@pytest.mark.parametrize("view", range(4))
def test_the_wheel_keeps_the_point_under_the_pointer(view: int, opened: Stage) -> None:
    widget, at = canvas(opened), middle(opened, view)
    before, pixel, size = opened.view.cameras[view], opened.view.inside(view, QPointF(at)), opened.view.size_of(view)
    origin, direction = before.ray(pixel, size)
    along = float((np.array(before.target) - origin) @ before.axes[2]) / float(direction @ before.axes[2])
    point: Array = origin + along * direction
    where = QPointF(at)
    turn = QWheelEvent(
        where, QPointF(widget.mapToGlobal(at)), QPoint(), QPoint(0, 360), Qt.MouseButton.NoButton, NONE,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, turn)
    after = opened.view.cameras[view]
    assert after.distance < before.distance
    assert np.abs(after.project(point, size)[:2] - pixel).max() < 0.01, "[px]"
    opened.view.set_camera(view, before)


@pytest.mark.parametrize(("keymap", "button", "modifier", "what"), [
    ("industry", Qt.MouseButton.LeftButton, ALT, "orbit"),
    ("industry", Qt.MouseButton.MiddleButton, ALT, "pan"),
    ("blender", Qt.MouseButton.MiddleButton, NONE, "orbit"),
    ("blender", Qt.MouseButton.MiddleButton, SHIFT, "pan"),
])  # fmt: skip
def test_both_keymaps_orbit_and_pan_by_their_buttons(
    keymap: str, button: Qt.MouseButton, modifier: Qt.KeyboardModifier, what: str, opened: Stage
) -> None:
    opened.view.mouse = MICE[keymap]
    before, at, widget = opened.view.cameras[1], middle(opened, 1), canvas(opened)
    QTest.mousePress(widget, button, modifier, at)
    QTest.mouseRelease(widget, button, modifier, at + QPoint(40, 20))
    after = opened.view.cameras[1]
    assert (after.azimuth != before.azimuth) == (what == "orbit")
    assert (after.target != before.target) == (what == "pan")
    opened.view.set_camera(1, before)
