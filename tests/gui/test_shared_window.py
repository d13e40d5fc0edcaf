"""Actions that change little, one after the other in one window, by real keys and menus: views, time, files, help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.scene.panes import FRONT, PERSPECTIVE
from app.session import Item
from app.shell.palette import Palette
from app.shell.sheets import AboutSheet
from engine.formats import sinew
from tests.app.shell.answers import Answers
from tests.gui.test_scenery import choose, press
from tests.one_window import OneWindow
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui

Key = Qt.Key
CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
OFF = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    """One large view, nothing chosen."""
    answers.changes = "discard"
    with the_window.begun(questions=answers) as begun:
        yield begun


def human(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def on(opened: Stage, ids: list[str]) -> list[str]:
    """Which of some switches are on, as the menus show them."""
    opened.window.menus.refresh()
    return [id for id in ids if opened.window.menus.actions[id].isChecked()]


def test_a_view_looks_from_each_of_six_sides(opened: Stage) -> None:
    opened.view.maximise(PERSPECTIVE)
    for action, key, modifiers, back in (
        ("view.front", Key.Key_1, None, (0, 0, 1)),
        ("view.back", Key.Key_1, CTRL, (0, 0, -1)),
        ("view.right", Key.Key_3, None, (1, 0, 0)),
        ("view.left", Key.Key_3, CTRL, (-1, 0, 0)),
        ("view.top", Key.Key_7, None, (0, 1, 0)),
        ("view.bottom", Key.Key_7, CTRL, (0, -1, 0)),
    ):
        press(opened, key, modifiers or Qt.KeyboardModifier.NoModifier)
        assert opened.view.cameras[PERSPECTIVE].axes[2] == pytest.approx(back, abs=1e-6), action


def test_figures_are_shown_as_each_display_by_its_key(opened: Stage) -> None:
    displays = {"view.skin": Key.Key_2, "view.bones": Key.Key_3, "view.lines": Key.Key_4,
                "view.translucent": Key.Key_5, "view.mannequin": Key.Key_1}  # fmt: skip
    for action, key in displays.items():
        press(opened, key, ALT)
        assert set(opened.view.displays) == {action.removeprefix("view.")}
        assert on(opened, list(displays)) == [action]


def test_what_is_selected_and_everything_are_framed(opened: Stage) -> None:
    opened.view.maximise(FRONT)
    opened.session.select([Item(human(opened), "wrist_left")])
    opened.settle()
    press(opened, Key.Key_F)  # view.frame_selected
    near = opened.view.cameras[FRONT]
    press(opened, Key.Key_A)  # view.frame_all
    far = opened.view.cameras[FRONT]
    assert near.distance < 0.5 * far.distance
    press(opened, Key.Key_F)
    press(opened, Key.Key_Home)
    assert opened.view.cameras[FRONT] == far


def test_edges_are_smooth_as_chosen_and_it_says_when(opened: Stage) -> None:
    for action, kept in (("view.smooth_auto", "auto"), ("view.smooth_on", "on"), ("view.smooth_off", "off")):
        choose(opened, action)
        assert opened.window.preferences.anti_aliasing == kept
        assert on(opened, ["view.smooth_auto", "view.smooth_on", "view.smooth_off"]) == [action]
    assert "next start" in opened.session.log[-1].text


def test_time_goes_on_and_back_and_to_its_ends_by_keys(opened: Stage) -> None:
    session, frame = opened.session, 705_600_000 // 30
    session.set_playhead(0)
    press(opened, Key.Key_Period)  # time.on
    press(opened, Key.Key_Period)
    press(opened, Key.Key_Comma)  # time.back
    assert session.playhead == frame
    press(opened, Key.Key_Period, CTRL)  # time.end
    end = session.playhead
    assert end > frame
    press(opened, Key.Key_Comma, CTRL)  # time.start
    assert session.playhead == 0
    press(opened, Key.Key_Space)  # time.play
    assert session.player.playing
    opened.until(lambda: session.playhead > 0)
    press(opened, Key.Key_Space)
    assert not session.player.playing


def test_all_is_selected_and_nothing(opened: Stage) -> None:
    choose(opened, "add.ball")
    opened.settle()
    press(opened, Key.Key_A, CTRL)  # select.all
    assert [item.actor for item in opened.session.selection.items] == [
        actor.id for actor in opened.session.document.actors
    ]
    press(opened, Key.Key_A, CTRL | SHIFT)  # select.none
    assert opened.session.selection.items == ()


def test_tools_are_taken_by_keys_and_q_puts_them_away(opened: Stage) -> None:
    tools = ["tool.pose", "tool.move", "tool.rotate"]
    for key, tool in ((Key.Key_W, "tool.move"), (Key.Key_E, "tool.rotate"), (Key.Key_Q, "tool.pose")):
        press(opened, key)
        assert on(opened, tools) == [tool]


def test_actors_are_added_by_key_and_menu_and_undone(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    session, first = opened.session, opened.session.document
    press(opened, Key.Key_H, SHIFT)  # add.human
    choose(opened, "add.stick")
    choose(opened, "add.figure")
    answers.file = tmp_path / "solid.off"
    answers.file.write_text(OFF)
    choose(opened, "add.mesh")
    opened.until(lambda: len(session.document.actors) == 5)
    assert [actor.name for actor in session.document.actors][1:3] == ["Human 2", "Stick"]
    last = session.document
    for _ in range(4):
        press(opened, Key.Key_Z, CTRL)  # edit.undo
        opened.until(lambda: session.at_rest)
    assert session.document is first
    press(opened, Key.Key_Y, CTRL)  # edit.redo
    for _ in range(3):
        press(opened, Key.Key_Z, CTRL | SHIFT)
        opened.until(lambda: session.at_rest)
    assert session.document is last


def test_a_document_is_saved_begun_anew_and_opened_by_keys(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    session = opened.session
    choose(opened, "add.box")
    opened.settle()
    answers.place = tmp_path / "first.sinew"
    press(opened, Key.Key_S, CTRL)  # file.save
    opened.until(lambda: session.path == answers.place and not session.dirty)
    saved = session.document
    assert sinew.read(tmp_path / "first.sinew") == saved
    answers.place = tmp_path / "second.sinew"
    press(opened, Key.Key_S, CTRL | SHIFT)  # file.save_as
    opened.until(lambda: session.path == answers.place)
    press(opened, Key.Key_N, CTRL)  # file.new
    opened.until(lambda: session.document is not saved and session.path is None)
    answers.file = tmp_path / "first.sinew"
    press(opened, Key.Key_O, CTRL)  # file.open
    opened.until(lambda: session.path == answers.file)
    assert session.document == saved


def test_quitting_with_changes_asks_and_cancel_stays(opened: Stage, answers: Answers) -> None:
    choose(opened, "add.ball")
    opened.settle()
    answers.changes, before = "cancel", opened.session.document
    press(opened, Key.Key_Q, CTRL)  # file.quit
    opened.until(lambda: answers.asked[-1].startswith("changes to"))
    assert opened.window.isVisible()
    assert opened.session.document is before


def test_the_log_is_saved_as_lines_that_can_be_done_again(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    choose(opened, "add.stick")
    opened.settle()
    answers.place = tmp_path / "done.sinewlog"
    choose(opened, "file.save_log")
    opened.until(answers.place.exists)
    opened.until(lambda: opened.session.at_rest)
    assert "add_actor" in answers.place.read_text(encoding="utf-8")


def test_about_the_palette_and_the_menu_of_what_is_chosen_open_and_close(opened: Stage) -> None:
    choose(opened, "help.about")
    opened.until(lambda: any(each.isVisible() for each in opened.window.findChildren(AboutSheet)))
    about = next(each for each in opened.window.findChildren(AboutSheet) if each.isVisible())
    QTest.keyClick(about, Key.Key_Escape)
    opened.until(opened.window.isActiveWindow)
    choose(opened, "help.palette")
    palette = QApplication.activePopupWidget()
    assert isinstance(palette, Palette)
    QTest.keyClick(palette.field, Key.Key_Escape)
    opened.session.select([Item(human(opened))])
    choose(opened, "edit.menu")
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert menu.objectName() == "context"
    QTest.keyClick(menu, Key.Key_Escape)


def test_an_engine_that_did_not_start_is_prepared_from_the_menu(qapp: object) -> None:
    with stage(seen=False) as opened:
        engine = opened.session.engine
        engine.cancel_job()
        opened.until(lambda: not engine._job.running)
        engine._set_state(replace(engine.state, ready=False))
        choose(opened, "help.prepare")
        opened.until(lambda: opened.session.engine_state.ready)
        opened.window.menus.refresh()
        assert not opened.window.menus.actions["help.prepare"].isEnabled()


def test_deleting_what_plays_stops_nothing_else_and_undo_brings_it_back(opened: Stage) -> None:
    session, first = opened.session, opened.session.document
    press(opened, Key.Key_Space)
    opened.until(lambda: session.playhead > 0)
    session.select([Item(human(opened))])
    press(opened, Key.Key_Delete)  # edit.delete
    opened.until(lambda: not session.document.actors)
    if session.player.playing:
        press(opened, Key.Key_Space)
    press(opened, Key.Key_Z, CTRL)
    opened.settle()
    assert session.document is first
    assert not [entry for entry in session.log if entry.kind == "error"]
