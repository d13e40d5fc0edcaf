"""Part rows: the texts of parts in a project file, by digest."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping

from engine.project.schema import digest_of
from engine.project.texts import LONGEST_CHAIN, PackedText, pack, unpack
from engine.runtime.bounded import Bounded
from engine.runtime.errors import InvalidDocument

_INSERT = "INSERT INTO parts (digest, size, base, depth, head, tail, deflated, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_KEPT = 32 * 2**20  # bytes of texts that are kept while others are read


class PartRows(Mapping[str, str]):
    """The texts as a mapping that reads on demand; `add` writes one. What is read is not compared with its digest:
    who makes parts of it does that."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._places: dict[str, tuple[int, int]] = {}  # number and depth by digest
        self._texts: Bounded[int, bytes] = Bounded(size=_KEPT, size_of=len)  # by number

    def __contains__(self, digest: object) -> bool:
        return isinstance(digest, str) and self._place(digest) is not None

    def __getitem__(self, digest: str) -> str:
        place = self._place(digest)
        if place is None:
            raise KeyError(digest)
        return self.text(place[0]).decode()

    def __iter__(self) -> Iterator[str]:
        for (digest,) in self._database.execute("SELECT digest FROM parts"):
            yield digest_of(digest)

    def __len__(self) -> int:
        return int(self._database.execute("SELECT count(*) FROM parts").fetchone()[0])

    def forget(self) -> None:
        """Ask the file again: what was written has been taken back."""
        self._places.clear()
        self._texts.clear()

    def add(self, digest: str, text: str, base: str | None) -> None:
        """Write a text that is not there; as what differs from that of the part `base`, if that is shorter."""
        data = text.encode()
        place = self._place(base) if base is not None else None
        if place is not None and place[1] + 1 >= LONGEST_CHAIN:
            place = None
        packed = pack(data, None if place is None else self.text(place[0]))
        if not packed.head and not packed.tail:
            place = None
        number, depth = (None, 0) if place is None else (place[0], place[1] + 1)
        size, head, tail, deflated, rest = packed
        row = (bytes.fromhex(digest), size, number, depth, head, tail, deflated, rest)
        added = self._database.execute(_INSERT, row).lastrowid
        assert added is not None, "a row was inserted"
        self._places[digest] = added, depth
        self._texts.keep(added, data)

    def text(self, number: int) -> bytes:
        """The text in a row, put together from those that it shares with."""
        chain: list[tuple[int, PackedText]] = []
        at: int | None = number
        text: bytes | None = None
        while at is not None and (text := self._texts.get(at)) is None:
            query = "SELECT size, head, tail, deflated, data, base FROM parts WHERE number = ?"
            row = self._database.execute(query, (at,)).fetchone()
            base = row[5] if row is not None else None
            if row is None or len(chain) >= LONGEST_CHAIN or not (base is None or (type(base) is int and base < at)):
                raise InvalidDocument(what="the text of a part", value=number, allowed="one that the file holds whole")
            chain.append((at, PackedText(*row[:5])))
            at = base
        for place, packed in reversed(chain):
            text = unpack(packed, text)
            self._texts.keep(place, text)
        assert text is not None, "a chain ends with a text"
        return text

    def _place(self, digest: str) -> tuple[int, int] | None:
        if digest not in self._places:
            query = "SELECT number, depth FROM parts WHERE digest = ?"
            row = self._database.execute(query, (_digest(digest),)).fetchone()
            if row is None:
                return None
            self._places[digest] = row[0], row[1]
        return self._places[digest]


def _digest(digest: str) -> bytes:
    try:
        return bytes.fromhex(digest)
    except ValueError as error:
        raise InvalidDocument(what="a digest", value=digest[:80], allowed="64 hexadecimal digits") from error
