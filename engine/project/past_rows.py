"""Past rows: the undo list in a project file. A line is a label, an edit with parts by digest, a document's digest."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator
from typing import cast

from engine.document import validate
from engine.document.part_reader import PartReader
from engine.document.parts import Json, refer
from engine.edits import Edit, edit
from engine.project.past import Past, PastEntry
from engine.project.schema import LONGEST_TEXT, digest_of, whole_number
from engine.project.texts import deflate, inflate_within
from engine.runtime.errors import EngineError, InvalidDocument, printable

_MOST_LINES = 100_000  # that are read, the newest
_POSITION = "position"
_UNSOUND = (sqlite3.DatabaseError, EngineError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError)
_PASSING = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


class PastRows:
    """The lines, numbered without gaps; the number of the present one is noted."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM past").fetchone()[0])

    @property
    def present(self) -> str | None:
        """The digest of the present document."""
        row = self._database.execute("SELECT document FROM past WHERE number = ?", (self._number(),)).fetchone()
        return None if row is None else digest_of(row[0])

    def append(self, label: str, done: Edit | None, digest: str) -> None:
        """A line behind the present one, in place of those that are there."""
        number = self._number()
        self._database.execute("DELETE FROM past WHERE number > ?", (number,))
        row = (number + 1, printable(label), None if done is None else _packed(done), bytes.fromhex(digest))
        self._database.execute("INSERT INTO past VALUES (?, ?, ?, ?)", row)
        self._go_to(number + 1)

    def step(self, position: int) -> None:
        """Make the line at that place the present one."""
        first, last = self._ends()
        if not first <= first + position <= last:
            raise InvalidDocument(what="a place in the undo list", value=position, allowed=f"0 to {last - first}")
        self._go_to(first + position)

    def share(self, lines: tuple[tuple[str, str], ...]) -> int:
        """Drop all that the list need not have to go on as `lines`, labels and digests of documents; gives how many of
        those are there then."""
        rows = self._database.execute("SELECT number, label, document FROM past ORDER BY number")
        there = [(number, (str(label), digest_of(digest))) for number, label, digest in rows]
        start = next((place for place, (_, line) in enumerate(there) if lines and line == lines[0]), len(there))
        count = 0
        for (_, line), wanted in zip(there[start:], lines, strict=False):
            if line != wanted:
                break
            count += 1
        first = there[start][0] if count else 1
        query = "DELETE FROM past WHERE number < ? OR number >= ?"
        self._database.execute(query, (first, first + count))
        self._go_to(first + count - 1)
        return count

    def read(self, reader: PartReader) -> Generator[None, None, Past]:
        """The list, newest line first, a line a step. What is not sound ends it on its side of the present line."""
        present = self._number()
        found: list[tuple[int, PastEntry]] = []
        for number in self._numbers():
            try:
                found.append((number, self._entry(number, reader)))
            except _UNSOUND as error:
                _refuse_passing(error)
                if number <= present:
                    break
                found.clear()
            yield
        found.reverse()
        position = next((place for place, (number, _) in enumerate(found) if number == present), None)
        return Past((), 0) if position is None else Past(tuple(entry for _, entry in found), position)

    def _numbers(self) -> list[int]:
        """List the numbers of the newest lines, falling, as far as they can be read."""
        found = list[int]()
        query = "SELECT number FROM past ORDER BY number DESC LIMIT ?"
        try:
            for (number,) in self._database.execute(query, (_MOST_LINES,)):
                found.append(number)
        except sqlite3.DatabaseError as error:
            _refuse_passing(error)
        return found

    def _entry(self, number: int, reader: PartReader) -> PastEntry:
        query = "SELECT label, edit, document FROM past WHERE number = ?"
        label, done, digest = self._database.execute(query, (number,)).fetchone()
        document = reader.document(digest_of(digest))
        validate(document)
        return PastEntry(str(label), None if done is None else _unpacked(done, reader), document)

    def _ends(self) -> tuple[int, int]:
        first = self._database.execute("SELECT number FROM past ORDER BY number LIMIT 1").fetchone()
        last = self._database.execute("SELECT max(number) FROM past").fetchone()
        return (first[0], last[0]) if first is not None else (1, 0)

    def _number(self) -> int:
        row = self._database.execute("SELECT value FROM meta WHERE name = ?", (_POSITION,)).fetchone()
        return (whole_number(row[0]) if row is not None else None) or 0

    def _go_to(self, number: int) -> None:
        self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_POSITION, str(number)))


def _refuse_passing(error: Exception) -> None:
    """Raise errors that come of another program holding the file up; they are no damage."""
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING:
        raise error


def _packed(done: Edit) -> bytes:
    """An edit as its row holds it: JSON with parts by digest, deflated where that is smaller."""
    plain = [done.name, {name: refer(value) for name, value in done.arguments}]
    _, data = deflate(json.dumps(plain, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode())
    return data


def _unpacked(data: object, reader: PartReader) -> Edit | None:
    """None for an edit that this Sinew does not know."""
    if not isinstance(data, bytes):
        raise InvalidDocument(what="an edit", value=str(data)[:80], allowed="its bytes")
    text = data if data.startswith(b"[") else inflate_within(data, LONGEST_TEXT)
    name, arguments = cast(tuple[str, dict[str, Json]], json.loads(text))
    try:
        return edit(name, **{key: reader.read(value) for key, value in arguments.items()})
    except EngineError:
        return None
