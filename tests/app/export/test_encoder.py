"""The encoder: what it writes, read back by another program; and that it leaves nothing when it cannot."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from imageio_ffmpeg import get_ffmpeg_exe
from PySide6.QtGui import QImage

from app.export import encoder as encoding
from app.export.command import command
from app.export.encoder import Encoder
from app.export.plan import Plan
from engine.document import Document
from engine.project import disk
from engine.project.own_folder import HOST
from tests.app.export.films import SECOND, plan_for, read
from tests.beeps import beeping

PATIENCE = 240.0  # [s]


def frame_of(plan: Plan, number: int) -> bytes:
    """A frame of one colour, brighter with its number, its upper half green."""
    width, height = plan.frame_size
    pixels = np.zeros((height, width, 4), dtype=np.uint8)
    pixels[..., 0], pixels[..., 3] = 20 + 20 * number, 255
    pixels[height // 2 :, :, 1] = 200  # row 0 is the lowest
    return pixels.tobytes()


def encode(plan: Plan) -> Encoder:
    """All frames of a plan."""
    encoder = Encoder(plan)
    for number in range(plan.count):
        if not encoder.wait_for_room():
            break
        encoder.put(frame_of(plan, number))
    encoder.finish()
    assert encoder.wait(PATIENCE)
    return encoder


def left_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


@pytest.mark.parametrize(
    ("name", "codec", "decoder"),
    [
        ("a.mp4", "h264", "h264"),
        ("a.webm", "vp9", "vp9"),
        ("a.mp4", "vp9", "vp9"),
        ("a.mp4", "av1", "av1"),
        ("a.webm", "av1", "av1"),
        ("a.gif", "gif", "gif"),
    ],
)
def test_a_film_has_its_size_rate_and_frames_the_right_way_up(
    name: str, codec: Any, decoder: str, tmp_path: Path
) -> None:
    plan = plan_for(tmp_path / name, Document(), codec=codec)
    encoder = encode(plan)
    assert (encoder.state, encoder.problem, encoder.files) == ("done", "", (plan.out,))
    assert left_in(tmp_path) == [name]
    found = read(plan.out)
    assert (found.size, found.rate, len(found.frames)) == ((160, 120), 10.0, 11)
    assert decoder in found.codec
    assert found.heard is None
    reds = [int(frame[110, 80, 0]) for frame in found.frames]
    assert all(abs(red - (20 + 20 * number)) <= 12 for number, red in enumerate(reds)), reds
    assert abs(int(found.frames[3][10, 80, 1]) - 200) <= 12, "green is above"
    assert int(found.frames[3][110, 80, 1]) <= 12


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "h264"), ("a.webm", "vp9")])
def test_the_sound_is_heard_at_its_time(name: str, codec: Any, tmp_path: Path) -> None:
    document = Document(sound=beeping(0.3, start=SECOND // 2))
    plan = plan_for(tmp_path / name, document, codec=codec)
    assert encode(plan).state == "done"
    heard = read(plan.out).heard
    assert heard is not None
    loud = np.flatnonzero(np.abs(heard) > 0.1) / 48_000
    assert 0.45 < loud[0] < 0.55
    assert 0.75 < loud[-1] < 0.85


def test_a_sound_that_is_no_sound_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    from dataclasses import replace

    from engine.document import Blob

    sound = replace(beeping(0.1), data=Blob(np.frombuffer(b"no sound at all", dtype=np.uint8)))
    encoder = encode(plan_for(tmp_path / "a.mp4", Document(sound=sound)))
    assert encoder.state == "failed"
    assert "its sound cannot be decoded" in encoder.problem
    assert "Export it without sound" in encoder.problem
    assert left_in(tmp_path) == []


def test_frames_are_numbered_files_and_one_alone_has_the_name(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "a 50%.png", Document(), codec="png", end=2 * SECOND // 10)
    encoder = encode(plan)
    assert (encoder.state, encoder.problem) == ("done", "")
    assert left_in(tmp_path) == ["a 50%_0001.png", "a 50%_0002.png", "a 50%_0003.png"]
    alone = plan_for(tmp_path / "alone.png", Document(), codec="png", end=0)
    assert encode(alone).files == (tmp_path / "alone.png",)


def test_a_transparent_frame_keeps_its_colours(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "a.png", Document(), codec="png", end=0, background="transparent", size=(8, 6))
    encoder = Encoder(plan)
    encoder.put(bytes((199, 100, 0, 128)) * 48)
    encoder.finish()
    assert encoder.wait(PATIENCE)
    assert QImage(str(plan.out)).pixelColor(3, 3).getRgb() == (199, 100, 0, 128)


def test_what_stood_there_is_replaced_only_by_what_is_whole(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "a.mp4", Document())
    plan.out.write_bytes(b"before")
    encoder = Encoder(plan)
    encoder.put(frame_of(plan, 0))
    encoder.cancel()
    assert encoder.wait(PATIENCE)
    assert (encoder.state, plan.out.read_bytes()) == ("cancelled", b"before")
    assert left_in(tmp_path) == ["a.mp4"]
    assert encode(plan).state == "done"
    assert len(read(plan.out).frames) == 11


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_killed_encoder_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "a.mp4", Document())
    encoder = Encoder(plan)
    for number in range(3):
        encoder.put(frame_of(plan, number))
    while encoder.written < 3:
        encoder.wait(0.01)
    assert encoder.process_id is not None
    os.kill(encoder.process_id, signal.SIGKILL)
    for number in range(3, plan.count):
        encoder.put(frame_of(plan, number))
    encoder.finish()
    assert encoder.wait(PATIENCE)
    assert encoder.state == "failed"
    assert "a.mp4: the encoder was ended by SIGKILL at frame" in encoder.problem
    assert left_in(tmp_path) == []


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    encoder = encode(plan_for(tmp_path / "none" / "a.mp4", Document()))
    assert encoder.state == "failed"
    assert "there is no such folder" in encoder.problem
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "h264"), ("a.png", "png")])
def test_a_folder_that_vanishes_midway_is_named(name: str, codec: Any, tmp_path: Path) -> None:
    import shutil

    folder = tmp_path / "films"
    folder.mkdir()
    plan = plan_for(folder / name, Document(), codec=codec)
    encoder = Encoder(plan)
    encoder.put(frame_of(plan, 0))
    while encoder.written < 1:
        encoder.wait(0.01)
    shutil.rmtree(folder)
    for number in range(1, plan.count):
        if encoder.wait_for_room():
            encoder.put(frame_of(plan, number))
    encoder.finish()
    assert encoder.wait(PATIENCE)
    assert encoder.state == "failed"
    assert "there is no such folder" in encoder.problem
    assert not folder.exists()


class FullDisk(disk.Disk):
    """One on which nothing more can be kept."""

    def sync(self, path: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full_disk() -> Iterator[None]:
    before = disk.put(FullDisk())
    yield
    disk.put(before)


def test_a_full_disk_is_named_and_nothing_is_left(full_disk: None, tmp_path: Path) -> None:
    encoder = encode(plan_for(tmp_path / "a.mp4", Document()))
    assert encoder.state == "failed"
    assert "the disk is full" in encoder.problem
    assert left_in(tmp_path) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_encoder_whose_disk_is_full_is_understood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def onto_full_disk(plan: Plan) -> list[str]:
        return [*command(plan)[:-1], "-f", "matroska", "/dev/full"]

    monkeypatch.setattr(encoding, "command", onto_full_disk)
    encoder = encode(plan_for(tmp_path / "a.mp4", Document(), size=(640, 480)))
    assert encoder.state == "failed"
    assert "the disk is full" in encoder.problem


def test_an_older_ffmpeg_makes_av1_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packages carry one without SVT-AV1, as `-encoders` tells."""
    older = tmp_path / "ffmpeg"
    older.write_text(f'#!/bin/sh\n{get_ffmpeg_exe()} "$@" | grep -v svt\n', encoding="utf-8")
    older.chmod(0o755)
    plan = plan_for(tmp_path / "a.mp4", Document(), codec="av1")
    assert "libsvtav1" in command(plan)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(older))
    assert "libaom-av1" in command(plan)
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "none"))
    assert "libsvtav1" in command(plan), "who starts it says what is wrong"


