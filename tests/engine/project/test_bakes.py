"""Bakes: frames that were appended are read back or are missing; nothing that happens to a file is an error."""

from __future__ import annotations

import os
import random
import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.project import bakes, disk
from engine.project.bakes import BakeFile, bakes_in, beside, folders_of, head_of, prune, remove_bakes, writing
from engine.project.disk import Disk
from engine.runtime.errors import UnwritableFile

DIGEST = "ab" * 32
INPUTS = b"what the frames are made of"
SIZE = 80
RECORD = 32 + SIZE
HEAD = len(head_of(DIGEST, INPUTS, SIZE))


def frame(time: int) -> bytes:
    return random.Random(time).randbytes(SIZE)


def write(folder: Path, times: range, digest: str = DIGEST) -> Path:
    with writing([folder], digest, INPUTS, SIZE) as writer:
        for time in times:
            if time not in writer.file.times:
                writer.append(time, frame(time))
        return writer.file.path


def read(path: Path) -> dict[int, bytes] | None:
    """All sound frames; None where the file is no bake."""
    file = BakeFile.open(path)
    if file is None:
        return None
    for _ in file.look():
        pass
    found = {time: file.read(time) for time in list(file.times)}
    file.close()
    return {time: each for time, each in found.items() if each is not None}


def frames(times: range) -> dict[int, bytes]:
    return {time: frame(time) for time in times}


@pytest.fixture
def restored() -> Iterator[None]:
    before = disk.present()
    yield
    disk.put(before)


def test_frames_come_back_as_they_were(tmp_path: Path) -> None:
    path = write(tmp_path / "one.bakes", range(-5, 40))
    assert read(path) == frames(range(-5, 40))
    assert path.stat().st_size == HEAD + 45 * RECORD
    assert bakes_in(path.parent) == [path]


def test_a_reader_finds_what_is_appended_while_it_reads(tmp_path: Path) -> None:
    path = write(tmp_path, range(3))
    file = BakeFile.open(path)
    assert file is not None
    assert [*file.look()] == [None]
    write(tmp_path, range(6))
    assert file.read(5) is None
    assert [*file.look()] == [None]
    assert file.read(5) == frame(5)
    file.close()


def test_what_is_torn_off_at_any_byte_is_missing_and_made_again(tmp_path: Path) -> None:
    path = write(tmp_path, range(4))
    whole = path.read_bytes()
    for end in range(HEAD, len(whole), 7):
        path.write_bytes(whole[:end])
        there = (end - HEAD) // RECORD
        assert read(path) == frames(range(there))
        write(tmp_path, range(4))
        assert path.read_bytes() == whole, "the torn record was cut off first"


def test_a_file_cut_off_in_its_head_is_no_bake_and_is_written_anew(tmp_path: Path) -> None:
    path = write(tmp_path, range(4))
    whole = path.read_bytes()
    for end in range(0, HEAD, 3):
        path.write_bytes(whole[:end])
        assert read(path) is None
        write(tmp_path, range(4))
        assert path.read_bytes() == whole


