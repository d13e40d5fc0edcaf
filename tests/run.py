"""All checks and all tests, by as many workers as there are cores: `python3 start.py test`.

A worker takes one task after the other from `tests.plan`. A check is a command; files of tests go to a pytest that
lives as long as files of its kind are left (see `tests.worker`), on a screen of the worker's own. A pytest that dies
has failed the test that it was at; the rest of that file goes on in a fresh one. Failures are shown in full when their
file ends.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from start import NOBODY_ANSWERS, end_child, virtual_screen
from tests.chance import Shares, place_of_pointer, shuffled
from tests.in_memory import files_in_memory
from tests.plan import ROOT, Kind, Queue, Task, count_workers, make_plan, write_durations

MOST_MEMORY = 2 * 2**30  # [bytes] in use, above which a fresh pytest goes on
GOODBYE = 60.0  # [s] for a pytest without further files
SHOWN_SLOWEST = 10
THREADS = "2"  # for kernels of each worker: some tests compare one thread with two
GOOD_ENDS = (0, 1, 5)  # pytest's exit codes where tests passed, failed, or were none
PYTEST = (
    *("-m", "pytest", "-p", "tests.worker", "-p", "no:cacheprovider", "-qq", "--no-header", "--no-summary"),
    *("-o", "tmp_path_retention_policy=failed"),  # files of all tests would be gigabytes
    *("-p", "no:hypothesispytest"),  # it loads hypothesis at the end of every process, for more than a second
)
WORDS = ("passed", "failed", "skipped")


class Stopped(Exception):
    """The run is being ended."""


@dataclass
class Verdict:
    """What became of a task."""

    task: Task
    counts: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)  # what was told, by the name of the test
    reasons: Counter[str] = field(default_factory=Counter)  # for which tests were skipped
    tests: dict[str, float] = field(default_factory=dict)  # [s] of those that ended
    seconds: float = 0.0

    def fail(self, name: str, text: str) -> None:
        """One failure more, of a test that will not end by itself."""
        self.counts["failed"] += 1
        self.tests.setdefault(name, 0.0)
        self.failures[name] = self.failures.get(name, "") + text

    def take(self, event: Mapping[str, Any]) -> None:
        """What a worker tells."""
        if "broken" in event:
            name = event["broken"]
            self.failures[name] = f"{self.failures.get(name, '')}in {event['when']}:\n{event['text']}\n"
        elif "test" in event:
            self.tests[event["test"]] = event["seconds"]
            self.counts[event["outcome"]] += 1
            if event["outcome"] == "skipped":
                self.reasons[event["reason"]] += 1


class Children:
    """The processes of a run; none is begun once it is being ended."""

    def __init__(self) -> None:
        self._lock, self._alive, self._stopped = Lock(), list[subprocess.Popen[str]](), False

    def begin(self, command: Sequence[str], **how: Any) -> subprocess.Popen[str]:
        with self._lock:
            if self._stopped:
                raise Stopped
            self._alive = [child for child in self._alive if child.poll() is None]
            child = subprocess.Popen(command, text=True, encoding="utf-8", errors="replace", **how)
            self._alive.append(child)
            return child

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for child in self._alive:
                child.terminate()
            for child in self._alive:
                end_child(child, patience=2.0)

    def check(self) -> None:
        if self._stopped:
            raise Stopped


class Pytest:
    """One pytest process, which takes files until it is told goodbye or dies."""

    def __init__(self, kind: Kind, screen: Mapping[str, str], log: Path, whole: WholeTest) -> None:
        self.kind, self.memory, self._log, self._shown = kind, 0, log, 0
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_NUM_THREADS": THREADS, **screen, **kind.variables}
        command, pipe = [sys.executable, *PYTEST, *kind.options, *kind.folders], subprocess.PIPE
        with log.open("wb") as output:
            self._process = whole.begin(command, env=variables, stdin=pipe, stdout=pipe, stderr=output)

    def run(self, verdict: Verdict, pointer: Shares | None) -> str | None:
        """Run what is not yet run of a file. Returns None at its end; the test that it died at, or "" before any."""
        orders, events = self._process.stdin, self._process.stdout
        assert orders is not None
        assert events is not None
        self._shown, now = self._log.stat().st_size, ""
        order = {"file": verdict.task.file, "leave_out": [*verdict.tests], "pointer": pointer}
        with suppress(BrokenPipeError):
            print(json.dumps(order), file=orders, flush=True)
            for event in map(json.loads, events):
                now = event.get("begun", now)
                verdict.take(event)
                if "file" in event:
                    self.memory = event["memory"]
                    return None
        return now

    def end(self) -> int:
        """Let it go; returns its exit code."""
        with suppress(BrokenPipeError, subprocess.TimeoutExpired):
            self._process.communicate(timeout=GOODBYE)
        end_child(self._process, patience=0.0)
        return self._process.returncode

    def printed(self) -> str:
        """Since the last file was begun."""
        return self._log.read_bytes()[self._shown :].decode(errors="replace")


class WholeTest:
    """The tasks of one run, shared by its workers."""

    def __init__(self, tasks: Sequence[Task], root: Path = ROOT, seed: int | None = None) -> None:
        self._queue, self._children, self._root, self._seed = Queue(tasks), Children(), root, seed
        self._lock, self._count = Lock(), len(tasks)
        self.verdicts: list[Verdict] = []

    def run(self, workers: int) -> list[Verdict]:
        """Until all is done; whatever ends it early ends its children, too."""
        with tempfile.TemporaryDirectory(prefix="sinew-test-") as folder, ThreadPoolExecutor(workers) as pool:
            running = [pool.submit(self._work, Path(folder, str(number))) for number in range(workers)]
            try:
                for each in wait(running, return_when=FIRST_EXCEPTION).done:
                    each.result()
            finally:
                self._queue.clear()
                self._children.stop()
        return self.verdicts

    def _work(self, log: Path) -> None:
        with suppress(Stopped), virtual_screen() as screen:
            pytest: Pytest | None = None
            while (task := self._queue.take(pytest.kind if pytest else None)) is not None:
                started, verdict = time.monotonic(), Verdict(task)
                try:
                    if task.kind is None:
                        self._check(verdict)
                    else:
                        pytest = self._run_file(verdict, pytest, lambda kind: Pytest(kind, screen, log, self))
                finally:
                    self._queue.done(task)
                self._report(verdict, time.monotonic() - started)
            if pytest is not None:
                self._let_go(pytest)

    def _check(self, verdict: Verdict) -> None:
        """A command, which passes by its exit code and is shown when it does not; skipped where it asks for packages of
        its own and nobody answers."""
        child = self.begin([sys.executable, *verdict.task.command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        printed, _ = child.communicate()
        self._children.check()
        if child.returncode == 0:
            verdict.counts["passed"] += 1
        elif child.returncode == NOBODY_ANSWERS:
            verdict.counts["skipped"] += 1
            verdict.reasons[f"{verdict.task.name}: {printed.strip().splitlines()[-1]}"] += 1
        else:
            verdict.fail(verdict.task.name, printed)

    def _run_file(self, verdict: Verdict, pytest: Pytest | None, fresh: Callable[[Kind], Pytest]) -> Pytest | None:
        """Returns the pytest that may go on with another file."""
        kind = verdict.task.kind
        assert kind is not None
        if pytest is not None and (pytest.kind is not kind or pytest.memory > MOST_MEMORY):
            self._let_go(pytest)
            pytest = None
        pointer = None if self._seed is None else place_of_pointer(verdict.task.file, self._seed)
        while True:
            pytest = pytest or fresh(kind)
            died_at = pytest.run(verdict, pointer)
            if died_at is None:
                return pytest
            code = pytest.end()
            self._children.check()
            name = died_at or verdict.task.name
            if name in verdict.tests:
                name = f"{name}, after its end"
            verdict.fail(name, f"pytest ended here with exit code {code}; it had printed:\n{pytest.printed()}")
            pytest = None
            if not died_at:
                return None

    def _let_go(self, pytest: Pytest) -> None:
        """A pytest that comes to a bad end after its last file has failed, too."""
        code = pytest.end()
        self._children.check()
        if code not in GOOD_ENDS:
            name = f"the end of the pytest for {pytest.kind.name}"
            verdict = Verdict(Task(name, pytest.kind.name))
            verdict.fail(name, f"exit code {code}; it had printed:\n{pytest.printed()}")
            self._report(verdict, 0.0)

    def begin(self, command: Sequence[str], **how: Any) -> subprocess.Popen[str]:
        """A child at the root of the tree."""
        return self._children.begin(command, cwd=self._root, **how)

    def _report(self, verdict: Verdict, seconds: float) -> None:
        verdict.seconds = seconds
        with self._lock:
            self.verdicts.append(verdict)
            counts = ", ".join(f"{verdict.counts[word]} {word}" for word in WORDS if verdict.counts[word])
            say(f"[{len(self.verdicts)}/{self._count}] {verdict.task.name}: {counts or 'no tests'}, {seconds:.1f} s")
            for name, text in verdict.failures.items():
                print(f"\n____ {name} ____\n{text}\n", flush=True)


class Outcome(NamedTuple):
    """A row of the table at the end."""

    row: str
    passed: int
    failed: int
    skipped: int
    seconds: float


def outcomes_of(verdicts: Iterable[Verdict]) -> list[Outcome]:
    """The verdicts of each row in one."""
    rows: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        rows.setdefault(verdict.task.row, []).append(verdict)
    return [add_up(row, those) for row, those in rows.items()]


def add_up(row: str, verdicts: Sequence[Verdict]) -> Outcome:
    counts: Counter[str] = sum((verdict.counts for verdict in verdicts), Counter())
    seconds = sum(verdict.seconds for verdict in verdicts)
    return Outcome(row, counts["passed"], counts["failed"], counts["skipped"], seconds)


def summarise(outcomes: Sequence[Outcome], seconds: float) -> int:
    """The last line is plain, so that whoever reads only that knows how it went."""
    print(f"\n{'':34}{'passed':>8}{'failed':>8}{'skipped':>9}{'seconds':>9}")
    for row, passed, failed, skipped, row_seconds in outcomes:
        print(f"{row:34}{passed:8}{failed:8}{skipped:9}{row_seconds:9.1f}")
    print(f"{'in all, side by side':59}{seconds:9.1f}\n")
    passed = sum(outcome.passed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes)
    skipped = sum(outcome.skipped for outcome in outcomes)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""), flush=True)
    return 1 if failed or not passed else 0


def tell_more(verdicts: Sequence[Verdict]) -> None:
    """Why tests were skipped, which were slowest, and the names of those that failed."""
    reasons: Counter[str] = sum((verdict.reasons for verdict in verdicts), Counter())
    for reason, count in reasons.most_common():
        say(f"{count} skipped: {reason}")
    tests = [(seconds, name) for verdict in verdicts for name, seconds in verdict.tests.items()]
    for seconds, name in sorted(tests, reverse=True)[:SHOWN_SLOWEST]:
        say(f"{seconds:.1f} s: {name}")
    for verdict in verdicts:
        for name in verdict.failures:
            say(f"FAILED {name}")


def say(text: str) -> None:
    print(text, flush=True)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="start.py test", description=__doc__)
    parser.add_argument("--fast", action="store_true", help="without slow tests and without interpreted kernels")
    parser.add_argument("--deep", action="store_true", help="also the long random tests")
    parser.add_argument("--workers", type=int, default=count_workers(), help="as many as cores, if not told")
    parser.add_argument("--record", action="store_true", help="keep how long each file took, if all passes")
    parser.add_argument("--shuffle", type=int, metavar="SEED", help="files in another order, the pointer elsewhere")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    started = time.monotonic()
    tasks = make_plan(fast=options.fast, deep=options.deep)
    order = ""
    if options.shuffle is not None:
        tasks, order = shuffled(tasks, options.shuffle), f", shuffled by --shuffle {options.shuffle}"
    say(f"{len(tasks)} checks and files of tests, {options.workers} at a time{order}")
    with files_in_memory() as folder:
        is_worth_a_look = False
        try:
            verdicts = WholeTest(tasks, seed=options.shuffle).run(options.workers)
            is_worth_a_look = (
                any(verdict.failures for verdict in verdicts) and folder is not None and any(folder.iterdir())
            )
        except KeyboardInterrupt:
            return 128 + signal.SIGINT
        finally:
            if folder is not None and not is_worth_a_look:
                shutil.rmtree(folder, ignore_errors=True)
    tell_more(verdicts)
    if is_worth_a_look:
        say(f"what they wrote is left in {folder}, in memory: remove it when you have looked at it")
    code = summarise(outcomes_of(verdicts), time.monotonic() - started)
    if options.record and code == 0:
        write_durations({verdict.task.name: verdict.seconds for verdict in verdicts})
    return code


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
