"""Jobs in a process of their own: their words, their ends, and that none outlives its parent."""

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.runtime.child import ChildJob, Json, Message, child_command
from engine.runtime.rooms import ENGINE

PROGRAM = [sys.executable, str(Path(__file__).with_name("child_program.py"))]
SOON = 120.0

posix_only = pytest.mark.skipif(os.name != "posix", reason="signals")


class Heard:
    """Every message, and an event for the first."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.first = threading.Event()

    def __call__(self, message: Message) -> None:
        self.messages.append(message)
        self.first.set()


def start(name: str, arguments: Mapping[str, Json] | None = None, grace: float = SOON) -> tuple[ChildJob, Heard]:
    heard = Heard()
    return ChildJob(name, arguments or {}, on_message=heard, command=PROGRAM, grace=grace), heard


def is_gone(process: int) -> bool:
    """No such process, not even a zombie."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False


@posix_only
def test_messages_come_in_order_and_the_result_last() -> None:
    job, heard = start("count", {"steps": 3})
    assert job.wait(SOON)
    assert job.state == "done"
    assert job.error is None
    assert job.result == {"niceness": max(os.nice(0), 10), "steps": 3}
    assert [message.get("text") for message in heard.messages[:3]] == ["Step 1…", "Step 2…", "Step 3…"]
    assert heard.messages[3:] == [{"result": job.result}, {"ended": "done"}]
    assert is_gone(job.process_id)


def test_cancel_returns_at_once_and_ends_the_child() -> None:
    job, heard = start("forever")
    assert heard.first.wait(SOON)
    assert str(job.state) == "running"
    assert not job.wait(0.0)
    job.cancel()
    job.cancel()
    assert job.wait(SOON)
    assert job.state == "cancelled"
    assert heard.messages[-1] == {"ended": "cancelled"}
    assert is_gone(job.process_id)
    job.cancel()
    assert job.state == "cancelled"


@posix_only
def test_a_child_that_does_not_listen_is_killed_after_the_grace_period() -> None:
    job, heard = start("stubborn", grace=0.1)
    assert heard.first.wait(SOON)
    job.cancel()
    assert job.wait(SOON)
    assert job.state == "cancelled"
    assert is_gone(job.process_id)


@posix_only
def test_a_crash_names_the_signal_and_the_last_words() -> None:
    job, _ = start("crash")
    assert job.wait(SOON)
    assert job.state == "failed"
    assert job.error is not None
    assert "SIGSEGV" in str(job.error)
    assert "the last words" in job.error.details
    assert is_gone(job.process_id)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refuse", "the speed is -1; allowed: 0 and above"),
        ("stumble", "ZeroDivisionError: by accident"),
        ("vanish", "it ended with exit code 7"),
        ("no_such_job", "there is no job 'no_such_job'"),
    ],
)
def test_a_failure_says_why(name: str, reason: str) -> None:
    job, heard = start(name)
    assert job.wait(SOON)
    assert job.state == "failed"
    assert reason in str(job.error)
    assert heard.messages[-1] == {"ended": "failed"}


def test_a_callback_that_raises_does_not_stop_the_job(caplog: pytest.LogCaptureFixture) -> None:
    def refuse(message: Message) -> None:
        raise RuntimeError("callback")

    job = ChildJob("count", {"steps": 2}, on_message=refuse, command=PROGRAM)
    assert job.wait(SOON)
    assert job.state == "done"
    assert caplog.text.count("RuntimeError: callback") == 4


@posix_only
def test_no_child_outlives_a_parent_that_is_killed() -> None:
    job, heard = start("parent")
    assert heard.first.wait(SOON)
    grandchild = heard.messages[0]["process"]
    assert isinstance(grandchild, int)
    assert not is_gone(grandchild)
    watch = os.pidfd_open(grandchild) if hasattr(os, "pidfd_open") else None
    os.kill(job.process_id, signal.SIGKILL)
    assert job.wait(SOON)
    assert "SIGKILL" in str(job.error)
    if watch is not None:
        assert select.select([watch], [], [], SOON)[0], "the grandchild lives on"
        os.close(watch)


def test_the_real_command_works_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__main__.py").write_text("raise SystemExit('another engine')")
    monkeypatch.chdir(tmp_path)
    heard = Heard()
    job = ChildJob("no_such_job", {}, on_message=heard)
    assert job.wait(SOON)
    assert "there is no job 'no_such_job'; known: 'warm_up'" in str(job.error)


def test_a_frozen_app_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command() == (sys.executable, "engine")


def test_a_job_started_by_hand_needs_no_open_input() -> None:
    command = [*PROGRAM, "job", "count", '{"steps": 1}']
    environment = {**os.environ, "PYTHONPATH": str(ENGINE.parent)}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=SOON, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith('{"result"')
    assert "noise" not in done.stdout
