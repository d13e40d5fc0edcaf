"""Parts of a video: in their order whoever draws, kept until it is whole, never of another one; with a cluster too."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import cast

import pytest

from app.shell.kept_parts import KeptParts, key_of, packed
from app.shell.render_parts import drawn_in_parts
from engine.formats import sinew
from engine.long.pieces import Doing, Done, Task
from engine.project import disk
from engine.runtime.child import Json
from engine.runtime.errors import EngineError, UnwritableFile
from tests.app.export.films import waving
from tests.engine.long.test_cluster import WITHOUT, cluster

BLOCKS = [(0, 2), (2, 4), (4, 5)]
FRAMES = [bytes([number] * 8) for number in range(5)]
HOW = ("--size", "160x120", "--rate", "20", "--samples", "2", "--range", "0:1.5", "--quantity", "human.pelvis.turn")


class Drawer:
    """Draws the last blocks first, until one cannot be drawn."""

    def __init__(self, fails_at: int | None = None, name: str = "one") -> None:
        self.fails_at, self.name = fails_at, name
        self.asked = list[Json]()

    def run(self, task: Task, pieces: Sequence[Json]) -> Doing:
        self.asked = list(pieces)
        for place, piece in reversed(list(enumerate(pieces))):
            first, end = cast(list[int], piece)
            if first == self.fails_at:
                yield Done(place, problem="no room")
            else:
                yield Done(place, packed(FRAMES[first:end], self.name))


def kept(tmp_path: Path, *, key: str = "a", replace: bool = False) -> KeptParts:
    parts = KeptParts(tmp_path / "wave.mp4", key, BLOCKS, 8)
    parts.begin(replace=replace)
    return parts


def drawn(drawer: Drawer, parts: KeptParts) -> list[bytes]:
    return [bytes(each) for each in drawn_in_parts(drawer, None, BLOCKS, parts)]


def test_frames_come_in_their_order_and_what_was_drawn_is_not_drawn_again(tmp_path: Path) -> None:
    parts = kept(tmp_path)
    with pytest.raises(EngineError, match=r"^frames 1 to 2 are missing: no room$"):
        drawn(Drawer(fails_at=0), parts)
    assert parts.text == "3 of 5 frames, in wave.mp4.parts"
    again, drawer = kept(tmp_path), Drawer()
    assert drawn(drawer, again) == FRAMES
    assert drawer.asked == [[0, 2]]
    (again.folder / "of somebody else").touch()
    again.remove()
    assert [each.name for each in again.folder.iterdir()] == ["of somebody else"]


def test_parts_of_another_video_are_refused_and_damaged_ones_drawn_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn(Drawer(), kept(tmp_path))
    with pytest.raises(UnwritableFile, match="frames of another video, scene or version"):
        kept(tmp_path, key="b")
    path = tmp_path / "wave.mp4.parts" / "000003.frames"
    path.write_bytes(path.read_bytes()[:-1])
    again, drawer = kept(tmp_path), Drawer(name="two")
    assert drawn(drawer, again) == FRAMES
    assert drawer.asked == [[2, 4]]
    assert capsys.readouterr().err == "note: frames 3 to 4 were drawn by two, others by one\n"
    assert kept(tmp_path, key="b", replace=True).text == ""
    assert not list((tmp_path / "wave.mp4.parts").iterdir())
    one, other = ({"samples": each, "camera": "front"} for each in (1, 2))
    assert key_of("d", (4, 4), one) == key_of("d", (4, 4), dict(reversed(one.items()))) != key_of("d", (4, 4), other)


def test_a_full_disk_is_a_sentence_and_what_was_drawn_stays(tmp_path: Path) -> None:
    class FullDisk(disk.Disk):
        def write(self, path: Path, data: bytes) -> None:
            if b'"frames": [2, 4]' in data:
                raise OSError(errno.ENOSPC, "No space left on device")
            super().write(path, data)

    parts, before = kept(tmp_path), disk.put(FullDisk())
    try:
        with pytest.raises(UnwritableFile, match="the disk is full"):
            drawn(Drawer(), parts)
    finally:
        disk.put(before)
    assert kept(tmp_path).there == {2}
    assert not list(parts.folder.glob(".*")), "nothing half written"


def started(project: Path, out: Path, *more: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app", "render", str(project), "--out", str(out), *HOW, *more]
    return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def ended(process: subprocess.Popen[str]) -> tuple[int, list[str]]:
    _, said = process.communicate(timeout=280.0)
    return process.returncode, [each for each in said.splitlines() if not each.startswith("rendering: ")]


def when_kept(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Wait until so many parts are there."""
    began, folder = monotonic(), out.with_name(f"{out.name}.parts")
    while len(list(folder.glob("*.frames"))) < count:
        assert process.poll() is None, process.communicate()
        assert monotonic() - began < 200.0
        with suppress(subprocess.TimeoutExpired):
            process.wait(0.05)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes]:
    """A project, and its video as one process draws it."""
    folder = tmp_path_factory.mktemp("parts")
    project, out = folder / "waving.sinew", folder / "alone.mp4"
    sinew.write(project, waving())
    assert ended(started(project, out)) == (0, [])
    return project, out.read_bytes()


