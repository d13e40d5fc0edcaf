"""The engine thread, held by events wherever order matters: no test sleeps."""

import gc
import random
import sys
import threading
import time
import weakref
from collections.abc import Callable, Generator, Hashable, Iterator
from dataclasses import dataclass
from threading import Event

import pytest

from engine.runtime.worker import HowFar, PublishedFrame, Worker, WorkerClosed

Steps = Generator[object, None, None]
SOON = 60.0


class Held:
    """A job whose step waits until it is let go."""

    def __init__(self, value: object = "held") -> None:
        self.entered = Event()
        self.gate = Event()
        self.closed_on: str | None = None
        self.value = value

    def __call__(self) -> Steps:
        try:
            while True:
                self.entered.set()
                assert self.gate.wait(SOON)
                yield self.value
        finally:
            self.closed_on = threading.current_thread().name


def once(value: object) -> Callable[[], Steps]:
    def job() -> Steps:
        yield value

    return job


def counting(log: list[object], name: object, steps: int) -> Callable[[], Steps]:
    def job() -> Steps:
        for step in range(steps):
            log.append((name, step))
            yield None

    return job


@pytest.fixture
def failures() -> list[tuple[Hashable, int, BaseException]]:
    return []


@pytest.fixture
def worker(failures: list[tuple[Hashable, int, BaseException]]) -> Iterator[Worker]:
    with Worker(on_failure=lambda *failure: failures.append(failure)) as worker:
        yield worker


def hold(worker: Worker, key: Hashable = "hold") -> Held:
    held = Held()
    worker.submit(key, held)
    assert held.entered.wait(SOON)
    return held


def test_frames_carry_their_ticket_and_the_last_says_so(worker: Worker) -> None:
    seen: list[PublishedFrame | None] = []

    def job() -> Steps:
        yield 1
        seen.append(worker.latest("a"))
        yield None
        seen.append(worker.latest("a"))
        yield 2

    ticket = worker.submit("a", job)
    assert worker.wait_idle(SOON)
    assert seen == [PublishedFrame(ticket, 1, False)] * 2
    assert worker.latest("a") == PublishedFrame(ticket, 2, True)
    assert worker.latest("never submitted") is None


def test_what_a_job_returns_is_its_last_frame(worker: Worker) -> None:
    def job() -> Generator[str, None, str]:
        yield "draft"
        return "final"

    ticket = worker.submit("a", job)
    assert worker.wait_idle(SOON)
    assert worker.latest("a") == PublishedFrame(ticket, "final", True)


def test_same_key_closes_the_old_job_on_the_engine_thread_before_the_new_one_begins(worker: Worker) -> None:
    held = hold(worker, "a")
    order: list[str | None] = []

    def job() -> Steps:
        order.append(held.closed_on)
        yield "new"

    ticket = worker.submit("a", job)
    assert order == []
    held.gate.set()
    assert worker.wait_idle(SOON)
    assert order == ["engine"]
    assert worker.latest("a") == PublishedFrame(ticket, "new", True)


def test_a_superseded_ticket_publishes_nothing_more() -> None:
    published: list[PublishedFrame | None] = []
    listening = Worker(on_frame=lambda key: published.append(listening.latest(key)))
    with listening:
        held = hold(listening, "a")
        ticket = listening.submit("a", once("new"))
        held.gate.set()
        assert listening.wait_idle(SOON)
    assert published == [PublishedFrame(ticket, "new", False), PublishedFrame(ticket, "new", True)]


def test_only_the_last_of_many_waiting_jobs_of_a_key_begins(worker: Worker) -> None:
    held = hold(worker)
    begun: list[object] = []
    for number in range(100):
        worker.submit("a", counting(begun, number, 1))
    worker.cancel("hold")
    held.gate.set()
    assert worker.wait_idle(SOON)
    assert begun == [(99, 0)]


def test_after_first_frame_lets_each_answer_be_seen_and_drops_those_between(worker: Worker) -> None:
    held = hold(worker, "a")
    worker.submit("a", once("between"), after_first_frame=True)
    last = Held("last")
    ticket = worker.submit("a", last, after_first_frame=True)
    held.gate.set()
    assert last.entered.wait(SOON)
    first = worker.latest("a")
    assert first is not None
    assert first.value == "held"
    assert held.closed_on == "engine"
    last.gate.set()
    worker.submit("a", once("end"), after_first_frame=True)
    assert worker.wait_idle(SOON)
    end = worker.latest("a")
    assert end is not None
    assert (end.value, end.ticket) == ("end", ticket + 1)


def test_how_far_a_job_is_counts_as_no_answer(worker: Worker) -> None:
    told, gate, begun = list[object](), Event(), Event()

    def slow() -> Steps:
        told.append(HowFar())
        yield told[-1]
        begun.set()
        assert gate.wait(SOON)
        yield None
        yield "answer"
        told.append("went on")
        yield "second"

    ticket = worker.submit("a", slow)
    assert begun.wait(SOON)
    assert worker.latest("a") == PublishedFrame(ticket, told[0], done=False)
    last = Held("last")
    worker.submit("a", last, after_first_frame=True)
    gate.set()
    assert last.entered.wait(SOON)
    assert worker.latest("a") == PublishedFrame(ticket, "answer", done=False)
    assert told[1:] == []
    last.gate.set()


