"""The shell in the real window: what a click, a drag, a key and a file do, and what is said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.features.log.panel import LogPanel
from app.features.outliner.panel import OutlinerPanel
from app.scene import Pick
from app.session import Item, LogEntry
from app.shell.actions import Action
from app.shell.window import MainWindow
from app.style.value_slider import ValueSlider
from engine.edits import edit
from engine.formats import sinew
from tests.app.shell.answers import Answers
from tests.one_window import OneWindow
from tests.picking import find_body

pytestmark = pytest.mark.gui
P = TypeVar("P", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
PERSPECTIVE = 1


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(the_window: OneWindow, answers: Answers) -> Iterator[MainWindow]:
    with the_window.begun(questions=answers) as begun:
        yield begun.window


def human(window: MainWindow) -> str:
    return window.session.document.actors[0].id


def head(window: MainWindow) -> tuple[QPoint, Pick]:
    """A point of the perspective view where the head lies under the pointer."""
    found = find_body(window.view, window.session.document.actors[0], "head", pane=PERSPECTIVE)
    assert found is not None
    return found[0].toPoint(), found[1]


def press(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    window.activateWindow()
    QTest.qWaitForWindowActive(window, 2000)
    QTest.keyClick(window, key, modifiers)


def click(window: MainWindow, point: QPoint, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    canvas = window.view.childAt(point)
    assert canvas is not None
    QTest.mouseClick(canvas, LEFT, modifiers, canvas.mapFrom(window.view, point))


def sliders(window: MainWindow) -> list[ValueSlider]:
    return [each for each in window.docks["inspector"].findChildren(ValueSlider) if each.isVisible()]


def panel(window: MainWindow, kind: type[P]) -> P:
    return next(found for dock in window.docks.values() if isinstance(found := dock.widget(), kind))


def drag(slider: QWidget, pixels: int) -> None:
    start = QPoint(slider.width() // 3, slider.height() // 2)
    QTest.mousePress(slider, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for step in range(1, 6):
        QTest.mouseMove(slider, start + QPoint(pixels * step // 5, 0))
        QTest.qWait(12)
    QTest.mouseRelease(slider, LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(pixels, 0))


def picture(window: MainWindow) -> QImage:
    return window.view.grab_image()


def settled(window: MainWindow, qtbot: QtBot) -> QImage:
    """The picture once it shows the document and everything that is chosen."""
    session, view = window.session, window.view
    with qtbot.waitSignal(session.snapshot_ready, check_params_cb=lambda shown: shown.document is session.shown):
        session.request_picture()
    with qtbot.waitSignal(view.drawn):
        view.set_look(view.look)
    return picture(window)


def test_a_click_on_a_body_selects_it_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    before = settled(window, qtbot)
    point, pick = head(window)
    click(window, point)
    assert window.session.selection.items == (Item(human(window), pick.part),)
    assert window.selected_bodies() == {(human(window), pick.part)}
    assert panel(window, OutlinerPanel).view.selectionModel().hasSelection()
    assert len(sliders(window)) >= 1
    assert settled(window, qtbot) != before


def test_a_click_beside_everything_selects_nothing(window: MainWindow) -> None:
    window.session.select([Item(human(window), "head")])
    pane = window.view.panes()[PERSPECTIVE]
    click(window, QPoint(int(pane.x) + 20, int(pane.y + pane.height / 2)))
    assert not window.session.selection


def test_what_is_chosen_in_the_outliner_is_outlined_in_the_picture(window: MainWindow, qtbot: QtBot) -> None:
    before = settled(window, qtbot)
    view = panel(window, OutlinerPanel).view
    row = view.model().index(0, 0, view.model().index(0, 0))
    view.scrollTo(row)
    QTest.mouseClick(view.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, view.visualRect(row).center())
    assert len(window.session.selection.items) == 1
    assert settled(window, qtbot) != before


def test_a_drag_is_one_entry_and_undo_gives_document_and_picture_back(window: MainWindow, qtbot: QtBot) -> None:
    session = window.session
    session.select([Item(human(window), "head")])
    document, before = session.document, settled(window, qtbot)
    drag(sliders(window)[0], 60)
    qtbot.waitUntil(lambda: len(session.history.entries) == 2)
    assert session.document is not document
    turned = settled(window, qtbot)
    assert turned != before
    press(window, Qt.Key.Key_Z, CONTROL)
    assert session.document is document
    assert settled(window, qtbot) == before
    press(window, Qt.Key.Key_Y, CONTROL)
    assert settled(window, qtbot) == turned
    assert len(session.history.entries) == 2


def test_undo_says_what_it_takes_back(window: MainWindow, qtbot: QtBot) -> None:
    action = window.menus.actions["edit.undo"]
    assert (action.text(), action.isEnabled()) == ("Undo", False)
    window.session.do(edit("rename_actor", actor=human(window), name="Anna"))
    qtbot.waitUntil(lambda: (action.text(), action.isEnabled()) == ("Undo rename Human", True))


def test_a_change_brings_actions_up_to_date_once_and_in_time_for_a_key(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many signals a change brings."""
    commands, before, asked = window.menus.commands, window.session.document, list[str]()
    can = commands.can

    def ask(line: Action) -> bool:
        asked.append(line.id)
        return can(line)

    window.menus.refresh()
    monkeypatch.setattr(commands, "can", ask)
    window.session.do(edit("rename_actor", actor=human(window), name="Anna"))
    assert asked == []
    QTest.keyClick(window, Qt.Key.Key_Z, CONTROL)
    assert asked.count("edit.undo") == 1
    assert window.session.document is before


