"""CopyFile: one recovery copy on the disk, as the writer's thread has it; and how a large document is encoded without
holding the others up.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from engine.document import Blob, Document, Part
from engine.document.parts import children
from engine.edits import Edit
from engine.project import disk, runs
from engine.project.arrays import MissingArray
from engine.project.past import Past
from engine.project.runs import Note
from engine.project.store import Store
from engine.runtime.errors import EngineError, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

GENTLE = 0.0005  # [s] after which a thread that encodes lets others go on; Python's own is ten times as long
BREAK = 0.0001  # [s]
PATIENCE = 3  # tries before it is written without an array that cannot be read
GONE = "its file has gone"
DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class LostCopy(EngineError):
    """A copy whose file has gone, or is damaged."""

    def __init__(self, *, path: Path, found: str) -> None:
        super().__init__(f"the recovery copy {path.name} was lost: {found}. Another is begun.")
        self.path, self.found = path, found


Act = Callable[["CopyFile"], None]


@dataclass(frozen=True, kw_only=True)
class UndoPosition:
    """Position of a copy's undo list: the place of its present line, and of the one that is saved, if it is there."""

    name: str
    path: Path | None
    position: int
    saved_at: int | None

    @property
    def changes(self) -> int:
        """Number of lines between what is saved and what is present; all of them if nothing is."""
        return abs(self.position - (self.saved_at or 0))

    def note(self, state: runs.State) -> Note:
        """Compose the note of a copy as it is now."""
        path = None if self.path is None else str(self.path)
        unsaved = self.saved_at != self.position
        return Note(name=self.name, path=path, when=time.time(), changes=self.changes, unsaved=unsaved, state=state)


@dataclass(frozen=True)
class Tried:
    """A write that may have failed: what it notes in the file, where that stands then, how many acts it does."""

    note: Note
    standing: UndoPosition
    count: int