def test_after_first_frame_does_not_bring_back_what_was_superseded_at_once(worker: Worker) -> None:
    held = hold(worker, "a")
    worker.submit("a", once("now"))
    ticket = worker.submit("a", Held("later"), after_first_frame=True)
    held.gate.set()
    worker.cancel("a")
    assert worker.wait_idle(SOON)
    assert worker.latest("a") is None
    assert ticket == 3


def test_newest_begins_first_then_one_step_each_in_turn(worker: Worker) -> None:
    log: list[object] = []
    held = hold(worker)
    for name in "abc":
        worker.submit(name, counting(log, name, 3))
    worker.cancel("hold")
    held.gate.set()
    assert worker.wait_idle(SOON)
    order = "".join(str(entry[0]) for entry in log if isinstance(entry, tuple))
    assert order == "cba" * 3


def test_a_key_that_is_submitted_without_pause_starves_nobody(worker: Worker) -> None:
    """Each step of the greedy job submits the next one, so there is always one that has not begun."""
    turns = {"greedy": 0, "long": 0, "patient": 0}

    def greedy() -> Steps:
        turns["greedy"] += 1
        if min(turns.values()) < 20:
            worker.submit("greedy", greedy)
        yield None

    def steady(name: str) -> Callable[[], Steps]:
        def job() -> Steps:
            for _ in range(20):
                turns[name] += 1
                yield None

        return job

    held = hold(worker)
    for name in ("long", "patient"):
        worker.submit(name, steady(name))
    worker.submit("greedy", greedy)
    worker.cancel("hold")
    held.gate.set()
    assert worker.wait_idle(SOON)
    assert turns["long"] == turns["patient"] == 20
    assert turns["greedy"] <= 7 * 20


def test_cancel_runs_finally_on_the_engine_thread_and_publishes_nothing(worker: Worker) -> None:
    held = hold(worker, "a")
    worker.cancel("a")
    worker.cancel("never submitted")
    held.gate.set()
    assert worker.wait_idle(SOON)
    assert held.closed_on == "engine"
    assert worker.latest("a") is None


def test_a_cancelled_job_that_has_not_begun_never_begins(worker: Worker) -> None:
    held = hold(worker)
    begun: list[object] = []
    worker.submit("a", counting(begun, "a", 1))
    worker.cancel("a")
    worker.cancel("hold")
    held.gate.set()
    assert worker.wait_idle(SOON)
    assert begun == []


def test_latest_and_submit_do_not_wait_for_a_step(worker: Worker) -> None:
    held = hold(worker, "a")
    started = time.perf_counter()
    assert worker.latest("a") is None
    worker.submit("b", once(1))
    worker.cancel("b")
    assert worker.busy
    assert not worker.wait_idle(0.0)
    assert time.perf_counter() - started < SOON / 10
    worker.cancel("a")
    held.gate.set()


class Broken(Exception):
    pass


def broken_at_once() -> Steps:
    raise Broken("at once")


def broken_in_a_step() -> Steps:
    yield 1
    raise Broken("in a step")


def leaves() -> Steps:
    yield 1
    raise SystemExit(3)


@pytest.mark.parametrize("job", [broken_at_once, broken_in_a_step, leaves])
def test_a_failure_is_reported_and_survived(
    worker: Worker, failures: list[tuple[Hashable, int, BaseException]], job: Callable[[], Steps]
) -> None:
    ticket = worker.submit("a", job)
    assert worker.wait_idle(SOON)
    ((key, failed, problem),) = failures
    assert (key, failed) == ("a", ticket)
    assert isinstance(problem, Broken | SystemExit)
    after = worker.submit("a", once("well"))
    assert worker.wait_idle(SOON)
    assert worker.latest("a") == PublishedFrame(after, "well", True)


def test_a_job_that_fails_while_it_is_closed_is_reported_and_its_successor_runs(
    worker: Worker, failures: list[tuple[Hashable, int, BaseException]]
) -> None:
    entered, gate = Event(), Event()

    def broken_in_closing() -> Steps:
        try:
            entered.set()
            assert gate.wait(SOON)
            yield 1
        finally:
            raise Broken("in closing")

    broken = worker.submit("a", broken_in_closing)
    assert entered.wait(SOON)
    ticket = worker.submit("a", once(2))
    gate.set()
    assert worker.wait_idle(SOON)
    assert worker.latest("a") == PublishedFrame(ticket, 2, True)
    assert [(key, failed, str(problem)) for key, failed, problem in failures] == [("a", broken, "in closing")]


