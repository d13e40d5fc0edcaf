"""A change that is shown and waits to be kept: time goes on, and whatever else is done takes it away."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from app.session import FileOutcome
from app.session.trial import Trial
from engine.document import Document
from engine.edits import Edit, edit
from tests.app.session.held import Held

PREVIEW, POSE = "preview", "pose"


def turn(value: float) -> Edit:
    return edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value)


def value(document: Document) -> float:
    return dict(document.actor("arm").layers[0].values).get("upper.turn", 0.0)


@pytest.fixture
def trial(held: Held) -> Trial:
    made = Trial(held.session, held.session)
    made.show("Turn", turn(0.4))
    held.worker.answer(PREVIEW)
    return made


def test_it_is_shown_and_kept_as_one_entry_with_the_last_label(held: Held, trial: Trial, document: Document) -> None:
    trial.show("Turn further", turn(0.5))
    held.worker.answer(PREVIEW)
    assert value(held.session.shown) == 0.5
    assert held.session.document is document
    trial.keep()
    assert value(held.session.document) == 0.5
    assert [entry.label for entry in held.session.history.entries] == ["New document", "Turn further"]
    assert not trial.open


def test_pictures_of_other_times_show_it(held: Held, trial: Trial) -> None:
    times: list[int] = []
    held.session.snapshot_ready.connect(lambda snapshot: times.append(snapshot.time))
    held.session.set_playhead(77)
    held.worker.answer(POSE)
    assert times == [77]
    assert held.session.snapshot is not None
    assert held.session.snapshot.document is held.session.shown
    assert trial.open


def test_an_edit_takes_it_away_and_is_made_at_once(held: Held, trial: Trial, document: Document) -> None:
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert not trial.open
    assert held.session.document.actor("arm").name == "Limb"
    assert value(held.session.document) == value(document)


def test_a_file_that_is_written_meanwhile_leaves_it(held: Held, document: Document, tmp_path: Path) -> None:
    held.session.exchange.save(tmp_path / "a.sinew")
    trial, outcomes = Trial(held.session, held.session), list[FileOutcome]()
    held.session.filed.connect(outcomes.append)
    trial.show("Turn", turn(0.4))
    held.worker.answer(PREVIEW)
    held.worker.answer("file")
    assert trial.open
    assert value(held.session.shown) == 0.4
    assert outcomes == [FileOutcome(kind="save", path=tmp_path / "a.sinew")]


def test_a_drag_takes_it_away_and_goes_on(held: Held, trial: Trial) -> None:
    gesture = held.session.begin_gesture("Turn Upper")
    assert not trial.open
    gesture.preview(turn(0.2))
    held.worker.answer(PREVIEW)
    gesture.finish()
    assert value(held.session.document) == 0.2


def test_undo_takes_only_it_away(held: Held) -> None:
    held.session.do(turn(0.1))
    document = held.session.document
    trial = Trial(held.session, held.session)
    trial.show("Turn", turn(0.4))
    held.worker.answer(PREVIEW)
    held.session.undo()
    assert (held.session.shown, held.session.document) == (document, document)
    held.session.undo()
    assert value(held.session.document) == 0.0


def test_what_is_about_to_be_kept_is_not_taken_away(held: Held, trial: Trial) -> None:
    trial.show("Turn", turn(0.6))
    trial.keep()
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    held.worker.answer(PREVIEW)
    assert value(held.session.document) == 0.6
    assert held.session.document.actor("arm").name == "Limb"


def test_its_panel_hears_of_its_end_however_it_comes(held: Held, trial: Trial) -> None:
    heard: list[bool] = []
    trial.changed.connect(lambda: heard.append(trial.open))
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert heard[-1:] == [False]
    trial.show("Turn", turn(0.4))
    trial.drop()
    assert heard[-2:] == [True, False]
    assert held.session.at_rest


def test_without_an_engine_nothing_is_shown(starting: Held) -> None:
    parent = QObject()
    trial = Trial(starting.session, parent)
    trial.show("Turn", turn(0.4))
    assert not trial.open
