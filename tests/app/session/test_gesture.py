"""Gestures on a held worker: one entry for each drag, commands behind it, and every way in which it can end."""

from __future__ import annotations

from app.session import Gesture, Session
from app.session.gesture import NO_GESTURE
from engine.document import Document
from engine.edits import Edit, edit
from engine.runtime.errors import Diverged
from tests.app.session.held import Held, deliver

PREVIEW = "preview"


def turn(value: float, coordinate: str = "upper.turn") -> Edit:
    return edit("set_value", actor="arm", layer="pose", coordinate=coordinate, value=value)


def value(document: Document, coordinate: str = "upper.turn") -> float:
    return dict(document.actor("arm").layers[0].values).get(coordinate, 0.0)


def labels(session: Session) -> list[str]:
    return [entry.label for entry in session.history.entries]


def drag(held: Held, *values: float) -> Gesture:
    gesture = held.session.begin_gesture("Turn Upper")
    for each in values:
        gesture.preview(turn(each))
    return gesture


def test_a_drag_is_one_entry_and_undo_gives_the_identical_document(held: Held, document: Document) -> None:
    gesture = drag(held, 0.1, 0.2)
    held.worker.answer(PREVIEW, newest=True)
    gesture.preview(turn(0.3))
    held.worker.answer(PREVIEW)
    gesture.finish()
    assert value(held.session.document) == 0.3
    assert labels(held.session) == ["New document", "Turn Upper"]
    assert "value=0.3" in held.session.history.entries[1].line
    held.session.undo()
    assert held.session.document is document


def test_previews_show_the_document_without_committing_it(held: Held, document: Document) -> None:
    shown: list[Document] = []
    held.session.preview_changed.connect(shown.append)
    drag(held, 0.4)
    held.worker.answer(PREVIEW)
    assert value(held.session.shown) == 0.4
    assert held.session.document is document
    assert shown == [held.session.shown]


def test_finish_waits_for_the_last_answer(held: Held, document: Document) -> None:
    gesture = drag(held, 0.1, 0.2)
    held.worker.answer(PREVIEW)
    gesture.finish()
    assert held.session.document is document
    held.worker.answer(PREVIEW)
    assert value(held.session.document) == 0.2
    assert len(labels(held.session)) == 2


def test_the_committed_document_is_the_one_whose_picture_was_shown(held: Held) -> None:
    pictures: list[object] = []
    held.session.snapshot_ready.connect(pictures.append)
    gesture = drag(held, 0.5)
    gesture.finish()
    held.worker.answer(PREVIEW)
    assert [picture.document for picture in pictures] == [held.session.document]  # type: ignore[attr-defined]
    assert held.worker.waiting("pose") == 0


def test_commands_queue_behind_an_open_gesture(held: Held) -> None:
    gesture = drag(held, 0.5)
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert held.session.document.actor("arm").name == "Arm"
    gesture.finish()
    held.worker.answer(PREVIEW)
    assert held.session.document.actor("arm").name == "Limb"
    assert value(held.session.document) == 0.5
    assert labels(held.session) == ["New document", "Turn Upper", "Rename Arm"]


def test_undo_during_a_gesture_takes_back_the_gesture_after_it_ended(held: Held, document: Document) -> None:
    gesture = drag(held, 0.5)
    held.session.undo()
    gesture.finish()
    held.worker.answer(PREVIEW)
    assert held.session.document is document
    assert held.session.history.redo_entry is not None


def test_cancel_restores_document_and_picture(held: Held, document: Document) -> None:
    gesture = drag(held, 0.5)
    held.worker.answer(PREVIEW)
    restored: list[Document] = []
    pictures: list[object] = []
    held.session.preview_changed.connect(restored.append)
    held.session.snapshot_ready.connect(pictures.append)
    gesture.cancel()
    assert held.session.shown is document
    assert restored == [document]
    held.worker.answer("pose")
    assert [picture.document for picture in pictures] == [document]  # type: ignore[attr-defined]
    assert labels(held.session) == ["New document"]


def test_a_drag_that_comes_back_to_where_it_began_is_no_entry(held: Held) -> None:
    first = drag(held, 0.5)
    held.worker.answer(PREVIEW)
    first.finish()
    second = drag(held, 0.9, 0.5)
    held.worker.answer(PREVIEW, newest=True)
    second.finish()
    assert len(labels(held.session)) == 2


