"""Paths: how what is selected goes as it is keyed, with secondary motion, and by full dynamics; worked out on the
engine's thread while they are to be seen.

They are of the same points as motion trails, of figures that swing, over the same span, and follow the document on
screen: a gain that is dragged is seen at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.live_query import LiveQuery, Question
from engine.kinodynamics.queries.motion_paths import MotionPath, PathsFound, follow_paths

if TYPE_CHECKING:
    from app.session.session import Session
    from app.session.trails import ShownTrails

KEY = "paths"  # of the worker


class Paths(QObject):
    """The paths that are to be seen."""

    changed = Signal()

    def __init__(self, session: Session, trails: ShownTrails) -> None:
        super().__init__(session)
        self._session, self._passages = session, trails
        self.wanted = False
        self.paths: tuple[MotionPath, ...] = ()
        self._query = LiveQuery(self, session.engine, KEY, self._take)
        for signal in (session.document_changed, session.preview_changed, session.selection_changed):
            signal.connect(self._follow)
        for signal in (session.playhead_moved, session.editing_changed, session.engine_changed, trails.changed):
            signal.connect(self._follow)

    def want(self, wanted: bool) -> None:
        """Show the paths, or hide them."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._follow()

    def _follow(self, *_: object) -> None:
        self._query.follow(self._wished())

    def _wished(self) -> Question[PathsFound] | None:
        session, evaluator = self._session, self._session.engine.evaluator
        if not self.wanted or session.editing is not None or evaluator is None:
            return None
        document = session.shown
        spots = tuple(spot for spot in self._passages.spots(document) if document.actor(spot.actor).swings)
        span = self._passages.span(document)
        if not spots:
            return None
        return Question(
            work=lambda: follow_paths(evaluator, document, spots, span),
            of=(document,),
            about=(spots, span),
            document=document,
        )

    def _take(self, found: PathsFound | None) -> None:
        if found is not None or self.paths:
            self.paths = () if found is None else found.paths
            self.changed.emit()
