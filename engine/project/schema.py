"""Schema: the tables of a project file, the version of its format, and `connect`, which alone opens a database.

A file may come from anyone. Everything in it that could act is off: trusted schema, triggers, views, whatever is not
one of our tables (`check_schema` compares their texts letter by letter), other databases, functions; what is longer
than the limits below is refused by SQLite before it is read, and a query that does not end is broken off.

Limits: a part's text 64 MB, a piece of an array 16 MB, an array 16 GB
(64 MB if it is deflated), 2 * 10^9 steps of SQLite's machine for one
connection. A file of format 2 holds arrays in one piece, of 1 GB at most.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path, PurePath
from urllib.parse import quote

from engine import __version__
from engine.document.conformance import LONGEST_PART
from engine.project.disk import resolved, unwritable
from engine.project.guard import guard
from engine.project.locking import saving_in
from engine.runtime.errors import EngineError, InvalidDocument, UnreadableFile, reason_of

SUFFIX = ".sinew"
APPLICATION_ID = 0x53494E57  # "SINW", in the header of the file
FORMAT_VERSION = 3
LONGEST_TEXT = LONGEST_PART
PIECE = 16 * 2**20  # of an array, in one row
LONGEST_ARRAY = 16 * 2**30

_META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
TABLES = {
    2: {
        "meta": _META,
        "parts": "CREATE TABLE parts (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
        "blobs": "CREATE TABLE blobs (digest TEXT PRIMARY KEY, data BLOB NOT NULL)",
        "revisions": "CREATE TABLE revisions (number INTEGER PRIMARY KEY, digest TEXT NOT NULL, saved TEXT NOT NULL)",
    },
    3: {
        "meta": _META,
        "parts": "CREATE TABLE parts (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, "
        "base INTEGER, depth INTEGER NOT NULL, head INTEGER NOT NULL, tail INTEGER NOT NULL, "
        "deflated INTEGER NOT NULL, data BLOB NOT NULL)",
        "arrays": "CREATE TABLE arrays (number INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, "
        "type TEXT NOT NULL, shape TEXT NOT NULL, deflated INTEGER NOT NULL, first INTEGER NOT NULL)",
        "pieces": "CREATE TABLE pieces (number INTEGER PRIMARY KEY, data BLOB NOT NULL)",
        "revisions": "CREATE TABLE revisions (number INTEGER PRIMARY KEY, document BLOB NOT NULL, saved TEXT NOT NULL)",
        "past": "CREATE TABLE past (number INTEGER PRIMARY KEY, label TEXT NOT NULL, edit BLOB, "
        "document BLOB NOT NULL)",
    },
}
"""The tables of each version of the format, as the file names them; a later one may add more."""

RESTORE = "Open an earlier copy of the file if there is one, or let Sinew look for what is sound in it."
_PAGE = 4096
LOCKS_FAIL = {
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_IOERR_LOCK,
    sqlite3.SQLITE_IOERR_RDLOCK,
    sqlite3.SQLITE_IOERR_UNLOCK,
    sqlite3.SQLITE_IOERR_CHECKRESERVEDLOCK,
}
_UNSOUND = (EngineError, TypeError, ValueError, ArithmeticError, LookupError, RecursionError)
_TORN = {sqlite3.SQLITE_IOERR_SHORT_READ, getattr(sqlite3, "SQLITE_IOERR_CORRUPTFS", 8458)}
_PASSING = {
    sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOLFS, sqlite3.SQLITE_FULL,
}  # fmt: skip
"""Errors of the disk and of others who are at work on it, which say nothing of what a file holds."""
_TRIES, _APART = 5, 0.03  # [s] between one try to open a file and the next
_PATIENCE = 2.0  # [s] with others who save in its folder
_lock = threading.Lock()
_written: list[tuple[int, int]] = []  # the files that this process has open to write to, each as often as it has
_MAGIC, _JOURNAL_NAME_MAGIC = b"SQLite format 3\0", bytes.fromhex("d9d505f920a163d7")


def connect(
    path: Path,
    *,
    writable: bool = False,
    draft: bool = False,
    locked: bool = True,
    takes_back: bool = False,
    making: bool = False,
    is_wreck: bool = False,
) -> sqlite3.Connection:
    """The database in a file that is there, with everything off that a planted file could use.

    `draft`: no other program knows the file, so that none need be locked out; and it is thrown away if anything fails,
    so that it needs no journal. `takes_back`: what a crash left unfinished is taken back first. `making`: the file is
    empty, and gets our tables. `is_wreck`: it may be shorter than it says.
    """
    # Without locks, what a crash left unfinished looks like what is being written.
    mode = "rw" if writable or (takes_back and locked and has_journal(path)) else "ro"
    address = address_of(resolved(path), f"mode={mode}{'' if locked and not draft else '&nolock=1'}")
    database = sqlite3.connect(address, uri=True, isolation_level=None, timeout=2.0, check_same_thread=False)
    try:
        database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_TEXT + 4096)
        database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        if is_wreck and not writable:
            database.execute("PRAGMA writable_schema = ON")  # else SQLite reads nothing of a file that was cut
        kept = ("journal_mode = OFF", "synchronous = OFF") if draft else ("synchronous = EXTRA",)
        only = f"query_only = {'OFF' if writable else 'ON'}"
        for setting in ("trusted_schema = OFF", "cell_size_check = ON", "temp_store = MEMORY", *kept, only):
            database.execute(f"PRAGMA {setting}").fetchall()
        if making:
            database.execute(f"PRAGMA page_size = {_PAGE}")
            make_tables(database)
        guard(database, {*TABLES[2], *TABLES[3]}, writable=writable)
    except BaseException:
        database.close()
        raise
    return database


def address_of(path: PurePath, options: str) -> str:
    """A path as SQLite takes it; `as_uri` would make the server of a Windows share the address's own."""
    plain = path.as_posix()
    return f"file://{'' if plain.startswith('/') else '/'}{quote(os.fsencode(plain), safe='/:')}?{options}"


