"""Runs: the copies that each start of the program kept of what was open, below one folder of the person's data.

A run is a folder with a file `lock`, which the program holds locked while it lives. A process number may be another's
by the time somebody looks at it; a lock ends with its process, however that ends. The name of a run begins with the
time of its start for who looks into the folder; nothing here goes by it, since clocks are set back and forth.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Literal, NamedTuple, get_args
from uuid import uuid4

from engine.project import disk
from engine.project.arrays import bring
from engine.project.past import Past, PastEntry
from engine.project.schema import connect, reading
from engine.project.store import Store
from engine.runtime.errors import EngineError, UnreadableFile
from engine.runtime.quick_dataclass import dataclass

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

SUFFIX, ASIDE, PICTURE, LOCK = ".sinew", ".aside", ".png", "lock"
BESIDE = ("", "-wal", "-shm", "-journal")  # what SQLite makes beside a file
NOTE = "copy"  # the name of a copy's note in its file
LARGEST_PICTURE = 1_000_000  # bytes
DAY = 86_400.0  # [s]
LATEST = 1e11  # [s since 1970]; beyond, nothing can be said of a time
NEWEST_KEPT = 3

State = Literal["open", "closed", "aside", "recovered"]

at_work: set[Path] = set()  # copies that this process writes; nobody else may open one
_held: set[Path] = set()  # runs of this process: where locks are emulated, it would be given its own again


@dataclass(frozen=True, kw_only=True)
class Note:
    """A copy's description of itself."""

    name: str
    path: str | None  # where the document was saved or opened
    when: float  # of the last change [s since 1970], by the clock as it was then
    changes: int  # between what was saved and what was there last
    unsaved: bool
    state: State = "open"

    @classmethod
    def of(cls, store: Store) -> Note:
        """The note of a copy; refused where there is none."""
        try:
            note = cls(**json.loads(store.meta(NOTE) or ""))
            if not note._is_sound:
                raise ValueError("a field of another kind than is written")
        except (TypeError, ValueError, RecursionError) as error:
            raise UnreadableFile(path=store.path, found="no copy of Sinew's", remedy="Delete it.") from error
        return note

    @property
    def _is_sound(self) -> bool:
        texts = isinstance(self.name, str) and isinstance(self.path, str | None)
        numbers = isinstance(self.when, int | float) and abs(self.when) < LATEST and isinstance(self.changes, int)
        return texts and numbers and isinstance(self.unsaved, bool) and self.state in get_args(State)

    def write(self, store: Store) -> None:
        """Put it into the copy."""
        store.note(NOTE, json.dumps(asdict(self)))


class Recovered(NamedTuple):
    """The past that a copy held, and what of it was damaged."""

    past: Past
    lost: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class LeftCopy:
    """A copy that is kept."""

    run: str
    file: Path
    name: str
    path: Path | None
    when: float
    lines: int
    unsaved: bool
    state: State
    picture: bytes | None = field(repr=False)
    size: int  # bytes on the disk

    @property
    def is_offered(self) -> bool:
        """True if its run ended without a word while it was not saved, and nobody was asked about it since."""
        return self.state == "open" and self.unsaved

    def read(self) -> Generator[None, None, Recovered]:
        """Read its undo list, arrays and all, in small steps; what is sound of it where it is damaged."""
        try:
            with Store.open(self.file, is_home=False) as store:
                past = yield from store.past()
            if past.entries:
                bring(self.file.resolve(), ())  # the copy may be removed while the document is open
                return Recovered(past, ())
        except EngineError:
            pass
        from engine.project.salvage import salvage  # which few copies need

        found = salvage(self.file)
        if found.document is None:
            raise UnreadableFile(path=self.file, found="nothing that is sound", remedy="Try an older copy, or a file.")
        return Recovered(Past((PastEntry(f"Recover {self.name}", None, found.document),), 0), found.lost)

    def mark(self, state: State) -> None:
        """Say what became of it; one that cannot be written gets another name, under which it is not offered."""
        try:
            with Store.open(self.file, writable=True, is_home=False) as store, reading(self.file):
                replace(Note.of(store), state=state).write(store)
        except EngineError:
            disk.replace(self.file, self.file.with_suffix(ASIDE))

    def remove(self) -> None:
        """Take it off the disk."""
        remove_copy(self.file)
        tidy(self.file.parent)


def left_runs(folder: Path) -> tuple[LeftCopy, ...]:
    """Every copy that is kept and not at work, newest first."""
    found = [copy for run in _runs(folder) for copy in _copies(run)]
    return tuple(sorted(found, key=lambda each: each.when, reverse=True))