def test_an_encoder_that_refuses_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "command", lambda plan: [*command(plan)[:-1], "-c:v", "nonsense", "film.mp4"])
    encoder = encode(plan_for(tmp_path / "a.mp4", Document()))
    assert encoder.state == "failed"
    assert "nonsense" in encoder.problem
    assert left_in(tmp_path) == []


def test_an_encoder_that_is_not_there_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    encoder = encode(plan_for(tmp_path / "a.mp4", Document()))
    assert encoder.state == "failed"
    assert "Install the package imageio-ffmpeg" in encoder.problem
    assert left_in(tmp_path) == []


def test_whatever_else_happens_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(plan: Plan) -> list[str]:
        raise ValueError("odd")

    monkeypatch.setattr(encoding, "command", odd)
    encoder = encode(plan_for(tmp_path / "a.mp4", Document()))
    assert (encoder.state, encoder.problem) == ("failed", f"cannot write {tmp_path / 'a.mp4'}: ValueError: odd")
    assert left_in(tmp_path) == []


class Watched(disk.Disk):
    """One that tells of each file before it is kept, and takes so many names."""

    def __init__(self, names: int = 100) -> None:
        self.synced, self.names = 0, names
        self.encoder: Encoder | None = None

    def sync(self, path: Path) -> None:
        self.synced += 1
        if self.encoder is not None:
            self.encoder.cancel()

    def replace(self, source: Path, target: Path) -> None:
        self.names -= 1
        if self.names < 0:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        super().replace(source, target)


