"""Recovery: what is put to a copy is there after any end of the program, and nothing that fails stops the work."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import Queue
from random import Random
from unittest.mock import Mock

import numpy as np
import pytest

from engine.document import Blob, Document, Samples
from engine.edits import edit
from engine.project import arrays, copy_file, disk, recovery, runs, schema
from engine.project.past import Past, PastEntry
from engine.project.recovery import Copy, RecoveryRun, WriterReport, begin_run
from engine.project.runs import LeftCopy, Recovered, left_runs
from engine.project.save import open_project, save_project
from engine.project.store import Store
from tests.engine.project.committing import arm

ROOT = Path(__file__).parents[3]
WITHIN = 300.0  # [s]


def turned(document: Document, value: float) -> Document:
    return edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value).apply(document)


def turn(copy: Copy, document: Document, value: float) -> Document:
    done = edit("set_value", actor="arm", layer="pose", coordinate="upper.turn", value=value)
    after = done.apply(document)
    copy.commit(f"Turn to {value}", done, after)
    return after


def read(left: LeftCopy) -> Past:
    return finished(left.read()).past


def finished(steps: Generator[None, None, Recovered]) -> Recovered:
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            found: Recovered = stop.value
            return found


@contextmanager
def running(folder: Path, told: Callable[[WriterReport], None] = lambda told: None) -> Iterator[RecoveryRun]:
    run = begin_run(folder, tell=told)
    try:
        yield run
    finally:
        assert run.end(WITHIN)


def labels(past: Past) -> list[str]:
    return [each.label for each in past.entries]


def test_commits_and_steps_are_found_after_the_run(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path) as run:
        copy = run.open("arm", tmp_path / "arm.sinew", first)
        second = turn(copy, first, 0.1)
        third = turn(copy, second, 0.2)
        copy.step(1)
    (left,) = left_runs(tmp_path)
    past = read(left)
    assert labels(past) == ["arm", "Turn to 0.1", "Turn to 0.2"]
    assert past.position == 1
    assert [each.document.digest for each in past.entries] == [each.digest for each in (first, second, third)]
    assert past.entries[2].edit is not None
    assert past.entries[2].edit.apply(past.entries[1].document) == third
    assert (left.name, left.path, left.lines) == ("arm", tmp_path / "arm.sinew", 1)
    assert left.is_offered


def test_a_commit_after_an_undo_cuts_off_what_was_undone(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path) as run:
        copy = run.open("arm", None, first)
        turn(copy, first, 0.1)
        copy.step(0)
        turn(copy, first, 0.3)
    (left,) = left_runs(tmp_path)
    assert labels(read(left)) == ["arm", "Turn to 0.3"]


def test_a_copy_goes_on_with_an_undo_list(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path) as run:
        copy = run.open("arm", None, first)
        second = turn(copy, first, 0.1)
    before = read(left_runs(tmp_path)[0])
    with running(tmp_path) as run:
        again = run.open("arm", None, before.document, before, unsaved=True)
        turn(again, second, 0.2)
    newest = left_runs(tmp_path)[0]
    assert labels(read(newest)) == ["arm", "Turn to 0.1", "Turn to 0.2"]


def test_a_copy_goes_back_as_far_as_its_undo_list_comes_to(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path / "before") as run:
        copy = run.open("arm", None, first)
        second = turn(copy, first, 0.1)
        turn(copy, second, 0.2)
    (left,) = left_runs(tmp_path / "before")
    past = read(left)
    with running(tmp_path / "now") as run:
        copy = run.open("arm", tmp_path / "arm.sinew", past.document)
        mine = turn(copy, past.document, 0.3)
        copy.extend(Past((*past.entries, PastEntry("Turn to 0.3", None, mine)), 3))
        turn(copy, mine, 0.4)
    (left,) = left_runs(tmp_path / "now")
    assert (left.lines, left.unsaved) == (2, True)
    assert labels(read(left)) == ["arm", "Turn to 0.1", "Turn to 0.2", "Turn to 0.3", "Turn to 0.4"]


def test_what_is_saved_is_not_offered_until_something_is_done(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path) as run:
        copy = run.open("arm", None, first)
        second = turn(copy, first, 0.1)
        copy.saved(tmp_path / "x.sinew", "x", 1)
    (left,) = left_runs(tmp_path)
    assert not left.is_offered
    assert (left.name, left.lines) == ("x", 0)
    with running(tmp_path) as run:
        copy = run.open("arm", None, first)
        turn(copy, first, 0.1)
        copy.saved(tmp_path / "x.sinew", "x", 1)
        turn(copy, second, 0.2)
        turn(copy, second, 0.3)
    assert (left_runs(tmp_path)[0].is_offered, left_runs(tmp_path)[0].lines) == (True, 2)


def test_undoing_behind_the_saved_line_and_going_another_way_leaves_all_unsaved(tmp_path: Path) -> None:
    first = arm()
    with running(tmp_path) as run:
        copy = run.open("arm", None, first)
        turn(copy, first, 0.1)
        copy.saved(tmp_path / "x.sinew", "x", 1)
        copy.step(0)
        turn(copy, first, 0.2)
    (left,) = left_runs(tmp_path)
    assert (left.unsaved, left.lines) == (True, 1)


def test_a_clean_end_keeps_a_copy_that_is_not_offered_or_none(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        kept, gone = run.open("kept", None, arm()), run.open("gone", None, arm())
        kept.picture(b"picture")
        gone.picture(b"picture")
        kept.close(kept=True)
        gone.close(kept=False)
    (left,) = left_runs(tmp_path)
    assert (left.name, left.state, left.is_offered, left.picture) == ("kept", "closed", False, b"picture")
    assert len(list(tmp_path.glob("*/*.png"))) == 1


def test_a_run_without_copies_leaves_nothing(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        run.open("gone", None, arm()).close(kept=False)
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_another_goes_on_with_is_offered_no_more(tmp_path: Path) -> None:
    with running(tmp_path) as run:
        turn(run.open("arm", None, arm()), arm(), 0.1)
    (left,) = left_runs(tmp_path)
    with running(tmp_path) as run:
        past = read(left)
        copy = run.open("arm", None, past.document, past, unsaved=True)
        copy.replaces(left)
    states = {each.file: each.state for each in left_runs(tmp_path)}
    assert states.pop(left.file) == "recovered"
    assert list(states.values()) == ["open"]


def test_putting_to_a_copy_never_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer is held in the middle of its first write; a thousand commits and the end of a copy go on."""
    may_go_on, is_held = threading.Event(), threading.Event()
    usual = schema.create

    def slow(*arguments: object, **options: object) -> sqlite3.Connection:
        is_held.set()
        assert may_go_on.wait(WITHIN)
        return usual(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(schema, "create", slow)
    with running(tmp_path) as run:
        copy, document = run.open("arm", None, arm()), arm()
        assert is_held.wait(WITHIN)
        for number in range(1000):
            copy.commit(str(number), None, document)
        copy.saved(None, "arm", 1000)
        may_go_on.set()
    assert len(read(left_runs(tmp_path)[0]).entries) == 1001


def test_a_full_disk_is_said_once_and_what_came_meanwhile_is_written_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 0.02)
    opened: list[sqlite3.Connection] = []
    usual = schema.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        database = usual(*arguments, **options)  # type: ignore[arg-type]
        opened.append(database)
        return database

    monkeypatch.setattr(schema, "connect", small)
    told: Queue[WriterReport] = Queue()
    with running(tmp_path, told.put) as run:
        copy, document = run.open("arm", None, arm()), arm()
        wait_for(lambda: len(opened) == 1)
        database = opened[0]
        database.set_authorizer(None)
        pages = database.execute("PRAGMA page_count").fetchone()[0]
        database.execute(f"PRAGMA max_page_count = {pages}")
        for number in range(400):
            document = turn(copy, document, number * 1e-3)
        bad = told.get(timeout=WITHIN)
        assert bad.is_bad
        assert "the disk is full" in bad.text
        assert "Make some room" in bad.text
        for number in range(10):
            document = turn(copy, document, 0.5 + number * 1e-3)
        database.execute("PRAGMA max_page_count = 1000000")
        assert told.get(timeout=WITHIN) == WriterReport("Recovery copies are written again.", is_bad=False)
    assert told.empty()
    past = read(left_runs(tmp_path)[0])
    assert len(past.entries) == 411
    assert past.document == document


