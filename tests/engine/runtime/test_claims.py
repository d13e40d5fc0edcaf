"""While one process compiles a kernel another waits for it, but for no longer than it makes sense."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.runtime import claims
from engine.runtime.folders import writable_cache
from engine.runtime.rooms import ENGINE

pytest.importorskip("fcntl")

HOLD = """
import sys
from engine.runtime.claims import claimed, sharing
with sharing(), claimed("a kernel"):
    print("held", flush=True)
    sys.stdin.read()
print("given back", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has claimed "a kernel" until its input ends."""
    monkeypatch.setenv("SINEW_CACHE", str(tmp_path))
    writable_cache.cache_clear()
    command = [sys.executable, "-c", HOLD]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ENGINE.parent) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()
    writable_cache.cache_clear()


def is_claimed_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Tell whether a claim would be waited for, without waiting."""
    with monkeypatch.context() as patch:
        patch.setattr(claims, "MOST", -1.0)
        (number,) = claims._open
        is_held = claims._wait_for(number, claims._place(name))
    return not is_held


def test_a_kernel_that_another_process_compiles_is_waited_for_and_no_other(
    other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert other.stdin is not None
    with claims.sharing():
        assert is_claimed_elsewhere("a kernel", monkeypatch)
        with claims.claimed("another"), claims.claimed("a third"):
            assert is_claimed_elsewhere("a kernel", monkeypatch)
        other.stdin.close()
        with claims.claimed("a kernel"):
            assert other.stdout is not None
            assert other.stdout.readline() == "given back\n"


def test_a_process_that_is_killed_gives_its_claims_back(other: subprocess.Popen[str]) -> None:
    other.kill()
    with claims.sharing(), claims.claimed("a kernel"):
        assert other.wait() == -signal.SIGKILL


def test_one_that_was_stopped_is_passed_over(other: subprocess.Popen[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(claims, "MOST", 0.05)
    other.send_signal(signal.SIGSTOP)
    began = time.monotonic()
    with claims.sharing(), claims.claimed("a kernel"):
        assert time.monotonic() - began >= 0.05


def test_nothing_is_claimed_unless_kernels_are_shared_out(other: subprocess.Popen[str]) -> None:
    with claims.claimed("a kernel"):
        assert other.poll() is None


def test_one_core_shares_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, answer in ((1, False), (2, True)):
        monkeypatch.setattr(os, "sched_getaffinity", lambda _, cores=cores: set(range(cores)))
        assert claims.can_share() is answer