def test_a_callback_that_raises_is_logged_and_survived(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(*_: object) -> None:
        raise Broken("callback")

    with Worker(on_frame=refuse, on_failure=refuse) as worker:
        worker.submit("a", once(1))
        worker.submit("b", broken_at_once)
        assert worker.wait_idle(SOON)
        assert worker.latest("a") is not None
    assert caplog.text.count("Broken: callback") == 3


def test_failures_go_to_the_log_unless_somebody_listens(caplog: pytest.LogCaptureFixture) -> None:
    with Worker() as worker:
        worker.submit("a", broken_at_once)
        assert worker.wait_idle(SOON)
    assert "job 'a' (ticket 1) failed" in caplog.text


def test_close_ends_a_running_job_and_may_be_repeated() -> None:
    worker = Worker()
    held = hold(worker, "a")
    worker.submit("b", once(1))
    assert not worker.close(timeout=0.0)
    held.gate.set()
    assert worker.close(SOON)
    assert worker.close(SOON)
    assert held.closed_on == "engine"
    assert worker.latest("a") is None
    assert worker.latest("b") is None
    with pytest.raises(WorkerClosed, match="closed worker"):
        worker.submit("a", once(1))


def test_close_from_the_engine_thread_does_not_wait_for_itself() -> None:
    worker = Worker()
    answers: list[bool] = []

    def job() -> Steps:
        answers.append(worker.close())
        yield None

    worker.submit("a", job)
    assert worker.wait_idle(SOON)
    assert worker.close(SOON)
    assert answers == [False]


def test_an_idle_worker_keeps_no_job_alive(worker: Worker) -> None:
    class Large:
        pass

    large = Large()
    watch = weakref.ref(large)
    worker.submit("a", counting([], large, 1))
    assert worker.wait_idle(SOON)
    del large
    gc.collect()
    assert watch() is None


def test_an_idle_worker_costs_no_processor_time() -> None:
    with Worker() as worker:
        worker.submit("a", once(1))
        assert worker.wait_idle(SOON)
        spent = []
        for _ in range(10):  # other threads of this process may spend some meanwhile
            before = time.process_time()
            Event().wait(0.02)
            spent.append(time.process_time() - before)
        assert min(spent) < 0.002


def test_tickets_rise_and_the_last_of_each_key_wins_under_threads() -> None:
    tickets: dict[str, list[int]] = {name: [] for name in "abcd"}
    with Worker() as worker:

        def submit(name: str) -> None:
            for number in range(200):
                tickets[name].append(worker.submit(name, once((name, number))))

        threads = [threading.Thread(target=submit, args=(name,)) for name in tickets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert worker.wait_idle(SOON)
        for name, given in tickets.items():
            assert given == sorted(given)
            assert worker.latest(name) == PublishedFrame(given[-1], (name, 199), True)
    assert len(set().union(*tickets.values())) == 800


@dataclass
class Promise:
    """What may still be shown under a key: the frame that was there, or one of this ticket or later."""

    shown: PublishedFrame | None = None
    ticket: int = 0

    def holds(self, frame: PublishedFrame | None) -> bool:
        return frame is self.shown or (frame is not None and frame.ticket >= self.ticket)


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    """Threads take turns a thousand times as often as usual."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(5e-6)
    yield
    sys.setswitchinterval(usual)


@pytest.mark.usefixtures("hurried_threads")
def test_ten_thousand_random_commands_keep_every_promise() -> None:
    """What begins is closed exactly once, on the engine thread, and nothing superseded or cancelled is shown later."""
    choose = random.Random(7)
    begun: list[int] = []
    closed: list[tuple[int, str]] = []

    def job(number: int, steps: int) -> Callable[[], Steps]:
        def run() -> Steps:
            begun.append(number)
            try:
                for step in range(steps):
                    yield (number, step) if step % 2 else None
                if number % 97 == 0:
                    raise Broken
            finally:
                closed.append((number, threading.current_thread().name))

        return run

    promises = {key: Promise() for key in range(12)}
    ticket = 0
    worker = Worker(on_failure=lambda *_: None)
    for number in range(10_000):
        key, chance = choose.choice(list(promises)), choose.random()
        if chance < 0.1:
            worker.cancel(key)
            promises[key] = Promise(worker.latest(key), ticket + 1)
        else:
            ticket = worker.submit(key, job(number, choose.randrange(6)), after_first_frame=chance < 0.4)
            if chance >= 0.4:
                promises[key] = Promise(worker.latest(key), ticket)
        looked_at = choose.choice(list(promises))
        assert promises[looked_at].holds(worker.latest(looked_at))
        if number % 8 == 7:  # else a machine with other work supersedes nearly all before they begin
            assert worker.wait_idle(60.0)
    assert worker.wait_idle(60.0)
    assert all(promise.holds(worker.latest(key)) for key, promise in promises.items())
    assert worker.close(SOON)
    assert sorted(number for number, _ in closed) == sorted(begun)
    assert {name for _, name in closed} == {"engine"}
    assert 1000 < len(begun) < 10_000
