"""Names of files: long ones, rings of links, null characters, and what killed writers leave."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engine.commands.bring_in import read_contents
from engine.formats.table import readers
from engine.formats.text import write_text
from engine.project import disk, runs
from engine.project.claim import FileClaim, claim
from engine.project.save import open_project, save_project
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.project.test_save import past_of

GONE = 2**22 + 1  # no process has that number


@pytest.mark.parametrize("length", [200, 236, 245, 255])
def test_a_name_as_long_as_any_may_be_is_saved_opened_and_saved_again(tmp_path: Path, length: int) -> None:
    path = tmp_path / f"{'ü' * ((length - 6) // 2)}{'x' * (length % 2)}.sinew"
    assert len(os.fsencode(path.name)) == length
    for count in (2, 3):
        past = past_of(count)
        save_project(path, past.document, past)
        assert open_project(path).document == past.document
    assert isinstance(claim(path), FileClaim)
    write_text(path.with_suffix(".bvh"), "text")


@pytest.mark.skipif(os.name != "posix", reason="links there need rights")
def test_a_ring_of_links_is_named_by_all_that_read_or_write(tmp_path: Path) -> None:
    for suffix in (".sinew", *(each.suffixes[0] for each in readers())):
        path, other = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}"
        if not path.is_symlink():
            path.symlink_to(other)
            other.symlink_to(path)
        with pytest.raises(UnreadableFile) as caught:
            read_contents(path)
        assert "not sound" not in caught.value.found
    with pytest.raises(UnwritableFile):
        save_project(tmp_path / "a.sinew", past_of(1).document)
    assert claim(tmp_path / "a.sinew").lock is None  # type: ignore[union-attr]


def test_a_null_character_in_a_name_is_named_by_all_that_read_or_write(tmp_path: Path) -> None:
    for suffix in (".sinew", *(each.suffixes[0] for each in readers())):
        with pytest.raises(UnreadableFile) as caught:
            read_contents(tmp_path / f"a\0{suffix}")
        assert "not sound" not in caught.value.found
        assert "damaged" not in caught.value.found
    with pytest.raises(UnwritableFile):
        save_project(tmp_path / "a\0.sinew", past_of(1).document)
    with pytest.raises(UnwritableFile):
        write_text(tmp_path / "a\0.bvh", "text")


@pytest.mark.parametrize("in_place", [False, True])
def test_what_killed_writers_left_in_a_folder_goes_with_the_next_write_there(tmp_path: Path, in_place: bool) -> None:
    past = past_of(2)
    if in_place:
        save_project(tmp_path / "scene.sinew", past.document, past)
    left = [f".scene.sinew.{GONE}-abcdefgh.part", f".other.sinew.{GONE}-former.part", f".a.b.bvh.{GONE}-a_c1efgh.part"]
    stay = [f".notes.{GONE}-x.part", "a.part", f".a.bvh.{os.getpid()}-abcdefgh.part", f".new.bvh.{GONE}-abcdefgh.part"]
    for name in (*left, *stay):
        (tmp_path / name).write_bytes(b"")
        if not name.startswith(".new"):
            os.utime(tmp_path / name, (time.time() - 600.0,) * 2)
    save_project(tmp_path / "scene.sinew", past_of(3).document, past_of(3))
    assert {each.name for each in tmp_path.iterdir()} == {"scene.sinew", *stay}


def test_a_run_that_was_killed_in_the_middle_of_a_picture_leaves_no_folder(tmp_path: Path) -> None:
    run, handle = runs.make_run(tmp_path)
    (run / f".1.png.{GONE}-abcdefgh{disk.PART}").write_bytes(b"")
    runs.release(run, handle)
    runs.tidy(run)
    assert not run.exists()
