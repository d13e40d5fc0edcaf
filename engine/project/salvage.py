"""Salvage: what is sound in a damaged file.

The newest document whose parts and arrays are all sound; else the newest of which something is, without what is lost,
each loss named. Rows are read one by one, so that what lies on pages that cannot be read takes no others along.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from engine.document import Actor, Blob, Document, validate
from engine.document.part_reader import PartReader
from engine.document.shipped import shipped_array
from engine.project import migrate, schema
from engine.project.arrays import read_array_row
from engine.project.part_rows import PartRows
from engine.project.past_rows import PastRows
from engine.project.schema import digest_of
from engine.runtime.errors import EngineError, InvalidDocument
from engine.runtime.quick_dataclass import dataclass

_UNSOUND = (
    EngineError,
    sqlite3.Error,
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    RecursionError,
    MemoryError,
)
_MOST_NUMBERS = 200_000
_MOST_TEXT = 512 * 2**20  # bytes of parts, unpacked, newest first; what is older counts as lost


@dataclass(frozen=True)
class Salvaged:
    """The document saved from a damaged file, and what was lost."""

    document: Document | None
    lost: tuple[str, ...]


def salvage(path: Path) -> Salvaged:
    """Read what is sound in the file; raise `UnreadableFile` only for what is no Sinew file at all."""
    schema.check_head(path)
    try:
        most = min(_MOST_NUMBERS, path.stat().st_size // 16)  # no row is shorter
        with closing(schema.connect(path, takes_back=True, is_wreck=True)) as database:
            version = _version_of(path, database)
            if version < schema.FORMAT_VERSION:
                with closing(migrate.upgraded(database, version, careless=True)) as upgraded:
                    return _Wreck(upgraded, most).salvaged()
            return _Wreck(database, most).salvaged()
    except _UNSOUND as error:
        return Salvaged(None, (f"everything: {error}",))


def _version_of(path: Path, database: sqlite3.Connection) -> int:
    """The version of the format; the present one where only the note of it is lost."""
    try:
        return schema.version_of(path, database)
    except (EngineError, sqlite3.Error):
        schema.check_tables(path, schema.tables_of(database), schema.FORMAT_VERSION)
        return schema.FORMAT_VERSION


class _Wreck:
    """The sound rows of a damaged file; no more than `most` of one table are tried where it cannot be read in order."""

    def __init__(self, database: sqlite3.Connection, most: int) -> None:
        self._most = most
        self._database, self._rows = database, PartRows(database)
        self.parts = dict(reversed([*self._sound_parts()]))
        self.arrays = {digest: number for number, digest in self._each("arrays", "digest")}
        self._roots = [each for each in reversed(self.parts) if self.parts[each].startswith('{"type":"Document"')]

    def salvaged(self) -> Salvaged:
        """The newest whole document, else what is left of the newest."""
        wanted = [*self._wanted()]
        reader = PartReader(self.parts, self._blob)
        for number, digest in enumerate(dict.fromkeys((*wanted, *self._roots))):
            with suppress(*_UNSOUND):
                document = reader.document(digest)
                validate(document)
                return Salvaged(document, ("the newest changes",) if number else ())
        lost: list[str] = []
        reader = PartReader(self.parts, self._blob, lost)
        for digest in self._roots:
            with suppress(*_UNSOUND):
                lost.clear()
                return _mended(reader.document(digest), lost)
        with suppress(*_UNSOUND):
            lost[:] = ["what the scene holds beside its actors"]
            return _mended(Document(actors=tuple(self._actors(reader))), lost)
        return Salvaged(None, ("everything",))

    def _wanted(self) -> Iterator[str]:
        """The digests that the file names as its documents, newest first."""
        with suppress(*_UNSOUND):
            present = PastRows(self._database).present
            if present is not None:
                yield present
        for _, digest in sorted(self._each("revisions", "document"), reverse=True):
            yield digest

    def _sound_parts(self) -> Iterator[tuple[str, str]]:
        """The digests and texts of sound parts, newest first, no more than can be held."""
        left = _MOST_TEXT
        for number, digest in reversed([*self._each("parts", "digest")]):
            with suppress(*_UNSOUND):
                (size,) = self._database.execute("SELECT size FROM parts WHERE number = ?", (number,)).fetchone()
                if (left := left - max(int(size), 0)) < 0:
                    return
                text = self._rows.text(number)
                if blake2b(text, digest_size=32).hexdigest() == digest:
                    yield digest, text.decode()

    def _actors(self, reader: PartReader) -> Iterator[Actor]:
        """The newest of each id."""
        seen: set[str] = set()
        for digest in reversed(self.parts):
            if self.parts[digest].startswith('{"type":"Actor"'):
                with suppress(*_UNSOUND):
                    actor = reader.part(digest)
                    if isinstance(actor, Actor) and actor.id not in seen:
                        seen.add(actor.id)
                        yield actor

    def _each(self, table: str, column: str) -> Iterator[tuple[int, str]]:
        """The numbers of the rows that can be read, rising, and what stands in a column."""
        for number in self._numbers(table):
            with suppress(*_UNSOUND):
                row = self._database.execute(f"SELECT {column} FROM {table} WHERE number = ?", (number,)).fetchone()
                yield number, digest_of(row[0])

    def _numbers(self, table: str) -> list[int]:
        """List the numbers: from the front as far as that goes, then what lies between there and the end, then from
        there on."""
        ends: list[list[int]] = []
        for way in ("ASC", "DESC"):
            found = list[int]()
            with suppress(*_UNSOUND):
                for (number,) in self._database.execute(f"SELECT number FROM {table} ORDER BY number {way}"):
                    found.append(int(number))
                    if len(found) > self._most:
                        break
                else:
                    return sorted(found)
            ends.append(found)
        first = max(ends[0], default=0) + 1
        last = min(ends[1], default=first + self._most)
        return sorted({*ends[0], *range(first, min(last, first + self._most)), *ends[1]})

    def _blob(self, digest: str, type: str, shape: tuple[int, ...]) -> Blob:
        number = self.arrays.get(digest)
        try:
            found = shipped_array(digest) if number is None else read_array_row(self._database, number)
        except sqlite3.Error as error:
            raise InvalidDocument(what="an array", value=str(error), allowed="one that can be read") from error
        if found is None or (found.type, found.shape) != (type, shape):
            raise InvalidDocument(what="an array", value=digest, allowed="an array that the file holds")
        return found


def _mended(document: Document, lost: list[str]) -> Salvaged:
    """The document without what refers to something that is lost."""
    joints = {actor.id: set(actor.figure.joint_index) for actor in document.actors}

    def is_there(actor: str | None, joint: str | None) -> bool:
        return actor is None or (actor in joints and (joint is None or joint in joints[actor]))

    actors = []
    for actor in document.actors:
        attachments = tuple(each for each in actor.attachments if is_there(each.target, each.target_joint))
        locks = tuple(each for each in actor.locks if is_there(each.target, each.target_joint))
        gone = [each.target for each in actor.attachments if each not in attachments]
        gone += [each.target for each in actor.locks if each not in locks and each.target is not None]
        lost += [f"what holds {actor.name} to {each}" for each in gone]
        receiver = actor.receiver if any(each.id == actor.receiver for each in actor.layers) else None
        actors.append(replace(actor, attachments=attachments, locks=locks, receiver=receiver))
    sets = tuple(
        replace(each, items=items)
        for each in document.selection_sets
        if (items := tuple(item for item in each.items if is_there(*item)))
    )
    document = replace(document, actors=tuple(actors), selection_sets=sets)
    try:
        validate(document)
    except EngineError:
        return _sound_actors(document, lost)
    return Salvaged(document, tuple(lost))


def _sound_actors(document: Document, lost: list[str]) -> Salvaged:
    """Collect the actors that make a sound document together, taken one by one."""
    found = Document(rate=document.rate)
    for actor in document.actors:
        more = replace(found, actors=(*found.actors, replace(actor, attachments=(), locks=())))
        try:
            validate(more)
            found = more
        except EngineError as error:
            lost.append(f"Actor {actor.name} ({error})")
    return Salvaged(found, tuple(lost))
