"""Who has a project open."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from engine.project.claim import Busy, FileClaim, claim, own_claim
from engine.project.locking import is_alive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "scene.sinew"


def lock_of(path: Path) -> Path:
    return path.with_name(".scene.sinew.lock")


def left(path: Path, **said: object) -> None:
    """A lock that somebody left."""
    plain = {"host": socket.gethostname(), "process": os.getpid(), "since": "2026-01-01T10:00:00+00:00"} | said
    lock_of(path).write_text(json.dumps(plain))


def test_a_second_opener_is_told_who_and_since_when(path: Path) -> None:
    first = claim(path)
    assert isinstance(first, FileClaim)
    second = claim(path)
    assert isinstance(second, Busy)
    assert second.who == "another window of Sinew"
    assert second.since.startswith("20")
    first.release()
    assert list(path.parent.iterdir()) == []
    assert isinstance(claim(path), FileClaim)


def test_a_link_and_its_file_are_one(path: Path) -> None:
    path.touch()
    link = path.with_name("link.sinew")
    link.symlink_to(path)
    assert isinstance(claim(link), FileClaim)
    assert isinstance(claim(path), Busy)


def test_what_a_dead_process_left_is_taken_over(path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left(path, process=gone.pid)
    assert isinstance(claim(path), FileClaim)
    assert [each.name for each in path.parent.iterdir()] == [".scene.sinew.lock"]


def test_another_machine_is_believed(path: Path) -> None:
    left(path, host="studio", process=1)
    assert claim(path) == Busy("Sinew on studio", "2026-01-01T10:00:00+00:00")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"host": 1}', '{"host": "a", "process": "x", "since": 1}', "[" * 4000]
)
def test_what_nobody_wrote_is_taken_over(path: Path, text: str) -> None:
    lock_of(path).write_text(text)
    assert isinstance(claim(path), FileClaim)


def test_a_lock_that_another_has_taken_over_is_not_released(path: Path) -> None:
    first = claim(path)
    assert isinstance(first, FileClaim)
    left(path, host="studio")
    first.release()
    assert lock_of(path).exists()


def test_where_nothing_can_be_written_only_we_know(tmp_path: Path) -> None:
    found = claim(tmp_path / "gone" / "scene.sinew")
    assert isinstance(found, FileClaim)
    assert found.lock is None
    found.release()


def test_processes_that_cannot_be_are_not_alive() -> None:
    assert is_alive(os.getpid())
    assert not any(is_alive(each) for each in (-1, 0, 2**40))


def test_a_process_knows_its_own_claim(path: Path) -> None:
    assert own_claim(path) is None
    first = claim(path)
    assert own_claim(path) == first
    left(path, process=os.getppid())
    assert own_claim(path) is None
    lock_of(path).write_text("{")
    assert own_claim(path) is None
