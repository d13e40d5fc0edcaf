"""Session: edits, history, files and what it says of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.session import FileOutcome, Item, LogEntry
from app.session.history import Entry, History
from engine.document import Document
from engine.edits import edit
from engine.edits.command_log import replay
from engine.formats import sinew
from engine.formats.sinew_log import read_log
from tests.app.session.held import Held, deliver

RENAME = edit("rename_actor", actor="arm", name="Limb")


def test_an_edit_is_one_entry_with_its_line(held: Held, document: Document) -> None:
    changes: list[tuple[object, object]] = []
    held.session.document_changed.connect(lambda old, new: changes.append((old, new)))
    held.session.do(RENAME)
    assert changes == [(document, held.session.document)]
    assert held.session.history.position == 1
    assert held.session.log[-1] == LogEntry(kind="edit", text="Rename Arm", line=RENAME.line)


def test_an_edit_that_changes_nothing_leaves_no_trace(held: Held, document: Document) -> None:
    held.session.do(edit("rename_actor", actor="arm", name="Arm"))
    assert held.session.document is document
    assert len(held.session.history.entries) == 1


def test_a_refused_edit_is_logged_and_the_session_goes_on(held: Held, document: Document) -> None:
    held.session.do(edit("rename_actor", actor="nobody", name="Limb"))
    assert held.session.log[-1].kind == "error"
    assert "nobody" in held.session.log[-1].text
    assert held.session.document is document


def test_undo_redo_and_jump_ask_for_pictures(held: Held, document: Document) -> None:
    held.session.do(RENAME)
    renamed = held.session.document
    held.session.undo()
    assert held.session.document is document
    held.session.redo()
    assert held.session.document is renamed
    held.session.go_to(0)
    assert held.session.document is document
    shown: list[object] = []
    held.session.snapshot_ready.connect(shown.append)
    held.worker.answer("pose", newest=True)
    assert [snapshot.document for snapshot in shown] == [document]  # type: ignore[attr-defined]


def test_undo_at_the_beginning_and_redo_at_the_end_do_nothing(held: Held, document: Document) -> None:
    changes: list[object] = []
    held.session.document_changed.connect(lambda old, new: changes.append(new))
    held.session.undo()
    held.session.redo()
    assert changes == []


def test_an_outdated_picture_is_not_shown(held: Held) -> None:
    held.session.request_picture()
    held.session.do(RENAME)
    shown: list[object] = []
    held.session.snapshot_ready.connect(shown.append)
    held.worker.answer("pose")
    assert shown == []
    held.worker.answer("pose")
    assert len(shown) == 1


def test_selection_leaves_out_what_goes(held: Held) -> None:
    news: list[object] = []
    held.session.selection_changed.connect(news.append)
    held.session.select([Item("arm", "upper"), Item("box")])
    held.session.select([Item("arm", "upper"), Item("box")])
    assert len(news) == 1
    held.session.do(edit("remove_actor", actor="box"))
    assert held.session.selection.items == (Item("arm", "upper"),)
    held.session.select([Item("nobody")])
    assert not held.session.selection


def test_dirty_is_whether_the_document_is_the_saved_one(held: Held, tmp_path: Path) -> None:
    told: list[tuple[object, bool]] = []
    held.session.saved_changed.connect(lambda path, dirty: told.append((path, dirty)))
    held.session.do(RENAME)
    held.session.undo()
    held.session.redo()
    path = tmp_path / "a.sinew"
    held.session.exchange.save(path)
    assert held.session.exchange.saving
    held.worker.answer("file")
    held.session.undo()
    assert told == [(None, True), (None, False), (None, True), (path, False), (path, True)]
    assert sinew.read(path).actor("arm").name == "Limb"


def test_what_is_changed_while_saving_is_not_said_to_be_saved(held: Held, tmp_path: Path) -> None:
    held.session.do(RENAME)
    held.session.exchange.save(tmp_path / "a.sinew")
    held.session.do(edit("rename_actor", actor="arm", name="Wing"))
    held.worker.answer("file")
    assert held.session.dirty
    assert sinew.read(tmp_path / "a.sinew").actor("arm").name == "Limb"


def test_open_replaces_the_document_and_begins_its_own_history(held: Held, tmp_path: Path) -> None:
    held.session.do(RENAME)
    held.session.exchange.save(tmp_path / "a.sinew")
    held.worker.answer("file")
    outcomes: list[FileOutcome] = []
    held.session.filed.connect(outcomes.append)
    held.session.do(edit("remove_actor", actor="arm"))
    held.session.exchange.open(tmp_path / "a.sinew")
    held.worker.answer("file")
    assert held.session.document.actor("arm").name == "Limb"
    assert [entry.label for entry in held.session.history.entries] == ["Open a.sinew"]
    assert (held.session.path, held.session.dirty) == (tmp_path / "a.sinew", False)
    assert outcomes == [FileOutcome(kind="open", path=tmp_path / "a.sinew")]


def test_who_hears_of_the_playhead_as_another_file_opens_finds_the_selection_in_the_document(
    held: Held, tmp_path: Path
) -> None:
    session, heard = held.session, list[bool]()
    sinew.write(tmp_path / "empty.sinew", Document())
    session.select([Item("arm")])
    session.set_playhead(23520000)
    session.playhead_moved.connect(
        lambda _: heard.append(session.selection == session.selection.within(session.document))
    )
    session.exchange.open(tmp_path / "empty.sinew")
    held.worker.answer("file")
    assert heard == [True]
    assert not session.document.actors


def test_a_file_that_is_not_one_is_said_and_nothing_changes(held: Held, document: Document, tmp_path: Path) -> None:
    bad = tmp_path / "bad.sinew"
    bad.write_text("no")
    outcomes: list[FileOutcome] = []
    held.session.filed.connect(outcomes.append)
    held.session.exchange.open(bad)
    held.worker.answer("file")
    assert held.session.document is document
    assert "not a Sinew document" in outcomes[0].problem
    assert held.session.log[-1].kind == "error"


def test_a_save_is_never_superseded_by_the_next_file(held: Held, tmp_path: Path) -> None:
    held.session.exchange.save(tmp_path / "a.sinew")
    held.session.exchange.save(tmp_path / "b.sinew")
    held.session.exchange.open(tmp_path / "a.sinew")
    assert held.worker.waiting("file") == 1
    for _ in range(3):
        held.worker.answer("file")
    assert sinew.read(tmp_path / "b.sinew").digest == sinew.read(tmp_path / "a.sinew").digest
    assert held.session.path == tmp_path / "a.sinew"


def test_a_save_that_fails_keeps_the_document_dirty(held: Held, tmp_path: Path) -> None:
    held.session.do(RENAME)
    held.session.exchange.save(tmp_path / "nowhere" / "a.sinew")
    held.worker.answer("file")
    assert held.session.dirty
    assert held.session.path is None
    assert not held.session.exchange.saving


def test_a_failing_picture_is_logged_and_the_last_one_stays(held: Held) -> None:
    held.evaluator.problem = RuntimeError("kernel broke")
    shown: list[object] = []
    held.session.snapshot_ready.connect(shown.append)
    held.session.do(RENAME)
    held.worker.answer("pose")
    assert shown == []
    assert held.session.log[-1] == LogEntry(kind="error", text="RuntimeError: kernel broke")
    held.evaluator.problem = None
    held.session.undo()
    held.worker.answer("pose")
    assert len(shown) == 1


def test_nothing_is_taken_after_closing(held: Held) -> None:
    held.session.request_picture()
    request = held.worker.requests[-1]
    held.session.close()
    shown: list[object] = []
    held.session.snapshot_ready.connect(shown.append)
    for value in request.job():
        held.worker.publish("pose", request.ticket, value)
    deliver()
    assert shown == []


def test_the_deeds_make_the_document_again(held: Held, document: Document) -> None:
    held.session.do(RENAME)
    held.session.do(edit("rename_actor", actor="arm", name="Other"))
    held.session.undo()
    held.session.undo()
    held.session.redo()
    held.session.do(edit("rename_actor", actor="nobody", name="Refused"))
    assert replay(held.session.command_log) == held.session.document
    assert [entry.line for entry in held.session.log if entry.text.startswith("Undo")] == [
        "document = history.undo()"
    ] * 2


def test_deeds_begin_anew_with_a_document_and_with_a_history_that_is_full(held: Held, document: Document) -> None:
    session = held.session
    session.history = History(document, Entry("New"), bytes_kept=1)
    session.do(RENAME)
    session.do(edit("rename_actor", actor="arm", name="Other"))
    assert len(session.command_log) == 1
    assert replay(session.command_log) == session.document
    session.new()
    assert replay(session.command_log) == session.document


def test_a_log_is_saved_with_all_that_was_done(held: Held, tmp_path: Path) -> None:
    outcomes: list[FileOutcome] = []
    held.session.filed.connect(outcomes.append)
    held.session.do(RENAME)
    held.session.undo()
    held.session.exchange.save_log(tmp_path / "a.sinewlog")
    held.worker.answer("file")
    assert replay(read_log(tmp_path / "a.sinewlog")) == held.session.document
    assert outcomes == [FileOutcome(kind="log", path=tmp_path / "a.sinewlog")]
    assert held.session.log[-1].text == "Saved a.sinewlog: 2 commands"


def test_a_figure_that_goes_while_it_is_edited_is_no_longer_edited_and_who_hears_of_it_knows_the_new_document(
    held: Held,
) -> None:
    """Pages that still showed the old document looked in the new one for what it had held."""
    heard: list[tuple[str, object]] = []
    held.session.edit_figure("arm")
    held.session.document_changed.connect(lambda old, new: heard.append(("document", held.session.editing)))
    held.session.editing_changed.connect(lambda now: heard.append(("editing", now)))
    held.session.do(edit("remove_actor", actor="arm"))
    assert heard == [("document", None), ("editing", None)]


def test_what_cannot_be_closed_keeps_nothing_else_open(held: Held, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> bool:
        raise RuntimeError("stuck")

    monkeypatch.setattr(held.session.recovering, "close", fail)
    assert not held.session.close()
    assert held.worker.closed
