"""What can be wrong with a file: each has an error of its own, and nothing in a file is ever done."""

from __future__ import annotations

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Document, Samples
from engine.edits import edit
from engine.project import guard, schema
from engine.project.past import Past, PastEntry
from engine.project.save import open_project, save_project
from engine.project.store import Store
from engine.runtime.errors import UnreadableFile
from tests.engine.figures import scene
from tests.engine.project.test_migrate import change, put_text
from tests.engine.project.test_store import renamed


def captured() -> Document:
    """A scene with an array that is deflated and one that is not."""
    document = scene()
    rng = np.random.default_rng(4)
    for actor, numbers in (("one", np.zeros((900, 1))), ("three", rng.normal(size=(900, 1)))):
        coordinates = document.actor(actor).figure.coordinates[:1]
        samples = Samples(coordinates=coordinates, values=Blob(numbers), rate=(30, 1))
        document = edit("set_samples", actor=actor, layer="pose", samples=samples).apply(document)
    return document


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path, document = tmp_path / "scene.sinew", captured()
    entries = [PastEntry("New", None, document)]
    entries += [PastEntry("Rename", each, after) for each, after in renamed(document, 4)]
    save_project(path, entries[-1].document, Past(tuple(entries), 4))
    return path


def read_all(path: Path) -> Document:
    """Everything that a file holds."""
    with Store.open(path) as store:
        store.check()
        document = store.document()
        for _ in store.past(document):
            pass
    for actor in document.actors:
        for layer in actor.layers:
            assert layer.samples is None or layer.samples.values.array.size
    return document


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"HIERARCHY\nROOT", "not a Sinew document"),
        (b"SQLite format 3\0" * 9, "not a Sinew"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "other.sinew"
    path.write_bytes(content)
    with pytest.raises(UnreadableFile, match=message):
        open_project(path)


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sinew"
    change(path, "CREATE TABLE parts (digest TEXT)")
    with pytest.raises(UnreadableFile, match="not a Sinew document"):
        open_project(path)
    change(path, f"PRAGMA application_id = {schema.APPLICATION_ID}")
    with pytest.raises(UnreadableFile, match="no known format version"):
        open_project(path)


def test_every_truncation_is_named(saved: Path) -> None:
    whole = saved.read_bytes()
    for length in range(1, len(whole), 2999):
        saved.write_bytes(whole[:length])
        with pytest.raises(UnreadableFile):
            read_all(saved)


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE meta SET value = '1' WHERE name = 'format'", "format 1, made by a trial version"),
        ("UPDATE meta SET value = '3x' WHERE name = 'format'", "no known format version"),
        ("DELETE FROM meta", "no known format version"),
        ("DROP TABLE parts", "no table of parts"),
        ("ALTER TABLE past ADD COLUMN more INTEGER", "a table of past that is not Sinew's"),
        ("ALTER TABLE past ADD COLUMN more AS (number + 1)", "a table of past that is not Sinew's"),
        ("CREATE VIEW spy AS SELECT * FROM parts", "the view 'spy', which is none of Sinew's"),
        ("CREATE TRIGGER spy AFTER INSERT ON past BEGIN DELETE FROM parts; END", "the trigger 'spy'"),
        ("CREATE TABLE spy (x)", "the table 'spy'"),
        ("CREATE INDEX spy ON parts (length(data))", "the index 'spy'"),
        ("UPDATE revisions SET document = x'abcd'", "a digest"),
        ("UPDATE revisions SET document = zeroblob(32)", "a part that the file holds"),
        ("UPDATE revisions SET document = 12", "not sound|damaged"),
        ("UPDATE parts SET data = x'ff', head = 0, tail = 0, base = NULL, deflated = 0", "length|damaged|digest"),
        ("UPDATE parts SET data = zeroblob(length(data))", "digest|deflated|length"),
        ("UPDATE parts SET size = 99999999999", "lengths of a text"),
        ("UPDATE parts SET size = 'much'", "not sound"),
        ("UPDATE parts SET base = number WHERE base IS NOT NULL", "holds whole"),
        ("UPDATE parts SET base = 10 * number WHERE base IS NOT NULL", "holds whole"),
        ("UPDATE arrays SET type = '|O'", "an array"),
        ("UPDATE arrays SET shape = '99999999999999,9'", "an array"),
        ("UPDATE arrays SET shape = '-1'", "an array"),
        ("UPDATE arrays SET deflated = 1 - deflated", "size of an array|deflated|pieces"),
        ("UPDATE arrays SET shape = '1000000000' WHERE deflated", "size of an array"),
        ("UPDATE pieces SET data = zeroblob(length(data))", "digest|deflated"),
        ("DELETE FROM pieces", "size of an array"),
    ],
)
def test_unsound_content_is_named(saved: Path, statement: str, message: str) -> None:
    change(saved, statement)
    with pytest.raises(UnreadableFile, match=message):
        read_all(saved)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"name":"Two"', '"name":"Two","wings":2', "a field of Actor"),
        ('"type":"Actor"', '"type":"os.system"', "a part's type"),
        ('"name":"Two"', '"name":' + "[" * 100_000, "not sound"),
        ('"name":"Two"', '"name":' + "9" * 5000, "not sound"),
        ('"name":"Two"', '"name":NaN', "finite numbers"),
        ('"name":"Two"', '"name":{"part":"../../secret"}', "hexadecimal"),
        ('"name":"Two"', '"name":{"blob":"../../secret","numbers":"<f8","shape":[1]}', "not sound"),
        ('"id":"two"', '"id":"one"', "actor ids"),
    ],
)
def test_unsound_parts_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "scene.sinew"
    save_project(path, scene())
    put_text(path, scene(), old, new)
    with pytest.raises(UnreadableFile, match=message):
        open_project(path)


