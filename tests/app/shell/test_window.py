"""The real window: real mouse and key events, a look at the pixels, and every way to close it."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.panels import LogPanel, OutlinerPanel
from app.scene import Pick
from app.session import Item, LogEntry, Session
from app.session.engine_link import EngineLink
from app.shell.actions import ACTIONS
from app.shell.questions import Dialogues
from app.shell.window import MainWindow
from app.style.value_slider import ValueSlider
from engine.document import Actor, Document, Key, Layer, Track
from engine.edits import edit
from engine.formats import sinew
from tests.app.session.conftest import small_document
from tests.app.session.held import hold
from tests.app.shell.answers import Answers
from tests.app.shell.conftest import Open

P = TypeVar("P", bound=QWidget)
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier
PERSPECTIVE = 1


def human(window: MainWindow) -> str:
    return window.session.document.actors[0].id


def press(window: MainWindow, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    window.activateWindow()
    QTest.qWaitForWindowActive(window, 2000)
    QTest.keyClick(window, key, modifiers)


def find_body(window: MainWindow, part: str) -> tuple[QPoint, Pick]:
    """A point of the perspective view where that body lies under the pointer: the middle one of those tried."""
    pane = window.view.panes()[PERSPECTIVE]
    hits: list[tuple[QPoint, Pick]] = []
    for down in range(8, int(pane.height), 6):
        before = len(hits)
        for across in range(8, int(pane.width), 6):
            point = QPointF(pane.x + across, pane.y + down)
            found = window.view.pick(point)
            if found is not None and found.part == part:
                hits.append((point.toPoint(), found))
        if hits and len(hits) == before:
            return hits[len(hits) // 2]
    raise AssertionError(f"{part} is not in the picture")


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


def test_a_start_shows_the_human_posed_by_the_engine(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.engine_state.ready
    assert window.status.engine.text().startswith("Ready")  # more is being prepared after a change of the engine
    qtbot.waitUntil(lambda: window.status.solved.text().startswith("Pose "))  # shown four times a second
    assert find_body(window, "head")[1].owner == human(window)


def test_a_click_on_a_body_selects_it_everywhere(window: MainWindow, qtbot: QtBot) -> None:
    before = settled(window, qtbot)
    point, pick = find_body(window, "head")
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


def test_undo_says_what_it_takes_back(window: MainWindow) -> None:
    action = window.menus.actions["edit.undo"]
    assert (action.text(), action.isEnabled()) == ("Undo", False)
    window.session.do(edit("rename_actor", actor=human(window), name="Anna"))
    assert (action.text(), action.isEnabled()) == ("Undo rename Human", True)


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


def test_a_file_that_is_not_one_is_said_and_the_window_stays(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sinew"
    bad.write_text("not a database")
    window = open_window(file=bad)
    assert window.isVisible()
    assert window.message.isVisible()
    assert "not a Sinew document" in window.message.text
    assert find_body(window, "head")[1].owner == human(window)


def test_a_file_argument_is_opened(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    first = Session()
    document = edit("rename_actor", actor=first.document.actors[0].id, name="Anna").apply(first.document)
    first.close()
    sinew.write(tmp_path / "anna.sinew", document)
    window = open_window(file=tmp_path / "anna.sinew")
    assert window.session.document.actors[0].name == "Anna"
    assert not window.session.dirty


@pytest.mark.parametrize(("choice", "closes"), [("cancel", False), ("discard", True), ("save", True)])
def test_closing_with_changes_asks(
    window: MainWindow, qtbot: QtBot, answers: Answers, tmp_path: Path, choice: str, closes: bool
) -> None:
    window.session.do(edit("rename_actor", actor=human(window), name="Anna"))
    answers.changes = choice  # type: ignore[assignment]
    answers.place = tmp_path / "anna.sinew"
    window.close()
    if closes:
        qtbot.waitUntil(lambda: not window.isVisible())
    assert window.isVisible() is not closes
    assert answers.asked[0] == "changes to Untitled"
    assert (tmp_path / "anna.sinew").exists() is (choice == "save")


def test_closing_while_a_save_is_under_way_waits_for_it(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    held = hold(small_document())
    window = open_window(held.session, wait=False)
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    held.session.exchange.save(tmp_path / "a.sinew")
    window.close()
    assert window.isVisible()
    held.worker.answer("file")
    qtbot.waitUntil(lambda: not window.isVisible())
    assert held.worker.closed
    assert sinew.read(tmp_path / "a.sinew").actor("arm").name == "Limb"


def test_closing_while_a_motion_is_being_kept_waits_for_it(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    figure = small_document().actor("arm").figure
    arm = Actor(id="arm", name="Arm", figure=figure, layers=(swinging(),))
    held = hold(Document(actors=(arm,)))
    window = open_window(held.session, wait=False)
    held.session.select([Item("arm")])
    held.session.sequences.keep_present()
    window.close()
    assert window.isVisible()
    path = tmp_path / "sequences" / "Arm motion.motion.toml"
    held.worker.answer(("sequence", path))
    qtbot.waitUntil(lambda: not window.isVisible())
    assert held.worker.closed
    assert path.exists()


def swinging() -> Layer:
    """Two keys."""
    return Layer(id="pose", tracks=(Track(coordinate="upper.turn", keys=(Key(0, 0.0), Key(1000, 0.5))),))


def test_the_question_is_a_window_of_its_own_that_does_not_block(window: MainWindow, qtbot: QtBot) -> None:
    window.files._questions = Dialogues(window)
    window.session.do(edit("rename_actor", actor=human(window), name="Anna"))
    window.close()
    window.close()
    boxes = window.findChildren(QMessageBox)
    assert len(boxes) == 1
    buttons = {button.text().replace("&", ""): button for button in boxes[0].findChildren(QPushButton)}
    QTest.mouseClick(buttons["Cancel"], LEFT)
    assert window.isVisible()
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox))
    window.close()
    box = window.findChildren(QMessageBox)[0]
    QTest.mouseClick(next(each for each in box.findChildren(QPushButton) if "Discard" in each.text()), LEFT)
    qtbot.waitUntil(lambda: not window.isVisible())


def test_closing_while_kernels_are_compiled_ends_the_child(
    open_window: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.session.engine_link.prepare", cold)
    link = EngineLink()
    window = open_window(Session(link=link), wait=False)
    qtbot.waitUntil(lambda: link._child is not None)
    child = link._child
    assert child is not None
    assert not window.status.job.isHidden()
    os.kill(child.process_id, 0)  # type: ignore[attr-defined]
    window.close()
    assert not window.isVisible()
    with pytest.raises(ProcessLookupError):
        os.kill(child.process_id, 0)  # type: ignore[attr-defined]


def cold():  # type: ignore[no-untyped-def]
    """As if no kernel had been compiled."""
    from app.session.engine_steps import Cold

    yield Cold(("posing",))


def test_a_child_that_is_killed_costs_nothing(open_window: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.session.engine_link.prepare", cold)
    link = EngineLink()
    session = Session(link=link)
    open_window(session, wait=False)
    qtbot.waitUntil(lambda: link._child is not None)
    child = link._child
    assert child is not None
    child._process.send_signal(signal.SIGKILL)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: session.engine_state.ready)
    assert any("SIGKILL" in entry.text or "compiled here" in entry.text for entry in session.log)


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


def test_places_and_theme_are_there_again_the_next_time(open_window: Open, qapp: QApplication) -> None:
    first = open_window()
    first.resize(1100, 700)
    first.docks["history"].raise_()
    first.docks["outliner"].setVisible(False)
    first.menus.actions["view.theme_light"].trigger()
    first.view.maximise(PERSPECTIVE)
    first.close()
    second = open_window(wait=False)
    assert (second.width(), second.height()) == (1100, 700)
    assert second.docks["outliner"].isHidden()
    assert second.preferences.theme == "light"
    second.add_viewport()
    assert second.view.maximised == PERSPECTIVE


def test_space_is_left_to_a_button_that_has_the_keyboard(window: MainWindow) -> None:
    states = []
    for _ in range(2):
        press(window, Qt.Key.Key_Space)
        states.append(window.session.player.playing)
    assert states == [True, False]
    clear = panel(window, LogPanel).clear_button
    window.session.note("note", "a line")
    clear.setEnabled(True)
    clear.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(clear, Qt.Key.Key_Space)
    assert not window.session.player.playing
    assert panel(window, LogPanel).lines.rowCount() == 0


def test_every_action_can_be_called_in_a_fresh_window(window: MainWindow, answers: Answers) -> None:
    answers.changes = "cancel"
    for action in ACTIONS:
        if action.id != "file.quit":
            window.menus.actions[action.id].trigger()
    QTest.qWait(300)
    assert [entry for entry in window.session.log if entry.kind == "error"] == []
    for name in ("keys", "about"):
        sheet = window.findChild(QWidget, name)
        assert sheet is not None
        sheet.close()


def test_the_pointer_over_a_body_is_named(window: MainWindow, qtbot: QtBot) -> None:
    _, pick = find_body(window, "head")
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


def test_at_its_first_size_the_picture_gets_most_of_the_window(window: MainWindow) -> None:
    assert (window.width(), window.height()) == (1280, 800)
    widths = {name: window.docks[name].width() for name in ("outliner", "inspector")}
    assert abs(widths["outliner"] - 220) <= 12
    assert abs(widths["inspector"] - 300) <= 12
    assert window.view.width() >= 740
    assert window.view.height() >= 545  # the transport takes 38 more than it did with one row
