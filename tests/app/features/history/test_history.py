"""The history panel: every entry once, the present one marked, a click away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.features.history.panel import HistoryPanel, PlaceRole
from app.session import Entry
from app.session.history import History
from engine.edits import edit
from tests.app.features.conftest import put_on_screen, scene
from tests.app.session.held import Held

pytestmark = pytest.mark.gui
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(held: Held, qtbot: QtBot) -> HistoryPanel:
    made = HistoryPanel(held.session)
    QAbstractItemModelTester(made.entries, QAbstractItemModelTester.FailureReportingMode.Fatal)
    put_on_screen(made, qtbot, height=200)
    for name in ("One", "Two", "Three"):
        held.session.do(edit("rename_actor", actor="box", name=name))
    return made


def places(panel: HistoryPanel) -> list[int]:
    return [panel.entries.index(row).data(PlaceRole) for row in range(panel.entries.rowCount())]


def row_middle(panel: HistoryPanel, row: int) -> QPoint:
    return panel.view.visualRect(panel.entries.index(row)).center()


def test_entries_come_with_the_edits_and_the_last_is_present(panel: HistoryPanel) -> None:
    assert places(panel) == [-1, -1, -1, 0]
    assert panel.entries.index(3).data(Qt.ItemDataRole.AccessibleTextRole) == "Rename Two, present"
    assert "rename_actor(document" in panel.entries.index(3).data(Qt.ItemDataRole.ToolTipRole)


def test_a_click_goes_there_and_back(held: Held, panel: HistoryPanel) -> None:
    newest = held.session.document
    QTest.mouseClick(panel.view.viewport(), LEFT, NONE, row_middle(panel, 1))
    assert held.session.document.actor("box").name == "One"
    assert places(panel) == [-1, 0, 1, 1]
    QTest.mouseClick(panel.view.viewport(), LEFT, NONE, row_middle(panel, 3))
    assert held.session.document is newest


def test_keys_go_there_too(held: Held, panel: HistoryPanel) -> None:
    panel.view.setFocus()
    QTest.keyClick(panel.view, Qt.Key.Key_Up)
    QTest.keyClick(panel.view, Qt.Key.Key_Return)
    assert held.session.document.actor("box").name == "Two"


def test_an_edit_after_undo_replaces_what_was_undone(held: Held, panel: HistoryPanel) -> None:
    held.session.go_to(1)
    held.session.do(edit("show_actor", actor="box", visible=False))
    assert places(panel) == [-1, -1, 0]
    assert panel.entries.index(2).data() == "Show or hide One"


def test_entries_that_are_no_longer_kept_go_from_the_top(held: Held, panel: HistoryPanel) -> None:
    short = History(scene(), held.session.history.entries[2])
    for entry in (held.session.history.entries[3], Entry("New")):
        short.add(scene(), entry)
    held.session.history = short
    held.session.history_changed.emit()
    assert [panel.entries.index(row).data() for row in range(3)] == ["Rename One", "Rename Two", "New"]
    assert places(panel) == [-1, -1, 0]


def test_another_document_begins_a_new_list(held: Held, panel: HistoryPanel) -> None:
    held.session.new()
    assert places(panel) == [0]
