"""Touching: what of the actor that is looked at touches something as the window of this frame begins.

Asked for on the engine's thread (`engine.kinodynamics.queries.find_touching`), only while somebody watches, contact
is on and nothing is dragged or plays. While the motion plays nothing is shown: it would be of a frame that is gone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.secondary.current_secondary import CurrentSecondary
from app.session.live_query import LiveQuery, Question
from engine.kinodynamics.queries.find_touching import TouchingFound, TouchingWanted, find_touching

if TYPE_CHECKING:
    from app.session.session import Session

KEY = "what touches as the window begins"  # of the worker


class Touching(QObject):
    """The places in time where what came before a window would matter."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._watched = False
        self.names: tuple[str, ...] = ()  # of joints
        self._query = LiveQuery(self, session.engine, KEY, self._take, late=False)
        for signal in (
            session.document_changed,
            session.preview_changed,
            session.selection_changed,
            session.playhead_moved,
            session.engine_changed,
            session.player.changed,
        ):
            signal.connect(self._follow)

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks at it."""
        if watched != self._watched:
            self._watched = watched
            self._follow()

    def _follow(self, *_: object) -> None:
        session, current, evaluator = self._session, self._session.of(CurrentSecondary), self._session.engine.evaluator
        owner, secondary = current.owner, current.secondary
        counts = self._watched and secondary.on and secondary.contact and current.may_swing
        if owner is None or not counts or session.player.playing or evaluator is None:
            self._query.stop()
        elif session.shown is session.document:
            document, wanted = session.document, TouchingWanted(actor=owner.id, time=session.playhead)
            question = Question(
                work=lambda: find_touching(evaluator, document, wanted),
                of=(document,),
                about=wanted,
                document=document,
            )
            self._query.follow(question)

    def _take(self, found: TouchingFound | None) -> None:
        names = () if found is None else found.names
        if names != self.names:
            self.names = names
            self.changed.emit()
