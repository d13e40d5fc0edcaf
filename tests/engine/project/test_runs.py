"""Runs: locks that live as long as their program, clocks that jump, and what is removed when there is too much."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from queue import Queue
from unittest.mock import Mock

import pytest

from engine.project import arrays, recovery, runs
from engine.project.recovery import WriterReport, begin_run
from engine.project.runs import DAY, LeftCopy, left_runs, prune
from engine.project.save import open_project, save_project
from engine.project.store import Store
from tests.engine.project.committing import arm
from tests.engine.project.test_recovery import WITHIN, captured_arm, read, turn

NOW = 1_800_000_000.0


def leave(
    folder: Path, monkeypatch: pytest.MonkeyPatch, when: Sequence[float], *, closed: bool = True
) -> list[LeftCopy]:
    """A run for each time of the clock, each with one copy; oldest first as they were made."""
    made = []
    for number, clock in enumerate(when):
        monkeypatch.setattr(time, "time", lambda clock=clock: clock)
        run = begin_run(folder, days=1e9)
        copy = run.open(str(number), None, arm())
        turn(copy, arm(), 0.1)
        if closed:
            copy.close(kept=True)
        assert run.end(WITHIN)
        made.append(next(each for each in left_runs(folder) if each.name == str(number)))
    monkeypatch.undo()
    return made


def names(folder: Path) -> list[str]:
    return [each.name for each in left_runs(folder)]


def test_copies_are_listed_newest_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW, NOW + 20, NOW + 10])
    assert names(tmp_path) == ["1", "2", "0"]


def test_old_copies_go_and_the_newest_three_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW + number * DAY for number in range(6)])
    prune(tmp_path, 14, 10**9, now=NOW + 16.5 * DAY)
    assert names(tmp_path) == ["5", "4", "3"]
    prune(tmp_path, 14, 10**9, now=NOW + 1000 * DAY)
    assert names(tmp_path) == ["5", "4", "3"]
    assert len(list(tmp_path.iterdir())) == 3


def test_what_nobody_was_asked_about_is_not_too_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW], closed=False)
    leave(tmp_path, monkeypatch, [NOW + DAY * number for number in range(1, 5)])
    prune(tmp_path, 14, 10**9, now=NOW + 40 * DAY)
    assert len(names(tmp_path)) == 4
    (offered,) = [each for each in left_runs(tmp_path) if each.is_offered]
    offered.mark("aside")
    prune(tmp_path, 14, 10**9, now=NOW + 40 * DAY)
    assert len(names(tmp_path)) == 3


def test_a_clock_that_was_set_back_makes_nothing_old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW + number for number in range(5)])
    prune(tmp_path, 14, 10**9, now=NOW - 3000 * DAY)
    assert len(names(tmp_path)) == 5


def test_a_run_whose_clock_jumps_back_is_kept_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = begin_run(tmp_path)
    copy = run.open("arm", None, arm())
    second = turn(copy, arm(), 0.1)
    monkeypatch.setattr(time, "time", lambda: NOW - 10_000 * DAY)
    turn(copy, second, 0.2)
    assert run.end(WITHIN)
    (left,) = left_runs(tmp_path)
    assert left.when == NOW - 10_000 * DAY
    assert len(read(left).entries) == 3


def test_the_oldest_go_until_the_rest_is_small_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = leave(tmp_path, monkeypatch, [NOW + number for number in range(5)])
    prune(tmp_path, 14, made[0].size * 2 + 10, now=NOW + 10)
    assert names(tmp_path) == ["4", "3"]
    prune(tmp_path, 14, 0, now=NOW + 10)
    assert names(tmp_path) == ["4"]


def test_what_nobody_was_asked_about_is_not_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW, NOW + 1], closed=False)
    leave(tmp_path, monkeypatch, [NOW + 2, NOW + 3])
    prune(tmp_path, 14, 0, now=NOW + 10)
    assert [(each.is_offered, each.when) for each in left_runs(tmp_path)] == [
        (False, NOW + 3),
        (True, NOW + 1),
        (True, NOW),
    ]


def test_copies_are_no_homes_of_arrays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (left,) = leave(tmp_path, monkeypatch, [NOW], closed=False)
    read(left)
    left.mark("aside")
    assert not any(each.is_relative_to(tmp_path) for each in arrays._homes)


def test_a_copy_is_read_whole_while_a_project_with_the_same_arrays_has_lost_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "_homes", {})  # the files of other tests
    file = tmp_path / "drive.sinew"
    run = begin_run(tmp_path / "recovery")
    turn(run.open("arm", None, captured_arm()), captured_arm(), 0.1)
    assert run.end(WITHIN)
    save_project(file, captured_arm())
    opened = open_project(file).document
    file.unlink()
    (left,) = left_runs(tmp_path / "recovery")
    assert [each.label for each in read(left).entries] == ["arm", "Turn to 0.1"]
    assert opened == captured_arm(), "which found them in the copy"
    assert not any(each.is_relative_to(tmp_path / "recovery") for each in arrays._homes)


def test_a_copy_that_is_closed_makes_room_for_it_at_once(tmp_path: Path) -> None:
    run = begin_run(tmp_path, size=1)
    for name in ("first", "second"):
        copy = run.open(name, None, arm())
        turn(copy, arm(), 0.1)
        copy.close(kept=True)
    assert run.end(WITHIN)
    assert names(tmp_path) == ["second"]


def test_a_folder_that_cannot_be_made_is_said_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "AGAIN", 0.02)
    told: Queue[WriterReport] = Queue()
    folder = tmp_path / "recovery"
    folder.write_text("a file stands here")
    run = begin_run(folder, tell=told.put)
    turn(run.open("arm", None, arm()), arm(), 0.1)
    bad = told.get(timeout=WITHIN)
    assert bad.is_bad
    assert f"cannot be written to {folder}" in bad.text
    folder.unlink()
    assert not told.get(timeout=WITHIN).is_bad
    assert run.end(WITHIN)
    assert told.empty()
    assert [len(read(each).entries) for each in left_runs(folder)] == [2]


def test_a_copy_is_removed_with_all_that_lies_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (left,) = leave(tmp_path, monkeypatch, [NOW])
    left.file.with_suffix(".png").write_bytes(b"x")
    left.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_copy_is_listed_and_can_be_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (left,) = leave(tmp_path, monkeypatch, [NOW], closed=False)
    left.file.write_bytes(b"SQLite format 3\0" + b"nonsense" * 100)
    (damaged,) = left_runs(tmp_path)
    assert (damaged.name, damaged.is_offered) == ("Damaged copy", True)
    damaged.mark("aside")
    (aside,) = left_runs(tmp_path)
    assert not aside.is_offered


def test_a_lock_ends_with_who_holds_it_and_a_removed_one_is_none(tmp_path: Path) -> None:
    run, handle = runs.make_run(tmp_path)
    assert runs.hold(run) is None
    runs.tidy(run)
    assert run.is_dir()
    runs.release(run, handle)
    again = runs.hold(run)
    assert again is not None
    runs.release(run, again)
    runs.tidy(run)
    assert not run.exists()


def test_a_folder_that_cannot_be_read_has_no_runs(tmp_path: Path) -> None:
    assert left_runs(tmp_path / "nowhere") == ()
    (tmp_path / "file").write_text("x")
    assert left_runs(tmp_path) == ()
    prune(tmp_path, 14, 10**9)


def test_what_is_no_copy_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(tmp_path, monkeypatch, [NOW])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("x")
    prune(tmp_path, 0, 0, now=NOW + 100 * DAY)
    assert (tmp_path / "mine" / "notes.txt").exists()


@pytest.mark.parametrize(
    "change",
    [{"name": None}, {"path": 1}, {"when": None}, {"when": float("nan")}, {"when": 10**400}, {"changes": "1"},
     {"unsaved": 1}, {"state": "odd"}, {"state": []}],
)  # fmt: skip
def test_a_copy_whose_note_is_none_of_ours_is_a_damaged_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: dict[str, object]
) -> None:
    (left,) = leave(tmp_path, monkeypatch, [NOW])
    with Store.open(left.file, writable=True) as store:
        note = json.loads(store.meta(runs.NOTE) or "")
        store.note(runs.NOTE, json.dumps({**note, **change}))
    assert names(tmp_path) == ["Damaged copy"]
    with Store.open(left.file, writable=True) as store:
        store.note(runs.NOTE, "[" * 99_999)
    assert names(tmp_path) == ["Damaged copy"]


def test_whatever_fails_is_said_and_the_copies_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise TypeError("not of ours")

    monkeypatch.setattr(runs, "prune", fail)
    told: Queue[WriterReport] = Queue()
    run = begin_run(tmp_path, tell=told.put)
    assert "TypeError('not of ours')" in told.get(timeout=WITHIN).text
    turn(run.open("arm", None, arm()), arm(), 0.1)
    assert run.end(WITHIN)
    assert names(tmp_path) == ["arm"]


def test_a_copy_goes_on_where_the_one_that_it_replaces_cannot_be_marked(tmp_path: Path) -> None:
    told: Queue[WriterReport] = Queue()
    run = begin_run(tmp_path, tell=told.put)
    copy = run.open("arm", None, arm())
    copy.replaces(Mock(spec=LeftCopy, mark=Mock(side_effect=OSError("gone"))))
    turn(copy, arm(), 0.1)
    assert run.end(WITHIN)
    assert told.empty()
    (left,) = left_runs(tmp_path)
    assert len(read(left).entries) == 2