def test_a_flipped_byte_costs_its_frame_alone_and_that_is_made_again(tmp_path: Path) -> None:
    path = write(tmp_path, range(6))
    whole = path.read_bytes()
    for place in range(0, len(whole), 5):
        damaged = bytearray(whole)
        damaged[place] ^= 0x40
        path.write_bytes(damaged)
        expected = frames(range(6))
        if place < HEAD:
            assert read(path) is None
        else:
            expected.pop((place - HEAD) // RECORD)
            assert read(path) == expected
        write(tmp_path, range(6))
        assert read(path) == frames(range(6))


def test_frames_of_another_bake_are_none_of_this_one(tmp_path: Path) -> None:
    path, other = write(tmp_path, range(4)), write(tmp_path, range(4, 8), digest="cd" * 32)
    path.write_bytes(path.read_bytes() + other.read_bytes()[HEAD:])
    assert read(path) == frames(range(4))
    other.replace(tmp_path / f"{'ef' * 32}.bake")
    assert read(tmp_path / f"{'ef' * 32}.bake") is None, "its name is not the one in its head"


@pytest.mark.parametrize("content", [b"", b"SINEWBK1", b"SINEWBK1" + b"\xff" * 64, b"PK\3\4 and more" * 40])
def test_other_files_are_no_bakes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / f"{DIGEST}.bake"
    path.write_bytes(content)
    assert read(path) is None
    assert read(tmp_path / "missing.bake") is None
    (tmp_path / f"{'cd' * 32}.bake").mkdir()
    assert read(tmp_path / f"{'cd' * 32}.bake") is None


def test_a_head_that_inflates_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"{DIGEST}.bake"
    path.write_bytes(head_of(DIGEST, bytes(100_000), SIZE))
    assert read(path) == {}
    monkeypatch.setattr(bakes, "LONGEST_TEXT", 50_000)
    assert read(path) is None


def test_two_writers_do_not_harm_each_other(tmp_path: Path) -> None:
    with (
        writing([tmp_path], DIGEST, INPUTS, SIZE) as one,
        writing([tmp_path], DIGEST, INPUTS, SIZE) as other,
    ):
        for time in range(20):
            (one if time % 3 else other).append(time, frame(time))
            (other if time % 2 else one).append(time, frame(time))
            if time % 4 == 0:
                one.write()
                other.write(sync=False)
        path = one.file.path
        assert other.file.path == path
    assert read(path) == frames(range(20))
    assert bakes_in(tmp_path) == [path]


def test_a_writer_that_cuts_off_what_another_is_writing_costs_frames_and_nothing_more(tmp_path: Path) -> None:
    path = write(tmp_path, range(3))
    with path.open("ab") as half:
        half.write(bakes._record(bytes.fromhex(DIGEST), 3, frame(3))[:50])
        half.flush()
        write(tmp_path, range(5))
        half.write(bakes._record(bytes.fromhex(DIGEST), 3, frame(3))[50:])
    assert read(path) == frames(range(5))
    write(tmp_path, range(9))
    assert read(path) == frames(range(9))


def test_bakes_that_were_not_used_for_the_longest_go_first_and_open_ones_stay(tmp_path: Path) -> None:
    paths = [write(tmp_path, range(4), digest=f"{number:064x}") for number in range(5)]
    for number, path in enumerate(paths):
        os.utime(path, (1000.0 + number, 1000.0 + number))
    read_now = BakeFile.open(paths[0])
    assert read_now is not None
    size = paths[0].stat().st_size
    prune(tmp_path, 3 * size)
    assert set(bakes_in(tmp_path)) == {paths[0], paths[4], paths[3], paths[2]}, "the oldest is open, the next went"
    read_now.use()
    read_now.close()
    prune(tmp_path, 2 * size)
    assert set(bakes_in(tmp_path)) == {paths[0], paths[4]}
    prune(tmp_path, 0)
    assert bakes_in(tmp_path) == []


def test_what_a_killed_program_has_left_goes_with_time_and_other_files_stay(tmp_path: Path) -> None:
    draft, notes = tmp_path / f".{DIGEST}.bake.1-x.part", tmp_path / "notes.txt"
    for each in (draft, notes):
        each.write_bytes(b"x")
    prune(tmp_path, 0)
    assert draft.exists()
    os.utime(draft, (0.0, 0.0))
    prune(tmp_path, 0)
    assert not draft.exists()
    assert notes.exists()
    assert remove_bakes(tmp_path) == 0
    assert notes.exists(), "and with it the folder"


def test_all_bakes_of_a_folder_are_removed_and_it_with_them(tmp_path: Path) -> None:
    folder = tmp_path / "one.bakes"
    write(folder, range(2))
    write(folder, range(2), digest="cd" * 32)
    assert remove_bakes(folder) == 2
    assert not folder.exists()


def test_bakes_lie_beside_the_project_or_in_the_cache(tmp_path: Path) -> None:
    project, cache = tmp_path / "walk.sinew", tmp_path / "cache"
    assert beside(project) == tmp_path / "walk.bakes"
    assert folders_of(project, cache) == (tmp_path / "walk.bakes", cache / "bakes")
    assert folders_of(None, cache) == (cache / "bakes",)
    assert folders_of(project, None) == (tmp_path / "walk.bakes",)


def test_where_the_first_folder_cannot_be_made_the_next_one_is_taken(tmp_path: Path) -> None:
    (tmp_path / "walk.bakes").write_text("somebody's file")
    with writing([tmp_path / "walk.bakes", tmp_path / "cache"], DIGEST, INPUTS, SIZE) as writer:
        writer.append(0, frame(0))
    assert writer.file.path.parent == tmp_path / "cache"
    assert read(writer.file.path) == frames(range(1))


class Full(Disk):
    """Takes so many bytes of frames and no more."""

    left = 2 * RECORD + 30

    def append(self, path: Path, data: bytes) -> None:
        taken, self.left = data[: self.left], max(self.left - len(data), 0)
        super().append(path, taken)
        if len(taken) < len(data):
            raise OSError(28, "No space left on device")


def test_a_full_disk_is_named_and_what_is_whole_stays(tmp_path: Path, restored: None) -> None:
    before = disk.put(Full())
    with pytest.raises(UnwritableFile, match=r"the disk is full .* Make some room"):
        write(tmp_path, range(9))
    disk.put(before)
    assert read(tmp_path / f"{DIGEST}.bake") == frames(range(2))
    write(tmp_path, range(9))
    assert read(tmp_path / f"{DIGEST}.bake") == frames(range(9))


def test_no_folder_at_all_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(UnwritableFile, match="save the project where you may write"),
        writing([tmp_path / "file" / "below"], DIGEST, INPUTS, SIZE),
    ):
        pass
    with pytest.raises(UnwritableFile, match="no folder"), writing([], DIGEST, INPUTS, SIZE):
        pass


@pytest.mark.parametrize("size", [0, 2**31])
def test_frames_of_absurd_sizes_are_refused(tmp_path: Path, size: int) -> None:
    with pytest.raises(UnwritableFile, match="can be baked"), writing([tmp_path], DIGEST, INPUTS, size):
        pass
    assert [*tmp_path.iterdir()] == []


def test_a_gigabyte_is_looked_through_in_small_steps_that_read_next_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    large = 2**20
    with writing([tmp_path], DIGEST, INPUTS, large) as writer:
        writer.append(0, bytes(large))
        path = writer.file.path
    os.truncate(path, 2**30)
    took: list[int] = []
    read_piece = BakeFile._read

    def counted(self: BakeFile, place: int, length: int) -> bytes:
        found = read_piece(self, place, length)
        took.append(len(found))
        return found

    monkeypatch.setattr(BakeFile, "_read", counted)
    file = BakeFile.open(path)
    assert file is not None
    assert took == []
    assert len([*file.look()]) == -(-1023 // 256)
    assert sum(took) == 1023 * 32
    assert list(file.times) == [0]
    monkeypatch.undo()
    file.close()
    os.truncate(path, HEAD + struct.calcsize("<IIq16s"))
    assert read(path) == {}