def wait_for(what: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN
    pause = threading.Event()
    while not what():
        assert time.monotonic() < deadline
        pause.wait(0.005)


def written(folder: Path, copy: Copy) -> Path:
    """The file of the one copy of a run, once what was put to it is there."""
    is_written = threading.Event()
    copy.replaces(Mock(spec=LeftCopy, mark=lambda state: is_written.set()))
    assert is_written.wait(WITHIN)
    (file,) = folder.glob("*/*.sinew")
    return file


class FullDisk(disk.Disk):
    def write(self, path: Path, data: bytes) -> None:
        raise OSError(28, "No space left on device")


def test_a_picture_that_cannot_be_written_keeps_nothing_else_back(tmp_path: Path) -> None:
    told: Queue[WriterReport] = Queue()
    with running(tmp_path, told.put) as run:
        copy = run.open("arm", None, arm())
        before = disk.put(FullDisk())
        try:
            copy.picture(b"picture")
            turn(copy, arm(), 0.1)
            assert "the disk is full" in told.get(timeout=WITHIN).text
        finally:
            disk.put(before)
    assert told.empty(), "the write that the picture came with was whole"
    (left,) = left_runs(tmp_path)
    assert len(read(left).entries) == 2


def captured_arm() -> Document:
    """An arm with an array."""
    samples = Samples(coordinates=("upper.turn",), values=Blob(np.zeros((900, 1))), rate=(30, 1))
    return edit("set_samples", actor="arm", layer="pose", samples=samples).apply(arm())


def test_an_array_that_cannot_be_read_for_a_moment_holds_a_copy_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 0.02)
    monkeypatch.setattr(copy_file, "PATIENCE", 10**9)
    monkeypatch.setattr(arrays, "_homes", {})
    file = tmp_path / "arm.sinew"
    save_project(file, captured_arm())
    opened = open_project(file).document
    file.rename(tmp_path / "moved")
    told: Queue[WriterReport] = Queue()
    with running(tmp_path / "runs", told.put) as run:
        turn(run.open("arm", None, opened), opened, 0.1)
        bad = told.get(timeout=WITHIN)
        assert (bad.is_bad, bad.lost) == (True, None)
        assert "Bring the file back" in bad.text
        (tmp_path / "moved").rename(file)
        assert not told.get(timeout=WITHIN).is_bad
    (left,) = left_runs(tmp_path / "runs")
    assert labels(read(left)) == ["arm", "Turn to 0.1"]


