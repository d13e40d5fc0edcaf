"""File commands: what is asked before changes would be lost, and what follows each answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.shell.files import Files
from engine.edits import edit
from engine.formats import sinew
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, hold
from tests.app.shell.answers import Answers


@pytest.fixture
def held(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document())
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def files(held: Held, answers: Answers) -> Files:
    return Files(held.session, answers)


def change(held: Held) -> None:
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))


def test_nothing_is_asked_without_changes(files: Files, answers: Answers) -> None:
    done: list[bool] = []
    files.when_kept(lambda: done.append(True))
    assert (done, answers.asked) == ([True], [])


def test_discard_goes_on_without_saving(held: Held, files: Files, answers: Answers) -> None:
    change(held)
    answers.changes = "discard"
    done: list[bool] = []
    files.when_kept(lambda: done.append(True))
    assert done == [True]
    assert held.worker.waiting("file") == 0


def test_cancel_does_nothing(held: Held, files: Files) -> None:
    change(held)
    files.when_kept(lambda: pytest.fail("the person cancelled"))
    assert held.session.dirty


def test_save_goes_on_only_after_the_file_is_written(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    change(held)
    answers.changes, answers.place = "save", tmp_path / "walk"
    done: list[bool] = []
    files.when_kept(lambda: done.append(True))
    assert done == []
    held.worker.answer("file")
    assert done == [True]
    assert sinew.read(tmp_path / "walk.sinew").actor("arm").name == "Limb"
    assert answers.asked == ["changes to Untitled", "place for Untitled.sinew"]


def test_a_save_that_fails_stops_what_was_to_follow(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    change(held)
    answers.changes, answers.place = "save", tmp_path / "nowhere" / "a.sinew"
    files.when_kept(lambda: pytest.fail("nothing was saved"))
    held.worker.answer("file")
    assert held.session.log[-1].kind == "error"
    answers.place = tmp_path / "a.sinew"
    files.save()
    held.worker.answer("file")
    assert not held.session.dirty


def test_a_saved_document_is_saved_again_without_asking(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.place = tmp_path / "a.sinew"
    files.save()
    held.worker.answer("file")
    change(held)
    files.save()
    held.worker.answer("file")
    assert answers.asked == ["place for Untitled.sinew"]
    assert files.name == "a"
    assert sinew.read(tmp_path / "a.sinew").actor("arm").name == "Limb"
