"""Migrations: one function for each step from a version of the format to the next, from one database to another.

A file of an older version is never changed by being opened: its content comes to memory, and the save that follows
writes the present format beside it.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import suppress

from engine.document import Blob
from engine.project import schema
from engine.project.arrays import form_of, insert_array
from engine.project.part_rows import PartRows
from engine.runtime.errors import InvalidDocument

_LONGEST_ROW = 10**9
_ARRAY = re.compile(r'\{"blob":"([0-9a-f]{64})","numbers":"([^"]{1,8})","shape":\[([0-9,]*)\]')


def upgraded(old: sqlite3.Connection, version: int, *, careless: bool = False) -> sqlite3.Connection:
    """The content of a file of an older version, in memory and in the present format; `careless`: what can be read."""
    given = old
    for step in range(version, schema.FORMAT_VERSION):
        new = schema.in_memory()
        try:
            STEPS[step](old, new, careless)
        except BaseException:
            new.close()
            raise
        finally:
            if old is not given:
                old.close()
        old = new
    return old


def _rows(old: sqlite3.Connection, query: str, careless: bool) -> Iterator[tuple[object, ...]]:
    try:
        yield from old.execute(query)
    except sqlite3.Error:
        if not careless:
            raise


def _from_2(old: sqlite3.Connection, new: sqlite3.Connection, careless: bool) -> None:
    """Version 3 has texts and arrays packed, arrays with their type and shape, and an undo list."""
    old.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_ROW)
    rows, forms = PartRows(new), dict[str, tuple[str, tuple[int, ...]]]()
    new.execute("BEGIN")
    unsound = (InvalidDocument, TypeError, ValueError) if careless else ()
    for digest, text in _rows(old, "SELECT digest, text FROM parts", careless):
        with suppress(*unsound):
            rows.add(str(digest), str(text), None)
            forms |= {name: form_of(type, shape) for name, type, shape in _ARRAY.findall(str(text))}
    for digest, data in _rows(old, "SELECT digest, data FROM blobs", careless):
        with suppress(*unsound):
            if digest in forms:
                insert_array(new, _blob_of_2(str(digest), data, *forms[str(digest)]), 0)
    for number, digest, saved in _rows(old, "SELECT number, digest, saved FROM revisions ORDER BY number", careless):
        with suppress(*unsound):
            new.execute("INSERT INTO revisions VALUES (?, ?, ?)", (number, bytes.fromhex(str(digest)), str(saved)))
    new.execute("COMMIT")


def _blob_of_2(digest: str, data: object, type: str, shape: tuple[int, ...]) -> Blob:
    """An array of version 2, whose bytes alone stood in the file."""
    if isinstance(data, bytes):
        blob = Blob.from_data(data, type, shape)
        if blob.digest == digest:
            return blob
    raise InvalidDocument(what=f"the content of array {digest[:12]}", value="other bytes", allowed="its own digest")


STEPS: dict[int, Callable[[sqlite3.Connection, sqlite3.Connection, bool], None]] = {2: _from_2}
