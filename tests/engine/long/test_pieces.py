"""Pieces: each is done once, wherever; a process that dies costs its own piece only, which another does."""

from __future__ import annotations

import sys
from inspect import getgeneratorlocals as getlocals
from pathlib import Path

import pytest

from engine.long.chosen_pieces import cores, pieces_on
from engine.long.own_process import OwnProcess
from engine.long.pieces import Cores, Done, Here, Task
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, InvalidArguments
from tests.engine.long.piece_work import MAKE

NUMBERS: list[Json] = [3, 1, 4, -1, 5, 9, 2, 6]


def task(folder: Path, **more: Json) -> Task:
    return Task(MAKE, {"folder": str(folder), **more})


def in_order(found: list[Done]) -> list[tuple[Json, str]]:
    assert sorted(each.place for each in found) == list(range(len(NUMBERS)))
    return [(each.result, each.problem) for each in sorted(found, key=lambda each: each.place)]


def tries(folder: Path) -> dict[str, int]:
    return {each.name: len(each.read_text().split()) for each in folder.iterdir()}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_process_that_dies_costs_its_own_piece_only(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    alone = in_order(list(Here().run(task(here), NUMBERS)))
    assert [result for result, _ in alone] == [9, 1, 16, None, 25, 81, 4, 36]
    assert alone[3][1] == "a number is -1; allowed: 0 or more"
    assert in_order(list(Cores(2).run(task(there, killed=[4, 9]), NUMBERS))) == alone
    assert tries(there) == {**dict.fromkeys(map(str, NUMBERS), 1), "4": 2, "9": 2}
    pids = {pid for each in there.iterdir() for pid in each.read_text().split()}
    assert len(pids) >= 3, "each that died was followed by another"
    for name in ("4", "9"):
        first, second = (there / name).read_text().split()
        assert first != second


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_piece_at_which_processes_die_is_given_up_and_the_others_go_on(tmp_path: Path) -> None:
    found = list(Cores(2, again=1).run(task(tmp_path, deadly=[4]), NUMBERS))
    lost = [each for each in found if each.lost]
    assert [each.place for each in lost] == [2]
    assert "2 processes ended" in lost[0].problem
    assert "SIGKILL" in lost[0].problem
    assert tries(tmp_path)["4"] == 2
    assert len(found) == len(NUMBERS)


def test_what_is_wrong_with_all_of_it_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="what is shared is 'wrong'"):
        list(Cores(2).run(task(tmp_path, refused=True), NUMBERS))
    with pytest.raises(InvalidArguments, match="1 to 256"):
        pieces_on(0)
    with pytest.raises(InvalidArguments, match="one of them"):
        pieces_on(2, "tcp://127.0.0.1:1")
    assert pieces_on(1) == Here()
    assert pieces_on(None) == (Here() if cores() == 1 else Cores(cores()))


def test_whoever_closes_it_ends_its_processes(tmp_path: Path) -> None:
    steps = Cores(2).run(task(tmp_path), NUMBERS)
    next(steps)
    jobs = list(getlocals(steps)["run"]._jobs.values())
    assert jobs
    steps.close()
    assert all(job.wait(0.0) for job in jobs)
    assert {job.state for job in jobs} == {"cancelled"}


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
def test_a_process_of_its_own_does_pieces_and_is_followed_by_another(tmp_path: Path) -> None:
    process = OwnProcess(task(tmp_path, killed=[4]))
    first = process.process_id
    assert [process(3), process(4)] == [9, 16]
    assert process.process_id != first
    with pytest.raises(EngineError, match="a number is -1"):
        process(-1)
    with pytest.raises(EngineError, match="what is shared is 'wrong'"):
        OwnProcess(task(tmp_path, refused=True))
