"""The native file: exact round trips, saves that cannot harm, and damage that is named."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from engine.document import Document
from engine.document.references import Video
from engine.formats import sinew
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.edits.scenery_examples import reference
from tests.engine.figures import scene


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "scene.sinew"
    sinew.write(path, scene())
    return path


def test_a_document_comes_back_exactly(tmp_path: Path) -> None:
    for document in (Document(), scene(1), scene(2)):
        path = tmp_path / "Ünïcode name.sinew"
        sinew.write(path, document)
        again = sinew.read(path)
        assert again == document
        assert again.digest == document.digest
    assert [each.name for each in tmp_path.iterdir()] == ["Ünïcode name.sinew"]


def test_a_document_with_a_reference_video_comes_back(tmp_path: Path) -> None:
    video = Video(path="walk.mp4", file_digest="0" * 64, rate=(30, 1), count=90)
    document = replace(scene(), references=(replace(reference(Random(1)), video=video),))
    sinew.write(tmp_path / "filmed.sinew", document)
    assert sinew.read(tmp_path / "filmed.sinew") == document


def test_each_part_is_stored_once(saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as database:
        figures = database.execute('SELECT count(*) FROM parts WHERE text LIKE \'{"type":"Figure"%\'').fetchone()
    assert figures == (3,), "two actors share one"


@pytest.mark.parametrize("step", ["_fill", "_sync", "read", "os.replace"])
def test_a_save_that_fails_anywhere_leaves_the_old_file(
    saved: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    if step == "os.replace":
        monkeypatch.setattr(os, "replace", fail)
    else:
        monkeypatch.setattr(sinew, step, fail)
    with pytest.raises(UnwritableFile, match="No space left"):
        sinew.write(saved, scene(4))
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


def test_a_write_that_does_not_read_back_is_refused(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = saved.read_bytes()
    monkeypatch.setattr(sinew, "read", lambda path: scene(5))
    with pytest.raises(UnwritableFile, match="does not read back"):
        sinew.write(saved, scene(4))
    assert saved.read_bytes() == before


def test_links_and_permissions_are_kept(saved: Path) -> None:
    saved.chmod(0o640)
    link = saved.with_name("link.sinew")
    link.symlink_to(saved)
    sinew.write(link, scene(4))
    assert link.is_symlink()
    assert sinew.read(saved) == scene(4)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o640


def test_folders_and_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile, match="a folder"):
        sinew.read(tmp_path)
    with pytest.raises(UnreadableFile, match="no file of that name"):
        sinew.read(tmp_path / "none.sinew")
    with pytest.raises(UnwritableFile, match="it is a folder"):
        sinew.write(tmp_path, Document())
    with pytest.raises(UnwritableFile, match="No such file"):
        sinew.write(tmp_path / "gone" / "a.sinew", Document())


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "an empty file"), (b"HIERARCHY\nROOT", "not a Sinew document"), (b"SQLite format 3\0" * 9, "not a Sinew")],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "other.sinew"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        sinew.read(path)


def test_every_truncation_is_named(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(1, len(whole), 997):
        saved.write_bytes(whole[:length])
        with pytest.raises(UnreadableFile):
            sinew.read(saved)


def test_random_damage_is_named_or_harmless(saved: Path) -> None:
    whole, document = saved.read_bytes(), scene()
    for at in range(100, len(whole), 511):
        damaged = bytearray(whole)
        damaged[at : at + 8] = bytes(255 - each for each in damaged[at : at + 8])
        saved.write_bytes(damaged)
        with suppress(UnreadableFile):
            assert sinew.read(saved) == document


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE meta SET value = '3' WHERE name = 'format'", "format 3, made by a newer Sinew"),
        ("UPDATE meta SET value = '1' WHERE name = 'format'", "format 1, made by a trial version .* reads format 2"),
        ("DELETE FROM meta", "no known format version"),
        ("DELETE FROM revisions", "without a document"),
        ("DROP TABLE parts", "damaged"),
        ("UPDATE revisions SET digest = 'abc'", "a part that the file holds"),
        ("UPDATE parts SET text = x'ff'", "damaged|not sound"),
        ("UPDATE parts SET text = '{}'", "its own digest"),
    ],
)
def test_unsound_content_is_named(saved: Path, statement: str, message: str) -> None:
    with closing(sqlite3.connect(saved)) as database, database:
        database.execute(statement)
    with pytest.raises(UnreadableFile, match=message):
        sinew.read(saved)
