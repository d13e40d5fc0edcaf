"""Paths: how what is selected goes as it is keyed, with secondary motion, and by full dynamics; worked out on the
engine's thread while they are to be seen.

They are of the same points as motion trails, of figures that swing, over the same span, and follow the document on
screen: a gain that is dragged is seen at once.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document import Document
from engine.ik.goals import Spot
from engine.jobs.motion_paths import MotionPath, PathsFound, follow_paths

if TYPE_CHECKING:
    from app.session.passages import Passages
    from app.session.session import Session
    from engine.runtime.worker import Frame

KEY = "paths"  # of the worker
Asked = tuple[Document, tuple[Spot, ...], tuple[int, int]]


class Paths(QObject):
    """The paths that are to be seen."""

    changed = Signal()

    def __init__(self, session: Session, passages: Passages) -> None:
        super().__init__(session)
        self._session, self._passages = session, passages
        self.wanted = False
        self.paths: tuple[MotionPath, ...] = ()
        self._asked: Asked | None = None
        for news in (session.document_changed, session.preview_changed, session.selection_changed):
            news.connect(self._follow)
        for news in (session.playhead_moved, session.editing_changed, session.engine_changed, passages.changed):
            news.connect(self._follow)
        session.engine.answered.connect(self._take)

    def want(self, wanted: bool) -> None:
        """Whether they are to be seen."""
        if wanted != self.wanted:
            self.wanted = wanted
            self._follow()

    def _follow(self, *_: object) -> None:
        asked = self._wished()
        if asked is None:
            self._stop()
            return
        before = self._asked
        if before is None or before[0] is not asked[0] or before[1:] != asked[1:]:
            self._asked = asked
            self._session.engine.submit(
                KEY, lambda: self._work(*asked), after_first_frame=True, document=self._session.shown
            )

    def _wished(self) -> Asked | None:
        session = self._session
        if not self.wanted or session.editing is not None or session.engine.evaluator is None:
            return None
        document = session.shown
        spots = tuple(spot for spot in self._passages.spots(document) if document.actor(spot.actor).swings)
        return (document, spots, self._passages.span(document)) if spots else None

    def _stop(self) -> None:
        if self._asked is not None:
            self._asked = None
            self._session.engine.cancel(KEY)
        if self.paths:
            self.paths = ()
            self.changed.emit()

    def _work(
        self, document: Document, spots: tuple[Spot, ...], span: tuple[int, int]
    ) -> Generator[PathsFound | None, None, None]:
        """On the engine's thread."""
        evaluator = self._session.engine.evaluator
        assert evaluator is not None, "asked for only when the engine is ready"
        return follow_paths(evaluator, document, spots, span)

    def _take(self, key: Hashable, frame: Frame) -> None:
        if key == KEY and self._asked is not None and isinstance(frame.value, PathsFound):
            self.paths = frame.value.paths
            self.changed.emit()
