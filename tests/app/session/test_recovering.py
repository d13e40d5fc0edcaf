"""Recovering: every change of the session reaches the copy of what is open, in its order, and what it is called."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import Entry, History
from app.session.recovering import LeftSeen, look_for_copies, moment
from engine.document import Document
from engine.edits import Edit, edit
from engine.project.past import Past
from engine.project.runs import LeftCopy, left_runs
from engine.project.save import save_project
from engine.project.store import Store
from tests.app.session.held import Held, deliver, hold

WITHIN = 300.0  # [s]


def rename(name: str) -> Edit:
    return edit("rename_actor", actor="box", name=name)


def past_of(left: LeftCopy) -> Past:
    steps = left.read()
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            past: Past = stop.value.past
            return past


def labels(past: Past) -> list[str]:
    return [each.label for each in past.entries]


@pytest.fixture
def copied(held: Held, tmp_path: Path) -> Held:
    held.session.recovering.begin(tmp_path)
    return held


def ended(held: Held, folder: Path) -> list[LeftCopy]:
    assert held.session.close()
    return list(left_runs(folder))


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN
    while not what():
        assert time.monotonic() < deadline
        deliver()


def test_edits_undo_and_redo_are_copied(copied: Held, tmp_path: Path) -> None:
    session = copied.session
    for name in ("A", "B", "C"):
        session.do(rename(name))
    session.undo()
    session.undo()
    session.redo()
    (left,) = ended(copied, tmp_path)
    past = past_of(left)
    assert past.position == 2
    assert len(past.entries) == 4
    assert past.document.digest == session.document.digest
    assert left.is_offered


def test_a_change_that_another_calls_for_comes_after_it(copied: Held, tmp_path: Path) -> None:
    session = copied.session
    session.document_changed.connect(
        lambda old, new: session.do(rename("Second")) if new.actor("box").name == "First" else None
    )
    session.do(rename("First"))
    (left,) = ended(copied, tmp_path)
    assert [each.document.actor("box").name for each in past_of(left).entries] == ["Box", "First", "Second"]


def test_places_in_the_copy_are_right_after_the_history_dropped_its_oldest(
    qapp: QCoreApplication, document: Document, tmp_path: Path
) -> None:
    held = hold(document)
    session = held.session
    session.do(rename("Box of that length"))
    step = session.history.size
    session.history = History(document, Entry("Small"), bytes_kept=5 * step)
    session.recovering.begin(tmp_path)
    for number in range(12):
        session.do(rename(f"Box {number}"))
    assert session.history.dropped > 0
    session.undo()
    (left,) = ended(held, tmp_path)
    session.deleteLater()
    past = past_of(left)
    assert (len(past.entries), past.position) == (13, 11)
    assert past.document.actor("box").name == "Box 10"


def test_nothing_done_leaves_no_copy(copied: Held, tmp_path: Path) -> None:
    copied.session.new()
    assert ended(copied, tmp_path) == []


def test_another_document_begins_another_copy_and_the_first_is_kept(copied: Held, tmp_path: Path) -> None:
    copied.session.do(rename("Given up"))
    copied.session.new()
    (left,) = ended(copied, tmp_path)
    assert (left.state, left.lines) == ("closed", 1)


def test_changes_that_nobody_was_asked_about_are_offered_and_others_not(copied: Held, tmp_path: Path) -> None:
    copied.session.do(rename("A"))
    copied.session.recovering.is_answered = True
    (left,) = ended(copied, tmp_path)
    assert not left.is_offered


def test_a_save_gives_the_copy_its_name_and_place_and_nothing_is_offered(copied: Held, tmp_path: Path) -> None:
    session, path = copied.session, tmp_path / "scene.sinew"
    session.do(rename("A"))
    session.exchange.save(path)
    copied.worker.answer("file")
    session.do(rename("B"))
    session.undo()
    (left,) = ended(copied, tmp_path)
    assert (left.name, left.path, left.lines, left.unsaved) == ("scene", path, 0, False)


def test_a_copy_is_recovered_with_its_undo_list_name_and_place_and_is_not_saved(
    copied: Held, qapp: QCoreApplication, document: Document, tmp_path: Path
) -> None:
    session, path = copied.session, tmp_path / "scene.sinew"
    session.do(rename("A"))
    session.exchange.save(path)
    copied.worker.answer("file")
    session.do(rename("B"))
    session.do(rename("C"))
    session.undo()
    (left,) = ended(copied, tmp_path)
    assert left.lines == 1

    again = hold(document)
    again.session.recovering.begin(tmp_path)
    again.session.exchange.recover(left)
    again.worker.answer("file")
    found = again.session
    assert found.document == session.document
    assert (found.path, found.dirty, found.history.position) == (path, True, 2)
    assert [each.label for each in found.history.entries] == [each.label for each in session.history.entries]
    assert "Recovered “scene”" in found.log[-1].text
    found.undo()
    assert found.document.actor("box").name == "A"
    assert found.dirty
    found.redo()
    found.redo()
    assert found.document.actor("box").name == "C"
    copies = {each.file == left.file: each for each in ended(again, tmp_path)}
    found.deleteLater()
    assert copies[True].state == "recovered"
    assert labels(past_of(copies[False])) == labels(past_of(left))
    assert (copies[False].is_offered, copies[False].path) == (True, path)


def test_the_undo_list_of_a_project_that_was_opened_is_in_the_copy(copied: Held, tmp_path: Path) -> None:
    session, path = copied.session, tmp_path / "scene.sinew"
    for name in ("A", "B", "C"):
        session.do(rename(name))
    session.exchange.save(path)
    copied.worker.answer("file")
    session.new()
    session.exchange.open(path)
    copied.worker.answer("file")
    session.do(rename("D"))
    copied.worker.answer("file")
    session.do(rename("E"))
    session.undo()
    found = {each.lines: past_of(each) for each in ended(copied, tmp_path) if each.is_offered}
    assert list(found) == [1]
    assert [each.document for each in found[1].entries] == [each.document for each in session.history.past.entries]
    assert (len(found[1].entries), found[1].position) == (6, 4)


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Store, "append", fail)


def test_what_cannot_be_written_is_said_in_the_log_and_the_work_goes_on(copied: Held, full_disk: None) -> None:
    session = copied.session
    session.do(rename("A"))
    wait_for(lambda: any("cannot be written" in each.text for each in session.log))
    said = [each for each in session.log if "cannot be written" in each.text]
    assert [each.kind for each in said] == ["warning"]
    assert "the disk is full" in said[0].text
    session.do(rename("B"))
    assert session.document.actor("box").name == "B"


def test_where_a_copy_is_lost_another_is_begun_with_the_whole_undo_list(copied: Held, tmp_path: Path) -> None:
    session = copied.session
    session.do(rename("A"))
    session.recovering.show(b"picture")
    wait_for(lambda: bool(list(tmp_path.glob("*/*.png"))))
    for file in tmp_path.glob("*/*.sinew"):
        file.unlink()
    session.do(rename("B"))
    wait_for(lambda: any("was lost" in each.text for each in session.log))
    session.do(rename("C"))
    (left,) = ended(copied, tmp_path)
    assert [each.document.actor("box").name for each in past_of(left).entries] == ["Box", "A", "B", "C"]


def test_copies_are_looked_for_on_the_engines_thread(copied: Held, tmp_path: Path) -> None:
    heard: list[tuple[LeftCopy, ...]] = []
    copied.session.recovering.left_seen.connect(heard.append)
    copied.session.recovering.look()
    assert heard == []
    copied.worker.answer("left copies")
    assert heard == [()]
    (seen,) = look_for_copies(tmp_path)
    assert isinstance(seen, LeftSeen)


def test_moments_are_said_as_people_say_them() -> None:
    now = time.time()
    assert moment(now).startswith("today at ")
    assert moment(now - 86_400.0).startswith("yesterday at ")
    assert moment(0.0).startswith("on ")


def test_a_copy_comes_back_under_the_name_that_was_saved_to_last(copied: Held, tmp_path: Path) -> None:
    session = copied.session
    session.do(rename("A"))
    for name in ("one", "two"):
        session.exchange.save(tmp_path / f"{name}.sinew")
        copied.worker.answer("file")
    session.do(rename("B"))
    (left,) = ended(copied, tmp_path)
    assert (left.name, left.path) == ("two", tmp_path / "two.sinew")


def test_what_was_open_read_only_comes_back_without_a_place(copied: Held, tmp_path: Path) -> None:
    session, path = copied.session, tmp_path / "scene.sinew"
    save_project(path, session.document)
    path.chmod(0o444)
    session.exchange.open(path)
    copied.worker.answer("file")
    assert session.file.protected
    session.do(rename("A"))
    (left,) = ended(copied, tmp_path)
    assert (left.name, left.path, left.is_offered) == ("scene", None, True)


def test_a_project_that_goes_on_from_a_copy_is_claimed(
    copied: Held, qapp: QCoreApplication, document: Document, tmp_path: Path
) -> None:
    path, lock = tmp_path / "scene.sinew", tmp_path / ".scene.sinew.lock"
    copied.session.do(rename("A"))
    copied.session.exchange.save(path)
    copied.worker.answer("file")
    copied.session.do(rename("B"))
    (left,) = ended(copied, tmp_path)
    assert not lock.exists()
    again = hold(document)
    again.session.exchange.recover(left)
    again.worker.answer("file")
    again.worker.answer("file")
    assert lock.exists()
    assert again.session.close()
    again.session.deleteLater()
    assert not lock.exists()


def test_no_copy_that_is_tidied_supersedes_another(copied: Held) -> None:
    recovering = copied.session.recovering
    for name in ("one", "two"):
        recovering.delete(Mock(spec=LeftCopy, file=Path(name)))
    recovering.look()
    keys = [each.key for each in copied.worker.requests if "left copies" in str(each.key)]
    assert len(set(keys)) == 3
