"""StudyRun: a study that is open, and the process that works it out: which rows are known, how far it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Signal

from app.session.long_job import NOT_STARTED, LongJob, StartChild, start_child
from app.session.states import JobState
from engine.runtime.time_left import TimeLeft

if TYPE_CHECKING:
    from app.session import Session
    from engine.runtime.child import Message

NAME = "study"
KEPT = "What is done is kept: Run goes on from there."


class StudyRun(LongJob):
    """At most one study, at most one process."""

    changed = Signal()  # the study, its rows, or how far it is
    cluster_changed = Signal()

    def __init__(self, session: Session, start: StartChild = start_child) -> None:
        super().__init__(session, "sweep", start)
        self._session = session
        self.path: Path | None = None
        self.cluster = ""  # the address of a Dask scheduler; empty: the cores of this machine
        self.parameters: tuple[str, ...] = ()
        self.results: tuple[str, ...] = ()  # with their units
        self.rows: dict[int, tuple[tuple[object, ...], tuple[float, ...]]] = {}  # values and numbers, by number
        self.count = 0
        self.problem = ""
        self.left = TimeLeft()
        self._is_begun = False  # whether a row has come from a process
        session.long_work[NAME] = self.cancel
        self.heard.connect(self._take_message)
        self.ended.connect(self._take_end)

    @property
    def table(self) -> Path | None:
        """The file of its table."""
        return None if self.path is None else self.path.with_suffix(".csv")

    @property
    def share(self) -> float:
        """The share that is done."""
        return len(self.rows) / self.count if self.count else 0.0

    @property
    def is_whole(self) -> bool:
        """True if its table is."""
        return 0 < self.count == len(self.rows) and not self.running

    def open(self, path: Path) -> None:
        """Take another study, and work it out; one that is at work is ended first."""
        if self.running:
            self._session.note("warning", f"{self._name_of(self.path)} is at work: cancel it first.")
            return
        self.take(path)
        self.run()

    def take(self, path: Path | None) -> None:
        """Have another study, or none, of which no row is known."""
        self.path = path
        self._forget()
        self.changed.emit()

    def set_cluster(self, address: str) -> None:
        """Have the next run on the workers of a scheduler, or (empty) on this machine."""
        if address.strip() != self.cluster:
            self.cluster = address.strip()
            self.cluster_changed.emit()

    def run(self) -> None:
        """Work out the rows that are not known yet."""
        if self.path is None or self.running:
            return
        self._forget()
        try:
            self.start(
                {
                    "study": str(self.path.absolute()),
                    "table": str(cast(Path, self.table).absolute()),
                    "workers": None,
                    "scheduler": self.cluster or None,
                }
            )
        except OSError as problem:
            self._take_end(NOT_STARTED, str(problem))
            return
        self._tell(running=True)

    def _forget(self) -> None:
        self.rows, self.count, self.problem = {}, 0, ""
        self.left, self._is_begun = TimeLeft(), False
        self.parameters = self.results = ()

    def _take_message(self, message: Message) -> None:
        if "parameters" in message:
            self.parameters = tuple(cast(list[str], message["parameters"]))
            self.results = tuple(cast(list[str], message["results"]))
            self.count = int(str(message["rows"]))
        elif "row" in message:
            values, numbers = cast(list[object], message["values"]), cast(list[float], message["numbers"])
            self.rows[int(str(message["row"]))] = tuple(values), tuple(numbers)
            if "progress" in message:
                if not self._is_begun:
                    self.left.begin()  # until then processes were started
                self._is_begun = True
                self.left.report(self.share)
        elif isinstance(result := message.get("result"), dict):
            self._session.note("note", f"{self._name_of(self.path)}: {str(result['text']).partition(': ')[2]}")
        self._tell(running=True)

    def _take_end(self, how: str, error: str) -> None:
        if how == NOT_STARTED:
            self.problem = f"It could not be started: {error}"
        elif how == "failed":
            self.problem = error or f"It stopped without a message. {KEPT}"
        elif how == "cancelled":
            self.problem = f"Cancelled. {KEPT}"
        if self.problem:
            self.problem = f"{self.problem[:1].upper()}{self.problem[1:].rstrip('.')}."
            self._session.note("note" if how == "cancelled" else "error", self.problem)
        self._tell(running=False)

    def _tell(self, *, running: bool) -> None:
        text = f"Running {self._name_of(self.path)}" if running else ""
        self._session.job_changed.emit(
            JobState(name=NAME, text=text, fraction=self.share, running=running, left=self.left)
        )
        self.changed.emit()

    @staticmethod
    def _name_of(path: Path | None) -> str:
        return "" if path is None else path.name
