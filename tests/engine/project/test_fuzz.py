"""A fuzz of the reader: bytes flipped, pages swapped and blotted out, files cut, rows changed. What comes is a named
error or the very document that was saved; what is salvaged is sound. Never another exception, and never long."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.document import Document, validate
from engine.project.salvage import salvage
from engine.project.save import open_project
from engine.project.schema import TABLES
from engine.project.store import Store
from engine.runtime.errors import EngineError
from tests.engine.project.test_damage import read_all, saved
from tests.engine.project.test_migrate import FILES

__all__ = ["saved"]

ROUNDS, DEEP_ROUNDS = 12, 4000
PAGE = 4096
ODD = (None, 0, -1, 1, 2**40, 2**63 - 1, 1.5, "", "text", "[" * 5000, b"", b"\x00" * 40, b"\xff" * 70_000, "9" * 400)

Damage = Callable[[random.Random, bytearray], bytearray]


def flip(rng: random.Random, data: bytearray) -> bytearray:
    """Some bits of some bytes."""
    for _ in range(rng.choice((1, 1, 4, 64))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def flip_in_heads(rng: random.Random, data: bytearray) -> bytearray:
    """Bytes at the heads of pages, where their cells are told."""
    for _ in range(rng.choice((1, 3))):
        data[rng.randrange(len(data) // PAGE) * PAGE + rng.randrange(40)] = rng.randrange(256)
    return data


def swap(rng: random.Random, data: bytearray) -> bytearray:
    """Two pages, each in the other's place."""
    first, second = (rng.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[first : first + PAGE], data[second : second + PAGE] = data[second : second + PAGE], data[first : first + PAGE]
    return data


def blot(rng: random.Random, data: bytearray) -> bytearray:
    """A page of zeros or of noise."""
    at = rng.randrange(len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE) if rng.random() < 0.5 else rng.randbytes(PAGE)
    return data


def cut(rng: random.Random, data: bytearray) -> bytearray:
    """The front of the file, to the end of a page or not."""
    length = rng.randrange(len(data))
    return data[: length // PAGE * PAGE if rng.random() < 0.5 else length]


DAMAGES: tuple[Damage, ...] = (flip, flip_in_heads, swap, blot, cut)


def suffer(path: Path, document: Document) -> None:
    """Everything that reads a file, on one that is damaged."""
    with suppress(EngineError):
        assert open_project(path).document == document
    with suppress(EngineError):
        assert read_all(path) == document
    with suppress(EngineError):
        found = salvage(path)
        assert found.document is not None or found.lost
        if found.document is not None:
            validate(found.document)
            assert found.lost or found.document == document


def fuzz_bytes(path: Path, document: Document, rng: random.Random, rounds: int) -> None:
    whole = path.read_bytes()
    for _ in range(rounds):
        for damage in DAMAGES:
            path.write_bytes(damage(rng, bytearray(whole)))
            suffer(path, document)


def fuzz_rows(path: Path, rng: random.Random, rounds: int, version: int = 3) -> None:
    whole = path.read_bytes()
    for _ in range(rounds):
        path.write_bytes(whole)
        table = rng.choice([*TABLES[version]])
        with closing(sqlite3.connect(path)) as database, database:
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            key, column, value = columns[0], rng.choice(columns), rng.choice(ODD)
            rows = database.execute(f"SELECT {key} FROM {table}").fetchall()
            with suppress(sqlite3.Error, OverflowError):  # what SQLite itself would not let in
                query = f"UPDATE OR REPLACE {table} SET {column} = ? WHERE {key} = ?"
                database.execute(query, (value, rng.choice(rows)[0]))
        for read in (read_all, open_project, salvage):
            with suppress(EngineError):
                read(path)


@pytest.fixture
def document(saved: Path) -> Document:
    with Store.open(saved) as store:
        return store.document()


def test_damaged_bytes_are_named_or_harmless(saved: Path, document: Document) -> None:
    _ = [actor.layers[0].samples.values.array for actor in document.actors if actor.layers and actor.layers[0].samples]
    fuzz_bytes(saved, document, random.Random(7), ROUNDS)


def test_changed_rows_are_named_or_harmless(saved: Path) -> None:
    fuzz_rows(saved, random.Random(8), 5 * ROUNDS)


def test_changed_rows_of_an_older_file_are_named_or_harmless(tmp_path: Path) -> None:
    path = tmp_path / "old.sinew"
    path.write_bytes((FILES / "version2.sinew").read_bytes())
    fuzz_rows(path, random.Random(9), ROUNDS, version=2)


@pytest.mark.deep
def test_much_damage_is_named_or_harmless(saved: Path, document: Document) -> None:
    _ = [actor.layers[0].samples.values.array for actor in document.actors if actor.layers and actor.layers[0].samples]
    whole = saved.read_bytes()
    fuzz_bytes(saved, document, random.Random(), DEEP_ROUNDS)
    saved.write_bytes(whole)
    fuzz_rows(saved, random.Random(), DEEP_ROUNDS)