def create(path: Path, *, draft: bool = False) -> sqlite3.Connection:
    """A new database in an empty file that no other program knows yet."""
    try:
        return connect(path, writable=True, draft=draft, making=True)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) not in LOCKS_FAIL:
            raise
        return connect(path, writable=True, draft=draft, locked=False, making=True)


def in_memory() -> sqlite3.Connection:
    """A new database without a file."""
    database = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    try:
        make_tables(database)
    except BaseException:
        database.close()
        raise
    return database


def make_tables(database: sqlite3.Connection) -> None:
    """Our tables, and who made them."""
    database.execute("BEGIN")
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    for text in TABLES[FORMAT_VERSION].values():
        database.execute(text)
    meta = (("format", str(FORMAT_VERSION)), ("program", f"Sinew {__version__}"))
    database.executemany("INSERT INTO meta VALUES (?, ?)", meta)
    database.execute("COMMIT")


def version_of(path: Path, database: sqlite3.Connection) -> int:
    """The version of the format, its tables compared with what they have to be; refuses what is not ours."""
    found = tables_of(database)
    version = 0
    if found.get("meta") == ("table", _META):
        row = database.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
        version = whole_number(row[0] if row else None) or 0
    if version < 2:
        trial = "format 1, made by a trial version of Sinew, before the first release"
        what = trial if version else "no known format version"
        remedy = f"This Sinew ({__version__}) reads the formats 2 to {FORMAT_VERSION}."
        raise UnreadableFile(path=path, found=what, remedy=remedy)
    check_tables(path, found, version)
    return version


def tables_of(database: sqlite3.Connection) -> dict[str, tuple[str, str]]:
    """List the tables and indices of a database: kind and text by name."""
    rows = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
    return {str(name): (str(kind), str(text)) for kind, name, text in rows}


def check_tables(path: Path, found: dict[str, tuple[str, str]], version: int) -> None:
    """Refuse a file in which one of our tables is another than it has to be, or something else stands that acts."""
    known = TABLES[min(version, FORMAT_VERSION)]
    for name, text in known.items():
        if found.get(name) != ("table", text):
            what = f"no table of {name}" if name not in found else f"a table of {name} that is not Sinew's"
            if version > FORMAT_VERSION:
                what = f"format {version}, made by a newer Sinew, with {what}"
            raise UnreadableFile(path=path, found=what, remedy=RESTORE)
    for name, (kind, text) in found.items():
        ours = name in known or (name.startswith("sqlite_autoindex_") and kind == "index" and text == "None")
        inert = kind in ("table", "index") and not text.upper().startswith("CREATE VIRTUAL")
        newer = version > FORMAT_VERSION and inert
        if not (ours or newer):
            what = f"the {kind} {name!r:.60}, which is none of Sinew's"
            raise UnreadableFile(path=path, found=what, remedy="Do not trust the file: somebody has changed it.")


@contextmanager
def being_written(path: Path) -> Iterator[None]:
    """Note that this process has a file open to write to, from before it is opened until it is closed."""
    with _lock:
        number = _number_of(path)
        _written.append(number)
    try:
        yield
    finally:
        _written.remove(number)  # at once: a store that nobody closed ends wherever it may, where the lock is held, too


