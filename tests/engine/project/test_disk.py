"""Writing files: whole or not at all."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from engine.project import disk


class Broken(disk.Disk):
    """A disk on which one call fails."""

    def __init__(self, call: str) -> None:
        self.call = call

    def __getattribute__(self, name: str) -> object:
        if name == object.__getattribute__(self, "call"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return object.__getattribute__(self, name)


@pytest.mark.parametrize("call", ["make", "write", "sync", "replace"])
def test_a_write_that_fails_leaves_what_was_there(tmp_path: Path, call: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    before = disk.put(Broken(call))
    try:
        with pytest.raises(OSError, match="No space"):
            disk.write_beside(path, b"new")
    finally:
        disk.put(before)
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_check_that_fails_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(ZeroDivisionError):
        disk.write_beside(path, b"new", lambda draft: 1 // 0)  # type: ignore[arg-type]
    assert path.read_bytes() == b"old"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    disk.write_beside(path, b"first", lambda draft: None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_mask()
    path.chmod(0o600)
    disk.write_beside(path, lambda draft: disk.append(draft, b"second"))
    assert path.read_bytes() == b"second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]


def test_a_drive_that_lets_nobody_change_permissions_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "chmod", refusing)
    disk.write_beside(tmp_path / "file", b"content")
    assert (tmp_path / "file").read_bytes() == b"content"


def test_of_two_only_one_makes_a_new_file(tmp_path: Path) -> None:
    disk.write_new(tmp_path / "file", b"one")
    with pytest.raises(FileExistsError):
        disk.write_new(tmp_path / "file", b"two")
    assert (tmp_path / "file").read_bytes() == b"one"


def test_a_second_name_is_a_copy_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    disk.link(path, tmp_path / "linked")
    assert path.samefile(tmp_path / "linked")

    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", no_links)
    synced = list[Path]()
    monkeypatch.setattr(disk.Disk, "sync", lambda self, path: synced.append(path))
    disk.link(path, tmp_path / "copied")
    assert synced == [tmp_path / "copied"]
    assert (tmp_path / "copied").read_bytes() == b"content"
    assert not path.samefile(tmp_path / "copied")


def test_what_is_gone_can_be_removed_and_folders_synced(tmp_path: Path) -> None:
    disk.remove(tmp_path / "none")
    disk.write_new(tmp_path / "file", b"")
    disk.sync(tmp_path / "file")
    disk.sync_folder(tmp_path)
    disk.remove(tmp_path / "file")
    assert [*tmp_path.iterdir()] == []


def test_the_names_of_new_folders_reach_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = list[Path]()
    monkeypatch.setattr(disk.Disk, "sync_folder", lambda self, folder: synced.append(folder))
    disk.make_folder(tmp_path / "one" / "two")
    assert (tmp_path / "one" / "two").is_dir()
    assert set(synced) == {tmp_path, tmp_path / "one"}
    synced.clear()
    disk.make_folder(tmp_path / "one" / "two")
    assert synced == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (sqlite3.SQLITE_FULL, "the disk is full"),
        (sqlite3.SQLITE_READONLY, "you may not write there"),
        (sqlite3.SQLITE_IOERR_WRITE, "the disk does not answer"),
        (sqlite3.SQLITE_BUSY, "another program is writing it"),
        (sqlite3.SQLITE_CANTOPEN, "you may not write there"),
        (sqlite3.SQLITE_MISUSE, "what SQLite said"),
    ],
)
def test_what_sqlite_refuses_is_told_as_the_disk_is(tmp_path: Path, code: int, words: str) -> None:
    error = sqlite3.OperationalError("what SQLite said")
    error.sqlite_errorcode = code
    said = str(disk.unwritable(tmp_path / "file", error))
    assert words in said
    assert "what SQLite said" in said
    assert "still open here" in said or "still open." in said


def test_a_folder_that_is_not_there_is_told_from_one_that_is_forbidden(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("unable to open database file")
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    assert "there is no such folder" in str(disk.unwritable(tmp_path / "gone" / "file", error))


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
