"""The native file: one SQLite database that holds every part of a document once, by its digest.

Tables: `meta` (the format version, the program's version), `parts` (digest, canonical text), `blobs` (digest, the
bytes of an array; not of one that ships with Sinew), `revisions` (the digest of the document's root and when it was
saved). A write makes a new database beside the old file, syncs it, reads it
back whole, and only then renames it over the old one and syncs the folder: a save that fails at any point leaves the
old file as it was. Reading checks every part against its digest and the whole against `validate`.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from engine import __version__
from engine.document import Blob, Document, decode_document, encode_document, validate
from engine.formats.format import Contents, Format, Options
from engine.runtime.errors import InvalidDocument, UnreadableFile, UnwritableFile

SUFFIX = ".sinew"
APPLICATION_ID = 0x53494E57  # "SINW", in the header of the file
FORMAT_VERSION = 2

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE parts (digest TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE blobs (digest TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE revisions (number INTEGER PRIMARY KEY, digest TEXT NOT NULL, saved TEXT NOT NULL);
"""


def read(path: Path | str) -> Document:
    """The document that the file holds."""
    path = Path(path)
    _check_is_file(path)
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as database:
            return _read(path, database)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise UnreadableFile(path=path, found=f"a damaged Sinew file ({error})", remedy=_RESTORE) from error
    except (InvalidDocument, ValueError, RecursionError) as error:
        raise UnreadableFile(path=path, found=f"content that is not sound: {error}", remedy=_RESTORE) from error


def write(path: Path | str, document: Document) -> None:
    """Save the whole document at `path`, replacing what stood there only after the new file was read back."""
    path = Path(path)
    target = path.resolve()  # a link stays a link; the file that it names is replaced
    if path.is_dir():
        raise UnwritableFile(path=path, found="it is a folder", remedy="Choose the name of a file.")
    try:
        with _beside(target) as draft:
            _fill(draft, document)
            _sync(draft)
            if read(draft).digest != document.digest:
                raise UnwritableFile(path=path, found="what was written does not read back", remedy=_ELSEWHERE)
            os.chmod(draft, _mode(target))
            os.replace(draft, target)
            _sync(target.parent)
    except UnreadableFile as error:
        found = f"what was written does not read back ({error.found})"
        raise UnwritableFile(path=path, found=found, remedy=_ELSEWHERE) from error
    except (OSError, sqlite3.Error) as error:
        found = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise UnwritableFile(path=path, found=found, remedy=_ELSEWHERE) from error


_RESTORE = "Open an earlier copy of the file if there is one."
_ELSEWHERE = "Save under another name or in another folder; the work is still open here."


def _check_is_file(path: Path) -> None:
    if path.is_dir():
        raise UnreadableFile(path=path, found="a folder", remedy=f"Choose a {SUFFIX} file.")
    try:
        with path.open("rb") as file:
            head = file.read(72)
    except FileNotFoundError as error:
        raise UnreadableFile(
            path=path, found="no file of that name", remedy="Check the name and the folder."
        ) from error
    except OSError as error:
        found = error.strerror or str(error)
        raise UnreadableFile(path=path, found=found, remedy="Check that you may read it.") from error
    if not head.startswith(b"SQLite format 3\0") or head[68:72] != APPLICATION_ID.to_bytes(4, "big"):
        found = "an empty file" if not head else "a file that is not a Sinew document"
        raise UnreadableFile(path=path, found=found, remedy=f"Choose a {SUFFIX} file that Sinew saved.")


def _read(path: Path, database: sqlite3.Connection) -> Document:
    row = database.execute("SELECT value FROM meta WHERE name = 'format'").fetchone()
    version = int(row[0]) if row and str(row[0]).isdigit() else 0
    if version != FORMAT_VERSION:
        who = "a newer Sinew" if version > FORMAT_VERSION else "a trial version of Sinew, before the first release"
        found = f"format {version}, made by {who}" if version else "no known format version"
        raise UnreadableFile(
            path=path, found=found, remedy=f"This Sinew ({__version__}) reads format {FORMAT_VERSION}."
        )
    parts = dict(database.execute("SELECT digest, text FROM parts"))
    revision = database.execute("SELECT digest FROM revisions ORDER BY number DESC LIMIT 1").fetchone()
    if revision is None:
        raise UnreadableFile(path=path, found="a Sinew file without a document", remedy=_RESTORE)
    document = decode_document(str(revision[0]), parts, partial(_blob, database))
    validate(document)
    return document


def _blob(database: sqlite3.Connection, digest: str) -> bytes | Blob:
    row = database.execute("SELECT data FROM blobs WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        from engine.formats.skin_npz import shipped_array  # here, for most files need none

        shipped = shipped_array(digest)
        if shipped is not None:
            return shipped
    if row is None or not isinstance(row[0], bytes):
        raise InvalidDocument(what="an array", value=digest, allowed="an array that the file holds")
    return row[0]


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A file of its own name in the same folder, so that the rename is atomic; gone afterwards if it was not used."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    os.close(handle)
    draft = Path(name)
    try:
        yield draft
    finally:
        for each in (draft, draft.with_name(f"{draft.name}-journal")):
            with suppress(OSError):
                each.unlink()


def _fill(draft: Path, document: Document) -> None:
    with closing(sqlite3.connect(draft)) as database, database:
        database.execute("PRAGMA synchronous = FULL")
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.executescript(_TABLES)
        meta = (("format", str(FORMAT_VERSION)), ("program", f"Sinew {__version__}"))
        database.executemany("INSERT INTO meta VALUES (?, ?)", meta)
        encoded = encode_document(document)
        database.executemany("INSERT INTO parts VALUES (?, ?)", sorted(encoded.texts.items()))
        arrays = ((digest, blob.data) for digest, blob in sorted(encoded.blobs.items()) if not blob.ships)
        database.executemany("INSERT INTO blobs VALUES (?, ?)", arrays)
        saved = datetime.now(UTC).isoformat(timespec="seconds")
        database.execute("INSERT INTO revisions VALUES (1, ?, ?)", (document.digest, saved))


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that any new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _sync(path: Path) -> None:
    """Ask the disk to keep what was written; folders can be synced on POSIX only."""
    if os.name != "posix" and path.is_dir():
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _read_contents(path: Path, options: Options) -> Contents:
    return Contents(document=read(path))


def _write_contents(path: Path, contents: Contents, options: Options) -> None:
    if contents.document is None:
        raise UnwritableFile(path=path, found="no document to save", remedy="Give the whole document.")
    write(path, contents.document)


FORMAT = Format(
    name="Sinew document",
    suffixes=(SUFFIX,),
    kind="document",
    read=_read_contents,
    write=_write_contents,
    about="Everything: actors, motion and arrays, exactly.",
    limits="what the disk holds",
)