def test_a_gesture_without_a_preview_leaves_nothing(held: Held, document: Document) -> None:
    gesture = held.session.begin_gesture("Turn Upper")
    gesture.finish()
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert labels(held.session) == ["New document", "Rename Arm"]


def test_a_second_gesture_waits_for_the_first(held: Held) -> None:
    first = drag(held, 0.5)
    first.finish()
    second = held.session.begin_gesture("Turn Lower")
    second.preview(turn(0.2, "lower.turn"))
    second.preview(turn(0.7, "lower.turn"))
    second.finish()
    second.preview(turn(0.9, "lower.turn"))
    assert held.worker.waiting(PREVIEW) == 1
    held.worker.answer(PREVIEW)
    held.worker.answer(PREVIEW)
    assert (value(held.session.document), value(held.session.document, "lower.turn")) == (0.5, 0.7)
    assert labels(held.session) == ["New document", "Turn Upper", "Turn Lower"]


def test_a_waiting_gesture_that_is_cancelled_never_opens(held: Held) -> None:
    first = drag(held, 0.5)
    second = drag(held, 0.9)
    second.cancel()
    first.finish()
    held.worker.answer(PREVIEW)
    assert second.state == "ended"
    assert value(held.session.document) == 0.5
    assert held.worker.waiting(PREVIEW) == 0


def test_a_failing_engine_ends_the_gesture_and_the_next_command_runs(held: Held, document: Document) -> None:
    held.evaluator.problem = Diverged(what="the pose", value=float("nan"))
    gesture = drag(held, 0.5)
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    held.worker.answer(PREVIEW)
    assert gesture.state == "ended"
    assert [entry.text for entry in held.session.log if entry.kind == "error"] == [
        "The pose became nan; allowed: finite numbers"
    ]
    assert value(held.session.document) == 0.0
    assert held.session.document.actor("arm").name == "Limb"
    gesture.preview(turn(0.9))
    gesture.finish()
    assert held.worker.waiting(PREVIEW) == 0


def test_an_edit_that_is_refused_on_the_engine_thread_ends_the_gesture(held: Held, document: Document) -> None:
    gesture = held.session.begin_gesture("Turn Wing")
    gesture.preview(turn(0.5, "wing.turn"))
    gesture.finish()
    held.worker.answer(PREVIEW)
    assert held.session.document is document
    assert "wing.turn" in held.session.log[-1].text


def test_a_late_answer_to_a_cancelled_gesture_is_not_taken_for_the_next_one(held: Held) -> None:
    first = drag(held, 0.5)
    late = held.worker.requests[-1]
    first.cancel()
    second = drag(held, 0.9)
    for answer in late.job():
        held.worker.publish(PREVIEW, late.ticket, answer)
    deliver()
    assert value(held.session.shown) == 0.0
    held.worker.answer(PREVIEW)
    second.finish()
    assert value(held.session.document) == 0.9


def test_a_picture_asked_for_before_the_gesture_does_not_replace_its_preview(held: Held, document: Document) -> None:
    held.session.request_picture()
    drag(held, 0.5)
    held.worker.answer(PREVIEW)
    pictures: list[object] = []
    held.session.snapshot_ready.connect(pictures.append)
    held.worker.answer("pose")
    assert pictures == []


def test_closing_while_a_gesture_is_open_commits_nothing(held: Held, document: Document) -> None:
    gesture = drag(held, 0.5)
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert held.session.close()
    assert held.worker.closed
    assert gesture.state == "ended"
    assert held.session.document is document
    gesture.finish()
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert held.session.document is document


def test_no_gesture_opens_before_the_engine_is_ready(starting: Held, document: Document) -> None:
    gesture = drag(starting, 0.5)
    gesture.finish()
    assert gesture.state == "ended"
    assert starting.worker.waiting(PREVIEW) == 0
    assert starting.session.document is document
    assert "waiting for: the engine" in starting.session.log[-1].text


def test_a_hand_that_holds_nothing_may_do_anything_to_it(held: Held) -> None:
    before = held.session.document
    NO_GESTURE.preview(turn(0.5))
    NO_GESTURE.finish()
    NO_GESTURE.cancel()
    assert NO_GESTURE.is_over
    assert held.session.document is before