class CopyFile:
    """One file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        runs.at_work.add(path)
        self.after: list[Callable[[], None]] = []  # to be done once it is written
        self.is_open = True
        self._store: Store | None = None
        self._identity: os.stat_result | None = None
        self._standing: UndoPosition | None = None
        self._tried: Tried | None = None
        self._state: runs.State = "open"
        self._is_kept = True
        self._patience = PATIENCE
        self._has_picture = True  # as far as that was tried
        self.said: list[str] = []  # messages to a person

    def take(self, acts: Sequence[Act]) -> None:
        """Do all of these acts or none."""
        before = self._standing
        try:
            acts = self._missing(acts)
            with gently():
                self._do(acts)
        except UnwritableFile as error:
            self._standing = before
            code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
            if code in DAMAGED or not self._is_there():
                raise LostCopy(path=self.path, found=error.found if code in DAMAGED else GONE) from error
            raise
        for each in self.after:
            with suppress(OSError, EngineError):  # of another file than this one, which is whole
                each()
        self.after.clear()
        if not self.is_open:
            self._leave()

    def release(self) -> None:
        """Close the file as it is."""
        if self._store is not None:
            self._store.close()
            self._store = None
        runs.at_work.discard(self.path)

    # Acts

    def begin(self, name: str, path: Path | None, past: Past, *, unsaved: bool) -> None:
        """The undo list as it is when the copy begins."""
        store = self._store
        assert store is not None, "made before acts are done"
        for each in past.entries:
            digest_parts(each.document, store.between)
        store.put_past(past)
        saved_at = None if unsaved else past.position
        self._standing = UndoPosition(name=name, path=path, position=past.position, saved_at=saved_at)

    def commit(self, label: str, edit: Edit | None, document: Document) -> None:
        """One line more."""
        store, was = self._begun()
        digest_parts(document, store.between)
        store.append(label, edit, document)
        gone = was.saved_at is not None and was.saved_at > was.position
        self._standing = replace(was, position=was.position + 1, saved_at=None if gone else was.saved_at)

    def extend(self, past: Past) -> None:
        """The undo list goes farther back."""
        store, was = self._begun()
        for each in past.entries:
            digest_parts(each.document, store.between)
        store.put_past(past)
        more = past.position - was.position
        self._standing = replace(
            was, position=past.position, saved_at=None if was.saved_at is None else was.saved_at + more
        )

    def step(self, position: int) -> None:
        """Another line is the present one."""
        store, was = self._begun()
        store.step(position)
        self._standing = replace(was, position=position)

    def saved(self, path: Path | None, name: str, position: int | None) -> None:
        """A line is in a file."""
        _, was = self._begun()
        self._standing = replace(was, path=path, name=name, saved_at=position)

    def picture(self, png: bytes) -> None:
        """Write a picture of the document beside the file."""
        try:
            disk.write_beside(self.path.with_suffix(runs.PICTURE), png)
        except OSError as error:  # which holds nothing else up
            if self._has_picture:
                self.said.append(f"A recovery copy has no new picture: {disk.unwritable(self.path, error).found}.")
            self._has_picture = False
        else:
            self._has_picture = True

    def close(self, *, kept: bool, offered: bool) -> None:
        """Close the copy: it takes nothing any more."""
        self.is_open, self._is_kept = False, kept
        self._state = "open" if offered else "closed"

    # How it is done

    def _begun(self) -> tuple[Store, UndoPosition]:
        assert self._store is not None, "made before acts are done"
        assert self._standing is not None, "the first act is `begin`"
        return self._store, self._standing

    def _missing(self, acts: Sequence[Act]) -> Sequence[Act]:
        """List the acts that are not in the file: of a write that failed at its last call all may be there."""
        tried = self._tried
        if tried is None or self._store is None:
            return acts
        with suppress(EngineError):  # nothing was ever written, or nothing can be now
            if Note.of(self._store) == tried.note:
                self._tried, self._standing = None, tried.standing
                return acts[tried.count :]
        return acts

    def _do(self, acts: Sequence[Act]) -> None:
        try:
            store = self._found()
            with store.together():
                for act in acts:
                    act(self)
                standing = self._begun()[1]
                note = standing.note(self._state)
                note.write(store)
                self._tried = Tried(note, standing, len(acts))
            self._tried = None
        except OSError as error:
            raise disk.unwritable(self.path, error) from error
        except MissingArray as error:
            self._miss(error)
            raise UnwritableFile(path=self.path, found=error.found, remedy=error.remedy) from error

    def _miss(self, error: MissingArray) -> None:
        """Leave out, after some tries, what cannot be read: of a copy without it the rest can be salvaged."""
        self._patience -= 1
        if self._patience <= 0 and self._store is not None and self._store.without is None:
            self._store.without = set()
            self.said.append(f"A recovery copy is without some numbers: {error.found}. {error.remedy}")

    def _found(self) -> Store:
        """The open file, made first if need be; refused if another stands in its place, or none."""
        if self._store is None:
            try:
                self._store = Store.create(self.path, is_home=False)
                self._store.between = Breaks()
                self._identity = self.path.stat()
            except (OSError, UnwritableFile):
                if self._store is not None:
                    self._store.close()
                    self._store = None
                self._remove()
                raise
        if not self._is_there():
            raise LostCopy(path=self.path, found=GONE)
        return self._store

    def _is_there(self) -> bool:
        """Tell whether the file has not gone since it was made, and no other stands in its place."""
        try:
            return self._identity is None or os.path.samestat(self._identity, self.path.stat())
        except OSError:
            return False

    def _leave(self) -> None:
        self.release()
        if not self._is_kept:
            self._remove()

    def _remove(self) -> None:
        with suppress(OSError):  # it is pruned later
            runs.remove_copy(self.path)


def digest_parts(value: object, between: Callable[[], None]) -> None:
    """Have the digest of every part worked out, each after those that it is made of: a digest that works out all
    others keeps every thread waiting that asks for one."""
    if isinstance(value, Part) and "digest" in value.__dict__:
        return
    for child in children(value):
        digest_parts(child, between)
    if isinstance(value, Part | Blob):
        _ = value.digest
        between()


class Breaks:
    """Short ones, in which other threads go on.

    A thread that lets go of the interpreter for a moment now and then, as digests and SQLite do, takes it up again
    before another wakes, which then counts its waiting from the start: so nobody else's turn ever comes.
    """

    def __init__(self) -> None:
        self._since = time.perf_counter()

    def __call__(self) -> None:
        """Take one if it is time."""
        if time.perf_counter() - self._since > GENTLE:
            time.sleep(BREAK)
            self._since = time.perf_counter()


@contextmanager
def gently() -> Iterator[None]:
    """Let other threads go on more often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(min(GENTLE, before))
    try:
        yield
    finally:
        sys.setswitchinterval(before)
