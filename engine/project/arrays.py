"""Arrays: their bytes as a file keeps them, and blobs that are read from there when their numbers are first used.

An array lies in pieces of 16 MB. It is deflated, the first bytes of all its numbers before the second ones, where a
sample shrinks to four fifths or less and it is not so large that saving would take long. What is read is compared with
the digest that names it, so it does not matter which file it comes from, nor when.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Container
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from engine.document import Blob
from engine.document.blobs import LazyBlob, length_of
from engine.project import schema
from engine.project.schema import LONGEST_ARRAY, PIECE, digest_of
from engine.project.texts import inflate
from engine.runtime.errors import InvalidDocument, UnreadableFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LONGEST_DEFLATED = 64 * 2**20
_SAMPLE = 64 * 2**10
_WORTH_DEFLATING = 0.8


class MissingArray(UnreadableFile):
    """An array that was not read while its file was there."""

    def __init__(self, *, path: Path, found: str, remedy: str, digest: str) -> None:
        super().__init__(path=path, found=found, remedy=remedy)
        self.digest = digest


class StoredBlob(LazyBlob):
    """An array in a project file, read when its numbers are first used."""

    def __init__(self, path: Path, digest: str, type: str, shape: tuple[int, ...]) -> None:
        super().__init__(digest, type, shape, partial(_read_anywhere, path, digest, type, shape))
        with _lock:
            _stored[id(self)] = self

    def passing(self) -> Blob:
        """The array for once, not kept in memory."""
        return self if self.is_here else self._read()


_lock = threading.Lock()
_stored: WeakValueDictionary[int, StoredBlob] = WeakValueDictionary()
_homes: dict[Path, None] = {}  # the files that this process has read or written


def home(path: Path) -> None:
    """Look into that file, too, for an array whose own file has gone."""
    with _lock:
        _homes.pop(path, None)
        _homes[path] = None


def bring(path: Path, kept: Container[str], *, careless: bool = False) -> None:
    """Read what the file at `path` is about to lose while somebody may still ask for it: all but what is `kept`;
    where `careless`, and what cannot be read."""
    with _lock:
        waiting = [each for each in _stored.values() if not each.is_here and each.digest not in kept]
        was_home = path in _homes
        _homes.setdefault(path)  # for those, too, that were to come from a file that has gone
    try:
        there = _held(path) if waiting else set[str]()
        for each in waiting:
            if each.digest in there:
                with suppress(*((MissingArray,) if careless else ())):
                    _ = each.array
    finally:
        if not was_home:
            with _lock:
                _homes.pop(path, None)


def _held(path: Path) -> set[str]:
    """The digests of the arrays in a file; none, if it cannot be read."""
    try:
        with schema.opened(path) as (database, version):
            rows = database.execute("SELECT digest FROM arrays") if version >= schema.FORMAT_VERSION else ()
            return {digest_of(row[0]) for row in rows}
    except UnreadableFile:
        return set()


def insert_array(database: sqlite3.Connection, blob: Blob, most_deflated: int) -> int:
    """Write an array; deflated, if it has no more bytes than `most_deflated`. Gives how many were."""
    data, width = blob.raw, int(blob.type[-1])
    deflated = len(data) <= most_deflated and is_worth_deflating(data, width)
    row = database.execute("SELECT max(number) FROM pieces").fetchone()
    first = (row[0] or 0) + 1
    for number, start in enumerate(range(0, len(data), PIECE), first):
        piece = data[start : start + PIECE]
        packed = zlib.compress(_shuffled(piece, width), 1) if deflated else piece
        database.execute("INSERT INTO pieces VALUES (?, ?)", (number, packed))
    row = (bytes.fromhex(blob.digest), blob.type, ",".join(map(str, blob.shape)), int(deflated), first)
    database.execute("INSERT INTO arrays (digest, type, shape, deflated, first) VALUES (?, ?, ?, ?, ?)", row)
    return len(data) if deflated else 0


def read_array(database: sqlite3.Connection, digest: str) -> Blob | None:
    """The array of that digest, checked against it; None where the file has none of that name."""
    row = database.execute("SELECT number FROM arrays WHERE digest = ?", (bytes.fromhex(digest),)).fetchone()
    return None if row is None else read_array_row(database, row[0])


def read_array_row(database: sqlite3.Connection, number: int) -> Blob:
    """The array in a row, checked against its digest."""
    query = "SELECT type, shape, deflated, first, digest FROM arrays WHERE number = ?"
    *form, deflated, first, digest = database.execute(query, (number,)).fetchone()
    type, shape = form_of(*form)
    data = _pieces(database, first, length_of(type, shape) or 0, int(type[-1]), deflated)
    blob = Blob.from_data(data, type, shape)
    if bytes.fromhex(blob.digest) != digest:
        raise InvalidDocument(what=f"the content of array {number}", value=blob.digest, allowed="its own digest")
    return blob


def form_of(type: object, shape: object) -> tuple[str, tuple[int, ...]]:
    """Type of number and shape, as a row holds them; refused if no array is so."""
    words = str(shape).split(",") if shape else []
    if (
        isinstance(type, str)
        and len(words) <= 32
        and all(each.isascii() and each.isdecimal() and len(each) < 16 for each in words)
    ):
        lengths = tuple(map(int, words))
        size = length_of(type, lengths)
        if size is not None and size <= LONGEST_ARRAY:
            return type, lengths
    allowed = f"a type and lengths up to {LONGEST_ARRAY} bytes"
    raise InvalidDocument(what="an array", value=(type, shape), allowed=allowed)


def is_worth_deflating(data: memoryview, width: int) -> bool:
    """Tell whether a sample from the middle shrinks."""
    middle = (len(data) - min(len(data), _SAMPLE)) // 2 // width * width
    sample = data[middle : middle + _SAMPLE]
    return len(data) > 0 and len(zlib.compress(_shuffled(sample, width), 1)) < _WORTH_DEFLATING * len(sample)


def _pieces(database: sqlite3.Connection, first: int, size: int, width: int, deflated: int) -> NDArray[np.uint8]:
    """The bytes of an array. Nothing is allocated before the file was seen to hold them."""
    import numpy as np

    count = -(-size // PIECE)
    query = "SELECT length(data) FROM pieces WHERE number >= ? AND number < ? ORDER BY number"
    lengths = [row[0] for row in database.execute(query, (first, first + count))]
    held = size <= LONGEST_DEFLATED if deflated else sum(lengths) == size
    if len(lengths) != count or not held:
        raise InvalidDocument(what="the size of an array", value=size, allowed=f"what its {len(lengths)} pieces hold")
    data = np.empty(size, np.uint8)
    for number in range(count):
        out = data[number * PIECE : (number + 1) * PIECE]
        (piece,) = database.execute("SELECT data FROM pieces WHERE number = ?", (first + number,)).fetchone()
        plain = inflate(piece, len(out)) if deflated else piece
        if not isinstance(plain, bytes) or len(plain) != len(out):
            raise InvalidDocument(what="a piece of an array", value=number, allowed=f"{len(out)} bytes")
        found = np.frombuffer(plain, np.uint8)
        out[:] = found.reshape(width, -1).T.reshape(-1) if deflated else found
    return data


def _shuffled(piece: memoryview, width: int) -> bytes:
    """The first bytes of all numbers, then the second ones, and so on: alike bytes stand together."""
    import numpy as np

    return np.frombuffer(piece, np.uint8).reshape(-1, width).T.tobytes()


def _read_anywhere(path: Path, digest: str, type: str, shape: tuple[int, ...]) -> Blob:
    """An array from the project at `path`, whichever file stands there now, or from another that holds it."""
    with _lock:
        others = [each for each in reversed(_homes) if each != path]
    why = "another file stands in its place"
    for number, each in enumerate((path, *others)):
        try:
            found = _read_from(each, digest)
        except UnreadableFile as error:
            why = error.found if number == 0 else why
            continue
        if found is not None and (found.type, found.shape) == (type, shape):
            return found
    gone = f"an array of the open document was not read yet, and its file does not hold it any more ({why})"
    remedy = "Bring the file back to where it was and try again; everything else of the document is here."
    raise MissingArray(path=path, found=gone, remedy=remedy, digest=digest)


def _read_from(path: Path, digest: str) -> Blob | None:
    with schema.opened(path) as (database, version):
        return read_array(database, digest) if version >= schema.FORMAT_VERSION else None