def test_save_and_open_give_the_same_document(
    window: MainWindow, qtbot: QtBot, answers: Answers, tmp_path: Path
) -> None:
    session, path = window.session, tmp_path / "walk.sinew"
    session.do(edit("rename_actor", actor=human(window), name="Anna"))
    digest = session.document.digest
    assert window.isWindowModified()
    answers.place = path
    with qtbot.waitSignal(session.filed):
        press(window, Qt.Key.Key_S, CONTROL)
    assert not window.isWindowModified()
    assert window.windowTitle() == "walk[*] – Sinew"
    assert window.status.saved.text() == "Saved"
    assert sinew.read(path).digest == digest
    press(window, Qt.Key.Key_N, CONTROL)
    assert session.document.digest != digest
    answers.file = path
    with qtbot.waitSignal(session.filed):
        press(window, Qt.Key.Key_O, CONTROL)
    assert session.document.digest == digest
    assert window.preferences.recent == (str(path),)
    assert answers.asked == ["place for Untitled.sinew", "file"]


def test_a_kernel_that_raises_is_shown_and_the_window_goes_on(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raising(*_: object) -> None:
        raise ZeroDivisionError("in a kernel")

    session = window.session
    before = settled(window, qtbot)
    with monkeypatch.context() as broken:
        broken.setattr("engine.evaluate.compiled.compute_forward_kinematics", raising)
        with qtbot.waitSignal(session.logged, check_params_cb=lambda entry: entry.kind == "error"):
            session.set_playhead(7 * 23520000)  # a picture that is not kept yet
    assert "ZeroDivisionError: in a kernel" in window.message.text
    assert window.message.isVisible()
    assert settled(window, qtbot).width() == before.width()
    session.select([Item(human(window), "head")])
    drag(sliders(window)[0], 40)
    qtbot.waitUntil(lambda: len(session.history.entries) == 2)


def test_space_plays_and_enter_presses_a_button_that_has_the_keyboard(window: MainWindow) -> None:
    clear, states = panel(window, LogPanel).clear_button, []
    window.session.note("note", "a line")
    clear.setEnabled(True)
    bar, lines = window.transport, panel(window, LogPanel).view
    widgets: tuple[QWidget, ...] = (window, clear, lines, bar.speed, bar.play)
    for widget in widgets:
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(widget, Qt.Key.Key_Space)
        states.append(window.session.player.playing)
    assert states == [True, False, True, False, True]
    assert panel(window, LogPanel).lines.rowCount() > 0, "the button was not pressed"
    clear.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(clear, Qt.Key.Key_Return)
    assert window.session.player.playing
    assert panel(window, LogPanel).lines.rowCount() == 0


def test_the_pointer_over_a_body_is_named(window: MainWindow, qtbot: QtBot) -> None:
    _, pick = head(window)
    window._show_hovered(pick)
    assert window.status.pointer.text == "Head · Human"
    window._show_hovered(None)
    assert window.status.pointer.text == ""


def test_warnings_and_errors_come_to_the_message_bar_notes_do_not(window: MainWindow) -> None:
    window.session.note("note", "quiet")
    assert window.message.isHidden()
    window.session.note("warning", "look here")
    assert (window.message.text, window.message.kind) == ("look here", "warning")
    assert window.session.log[-1] == LogEntry(kind="warning", text="look here")
