"""Contractions: how long splines really are, times their length at rest, as their simulation has come to it.

Asked for on the engine's thread, and only while somebody watches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.activation.current_splines import CurrentSplines

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
        self.found: Mapping[str, Array] = {}  # by spline: ticks and ratios, shape [count, 2]

    def watch(self, watched: bool) -> None:
        """Say whether somebody looks."""
        self._watched = watched
