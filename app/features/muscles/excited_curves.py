"""ExcitedCurves: the activations that follow keyed excitations, as lanes show them beside the keys.

Asked for on the engine's thread, and only while somebody watches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.muscles.current_muscles import CurrentMuscles
from app.session.live_query import LiveQuery, Question
from engine.document.extent import play_extent
from engine.muscles.queries.excited import ExcitedQuery

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.maths.arrays import Array

KEY = "excited muscles"  # of the worker


class ExcitedCurves(QObject):
    """The activations of the muscles that a session's person looks at."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentMuscles)
        self._watched = False
        self._following = ExcitedQuery()  # the engine thread's alone
        self._query: LiveQuery[Mapping[tuple[str, str], Array]] = LiveQuery(self, session.engine, KEY, self._take)
        self.found: Mapping[tuple[str, str], Array] = {}  # by actor and muscle: ticks and activations, shape [count, 2]
        for signal in (self._current.changed, session.document_changed, session.engine_changed):
            signal.connect(self._ask)

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks."""
        self._watched = watched
        self._ask()

    def _ask(self, *_: object) -> None:
        owner, activations = self._current.owner, self._current.activations
        if not self._watched or owner is None or not activations.excited or self._session.engine.evaluator is None:
            self._query.stop()
            return
        actor, span, following = owner.id, play_extent(self._session.shown), self._following
        self._query.follow(
            Question(
                work=lambda: following.answer(actor, activations, span),
                of=(activations,),
                about=(actor, span),
                needs=("muscles",),
            )
        )

    def _take(self, found: Mapping[tuple[str, str], Array] | None) -> None:
        if found or self.found:
            self.found = found or {}
            self.changed.emit()
