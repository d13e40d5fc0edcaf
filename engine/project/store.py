"""Store: the parts, arrays, revisions and the undo list of one project file.

Parts and arrays are there once, by digest, and behind all that they refer to; a part's text may be kept as what differs
from that of the part that it replaces. A revision is the digest of a document that was saved. What is written within
one `together` is there as a whole or not at all. For one thread at a time.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Self

from engine.document import Blob, Document, Part, validate
from engine.document.part_reader import PartReader
from engine.document.shipped import shipped_array
from engine.edits import Edit
from engine.project import migrate, schema
from engine.project.arrays import MissingArray, StoredBlob, home, insert_array, read_array
from engine.project.changes import changes
from engine.project.disk import resolved
from engine.project.part_rows import PartRows
from engine.project.past import Past
from engine.project.past_rows import PastRows
from engine.project.schema import digest_of
from engine.runtime.errors import InvalidDocument, UnreadableFile, printable

MOST_DEFLATED = 16 * 2**20  # bytes of arrays in one go: more would take longer than a person waits for a save
_REFERENCE = re.compile(r'\{"(part|blob)":"([0-9a-f]{64})"')


def _go_on() -> None:
    """Do nothing: nobody waits."""


class Store:
    """One open file."""

    def __init__(self, path: Path, database: sqlite3.Connection, version: int, *, lazy: bool = True) -> None:
        self.path, self.version = path, version
        self.newer: list[str] = []  # what stands in a file of a later version and is not shown
        self._database, self._lazy = database, lazy
        self._parts, self._past = PartRows(database), PastRows(database)
        self._last: Document | None = None  # that was kept or read
        self._until_closed = ExitStack()
        self._is_newer = version > schema.FORMAT_VERSION
        self._reader = PartReader(self._parts, self._blob, self.newer if self._is_newer else None)
        self._most_deflated = MOST_DEFLATED
        self.between: Callable[[], None] = _go_on  # what is done between one part and the next
        self.without: set[str] | None = None  # arrays that could not be read and were left out; None: none may be

    @classmethod
    def create(cls, path: Path, *, draft: bool = False, is_home: bool = True) -> Self:
        """A new store in a file that is empty or not there; a `draft` is no other program's business yet. `is_home`:
        documents that are open may look in it for their arrays from now on."""
        with schema.writing(path), ExitStack() as until_closed:
            path.touch()
            if not draft:
                until_closed.enter_context(schema.being_written(path))
            if is_home and not draft:
                home(resolved(path))
            store = cls(resolved(path), schema.create(path, draft=draft), schema.FORMAT_VERSION)
            store._until_closed = until_closed.pop_all()
            return store

    @classmethod
    def open(cls, path: Path, writable: bool = False, *, draft: bool = False, is_home: bool = True) -> Self:
        """The store in a file. One of an older version comes to memory; only one of ours can be written to."""
        with schema.reading(path), ExitStack() as until_closed:
            if writable or draft:
                schema.check_head(path)
                if writable:
                    until_closed.enter_context(schema.being_written(path))
                database = schema.connect(path, writable=writable, draft=draft)
                version = schema.FORMAT_VERSION
            else:
                database, version = schema.open_to_read(path)
            try:
                if writable and (found := schema.version_of(path, database)) != version:
                    remedy = "Open it and save it under another name."
                    raise UnreadableFile(path=path, found=f"format {found}, to be written to", remedy=remedy)
                if version < schema.FORMAT_VERSION:
                    with closing(database):
                        return cls(resolved(path), migrate.upgraded(database, version), version, lazy=False)
            except BaseException:
                database.close()
                raise
            store = cls(resolved(path), database, version)
            store._until_closed = until_closed.pop_all()
        if is_home and not draft:
            home(resolved(path))
        return store

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self._database.close()
        self._until_closed.close()

    @contextmanager
    def together(self) -> Iterator[None]:
        """Write as a whole or not at all what is written within."""
        if self._database.in_transaction:
            yield
            return
        try:
            with schema.writing(self.path):
                self._database.execute("BEGIN IMMEDIATE")
                yield
                self._database.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                self._database.execute("ROLLBACK")
            self._parts.forget()
            self._last = None
            raise

    def keep(self, document: Document, before: Document | None = None) -> None:
        """Write the parts and arrays of a document that are not there, as what differs from the one `before`, if it is
        given, else from the last one that was kept or read."""
        with self.together():
            self._keep(document, before or self._last)
            self._last = document

    def append(self, label: str, edit: Edit | None, document: Document) -> None:
        """A line of the undo list after the present one; those behind it, which were undone, are gone."""
        with self.together():
            self.keep(document)
            if edit is not None:
                self._keep(tuple(value for _, value in edit.arguments), None)
            self._past.append(label, edit, document.digest)

    def step(self, position: int) -> None:
        """Make the line at a place of the undo list the present one."""
        with self.together():
            self._past.step(position)

    def put_past(self, past: Past) -> None:
        """Make the undo list that one; lines that both have are not written again."""
        with self.together():
            shared = self._past.share(tuple((printable(each.label), each.document.digest) for each in past.entries))
            self._last = past.entries[shared - 1].document if shared else self._last
            for each in past.entries[shared:]:
                self.append(each.label, each.edit, each.document)
            if past.entries:
                self._past.step(past.position)

    def revise(self, document: Document) -> None:
        """A revision: the document is saved."""
        with self.together():
            self.keep(document)
            saved = datetime.now(UTC).isoformat(timespec="seconds")
            query = "INSERT INTO revisions (document, saved) VALUES (?, ?)"
            self._database.execute(query, (bytes.fromhex(document.digest), saved))

    def put_array(self, blob: Blob) -> None:
        """Write an array that no document names, if it is not there."""
        with self.together():
            self._keep((blob,), None)

    def array(self, digest: str) -> Blob | None:
        """The array of that digest, read now; None where there is none."""
        with schema.reading(self.path):
            return read_array(self._database, digest)

    def take_back(self) -> None:
        """Take the newest revision away; what it is of stays."""
        with self.together():
            self._database.execute("DELETE FROM revisions WHERE number = (SELECT max(number) FROM revisions)")

    @property
    def revisions(self) -> tuple[str, ...]:
        """The digests of the documents that were saved, newest first."""
        with schema.reading(self.path):
            rows = self._database.execute("SELECT document FROM revisions ORDER BY number DESC")
            return tuple(digest_of(row[0]) for row in rows)

    def document(self, digest: str | None = None) -> Document:
        """The document of that digest, or that of the newest revision; its arrays are read when they are first used."""
        with schema.reading(self.path):
            if digest is None:
                digest = next(iter(self.revisions), None) or self._past.present
            if digest is None:
                raise UnreadableFile(path=self.path, found="a Sinew file without a document", remedy=schema.RESTORE)
            document = self._reader.document(digest)
            validate(document)
            self._last = document
            return document

    def past(self, near: Document | None = None) -> Generator[None, None, Past]:
        """The undo list, newest line first, a line a step. All share what is equal, also with the document `near`."""
        if near is not None:
            self._reader.know(near)
        with schema.reading(self.path):
            return (yield from self._past.read(self._reader))

    @property
    def line_count(self) -> int:
        """Number of lines of the undo list."""
        with schema.reading(self.path):
            return len(self._past)

    def meta(self, name: str) -> str | None:
        """Return the note that was kept under a name."""
        with schema.reading(self.path):
            row = self._database.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
            return None if row is None else str(row[0])

    def note(self, name: str, value: str) -> None:
        """Note a value under a name."""
        with self.together():
            self._database.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))

    @property
    def texts(self) -> Iterator[str]:
        """The texts of all parts."""
        return iter(self._parts.values())

    @property
    def arrays(self) -> tuple[str, ...]:
        """The digests of the arrays that are there."""
        with schema.reading(self.path):
            return tuple(digest_of(row[0]) for row in self._database.execute("SELECT digest FROM arrays"))

    @property
    def end(self) -> tuple[int, int]:
        """The numbers of the last part and of the last array."""
        with schema.reading(self.path):
            last = [
                self._database.execute(f"SELECT max(number) FROM {each}").fetchone()[0] for each in ("parts", "arrays")
            ]
        return last[0] or 0, last[1] or 0

    def check(self, after: tuple[int, int] = (0, 0)) -> None:
        """Read all parts and arrays behind those numbers, and compare each with its digest."""
        with schema.reading(self.path):
            query = "SELECT number, digest FROM parts WHERE number > ? ORDER BY number"
            for number, digest in self._database.execute(query, (after[0],)):
                self._check_part(self._parts.text(number), digest_of(digest))
            query = "SELECT digest FROM arrays WHERE number > ? ORDER BY number"
            for (digest,) in self._database.execute(query, (after[1],)):
                read_array(self._database, digest_of(digest))

    def check_document(self, digest: str) -> None:
        """Read all parts of a document and compare each with its digest; arrays are only looked for."""
        with schema.reading(self.path):
            waiting, seen = [("part", digest)], set[str]()
            while waiting:
                kind, name = waiting.pop()
                if name in seen:
                    continue
                seen.add(name)
                if kind == "part":
                    text = self._parts.get(name)
                    self._check_part(b"" if text is None else text.encode(), name)
                    waiting += _REFERENCE.findall(text or "")
                elif not self._has_array(name) and shipped_array(name) is None:
                    raise InvalidDocument(what="an array", value=name, allowed="an array that the file holds")

    def _check_part(self, text: bytes, digest: str) -> None:
        found = blake2b(text, digest_size=32).hexdigest()
        if found != digest:
            raise InvalidDocument(what=f"the content of part {digest[:12]}", value=found, allowed="its own digest")

    def _keep(self, new: object, old: object) -> None:
        for each, was in changes(new, old, self._has):
            self.between()
            if isinstance(each, Part):
                self._parts.add(each.digest, each.text, None if was is None else was.digest)
            elif not each.ships and each.digest not in (self.without or ()):
                try:
                    here = each.passing() if isinstance(each, StoredBlob) else each
                except MissingArray:
                    if self.without is None:
                        raise
                    self.without.add(each.digest)
                    continue
                self._most_deflated -= insert_array(self._database, here, self._most_deflated)

    def _has(self, each: Part | Blob) -> bool:
        return each.digest in self._parts if isinstance(each, Part) else self._has_array(each.digest)

    def _has_array(self, digest: str) -> bool:
        query = "SELECT 1 FROM arrays WHERE digest = ?"
        return self._database.execute(query, (bytes.fromhex(digest),)).fetchone() is not None

    def _blob(self, digest: str, type: str, shape: tuple[int, ...]) -> Blob:
        if self._has_array(digest):
            found = StoredBlob(self.path, digest, type, shape) if self._lazy else read_array(self._database, digest)
        else:
            found = shipped_array(digest)
        if found is None:
            raise InvalidDocument(what="an array", value=digest, allowed="an array that the file holds")
        return found