@pytest.fixture
def watched() -> Iterator[Watched]:
    found = Watched()
    before = disk.put(found)
    yield found
    disk.put(before)


def test_cancelled_while_frames_are_kept_it_ends_at_the_next_one(watched: Watched, tmp_path: Path) -> None:
    plan = plan_for(tmp_path / "a.png", Document(), codec="png")
    watched.encoder = Encoder(plan)
    for number in range(plan.count):
        assert watched.encoder.wait_for_room()
        watched.encoder.put(frame_of(plan, number))
    watched.encoder.finish()
    assert watched.encoder.wait(PATIENCE)
    assert (watched.encoder.state, watched.synced) == ("cancelled", 1)
    assert left_in(tmp_path) == []


def test_it_says_how_many_frames_got_their_names_before_one_could_not(watched: Watched, tmp_path: Path) -> None:
    watched.names = 2
    encoder = encode(plan_for(tmp_path / "a.png", Document(), codec="png"))
    assert encoder.state == "failed"
    assert "a_0003.png: you may not write there" in encoder.problem
    assert encoder.problem.endswith("2 of 11 pictures had their names by then")
    assert left_in(tmp_path) == ["a_0001.png", "a_0002.png"]


@pytest.mark.skipif(sys.platform == "win32", reason="asks whether a process lives")
def test_what_a_killed_process_left_goes_with_the_next_export(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    left, alive = (f".a.mp4.{HOST}.{each}.x1.part" for each in (process.pid, os.getpid()))
    elsewhere, other = f".a.mp4.another-{HOST}.{process.pid}.x1.part", ".notes.part"
    for each in (left, alive, elsewhere, other):
        (tmp_path / each).mkdir()
    assert encode(plan_for(tmp_path / "b.mp4", Document())).state == "done"
    assert left_in(tmp_path) == sorted([alive, elsewhere, other, "b.mp4"]), "another computer's may still run"
