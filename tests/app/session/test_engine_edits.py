"""Edits that may run kernels, on a held worker: applied by the engine, in order with all other commands."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from app.session import Item
from engine.document import Blob, Document, Layer, Samples
from engine.edits import MAY_RUN_KERNELS, Edit, edit
from engine.runtime.errors import Diverged
from engine.runtime.guard import forbid_kernels_on
from tests.app.session.held import Held

PREVIEW = "preview"
REROOT = edit("reroot_figure", actor="arm", joint="lower", layer="path")
RENAME = edit("rename_actor", actor="arm", name="Limb")
REROOTED, RENAMED = "Reroot figure", "Rename Arm"


def root(document: Document) -> str:
    figure = document.actor("arm").figure
    assert figure is not None
    return figure.joints[0].id


def labels(held: Held) -> list[str]:
    return [entry.label for entry in held.session.history.entries]


def errors(held: Held) -> list[str]:
    return [entry.text for entry in held.session.log if entry.kind == "error"]


def test_an_edit_that_may_run_kernels_waits_for_the_engine_and_is_one_entry_with_its_picture(
    held: Held, document: Document
) -> None:
    pictures: list[object] = []
    held.session.snapshot_ready.connect(pictures.append)
    with forbid_kernels_on(threading.current_thread()):
        held.session.do(REROOT)
    assert held.session.document is document
    held.worker.answer(PREVIEW)
    assert root(held.session.document) == "lower"
    assert labels(held) == ["New document", REROOTED]
    assert held.session.history.entries[1].line == REROOT.line
    assert [picture.document for picture in pictures] == [held.session.document]  # type: ignore[attr-defined]
    assert held.worker.waiting("pose") == 0
    held.session.undo()
    assert held.session.document is document


@pytest.mark.parametrize("name", sorted(MAY_RUN_KERNELS))
def test_the_engine_is_asked_for_every_edit_that_is_listed(held: Held, name: str) -> None:
    held.session.do(Edit(name, ()))
    assert held.worker.waiting(PREVIEW) == 1


def test_a_picture_that_is_added_meanwhile_is_chosen_once_it_is_there(held: Held, tmp_path: Path) -> None:
    held.session.do(REROOT)
    path = tmp_path / "plan.png"
    QImage(4, 4, QImage.Format.Format_RGB32).save(str(path))
    references = held.session.references
    references.add(path)
    held.worker.answer(("picture file", str(path)))
    assert references.chosen is None
    held.worker.answer(PREVIEW)
    assert references.chosen == held.session.document.references[0].id


def test_commands_undo_and_gestures_queue_behind_it(held: Held, document: Document) -> None:
    held.session.do(REROOT)
    held.session.do(RENAME)
    held.session.undo()
    gesture = held.session.begin_gesture("Place Box")
    gesture.preview(edit("place_actor", actor="box", position=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)))
    gesture.finish()
    held.session.redo()
    assert held.session.document is document
    held.worker.answer(PREVIEW)
    assert labels(held) == ["New document", REROOTED, RENAMED]
    assert held.session.history.position == 1
    held.worker.answer(PREVIEW)
    assert labels(held) == ["New document", REROOTED, "Place Box"]


def test_it_waits_for_an_open_gesture(held: Held) -> None:
    gesture = held.session.begin_gesture("Turn Upper")
    gesture.preview(edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=0.5))
    held.session.do(REROOT)
    held.worker.answer(PREVIEW)
    assert held.worker.waiting(PREVIEW) == 0
    gesture.finish()
    held.worker.answer(PREVIEW)
    assert labels(held) == ["New document", "Turn Upper", REROOTED]


def test_one_that_is_refused_is_logged_and_the_next_command_runs(held: Held, document: Document) -> None:
    held.session.do(edit("reroot_figure", actor="arm", joint="wing", layer="path"))
    held.session.do(RENAME)
    held.worker.answer(PREVIEW)
    assert ["wing" in text for text in errors(held)] == [True]
    assert labels(held) == ["New document", RENAMED]


def test_a_kernel_that_fails_changes_nothing(held: Held, document: Document) -> None:
    held.evaluator.problem = Diverged(what="the pose", value=float("nan"))
    held.session.do(REROOT)
    held.worker.answer(PREVIEW)
    assert errors(held) == ["The pose became nan; allowed: finite numbers"]
    assert held.session.document is document
    assert not held.session.dirty


def test_one_that_changes_nothing_is_no_entry(held: Held, document: Document) -> None:
    held.session.do(edit("reroot_figure", actor="arm", joint="upper", layer="path"))
    held.worker.answer(PREVIEW)
    assert labels(held) == ["New document"]
    assert held.session.document is document


def test_before_the_engine_is_ready_it_is_said_and_the_next_command_runs(starting: Held, document: Document) -> None:
    starting.session.do(REROOT)
    starting.session.do(RENAME)
    assert starting.worker.waiting(PREVIEW) == 0
    assert starting.session.document.actor("arm").name == "Limb"
    notes = [entry.text for entry in starting.session.log if entry.kind == "note"]
    assert notes == [f"{REROOTED} is not ready yet; waiting for: the engine"]


def test_closing_while_one_runs_keeps_what_was_committed_and_drops_the_rest(held: Held) -> None:
    held.session.do(RENAME)
    kept = held.session.document
    held.session.do(REROOT)
    assert held.session.close()
    assert held.worker.waiting(PREVIEW) == 0
    assert held.session.document is kept
    assert labels(held) == ["New document", RENAMED]


def test_a_document_is_not_saved_while_an_edit_of_it_is_under_way(held: Held) -> None:
    held.session.do(REROOT)
    assert held.session.dirty
    held.worker.answer(PREVIEW)
    held.session.undo()
    assert not held.session.dirty


def test_a_playhead_that_moved_meanwhile_gets_its_own_picture(held: Held) -> None:
    held.session.do(REROOT)
    held.session.set_playhead(705_600_000)
    held.worker.answer("pose")
    held.worker.answer(PREVIEW)
    pictures: list[object] = []
    held.session.snapshot_ready.connect(pictures.append)
    held.worker.answer("pose")
    assert [(picture.document, picture.time) for picture in pictures] == [  # type: ignore[attr-defined]
        (held.session.document, 705_600_000)
    ]


def test_what_was_made_is_chosen_once_it_is_there(held: Held) -> None:
    values = Blob([[0.0], [3.0], [-3.0]])
    samples = Samples(coordinates=("lower.turn",), values=values, rate=(30, 1))
    held.session.do(edit("add_layer", actor="arm", layer=Layer(id="captured", samples=samples)))
    held.session.do(edit("unwrap_angles", actor="arm", layer="captured"), choose=Item("arm", "lower"))
    assert not held.session.selection
    held.worker.answer(PREVIEW)
    assert held.session.selection.items == (Item("arm", "lower"),)
    held.session.do(edit("remove_actor", actor="nobody"), choose=Item("nobody"))
    assert held.session.selection.items == (Item("arm", "lower"),)
