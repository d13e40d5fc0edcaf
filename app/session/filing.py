"""Filing: opening, saving and exporting on the engine thread, one after the other, so that no save is ever superseded.

Work that takes long says how far it is, and reading and exporting can be cancelled.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, Signal

from app.session.engine_link import EngineLink
from app.session.engine_steps import (
    SHOWN_AFTER,
    SHOWN_EVERY,
    build_example,
    export_file,
    read_file,
    write_file,
    write_log,
    write_plot_file,
)
from app.session.states import JobState
from engine.document import Document
from engine.edits.deeds import Deed
from engine.runtime.progress import Cancelled

if TYPE_CHECKING:
    from engine.formats.format import Options
    from engine.jobs.bring_in import BroughtIn
    from engine.jobs.plots import PlotWanted

FILE = "file"  # the key
DOING = {
    "open": "Reading",
    "save": "Saving",
    "export": "Writing",
    "log": "Saving",
    "example": "Making",
    "plot": "Writing",
}
SUFFIX = ".sinew"

Ask = Callable[[Path, "BroughtIn"], None]


@dataclass(frozen=True)
class Filing:
    """One file that is to be read or written, or an example that is to be made."""

    kind: Literal["open", "save", "export", "log", "example", "plot"]
    path: Path  # of an example its id
    document: Document | None = None  # to be written
    actors: tuple[str, ...] = ()  # of it, to be exported
    options: Options | None = None
    deeds: tuple[Deed, ...] = ()  # to be written as a log
    plot: PlotWanted | None = None  # of it, to be written as numbers or as a drawing
    ask: Ask | None = None  # gets what a file holds that leaves something open


class FilingQueue(QObject):
    """Files that are being read and written."""

    job_changed = Signal(object)  # JobState
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
        """Whether a save is under way or waits."""
        return any(each is not None and each.kind == "save" for each in (self.current, *self._waiting))

    def add(self, filing: Filing) -> None:
        """Do it after what is already there."""
        self._waiting.append(filing)
        self._next()

    def ended(self) -> Filing | None:
        """The answer for the present one has come: it, and the next one begins."""
        done, self.current, self._listener = self.current, None, None
        if self._shown:
            self._shown = False
            self.job_changed.emit(JobState(name=FILE, text="", running=False))
        self._next()
        return done

    def cancel(self) -> bool:
        """End what is read or exported as soon as it says how far it is; False if nothing is shown to be under way."""
        if self._listener is None or not self._shown:
            return False
        self._listener.cancelled.set()
        return True

    def _next(self) -> None:
        if self.current is not None or not self._waiting:
            return
        self.current = filing = self._waiting.popleft()
        self._listener = listener = Listener(filing, self._heard.emit)
        path, document, options = filing.path, filing.document, filing.options
        if filing.kind == "log":
            self._link.submit(FILE, lambda: write_log(path, filing.deeds))
        elif filing.kind == "example":
            self._link.submit(FILE, lambda: build_example(path.name))
        elif document is None:
            self._link.submit(FILE, lambda: read_file(path, options, listener))
        elif filing.plot is not None:
            wanted, link = filing.plot, self._link
            link.submit(FILE, lambda: write_plot_file(link.evaluator, path, document, wanted, listener))
        elif options is None:
            self._link.submit(FILE, lambda: write_file(path, document))
        else:
            self._link.submit(FILE, lambda: export_file(path, document, filing.actors, options, listener))

    def _show(self, listener: Listener, share: float) -> None:
        if listener is self._listener:
            self._shown = True
            filing = listener.filing
            text = f"{DOING[filing.kind]} {filing.path.name}"
            self.job_changed.emit(JobState(name=FILE, text=text, fraction=share))


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
