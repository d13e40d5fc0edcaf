"""What is frozen in the real window: nothing that a panel, a key or a menu offers changes it. Thawed, the same does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QMenu,
    QToolButton,
    QWidget,
)

from app.features.poses.grid import PoseGrid
from app.session import Item
from app.session.actors import human
from app.shell.actions import ACTIONS
from app.style.search_field import SearchField
from app.style.section import FoldedSection
from app.style.value_slider import ValueSlider
from engine.document import Document, Layer
from engine.edits import edit
from tests.app.shell.answers import Answers
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

ME, FOOT = "me", "ankle_left"
INPUTS = (ValueSlider, QAbstractButton, QComboBox, QLineEdit, QListWidget, PoseGrid)
CHANGING = ("inspector", "figure", "layers", "poses")  # panels by which an actor is changed by hand
MENUS = ("Pose", "Figure", "Edit")
LEFT_OUT = ("edit.undo", "edit.redo")  # back to before it was frozen


@pytest.fixture
def opened(the_window: OneWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A person with two layers, a key and a lock."""
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))  # buttons and menus keep poses
    layers = (Layer(id="pose"), Layer(id="over", name="Over"))
    person = replace(human(Document()), id=ME, layers=layers)
    with the_window.begun(Document(actors=(person,)), questions=Answers()) as made:
        made.until(lambda: made.session.reaching.ready)
        made.session.select([Item(ME, FOOT)])
        for action in ("lock.both", "pose.key_selected"):
            made.window.menus.actions[action].trigger()
            rest(made)
        made.settle()
        assert made.session.document.actor(ME).locks
        yield made


def rest(opened: Stage) -> None:
    opened.until(lambda: opened.session.at_rest)


def freeze(opened: Stage, frozen: bool) -> None:
    opened.session.do(edit("freeze_actor", actor=ME, frozen=frozen))
    opened.settle()


def subjects(opened: Stage) -> list[Item]:
    lock = opened.session.document.actor(ME).locks[0]
    return [Item(ME), Item(ME, FOOT), Item(ME, lock.joint, lock.id)]


def use(widget: QWidget) -> None:
    """As a hand would: drag a slider, click a button, choose, type, tick, put on a pose."""
    if isinstance(widget, ValueSlider):
        middle = widget.height() // 2
        drag(widget, [QPoint(widget.width() * share // 10, middle) for share in (3, 4, 5, 7)])
    elif isinstance(widget, QAbstractButton):
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    elif isinstance(widget, QComboBox):
        QTest.keyClick(widget, Qt.Key.Key_Down)
    elif isinstance(widget, QLineEdit):
        widget.setFocus()
        widget.selectAll()
        QTest.keyClicks(widget, "0.2")
        QTest.keyClick(widget, Qt.Key.Key_Return)
    elif isinstance(widget, PoseGrid):
        at = widget.visualRect(widget.model().index(1, 0)).center()
        QTest.mouseClick(widget.viewport(), Qt.MouseButton.LeftButton, pos=at)
        QTest.mouseDClick(widget.viewport(), Qt.MouseButton.LeftButton, pos=at)
    elif isinstance(widget, QListWidget):
        widget.setCurrentRow(0)
        QTest.keyClick(widget, Qt.Key.Key_Return)


def change_by_panel(opened: Stage, name: str) -> tuple[str, int]:
    """Use whatever can be used in a panel, for the whole figure, a joint and a lock, until the figure is another; by
    what it was changed, or nothing, and how much was used.
    """
    used = 0
    panel, before = opened.window.docks[name].widget(), opened.session.document.actor(ME)
    opened.window.show_panel(name)
    for subject in subjects(opened):
        opened.session.select([subject])
        opened.settle()
        for section in panel.findChildren(FoldedSection)[:8]:
            section.header.set_unfolded(True)
        opened.settle()
        for widget in panel.findChildren(QWidget):
            if shiboken6.isValid(widget) and is_within_reach(widget):
                use(widget)
                used += 1
                rest(opened)
                dismiss()
                if opened.session.document.actor(ME) is not before:
                    return f"{type(widget).__name__} {widget.accessibleName()}", used
    return "", used


def change_by_menus(opened: Stage, item: Item, *, enough: int = len(ACTIONS)) -> list[str]:
    """The actions of posing, building and locking that change the figure, each from the same document; so many."""
    session, before = opened.session, opened.session.document.actor(ME)
    changing: list[str] = []
    menus = opened.window.menus
    for action in [each for each in ACTIONS if each.menu in MENUS and each.id not in LEFT_OUT]:
        if len(changing) == enough:
            break
        session.select([item])
        if menus.commands.can(action):
            position = session.history.position
            menus.actions[action.id].trigger()
            rest(opened)
            dismiss()
            actors = session.document.actor_index
            if ME not in actors or session.document.actor(ME) is not before:
                changing.append(action.id)
            session.edit_figure(None)
            session.go_to(position)
            rest(opened)
    return changing


def is_within_reach(widget: QWidget) -> bool:
    stands = (
        isinstance(widget, QToolButton) and widget.menu() is not None
    )  # a menu that a press opens waits for a choice
    usable = isinstance(widget, INPUTS) and not isinstance(widget, SearchField) and not stands
    return usable and widget.isVisible() and widget.isEnabled() and not widget.visibleRegion().isEmpty()


def dismiss() -> None:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog | QMenu) and widget.isVisible():
            widget.close()


@pytest.mark.parametrize("name", CHANGING)
def test_no_panel_changes_what_is_frozen(opened: Stage, name: str) -> None:
    freeze(opened, True)
    by, _ = change_by_panel(opened, name)
    assert by == ""
    freeze(opened, False)
    by, _ = change_by_panel(opened, name)
    assert by != "", "the same things do when it is thawed"


@pytest.mark.parametrize("name", ["outliner", "method", "log"])  # the history has nothing to press
def test_no_other_panel_changes_a_figure(opened: Stage, name: str) -> None:
    freeze(opened, True)
    by, used = change_by_panel(opened, name)
    assert by == ""
    assert used > 0, "else nothing was tried"


def test_no_action_of_posing_building_or_locking_changes_what_is_frozen(opened: Stage) -> None:
    for item in subjects(opened):
        opened.session.do(edit("freeze_actor", actor=ME, frozen=True))
        assert change_by_menus(opened, item) == []
        opened.session.do(edit("freeze_actor", actor=ME, frozen=False))
        assert len(change_by_menus(opened, item, enough=6)) == 6, "thawed, many do"
