"""Disk: the few calls that change files. Tests put another `Disk` here, which fails where they want it to.

What SQLite writes does not pass here; `engine.project.schema.connect` alone opens a database.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from engine.project.locking import is_alive
from engine.runtime.errors import UnwritableFile

PART = ".part"  # how a file ends that is being written
_DRAFT = re.compile(r"\..+\.(\d{1,9})-(?:former|[a-z0-9_]{8})\.part", re.DOTALL)
_LONGEST_NAME = 150  # bytes
_BROKEN_OFF, _FORGOTTEN = 60.0, 3600.0  # [s] after which nobody writes to a draft, of a dead process and of any
_swept: set[Path] = set()  # folders, by this process
_MASK = os.umask(0)  # read but once: meanwhile whatever another thread makes is open to everybody
os.umask(_MASK)


class Disk:
    """The calls as the system gives them."""

    def make(self, folder: Path, name: str) -> Path:
        """A new empty file of its own name beside the one of that name, which tells who makes it."""
        handle, found = tempfile.mkstemp(prefix=f".{short(name)}.{os.getpid()}-", suffix=PART, dir=folder)
        os.close(handle)
        return Path(found)

    def write(self, path: Path, data: bytes) -> None:
        """The whole content of a file."""
        path.write_bytes(data)

    def write_new(self, path: Path, data: bytes) -> None:
        """A file that is not there yet; raises FileExistsError if it is, so that only one of two makes it."""
        with path.open("xb") as file:
            file.write(data)

    def append(self, path: Path, data: bytes) -> None:
        """Bytes at the end of a file, which is made if need be."""
        with path.open("ab") as file:
            file.write(data)

    def cut(self, path: Path, size: int) -> None:
        """Take away what stands behind the first `size` bytes of a file."""
        os.truncate(path, size)

    def sync(self, path: Path) -> None:
        """Wait until the content of a file has reached the disk."""
        handle = os.open(path, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the names in a folder have; on Windows that is not the programs' to ask."""
        if os.name != "posix":
            return
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network drives cannot
                raise
        finally:
            os.close(handle)

    def replace(self, source: Path, target: Path) -> None:
        """Give a file another's name, at once."""
        os.replace(source, target)

    def link(self, source: Path, target: Path) -> None:
        """A second name for a file; a copy where the disk has no such names."""
        try:
            os.link(source, target)
        except OSError as error:
            if isinstance(error, FileExistsError | FileNotFoundError):
                raise
            self.write(target, source.read_bytes())
            self.sync(target)

    def remove(self, path: Path) -> None:
        """Remove a file; one that is gone already is no matter."""
        path.unlink(missing_ok=True)


class _Present:
    disk = Disk()


def present() -> Disk:
    """The disk that everything here writes to."""
    return _Present.disk


def put(disk: Disk) -> Disk:
    """Write to another disk from now on; gives the one before, to be put back."""
    before, _Present.disk = _Present.disk, disk
    return before


def write_new(path: Path, data: bytes) -> None:
    """A file that is not there yet; raises FileExistsError if it is."""
    present().write_new(path, data)


def append(path: Path, data: bytes) -> None:
    """Bytes at the end of a file, which is made if need be."""
    present().append(path, data)


def cut(path: Path, size: int) -> None:
    """Take away what stands behind the first `size` bytes of a file."""
    present().cut(path, size)


def sync(path: Path) -> None:
    """Wait until the content of a file has reached the disk."""
    present().sync(path)


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder have."""
    present().sync_folder(folder)


def replace(source: Path, target: Path) -> None:
    """Give a file another's name, at once."""
    present().replace(source, target)


def link(source: Path, target: Path) -> None:
    """A second name for a file."""
    present().link(source, target)


def remove(path: Path) -> None:
    """Remove a file; one that is gone already is no matter."""
    present().remove(path)


def resolved(path: Path) -> Path:
    """The path behind all links. Raises OSError for a ring of links and for a name that no file can have."""
    try:
        found = path.resolve()
    except (RuntimeError, ValueError) as error:
        raise OSError(errno.ELOOP, str(error)) from error
    if found.is_symlink():  # a ring, of which Python 3.13 says nothing
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return found


def short(name: str) -> str:
    """A name that leaves room for what is put around it, which a file system counts in bytes."""
    if len(os.fsencode(name)) <= _LONGEST_NAME:
        return name
    return name.encode("utf-8", "replace")[:_LONGEST_NAME].decode("utf-8", "ignore")


