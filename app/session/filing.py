"""Filing: opening, saving and exporting on the engine thread, one after the other, so that no save is ever superseded.

Work that takes long says how far it is, and reading and exporting can be cancelled.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_link import EngineLink
from app.session.engine_steps import (
    FilesExported,
    LogWritten,
    build_example,
    export_file,
    read_copy,
    read_file,
    write_log,
    write_plot_file,
)
from app.session.history import History
from app.session.packing import Packed
from app.session.project_steps import ProjectRead, Written
from app.session.states import FileKind, FileOutcome, JobState
from engine.command import SHOWN_AFTER, SHOWN_EVERY
from engine.document import Document
from engine.edits.command_log import LoggedCommand
from engine.queries.needs import needs_of, needs_of_plot
from engine.runtime.errors import ChangedMeanwhile, UnreadableFile
from engine.runtime.progress import Cancelled
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.commands.bring_in import BroughtIn
    from engine.formats.format import Options
    from engine.project.runs import LeftCopy
    from engine.queries.plots import PlotWanted

FILE = "file"  # the key
DOING = {
    "open": "Reading",
    "save": "Saving",
    "export": "Writing",
    "log": "Saving",
    "example": "Making",
    "plot": "Writing",
    "recover": "Recovering",
    "salvage": "Reading",
    "pack": "Packing",
    "past": "Reading the undo list of",
}
SUFFIX = ".sinew"

Ask = Callable[[Path, "BroughtIn"], None]
AskBusy = Callable[[ProjectRead], None]


@dataclass(frozen=True)
class Filing:
    """One file that is to be read or written, or an example that is to be made."""

    kind: FileKind
    path: Path  # of an example its id
    document: Document | None = None  # to be written
    actors: tuple[str, ...] = ()  # of it, to be exported
    options: Options | None = None
    onto: Document | None = None  # whose actors may take what the file holds
    commands: tuple[LoggedCommand, ...] = ()  # to be written as a log
    plot: PlotWanted | None = None  # of it, to be written as numbers or as a drawing
    ask: Ask | None = None  # gets what a file holds that leaves something open
    left: LeftCopy | None = None  # to be recovered
    job: Callable[[Listener], Generator[object, None, None]] | None = None  # of a project, asked for as its turn comes
    busy: AskBusy | None = None  # gets a project that somebody else has open
    history: History | None = None  # of the document that a project file is of
    where: Callable[[], Path] | None = None  # its path as its turn comes, which a save before it may change
    done: Callable[[FileOutcome], None] | None = None  # hears how this one ended, after all who hear of every file

    @property
    def poses(self) -> Document | None:
        """The document whose poses are worked out for it."""
        return self.document if self.job is None else None


class FilingQueue(QObject):
    """Files that are being read and written."""

    job_changed = Signal(object)  # JobState
    changed = Signal()  # something begins or has ended
    _heard = Signal(object, float)  # Listener, share; from the engine's thread

    def __init__(self, link: EngineLink) -> None:
        super().__init__(link)
        self._link = link
        self._waiting: deque[Filing] = deque()
        self._listener: Listener | None = None
        self._shown = False
        self._waits = False  # whether the present one waits for kernels
        self.current: Filing | None = None
        self._heard.connect(self._show, Qt.ConnectionType.QueuedConnection)

    @property
    def saving(self) -> bool:
        """True if a project is being written, or will be."""
        return any(each is not None and each.kind in ("save", "pack") for each in (self.current, *self._waiting))

    def add(self, filing: Filing) -> None:
        """Do it after what is already there, unless that waits for kernels and this needs none."""
        self._waiting.append(filing)
        self._next()
        self.changed.emit()

    def put_first(self, filing: Filing) -> None:
        """Do it before what else waits."""
        self._waiting.appendleft(filing)
        self._next()

    def ended(self) -> Filing | None:
        """Return the present one, whose answer has come. The next begins with `go_on`, once the answer is taken."""
        done, self.current, self._listener, self._waits = self.current, None, None, False
        self._hide()
        return done

    def go_on(self) -> None:
        """Begin with what waits."""
        self._next()
        self.changed.emit()

    def cancel(self) -> bool:
        """End what is read or exported as soon as it says how far it is, at once if it waits for kernels; False if
        nothing is shown to be under way."""
        listener = self._listener
        if listener is None or not self._shown:
            return False
        if not self._link.refuse(FILE, listener.problem):
            listener.cancelled.set()
        return True

    def _next(self) -> None:
        first = next((place for place, each in enumerate(self._waiting) if not self._lacks(each)), None)
        if self.current is not None and first is not None and self._link.waits_for(FILE):
            self._put_back(self.current)
            first += 1
        if self.current is not None or not self._waiting:
            return
        filing = self._waiting[first or 0]
        del self._waiting[first or 0]
        self.current = filing = filing if filing.where is None else replace(filing, path=filing.where())
        self._listener = listener = Listener(filing, self._heard.emit)
        self._submit(filing, listener)
        self._waits = bool(self._link.waits_for(FILE))
        if self._waits:
            self._show(listener, 0.0)

    def _lacks(self, filing: Filing) -> bool:
        """True if it would wait for kernels."""
        return filing.poses is not None and bool(self._link.lacks(needs_of(filing.poses) | _beside(filing)))

    def _put_back(self, filing: Filing) -> None:
        """Let what waits for kernels begin later."""
        self._link.cancel(FILE)
        self._waiting.appendleft(filing)
        self.ended()

    def _hide(self) -> None:
        if self._shown:
            self._shown = False
            self.job_changed.emit(JobState(name=FILE, text="", running=False))

    def _submit(self, filing: Filing, listener: Listener) -> None:
        path, document, options = filing.path, filing.document, filing.options
        if filing.job is not None:
            steps = filing.job(listener)
            self._link.submit(FILE, lambda: steps, document=None)
        elif filing.kind == "log":
            self._link.submit(FILE, lambda: write_log(path, filing.commands), document=None)
        elif filing.kind == "example":
            self._link.submit(FILE, lambda: build_example(path.name), document=None)
        elif filing.left is not None:
            left = filing.left
            self._link.submit(FILE, lambda: read_copy(left), document=None)
        elif document is None:
            onto = filing.onto
            self._link.submit(FILE, lambda: read_file(path, options, listener, onto), document=None)
        elif filing.plot is not None:
            wanted, link = filing.plot, self._link
            link.submit(
                FILE,
                lambda: write_plot_file(link.evaluator, path, document, wanted, listener),
                document=document,
                needs=_beside(filing),
            )
        else:
            assert options is not None, "how it is to be exported"
            job = partial(export_file, path, document, filing.actors, options, listener)
            self._link.submit(FILE, job, document=document)

    def _show(self, listener: Listener, share: float) -> None:
        if listener is self._listener:
            if self._waits and share > 0.0:  # it has begun: what is left is not guessed from how long it waited
                self._waits = False
                self._hide()
            self._shown = True
            filing = listener.filing
            text = f"{DOING[filing.kind]} {filing.path.name}"
            self.job_changed.emit(JobState(name=FILE, text=text, fraction=share))


def _beside(filing: Filing) -> frozenset[str]:
    """List the kernels that it needs beside those of its document."""
    return frozenset() if filing.plot is None else needs_of_plot(filing.plot)


def said_of(filing: Filing, value: object) -> str:
    """Return the log's line for a file that was written; empty for anything else."""
    if isinstance(value, FilesExported):
        return f"Exported {', '.join(path.name for path in value.paths)}"
    if isinstance(value, LogWritten):
        return f"Saved {filing.path.name}: {value.count} commands"
    if isinstance(value, Packed):
        return f"Packed {filing.path.name}"
    return f"Saved {value.path.name}" if isinstance(value, Written) else ""


def with_suffix(path: Path, suffix: str = SUFFIX) -> Path:
    """Return the path with that ending, behind whatever else its name ends with."""
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def cause_of(problem: BaseException) -> Literal["", "damaged", "changed"]:
    """Return the cause of a failure that leaves something to choose."""
    from engine.project.schema import RESTORE

    if isinstance(problem, UnreadableFile) and problem.remedy == RESTORE:
        return "damaged"
    return "changed" if isinstance(problem, ChangedMeanwhile) else ""


class Listener:
    """Hears on the engine's thread how far one file is, passes it on now and then, and ends the work if asked to."""

    def __init__(self, filing: Filing, tell: Callable[[Listener, float], None]) -> None:
        self.filing = filing
        self.cancelled = threading.Event()
        self._tell = tell
        self._next = monotonic() + SHOWN_AFTER

    @property
    def problem(self) -> Cancelled:
        """The exception with which cancelled work ends."""
        return Cancelled(what=f"{DOING[self.filing.kind].lower()} {self.filing.path.name}")

    def __call__(self, share: float) -> None:
        if self.cancelled.is_set():
            raise self.problem
        if monotonic() >= self._next:
            self._next = monotonic() + SHOWN_EVERY
            self._tell(self, share)