def test_of_what_is_damaged_for_good_a_copy_keeps_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 0.02)
    monkeypatch.setattr(arrays, "_homes", {})
    file = tmp_path / "arm.sinew"
    save_project(file, captured_arm())
    opened = open_project(file).document
    file.unlink()
    told: Queue[WriterReport] = Queue()
    with running(tmp_path / "runs", told.put) as run:
        copy = run.open("arm", None, opened)
        assert "again and again" in told.get(timeout=WITHIN).text
        assert "without some numbers" in told.get(timeout=WITHIN).text
        turn(copy, opened, 0.1)
    (left,) = left_runs(tmp_path / "runs")
    found = finished(left.read())
    assert found.lost == ("samples of Layer Pose of Actor Arm",)
    assert dict(found.past.document.actor("arm").layers[0].values) == {"upper.turn": 0.1}


def test_a_copy_whose_file_cannot_be_looked_at_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 0.02)
    usual, left_to_fail = Store.create, [1]

    def vanishing(path: Path, **options: bool) -> Store:
        store = usual(path, **options)
        if left_to_fail.pop() if left_to_fail else False:
            path.unlink()
        return store

    monkeypatch.setattr(Store, "create", vanishing)
    told: Queue[WriterReport] = Queue()
    with running(tmp_path, told.put) as run:
        turn(run.open("arm", None, arm()), arm(), 0.1)
        assert told.get(timeout=WITHIN).is_bad
        assert not told.get(timeout=WITHIN).is_bad
    assert len(read(left_runs(tmp_path)[0]).entries) == 2