def prune(folder: Path, days: float, size: int, *, now: float | None = None) -> None:
    """Remove copies of ended runs: those that are old, then the oldest until the rest is small enough.

    One that nobody was asked about yet is neither too old nor too much; the newest are not old whatever it says."""
    now = time.time() if now is None else now
    newest_first = left_runs(folder)
    total = 0
    for place, each in enumerate(newest_first):
        total += each.size
        is_old = now - each.when > days * DAY and place >= NEWEST_KEPT
        if place and not each.is_offered and (is_old or total > size):
            total -= each.size
            with suppress(OSError):  # another window reads it
                each.remove()
    for run in _runs(folder):
        tidy(run)


# Locks


@contextmanager
def holding(run: Path) -> Iterator[bool]:
    """Hold the lock of a run for a moment; False where its program lives."""
    handle = hold(run)
    try:
        yield handle is not None
    finally:
        if handle is not None:
            release(run, handle)


def hold(run: Path) -> int | None:
    """Lock a run; None where another program, or this one, holds it."""
    if run in _held:
        return None
    handle = os.open(run / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    if not _lock(handle) or not _is_there(run / LOCK, handle):
        os.close(handle)
        return None
    _held.add(run)
    return handle


def release(run: Path, handle: int) -> None:
    """Let go of a run."""
    _held.discard(run)
    os.close(handle)


def make_run(folder: Path) -> tuple[Path, int]:
    """A folder for a new run, and its lock."""
    while True:
        run = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{uuid4().hex[:8]}"
        disk.make_folder(run)
        handle = hold(run)
        if handle is not None:  # else who looks for ended runs was there first
            return run, handle


def remove_copy(file: Path) -> None:
    """A file of a copy, and what lies beside it."""
    for end in BESIDE:
        disk.remove(file.with_name(file.name + end))
    disk.remove(file.with_suffix(PICTURE))


def tidy(run: Path) -> None:
    """Remove what a run that has ended left without a word in it: copies that were never written, an empty folder."""
    with suppress(OSError), holding(run) as is_ended:
        for file in _files(run) if is_ended else ():
            if _is_unwritten(file):
                remove_copy(file)
        for draft in run.glob(f".*{disk.PART}") if is_ended else ():
            disk.remove(draft)
        if is_ended and {each.name for each in run.iterdir()} <= {LOCK}:
            disk.remove(run / LOCK)
            run.rmdir()


def _lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a network drive without locks: nobody can be known to live there
        return True
    return True


def _is_there(path: Path, handle: int) -> bool:
    """Tell whether the file that was locked is still the one of that name."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


# What is there


def _runs(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.is_dir())
    except OSError:
        return []


def _copies(run: Path) -> Iterable[LeftCopy]:
    """The copies of a run; of this program's own those that were closed, of another's that lives none."""
    is_own = run in _held
    with suppress(OSError), holding(run) as is_ended:
        for file in _files(run):
            if (is_ended or (is_own and file not in at_work)) and not _is_unwritten(file):
                yield _copy(file)


def _files(run: Path) -> list[Path]:
    return [*run.glob(f"*{SUFFIX}"), *run.glob(f"*{ASIDE}")]


def _is_unwritten(file: Path) -> bool:
    """Tell whether its program ended before the first write was whole."""
    try:
        with closing(connect(file, takes_back=True)) as database:
            tables = database.execute("SELECT count(name) FROM sqlite_master WHERE name = 'past'").fetchone()[0]
            return not tables or not database.execute("SELECT count(number) FROM past").fetchone()[0]
    except sqlite3.Error:
        return False


def _copy(file: Path) -> LeftCopy:
    size = sum(path.stat().st_size for path in _beside(file))
    try:
        with Store.open(file, is_home=False) as store, reading(file):
            note = Note.of(store)
    except EngineError:
        note = Note(name="Damaged copy", path=None, when=file.stat().st_mtime, changes=0, unsaved=True)
    if file.suffix == ASIDE and note.state == "open":
        note = replace(note, state="aside")
    return LeftCopy(
        run=file.parent.name, file=file, name=note.name, path=None if note.path is None else Path(note.path),
        when=note.when, lines=note.changes, unsaved=note.unsaved, state=note.state, picture=_picture(file), size=size,
    )  # fmt: skip


def _beside(file: Path) -> Iterator[Path]:
    names = (*(file.name + end for end in BESIDE), file.with_suffix(PICTURE).name)
    return (path for path in map(file.with_name, names) if path.exists())


def _picture(file: Path) -> bytes | None:
    path = file.with_suffix(PICTURE)
    try:
        with path.open("rb") as opened:
            return opened.read(LARGEST_PICTURE)
    except OSError:
        return None
