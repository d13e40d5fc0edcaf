"""Recovering: what is open is copied as it is made, so that a crash costs at most the last moment.

It hears of every change before anyone else does, and hands it to the run's writer (`engine.project.recovery`), which
never makes it wait. What runs before this one left is looked for on the engine's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject, Qt, Signal

from engine.document import Document
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.engine_steps import CopyRead
    from app.session.history import Entry, History
    from app.session.session import Session
    from engine.project.recovery import Copy, RecoveryRun, WriterReport
    from engine.project.runs import LeftCopy
    from engine.runtime.worker import PublishedFrame

SEEN = "left copies"  # the key of what looks for them
DAYS, BYTES = 14, 1_000_000_000  # for how long, and how much, is kept
ENDS_WITHIN = 5.0  # [s]


@dataclass(frozen=True, eq=False)
class LeftSeen:
    """The copies that are kept, newest first."""

    copies: tuple[LeftCopy, ...]


class Recovering(QObject):
    """Feeds the copy of what is open."""

    left_seen = Signal(object)  # tuple of LeftCopy, as `look` found them
    _told = Signal(object)  # from the writer's thread

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.folder: Path | None = None
        self.is_answered = False  # whether the person said what is to become of changes that are not saved
        self._run: RecoveryRun | None = None
        self._copy: Copy | None = None
        self._left: LeftCopy | None = None
        self._history: History | None = None
        self._newest: Entry | None = None
        self._first = self._place = 0
        self._saved: Document | None = None
        self._path: Path | None = None
        self._is_changed = False
        session.document_changed.connect(self._take)  # before others do, who may change it again at once
        session.saved_changed.connect(self._take_saved)
        self._told.connect(self._take_told, Qt.ConnectionType.QueuedConnection)

    # What others ask of it

    def begin(self, folder: Path) -> None:
        """Keep copies below this folder from now on."""
        from engine.project.recovery import begin_run  # which the first paint does without

        self.folder = folder
        self._run = begin_run(folder, tell=self._told.emit, days=DAYS, size=BYTES)
        self._session.engine.answered.connect(self._take_seen)
        self._open()
        self._is_changed |= self._session.dirty and self._session.history.undo_entry is not None

    def look(self) -> None:
        """See what is kept; `left_seen` brings it."""
        if self.folder is not None:
            self._session.engine.submit(SEEN, partial(look_for_copies, self.folder), document=None)

    def set_aside(self, left: LeftCopy) -> None:
        """Keep it, and offer it no more."""
        self._tidy(left, lambda: left.mark("aside"))

    def delete(self, left: LeftCopy) -> None:
        """Take it off the disk."""
        self._tidy(left, left.remove)

    def take(self, read: CopyRead) -> None:
        """Go on with a copy that was read: not saved, under its former name. It is offered until its own copy is
        whole."""
        left, session = read.left, self._session
        self._left = left
        said = f"Recovered “{left.name}” as it was {moment(left.when)}. It is not saved yet."
        session.begin_with(read.history, left.path, said=said, saved=False)
        if left.path is not None:
            session.file.claim(left.path)
        for lost in read.lost:
            session.note("warning", f"Damaged in the copy, and left out: {lost}")

    def take_past(self) -> None:
        """Lengthen the copy's undo list: the history goes farther back now."""
        history = self._session.history
        if self._copy is not None and history is self._history:
            self._copy.extend(history.past)
            self._first, self._place, self._newest = history.dropped, history.position, history.newest

    @property
    def has_changes(self) -> bool:
        """True if a copy is kept of what is open, and something was done to it."""
        return self._copy is not None and self._is_changed

    def show(self, png: bytes) -> None:
        """Keep a picture with the copy."""
        if self._copy is not None:
            self._copy.picture(png)

    def close(self) -> bool:
        """End the run; False if its thread did not end in time. What was neither saved nor given up is offered."""
        if self._run is None:
            return True
        self._leave(was_answered=self.is_answered or not self._session.dirty)
        run, self._run = self._run, None
        return run.end(ENDS_WITHIN)

    # How it is done

    def _tidy(self, left: LeftCopy, work: Callable[[], None]) -> None:
        assert self.folder is not None, "copies come from there"
        folder = self.folder

        def tidied() -> Generator[LeftSeen, None, None]:
            work()
            yield from look_for_copies(folder)

        self._session.engine.submit((SEEN, left.file), tidied, document=None)  # which no other supersedes

    def _take(self, *_: object) -> None:
        history = self._session.history
        if self._run is None:
            return
        if history is not self._history:
            self._leave(was_answered=True)
            self._open()
            return
        assert self._copy is not None, "opened with the history"
        place = self._place_of(history.position)
        if history.newest is not self._newest:
            self._newest = entry = history.newest
            if place == self._place:  # it stands where the one before it stood
                self._copy.step(place - 1)
            self._copy.commit(entry.label, entry.edit, history.document)
        elif place != self._place:
            self._copy.step(place)
        else:
            return
        self._place, self._is_changed = place, True

    @property
    def _own_path(self) -> Path | None:
        """The path to which what is open is saved: what is open read-only has no such path."""
        return None if self._session.file.protected else self._session.path

    def _take_saved(self, path: Path | None, dirty: bool) -> None:
        session, own = self._session, self._own_path
        is_other = session.saved is not self._saved or own != self._path
        if self._copy is not None and is_other and session.history is self._history:
            self._saved, self._path = session.saved, own
            at = session.history.position_of(self._saved)
            self._copy.saved(own, name_of(path), None if at is None else self._place_of(at))

    def _open(self) -> None:
        """Begin the copy of what is open now."""
        assert self._run is not None, "called while it runs"
        session = self._session
        history = session.history
        self._history, self._newest, self._saved = history, history.newest, session.saved
        self._path = path = self._own_path
        self._first, self._place = history.dropped, history.position
        self._is_changed = self._left is not None
        name, unsaved = name_of(session.path), session.dirty
        self._copy = self._run.open(name, path, history.document, history.past, unsaved=unsaved)
        saved_at = history.position_of(session.saved)
        if unsaved and saved_at is not None:
            self._copy.saved(path, name, self._place_of(saved_at))
        if self._left is not None:
            self._copy.replaces(self._left)
            self._left = None

    def _leave(self, *, was_answered: bool) -> None:
        """Close the copy of what is open: that of a changed one is kept, and offered unless the person knows of it."""
        if self._copy is not None:
            self._copy.close(kept=self._is_changed, offered=not was_answered)
            self._copy = None

    def _place_of(self, position: int) -> int:
        """Find a position of the history in the copy's undo list; the history may have dropped its oldest."""
        assert self._history is not None, "set with the copy"
        return self._history.dropped - self._first + position

    def _take_told(self, report: WriterReport) -> None:
        if report.lost is not None and report.lost is self._copy:
            self._open()
            self._is_changed = True
        self._session.note("warning" if report.is_bad else "note", report.text)

    def _take_seen(self, key: Hashable, frame: PublishedFrame) -> None:
        if isinstance(frame.value, LeftSeen):
            self.left_seen.emit(frame.value.copies)


def look_for_copies(folder: Path) -> Generator[LeftSeen, None, None]:
    """See what is kept."""
    from engine.project.runs import left_runs

    yield LeftSeen(left_runs(folder))


def moment(when: float) -> str:
    """Write a time as people say it [s since 1970]."""
    then, now = QDateTime.fromSecsSinceEpoch(int(when)), QDateTime.currentDateTime()
    clock = QLocale().toString(then.time(), QLocale.FormatType.ShortFormat)
    days = then.daysTo(now)
    if days in (0, 1):
        return f"{'yesterday' if days else 'today'} at {clock}"
    return f"on {QLocale().toString(then.date(), QLocale.FormatType.ShortFormat)} at {clock}"


def name_of(path: Path | None) -> str:
    """Name a document."""
    return path.stem if path is not None else "Untitled"
