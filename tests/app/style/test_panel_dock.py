"""Docks make their panels when these are first seen or asked for."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.style.following import Following
from app.style.panel_dock import PanelDock

pytestmark = pytest.mark.gui


class Counted(Following):
    """A panel that counts how often it is refreshed."""

    def __init__(self) -> None:
        super().__init__()
        self.refreshed = 0

    def refresh(self) -> None:
        self.refreshed += 1


def _docks(window: QMainWindow, made: list[str]) -> tuple[PanelDock, PanelDock]:
    def make(name: str) -> QWidget:
        made.append(name)
        return Counted()

    first, behind = (PanelDock(name, window, partial(make, name)) for name in ("first", "behind"))
    for dock in (first, behind):
        window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
    window.tabifyDockWidget(first, behind)
    first.raise_()
    return first, behind


def test_a_panel_behind_another_tab_is_made_when_it_is_raised(qtbot: QtBot) -> None:
    window, made, told = QMainWindow(), list[str](), list[QWidget]()
    qtbot.addWidget(window)
    _, behind = _docks(window, made)
    behind.when_made(told.append)
    window.show()
    qtbot.waitUntil(lambda: made == ["first"])
    assert not told
    behind.raise_()
    qtbot.waitUntil(lambda: made == ["first", "behind"])
    assert told == [behind.widget()]


def test_a_panel_that_is_asked_for_is_made_once_and_waits_until_it_is_seen(qtbot: QtBot) -> None:
    window, made, told = QMainWindow(), list[str](), list[QWidget]()
    qtbot.addWidget(window)
    _, behind = _docks(window, made)
    window.show()
    qtbot.waitUntil(lambda: made == ["first"])
    panel = behind.widget()
    behind.when_made(told.append)
    assert panel is behind.widget()
    assert told == [panel]
    assert made == ["first", "behind"]
    assert isinstance(panel, Counted)
    panel.follow()
    assert panel.refreshed == 0
    behind.raise_()
    qtbot.waitUntil(lambda: panel.refreshed == 1)