@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_render_that_is_killed_or_interrupted_goes_on_and_gives_the_same_bytes(
    film: tuple[Path, bytes], tmp_path: Path
) -> None:
    project, alone = film
    out = tmp_path / "wave.mp4"
    first = started(project, out, "--parts")
    when_kept(out, 1, first)
    first.kill()
    first.communicate()
    there = {each: each.stat().st_mtime_ns for each in tmp_path.glob("*.parts/*")}
    second = started(project, out, "--parts")
    when_kept(out, len(there) + 1, second)
    second.send_signal(signal.SIGINT)
    code, said = ended(second)
    assert code == 130
    assert len(said) == 1
    assert said[0].startswith("what is drawn is kept, run it again to go on (")
    assert {each: each.stat().st_mtime_ns for each in there} == there
    other = ended(started(project, out, "--parts", "--title", "another"))
    assert other[0] == 1
    assert "frames of another video" in other[1][0]
    assert ended(started(project, out, "--parts", "--workers", "2")) == (0, [])
    assert out.read_bytes() == alone
    assert list(tmp_path.iterdir()) == [out]


@WITHOUT
@pytest.mark.deep
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_cluster_draws_the_same_bytes_though_two_workers_are_killed(film: tuple[Path, bytes], tmp_path: Path) -> None:
    project, alone = film
    out = tmp_path / "wave.mp4"
    with cluster({}, {}, {}) as (address, _, workers):
        process = started(project, out, "--scheduler", address)
        for count in (1, 3):
            when_kept(out, count, process)
            workers[count // 2].send_signal(signal.SIGKILL)
        assert ended(process) == (0, [])
        assert [each.poll() is None for each in workers] == [False, False, True]
        workers[2].terminate()
        assert workers[2].wait(300.0) == 0, "a worker that has drawn ends as any other"
    assert out.read_bytes() == alone
    assert list(tmp_path.iterdir()) == [out]


@WITHOUT
@pytest.mark.deep
def test_a_scheduler_that_goes_away_keeps_what_is_drawn(film: tuple[Path, bytes], tmp_path: Path) -> None:
    project, alone = film
    out = tmp_path / "wave.mp4"
    with cluster({}) as (address, scheduler, _):
        process = started(project, out, "--scheduler", address)
        when_kept(out, 1, process)
        scheduler.kill()
        code, said = ended(process)
    assert code == 1
    assert len(said) == 1
    assert "it has gone away. What was done is kept: run it again where one runs (" in said[0]
    assert ended(started(project, out, "--parts")) == (0, [])
    assert out.read_bytes() == alone
