"""ProjectFile: the file of what is open: who has it, whether it may be written, how it stood when it was read or
written here last; and what is read from and written to projects.

The undo list is written with the document. When a project is opened the document is shown at once; what led to it is
read behind it, and a save waits for that.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.filing import AskBusy, Filing, FilingQueue, Listener
from app.session.history import Entry, History
from app.session.packing import Packed, pack_project
from app.session.project_steps import (
    Claimed,
    PastRead,
    ProjectRead,
    Saving,
    SoundRead,
    Written,
    claim_project,
    read_past,
    read_project,
    read_sound,
    unpack,
    write_project,
)
from app.session.recovering import moment
from app.session.states import FileOutcome
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.project.claim import Busy, FileClaim
    from engine.project.stamp import Stamp


@dataclass(frozen=True)
class Message:
    """A message that a person is to read once: a sentence or two, and a list."""

    title: str
    text: str
    lines: tuple[str, ...]


class ProjectFile(QObject):
    """Of one session."""

    changed = Signal()  # whether it is being written, or may be
    reported = Signal(object)  # Message

    def __init__(self, session: Session, queue: FilingQueue) -> None:
        super().__init__(session)
        self._session, self._queue = session, queue
        self.protected = ""  # why it is not saved under its own name
        self.earlier = 0  # versions that a save keeps beside
        self._stamp: Stamp | None = None
        self._claim: FileClaim | None = None
        self._left: list[FileClaim] = []  # let go since the start
        self._without_past: History | None = None  # of a file whose undo list could not be read
        self._written: tuple[History, Path] | None = None  # what was saved last, and where
        queue.changed.connect(self.changed)

    # What others ask of it

    def open(self, path: Path, busy: AskBusy | None = None) -> None:
        """Read a project. `busy` is asked if somebody else has it open: `take` or `Exchange.let_be` answers."""
        self._add(lambda: Filing("open", path, job=lambda _: read_project(path), busy=busy))

    def take(self, read: ProjectRead, *, read_only: bool = False) -> None:
        """Show what was read, and read what led to it behind it."""
        self._session.when_free(partial(self._take, read, read_only))
        self._session.when_free(partial(self._session.filed.emit, FileOutcome(kind="open", path=read.path)))
        self._session.when_free(partial(self._say, read))  # at last: what was said before is taken away by success

    def open_sound(self, path: Path) -> None:
        """Begin with what is sound in a damaged project."""
        self._add(lambda: Filing("salvage", path, job=lambda _: read_sound(path)))

    def save(
        self,
        path: Path | None = None,
        *,
        careful: bool = False,
        numbered: bool = False,
        done: Callable[[FileOutcome], None] | None = None,
    ) -> None:
        """Write document and undo list; None: to its own file, as that is once what waits before is written.

        `careful`: not over what another program has put there since; `numbered`: under the next number that is free;
        `done` hears how it ended."""

        def filing() -> Filing:
            session = self._session
            away_from = session.path if self.protected else None
            history, was, place = session.history, session.history.past, path or session.path
            assert place is not None, "who saves what has no file says where to"

            def where() -> Path:
                return path or self._path_of(history) or place

            def job(listener: Listener) -> Generator[Written, None, None]:
                past = history.past_to(was)  # with what was read of it since
                known = self._stamp if session.history is history else None
                earlier = max(self.earlier, 1) if history is self._without_past else self.earlier
                saving = Saving(was.document, history, past, known, careful, numbered, away_from, earlier)
                return write_project(listener.filing.path, saving)

            return Filing("save", place, job=job, history=history, where=where, done=done)

        self._add(filing)

    def pack(self, path: Path) -> None:
        """Write a copy for others, with all that lies beside the project and can be put in."""

        def filing() -> Filing:
            document, own, bakes = self._session.document, self._session.path, self._session.baking.files
            return Filing("pack", path, job=lambda listener: pack_project(path, document, own, bakes, listener))

        self._add(filing)

    def claim(self, path: Path) -> None:
        """Go on from a copy with what is open, and save it there."""
        history = self._session.history
        self._queue.put_first(Filing("recover", path, job=lambda _: claim_project(path), history=history))

    def leave(self) -> None:
        """Something else is open now."""
        claim, self._claim = self._claim, None
        if claim is not None:
            self._release(claim)
        self.protected, self._stamp = "", None

    def close(self) -> bool:
        """Let the file go, once the engine's thread has ended."""
        for claim in (*self._left, self._claim):
            if claim is not None:
                claim.release()  # those that were left, too: the thread may have ended before it came to them
        self._left, self._claim = [], None
        return True

    # What the engine's thread answers

    def take_read(self, filing: Filing, read: ProjectRead) -> None:
        """Take a project that was read."""
        _, busy = _sorted_out(read.claim)
        if busy is not None and filing.busy is not None:
            filing.busy(read)
            return
        self.take(read)

    def take_claimed(self, filing: Filing, claimed: Claimed) -> None:
        """Take the claim of a copy, if it is open still and was not saved elsewhere meanwhile."""
        session, path = self._session, claimed.path
        claim, busy = _sorted_out(claimed.claim)
        if session.history is filing.history and session.path == path:
            self._claim = claim
            if busy is not None:
                session.note("warning", f"{path.name} is open in {busy.who}, too, since {since(busy)}.")
        elif claim is not None and claim != self._claim:
            self._release(claim)

    def lose_past(self, filing: Filing) -> None:
        """Warn that what led to what is open could not be read: the next save keeps the file that holds it."""
        session, path = self._session, filing.path
        if session.history is filing.history or self._queue.saving:
            self._without_past = filing.history
            said = f"The undo list of {path.name} could not be read."
            session.note("warning", f"{said} The next save keeps the file as it was beside it.")

    def take_past(self, filing: Filing, read: PastRead) -> None:
        """Take what led to what is open, if that is open still."""
        session = self._session
        if read.past is None:
            self.lose_past(filing)
        elif session.history.oldest is read.document:
            session.history.put_before(read.past, read.steps)
            session.command_log = session.history.command_log
            session.recovering.take_past()
            session.history_changed.emit()

    def take_written(self, written: Written) -> None:
        """Take a project that was written. What was begun meanwhile is none of it."""
        session, path, saving = self._session, written.path, written.saving
        claim, _ = _sorted_out(written.claim)
        self._written = (saving.history, path)
        if saving.history is self._without_past:
            self._without_past = None
        if session.history is saving.history:
            if self._claim is not None and self._claim != claim:
                self._release(self._claim)
            self._claim, self._stamp, self.protected = claim, written.stamp, ""
            session.path, session.saved = path, saving.document
            session.saved_changed.emit(path, session.dirty)
        elif claim is not None and claim != self._claim:
            self._release(claim)

    def say_written(self, written: Written) -> None:
        """Report what else a person should know of a project that was written."""
        _, busy = _sorted_out(written.claim)
        for said in written.said:
            self._session.note("warning", said)
        if written.had_gone:
            said = f"{written.path.name} had gone from its folder; it was written anew."
            self._session.note("warning", said)
        if busy is not None:
            said = f"{written.path.name} is open in {busy.who}, too, since {since(busy)}."
            self._session.note("warning", f"{said} Whoever saves last replaces what the other saved.")

    def take_sound(self, read: SoundRead) -> None:
        """Open what is sound in a damaged project as a document that has no file."""
        name, session = read.path.name, self._session
        entry = Entry(f"Open what is sound in {name}")
        session.when_free(lambda: session.begin_with(History(read.document, entry), None, saved=False))
        text = f"{name} is damaged. What is sound in it is open now, not saved; the file is as it was."
        session.when_free(lambda: self.reported.emit(Message("Lost in the damaged file", text, read.lost)))

    def take_packed(self, packed: Packed) -> None:
        """Take a copy for others that was written."""
        if packed.left_out:
            text = f"{packed.path.name} is written. This could not be put into it:"
            self.reported.emit(Message("Packed, with gaps", text, packed.left_out))

    # How it is done

    def _add(self, filing: Callable[[], Filing]) -> None:
        self._session.when_free(lambda: self._queue.add(filing()))

    def _take(self, read: ProjectRead, read_only: bool) -> None:
        path, opened, session = read.path, read.opened, self._session
        claim, busy = _sorted_out(read.claim)
        if self._claim == claim:
            self._claim = None  # which is not let go between
        session.begin_with(History(opened.document, Entry(f"Open {path.name}")), path)
        self._claim, self._stamp = claim, read.stamp
        if not opened.writable:
            self.protected = " ".join(opened.notes)
        elif read_only and busy is not None:
            self.protected = f"It is open in {busy.who} since {since(busy)}. Save it under another name."
        if opened.lines > 1:
            history = session.history
            self._queue.put_first(Filing("past", path, job=lambda _: read_past(path, opened.document), history=history))
        if read.bakes:  # before a save that would leave them out
            self._queue.put_first(Filing("open", path, job=lambda _: unpack(path, read.bakes)))
        session.saved_changed.emit(path, session.dirty)
        self.changed.emit()

    def _say(self, read: ProjectRead) -> None:
        opened, name, session = read.opened, read.path.name, self._session
        _, busy = _sorted_out(read.claim)
        if self.protected:
            session.note("warning", f"{name} is open read-only. {self.protected}")
        elif busy is not None:
            session.note("warning", f"{name} is open in {busy.who}, too, since {since(busy)}.")
        else:
            for note in opened.notes:
                session.note("note", f"{name}: {note}")
        if opened.newer:
            text = (
                f"{name} was made by a newer Sinew. This is in it and cannot be shown here; the file keeps it. "
                "Save writes another file, without it."
            )
            self.reported.emit(Message("Made by a newer Sinew", text, opened.newer))

    def _path_of(self, history: History) -> Path | None:
        """Return the file of what is or was open."""
        if self._session.history is history:
            return self._session.path
        return self._written[1] if self._written is not None and self._written[0] is history else None

    def _release(self, claim: FileClaim) -> None:
        self._left.append(claim)

        def released() -> Generator[None, None, None]:
            claim.release()
            yield

        self._session.engine.submit(("claim", claim.lock), released, document=None)


def since(busy: Busy) -> str:
    """Since when somebody has a file open, as people say it."""
    try:
        return moment(datetime.fromisoformat(busy.since).timestamp())
    except (ValueError, OverflowError, OSError):
        return busy.since


def _sorted_out(claim: FileClaim | Busy | None) -> tuple[FileClaim | None, Busy | None]:
    """Ours, or who else's."""
    from engine.project.claim import Busy

    return (None, claim) if isinstance(claim, Busy) else (claim, None)