def _number_of(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def check_head(path: Path) -> None:
    """Refuse what is not a Sinew file before SQLite sees it. One that this process writes to was looked at then: the
    system lets go of all locks that a process has on a file when it closes the file once."""
    if path.is_dir():
        raise UnreadableFile(path=path, found="a folder", remedy=f"Choose a {SUFFIX} file.")
    try:
        with _lock:
            if _written and _number_of(path) in _written:
                return
            with path.open("rb") as file:
                head = file.read(100)
        _refuse_foreign_journal(path)
    except FileNotFoundError as error:
        remedy = "Check the name and the folder."
        raise UnreadableFile(path=path, found="no file of that name", remedy=remedy) from error
    except (OSError, ValueError) as error:
        found = reason_of(error)
        raise UnreadableFile(path=path, found=found, remedy="Check the name, and that you may read it.") from error
    if not head.startswith(_MAGIC) or head[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        found = "an empty file" if not head else "a file that is not a Sinew document"
        raise UnreadableFile(path=path, found=found, remedy=f"Choose a {SUFFIX} file that Sinew saved.")
    if head[18:20] != b"\1\1":  # it would be read together with other files beside it
        raise UnreadableFile(path=path, found="a Sinew file that another program has changed", remedy=RESTORE)


def whole_number(value: object) -> int | None:
    """Read a whole number that a file notes as text; None where it is none that a file of ours holds."""
    text = str(value)
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def digest_of(value: object) -> str:
    """A digest as parts name it, from what stands in a row."""
    if not isinstance(value, bytes) or len(value) != 32:
        raise InvalidDocument(what="a digest", value=str(value)[:80], allowed="32 bytes")
    return value.hex()


@contextmanager
def opened(path: Path) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A file to read, and the version of its format."""
    with reading(path):
        database, version = open_to_read(path)
        with closing(database):
            yield database, version


def open_to_read(path: Path) -> tuple[sqlite3.Connection, int]:
    """Open a file to read as it stands now, and tell its format's version; the caller closes it. Where the disk cannot
    lock files, as some network drives, it does without: what stands there is replaced as a whole or written by nobody
    else.

    Between two saves of other programs the journal of one may look like what a crash has left, for a moment; taken
    back is only what goes on looking so, while nobody saves there.
    """
    check_head(path)
    for left in reversed(range(_TRIES)):
        try:
            if left:
                return _with_version(path, locked=True)
            with saving_in(path.parent, _PATIENCE) as is_alone:
                return _with_version(path, locked=True, takes_back=is_alone)
        except sqlite3.Error as error:
            code = getattr(error, "sqlite_errorcode", 0)
            if code in LOCKS_FAIL:
                break
            if not left or code & 0xFF not in _PASSING or code in _TORN:
                raise
            time.sleep(_APART)
    return _with_version(path, locked=False)


def _with_version(path: Path, *, locked: bool, takes_back: bool = False) -> tuple[sqlite3.Connection, int]:
    database = connect(path, locked=locked, takes_back=takes_back)
    try:
        database.execute("BEGIN")  # so that all that is read stood there at one time
        return database, version_of(path, database)
    except BaseException:
        database.close()
        raise


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors of reading a file into one that says what a person can do."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:
        whole = getattr(error, "sqlite_errorcode", 0)
        code = whole & 0xFF
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            found, remedy = f"a file that another program is writing ({error})", "Try again."
        elif code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and has_journal(path):
            found = f"a file whose last save was broken off, in a folder that may not be written to ({error})"
            remedy = f"Copy it and {journal_of(path).name} to another folder, and open it there."
        elif code in _PASSING and whole not in _TORN:
            found = f"a file that cannot be read now ({error})"
            remedy = "Try again; if it comes again, check the drive or the network and that you may read the file."
        else:
            found, remedy = f"a damaged Sinew file ({error})", RESTORE
        raise UnreadableFile(path=path, found=found, remedy=remedy) from error
    except OSError as error:
        found = error.strerror or str(error)
        raise UnreadableFile(path=path, found=found, remedy="Check that you may read it.") from error
    except UnreadableFile:
        raise
    except MemoryError as error:
        found = "more than the memory that is free"
        raise UnreadableFile(path=path, found=found, remedy="Close other programs and try again.") from error
    except _UNSOUND as error:
        raise UnreadableFile(path=path, found=f"content that is not sound: {error}", remedy=RESTORE) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn errors of writing a file into one that says what a person can do."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        raise unwritable(path, error) from error


def journal_of(path: Path) -> Path:
    """Return the path of SQLite's journal: what a change would overwrite, until it is done."""
    target = resolved(path)
    return target.with_name(f"{target.name}-journal")


def has_journal(path: Path) -> bool:
    """Tell whether a change is going on, or was broken off."""
    with suppress(OSError):
        return journal_of(path).stat().st_size > 0
    return False


def _refuse_foreign_journal(path: Path) -> None:
    """A journal that names yet another file, which SQLite would remove, is none of ours: we write to one at a time."""
    if not has_journal(path):
        return
    with suppress(FileNotFoundError), journal_of(path).open("rb") as file:
        if file.seek(0, 2) >= 8:
            file.seek(-8, 2)
            if file.read(8) == _JOURNAL_NAME_MAGIC:
                found = "a journal beside it that names other files"
                remedy = f"Remove {journal_of(path).name} if you do not know where it comes from."
                raise UnreadableFile(path=path, found=found, remedy=remedy)
