"""A real viewport on a real screen, driven by real mouse events."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.scene import Look, Viewport
from tests.app.scene.mannequins import snapshot, snowman

Show = Callable[..., Viewport]


class Mouse:
    """Sends events to the widget under a point of the viewport."""

    def __init__(self, viewport: Viewport) -> None:
        self._viewport = viewport

    def send(
        self,
        kind: QEvent.Type,
        at: tuple[float, float],
        button: Qt.MouseButton = Qt.MouseButton.NoButton,
        held: Qt.MouseButton = Qt.MouseButton.NoButton,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        point = QPoint(round(at[0]), round(at[1]))
        middle = self._viewport.childAt(self._viewport.rect().center())  # a drag may have left the window
        target: QWidget = self._viewport.childAt(point) or middle or self._viewport
        everywhere = QPointF(self._viewport.mapToGlobal(point))
        QApplication.sendEvent(target, QMouseEvent(kind, QPointF(*at), everywhere, button, held, modifiers))

    def click(
        self,
        at: tuple[float, float],
        button: Qt.MouseButton = Qt.MouseButton.LeftButton,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    ) -> None:
        self.drag(at, at, button, modifiers, steps=0)

    def drag(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        button: Qt.MouseButton,
        modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
        *,
        steps: int = 5,
    ) -> None:
        self.send(QEvent.Type.MouseButtonPress, start, button, button, modifiers)
        for step in range(1, steps + 1):
            share = step / steps
            at = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            self.send(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, button, modifiers)
        self.send(QEvent.Type.MouseButtonRelease, end, button, Qt.MouseButton.NoButton, modifiers)

    def move(self, at: tuple[float, float]) -> None:
        self.send(QEvent.Type.MouseMove, at)


@pytest.fixture
def show(qtbot: QtBot) -> Show:
    """Makes a viewport of two snowmen and waits for its first picture; smoothing is off unless a look asks for it."""

    def make(look: Look | None = None, *, started: bool = True) -> Viewport:
        viewport = Viewport(look=look or Look(anti_aliasing="off"), animated=False)
        qtbot.addWidget(viewport)
        viewport.resize(800, 600)
        viewport.show_snapshot(snapshot(snowman(), snowman("other", 1.2)))
        viewport.show()
        qtbot.waitExposed(viewport)
        if started:
            with qtbot.waitSignal(viewport.drawn):
                viewport.start()
            viewport.frame()
        return viewport

    return make


@pytest.fixture
def mouse(show: Show) -> Callable[[Viewport], Mouse]:
    return Mouse


def pixels(image: QImage) -> NDArray[np.int64]:
    """Red, green and blue, shape [height, width, 3]."""
    plain = image.convertToFormat(QImage.Format.Format_RGBA8888)
    rows = np.frombuffer(plain.constBits(), dtype=np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return rows[:, : 4 * plain.width()].reshape(plain.height(), plain.width(), 4)[..., :3].astype(np.int64)


def pixel_of(viewport: Viewport, view: int, point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a point of the world is in the viewport, in its logical pixels."""
    pane = viewport.panes()[view]
    x, y, _ = viewport.cameras[view].project(np.array(point), viewport.size_of(view))
    return pane.x + float(x), pane.y + float(y)
