"""Pictures of OpenGL in a window: laid there by a card, or drawn apart and painted like any image."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from app.scene import Viewport, gl_widget, viewport
from app.scene.gl_widget import GlWidget
from app.scene.panes import FRONT
from app.scene.probe import Graphics
from tests.app.scene.conftest import Show, pixel_of, pixels
from tests.app.scene.mannequins import snapshot, snowman

pytestmark = pytest.mark.gui
CARD, PROCESSOR = Graphics("a maker", "a card", "4.5"), Graphics("Mesa", "llvmpipe", "4.5")
BOTH = pytest.mark.parametrize("found", [CARD, PROCESSOR], ids=["card", "processor"])


def on_screen(view: Viewport) -> NDArray[np.int64]:
    """What the window system has of the viewport."""
    return pixels(view.screen().grabWindow(view.window().winId()).toImage())


def redrawn(view: Viewport, qtbot: QtBot) -> NDArray[np.int64]:
    """What is drawn, after one more picture."""
    with qtbot.waitSignal(view.drawn):
        view.set_look(view.look)
    return pixels(view.grab_image())


@BOTH
def test_what_is_drawn_is_on_the_screen_in_every_window(
    found: Graphics, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewport, "find_graphics", lambda: found)
    view = show()
    view.set_selection(frozenset([("snowman", "low")]))
    canvas = view._canvas
    assert canvas is not None
    assert bool(canvas.findChildren(QOpenGLWidget)) == (found is CARD), "else all widgets would be composed by OpenGL"
    before, contexts = redrawn(view, qtbot), {canvas._context}
    assert len(np.unique(before.reshape(-1, 3), axis=0)) > 100
    for window in (QMainWindow(), QMainWindow()):
        qtbot.addWidget(window)
        window.setCentralWidget(view)
        window.resize(view.size())
        window.show()
        qtbot.waitExposed(window)
        assert np.abs(redrawn(view, qtbot) - before).max() < 8, "rounding: windows are not of one format"
        qtbot.waitUntil(lambda: bool(np.abs(on_screen(view) - before).max() < 8))
        contexts.add(canvas._context)
        window.takeCentralWidget()
    assert len(contexts) == (3 if found is CARD else 1), "a card's goes with the window"


@BOTH
def test_the_mouse_is_the_viewports(found: Graphics, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewport, "find_graphics", lambda: found)
    view = show()
    at = QPoint(*(round(each) for each in pixel_of(view, FRONT, (0.0, 0.4, 0.0))))
    canvas = view._canvas
    assert canvas is not None
    assert view.childAt(at) is canvas
    with qtbot.waitSignal(view.menu_asked):
        QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=at)


def test_widgets_over_a_picture_of_the_processor_cost_no_other(show: Show, qtbot: QtBot) -> None:
    view = show()
    qtbot.waitUntil(lambda: not view.is_due)
    before, drawn = on_screen(view), list[float]()
    view.drawn.connect(drawn.append)
    view.show_message("A line over the views")
    qtbot.waitUntil(lambda: bool((on_screen(view) != before).any()))
    view.show_message("")
    qtbot.waitUntil(lambda: bool((on_screen(view) == before).all()))
    assert not drawn


@BOTH
def test_what_is_put_off_comes_with_the_snapshot(
    found: Graphics, show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewport, "find_graphics", lambda: found)
    view = show()
    canvas = view._canvas
    assert canvas is not None
    qtbot.waitUntil(lambda: not view.is_due)
    drawn = list[float]()
    view.drawn.connect(drawn.append)
    canvas.expect_snapshot()
    canvas._held.setInterval(10_000)
    view.set_look(view.look)
    QTest.qWait(1)
    assert (drawn, view.is_due) == ([], True)
    view.show_snapshot(snapshot(snowman()))
    qtbot.waitUntil(lambda: len(drawn) == 1 and not view.is_due)


def test_a_driver_without_a_context_is_said_once(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gl_widget._Apart, "make", lambda self: False)
    view, said = GlWidget(None, software=True, samples=0), list[str]()
    view.broken.connect(said.append)
    qtbot.addWidget(view)
    view.resize(40, 30)
    view.grab()
    view.resize(50, 30)
    view.draw_soon()
    view.grab()
    assert said == ["The graphics driver gave no OpenGL context."]
    assert not view.has_gl
    assert view.grab_gl().isNull()
