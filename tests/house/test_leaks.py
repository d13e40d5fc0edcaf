"""What a test leaves behind is found, also what was there before and only begins; the mouse is let go of."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from tests import leaks
from tests.pointer import let_go

HOUR = 3_600_000  # [ms]


def test_a_timer_that_stood_while_things_were_set_aside_is_found_once_it_runs(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    timer = QTimer()
    timer.setInterval(HOUR)
    monkeypatch.setattr(leaks, "MANY", 0)
    monkeypatch.setattr(leaks, "EVERY", 1)
    monkeypatch.setattr(leaks, "top_windows", dict)
    leaks.set_aside_what_stays()
    before = leaks.photograph(with_qt=True)
    timer.start()
    found = leaks.left_behind(before, with_qt=True, patience=0)
    timer.stop()
    assert found == [f"repeating QTimer of {HOUR} ms, parent NoneType"]
    assert leaks.left_behind(before, with_qt=True, patience=0) == []


class TimerOfAKind(QTimer):
    """A kind of timer of its own."""


def test_a_timer_of_any_kind_is_found_among_those_of_a_parent(qapp: QApplication) -> None:
    parent = QObject()
    before = leaks.photograph(with_qt=True)
    beat = TimerOfAKind(parent, interval=HOUR)
    beat.start()
    assert leaks.left_behind(before, with_qt=True, patience=0) == [f"repeating QTimer of {HOUR} ms, parent QObject"]
    beat.stop()


def test_the_button_that_a_double_click_leaves_down_is_let_go(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    QTest.mouseDClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(1, 1))
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.LeftButton
    let_go()
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton
