"""Every dock has a button beside its name that opens its page of help, wherever it stands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.shell.help_sheet import HelpSheet
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as begun:
        yield begun
        for sheet in begun.window.findChildren(HelpSheet):
            sheet.close()


def read(opened: Stage, name: str) -> str:
    """What its button shows."""
    docks = opened.window.dock_help
    opened.until(lambda: docks.button_of(name) is not None)
    button = docks.button_of(name)
    assert button is not None
    opened.until(lambda: docks._turned.hasExpired(QApplication.doubleClickInterval()))
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    opened.until(lambda: any(each.isVisible() for each in opened.window.findChildren(HelpSheet)))
    return next(each for each in opened.window.findChildren(HelpSheet)).text.toPlainText()


def test_the_dock_in_front_has_a_button_that_explains_it(opened: Stage) -> None:
    window = opened.window
    for name in ("outliner", "physics", "water", "curves"):
        window.show_panel(name)
        assert read(opened, name).startswith(window.docks[name].windowTitle())


def test_the_second_of_two_clicks_on_a_tab_is_not_for_the_button_that_has_come(
    opened: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    docks = opened.window.dock_help
    opened.window.show_panel("physics")
    opened.until(lambda: docks.button_of("physics") is not None)
    docks._turned.start()
    button = docks.button_of("physics")
    assert button is not None
    monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 1_000_000)  # however busy the machine is
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not [each for each in opened.window.findChildren(HelpSheet) if each.isVisible()]


def test_a_floating_dock_has_it_in_its_bar(opened: Stage) -> None:
    dock = opened.window.docks["poses"]
    dock.setFloating(True)
    assert read(opened, "poses").startswith("Poses")
    button = opened.window.dock_help.button_of("poses")
    assert button is not None
    assert button.parent() is dock
    assert button.y() < dock.widget().y()
    dock.setFloating(False)
    opened.until(lambda: not button.isVisible())
