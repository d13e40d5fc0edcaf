"""How the engine gets ready: warm, cold, cancelled, broken."""

from __future__ import annotations

from app.session import EngineState, JobState
from app.session.engine_steps import Cold
from engine.runtime.errors import JobFailed
from tests.app.session.held import Held, deliver, steps


def go_cold(held: Held) -> None:
    """As if `prepare` had found that kernels are missing."""
    held.session.engine.prepare()
    request = held.worker.requests.pop()
    held.worker.publish("engine", request.ticket, Cold(("posing",)))
    deliver()


def test_pictures_are_at_rest_until_the_engine_is_ready(starting: Held) -> None:
    states: list[str] = []
    starting.session.snapshot_ready.connect(lambda snapshot: states.append(snapshot.state))
    starting.session.request_picture()
    starting.worker.answer("pose")
    starting.make_ready()
    assert states == ["rest", "fresh"]
    assert starting.session.engine_state == EngineState(text="Ready", ready=True)


def test_missing_kernels_are_compiled_by_a_child_while_the_line_says_so(starting: Held) -> None:
    told: list[EngineState] = []
    jobs: list[JobState] = []
    starting.session.engine_changed.connect(told.append)
    starting.session.job_changed.connect(jobs.append)
    go_cold(starting)
    child = starting.children[0]
    assert told[-1] == EngineState(text="Preparing posing", waiting_for="posing")
    child.say({"progress": 0.5, "text": "Preparing posing…"})
    deliver()
    assert jobs[-1] == JobState(name="warm_up", text="Preparing posing…", fraction=0.5)
    child.say({"progress": 1.0, "ready": "model"})
    child.say({"ended": "done"})
    deliver()
    assert not jobs[-1].running
    assert starting.worker.waiting("engine") == 1


def test_preparing_can_be_cancelled_and_taken_up_again(starting: Held) -> None:
    go_cold(starting)
    starting.session.engine.cancel_job()
    child = starting.children[0]
    assert child.cancelled
    child.say({"ended": "cancelled"})
    deliver()
    state = starting.session.engine_state
    assert not state.ready
    assert "cancelled" in state.text
    assert starting.worker.waiting("engine") == 0
    starting.make_ready()
    assert starting.session.engine_state.ready


def test_a_child_that_dies_is_said_and_kernels_are_compiled_here(starting: Held) -> None:
    go_cold(starting)
    child = starting.children[0]
    child.error = JobFailed(job="warm_up", reason="it was ended by SIGKILL")
    child.say({"ended": "failed"})
    deliver()
    assert starting.session.log[-1].kind == "warning"
    assert "SIGKILL" in starting.session.log[-1].text
    assert starting.worker.waiting("engine") == 1


def test_an_engine_that_cannot_be_loaded_is_said_and_may_be_tried_again(starting: Held) -> None:
    def broken() -> object:
        raise ImportError("no numba here")

    starting.session.engine.prepare()
    starting.worker.requests[-1].job = broken  # type: ignore[assignment]
    starting.worker.answer("engine")
    assert "unavailable" in starting.session.engine_state.text
    assert "no numba here" in starting.session.log[-1].text
    starting.make_ready()
    assert starting.session.engine_state.ready


def test_closing_ends_the_child(starting: Held) -> None:
    go_cold(starting)
    assert starting.session.close()
    assert starting.children[0].cancelled
    assert starting.worker.closed


def test_the_end_of_each_submission_is_told_even_if_all_end_with_the_same_answer(held: Held) -> None:
    told: list[tuple[int, object]] = []
    held.session.engine.answered.connect(lambda key, frame: told.append((frame.ticket, frame.value)))
    tickets = list[int]()
    for value in (None, None, "same", "same"):
        tickets.append(held.session.engine.submit("mine", steps(value)))
        held.worker.answer("mine")
    assert told == list(zip(tickets, (None, None, "same", "same"), strict=True))
