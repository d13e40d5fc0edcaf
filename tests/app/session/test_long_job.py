"""Work in a process of its own: told, cancelled, failed, closed; and the folder that its scene is in."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.session.long_job import NOT_STARTED, LongJob, start_child
from app.session.scene_job import SceneJob
from app.session.states import JobState
from engine.document import Document
from engine.runtime import child, early
from engine.runtime.child import Json, Message
from tests.app.session.held import Held, HeldChild, deliver


class Started:
    """Children that say what a test tells them to, and what was heard of them."""

    def __init__(self) -> None:
        self.children: list[HeldChild] = []
        self.arguments: dict[str, Json] = {}
        self.problem: OSError | None = None

    def __call__(self, name: str, arguments: dict[str, Json], on_message: Callable[[Message], None]) -> HeldChild:
        if self.problem is not None:
            raise self.problem
        self.arguments = arguments
        self.children.append(HeldChild(name, on_message))
        return self.children[-1]

    def say(self, **message: Json) -> None:
        self.children[-1].say(message)
        deliver()


@pytest.fixture
def started() -> Started:
    return Started()


def ends_of(job: LongJob) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    job.ended.connect(lambda how, why: found.append((how, why)))
    return found


def test_what_the_process_says_is_heard_and_its_end_once(held: Held, started: Started) -> None:
    job, heard = LongJob(held.session, "count", started), list[Message]()
    job.heard.connect(heard.append)
    ends = ends_of(job)
    job.start({"steps": 2})
    assert (job.running, heard) == (True, [])
    started.say(progress=0.5)
    started.say(error={"type": "Refused", "text": "no such thing"})
    started.children[-1].error = ValueError("job count failed")
    started.say(ended="failed")
    assert heard == [{"progress": 0.5}]
    assert ends == [("failed", "no such thing")]
    assert str(job.failure) == "job count failed"
    assert not job.running
    job.start({})
    started.say(ended="done")
    assert ends[1:] == [("done", "")], "the error was the first one's"
    assert job.failure is None


def test_what_comes_after_it_was_closed_is_not_heard(held: Held, started: Started) -> None:
    job = LongJob(held.session, "count", started)
    ends = ends_of(job)
    assert job.close(), "nothing was under way"
    job.start({})
    assert job.close()
    assert started.children[-1].cancelled
    started.say(ended="cancelled")
    assert ends == []


class Work(SceneJob):
    """On the scene of a test."""

    def __init__(self, held: Held, started: Started) -> None:
        super().__init__(held.session, held.session.engine, "work", "key of work", started)
        self.states: list[JobState] = []
        self.job_changed.connect(self.states.append)
        self.folder = Path()

    def go(self, document: Document) -> None:
        def arguments(folder: Path) -> dict[str, Json]:
            self.folder = folder
            return {"out": str(folder / "out")}

        self.begin("Working", document, arguments)


def test_the_scene_is_written_before_the_process_starts_and_gone_once_it_is_left(held: Held, started: Started) -> None:
    work = Work(held, started)
    ends = ends_of(work)
    work.go(held.session.document)
    assert (work.running, started.children) == (True, [])
    held.worker.answer("key of work")
    assert Path(str(started.arguments["scene"])).is_file()
    assert started.arguments["out"] == str(work.folder / "out")
    started.say(progress=0.25)
    assert [each.fraction for each in work.states] == [0.0, 0.25]
    started.say(ended="done")
    assert ends == [("done", "")]
    assert work.folder.is_dir(), "until what it holds was read"
    work.leave()
    assert (work.running, work.folder.exists(), work.states[-1].running) == (False, False, False)


def test_cancelled_before_the_process_starts_it_never_does(held: Held, started: Started) -> None:
    work = Work(held, started)
    work.go(held.session.document)
    work.cancel()
    assert held.worker.waiting("key of work") == 0
    assert (work.running, work.folder.exists(), started.children) == (False, False, [])
    work.go(held.session.document)
    held.worker.answer("key of work")
    work.cancel()
    assert started.children[-1].cancelled
    assert work.running, "until the process has ended"
    assert work.close()
    assert not work.folder.exists()


def test_a_process_that_cannot_start_and_a_scene_that_cannot_be_written_leave_nothing(
    held: Held, started: Started
) -> None:
    work = Work(held, started)
    ends = ends_of(work)
    started.problem = OSError(12, "Cannot allocate memory")
    work.go(held.session.document)
    held.worker.answer("key of work")
    assert ends == [(NOT_STARTED, "[Errno 12] Cannot allocate memory")]
    assert (work.running, work.folder.exists()) == (False, False)
    work.go(held.session.document)
    held.worker.fail(next(each for each in held.worker.requests if each.key == "key of work"), OSError("full"))
    deliver()
    assert (work.running, work.folder.exists()) == (False, False)


def test_the_child_that_was_begun_early_is_taken_over_and_no_second_one_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []

    class Early:
        def __init__(self, name: str, arguments: dict[str, Json], *, on_message: Callable[[Message], None]) -> None:
            made.append(name)
            on_message({"progress": 0.25, "name": name})

        def kill(self) -> None:
            raise AssertionError("it belongs to who took it over")

    monkeypatch.setattr(early, "is_first_start", lambda: True)
    monkeypatch.setattr(child, "ChildJob", Early)
    heard: list[Message] = []
    with early.early_warm_up():
        start_child("bake", {}, heard.append)
        start_child("warm_up", {}, heard.append)
    assert made == ["warm_up", "bake"]
    assert [each["name"] for each in heard] == ["bake", "warm_up"]
