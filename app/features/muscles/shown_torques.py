"""ShownTorques: the torques of the chosen muscle at the playhead, while somebody sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.muscles.current_muscles import CurrentMuscles
from app.session.live_report import LiveReport
from engine.muscles.queries.torques import MuscleTorques, muscle_torques

if TYPE_CHECKING:
    from app.session.session import Session

KEY = "torques of a muscle"  # of the worker


class ShownTorques(QObject):
    """The torques of one session's chosen muscle, in its dock and in the views."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._current = session.of(CurrentMuscles)
        self._watchers: set[str] = set()
        self._report: LiveReport[MuscleTorques] = LiveReport(
            session, KEY, "muscles", lambda: self._current.owner, muscle_torques, chosen=self._chosen
        )
        self._report.changed.connect(self.changed)
        for signal in (self._current.changed, session.playhead_moved, session.engine_changed):
            signal.connect(lambda *_: self._report.ask())

    def watch(self, who: str, watched: bool) -> None:
        """Ask the engine while one of those who show them is seen."""
        if watched != (who in self._watchers):
            self._watchers ^= {who}
            self._report.watch(bool(self._watchers))
            self.changed.emit()

    @property
    def found(self) -> MuscleTorques | None:
        """The torques of the muscle that is chosen."""
        value, muscle = self._report.value, self._current.muscle
        return value if value is not None and muscle is not None and value.muscle == muscle.id else None

    @property
    def in_views(self) -> bool:
        """True while the views show them."""
        return VIEWS in self._watchers

    def _chosen(self) -> tuple[str]:
        muscle = self._current.muscle
        return ("" if muscle is None else muscle.id,)


VIEWS, DOCK = "views", "dock"  # who shows them


def in_words(torque: float, *, turns: bool) -> str:
    """Write a torque, or a force along a slide."""
    text = f"{torque:.1f} N m" if turns else f"{torque:.0f} N"
    return text.replace("-", "\N{MINUS SIGN}")
