"""Exchange: what comes from files into the session and goes from it to files, all off the window's thread.

`Session.filed` says how each went. What a file held is taken like anything else that is done: once no gesture is open.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session.engine_link import describe
from app.session.engine_steps import CopyRead, ExampleBuilt, FileRead, FileTaken, write_chart_file
from app.session.filing import FILE, SUFFIX, Ask, AskBusy, Filing, FilingQueue, cause_of, said_of
from app.session.history import Entry, History
from app.session.new_scene import longer_range
from app.session.packing import Packed
from app.session.project_steps import Claimed, PastRead, ProjectRead, SoundRead, Unpacked, Written
from app.session.selection import Item
from app.session.states import FileOutcome
from engine.edits import both, edit

if TYPE_CHECKING:
    from collections.abc import Hashable

    from app.session.session import Session
    from engine.commands.bring_in import BroughtIn
    from engine.formats.format import Options
    from engine.project.runs import LeftCopy
    from engine.queries.plots import PlotWanted
    from engine.runtime.worker import PublishedFrame


class Exchange(QObject):
    """The files of one session."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.queue = FilingQueue(session.engine)
        self.job_changed = self.queue.job_changed
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)

    @property
    def saving(self) -> bool:
        """True if a save is under way."""
        return self.queue.saving

    @property
    def idle(self) -> bool:
        """True if nothing is read or written."""
        return self.queue.current is None

    def cancel(self) -> bool:
        """End what is read or exported; False if nothing is shown to be."""
        return self.queue.cancel()

    def open_example(self, id: str) -> None:
        """Begin with an example that comes with Sinew, in place of this document."""
        self._add(Filing("example", Path(id)))

    def open(
        self, path: Path | str, *, options: Options | None = None, ask: Ask | None = None, busy: AskBusy | None = None
    ) -> None:
        """Read a file.

        A document takes the place of this one; a figure or a motion of another format joins it as an actor, and
        numbers of something that an actor has are taken by it. Where the file leaves open what `options` may say,
        `ask` is given what it holds as guessed, and nothing changes until `take`, `open` with options, or `let_be`
        answers. A project that somebody else has open is given to `busy`."""
        path = Path(path)
        if path.suffix.lower() == SUFFIX:
            self._session.file.open(path, busy)
        else:
            self._add(Filing("open", path, options=options, ask=ask, onto=self._session.document))

    def recover(self, left: LeftCopy) -> None:
        """Take a copy that was kept in place of this document."""
        self._add(Filing("recover", left.file, left=left))

    def take(self, path: Path, found: BroughtIn) -> None:
        """Take what a file held."""
        session = self._session
        for note in found.notes:
            session.note("note", f"{path.name}: {note}")
        document = found.document
        if document is not None:  # of a log: it has no file yet
            history = History(document, Entry(f"Open {path.name}"))
            session.when_free(lambda: session.begin_with(history, None))
        elif found.actor is not None:
            longer = longer_range(session.document, (found.actor, *found.props))
            for actor in (found.actor, *found.props):
                added = edit("add_actor", actor=actor)
                whole = added if longer is None or actor is not found.actor else both(added, longer)
                session.do(whole, choose=Item(found.actor.id))
        session.when_free(lambda: session.filed.emit(FileOutcome(kind="open", path=path)))

    def let_be(self, path: Path, *, said: str = "imported") -> None:
        """Take nothing of a file that was read."""
        self._session.note("note", f"{path.name} was not {said}")
        self._session.filed.emit(FileOutcome(kind="open", path=path, problem="cancelled"))

    def export(self, path: Path | str, actors: Iterable[str], options: Options) -> None:
        """Write actors as the format that the name asks for."""
        self._add(Filing("export", Path(path), self._session.document, tuple(actors), options))

    def save(self, path: Path | str) -> None:
        """Write document and undo list."""
        self._session.file.save(Path(path))

    def save_log(self, path: Path | str) -> None:
        """Write all that was done since the document was begun or opened."""
        session = self._session
        session.when_free(lambda: self.queue.add(Filing("log", Path(path), commands=tuple(session.command_log))))

    def write_plot(self, path: Path | str, wanted: PlotWanted) -> None:
        """Write curves as numbers or as a drawing, by the file's ending."""
        if self._session.is_ready("The plot"):
            self._add(Filing("plot", Path(path), self._session.document, plot=wanted))

    def write_chart(self, path: Path, steps: Callable[[], Generator[float, None, None]]) -> None:
        """Write a plot of other numbers, in steps on the engine's thread."""
        self._add(Filing("plot", path, job=lambda listener: write_chart_file(path, steps(), listener)))

    def _add(self, filing: Filing) -> None:
        self._session.when_free(lambda: self.queue.add(filing))

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        filing = self.queue.ended() if key == FILE else None
        if filing is not None:
            try:
                self._take_one(filing, frame.value)
            finally:
                self.queue.go_on()

    def _take_one(self, filing: Filing, value: object) -> None:
        if isinstance(value, FileRead):
            taken = value.found.taken
            if filing.ask is not None and taken is not None and not taken.all_said:
                filing.ask(filing.path, value.found)
            else:
                self.take(filing.path, value.found)
        elif isinstance(value, FileTaken):
            self._session.work_out(value.command)
            self._end(filing, value)
        elif isinstance(value, ProjectRead):
            self._session.file.take_read(filing, value)
        elif isinstance(value, PastRead):
            self._session.file.take_past(filing, value)
        elif isinstance(value, Claimed):
            self._session.file.take_claimed(filing, value)
        elif isinstance(value, Unpacked):
            self._session.baking.look()
        else:
            self._end(filing, value)

    def _end(self, filing: Filing, value: object) -> None:
        session, path = self._session, filing.path
        if isinstance(value, ExampleBuilt):
            history = History(value.document, Entry(f"Open example: {value.label}"))
            session.when_free(lambda: session.begin_with(history, None))
        elif isinstance(value, CopyRead):
            session.when_free(lambda: session.recovering.take(value))
        elif isinstance(value, SoundRead):
            session.file.take_sound(value)
        else:
            if isinstance(value, Written):
                path = value.path
                session.file.take_written(value)
            said = said_of(filing, value)
            if said:
                session.note("note", said)
            if isinstance(value, Packed):
                session.file.take_packed(value)
        report = partial(self._tell, filing, FileOutcome(kind=filing.kind, path=path))
        report() if session.yielding is not None else session.when_free(report)  # which would take a preview away
        if isinstance(value, Written):
            session.file.say_written(value)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        filing = self.queue.ended() if key == FILE else None
        if filing is not None:
            is_open = filing.history is None or filing.history is self._session.history
            cause = cause_of(problem) if is_open else ""
            outcome = FileOutcome(kind=filing.kind, path=filing.path, problem=describe(problem), cause=cause)
            try:
                if filing.kind == "past":
                    self._session.file.lose_past(filing)
                self._tell(filing, outcome)
            finally:
                self.queue.go_on()

    def _tell(self, filing: Filing, outcome: FileOutcome) -> None:
        self._session.filed.emit(outcome)
        if filing.done is not None:
            filing.done(outcome)
