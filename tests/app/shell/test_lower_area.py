"""The panels below the views get room when one is asked for, unless a hand made them low."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.shell.lower_area import ROOM, LowerArea

pytestmark = pytest.mark.gui


class Panel(QWidget):
    """One that would like to be so high."""

    def __init__(self, height: int) -> None:
        super().__init__()
        self._height = height

    def sizeHint(self) -> QSize:
        return QSize(300, self._height)


def test_a_panel_below_gets_the_height_that_it_needs_unless_a_hand_made_it_low(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, docks = QMainWindow(), {}
    window.setCentralWidget(QWidget())
    for name, high in (("low", 130), ("high", 900)):
        docks[name] = QDockWidget(name)
        docks[name].setTitleBarWidget(QWidget(docks[name]))
        docks[name].setWidget(Panel(high))
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, docks[name])
    window.tabifyDockWidget(docks["low"], docks["high"])
    area = LowerArea(window, docks)
    qtbot.addWidget(window)
    window.resize(700, 800)
    window.show()

    def asked(name: str) -> None:
        docks[name].raise_()
        area.give_room(docks[name])

    def lower(height: int) -> None:
        window.resizeDocks(list(docks.values()), [height, height], Qt.Orientation.Vertical)

    lower(60)
    qtbot.waitUntil(lambda: docks["high"].height() <= 60)
    asked("low")
    qtbot.waitUntil(lambda: 130 <= docks["low"].height() < 170)
    asked("high")
    qtbot.waitUntil(lambda: docks["high"].height() >= ROOM)
    with monkeypatch.context() as held:
        held.setattr(QGuiApplication, "mouseButtons", lambda: Qt.MouseButton.LeftButton)
        lower(80)
        qtbot.waitUntil(lambda: docks["high"].height() <= 80)
    asked("high")
    qtbot.wait(30)
    assert docks["high"].height() <= 80, "as it was made by hand"
    area.forget()
    asked("high")
    qtbot.waitUntil(lambda: docks["high"].height() >= ROOM)
