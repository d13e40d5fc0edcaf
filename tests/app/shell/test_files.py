"""File commands: what is asked before changes would be lost, and what follows each answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.features.limits.actions import FIELD, MESH
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


def test_saved_again_before_it_has_its_file_nothing_is_asked_twice(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.place = tmp_path / "a.sinew"
    change(held)
    files.save()
    held.session.do(edit("rename_actor", actor="arm", name="Wing"))
    done: list[bool] = []
    files.save(lambda: done.append(True))
    files.projects.save_numbered()
    assert held.worker.waiting("file") == 1
    for _ in range(3):
        held.worker.answer("file")
    assert answers.asked == ["place for Untitled.sinew"]
    assert done == [True]
    assert sinew.read(tmp_path / "a.sinew").actor("arm").name == "Wing"
    assert held.session.path == tmp_path / "a 2.sinew"


def test_saved_again_before_a_first_save_that_fails_it_is_told_once_and_asked_the_next_time(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.place = tmp_path / "nowhere" / "a.sinew"
    files.save()
    files.save(lambda: pytest.fail("nothing was saved"))
    held.worker.answer("file")
    assert held.worker.waiting("file") == 0
    assert [each.kind for each in held.session.log].count("error") == 1
    answers.place = tmp_path / "a.sinew"
    files.save()
    held.worker.answer("file")
    assert answers.asked == ["place for Untitled.sinew"] * 2
    assert held.session.path == tmp_path / "a.sinew"


def test_another_document_is_asked_about_while_the_first_one_gets_its_file(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    answers.place = tmp_path / "a.sinew"
    files.save()
    held.session.new()
    answers.place = tmp_path / "b.sinew"
    files.save()
    held.worker.answer("file")
    held.worker.answer("file")
    assert len(answers.asked) == 2
    assert held.session.path == tmp_path / "b.sinew"


def test_what_is_done_while_it_is_saved_is_asked_about_before_anything_follows(
    held: Held, files: Files, answers: Answers, tmp_path: Path
) -> None:
    change(held)
    answers.changes, answers.place = "save", tmp_path / "walk.sinew"
    files.when_kept(lambda: pytest.fail("the person cancelled"))
    held.session.do(edit("rename_actor", actor="arm", name="Wing"))
    answers.changes = "cancel"
    held.worker.answer("file")
    assert answers.asked[-1] == "changes to walk"
    assert held.session.dirty


def test_what_follows_a_save_waits_for_that_one(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    change(held)
    done: list[bool] = []
    for name, then in (("a", None), ("b", lambda: done.append(True)), ("c", None)):
        answers.place = tmp_path / f"{name}.sinew"
        files.save_as(then)
    held.worker.answer("file")
    assert done == []
    held.worker.answer("file")
    assert done == [True]
    held.worker.answer("file")
    assert done == [True]


@pytest.mark.parametrize("way", ["replace", "elsewhere"])
def test_nothing_else_is_written_over_a_file_that_another_program_changed(
    held: Held, files: Files, answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    ways: dict[str, Callable[[], None]] = {}
    monkeypatch.setattr(answers, "replace_changed", lambda name, **found: ways.update(found))
    answers.place = tmp_path / "b.sinew"
    files.projects.ask_to_replace(tmp_path / "a.sinew", None)
    held.session.new()
    ways[way]()
    assert held.worker.waiting("file") == 0
    assert "a.sinew was not saved" in held.session.log[-1].text


def test_a_name_with_a_dot_gets_its_ending_too(held: Held, files: Files, answers: Answers, tmp_path: Path) -> None:
    answers.place = tmp_path / "walk.v2"
    files.save()
    held.worker.answer("file")
    assert held.session.path == tmp_path / "walk.v2.sinew"


@pytest.mark.parametrize(
    ("name", "suggested"),
    [("../../Otto", "_.._Otto"), ("a/b\\c", "a_b_c"), ("..", "Actor"), ("Ä 2", "Ä 2"), ("a\nb", "a_b")],
)
def test_an_actor_is_exported_into_the_folder_of_the_project_whatever_it_is_called(
    held: Held, files: Files, answers: Answers, name: str, suggested: str
) -> None:
    held.session.do(edit("rename_actor", actor="arm", name=name))
    files.export(["arm"])
    assert answers.asked[-1] == f"how to export arm as {suggested}"


def test_a_file_gets_the_usual_ending_of_its_kind(files: Files, answers: Answers, tmp_path: Path) -> None:
    written: list[Path] = []
    answers.place = tmp_path / "region"
    files.place_of(FIELD, "knee", written.append)
    files.place_of(MESH, "shoulder", written.append)
    assert answers.asked == ["place for knee.npz", "place for shoulder.obj"]
    assert [path.name for path in written] == ["region.npz", "region.obj"]
