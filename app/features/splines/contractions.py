"""Contractions: how long splines really are, times their length at rest, as their simulation has come to it.

Asked for on the engine's thread, and only while somebody watches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.splines.current_splines import CurrentSplines
from app.session.live_query import LiveQuery, Question
from engine.soft.queries.contractions import ContractionsQuery, SplineLengths

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.maths.arrays import Array

KEY = "contractions"  # of the worker


class Contractions(QObject):
    """The measured contractions of a session's splines."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentSplines)
        self._watched = False
        self._measuring = ContractionsQuery()  # the engine thread's alone
        self._query = LiveQuery(self, session.engine, KEY, self._take)
        self.found: Mapping[str, Array] = {}  # by spline: ticks and ratios, shape [count, 2]
        for signal in (session.snapshot_ready, session.engine_changed):
            signal.connect(self._ask)

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks."""
        if watched != self._watched:
            self._watched = watched
            self._ask()

    def _ask(self, *_: object) -> None:
        """Ask after each picture: what it shows was simulated for it."""
        evaluator, document = self._session.engine.evaluator, self._session.shown
        if not self._watched or evaluator is None or not self._current.any_pulls:
            self._query.stop()
            return
        self._query.ask(
            Question(work=lambda: self._measuring.answer(evaluator, document), document=document, needs=("soft",))
        )

    def _take(self, found: SplineLengths | None) -> None:
        lengths = {} if found is None else found.by_spline
        if lengths or self.found:
            self.found = lengths
            self.changed.emit()
