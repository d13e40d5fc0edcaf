"""KeptPictures: which frames of what is played the engine has worked out already, and the wish to have more of them.

While a motion plays, frames ahead are worked out; after an edit those that were there before. Nothing is while
something is dragged, whose answers come first.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.document import Document
from engine.jobs.fill_pictures import Kept, fill_pictures

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.evaluate.picture_cache import Stretch
    from engine.runtime.worker import Frame

KEY = "kept pictures"  # of the worker
LOOK_EVERY = 100  # [ms]


class KeptPictures(QObject):
    """The frames that need no more work."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.stretches: tuple[Stretch, ...] = ()
        self._closed = False
        self._asked: tuple[Document, bool, bool] | None = None  # what was asked last, until its last answer
        self._soon = QTimer(self, singleShot=True, interval=LOOK_EVERY)
        self._soon.timeout.connect(self._ask)
        session.snapshot_ready.connect(self._look)
        session.document_changed.connect(lambda old, new: self._ask())
        session.player.changed.connect(self._look)
        session.preview_changed.connect(self._let_be)
        session.engine.answered.connect(self._take)

    def close(self) -> None:
        """Ask for nothing more."""
        self._soon.stop()
        self._closed = True

    def _look(self, *_: object) -> None:
        if not (self._closed or self._soon.isActive()) and self._session.engine.pictures is not None:
            self._soon.start()

    def _let_be(self, *_: object) -> None:
        """Something is dragged."""
        if self._asked is not None and not self._session.player.playing:
            self._asked = None
            self._session.engine.cancel(KEY)

    def _ask(self) -> None:
        session = self._session
        pictures, playing = session.engine.pictures, session.player.playing
        if self._closed or pictures is None or session.editing is not None or not (session.at_rest or playing):
            return
        asked = (session.shown, session.with_skins, playing)
        before = self._asked
        if before is not None and before[0] is asked[0] and before[1:] == asked[1:]:
            return
        self._asked = asked
        document, skins, _ = asked
        time = session.playhead

        def job() -> Generator[Kept | None, None, None]:
            return fill_pictures(pictures, document, time, skins=skins, everything=playing)

        session.engine.submit(KEY, job)

    def _take(self, key: Hashable, frame: Frame) -> None:
        value = frame.value
        if key != KEY or not isinstance(value, Kept):
            return
        if value.done:
            self._asked = None
        if value.document is self._session.shown and value.stretches != self.stretches:
            self.stretches = value.stretches
            self.changed.emit()
