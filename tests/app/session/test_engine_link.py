"""How the engine gets ready: warm, cold, cancelled, broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.session import EngineState, JobState, actors
from app.session.engine_steps import Cold, Loaded
from app.session.history import Entry, History
from app.session.session import PREVIEW
from engine.commands.poses import PutPose
from engine.document import Document, Layer, Lock, Secondary, Target
from engine.document.motion import Key, Track
from engine.long import warming
from engine.long.warm_up import WARM
from engine.queries.needs import needs_of
from engine.runtime.errors import JobFailed
from engine.runtime.time_left import FIRST_GUESS, in_words
from engine.runtime.worker import PublishedFrame
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


def test_while_kernels_are_compiled_the_engine_is_imported_and_nobody_is_told(starting: Held) -> None:
    told: list[object] = []
    go_cold(starting)
    starting.session.engine.answered.connect(lambda key, frame: told.append(key))
    starting.session.engine.failed.connect(lambda key, ticket, problem: told.append(key))
    starting.session.logged.connect(told.append)
    (request,) = [each for each in starting.worker.requests if each.key == "imports"]
    assert list(request.job()) == [None, None, None]
    starting.worker.answer("imports")
    starting.worker.fail(request, ImportError("no module named numba"))
    deliver()
    assert told == []
    assert not starting.session.engine_state.ready


def test_missing_kernels_are_compiled_by_a_child_while_the_line_says_so(starting: Held) -> None:
    report: list[EngineState] = []
    jobs: list[JobState] = []
    starting.session.engine_changed.connect(report.append)
    starting.session.job_changed.connect(jobs.append)
    go_cold(starting)
    child = starting.children[0]
    assert report[-1] == EngineState(text="Preparing posing by hand", waiting_for="posing by hand")
    child.say({"progress": 0.5, "text": "Preparing posing…"})
    deliver()
    assert jobs[-1] == JobState(name="warm_up", text="Preparing posing…", fraction=0.5)
    child.say({"progress": 1.0, "ready": "posing"})
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


def test_what_a_first_drag_needs_is_loaded_once_there_is_a_picture(starting: Held) -> None:
    starting.session.request_picture()
    starting.worker.answer("pose")
    assert not starting.worker.waiting("drags"), "at rest"
    starting.load_pictures()
    assert not starting.worker.waiting("drags"), "before the first picture of real poses"
    starting.worker.answer("pose")
    starting.session.request_picture()
    starting.worker.answer("pose")
    assert starting.worker.waiting("drags") == 1


def test_what_is_loaded_for_drags_is_the_human_of_a_new_document() -> None:
    """Else the first drag would find its mesh, its model or the corners that touch the floor out anew."""
    warmed, new = warming._human(), actors.human(Document())
    assert (warmed.figure.digest, warmed.natural, warmed.floor) == (new.figure.digest, new.natural, new.floor)


def test_kernels_of_drags_that_cannot_be_loaded_are_said(starting: Held) -> None:
    def broken() -> object:
        raise ImportError("no numba here")

    starting.session.request_picture()
    starting.load_pictures()
    starting.worker.answer("pose", newest=True)
    next(each for each in starting.worker.requests if each.key == "drags").job = broken  # type: ignore[assignment]
    starting.worker.answer("drags")
    assert "The kernels of drags could not be loaded: ImportError: no numba here" in starting.session.log[-1].text
    assert starting.session.engine_state.ready


def test_closing_ends_the_child(starting: Held) -> None:
    go_cold(starting)
    assert starting.session.close()
    assert starting.children[0].cancelled
    assert starting.worker.closed


def test_the_end_of_each_submission_is_told_even_if_all_end_with_the_same_answer(held: Held) -> None:
    report: list[tuple[int, object]] = []
    held.session.engine.answered.connect(lambda key, frame: report.append((frame.ticket, frame.value)))
    tickets = list[int]()
    for value in (None, None, "same", "same"):
        tickets.append(held.session.engine.submit("mine", steps(value), document=None))
        held.worker.answer("mine")
    assert report == list(zip(tickets, (None, None, "same", "same"), strict=True))


def ready_but_for(held: Held, *names: str) -> None:
    """As if posing had been compiled at an earlier start, and these had not."""
    held.session.engine.prepare()
    request = held.worker.requests.pop()
    held.worker.publish("engine", request.ticket, Loaded(held.evaluator, cold=names))  # type: ignore[arg-type]
    deliver()
    answer_pictures(held)
    held.load_drags()


def answer_pictures(held: Held) -> None:
    while held.worker.waiting("pose"):
        held.worker.answer("pose")


def with_lock(held: Held) -> None:
    """The arm holds its place."""
    document = held.session.document
    arm = document.actor("arm")
    lock = Lock(id="held", name="Held", joint="lower")
    show(held, document.with_actor(replace(arm, locks=(lock,))))


def show(held: Held, document: Document) -> None:
    held.session.begin_with(History(document, Entry("Opened")), None)


def test_ready_is_said_only_when_all_is(starting: Held) -> None:
    report: list[str] = []
    starting.session.engine_changed.connect(lambda state: report.append(state.text))
    names = tuple(entry.name for entry in WARM)
    starting.session.engine.prepare()
    request = starting.worker.requests.pop()
    starting.worker.publish("engine", request.ticket, Cold(names))
    deliver()
    child = starting.children[0]
    child.say({"progress": 0.1, "ready": "posing"})
    deliver()
    request = next(each for each in starting.worker.requests if each.key == "engine")
    starting.worker.publish("engine", request.ticket, Loaded(starting.evaluator))  # type: ignore[arg-type]
    deliver()
    assert starting.session.engine_state == EngineState(text="Ready to pose", ready=True)
    answer_pictures(starting)
    starting.load_drags()
    for name in names[1:]:
        assert "Ready" not in report
        child.say({"progress": 0.5, "ready": name})
        deliver()
    assert report[-1] == "Ready", "whatever the child tidies up yet"
    child.say({"ended": "done"})
    deliver()
    assert report.count("Ready") == 1
    assert starting.session.engine.preparing.missing == ()


def test_ready_is_said_once_drags_are_loaded_too(starting: Held) -> None:
    report: list[str] = []
    starting.session.engine_changed.connect(lambda state: report.append(state.text))
    starting.load_pictures()
    answer_pictures(starting)
    assert (report, starting.worker.waiting("drags")) == (["Loading", "Ready to pose"], 1)
    starting.load_drags()
    assert report[2:] == ["Ready"]


def test_drags_that_cannot_be_loaded_hold_nothing_up(starting: Held) -> None:
    starting.load_pictures()
    answer_pictures(starting)
    (request,) = [each for each in starting.worker.requests if each.key == "drags"]
    starting.worker.fail(request, ValueError("no"))
    deliver()
    assert starting.session.engine_state == EngineState(text="Ready", ready=True)
    assert [each.kind for each in starting.session.log] == ["error"]


def test_a_job_waits_for_what_it_needs_and_all_others_go_on(starting: Held) -> None:
    ready_but_for(starting, "locks", "limits")
    link, worker, report = starting.session.engine, starting.worker, list[tuple[object, PublishedFrame]]()
    link.answered.connect(lambda key, frame: report.append((key, frame)))
    link.submit("mine", steps("old"), document=None, needs=("locks",))
    newest = link.submit("mine", steps("new"), document=None, needs=("locks",))
    link.submit("other", steps("at once"), document=None, needs=("playing",))
    assert (worker.waiting("mine"), worker.waiting("other")) == (0, 1)
    assert (link.waits_for("mine"), link.waited_for, link.waits_for("other")) == ("locks", "locks", "")
    for key in [each.key for each in worker.requests if isinstance(each.key, tuple)]:
        worker.answer(key)
    assert report == [], "what only takes a ticket tells nothing"
    starting.children[0].say({"progress": 0.5, "ready": "locks"})
    deliver()
    assert (worker.waiting("mine"), link.waited_for) == (1, "")
    worker.answer("mine")
    assert [(key, frame.ticket, frame.value) for key, frame in report] == [("mine", newest, "new")]


def test_what_is_waited_for_is_prepared_first(starting: Held) -> None:
    names = ("playing", "locks", "limits", "muscles")
    ready_but_for(starting, *names)
    link, child, preparing = starting.session.engine, starting.children[0], starting.session.engine.preparing
    order = preparing.missing
    assert set(order) == set(names)
    last, other = order[-1], order[-2]
    for _ in range(2):
        link.submit("mine", steps("x"), document=None, needs=(last,))
    link.submit("other", steps("x"), document=None, needs=(last, other))
    assert child.asked == [{"first": [last]}, {"first": [last, other]}], "nothing is said twice"
    assert preparing.missing == (last, other, *order[:-2])
    assert link.waited_for == last
    child.say({"progress": 0.1, "ready": last})
    deliver()
    assert (starting.worker.waiting("mine"), link.waited_for, preparing.missing[0]) == (1, other, other)
    link.cancel("other")
    assert child.asked[2:] == [{"first": []}]
    assert preparing.missing == order[:-1]


def test_the_time_left_is_that_of_the_order_in_which_purposes_are_prepared(starting: Held) -> None:
    now, entries = [0.0], {entry.name: entry for entry in WARM}
    link, preparing = starting.session.engine, starting.session.engine.preparing
    preparing._clock = lambda: now[0]
    ready_but_for(starting, "limits", "water")
    child, total = starting.children[0], entries["limits"].total + entries["water"].total
    child.say({"progress": 0.0, "text": "limits", "purpose": "limits"})
    deliver()
    now[0] = FIRST_GUESS
    assert preparing.time_left("limits") == in_words(entries["limits"].total - FIRST_GUESS)
    link.submit("mine", steps("x"), document=None, needs=("water",))
    assert preparing.time_left("water") == in_words(entries["water"].total - FIRST_GUESS)
    assert preparing.time_left("limits") == in_words(total - FIRST_GUESS)
    first = entries["limits"].seconds["samples"]
    child.say({"progress": first / total, "text": "limits", "purpose": "limits"})  # its kernel was under way
    deliver()
    half = entries["water"].total / 2.0
    now[0] += half
    child.say({"progress": (first + half) / total, "text": "water", "purpose": "water"})
    deliver()
    water, limits = (preparing._done[name] for name in ("water", "limits"))
    assert (water, limits) == (pytest.approx(half), pytest.approx(first))


def test_what_waits_can_be_cancelled_and_superseded_by_what_needs_nothing(starting: Held) -> None:
    ready_but_for(starting, "locks")
    link, worker = starting.session.engine, starting.worker
    link.submit("mine", steps("old"), document=None, needs=("locks",))
    link.cancel("mine")
    link.submit("other", steps("old"), document=None, needs=("locks",))
    link.submit("other", steps("new"), document=None)
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    assert (worker.waiting("mine"), worker.waiting("other")) == (0, 1)


def test_a_failure_of_a_job_that_waited_has_the_ticket_that_it_was_given(starting: Held) -> None:
    ready_but_for(starting, "locks")
    failed: list[int] = []
    starting.session.engine.failed.connect(lambda key, ticket, problem: failed.append(ticket))
    ticket = starting.session.engine.submit("mine", steps("x"), document=None, needs=("locks",))
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    request = next(each for each in starting.worker.requests if each.key == "mine")
    starting.worker.fail(request, ValueError("no"))
    deliver()
    assert failed == [ticket]
    assert request.ticket > ticket


def test_nothing_is_kept_of_a_job_that_waited_once_it_has_answered(starting: Held) -> None:
    ready_but_for(starting, "locks")
    link = starting.session.engine
    for key in ("mine", "other"):
        link.submit(key, steps("x"), document=None, needs=("locks",))
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    assert len(link._given) == 2
    starting.worker.answer("mine")
    request = next(each for each in starting.worker.requests if each.key == "other")
    starting.worker.fail(request, ValueError("no"))
    deliver()
    assert link._given == {}


@pytest.mark.parametrize("how", ["cancelled", "failed", "done"])
def test_nothing_waits_for_a_child_that_has_ended(starting: Held, how: str) -> None:
    ready_but_for(starting, "locks")
    starting.session.engine.submit("mine", steps("x"), document=None, needs=("locks",))
    starting.children[0].say({"ended": how})
    deliver()
    assert starting.worker.waiting("mine") == 1
    assert starting.session.engine_state.text == ("Ready" if how == "done" else "Ready to pose")
    starting.session.engine.submit("next", steps("x"), document=None, needs=("locks",))
    assert starting.worker.waiting("next") == 1


def test_a_picture_with_locks_waits_and_the_one_before_stands(starting: Held) -> None:
    ready_but_for(starting, "locks")
    session, worker = starting.session, starting.worker
    before = session.snapshot
    with_lock(starting)
    assert (worker.waiting("pose"), worker.waiting("rest")) == (0, 0)
    assert session.snapshot is before
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    worker.answer("pose")
    assert session.snapshot is not None
    assert (session.snapshot.document, session.snapshot.state) == (session.document, "fresh")


def test_another_document_whose_kernels_are_missing_is_shown_at_rest_meanwhile(starting: Held) -> None:
    ready_but_for(starting, "locks")
    session, worker = starting.session, starting.worker
    with_lock(starting)
    arm = session.document.actor("arm")
    show(starting, replace(session.document, actors=(replace(arm, id="other"),)))
    worker.answer("rest")
    assert session.snapshot is not None
    assert (session.snapshot.document, session.snapshot.state) == (session.document, "rest")
    starting.children[0].say({"progress": 1.0, "ready": "locks"})
    deliver()
    worker.answer("pose")
    assert session.snapshot.state == "fresh"


def test_a_document_needs_what_it_has(held: Held) -> None:
    document = held.session.document
    arm = document.actor("arm")
    assert needs_of(document) == frozenset()
    lock = Lock(id="held", name="Held", joint="lower")
    keyed = Layer(id="pose", tracks=(Track(coordinate="upper.turn", keys=(Key(0, 0.1),)),))
    assert needs_of(document.with_actor(replace(arm, locks=(lock,)))) == {"locks"}
    assert needs_of(document.with_actor(replace(arm, layers=(keyed,), locks=(lock,)))) == {"locks", "playing"}
    faded = replace(lock, tracks=(Track(coordinate="weight", keys=(Key(0, 0.0), Key(9, 1.0))),))
    assert needs_of(document.with_actor(replace(arm, locks=(faded,)))) == {"locks", "playing"}
    swinging = Secondary(targets=(Target(id="hit"),))
    assert needs_of(document.with_actor(replace(arm, secondary=replace(swinging, targets=())))) == {"secondary"}
    assert needs_of(document.with_actor(replace(arm, secondary=swinging))) == {"secondary", "targets"}
    assert {"locks", "playing", "limits", "secondary", "targets"} <= {entry.name for entry in WARM}


def test_the_first_key_waits_for_what_keys_need(starting: Held) -> None:
    ready_but_for(starting, "playing")
    session, put = starting.session, PutPose(actor="arm", time=0, title="Pose", values=(("upper.turn", 0.1),))
    session.work_out(put)
    assert starting.worker.waiting(PREVIEW) == 1, "a constant pose"
    starting.worker.answer(PREVIEW)
    session.work_out(replace(put, key=True))
    assert (starting.worker.waiting(PREVIEW), session.engine.waits_for(PREVIEW)) == (0, "playing")
