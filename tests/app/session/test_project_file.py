"""Projects of a session: undo lists that come back, files that somebody else has or has changed, saves with care."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication

from app.session import FileOutcome, Session
from app.session.filing import FILE
from app.session.packing import pack_project
from app.session.project_file import Message
from app.session.project_steps import ProjectRead, next_number
from engine.document import Document
from engine.edits import edit
from engine.project import disk, schema
from engine.project.save import open_project, save_project
from engine.project.store import Store
from tests.app.session.held import Held, deliver, hold
from tests.engine.project.test_bakes import write
from tests.engine.project.test_save import Failing, past_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "walk.sinew"


@pytest.fixture
def again(qapp: QCoreApplication) -> Iterator[Held]:
    """Another session, as after another start."""
    made = hold(Document())
    yield made
    made.session.close()
    made.session.deleteLater()


def rename(held: Held, *names: str) -> None:
    for name in names:
        held.session.do(edit("rename_actor", actor="arm", name=name))


def labels(session: Session) -> list[str]:
    return [entry.label for entry in session.history.entries]


def saved(held: Held, path: Path, *names: str) -> list[Document]:
    """The session renames its arm, undoes the last of it, and saves; its documents."""
    rename(held, *names)
    held.session.undo()
    held.session.exchange.save(path)
    held.worker.answer(FILE)
    assert not held.session.dirty
    return [each.document for each in held.session.history.past.entries]


def lock(path: Path, *, host: str = "", process: int = 0) -> None:
    """Somebody else has the project open."""
    who = f'"host": "{host or socket.gethostname()}", "process": {process or os.getppid()}'
    path.with_name(f".{path.name}.lock").write_text(f'{{{who}, "since": "2026-01-02T10:00:00+00:00"}}')


def newer(path: Path) -> bytes:
    """The project as a newer Sinew would write it, with a field that nobody knows here."""
    with Store.open(path) as store:
        digest = store.document().digest
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(schema.FORMAT_VERSION + 1),))
    assert open_project(path).document.digest == digest
    return path.read_bytes()


def outcomes(session: Session) -> list[FileOutcome]:
    found: list[FileOutcome] = []
    session.filed.connect(found.append)
    return found


def test_the_undo_list_comes_back_behind_the_document(held: Held, again: Held, path: Path) -> None:
    documents = saved(held, path, "A", "B", "C")
    session = again.session
    session.exchange.open(path)
    again.worker.answer(FILE)
    shown = session.document
    assert (shown.digest, labels(session)) == (documents[2].digest, ["Open walk.sinew"])
    again.worker.answer(FILE)
    assert labels(session) == labels(held.session)
    assert session.document is shown
    assert (session.history.position, session.dirty) == (2, False)
    session.undo()
    assert (session.document.digest, session.dirty) == (documents[1].digest, True)
    assert session.document.actor("box") is shown.actor("box"), "what is equal is there once"
    session.redo()
    session.redo()
    assert session.document.digest == documents[3].digest


def test_what_is_done_and_undone_meanwhile_stays(held: Held, again: Held, path: Path) -> None:
    documents = saved(held, path, "A", "B", "C")
    session = again.session
    session.exchange.open(path)
    again.worker.answer(FILE)
    rename(again, "Mine", "Mine too")
    session.undo()
    now = session.document
    again.worker.answer(FILE)
    assert session.document is now
    assert session.history.redo_entry is not None
    assert len(labels(session)) == 5
    session.undo()
    session.undo()
    assert session.document.digest == documents[1].digest
    for _ in range(3):
        session.redo()
    assert session.document.actor("arm").name == "Mine too"


def test_a_save_waits_for_the_undo_list_and_keeps_it(held: Held, again: Held, path: Path) -> None:
    saved(held, path, "A", "B", "C")
    session = again.session
    session.exchange.open(path)
    again.worker.answer(FILE)
    rename(again, "Mine")
    session.exchange.save(path)
    still = [session.exchange.saving]
    again.worker.answer(FILE)
    still.append(session.exchange.saving)
    assert len(session.history.entries) == 4
    again.worker.answer(FILE)
    assert [*still, session.exchange.saving] == [True, True, False]
    assert open_project(path).document.actor("arm").name == "Mine"
    with Store.open(path) as store:
        assert store.line_count == 4, "a save of what was just opened keeps what led to it"


def test_the_log_of_what_was_opened_is_done_again_from_its_beginning(held: Held, again: Held, path: Path) -> None:
    saved(held, path, "A", "B", "C")
    again.session.exchange.open(path)
    again.worker.answer(FILE)
    again.worker.answer(FILE)
    assert len(again.session.command_log) == len(held.session.history.command_log) == 5


def test_a_project_is_claimed_while_it_is_open(held: Held, path: Path) -> None:
    claimed = path.with_name(".walk.sinew.lock")
    saved(held, path, "A")
    assert claimed.exists()
    held.session.exchange.save(path.with_name("run.sinew"))
    held.worker.answer(FILE)
    while held.worker.requests:
        held.worker.answer(held.worker.requests[0].key)
    assert not claimed.exists()
    assert path.with_name(".run.sinew.lock").exists()
    held.session.close()
    assert not path.with_name(".run.sinew.lock").exists()


def test_the_same_project_is_opened_again_without_a_question(held: Held, path: Path) -> None:
    saved(held, path, "A")
    asked: list[ProjectRead] = []
    held.session.exchange.open(path, busy=asked.append)
    held.worker.answer(FILE)
    assert asked == []
    assert path.with_name(".walk.sinew.lock").exists()


@pytest.mark.parametrize("how", ["read_only", "anyway", "cancel"])
def test_who_else_has_a_project_open_is_asked_about_first(held: Held, path: Path, how: str) -> None:
    save_project(path, past_of(0).document)
    lock(path, host="studio", process=1)
    found, before = outcomes(held.session), held.session.document
    asked: list[ProjectRead] = []
    held.session.exchange.open(path, busy=asked.append)
    held.worker.answer(FILE)
    assert held.session.document is before
    if how == "cancel":
        held.session.exchange.let_be(path, said="opened")
        assert held.session.document is before
        assert found[-1].problem == "cancelled"
        return
    held.session.file.take(asked[0], read_only=how == "read_only")
    assert held.session.path == path
    assert found[-1].went_well
    assert ("Sinew on studio" in held.session.file.protected) == (how == "read_only")
    held.session.file.save(path, careful=True)
    held.worker.answer(FILE)
    assert found[-1].went_well == (how == "anyway")
    if how == "anyway":
        assert "open in Sinew on studio, too" in [each for each in held.session.log if each.kind == "warning"][-1].text
    else:
        assert "it is open read-only. Save under another name." in found[-1].problem


def test_a_project_of_a_newer_sinew_is_read_only(held: Held, path: Path) -> None:
    save_project(path, past_of(0).document)
    before = newer(path)
    held.session.exchange.open(path)
    held.worker.answer(FILE)
    assert "newer Sinew" in held.session.file.protected
    found = outcomes(held.session)
    held.session.exchange.save(path)
    held.worker.answer(FILE)
    assert not found[-1].went_well
    assert path.read_bytes() == before
    held.session.exchange.save(path.with_name("mine.sinew"))
    held.worker.answer(FILE)
    assert held.session.file.protected == ""
    assert open_project(held.session.path or path).writable


def test_what_cannot_be_shown_is_told_once(held: Held, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.project import save

    save_project(path, past_of(0).document)
    known = open_project(path)
    odd = save.Opened(known.document, False, ("Layer Wind: a field 'gust'",), ("A newer Sinew has written it.",))
    monkeypatch.setattr(save, "open_project", lambda path: odd)
    reported: list[Message] = []
    held.session.file.reported.connect(reported.append)
    held.session.exchange.open(path)
    held.worker.answer(FILE)
    assert [each.lines for each in reported] == [("Layer Wind: a field 'gust'",)]
    assert "walk.sinew was made by a newer Sinew" in reported[0].text


def test_what_another_program_wrote_is_not_replaced_without_a_word(held: Held, path: Path) -> None:
    saved(held, path, "A")
    other = past_of(2)
    save_project(path, other.document, other)
    before, found = path.read_bytes(), outcomes(held.session)
    rename(held, "Mine")
    held.session.file.save(path, careful=True)
    held.worker.answer(FILE)
    assert (found[-1].cause, path.read_bytes(), held.session.dirty) == ("changed", before, True)
    assert "another program has changed it since" in found[-1].problem
    held.session.exchange.save(path)
    held.worker.answer(FILE)
    assert open_project(path).document.actor("arm").name == "Mine"


def test_a_copy_of_the_same_file_is_no_change(held: Held, path: Path) -> None:
    saved(held, path, "A")
    copy = path.read_bytes()
    path.unlink()
    path.write_bytes(copy)
    rename(held, "Mine")
    held.session.file.save(path, careful=True)
    held.worker.answer(FILE)
    assert not held.session.dirty


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" * 300])
def test_anything_that_was_put_in_its_place_is_asked_about(held: Held, path: Path, content: bytes) -> None:
    saved(held, path, "A")
    path.write_bytes(content)
    found = outcomes(held.session)
    held.session.file.save(path, careful=True)
    held.worker.answer(FILE)
    assert (found[-1].cause, path.read_bytes()) == ("changed", content)


def test_a_file_that_has_gone_is_written_anew_and_it_is_said(held: Held, path: Path) -> None:
    saved(held, path, "A")
    path.unlink()
    rename(held, "Mine")
    held.session.file.save(path, careful=True)
    held.worker.answer(FILE)
    assert any("had gone from its folder; it was written anew" in each.text for each in held.session.log)
    assert open_project(path).document.actor("arm").name == "Mine"


@pytest.mark.parametrize("call", ["make", "sync", "replace"])
def test_a_save_that_fails_leaves_file_and_work(held: Held, path: Path, call: str) -> None:
    saved(held, path, "A")
    before, found = path.read_bytes(), outcomes(held.session)
    rename(held, "Mine")
    held.session.file.earlier = 1  # so that it is written beside
    old = disk.put(Failing(call))
    try:
        held.session.exchange.save(path)
        held.worker.answer(FILE)
    finally:
        disk.put(old)
    assert "the disk is full" in found[-1].problem
    assert "Make some room" in found[-1].problem
    assert (path.read_bytes(), held.session.dirty, held.session.exchange.saving) == (before, True, False)
    assert held.session.document.actor("arm").name == "Mine"


def test_a_save_that_ends_after_something_else_was_begun_gives_it_no_file(held: Held, path: Path) -> None:
    rename(held, "A")
    held.session.exchange.save(path)
    held.session.new()
    held.worker.answer(FILE)
    assert held.session.path is None
    assert open_project(path).document.actor("arm").name == "A"


def test_earlier_versions_are_kept_as_many_as_asked(held: Held, path: Path) -> None:
    held.session.file.earlier = 2
    for name in ("A", "B", "C", "D"):
        rename(held, name)
        held.session.exchange.save(path)
        held.worker.answer(FILE)
    found = {each.name: open_project(each).document.actor("arm").name for each in path.parent.glob("*.sinew")}
    assert found == {"walk.sinew": "D", "walk.1.sinew": "C", "walk.2.sinew": "B"}


def test_a_numbered_version_is_what_is_gone_on_with(held: Held, path: Path) -> None:
    saved(held, path, "A")
    path.with_name("walk 2.sinew").touch()
    rename(held, "B")
    held.session.file.save(path, numbered=True)
    held.worker.answer(FILE)
    assert (held.session.path, held.session.dirty) == (path.with_name("walk 3.sinew"), False)
    assert open_project(path).document.actor("arm").name == "Arm"
    assert held.session.log[-1].text == "Saved walk 3.sinew"


@pytest.mark.parametrize(
    ("name", "expected"),
    [("walk", "walk 2"), ("walk 9", "walk 10"), ("walk_009", "walk_010"), ("7", "8"), ("a1b", "a1b 2")],
)
def test_numbers_go_on_as_they_are_written(tmp_path: Path, name: str, expected: str) -> None:
    assert next_number(tmp_path / f"{name}.sinew").name == f"{expected}.sinew"


def test_what_is_sound_in_a_damaged_project_is_opened_and_what_is_lost_told(held: Held, path: Path) -> None:
    past = past_of(3)
    save_project(path, past.document, past)
    with closing(sqlite3.connect(path)) as database, database:
        query = "UPDATE parts SET data = zeroblob(length(data)) WHERE digest = ?"
        database.execute(query, (bytes.fromhex(past.document.digest),))
    before, found = path.read_bytes(), outcomes(held.session)
    held.session.exchange.open(path)
    held.worker.answer(FILE)
    assert found[-1].cause == "damaged"
    reported: list[Message] = []
    held.session.file.reported.connect(reported.append)
    held.session.file.open_sound(path)
    held.worker.answer(FILE)
    deliver()
    assert held.session.document.digest == past.entries[2].document.digest
    assert (held.session.path, held.session.dirty) == (None, True)
    assert [each.lines for each in reported] == [("the newest changes",)]
    assert path.read_bytes() == before


def test_a_save_goes_to_the_file_that_the_one_before_it_went_on_with(held: Held, path: Path) -> None:
    saved(held, path, "A")
    other = path.with_name("run.sinew")
    held.session.file.save(other)
    rename(held, "B")
    held.session.file.save(careful=True)
    held.worker.answer(FILE)
    held.worker.answer(FILE)
    assert (held.session.path, held.session.dirty) == (other, False)
    assert [open_project(each).document.actor("arm").name for each in (path, other)] == ["Arm", "B"]


def test_a_save_goes_there_even_if_something_else_is_open_by_then(held: Held, path: Path) -> None:
    saved(held, path, "A")
    other = path.with_name("run.sinew")
    held.session.file.save(other)
    rename(held, "B")
    held.session.file.save(careful=True)
    held.session.new()
    held.worker.answer(FILE)
    held.worker.answer(FILE)
    assert held.session.path is None
    assert [open_project(each).document.actor("arm").name for each in (path, other)] == ["Arm", "B"]


def test_a_file_that_was_changed_is_asked_about_only_while_its_document_is_open(held: Held, path: Path) -> None:
    saved(held, path, "A")
    save_project(path, past_of(2).document, past_of(2))
    found = outcomes(held.session)
    rename(held, "Mine")
    held.session.file.save(careful=True)
    held.session.new()
    held.worker.answer(FILE)
    assert "another program has changed it since" in found[-1].problem
    assert found[-1].cause == ""


@pytest.mark.parametrize("how", ["another document", "no project"])
def test_the_file_is_kept_whose_undo_list_could_not_be_read(held: Held, again: Held, path: Path, how: str) -> None:
    saved(held, path, "A", "B", "C")
    session, earlier = again.session, path.with_name("walk.1.sinew")
    session.exchange.open(path)
    again.worker.answer(FILE)
    if how == "no project":
        path.write_bytes(b"text")
    else:
        path.unlink()
        save_project(path, past_of(2).document, past_of(2))
    before = path.read_bytes()
    again.worker.answer(FILE)
    assert "The undo list of walk.sinew could not be read" in session.log[-1].text
    assert not any(each.text.startswith("Saved") for each in session.log)
    for name in ("Mine", "Mine too"):
        rename(again, name)
        session.exchange.save(path)
        again.worker.answer(FILE)
        assert not session.dirty
        assert earlier.read_bytes() == before


def test_bakes_that_were_packed_come_out_behind_the_document_and_before_a_save(
    held: Held, path: Path, tmp_path: Path
) -> None:
    bakes = [write(tmp_path / "baked", range(5)), write(tmp_path / "baked", range(3), digest="cd" * 32)]
    assert list(pack_project(path, held.session.document, None, bakes, lambda share: None))
    held.session.exchange.open(path)
    held.worker.answer(FILE)
    assert held.session.path == path
    assert not path.with_suffix(".bakes").exists()
    rename(held, "Mine")
    held.session.exchange.save(path)
    held.worker.answer(FILE)
    assert {each.name for each in path.with_suffix(".bakes").iterdir()} == {each.name for each in bakes}
    held.worker.answer(FILE)
    assert not held.session.dirty


def test_a_save_of_what_was_undone_since_keeps_what_led_to_it(held: Held, path: Path) -> None:
    held.session.exchange.save(path.with_name("first.sinew"))
    rename(held, "A", "B")
    held.session.exchange.save(path)
    held.session.undo()
    rename(held, "C")
    held.worker.answer(FILE)
    held.worker.answer(FILE)
    assert open_project(path).document.actor("arm").name == "B"
    with Store.open(path) as store:
        assert store.line_count == 3


def test_what_a_save_has_to_say_is_said(held: Held, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.project import save

    monkeypatch.setattr(save, "save_project", lambda *_, **__: ("Saved without its undo list.",))
    held.session.exchange.save(path)
    held.worker.answer(FILE)
    assert [each.text for each in held.session.log if each.kind == "warning"] == ["Saved without its undo list."]
