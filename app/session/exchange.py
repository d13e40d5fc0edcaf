"""Exchange: what comes from files into the session and goes from it to files, all off the window's thread.

`Session.filed` says how each went. What a file held is taken like anything else that is done: once no gesture is open.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.session.engine_link import describe
from app.session.engine_steps import ExampleBuilt, FileRead, FilesExported, FileWritten, LogWritten
from app.session.filing import FILE, SUFFIX, Ask, Filing, FilingQueue
from app.session.history import Entry
from app.session.selection import Item
from app.session.states import FileOutcome
from engine.edits import edit

if TYPE_CHECKING:
    from collections.abc import Hashable

    from app.session.session import Session
    from engine.formats.format import Options
    from engine.jobs.bring_in import BroughtIn
    from engine.jobs.plots import PlotWanted
    from engine.runtime.worker import Frame


class Exchange(QObject):
    """The files of one session."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._queue = FilingQueue(session.engine)
        self.job_changed = self._queue.job_changed
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)

    @property
    def saving(self) -> bool:
        """Whether a save is under way."""
        return self._queue.saving

    @property
    def idle(self) -> bool:
        """Whether nothing is read or written."""
        return self._queue.current is None

    def cancel(self) -> bool:
        """End what is read or exported; False if nothing is shown to be."""
        return self._queue.cancel()

    def open_example(self, id: str) -> None:
        """Begin with an example that comes with Sinew, in place of this document."""
        self._add(Filing("example", Path(id)))

    def open(self, path: Path | str, *, options: Options | None = None, ask: Ask | None = None) -> None:
        """Read a file.

        A document takes the place of this one; a figure or a motion of another format joins it as an actor. Where the
        file leaves open what `options` may say, `ask` is given what it holds as guessed, and nothing changes until
        `take`, `open` with options, or `let_be` answers."""
        self._add(Filing("open", Path(path), options=options, ask=ask))

    def take(self, path: Path, found: BroughtIn) -> None:
        """Take what a file held."""
        session = self._session
        for note in found.notes:
            session.note("note", f"{path.name}: {note}")
        document = found.document
        if document is not None:
            own = path if path.name.lower().endswith(SUFFIX) else None  # a log gives one that has no file yet
            session.when_free(lambda: session.replace(document, Entry(f"Open {path.name}"), own))
        elif found.actor is not None:
            for actor in (found.actor, *found.props):
                session.do(edit("add_actor", actor=actor), choose=Item(found.actor.id))
        session.when_free(lambda: session.filed.emit(FileOutcome(kind="open", path=path)))

    def let_be(self, path: Path) -> None:
        """Take nothing of a file that was read."""
        self._session.note("note", f"{path.name} was not imported")
        self._session.filed.emit(FileOutcome(kind="open", path=path, problem="cancelled"))

    def export(self, path: Path | str, actors: Iterable[str], options: Options) -> None:
        """Write actors as the format that the name asks for."""
        self._add(Filing("export", Path(path), self._session.document, tuple(actors), options))

    def save(self, path: Path | str) -> None:
        """Write the document."""
        session = self._session
        session.when_free(lambda: self._queue.add(Filing("save", Path(path), session.document)))

    def save_log(self, path: Path | str) -> None:
        """Write all that was done since the document was begun or opened."""
        session = self._session
        session.when_free(lambda: self._queue.add(Filing("log", Path(path), deeds=tuple(session.deeds))))

    def write_plot(self, path: Path | str, wanted: PlotWanted) -> None:
        """Write curves as numbers or as a drawing, by the file's ending."""
        if self._session.is_ready("The plot"):
            self._add(Filing("plot", Path(path), self._session.document, plot=wanted))

    def _add(self, filing: Filing) -> None:
        self._session.when_free(lambda: self._queue.add(filing))

    def _take(self, key: Hashable, frame: Frame) -> None:
        filing = self._queue.ended() if key == FILE else None
        if filing is None:
            return
        session, value = self._session, frame.value
        if isinstance(value, FileRead):
            taken = value.found.taken
            if filing.ask is not None and taken is not None and not taken.all_said:
                filing.ask(filing.path, value.found)
            else:
                self.take(filing.path, value.found)
            return
        if isinstance(value, ExampleBuilt):
            entry = Entry(f"Open example: {value.label}")
            session.when_free(lambda: session.replace(value.document, entry, None))
        elif isinstance(value, FilesExported):
            session.note("note", f"Exported {', '.join(path.name for path in value.paths)}")
        elif isinstance(value, LogWritten):
            session.note("note", f"Saved {filing.path.name}: {value.count} deeds")
        elif isinstance(value, FileWritten):
            session.saved(filing.path, value.document)
        told = partial(session.filed.emit, FileOutcome(kind=filing.kind, path=filing.path))
        told() if session.yielding is not None else session.when_free(told)  # which would take a preview away

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        filing = self._queue.ended() if key == FILE else None
        if filing is not None:
            outcome = FileOutcome(kind=filing.kind, path=filing.path, problem=describe(problem))
            self._session.filed.emit(outcome)
