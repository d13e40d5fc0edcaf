"""Sides that gave way in a narrow window get their widths back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.shell.dock_widths import DockWidths

pytestmark = pytest.mark.gui


def test_a_panel_that_was_squeezed_comes_back_to_its_width(qtbot: QtBot) -> None:
    window, docks = QMainWindow(), {}
    middle = QWidget()
    middle.setMinimumWidth(300)
    window.setCentralWidget(middle)
    area = Qt.DockWidgetArea
    for name, side in (("left", area.LeftDockWidgetArea), ("right", area.RightDockWidgetArea)):
        docks[name] = QDockWidget(name)
        docks[name].setWidget(QWidget())
        window.addDockWidget(side, docks[name])
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton, "left pressed by a test before"
    widths = DockWidths(window, docks)
    qtbot.addWidget(window)
    window.resize(900, 200)
    window.show()
    window.resizeDocks(list(docks.values()), [180, 260], Qt.Orientation.Horizontal)
    qtbot.waitUntil(lambda: widths.wanted == [180, 260])
    for narrow in (500, 620):
        window.resize(narrow, 200)
        qtbot.waitUntil(lambda: sum(each.width() for each in docks.values()) < 400)
        window.resize(900, 200)
        qtbot.waitUntil(lambda: [each.width() for each in docks.values()] == [180, 260])
    window.resizeDocks([docks["right"]], [120], Qt.Orientation.Horizontal)
    widths.forget()
    qtbot.waitUntil(lambda: docks["right"].width() == 120)
    window.resize(1000, 200)
    qtbot.wait(30)
    assert docks["right"].width() == 120, "laid out anew, it is as wide as that"