def sweep(folder: Path) -> None:
    """Remove what writers that were killed have left in a folder; those of other machines some time later."""
    _swept.add(folder)
    with suppress(OSError):
        for each in folder.glob(f".*{PART}"):
            process = _DRAFT.fullmatch(each.name)
            if process is not None:
                age = time.time() - each.stat().st_mtime
                if age > (_FORGOTTEN if is_alive(int(process[1])) else _BROKEN_OFF):
                    remove(each)


def make_folder(folder: Path) -> None:
    """A folder, and those above it that are not there; their names have reached the disk then."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    for each in new:
        sync_folder(each.parent)


Writer = Callable[[Path], None]


def write_beside(path: Path, content: bytes | Writer, check: Writer | None = None) -> None:
    """Write a file whole: beside it, synced, checked, renamed over it, the folder synced. Whatever fails, what stood
    at `path` is as it was and nothing else is left. Raises what the system says."""
    if "\0" in path.name:
        raise OSError(errno.EINVAL, "a null character in its name")
    draft = present().make(path.parent, path.name)
    try:
        if isinstance(content, bytes):
            present().write(draft, content)
        else:
            content(draft)
        sync(draft)
        if check is not None:
            check(draft)
        with suppress(OSError):  # some drives know no permissions, or let nobody change them
            draft.chmod(_mode(path))
        replace(draft, path)
    except BaseException:
        for each in (draft, draft.with_name(f"{draft.name}-journal")):
            with suppress(OSError):
                remove(each)
        raise
    sync_folder(path.parent)
    if path.parent not in _swept:
        sweep(path.parent)


def _mode(path: Path) -> int:
    """The permissions of the file that is replaced, or those that any new file gets."""
    if path.exists():
        return path.stat().st_mode & 0o777
    return 0o666 & ~_MASK


class _Cause(NamedTuple):
    found: str
    remedy: str


_FULL = _Cause("the disk is full", "Make some room or save on another disk; the work is still open here.")
_FORBIDDEN = _Cause(
    "you may not write there", "Save in another folder, or change the permissions; the work is still open here."
)
_GONE = _Cause(
    "there is no such folder",
    "Bring the folder or its drive back, or save in another folder; the work is still open here.",
)
_DEAF = _Cause("the disk does not answer", "Check the drive or the network, or save elsewhere; the work is still open.")
_BUSY = _Cause("another program is writing it", "Try again, or save under another name; the work is still open here.")
_OTHER = _Cause("", "Save under another name or in another folder; the work is still open here.")
_CAUSES = {
    **dict.fromkeys((errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EFBIG), _FULL),
    **dict.fromkeys((errno.EACCES, errno.EPERM, errno.EROFS), _FORBIDDEN),
    **dict.fromkeys((errno.ENOENT, errno.ENOTDIR), _GONE),
    **dict.fromkeys((errno.EIO, errno.ENXIO, errno.ENODEV, errno.ETIMEDOUT), _DEAF),
    **dict.fromkeys((getattr(errno, name, errno.EIO) for name in ("ESTALE", "EHOSTDOWN", "ENETUNREACH")), _DEAF),
}
_SQLITE_CAUSES = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_READONLY: _FORBIDDEN,
    sqlite3.SQLITE_PERM: _FORBIDDEN,
    sqlite3.SQLITE_CANTOPEN: _FORBIDDEN,
    sqlite3.SQLITE_IOERR: _DEAF,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}


def unwritable(path: Path, error: OSError | sqlite3.Error, *, at_work: bool = True) -> UnwritableFile:
    """Compose the error for a person when a file could not be written; `at_work`: it is the project that is open."""
    if isinstance(error, OSError):
        cause, said = _CAUSES.get(error.errno or 0, _OTHER), error.strerror or str(error)
    else:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        cause, said = _SQLITE_CAUSES.get(code, _OTHER), str(error)
    if cause is _FORBIDDEN and not path.parent.is_dir():
        cause = _GONE  # SQLite does not tell one from the other
    found = f"{cause.found} ({said})" if cause.found else said
    remedy = cause.remedy if at_work else f"{cause.remedy.partition(';')[0].rstrip('.')}."
    return UnwritableFile(path=path, found=found, remedy=remedy)
