"""Files of every version of the format that was ever written, kept as they were saved, and files of later ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.document import Document
from engine.project import schema
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import scene
from tests.engine.project.test_store import whole

FILES = Path(__file__).parent / "files"
DIGEST = "cac3eeb28c5540bbea7724d6032781833577c77584f652a346c7f68a157f73c4"
SAVED = {2: DIGEST, 3: DIGEST}
"""The digest of the document that each file was saved with."""


def change(path: Path, *statements: str) -> None:
    """Change a file as somebody else might."""
    with closing(sqlite3.connect(path)) as database, database:
        for each in statements:
            database.execute(each)


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    path = tmp_path / "newer.sinew"
    save_project(path, scene())
    change(path, "UPDATE meta SET value = '4' WHERE name = 'format'", "CREATE TABLE bakes (number INTEGER PRIMARY KEY)")
    return path


def test_there_is_a_file_of_every_version() -> None:
    assert set(SAVED) == set(range(2, schema.FORMAT_VERSION + 1))
    assert {each.stem for each in FILES.iterdir()} >= {f"version{number}" for number in SAVED}


@pytest.mark.parametrize("version", SAVED)
def test_a_file_of_every_version_opens_as_it_was_saved(version: int) -> None:
    opened = open_project(FILES / f"version{version}.sinew")
    assert opened.document.digest == SAVED[version]
    assert [actor.name for actor in opened.document.actors] == ["Ärm", "Human", "Anna"]
    for actor in opened.document.actors:
        for skin in actor.figure.skins:
            assert skin.weights.array.sum(axis=1).min() > 0.99
        for layer in actor.layers:
            assert layer.samples is None or layer.samples.values.array.shape == (400, 2)
    assert opened.document.sound is not None
    assert opened.document.sound.data.data.startswith(b"RIFF")
    assert opened.newer == ()
    assert bool(opened.notes) == (version < schema.FORMAT_VERSION)


@pytest.mark.parametrize("version", SAVED)
def test_opening_changes_no_file_and_saving_writes_the_present_format(version: int, tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    path.write_bytes((FILES / f"version{version}.sinew").read_bytes())
    before = path.read_bytes()
    document = open_project(path).document
    assert path.read_bytes() == before
    save_project(path, document)
    with Store.open(path) as store:
        assert store.version == schema.FORMAT_VERSION
        assert store.document().digest == SAVED[version]
        store.check()


def test_the_undo_list_of_version_3_comes_back() -> None:
    with Store.open(FILES / "version3.sinew") as store:
        past = whole(store.past())
    assert [each.label for each in past.entries] == ["Open", "Rename", "Rename"]
    assert [each.document.actor("arm").name for each in past.entries] == ["Ärm", "Arm", "Ärm"]
    assert past.position == 2


def test_an_array_of_an_older_file_that_is_not_what_its_digest_says_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    path.write_bytes((FILES / "version2.sinew").read_bytes())
    change(path, "UPDATE blobs SET data = zeroblob(length(data))")
    with pytest.raises(UnreadableFile, match="its own digest"):
        open_project(path)


def test_an_older_file_that_is_refused_leaves_no_database_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, connect, made = tmp_path / "scene.sinew", sqlite3.connect, list[sqlite3.Connection]()
    path.write_bytes((FILES / "version2.sinew").read_bytes())
    change(path, "UPDATE blobs SET data = zeroblob(length(data))")

    def noted(*arguments: Any, **options: Any) -> sqlite3.Connection:
        made.append(connect(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(sqlite3, "connect", noted)
    with pytest.raises(UnreadableFile, match="its own digest"):
        open_project(path)
    assert len(made) > 1
    for each in made:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            each.execute("SELECT 1")


def test_an_older_file_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "scene.sinew"
    path.write_bytes((FILES / "version2.sinew").read_bytes())
    with pytest.raises(UnreadableFile, match="format 2"):
        Store.open(path, writable=True)


def test_a_newer_file_is_opened_and_not_written(newer: Path) -> None:
    opened = open_project(newer)
    assert opened.document == scene()
    assert not opened.writable
    assert "format 4" in opened.notes[0]
    with pytest.raises(UnreadableFile, match="format 4"):
        Store.open(newer, writable=True)


def test_what_a_newer_file_holds_and_nobody_here_knows_is_named_and_left_out(newer: Path, tmp_path: Path) -> None:
    put_text(
        newer, scene(), '"name":"Two"', '"name":"Two","wings":{"type":"Wing","span":2.5},"soul":[1,{"type":"Soul"}]'
    )
    before = newer.read_bytes()
    opened = open_project(newer)
    assert [actor.id for actor in opened.document.actors] == ["one", "two", "three", "ball"]
    assert opened.document.actor("two") == scene().actor("two")
    assert opened.newer == ("wings of Actor Two", "soul of Actor Two", "soul of Actor Two")
    assert newer.read_bytes() == before


def put_text(path: Path, document: Document, old: str, new: str) -> None:
    """Another text for one part of a document, and for those that name it, as if a newer program had written them."""
    from hashlib import blake2b

    from engine.document import encode_document

    renamed: dict[str, str] = {}
    texts = encode_document(document).texts
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DELETE FROM parts")
        for digest, text in texts.items():
            changed = text.replace(old, new)
            for was, now in renamed.items():
                changed = changed.replace(was, now)
            data = changed.encode()
            found = blake2b(data, digest_size=32).digest()
            renamed |= {digest: found.hex()} if found.hex() != digest else {}
            row = (found, len(data), 0, 0, 0, 0, data)
            query = "INSERT INTO parts (digest, size, depth, head, tail, deflated, data) VALUES (?, ?, ?, ?, ?, ?, ?)"
            database.execute(query, row)
        root = renamed.get(document.digest, document.digest)
        database.execute("UPDATE revisions SET document = ?", (bytes.fromhex(root),))
