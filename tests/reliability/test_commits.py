"""Ten thousand commits on 300 tracks: what they cost on the disk, and the thread that puts them."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.project.recovery import begin_run
from engine.project.runs import left_runs
from engine.runtime.progress import finish
from tests.benchmarks.recovering import changed, keyed, size_of_first

ASKED_BYTES, ASKED_COMMITS = 200_000_000, 10_000
ASKED_STALL = 0.020  # [s]
FEW = 250


@pytest.fixture(autouse=True)
def collects_later() -> Iterator[None]:
    """As on the window's thread; a collection of all that a process has loaded takes longer than any commit."""
    gc.disable()
    yield
    gc.enable()


def commit(folder: Path, count: int, pause: float) -> tuple[int, float, float]:
    """Bytes in recovery, and the longest that one commit kept its thread: at work, and by the clock [s]."""
    document, worked, took, pace = keyed(), 0.0, 0.0, threading.Event()
    run = begin_run(folder)
    copy = run.open("one", None, document)
    for number in range(count):
        document, label, done = changed(document, number)
        start, start_of_work = time.perf_counter(), time.thread_time()
        copy.commit(label, done, document)
        worked = max(worked, time.thread_time() - start_of_work)
        took = max(took, time.perf_counter() - start)
        pace.wait(pause)
    assert run.end(600.0)
    return sum(each.size for each in left_runs(folder)), worked, took


def test_commits_on_300_tracks_cost_little_and_hold_nobody_up(tmp_path: Path) -> None:
    size, worked, _ = commit(tmp_path / "many", FEW, 0.001)
    first = size_of_first(tmp_path / "first")
    assert (size - first) / FEW < ASKED_BYTES / ASKED_COMMITS
    assert first < ASKED_BYTES / 10
    assert worked < ASKED_STALL


@pytest.mark.deep
def test_ten_thousand_commits_cost_200_megabytes_at_most_and_come_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size, worked, took = commit(tmp_path, ASKED_COMMITS, 0.005)
    with capsys.disabled():
        print(
            f"\n{size / 1e6:.1f} MB; a commit at work {1e3 * worked:.2f} ms at most, by the clock {1e3 * took:.1f} ms"
        )
    assert size < ASKED_BYTES
    assert worked < ASKED_STALL
    (left,) = left_runs(tmp_path)
    past, lost = finish(left.read())
    assert (len(past.entries), lost) == (ASKED_COMMITS + 1, ())
    assert past.entries[-1].label == f"Key {ASKED_COMMITS - 1}"
