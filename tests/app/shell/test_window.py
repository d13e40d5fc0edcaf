"""The real window: how it starts, and every way to close it."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.features.sequences.library import SequenceLibrary
from app.session import Item, Session
from app.session.engine_link import EngineLink
from app.shell.actions import ACTIONS
from app.shell.questions import Dialogues
from app.shell.run import _offer_software
from app.shell.startup import Startup
from app.shell.window import MainWindow
from engine.document import Actor, Document, Key, Layer, Track
from engine.edits import edit
from engine.formats import sinew
from tests.app.session.conftest import small_document
from tests.app.session.held import hold
from tests.app.shell.answers import Answers
from tests.app.shell.conftest import Open
from tests.gui.alike import unlike
from tests.picking import find_body

LEFT = Qt.MouseButton.LeftButton
PERSPECTIVE = 1


def human(window: MainWindow) -> str:
    return window.session.document.actors[0].id


def shows_head(window: MainWindow) -> bool:
    return find_body(window.view, window.session.document.actors[0], "head", pane=PERSPECTIVE) is not None


def test_a_start_shows_the_human_posed_by_the_engine(window: MainWindow, qtbot: QtBot) -> None:
    assert window.session.engine_state.ready
    assert window.status.engine.text().startswith("Ready")  # more is being prepared after a change of the engine
    qtbot.waitUntil(lambda: window.status.solved.text().startswith("Pose "))  # shown four times a second
    assert shows_head(window)


def test_a_file_that_is_not_one_is_said_and_the_window_stays(open_window: Open, qtbot: QtBot, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sinew"
    bad.write_text("not a database")
    window = open_window(file=bad)
    assert window.isVisible()
    assert window.message.isVisible()
    assert "not a Sinew document" in window.message.text
    assert shows_head(window)


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
    held.session.of(SequenceLibrary).keep_present()
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
    qtbot.waitUntil(lambda: link._warming._child is not None)
    child = link._warming._child
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
    qtbot.waitUntil(lambda: link._warming._child is not None)
    child = link._warming._child
    assert child is not None
    child._process.send_signal(signal.SIGKILL)  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: session.engine_state.ready)
    assert any("SIGKILL" in entry.text or "compiled here" in entry.text for entry in session.log)


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


def test_every_action_can_be_called_in_a_fresh_window(
    window: MainWindow, answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))  # a pose is kept
    answers.changes = "cancel"
    for action in unlike(ACTIONS):
        if action.id != "file.quit":
            window.menus.actions[action.id].trigger()
    QTest.qWait(300)
    assert [entry for entry in window.session.log if entry.kind == "error"] == []
    for name in ("keys", "about"):
        sheet = window.findChild(QWidget, name)
        assert sheet is not None
        sheet.close()


def test_at_its_first_size_the_picture_gets_most_of_the_window(window: MainWindow) -> None:
    assert (window.width(), window.height()) == (1280, 800)
    widths = {name: window.docks[name].width() for name in ("outliner", "inspector")}
    assert abs(widths["outliner"] - 230) <= 12
    assert abs(widths["inspector"] - 328) <= 12
    assert window.view.width() >= 710
    assert window.view.height() >= 545  # the transport takes 38 more than it did with one row
    window.status.job.text.setText("A long piece of work that has a long name, as the first start has")
    window.status.job.show()
    least = window.minimumSizeHint()
    assert (least.width() <= 640, least.height() <= 400) == (True, True), "a small screen shows all of it"


def test_without_opengl_the_processor_is_offered_to_draw(
    open_window: Open, qtbot: QtBot, answers: Answers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.scene.viewport.find_graphics", lambda: "The driver has OpenGL 1.4.")
    answers.draws_with_processor = True
    window = open_window(wait=False)
    startup = window.findChild(Startup)
    assert startup is not None
    startup.when_no_picture = partial(_offer_software, window, startup)
    qtbot.waitUntil(lambda: startup.anew)
    assert answers.asked == ["draw with the processor? The driver has OpenGL 1.4."]
    assert not window.isVisible()
