"""Arrays in a file: what is deflated, pieces, and forms that no array has."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator

import numpy as np
import pytest

from engine.document import Blob
from engine.project import arrays
from engine.project.arrays import form_of, insert_array, read_array
from engine.project.schema import in_memory
from engine.runtime.errors import InvalidDocument

MANY = 2**30


@pytest.fixture
def database() -> Iterator[sqlite3.Connection]:
    found = in_memory()
    yield found
    found.close()


def stored(database: sqlite3.Connection) -> int:
    """Bytes of all pieces."""
    return int(database.execute("SELECT sum(length(data)) FROM pieces").fetchone()[0] or 0)


@pytest.mark.parametrize("type", ["<f8", "<f4", "<i4", "<i8", "|u1"])
@pytest.mark.parametrize("shape", [(), (0,), (0, 3), (7,), (5, 3), (2, 3, 4), (4000, 3)])
def test_arrays_of_every_type_and_shape_come_back(
    database: sqlite3.Connection, type: str, shape: tuple[int, ...]
) -> None:
    rng = np.random.default_rng(2)
    for numbers in (np.zeros(shape, type), (rng.random(shape) * 200).astype(type)):
        blob = Blob(numbers)
        insert_array(database, blob, MANY)
        again = read_array(database, blob.digest)
        assert again == blob
        assert again is not None
        assert (again.type, again.shape) == (blob.type, blob.shape)
        assert np.array_equal(again.array, numbers)
        database.execute("DELETE FROM arrays")


def test_only_what_shrinks_is_deflated(database: sqlite3.Connection) -> None:
    noise = Blob(np.random.default_rng(1).integers(0, 256, 200_000).astype("u1"))
    smooth = Blob(np.sin(np.arange(50_000) * 1e-4).astype("<f4"))
    assert insert_array(database, noise, MANY) == 0
    assert stored(database) == 200_000
    assert insert_array(database, smooth, MANY) == 200_000
    assert stored(database) < 200_000 + 120_000


def test_bytes_of_numbers_are_shuffled_before_they_are_deflated(database: sqlite3.Connection) -> None:
    walk = Blob(np.cumsum(np.random.default_rng(1).normal(size=8000)).astype("<f4") + 1000.0)
    insert_array(database, walk, MANY)
    assert stored(database) < 0.9 * len(zlib.compress(walk.raw, 1))


def test_what_would_take_long_is_not_deflated(database: sqlite3.Connection) -> None:
    zeros = Blob(np.zeros(10_000))
    assert insert_array(database, zeros, 79_999) == 0
    assert stored(database) == 80_000
    assert read_array(database, zeros.digest) == zeros


@pytest.mark.parametrize("deflated", [0, MANY])
def test_large_arrays_lie_in_pieces(
    database: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, deflated: int
) -> None:
    monkeypatch.setattr(arrays, "PIECE", 8000)
    blobs = [Blob(np.arange(start, start + count, dtype="<f8")) for start, count in ((0, 1000), (5, 1001), (9, 3500))]
    for each in blobs:
        insert_array(database, each, deflated)
    assert database.execute("SELECT count(*) FROM pieces").fetchone() == (1 + 2 + 4,)
    for each in blobs:
        assert read_array(database, each.digest) == each
    database.execute("DELETE FROM pieces WHERE number = 2")
    with pytest.raises(InvalidDocument, match="the size of an array"):
        read_array(database, blobs[1].digest)


@pytest.mark.parametrize(
    ("type", "shape"),
    [
        ("|O", "3"),
        ("<f2", "3"),
        (8, "3"),
        ("<f8", "-3"),
        ("<f8", "3,,3"),
        ("<f8", "٣"),
        ("<f8", "1e3"),
        ("<f8", "9999999999,9999999999"),
        ("<f8", "1," * 40 + "1"),
        ("<f8", "9" * 400),
    ],
)
def test_forms_that_no_array_has_are_refused(type: object, shape: object) -> None:
    with pytest.raises(InvalidDocument, match="an array"):
        form_of(type, shape)


def test_an_array_that_is_not_there_is_none(database: sqlite3.Connection) -> None:
    assert read_array(database, "ab" * 32) is None
