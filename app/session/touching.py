"""Touching: what of the actor that is looked at touches something as the window of this frame begins.

Asked for on the engine's thread (`engine.jobs.find_touching`), only while somebody watches, contact is on and nothing
is dragged or plays. While the motion plays nothing is told: it would be of a frame that is gone.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.jobs.find_touching import TouchingFound, TouchingWanted, find_touching

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.runtime.worker import Frame

KEY = "what touches as the window begins"  # of the worker


class Touching(QObject):
    """Where what came before a window would matter."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._watched = False
        self.names: tuple[str, ...] = ()  # of joints
        self._asked: tuple[Document, TouchingWanted] | None = None
        self._ticket = 0
        for news in (
            session.document_changed,
            session.preview_changed,
            session.selection_changed,
            session.playhead_moved,
            session.engine_changed,
            session.player.changed,
        ):
            news.connect(self._follow)
        session.engine.answered.connect(self._take)

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks at it."""
        if watched != self._watched:
            self._watched = watched
            self._follow()

    def _follow(self, *_: object) -> None:
        session = self._session
        swinging = session.swinging
        owner, secondary = swinging.owner, swinging.secondary
        counts = self._watched and secondary.on and secondary.contact and swinging.may_swing
        if owner is None or not counts or session.player.playing or session.engine.evaluator is None:
            self._forget()
        elif session.shown is session.document:
            wanted = TouchingWanted(actor=owner.id, time=session.playhead)
            if self._asked is None or self._asked[0] is not session.document or self._asked[1] != wanted:
                self._ask(session.document, wanted)

    def _forget(self) -> None:
        if self._asked is not None:
            self._asked = None
            self._session.engine.cancel(KEY)
        self._tell(())

    def _ask(self, document: Document, wanted: TouchingWanted) -> None:
        self._asked = document, wanted
        self._ticket = self._session.engine.submit(KEY, lambda: self._work(document, wanted), document=document)

    def _work(self, document: Document, wanted: TouchingWanted) -> Generator[TouchingFound | None, None, None]:
        """On the engine's thread."""
        evaluator = self._session.engine.evaluator
        assert evaluator is not None, "asked for only when the engine is ready"
        return find_touching(evaluator, document, wanted)

    def _take(self, key: Hashable, frame: Frame) -> None:
        if key == KEY and frame.ticket == self._ticket and isinstance(frame.value, TouchingFound) and self._asked:
            self._tell(frame.value.names)

    def _tell(self, names: tuple[str, ...]) -> None:
        if names != self.names:
            self.names = names
            self.changed.emit()