def test_a_planted_virtual_table_is_refused_even_in_a_newer_file(saved: Path) -> None:
    change(saved, "UPDATE meta SET value = '9' WHERE name = 'format'")
    assert open_project(saved).newer == ()
    change(saved, "CREATE VIRTUAL TABLE spy USING fts5(x)")
    with pytest.raises(UnreadableFile, match="the table 'spy"):
        open_project(saved)


def test_a_file_that_is_to_be_read_with_others_beside_it_is_refused(saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as database:
        assert database.execute("PRAGMA journal_mode = WAL").fetchone() == ("wal",)
    with pytest.raises(UnreadableFile, match="another program has changed"):
        open_project(saved)
    assert [*saved.parent.iterdir()] == [saved]


def test_a_journal_that_would_remove_another_file_is_refused(saved: Path) -> None:
    victim = saved.with_name("victim")
    victim.touch()
    name = str(victim).encode()
    end = name + len(name).to_bytes(4, "big") + (sum(name) & 0xFFFFFFFF).to_bytes(4, "big")
    journal = saved.with_name(f"{saved.name}-journal")
    journal.write_bytes(bytes(512) + end + bytes.fromhex("d9d505f920a163d7"))
    with pytest.raises(UnreadableFile, match="names other files"):
        open_project(saved)
    assert victim.exists()


@pytest.mark.parametrize(
    "statement",
    [
        "ATTACH ':memory:' AS other",
        "PRAGMA writable_schema = ON",
        "CREATE TABLE more (x)",
        "DROP TABLE parts",
        "SELECT load_extension('x')",
        "SELECT randomblob(9)",
        "DELETE FROM parts",
        "SELECT * FROM pragma_database_list",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
    ],
)
def test_a_reader_may_read_our_tables_and_nothing_else(saved: Path, statement: str) -> None:
    with (
        closing(schema.connect(saved)) as database,
        pytest.raises(sqlite3.DatabaseError, match=r"not authorized|prohib"),
    ):
        database.execute(statement)


def test_a_query_without_an_end_is_broken_off(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "_MOST_STEPS", 10**6)
    join = ", ".join(f"parts AS p{number}" for number in range(6))
    with closing(schema.connect(saved)) as database, pytest.raises(sqlite3.OperationalError, match="interrupted"):
        database.execute(f"SELECT count(*) FROM {join}").fetchone()


def test_a_row_that_is_too_long_is_not_read(saved: Path) -> None:
    change(saved, f"UPDATE pieces SET data = zeroblob({schema.LONGEST_TEXT + 10_000})")
    with pytest.raises(UnreadableFile):
        read_all(saved)


def test_an_array_that_would_grow_beyond_its_size_is_refused(saved: Path) -> None:
    with closing(sqlite3.connect(saved)) as database, database:
        database.execute("UPDATE pieces SET data = ?", (zlib.compress(bytes(10**8)),))
    with pytest.raises(UnreadableFile, match=r"deflated|size"):
        read_all(saved)
