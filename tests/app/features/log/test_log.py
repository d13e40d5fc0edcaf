"""The log: bounded, filtered, copied as a script."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.features.log.lines import LogList, as_text
from app.features.log.panel import LogPanel
from app.features.log.rows import short
from app.session import LOG_KEPT, LogEntry
from engine.edits import edit
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held

pytestmark = pytest.mark.gui
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def panel(held: Held, qtbot: QtBot) -> LogPanel:
    held.session.note("note", "before the panel was made")
    made = LogPanel(held.session)
    QAbstractItemModelTester(made.lines, QAbstractItemModelTester.FailureReportingMode.Fatal)
    put_on_screen(made, qtbot, width=700, height=160)
    held.session.do(edit("show_actor", actor="box", visible=False))
    held.session.note("warning", "careful")
    held.session.note("error", "wrong\nsecond line")
    return made


def texts(panel: LogPanel) -> list[str]:
    return [entry.text for entry in panel.lines.seen]


def clipboard() -> str:
    return QGuiApplication.clipboard().text()


def test_what_was_said_before_is_there_too(panel: LogPanel) -> None:
    assert texts(panel) == ["before the panel was made", "Show or hide Box", "careful", "wrong\nsecond line"]


def test_kinds_can_be_left_out(held: Held, panel: LogPanel) -> None:
    QTest.mouseClick(panel.kinds["edit"], LEFT)
    QTest.mouseClick(panel.kinds["note"], LEFT)
    assert texts(panel) == ["careful", "wrong\nsecond line"]
    held.session.note("note", "unseen")
    held.session.note("warning", "seen")
    assert texts(panel)[-1] == "seen"
    QTest.mouseClick(panel.kinds["note"], LEFT)
    assert "unseen" in texts(panel)


def test_copying_gives_lines_of_python_and_the_rest_as_comments(panel: LogPanel) -> None:
    QTest.mouseClick(panel.copy_button, LEFT)
    assert clipboard().splitlines() == [
        "# before the panel was made",
        "document = show_actor(document, actor='box', visible=False)",
        "# careful",
        "# wrong",
        "# second line",
    ]
    compile(clipboard(), "log", "exec")


def test_control_c_copies_the_chosen_lines(panel: LogPanel) -> None:
    middle = panel.view.visualRect(panel.lines.index(1)).center()
    QTest.mouseClick(panel.view.viewport(), LEFT, NONE, middle)
    QTest.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert clipboard() == "document = show_actor(document, actor='box', visible=False)"


def test_clearing_empties_the_list(panel: LogPanel) -> None:
    QTest.mouseClick(panel.clear_button, LEFT)
    assert texts(panel) == []
    assert not panel.copy_button.isEnabled()


def test_the_log_keeps_to_its_bound_and_keeps_the_newest(held: Held) -> None:
    lines = LogList()
    for number in range(LOG_KEPT + 950):
        lines.add(LogEntry(kind="error" if number % 2 else "note", text=str(number)))
        assert lines.rowCount() <= LOG_KEPT
    assert lines.seen[-1].text == str(LOG_KEPT + 949)
    assert lines.rowCount() > LOG_KEPT - 200
    lines.show_kinds(["error"])
    for number in range(300):
        lines.add(LogEntry(kind="note", text=f"more {number}"))
    assert all(entry.kind == "error" for entry in lines.seen)
    lines.show_kinds(["error", "note"])
    assert LOG_KEPT - 200 < lines.rowCount() <= LOG_KEPT


def test_the_newest_line_is_in_sight_unless_a_person_reads_above(held: Held, panel: LogPanel) -> None:
    for number in range(50):
        held.session.note("note", str(number))
    bar = panel.view.verticalScrollBar()
    panel.view.grab()
    assert bar.value() == bar.maximum() > 0
    bar.setValue(0)
    held.session.note("note", "new")
    panel.view.grab()
    assert bar.value() == 0


def test_in_a_narrow_dock_the_python_stands_below(panel: LogPanel, qtbot: QtBot) -> None:
    tall = panel.view.visualRect(panel.lines.index(0)).height()
    words = panel.view.grab().toImage()
    QTest.mouseClick(panel.python, LEFT)
    assert panel.view.grab().toImage() != words, "it is shown on request alone"
    panel.resize(240, 160)
    qtbot.waitUntil(lambda: panel.view.visualRect(panel.lines.index(0)).height() > tall)
    panel.resize(700, 160)
    qtbot.waitUntil(lambda: panel.view.visualRect(panel.lines.index(0)).height() == tall)


def test_the_assignment_that_all_lines_have_is_left_out_for_reading_only() -> None:
    line = "document = show_actor(document, actor='box-9f3a1c22', visible=False)"
    assert short(line) == "show_actor(document, actor='box-9f3a1c22', visible=False)"
    assert as_text([LogEntry(kind="edit", text="", line=line)]) == line


def test_a_comment_hides_no_code() -> None:
    assert as_text([LogEntry(kind="note", text="a\nimport os")]) == "# a\n# import os"


def test_a_row_is_hit_where_it_is_drawn(panel: LogPanel) -> None:
    middle = panel.view.visualRect(panel.lines.index(2)).center()
    assert panel.view.indexAt(QPoint(middle)).row() == 2
