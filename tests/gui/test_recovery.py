"""Recovery in the real window: work, a killed process, another start, Recover by the mouse, undo by a key."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox, QWidget

from app.session import Session
from app.session.actors import box, new_document
from app.shell.recovery_sheet import RecoverySheet
from app.shell.start_page import StartPage
from engine.edits import edit
from engine.project.runs import LeftCopy, left_runs
from tests.app.shell.answers import Answers
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
ROOT = Path(__file__).parents[2]


@pytest.fixture
def answers() -> Answers:
    made = Answers()
    made.changes = "discard"
    return made


@contextmanager
def started(folder: Path, answers: Answers) -> Iterator[Stage]:
    with stage(new_document(), copies=folder, questions=answers, seen=False) as opened:
        yield opened


def work(opened: Stage, count: int) -> None:
    for _ in range(count):
        opened.window.menus.actions["add.box"].trigger()
        opened.settle()


def left_behind(folder: Path, count: int = 2) -> LeftCopy:
    """A copy of a session that ended without asking, as on a signal."""
    session = Session(document=new_document())
    session.recovering.begin(folder)
    for _ in range(count):
        session.do(edit("add_actor", actor=box(session.document)))
    assert session.close()
    session.deleteLater()
    return left_runs(folder)[0]


def click(widget: QWidget, point: QPoint | None = None) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center() if point is None else point)


def page(opened: Stage) -> StartPage:
    """The start page with what it offers, asked for by the menu."""
    opened.window.menus.actions["help.start_page"].trigger()
    opened.until(lambda: any(each.isVisible() and each.offers.offers for each in pages(opened)))
    return pages(opened)[-1]


def pages(opened: Stage) -> list[StartPage]:
    return opened.window.findChildren(StartPage)


def sheet(opened: Stage, ready: Callable[[RecoverySheet], bool] = lambda each: True) -> RecoverySheet:
    opened.window.menus.actions["file.recover"].trigger()
    opened.until(lambda: any(each.isVisible() and ready(each) for each in opened.window.findChildren(RecoverySheet)))
    return opened.window.findChildren(RecoverySheet)[-1]


def boxes(opened: Stage) -> int:
    return len(opened.session.document.actors) - 1


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_after_a_kill_the_start_page_recovers_the_work_and_its_undo_list(tmp_path: Path, answers: Answers) -> None:
    command = [sys.executable, "-m", "tests.gui.dying", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, timeout=200)
    assert done.returncode == -signal.SIGKILL, done.stderr
    with started(tmp_path, answers) as opened:
        (offer,) = page(opened).offers.offers
        assert (offer.left.name, offer.left.lines) == ("Untitled", 2)
        assert offer.left.picture is not None
        click(offer.recover)
        opened.until(lambda: boxes(opened) == 2)
        opened.settle()
        assert opened.session.dirty
        assert opened.session.path is None
        assert "Recovered “Untitled”" in opened.session.log[-1].text
        keys, control = opened.window.windowHandle(), Qt.KeyboardModifier.ControlModifier
        QTest.keyClick(keys, Qt.Key.Key_Z, control)
        opened.until(lambda: boxes(opened) == 1)
        for _ in range(2):
            QTest.keyClick(keys, Qt.Key.Key_Z, control | Qt.KeyboardModifier.ShiftModifier)
        opened.until(lambda: boxes(opened) == 3)
        opened.until(lambda: [each.state for each in left_runs(tmp_path)] == ["recovered"])


def test_enter_recovers_what_the_page_offers_and_the_name_and_place_are_as_before(
    tmp_path: Path, answers: Answers
) -> None:
    copies, path = tmp_path / "recovery", tmp_path / "scene.sinew"
    with started(copies, answers) as opened:
        work(opened, 1)
        opened.session.exchange.save(path)
        opened.until(lambda: opened.session.path == path)
        work(opened, 1)
    with started(copies, answers) as opened:
        (offer,) = page(opened).offers.offers
        assert (offer.left.name, offer.left.lines) == ("scene", 1)
        focus = opened.window.focusWidget()
        assert focus is offer.recover
        QTest.keyClick(focus, Qt.Key.Key_Return)
        opened.until(lambda: boxes(opened) == 2)
        assert (opened.session.path, opened.session.dirty) == (path, True)


def test_not_now_keeps_the_copy_and_offers_it_no_more(qapp: object, tmp_path: Path, answers: Answers) -> None:
    left = left_behind(tmp_path)
    with started(tmp_path, answers) as opened:
        shown = page(opened)
        click(shown.offers.offers[0].aside)
        opened.until(lambda: not shown.offers.isVisible())
        assert shown.isVisible()
        assert "File > Recover… brings it back" in opened.session.log[0].text
    (kept,) = left_runs(tmp_path)
    assert (kept.file, kept.state) == (left.file, "aside")


def test_at_a_start_without_a_file_the_page_is_shown_for_what_is_offered(
    qapp: object, tmp_path: Path, answers: Answers
) -> None:
    left_behind(tmp_path)
    with started(tmp_path, answers) as opened:
        opened.window.recovery.offer(page=True)
        opened.until(lambda: any(each.isVisible() and each.offers.isVisible() for each in pages(opened)))
        click(pages(opened)[0].offers.offers[0].recover)
        opened.until(lambda: boxes(opened) == 2)


def test_file_recover_lists_copies_and_one_is_taken_by_a_double_click(
    qapp: object, tmp_path: Path, answers: Answers
) -> None:
    left_behind(tmp_path, 1)
    left_behind(tmp_path, 3)
    with started(tmp_path, answers) as opened:
        listed = sheet(opened, lambda each: each.list.count() == 2)
        newest, oldest = (listed.list.visualItemRect(listed.list.item(row)).center() for row in (0, 1))
        click(listed.list.viewport(), oldest)
        chosen = listed.list.chosen
        assert chosen is not None
        assert chosen.lines == 1
        click(listed.list.viewport(), newest)
        QTest.mouseDClick(listed.list.viewport(), LEFT, pos=newest)
        opened.until(lambda: boxes(opened) == 3)
        assert opened.session.dirty


def test_a_copy_is_deleted_only_after_a_question(qapp: object, tmp_path: Path, answers: Answers) -> None:
    left = left_behind(tmp_path)
    with started(tmp_path, answers) as opened:
        listed = sheet(opened, lambda each: each.list.count() == 1)
        click(listed.delete)
        opened.until(lambda: QApplication.activeModalWidget() is not None)
        press(listed, "Cancel")
        assert left.file.exists()
        listed.list.setFocus()
        QTest.keyClick(listed.list, Qt.Key.Key_Delete)
        press(listed, "Delete")
        opened.until(lambda: listed.none.isVisible())
        assert not left.file.exists()
        assert not listed.recover.isEnabled()
        click(listed.findChildren(QAbstractButton)[-1])


def press(listed: RecoverySheet, name: str) -> None:
    asked = next(each for each in listed.findChildren(QMessageBox) if each.isVisible())
    click(next(each for each in asked.buttons() if each.text().replace("&", "") == name))


def test_changes_that_were_given_up_are_kept_and_not_offered(tmp_path: Path, answers: Answers) -> None:
    with started(tmp_path, answers) as opened:
        work(opened, 2)
        opened.window.menus.actions["file.new"].trigger()
        opened.until(lambda: boxes(opened) == 0)
        opened.until(lambda: left_runs(tmp_path) != ())
        (given_up,) = sheet(opened, lambda each: each.list.count() == 1).list.findItems("", Qt.MatchFlag.MatchContains)
        assert given_up.text() == "Untitled"
        opened.window.findChildren(RecoverySheet)[-1].close()
    (left,) = left_runs(tmp_path)
    assert (left.state, left.lines, left.is_offered) == ("closed", 2, False)


def test_a_new_window_beside_one_that_works_offers_nothing_of_it(tmp_path: Path, answers: Answers) -> None:
    with started(tmp_path, answers) as opened:
        work(opened, 1)
        opened.window.menus.actions["help.start_page"].trigger()
        listed: list[object] = []
        opened.session.recovering.left_seen.connect(listed.append)
        opened.until(lambda: bool(listed))
        assert listed[-1] == ()
