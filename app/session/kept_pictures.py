"""KeptPictures: which frames of what is played the engine has worked out already, and the wish to have more of them.

While a motion plays, frames ahead are worked out; after an edit those that were there before. Nothing is while
something is dragged, whose answers come first, also in the motion that plays: each move makes the frames ahead others.
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
LOOK_EVERY, LOOK_LATEST = 100, 10_000  # [ms] after a picture, and after many failures


class KeptPictures(QObject):
    """The frames that need no more work."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.stretches: tuple[Stretch, ...] = ()
        self._closed = False
        self._asked: tuple[Document, bool, bool] | None = None  # what was asked last, until its last answer
        self._soon = QTimer(self, singleShot=True, interval=LOOK_EVERY)  # twice as long after each failure
        self._soon.timeout.connect(self._ask)
        session.snapshot_ready.connect(self._look)
        session.document_changed.connect(lambda old, new: self._ask())
        session.player.changed.connect(self._look)
        session.preview_changed.connect(self._let_be)
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)

    def close(self) -> None:
        """Ask for nothing more."""
        self._soon.stop()
        self._closed = True

    def look_again(self) -> None:
        """Bakes were found."""
        self._asked = None
        self._look()

    def _look(self, *_: object) -> None:
        if not (self._closed or self._soon.isActive()) and self._session.engine.pictures is not None:
            self._soon.start()

    @property
    def _is_dragged(self) -> bool:
        """Whether a hand holds what is shown, and not a change that waits to be kept."""
        return self._session.shown is not self._session.document and self._session.yielding is None

    def _let_be(self, *_: object) -> None:
        """What is shown is another document."""
        if self._asked is not None and (self._is_dragged or not self._session.player.playing):
            self._asked = None
            self._session.engine.cancel(KEY)

    def _ask(self) -> None:
        session = self._session
        pictures, playing = session.engine.pictures, session.player.playing
        if self._closed or pictures is None or session.editing is not None:
            return
        if self._is_dragged or not (session.at_rest or playing):
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

        session.engine.submit(KEY, job, document=document)

    def _take(self, key: Hashable, frame: Frame) -> None:
        value = frame.value
        if key != KEY or not isinstance(value, Kept):
            return
        if value.done:
            self._asked = None
            self._soon.setInterval(LOOK_EVERY)
        if value.document is self._session.shown and value.stretches != self.stretches:
            self.stretches = value.stretches
            self.changed.emit()

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if key == KEY:  # the session's log has said why
            self._asked = None
            self._soon.setInterval(min(2 * self._soon.interval(), LOOK_LATEST))
