"""Filing: opening, saving and exporting on the engine thread, one after the other, so that no save is ever superseded.

Work that takes long says how far it is, and reading and exporting can be cancelled.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_link import EngineLink
from app.session.engine_steps import (
    SHOWN_AFTER,
    SHOWN_EVERY,
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
from engine.document import Document
from engine.edits.deeds import Deed
from engine.jobs.needs import needs_of
from engine.runtime.errors import ChangedMeanwhile, UnreadableFile
from engine.runtime.progress import Cancelled

if TYPE_CHECKING:
    from engine.formats.format import Options
    from engine.jobs.bring_in import BroughtIn
    from engine.jobs.plots import PlotWanted
    from engine.project.runs import LeftCopy

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
    deeds: tuple[Deed, ...] = ()  # to be written as a log
    plot: PlotWanted | None = None  # of it, to be written as numbers or as a drawing
    ask: Ask | None = None  # gets what a file holds that leaves something open
    left: LeftCopy | None = None  # to be recovered
    job: Callable[[Listener], Generator[object, None, None]] | None = None  # of a project, asked for as its turn comes
    busy: AskBusy | None = None  # gets a project that somebody else has open
    history: History | None = None  # of the document that a project file is of
    where: Callable[[], Path] | None = None  # its path as its turn comes, which a save before it may change
    done: Callable[[FileOutcome], None] | None = None  # hears how this one ended, after all who hear of every file


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
        self.current: Filing | None = None
        self._heard.connect(self._show, Qt.ConnectionType.QueuedConnection)

    @property
    def saving(self) -> bool:
        """Whether a project is being written, or will be."""
        return any(each is not None and each.kind in ("save", "pack") for each in (self.current, *self._waiting))

    def add(self, filing: Filing) -> None:
        """Do it after what is already there."""
        self._waiting.append(filing)
        self._next()
        self.changed.emit()

    def put_first(self, filing: Filing) -> None:
        """Do it before what else waits."""
        self._waiting.appendleft(filing)
        self._next()

    def ended(self) -> Filing | None:
        """The answer for the present one has come: it. The next begins with `go_on`, once the answer is taken."""
        done, self.current, self._listener = self.current, None, None
        if self._shown:
            self._shown = False
            self.job_changed.emit(JobState(name=FILE, text="", running=False))
        return done

    def go_on(self) -> None:
        """Begin with what waits."""
        self._next()
        self.changed.emit()

    def cancel(self) -> bool:
        """End what is read or exported as soon as it says how far it is; False if nothing is shown to be under way."""
        if self._listener is None or not self._shown:
            return False
        self._listener.cancelled.set()
        return True

    def _next(self) -> None:
        if self.current is not None or not self._waiting:
            return
        filing = self._waiting.popleft()
        self.current = filing = filing if filing.where is None else replace(filing, path=filing.where())
        self._listener = listener = Listener(filing, self._heard.emit)
        path, document, options = filing.path, filing.document, filing.options
        if filing.job is not None:
            steps = filing.job(listener)
            self._link.submit(FILE, lambda: steps)
        elif filing.kind == "log":
            self._link.submit(FILE, lambda: write_log(path, filing.deeds))
        elif filing.kind == "example":
            self._link.submit(FILE, lambda: build_example(path.name))
        elif filing.left is not None:
            left = filing.left
            self._link.submit(FILE, lambda: read_copy(left))
        elif document is None:
            self._link.submit(FILE, lambda: read_file(path, options, listener))
        elif filing.plot is not None:
            wanted, link = filing.plot, self._link
            link.submit(
                FILE,
                lambda: write_plot_file(link.evaluator, path, document, wanted, listener),
                needs=needs_of(document),
            )
        else:
            assert options is not None, "how it is to be exported"
            self._link.submit(
                FILE,
                lambda: export_file(path, document, filing.actors, options, listener),
                needs=needs_of(document),
            )

    def _show(self, listener: Listener, share: float) -> None:
        if listener is self._listener:
            self._shown = True
            filing = listener.filing
            text = f"{DOING[filing.kind]} {filing.path.name}"
            self.job_changed.emit(JobState(name=FILE, text=text, fraction=share))


def said_of(filing: Filing, value: object) -> str:
    """What the log tells of a file that was written; empty for anything else."""
    if isinstance(value, FilesExported):
        return f"Exported {', '.join(path.name for path in value.paths)}"
    if isinstance(value, LogWritten):
        return f"Saved {filing.path.name}: {value.count} deeds"
    if isinstance(value, Packed):
        return f"Packed {filing.path.name}"
    return f"Saved {value.path.name}" if isinstance(value, Written) else ""


def with_suffix(path: Path, suffix: str = SUFFIX) -> Path:
    """The path with that ending, behind whatever else its name ends with."""
    return path if path.suffix.lower() == suffix else path.with_name(path.name + suffix)


def cause_of(problem: BaseException) -> Literal["", "damaged", "changed"]:
    """What leaves something to choose."""
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

    def __call__(self, share: float) -> None:
        if self.cancelled.is_set():
            raise Cancelled(what=f"{DOING[self.filing.kind].lower()} {self.filing.path.name}")
        if monotonic() >= self._next:
            self._next = monotonic() + SHOWN_EVERY
            self._tell(self, share)
