"""Saves that cannot harm."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from engine.document import Document
from engine.project import disk
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import UnwritableFile
from tests.engine.figures import scene
from tests.engine.project.test_store import renamed, whole


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "scene.sinew"
    save_project(path, scene())
    return path


def past_of(count: int) -> Past:
    """The undo list of so many renamings."""
    entries = [PastEntry("New", None, scene())]
    entries += [PastEntry("Rename", each, document) for each, document in renamed(scene(), count)]
    return Past(tuple(entries), count)


class Failing(disk.Disk):
    """A disk on which one call does not work."""

    def __init__(self, call: str) -> None:
        self.call = call

    def __getattribute__(self, name: str) -> object:
        if name == object.__getattribute__(self, "call"):
            raise OSError(28, "No space left on device")
        return object.__getattribute__(self, name)


def test_each_part_is_stored_once(saved: Path) -> None:
    with Store.open(saved) as store:
        figures = [text for text in store.texts if text.startswith('{"type":"Figure"')]
    assert len(figures) == 3, "two actors share one"


@pytest.mark.parametrize("step", ["make", "sync", "replace"])
def test_a_save_that_fails_anywhere_leaves_the_old_file(saved: Path, step: str) -> None:
    before = saved.read_bytes()
    old = disk.put(Failing(step))
    try:
        with pytest.raises(UnwritableFile, match=r"the disk is full \(No space left"):
            save_project(saved, scene(4))
    finally:
        disk.put(old)
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_links_and_permissions_are_kept(saved: Path) -> None:
    saved.chmod(0o640)
    link = saved.with_name("link.sinew")
    link.symlink_to(saved)
    save_project(link, scene(4))
    assert link.is_symlink()
    assert open_project(saved).document == scene(4)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o640


def test_a_protected_file_is_opened_and_not_written(saved: Path) -> None:
    saved.chmod(0o440)
    before = saved.read_bytes()
    assert not open_project(saved).writable
    with pytest.raises(UnwritableFile, match="protected"):
        save_project(saved, scene(4))
    assert saved.read_bytes() == before


def test_a_save_of_the_same_project_adds_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    save_project(path, past_of(2).document, past_of(2))
    number = path.stat().st_ino
    save_project(path, past_of(5).document, past_of(5))
    assert path.stat().st_ino == number, "in place"
    assert list(tmp_path.iterdir()) == [path]
    with Store.open(path) as store:
        assert len(store.revisions) == 2
        assert whole(store.past()) == past_of(5)
        store.check()


def test_a_save_over_another_project_writes_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    save_project(path, scene(7))
    save_project(path, past_of(2).document, past_of(2))
    with Store.open(path) as store:
        assert store.revisions == (past_of(2).document.digest,)


def test_earlier_versions_are_numbered(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    for seed in range(5):
        save_project(path, scene(seed), earlier=2)
    names = {each.name: open_project(each).document for each in tmp_path.iterdir()}
    assert names == {"scene.sinew": scene(4), "scene.1.sinew": scene(3), "scene.2.sinew": scene(2)}


class Torn(disk.Disk):
    """A disk on which one name cannot be given."""

    def __init__(self, name: str) -> None:
        self.name = name

    def replace(self, source: Path, target: Path) -> None:
        if target.name == self.name:
            raise OSError(28, "No space left on device")
        super().replace(source, target)


def numbered(folder: Path) -> dict[str, Document]:
    return {each.name: open_project(each).document for each in folder.iterdir()}


def test_a_save_that_fails_at_the_end_keeps_every_earlier_version(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    for seed in range(3):
        save_project(path, scene(seed), earlier=2)
    before, old = numbered(tmp_path), disk.put(Torn(path.name))
    try:
        with pytest.raises(UnwritableFile, match="the disk is full"):
            save_project(path, scene(3), earlier=2)
    finally:
        disk.put(old)
    assert numbered(tmp_path) == before


def test_an_earlier_version_that_cannot_be_kept_is_told_and_the_save_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    save_project(path, scene(0), earlier=2)
    old = disk.put(Torn("scene.1.sinew"))
    try:
        (said,) = save_project(path, scene(1), earlier=2)
    finally:
        disk.put(old)
    assert "could not be kept" in said
    assert numbered(tmp_path) == {"scene.sinew": scene(1)}


@pytest.mark.parametrize("is_project", [True, False])
def test_numbered_files_that_a_person_has_put_there_are_left_out(tmp_path: Path, is_project: bool) -> None:
    path, mine = tmp_path / "scene.sinew", tmp_path / "scene.1.sinew"
    save_project(path, scene(0), earlier=2)
    save_project(mine, scene(9))
    mine.write_bytes(mine.read_bytes() if is_project else b"mine")
    for seed in (1, 2, 3):
        save_project(path, scene(seed), earlier=2)
    if not is_project:
        assert mine.read_bytes() == b"mine"
        save_project(mine, scene(9))
    assert numbered(tmp_path) == {
        "scene.sinew": scene(3),
        "scene.1.sinew": scene(9),
        "scene.2.sinew": scene(2),
        "scene.3.sinew": scene(1),
    }


def test_a_protected_folder_is_told_from_a_protected_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != saved.parent)
    assert "its folder is protected" in open_project(saved).notes[0]
    with pytest.raises(UnwritableFile, match="its folder is protected against writing"):
        save_project(saved, scene(4))
