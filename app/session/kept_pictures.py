"""KeptPictures: which frames of what is played the engine has worked out already, and the request for more of them.

While a motion plays, frames ahead are worked out; after an edit those that were there before. Nothing is while
something is dragged, whose answers come first, also in the motion that plays: each move makes the frames ahead others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.session.live_query import LiveQuery, Question
from engine.queries.fill_pictures import Kept, fill_pictures

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.evaluate.picture_cache import FrameStretch

KEY = "kept pictures"  # of the worker
LOOK_EVERY, LOOK_LATEST = 100, 10_000  # [ms] after a picture, and after many failures


class KeptPictures(QObject):
    """The frames that need no more work."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.stretches: tuple[FrameStretch, ...] = ()
        self._closed = False
        self._soon = QTimer(self, singleShot=True, interval=LOOK_EVERY)  # twice as long after each failure
        self._soon.timeout.connect(self._ask)
        session.snapshot_ready.connect(self._look)
        session.document_changed.connect(lambda old, new: self._ask())
        session.player.changed.connect(self._look)
        session.preview_changed.connect(self._let_be)
        self._query = LiveQuery(self, session.engine, KEY, self._take, refuse=self._take_failure, late=False)

    def close(self) -> None:
        """Ask for nothing more."""
        self._soon.stop()
        self._closed = True

    def look_again(self) -> None:
        """Bakes were found."""
        self._query.forget()
        self._look()

    def _look(self, *_: object) -> None:
        if not (self._closed or self._soon.isActive()) and self._session.engine.pictures is not None:
            self._soon.start()

    @property
    def _is_dragged(self) -> bool:
        """True if a person drags what is shown, and it is not a change that waits to be kept."""
        return self._session.shown is not self._session.document and self._session.yielding is None

    def _let_be(self, *_: object) -> None:
        """Stop where another document is shown."""
        if self._is_dragged or not self._session.player.playing:
            self._query.stop()

    def _ask(self) -> None:
        session = self._session
        pictures, playing = session.engine.pictures, session.player.playing
        if self._closed or pictures is None or session.editing is not None:
            return
        if self._is_dragged or not (session.at_rest or playing):
            return
        document, skins, time = session.shown, session.with_skins, session.playhead
        question = Question(
            work=lambda: fill_pictures(pictures, document, time, skins=skins, everything=playing),
            of=(document,),
            about=(skins, playing),
            document=document,
        )
        self._query.follow(question)

    def _take(self, value: Kept | None) -> None:
        if value is None:
            return
        if value.done:
            self._query.forget()
            self._soon.setInterval(LOOK_EVERY)
        if value.document is self._session.shown and value.stretches != self.stretches:
            self.stretches = value.stretches
            self.changed.emit()

    def _take_failure(self, problem: BaseException) -> None:  # the session's log has said why
        self._query.forget()
        self._soon.setInterval(min(2 * self._soon.interval(), LOOK_LATEST))
