"""Baking: what is played is worked out by a process of its own and kept beside the project; what was baked is found.

The engine's thread writes the scene for that process and reads what it keeps, while it is still at work, too. Frames
that an edit has not touched go on to be read; a bake that was ended goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.session.engine_link import CHILD_ENDS_WITHIN, ChildLike
from app.session.states import JobState
from engine.document import Document
from engine.document.extent import play_extent
from engine.jobs.bake import BakesFound, find_bakes, is_dear, remove_bakes

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.runtime.child import ChildJob, Json, Message
    from engine.runtime.worker import Frame

BAKE, BAKES = "bake", "bakes"  # keys of the worker; the first is the name of the job area's line, too
SCENE = "scene.sinew"
LOOK_EVERY = 500  # [ms] while frames come

StartChild = Callable[["dict[str, Json]", "Callable[[Message], None]"], ChildLike]


def _child(arguments: dict[str, Json], on_message: Callable[[Message], None]) -> ChildJob:
    from engine.runtime.child import ChildJob

    return ChildJob("bake", arguments, on_message=on_message)


class Baking(QObject):
    """At most one bake at work, and those that the open document has."""

    job_changed = Signal(object)  # JobState
    found = Signal()  # `files` may be others, or hold more
    _message_came = Signal(object)

    def __init__(self, session: Session, *, start_child: StartChild = _child) -> None:
        super().__init__(session)
        self._session, self._start_child = session, start_child
        self.files: tuple[Path, ...] = ()  # the bakes of which the open document reads frames
        self._folder: TemporaryDirectory[str] | None = None
        self._child: ChildLike | None = None
        self._arguments: dict[str, Json] = {}
        self._looked: tuple[object, ...] = ()
        self._error = ""
        self._closed = False
        self._soon = QTimer(self, singleShot=True, interval=LOOK_EVERY)
        self._soon.timeout.connect(self.look)
        session.engine.answered.connect(self._take_answer)
        session.engine.failed.connect(self._take_failure)
        session.engine_changed.connect(lambda state: self._look_once())
        session.saved_changed.connect(lambda path, dirty: self._look_once())
        self._message_came.connect(self._take_message, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether frames are being baked."""
        return self._folder is not None

    @property
    def may_start(self) -> bool:
        """Whether something would be gained: what takes long, locks and bodies that swing, is not being baked yet."""
        return self._session.engine_state.ready and not self.running and is_dear(self._session.document)

    def start(self) -> None:
        """Bake what is played."""
        if not self.may_start:
            return
        session, document = self._session, self._session.document
        try:
            self._folder = TemporaryDirectory(prefix="sinew-bake-", ignore_cleanup_errors=True)
        except OSError as problem:
            self._say_no_start(problem)
            return
        self._error = ""
        scene, (first, last) = Path(self._folder.name, SCENE), play_extent(document)
        project = None if session.path is None else str(session.path.absolute())
        rate = list(document.rate)
        self._arguments = {"scene": str(scene), "project": project, "first": first, "last": last, "rate": rate}
        self._show(0.0)
        session.engine.submit(BAKE, lambda: _write(scene, document), document=None)

    def cancel(self) -> None:
        """End it; the frames that are there stay."""
        if self._child is not None:
            self._child.cancel()
        elif self.running:
            self._session.engine.cancel(BAKE)
            self._end()

    def remove(self) -> None:
        """Take what was baked off the disk."""
        pictures, path = self._session.engine.pictures, self._session.path
        if pictures is not None and not self.running:
            self._session.engine.submit(BAKES, lambda: remove_bakes(pictures.baked, path), document=None)

    def look(self) -> None:
        """See which bakes there are; `found` says it."""
        pictures, document, path = self._session.engine.pictures, self._session.document, self._session.path
        if pictures is not None and not self._closed:
            self._session.engine.submit(BAKES, lambda: find_bakes(pictures, document, path), document=None)

    def close(self) -> bool:
        """End the process; False if it did not end in time."""
        self._closed, ended = True, True
        self._soon.stop()
        if self._child is not None:
            self._child.cancel()
            ended = self._child.wait(CHILD_ENDS_WITHIN)
        self._child = None
        self._end()
        return ended

    def _look_once(self) -> None:
        """For a document that has come, or a place that it got."""
        session = self._session
        now = (session.history, session.path, session.engine.pictures)
        if now != self._looked:
            self._looked = now
            self.look()

    def _take_answer(self, key: Hashable, frame: Frame) -> None:
        if key == BAKES and isinstance(frame.value, BakesFound):
            self.files = frame.value.files
            self.found.emit()
        elif key == BAKE and self._folder is not None and self._child is None:
            try:
                self._child = self._start_child(self._arguments, self._message_came.emit)
            except OSError as problem:
                self._end()
                self._say_no_start(problem)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if key == BAKE and self.running:
            self._end()  # the session's log has said why

    def _take_message(self, message: Message) -> None:
        if self._closed or not self.running:
            return
        fraction, error, result = message.get("progress"), message.get("error"), message.get("result")
        if isinstance(fraction, int | float):
            self._show(float(fraction))
            if not self._soon.isActive():
                self._soon.start()
        elif isinstance(error, dict):
            self._error = str(error.get("text"))
        elif isinstance(result, dict):
            self._tell(result)
        elif "ended" in message:
            self._take_end(str(message["ended"]))

    def _take_end(self, how: str) -> None:
        error = self._error or "the process that bakes ended without a word; what it has baked is kept"
        self._child = None
        self._end()
        self.look()
        if how == "failed":
            self._session.note("error", error[:1].upper() + error[1:])
        elif how == "cancelled":
            self._session.note("note", "Baking was cancelled; the frames that are there are kept.")

    def _tell(self, result: dict[str, Json]) -> None:
        path = Path(str(result.get("path")))
        made, frames = result.get("made"), result.get("frames")
        self._session.note("note", f"Baked {frames} frames, {made} of them worked out now, into {path.parent}")

    def _say_no_start(self, problem: OSError) -> None:
        self._session.note("error", f"Baking could not be started: {problem}")

    def _show(self, fraction: float) -> None:
        self.job_changed.emit(JobState(name=BAKE, text="Baking what is played", fraction=fraction))

    def _end(self) -> None:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.cleanup()
            self.job_changed.emit(JobState(name=BAKE, text="", running=False))


def _write(scene: Path, document: Document) -> Generator[Path, None, None]:
    from engine.formats import sinew

    sinew.write(scene, document)
    yield scene
