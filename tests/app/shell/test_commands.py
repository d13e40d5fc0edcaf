"""Commands by their keys, in the real window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.session import Item
from app.shell.window import MainWindow
from app.style.value_slider import ValueSlider

pytestmark = pytest.mark.gui


@pytest.fixture(autouse=True)
def active(window: MainWindow, qtbot: QtBot) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def test_delete_takes_the_selected_actors_out_and_leaves_joints(window: MainWindow) -> None:
    session = window.session
    first = session.document.actors[0].id
    window.menus.actions["add.ball"].trigger()
    ball = session.document.actors[-1].id
    window.view.setFocus()
    session.select([Item(first, "head"), Item(ball)])
    QTest.keyClick(window, Qt.Key.Key_Delete)
    assert [actor.id for actor in session.document.actors] == [first]
    session.select([Item(first, "head")])
    QTest.keyClick(window, Qt.Key.Key_Delete)
    assert [actor.id for actor in session.document.actors] == [first]


def test_delete_belongs_to_a_slider_that_has_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    window.menus.actions["add.box"].trigger()
    before = session.document.actors
    slider = window.findChildren(ValueSlider)[0]
    slider.setFocus()
    qtbot.waitUntil(slider.hasFocus)
    QTest.keyClick(slider, Qt.Key.Key_Delete)
    assert len(session.document.actors) == len(before)
