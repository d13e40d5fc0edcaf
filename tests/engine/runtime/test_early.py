"""The child of a first start is begun before the window, taken over once, and ends with whoever began it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.long import JOBS
from engine.long.warm_up import WARM
from engine.runtime import child, early
from engine.runtime.child import Json, Message


class Begun:
    """Stands in for a child process."""

    made: list[Begun]
    problem: OSError | None = None

    def __init__(self, name: str, arguments: dict[str, Json], *, on_message: Callable[[Message], None]) -> None:
        if self.problem is not None:
            raise self.problem
        self.name, self.arguments, self.say, self.killed = name, arguments, on_message, False
        self.made.append(self)

    def kill(self) -> None:
        self.killed = True


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[type[Begun]]:
    """A first start, and the children that it begins."""
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    monkeypatch.setattr(early, "SHIPPED", tmp_path / "none")
    monkeypatch.setattr(child, "ChildJob", Begun)
    monkeypatch.setattr(Begun, "made", [], raising=False)
    yield Begun
    assert not early._begun


def test_what_the_child_said_before_it_was_taken_over_is_heard_first(begun: type[Begun]) -> None:
    heard: list[Message] = []
    with early.early_warm_up():
        (job,) = begun.made
        assert (job.name, job.arguments) == (early.JOB, {})
        job.say({"progress": 0.1})
        job.say({"progress": 0.2})
        assert early.take_over(heard.append) is job
        job.say({"ended": "done"})
        assert early.take_over(heard.append) is None
    assert heard == [{"progress": 0.1}, {"progress": 0.2}, {"ended": "done"}]
    assert not job.killed


def test_a_child_that_nobody_took_over_ends(begun: type[Begun]) -> None:
    with early.early_warm_up():
        pass
    assert [each.killed for each in begun.made] == [True]


def test_where_no_process_can_be_started_it_is_tried_again_later(
    begun: type[Begun], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begun, "problem", OSError("no more processes"))
    with early.early_warm_up():
        assert early.take_over(lambda _: None) is None


@pytest.mark.parametrize("there", ["stamp", "shipped", "uncompiled"])
def test_none_is_begun_where_kernels_are(
    begun: type[Begun], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, there: str
) -> None:
    assert early.is_first_start()
    if there == "stamp":
        folder = tmp_path / "kernels" / "of another version"
        folder.mkdir(parents=True)
        (folder / "posing-0-0.warm").touch()
    elif there == "shipped":
        monkeypatch.setattr(early, "SHIPPED", tmp_path)
    else:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with early.early_warm_up():
        assert begun.made == []


def test_its_names_are_those_of_the_job_and_of_its_first_purpose() -> None:
    assert early.JOB in JOBS
    assert WARM[0].name == early.POSING
