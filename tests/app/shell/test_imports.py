"""What a file does not say is asked once, and the answer counts for as many files as the person says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import FileOutcome
from app.shell.files import Files
from app.shell.imports import ImportChoice
from engine.commands.bring_in import BroughtIn
from engine.formats.conventions import rest_box
from tests.app.session.conftest import small_document
from tests.app.session.held import Held, hold
from tests.app.shell.answers import Answers
from tests.engine.commands.test_bring_in import file_of


@pytest.fixture
def held(qapp: QCoreApplication) -> Iterator[Held]:
    made = hold(small_document())
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def files(held: Held, answers: Answers) -> Files:
    return Files(held.session, answers)


def clips(folder: Path, *names: str) -> list[Path]:
    paths = []
    for name in names:
        paths.append(folder / name)
        file_of(folder, "0 85 0").rename(paths[-1])
    return paths


def read_all(held: Held) -> None:
    while held.worker.waiting("file"):
        held.worker.answer("file")


def heights(held: Held) -> list[float]:
    """Of the figures that came from files."""
    return [
        round(rest_box(actor.figure)[1], 3) for actor in held.session.document.actors[len(small_document().actors) :]
    ]


def test_as_guessed_takes_what_was_read(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    files.open_all(clips(tmp_path, "a.bvh"))
    read_all(held)
    assert heights(held) == [1.7]
    assert answers.asked == ["how to import a.bvh, 0 others"]


def test_a_choice_reads_the_file_again_off_the_windows_thread(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.choice = ImportChoice(unit=0.001)
    files.open_all(clips(tmp_path, "a.bvh"))
    held.worker.answer("file")
    assert heights(held) == []
    assert held.worker.waiting("file") == 1, "it waits for the engine's thread"
    read_all(held)
    assert heights(held) == [0.17]
    assert len(answers.asked) == 1, "what was chosen is not asked again"


def test_cancel_changes_nothing(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    before = held.session.document
    outcomes: list[FileOutcome] = []
    held.session.filed.connect(outcomes.append)
    answers.choice = None
    files.open_all(clips(tmp_path, "a.bvh"))
    read_all(held)
    assert held.session.document is before
    assert not held.session.dirty
    assert held.session.history.undo_entry is None
    assert [outcome.went_well for outcome in outcomes] == [False]


def test_each_file_is_asked_once(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    files.open_all(clips(tmp_path, "a.bvh", "b.bvh", "c.bvh"))
    read_all(held)
    assert answers.asked == [
        f"how to import {name}" for name in ("a.bvh, 2 others", "b.bvh, 1 others", "c.bvh, 0 others")
    ]
    assert heights(held) == [1.7, 1.7, 1.7]


def test_same_for_all_counts_for_those_that_came_together(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.choice = ImportChoice(unit=0.02, for_all=True)
    files.open_all(clips(tmp_path, "a.bvh", "b.bvh"))
    read_all(held)
    assert heights(held) == [3.4, 3.4]
    assert len(answers.asked) == 1
    files.open_all(clips(tmp_path, "c.bvh"))
    read_all(held)
    assert len(answers.asked) == 2, "files that come later are asked about"


def test_a_kind_that_is_not_asked_about_is_remembered_until_told_otherwise(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    kept: list[object] = []
    files.imports.remembered_changed.connect(kept.append)
    answers.choice = ImportChoice(unit=0.02, for_kind=True)
    files.open_all(clips(tmp_path, "a.bvh"))
    files.open_all(clips(tmp_path, "b.bvh"))
    read_all(held)
    assert kept == [{".bvh": ImportChoice(unit=0.02)}]
    assert heights(held) == [3.4, 3.4]
    assert len(answers.asked) == 1
    files.imports.forget()
    answers.choice = ImportChoice()
    files.open_all(clips(tmp_path, "c.bvh"))
    read_all(held)
    assert len(answers.asked) == 2
    assert heights(held) == [3.4, 3.4, 1.7]


def test_one_question_at_a_time(held: Held, tmp_path: Path) -> None:
    """The next is asked when the first is answered, however many were read meanwhile."""

    class Slow(Answers):
        waiting: list[Callable[[ImportChoice | None], None]]

        def how_to_import(
            self, path: Path, found: BroughtIn, others: int, then: Callable[[ImportChoice | None], None]
        ) -> None:
            self.asked.append(path.name)
            self.waiting = [then]

    answers = Slow()
    files = Files(held.session, answers)
    files.open_all(clips(tmp_path, "a.bvh", "b.bvh"))
    read_all(held)
    assert answers.asked == ["a.bvh"]
    answers.waiting[0](ImportChoice(unit=0.001))
    assert answers.asked == ["a.bvh", "b.bvh"]
    answers.waiting[0](None)
    read_all(held)
    assert heights(held) == [0.17]
