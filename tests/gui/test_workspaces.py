"""Workspaces and panels in the real window, by their keys and menu entries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QTabBar

from app.shell.arrangement import PLANS
from tests.app.shell.answers import Answers
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
F = {"pose": Qt.Key.Key_F1, "figure": Qt.Key.Key_F2, "animate": Qt.Key.Key_F3, "inspect": Qt.Key.Key_F4}


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    with the_window.begun(questions=answers) as open_stage:
        yield open_stage


def go_to(opened: Stage, name: str) -> None:
    QTest.keyClick(opened.window.windowHandle(), F[name], Qt.KeyboardModifier.ShiftModifier)
    opened.until(lambda: opened.window.workspaces.present == name)
    opened.draw()


def trigger(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled()
    opened.window.menus.actions[action].trigger()
    opened.draw()


def away(opened: Stage) -> set[str]:
    return {name for name, dock in opened.window.docks.items() if dock.isHidden()}


def test_a_key_brings_a_workspace_with_its_panels_and_views(opened: Stage) -> None:
    for name in ("figure", "animate", "inspect", "pose"):
        go_to(opened, name)
        assert away(opened) == PLANS[name].away, name
        assert opened.view.maximised == PLANS[name].maximised, name
        for each in PLANS[name].raised:
            assert not opened.window.docks[each].visibleRegion().isEmpty(), f"{each} is in front"
        assert opened.window.menus.actions[f"view.workspace_{name}"].isChecked()


def test_a_workspace_leaves_the_window_as_large_as_it_was(opened: Stage) -> None:
    before = opened.window.size()
    for name in ("figure", "animate", "inspect"):
        go_to(opened, name)
        assert opened.window.size() == before, name
        go_to(opened, "pose")
        assert opened.window.size() == before, name


def test_every_tab_has_its_whole_name_or_an_icon_that_a_click_turns_into_its_name(opened: Stage) -> None:
    seen = set()
    for name in ("pose", "figure", "animate", "inspect"):
        if name != "pose":
            go_to(opened, name)
        bars = opened.window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for bar in filter(QTabBar.isVisible, bars):
            QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(bar.count() - 1).center())
            opened.draw()
            assert bar.currentIndex() == bar.count() - 1
            assert bar.tabRect(bar.count() - 1).right() < bar.width(), f"no arrows in {name}"
            for tab in range(bar.count()):
                has_name = bar.tabIcon(tab).isNull()
                needed = bar.fontMetrics().horizontalAdvance(bar.tabText(tab)) if has_name else 14
                assert bar.tabRect(tab).width() >= needed, f"{bar.tabText(tab)} is cut"
                assert bar.tabToolTip(tab) == bar.tabText(tab)
                assert has_name or bar.count() > 6, "names where they have room"
                seen.add(has_name)
            assert bar.tabIcon(bar.currentIndex()).isNull(), "the front one has its name"
    assert seen == {True, False}
    assert opened.window.docks["curves"].widget().minimumSizeHint().width() <= 400


def test_a_workspace_is_found_as_it_was_left_and_reset_lays_it_out_again(opened: Stage) -> None:
    opened.window.docks["history"].raise_()
    opened.window.docks["log"].hide()
    go_to(opened, "animate")
    go_to(opened, "pose")
    assert away(opened) == {"log"}
    assert not opened.window.docks["history"].visibleRegion().isEmpty()
    trigger(opened, "view.workspace_reset")
    assert away(opened) == set()
    assert not opened.window.docks["log"].visibleRegion().isEmpty()


def test_ones_own_workspace_is_saved_found_and_removed(opened: Stage, answers: Answers) -> None:
    opened.window.docks["poses"].hide()
    answers.name = "  My   desk "
    trigger(opened, "view.workspace_save")
    assert opened.window.workspaces.present == "My desk"
    go_to(opened, "figure")
    menu = opened.window.menus.menus["View/Workspace"]
    mine = next(action for action in menu.actions() if action.text() == "My desk")
    mine.trigger()
    assert away(opened) == {"poses"}
    trigger(opened, "view.workspace_remove")
    assert opened.window.workspaces.present == "pose"
    assert "My desk" not in [action.text() for action in menu.actions()]
    opened.window.menus.refresh()
    assert not opened.window.menus.actions["view.workspace_remove"].isEnabled(), "those of Sinew stay"


def test_the_name_of_one_of_sinews_own_is_refused_with_what_to_do(opened: Stage, answers: Answers) -> None:
    for name in ("Pose", "INSPECT"):
        answers.name = name
        trigger(opened, "view.workspace_save")
        assert opened.window.preferences.workspaces == {}
        assert "Save yours under another name" in opened.window.message.text
        opened.window.message.dismiss()


def test_closed_panels_are_brought_back_one_by_one_and_all_at_once(opened: Stage) -> None:
    docks = opened.window.docks
    for dock in docks.values():
        dock.close()
    shown = {action.text(): action for action in opened.window.menus.menus["View/Panels"].actions()}
    shown[docks["method"].windowTitle()].trigger()
    assert away(opened) == set(docks) - {"method"}
    opened.until(lambda: docks["method"].titleBarWidget() is None)  # it stands alone, so its bar says what it is
    trigger(opened, "view.panels")
    assert away(opened) == set()
    opened.until(lambda: docks["method"].titleBarWidget() is not None)


def test_a_double_click_on_a_tab_makes_a_panel_float(opened: Stage) -> None:
    find = Qt.FindChildOption.FindDirectChildrenOnly
    bars = opened.window.findChildren(QTabBar, options=find)
    bar, tab = next((bar, tab) for bar in bars for tab in range(bar.count()) if bar.tabText(tab) == "Method")
    where = bar.tabRect(tab).center()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=where)
    dock: QDockWidget = opened.window.docks["method"]
    opened.until(dock.isFloating)
    opened.until(lambda: dock.titleBarWidget() is None)
    QTest.mouseRelease(opened.window, Qt.MouseButton.LeftButton)  # the bar that was pressed is gone


def test_a_floating_panel_comes_back_onto_the_screen(opened: Stage) -> None:
    dock = opened.window.docks["method"]
    dock.setFloating(True)
    dock.setGeometry(QRect(5000, 4000, 300, 400))
    left = opened.window.workspaces.seen().docks
    dock.setFloating(False)
    assert opened.window.workspaces.restore(left)
    assert dock.isFloating()
    assert any(screen.availableGeometry().contains(dock.geometry()) for screen in QGuiApplication.screens())
