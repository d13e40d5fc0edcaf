"""What takes long for a gesture is shown as a job, which can be cancelled: nothing is left of it then."""

from __future__ import annotations

import pytest

from app.features.sequences.library import KEEP, SequenceLibrary
from app.session import JobState
from app.session.trial import Trial
from engine.command import Underway
from engine.document import Document
from engine.edits import edit
from tests.app.session.held import Held, deliver

PREVIEW = "preview"
TURN = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=0.4)


@pytest.fixture
def jobs(held: Held) -> list[JobState]:
    found: list[JobState] = []
    held.session.job_changed.connect(found.append)
    return found


@pytest.fixture
def trial(held: Held) -> Trial:
    made = Trial(held.session, held.session)
    made.show("Turn", TURN)
    return made


def tell(held: Held, share: float) -> None:
    """The engine says how far the newest wish is."""
    ticket = max(each.ticket for each in held.worker.requests if each.key == PREVIEW)
    held.worker.publish(PREVIEW, ticket, Underway("Turn", share))
    deliver()


def test_it_is_shown_until_its_answer_comes(held: Held, jobs: list[JobState], trial: Trial) -> None:
    tell(held, 0.2)
    tell(held, 0.7)
    assert [(job.text, job.fraction, job.running, job.can_cancel) for job in jobs] == [
        ("Turn", 0.2, True, True),
        ("Turn", 0.7, True, True),
    ]
    held.worker.answer(PREVIEW)
    assert [job.running for job in jobs] == [True, True, False]
    trial.keep()
    assert held.session.history.entries[-1].label == "Turn"
    assert len(jobs) == 3


def test_cancelled_it_leaves_the_document_as_it_was(
    held: Held, jobs: list[JobState], trial: Trial, document: Document
) -> None:
    tell(held, 0.2)
    held.session.cancel_job()
    assert not jobs[-1].running
    assert not trial.open
    assert held.session.document is held.session.shown is document
    assert PREVIEW in held.worker.cancelled
    assert held.session.at_rest
    assert any(entry.text == "Turn was cancelled" for entry in held.session.log)


def test_whatever_else_is_done_ends_what_waits_to_be_kept(held: Held, jobs: list[JobState], trial: Trial) -> None:
    tell(held, 0.2)
    held.session.do(edit("rename_actor", actor="arm", name="Limb"))
    assert not jobs[-1].running
    assert not trial.open
    assert [entry.label for entry in held.session.history.entries] == ["New document", "Rename Arm"]


def test_another_wish_is_another_job(held: Held, jobs: list[JobState], trial: Trial) -> None:
    tell(held, 0.6)
    trial.show("Turn", TURN)
    tell(held, 0.1)
    assert jobs[0].name != jobs[1].name, "the time left is told anew"


def test_without_it_cancel_means_other_work(held: Held, jobs: list[JobState], trial: Trial) -> None:
    held.session.cancel_job()
    assert trial.open
    assert jobs == []


def test_the_job_that_is_shown_is_the_one_that_cancel_ends(held: Held, jobs: list[JobState], trial: Trial) -> None:
    tell(held, 0.2)
    held.session.of(SequenceLibrary).job_changed.emit(JobState(name=KEEP, text="Keeping", fraction=0.1))
    held.session.cancel_job()
    assert trial.open
    tell(held, 0.3)
    held.session.cancel_job()
    assert not trial.open


@pytest.mark.parametrize("kept", [False, True])
def test_what_is_to_be_seen_may_change_while_it_is_worked_out(held: Held, trial: Trial, kept: bool) -> None:
    if kept:
        trial.keep()
    held.session.want_skins(True)
    held.worker.answer("pose")
    assert held.worker.waiting("pose") == 0
    held.worker.answer(PREVIEW)
    assert held.worker.waiting("pose") == 1
    held.worker.answer("pose")
    assert held.session.snapshot is not None
    assert held.session.snapshot.document is held.session.shown
    trial.show("Turn", TURN)
    held.worker.answer(PREVIEW)
    assert held.worker.waiting("pose") == 0
