"""MotionDrawing: the base of what is drawn of motions that a search has come to, while their panel is shown: skins
along the motions and at the present, with arrows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.session.live_query import LiveQuery, Question
from engine.model import TrailPicture

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.scene.guides import Guide
    from app.session import Session
    from app.style.panel_dock import PanelDock
    from engine.evaluation import Evaluation
    from engine.spacetime.queries.draw_motion import MotionDrawn

DrawnT = TypeVar("DrawnT")


class MotionDrawing(QObject, Generic[DrawnT]):
    """Between motions of one session and one viewport."""

    def __init__(self, session: Session, viewport: Viewport, dock: PanelDock, key: str) -> None:
        """`key`: of the worker, and whose skins and guides they are."""
        super().__init__(viewport)
        self._session, self._viewport, self._dock, self._key = session, viewport, dock, key
        self._current = session.of(CurrentSpacetime)
        self._query: LiveQuery[DrawnT] = LiveQuery(self, session.engine, key, self._take)
        for signal in (
            self._current.changed,
            self._current.iterated,
            session.playhead_moved,
            session.editing_changed,
            session.engine_changed,
            dock.visibilityChanged,
        ):
            signal.connect(self._follow)

    def _question(self, evaluator: Evaluation) -> Question[DrawnT] | None:
        """Ask for what is drawn at present; None for nothing."""
        raise NotImplementedError

    def _take(self, found: DrawnT | None) -> None:
        """Take what was asked for; None where nothing is drawn any more."""
        raise NotImplementedError

    def _follow(self, *_: object) -> None:
        session, evaluator = self._session, self._session.engine.evaluator
        may = evaluator is not None and self._dock.is_seen and session.editing is None
        question = self._question(evaluator) if may and evaluator is not None else None
        if question is None:
            self._query.stop()
        else:
            self._query.follow(question)

    def _show(self, drawn: tuple[MotionDrawn, ...], guides: Iterable[Guide]) -> None:
        """Show skins of motions, and guides."""
        onions = tuple(onion for each in drawn for onion in each.onions)
        picture = TrailPicture(document=drawn[0].document, time=drawn[0].time, onions=onions) if onions else None
        self._viewport.set_trails(picture, of=self._key)
        self._viewport.set_guides(tuple(guides), of=self._key)