@pytest.mark.parametrize("how", ["file", "run", "all"])
def test_a_copy_whose_file_has_gone_is_said_to_be_lost_and_another_can_begin(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "recovery"
    told: Queue[WriterReport] = Queue()
    with running(folder, told.put) as run:
        copy = run.open("arm", None, arm())
        file = written(folder, copy)
        gone = {"file": file, "run": file.parent, "all": folder}[how]
        gone.rename(tmp_path / "moved")
        second = turn(copy, arm(), 0.1)
        lost = told.get(timeout=WITHIN)
        assert lost.lost is copy
        assert "has gone" in lost.text
        turn(copy, second, 0.2)
        again = run.open("arm", None, second, unsaved=True)
        turn(again, second, 0.3)
    (left,) = left_runs(folder)
    assert labels(read(left)) == ["arm", "Turn to 0.3"]


def test_a_copy_that_was_overwritten_by_something_else_is_lost(tmp_path: Path) -> None:
    told: Queue[WriterReport] = Queue()
    with running(tmp_path, told.put) as run:
        copy = run.open("arm", None, arm())
        file = written(tmp_path, copy)
        file.write_bytes(b"nonsense" * 10_000)
        turn(copy, arm(), 0.1)
        assert told.get(timeout=WITHIN).lost is copy
    (left,) = left_runs(tmp_path)
    assert left.name == "Damaged copy"


def test_a_document_that_cannot_be_encoded_is_said_and_other_copies_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: Queue[WriterReport] = Queue()
    with running(tmp_path, told.put) as run:
        first, second = run.open("one", None, arm()), run.open("two", None, arm())
        first.commit("Nonsense", None, "no document")  # type: ignore[arg-type]
        turn(second, arm(), 0.1)
        said = told.get(timeout=WITHIN)
    assert "No recovery copy can be kept" in said.text
    assert said.lost is None
    assert {each.name: len(read(each).entries) for each in left_runs(tmp_path) if each.name == "two"} == {"two": 2}


# Other programs


@contextmanager
def child(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.engine.project.committing", str(folder), *arguments]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
        try:
            yield process
        finally:
            process.kill()


def put_by(process: subprocess.Popen[str], enough: int) -> list[float]:
    """When each commit was put, until there are enough; then the process is killed."""
    assert process.stdout is not None
    put: list[float] = []
    for line in process.stdout:
        if line.endswith("\n"):  # else it was killed as it wrote
            put.append(float(line.split()[1]))
        if len(put) == enough:
            process.send_signal(signal.SIGKILL)
    process.wait()
    return put


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("seed", [0, *(pytest.param(each, marks=pytest.mark.deep) for each in (1, 2))])
def test_a_killed_program_loses_one_action_or_one_second_at_most(tmp_path: Path, seed: int) -> None:
    count = Random(seed).randint(20, 700)
    with child(tmp_path) as process:
        put = put_by(process, count)
    killed = put[-1]
    (left,) = left_runs(tmp_path)
    past = read(left)
    found = len(past.entries) - 1
    assert left.is_offered == (found > 0)
    assert labels(past) == ["arm", *(f"Turn {number}" for number in range(1, found + 1))]
    assert past.position == found
    lost = put[found:]
    assert len(lost) <= 1 or killed - lost[0] <= 1.0


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("number", [2, 3, *(pytest.param(each, marks=pytest.mark.deep) for each in (1, 5))])
def test_a_write_that_was_torn_is_taken_back(tmp_path: Path, number: int) -> None:
    """The process ends itself when a part of a write is in the file. The first two make the tables and the copy."""
    with child(tmp_path, str(number)) as process:
        put_by(process, 0)
        assert process.returncode == -signal.SIGKILL
    assert len(list(tmp_path.glob("*/*.sinew"))) == 1
    found = left_runs(tmp_path)
    assert bool(found) == (number > 2)
    for left in found:
        past = read(left)
        assert labels(past)[:2] == ["arm", "Turn 1"][: len(past.entries)]
        assert past.position == len(past.entries) - 1
    runs.prune(tmp_path, 14, 10**9)
    assert len(list(tmp_path.glob("*/*.sinew"))) == len(found)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_another_program_has_open_is_not_offered_until_it_ends(tmp_path: Path) -> None:
    with child(tmp_path) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("200 "):
                break
        with running(tmp_path) as run:
            run.open("mine", None, arm())
            assert left_runs(tmp_path) == ()
        assert [each.name for each in left_runs(tmp_path)] == ["mine"]
        runs.prune(tmp_path, 0.0, 0)
        assert len(list(tmp_path.glob("*/*.sinew"))) == 2
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert {each.name for each in left_runs(tmp_path)} == {"arm", "mine"}
    for each in left_runs(tmp_path):
        with closing(sqlite3.connect(each.file)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_what_is_behind_is_written_though_the_window_that_would_hear_of_it_has_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The writer is still at work when the program closes, and its disk fails once."""
    go_on, held = threading.Event(), disk.make_folder

    def failing_once(folder: Path) -> None:
        assert go_on.wait(WITHIN)
        monkeypatch.setattr(disk, "make_folder", held)
        raise OSError("no space")

    def told(report: WriterReport) -> None:
        raise RuntimeError("Internal C++ object already deleted.")

    monkeypatch.setattr(disk, "make_folder", failing_once)
    with running(tmp_path, told) as run:
        document = arm()
        copy = run.open("Arm", None, document)
        for value in (0.1, 0.2):
            document = turn(copy, document, value)
        copy.close(kept=True, offered=True)
        assert not run.end(0.01), "it is behind"
        go_on.set()
    (left,) = left_runs(tmp_path)
    assert read(left).document == document
