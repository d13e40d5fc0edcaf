"""SQLite with a tap on its files: a file system of our own, by apsw, and a connection with the calls of `sqlite3` that
`engine.project` uses. apsw brings an SQLite of its own; what it wrote is read by the program's afterwards.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import apsw

from tests.reliability.tap import IN_VAIN, Change, Do, Kind, PowerCut, Tap

_numbers = count()
_CODES: dict[Kind, int] = {
    "write": sqlite3.SQLITE_IOERR_WRITE,
    "sync": sqlite3.SQLITE_IOERR_FSYNC,
    "sync_folder": sqlite3.SQLITE_IOERR_DIR_FSYNC,
    "cut": sqlite3.SQLITE_IOERR_TRUNCATE,
    "remove": sqlite3.SQLITE_IOERR_DELETE,
    "read": sqlite3.SQLITE_IOERR_READ,
}
"""What SQLite's own file system answers, whatever the system's error was."""

_WHOLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class TappedFile(apsw.VFSFile):
    """One file of a database, or its journal."""

    def __init__(self, tap: Tap, name: Any, flags: list[int]) -> None:
        self._tap = tap
        self._path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name)
        self._has_new_name = bool(flags[0] & apsw.SQLITE_OPEN_MAIN_JOURNAL)
        is_new = bool(flags[0] & apsw.SQLITE_OPEN_CREATE) and not self._path.exists()
        _pass(tap, Change("make" if is_new else "open", self._path), lambda change: self._open(name, flags))

    def _open(self, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:
        found: list[bytes] = []
        read = super().xRead
        _pass(self._tap, Change("read", self._path), lambda change: found.append(read(amount, offset)))
        return found[0]

    def xWrite(self, data: bytes, offset: int) -> None:
        write = super().xWrite
        _pass(
            self._tap,
            Change("write", self._path, bytes(data), offset),
            lambda change: write(change.data, change.place),
        )

    def xTruncate(self, newsize: int) -> None:
        cut = super().xTruncate
        _pass(self._tap, Change("cut", self._path, place=newsize), lambda change: cut(newsize))

    def xSync(self, flags: int) -> None:
        sync = super().xSync
        _pass(self._tap, Change("sync", self._path), lambda change: sync(flags))
        if self._has_new_name:  # SQLite syncs the folder of a journal with it, once
            self._has_new_name = False
            _pass(self._tap, Change("sync_folder", self._path.parent), lambda change: None)


class TappedFiles(apsw.VFS):
    """The file system."""

    def __init__(self, tap: Tap) -> None:
        self.name, self._tap = f"tapped-{next(_numbers)}", tap
        super().__init__(self.name, "")

    def xOpen(self, name: Any, flags: list[int]) -> TappedFile:
        return TappedFile(self._tap, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        path, delete = Path(filename), super().xDelete
        _pass(self._tap, Change("remove", path), lambda change: delete(filename, syncdir))
        if syncdir:
            _pass(self._tap, Change("sync_folder", path.parent), lambda change: None)


def _pass(tap: Tap, change: Change, do: Do) -> None:
    """What the tap refuses, as SQLite is told of it."""
    try:
        tap.step(change, do)
    except PowerCut:
        raise _refusal(change, errno.EIO, "the power is off") from None
    except apsw.Error:
        raise
    except OSError as error:
        raise _refusal(change, error.errno or 0, str(error)) from None


def _refusal(change: Change, number: int, text: str) -> apsw.Error:
    """SQLite's error for one of the system's, with its code: apsw gives none to errors that it did not make."""
    code = _CODES.get(change.kind, sqlite3.SQLITE_CANTOPEN)
    if change.kind == "write" and number == errno.ENOSPC:
        code = sqlite3.SQLITE_FULL
    kinds = {sqlite3.SQLITE_FULL: apsw.FullError, sqlite3.SQLITE_CANTOPEN: apsw.CantOpenError}
    error = kinds.get(code, apsw.IOError)(text)
    vars(error).update(result=code & 0xFF, extendedresult=code)
    return error


class Rows:
    """What a statement answers."""

    def __init__(self, owner: TappedConnection, cursor: Any) -> None:
        self._owner, self._cursor = owner, cursor
        self.lastrowid = owner.apsw.last_insert_rowid()

    def fetchone(self) -> Any:
        return next(self, None)

    def fetchall(self) -> list[Any]:
        return [*self]

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        with self._owner.told():
            return next(self._cursor)


class TappedConnection:
    """The calls of `sqlite3.Connection` that a project needs."""

    def __init__(self, address: str, tap: Tap, files: TappedFiles, timeout: float) -> None:
        self._tap = tap
        flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI
        with self.told():
            self.apsw = apsw.Connection(address, flags, files.name)
            self.apsw.set_busy_timeout(round(1000 * min(timeout, IN_VAIN)))

    @contextmanager
    def told(self) -> Iterator[None]:
        """What SQLite refuses, as `sqlite3` tells it; what a machine does that is off."""
        try:
            yield
        except apsw.Error as error:
            self._refuse_when_off()
            code = getattr(error, "extendedresult", 0) or getattr(error, "result", 0)
            kind = sqlite3.DatabaseError if code & 0xFF in _WHOLE else sqlite3.OperationalError
            raised = kind(str(error))
            raised.sqlite_errorcode = code
            raise raised from error
        finally:
            self._refuse_when_off()

    def _refuse_when_off(self) -> None:
        if self._tap.is_off:
            raise PowerCut

    def execute(self, sql: str, values: Sequence[object] = ()) -> Rows:
        with self.told():
            return Rows(self, self.apsw.execute(sql, values))

    def executemany(self, sql: str, values: Iterable[Sequence[object]]) -> None:
        with self.told():
            self.apsw.executemany(sql, values)

    @property
    def in_transaction(self) -> bool:
        return bool(self.apsw.in_transaction)

    def setlimit(self, category: int, limit: int) -> None:
        self.apsw.limit(category, limit)

    def set_authorizer(self, allow: Any) -> None:
        self.apsw.authorizer = allow

    def set_progress_handler(self, spend: Any, steps: int) -> None:
        self.apsw.set_progress_handler(spend, steps)

    def close(self) -> None:
        self.apsw.close()


@contextmanager
def opening(tap: Tap) -> Iterator[Callable[..., Any]]:
    """What takes the place of `sqlite3.connect`; databases in memory stay the program's own."""
    files, usual, connections = TappedFiles(tap), sqlite3.connect, list[TappedConnection]()

    def connect(address: str, *, timeout: float = 5.0, **options: Any) -> Any:
        if not address.startswith("file:"):
            return usual(address, timeout=timeout, **options)
        connections.append(TappedConnection(address, tap, files, timeout))
        return connections[-1]

    try:
        yield connect
    finally:
        for each in connections:
            each.close()
        files.unregister()
