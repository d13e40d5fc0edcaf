"""What is worked out because of an edit is one entry with it: undone, copied, saved and done again as one."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import Mock

from app.session import Session
from engine.document import Document
from engine.edits import Edit, edit
from engine.edits.command_log import replay
from tests.app.session.held import Held
from tests.app.session.test_gesture import turn, value
from tests.app.session.test_recovering import ended, labels, past_of

PREVIEW = "preview"
RENAME = edit("rename_actor", actor="arm", name="Limb")


def renamed_and_turned(held: Held, by: float = 0.3) -> None:
    held.session.do(RENAME)
    worked_out(held, turn(by))


def worked_out(held: Held, change: Edit) -> None:
    held.session.work_out(change, goes_on=True)  # type: ignore[arg-type]
    if held.worker.waiting(PREVIEW):
        held.worker.answer(PREVIEW)


def entries(session: Session) -> list[str]:
    return [entry.label for entry in session.history.entries]


def test_both_are_one_entry_which_undo_takes_back_and_redo_makes_again(held: Held, document: Document) -> None:
    renamed_and_turned(held)
    session, after = held.session, held.session.document
    assert entries(session) == ["New document", "Rename Arm"]
    assert (after.actor("arm").name, value(after)) == ("Limb", 0.3)
    session.undo()
    assert session.document is document
    session.redo()
    assert session.document is after
    assert [each.kind for each in session.log].count("edit") == 1


def test_its_deeds_lead_to_the_same_documents_undo_included(held: Held, document: Document) -> None:
    renamed_and_turned(held)
    session = held.session
    session.do(edit("rename_actor", actor="box", name="Crate"))
    assert replay(session.command_log) == session.document
    session.undo()
    session.undo()
    assert replay(session.command_log) == document


def test_a_second_one_goes_on_from_the_first(held: Held, document: Document) -> None:
    renamed_and_turned(held)
    worked_out(held, turn(0.5))
    assert entries(held.session) == ["New document", "Rename Arm"]
    assert value(held.session.document) == 0.5
    assert replay(held.session.command_log) == held.session.document
    held.session.undo()
    assert held.session.document is document


def test_what_was_undone_meanwhile_is_not_gone_on_with(held: Held, document: Document) -> None:
    held.session.do(RENAME)
    held.session.undo()
    worked_out(held, turn(0.3))
    assert held.session.document is document
    assert held.session.history.redo_entry is not None


def test_after_a_save_it_is_an_entry_of_its_own(held: Held) -> None:
    held.session.do(RENAME)
    held.session.saved = saved = held.session.document
    worked_out(held, turn(0.3))
    assert len(held.session.history.entries) == 3
    assert held.session.history.before is saved


def test_on_a_document_as_it_was_opened_it_is_an_entry_of_its_own(held: Held, document: Document) -> None:
    held.session.saved = None
    worked_out(held, turn(0.3))
    assert len(held.session.history.entries) == 2
    held.session.undo()
    assert held.session.document is document


def test_a_frozen_actor_in_either_part_is_not_changed(held: Held) -> None:
    renamed_and_turned(held)
    both = held.session.history.newest.edit
    assert both is not None
    held.session.undo()
    held.session.do(edit("freeze_actor", actor="arm", frozen=True))
    frozen = held.session.document
    held.session.do(both)
    assert held.session.document is frozen
    assert "frozen" in held.session.log[-1].text


def test_the_copy_of_what_is_open_has_one_line_of_it(held: Held, tmp_path: Path) -> None:
    held.session.recovering.begin(tmp_path)
    renamed_and_turned(held)
    held.session.do(edit("rename_actor", actor="box", name="Crate"))
    held.session.undo()
    document = held.session.document
    (left,) = ended(held, tmp_path)
    past = past_of(left)
    assert labels(past) == ["New document", "Rename Arm", "Rename Box"]
    assert past.position == 1
    assert past.document.digest == document.digest


def test_it_names_the_first_part_and_enters_kernels_where_a_part_does() -> None:
    first, second = RENAME, edit("reverse_range", actor="arm", layer="pose", start=0, end=9)
    joined = edit("do_both", first=(first.name, first.arguments), then=(second.name, second.arguments))
    assert joined.parts == (first, second)
    assert joined.may_run_kernels_on(Mock(actors=()))
    plain = edit("do_both", first=(first.name, first.arguments), then=(first.name, first.arguments))
    assert not plain.may_run_kernels_on(Mock(actors=()))
