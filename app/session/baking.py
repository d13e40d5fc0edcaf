"""Baking: what is played is worked out by a process of its own and kept beside the project; what was baked is found.

The engine's thread writes the scene for that process and reads what it keeps, while it is still at work, too. Frames
that an edit has not touched go on to be read; a bake that was ended goes on where it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from app.session.live_query import LiveQuery, Question
from app.session.long_job import NOT_STARTED
from app.session.scene_job import SceneJob
from engine.document.extent import play_extent
from engine.long.bake import BakesFound, find_bakes, is_dear, remove_bakes

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.runtime.child import Json, Message

BAKE, BAKES = "bake", "bakes"  # keys of the worker; the first is the name of the job area's line, too
LOOK_EVERY = 500  # [ms] while frames come


class Baking(SceneJob):
    """At most one bake at work, and those that the open document has."""

    found = Signal()  # `files` may be others, or hold more

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.engine, "bake", BAKE)
        self._session = session
        self.files: tuple[Path, ...] = ()  # the bakes of which the open document reads frames
        self._looked: tuple[object, ...] = ()
        self._closed = False
        self._soon = QTimer(self, singleShot=True, interval=LOOK_EVERY)
        self._soon.timeout.connect(self.look)
        self._bakes = LiveQuery(self, session.engine, BAKES, self._take_bakes, late=False)
        session.engine_changed.connect(lambda state: self._look_once())
        session.saved_changed.connect(lambda path, dirty: self._look_once())
        self.heard.connect(self._take_message)
        self.ended.connect(self._take_end)

    @property
    def may_start(self) -> bool:
        """True if something would be gained: what takes long, pins and bodies that swing, is not being baked yet."""
        return self._session.engine_state.ready and not self.running and is_dear(self._session.document)

    def bake(self) -> None:
        """Bake what is played."""
        if not self.may_start:
            return
        session, document = self._session, self._session.document
        first, last = play_extent(document)
        project = None if session.path is None else str(session.path.absolute())
        arguments: dict[str, Json] = {"project": project, "first": first, "last": last, "rate": list(document.rate)}
        self.begin("Baking what is played", document, lambda folder: arguments)

    def remove(self) -> None:
        """Take what was baked off the disk."""
        pictures, path = self._session.engine.pictures, self._session.path
        if pictures is not None and not self.running:
            self._bakes.ask(Question(work=lambda: remove_bakes(pictures.baked, path)))

    def look(self) -> None:
        """See which bakes there are; `found` says it."""
        pictures, document, path = self._session.engine.pictures, self._session.document, self._session.path
        if pictures is not None and not self._closed:
            self._bakes.ask(Question(work=lambda: find_bakes(pictures, document, path)))

    def close(self) -> bool:
        """End the process; False if it did not end in time."""
        self._closed = True
        self._soon.stop()
        return super().close()

    def _look_once(self) -> None:
        """Look for bakes of a document that has come, or of a place that it got."""
        session = self._session
        now = (session.history, session.path, session.engine.pictures)
        if now != self._looked:
            self._looked = now
            self.look()

    def _take_bakes(self, found: BakesFound | None) -> None:
        if found is not None:
            self.files = found.files
            self.found.emit()

    def _take_message(self, message: Message) -> None:
        result = message.get("result")
        if "progress" in message and not self._soon.isActive():
            self._soon.start()
        if isinstance(result, dict):
            path = Path(str(result.get("path")))
            made, frames = result.get("made"), result.get("frames")
            self._session.note("note", f"Baked {frames} frames, {made} of them worked out now, into {path.parent}")

    def _take_end(self, how: str, error: str) -> None:
        if how == NOT_STARTED:
            self._session.note("error", f"Baking could not be started: {error}")
            return
        self.leave()
        self.look()
        if how == "failed":
            error = error or "baking stopped without a message; what is baked is kept, and Bake goes on from there"
            self._session.note("error", error[:1].upper() + error[1:])
        elif how == "cancelled":
            self._session.note("note", "Baking was cancelled; the frames that are there are kept.")
