"""MovingPoints: where points of the selected muscle stand that no joint carries unmoved, and the ground that its figure
is placed on, while somebody sees them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.muscles.current_muscles import CurrentMuscles
from app.session.live_report import LiveReport
from engine.muscles.queries.path_places import PathPlaces, path_places

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Actor

KEY = "places of a path"  # of the worker


class MovingPoints(QObject):
    """Those of one session's chosen muscle."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._current = session.of(CurrentMuscles)
        self._report: LiveReport[PathPlaces] = LiveReport(
            session, KEY, "muscles", self._owner, path_places, chosen=self._chosen
        )
        self._report.changed.connect(self.changed)
        for signal in (self._current.changed, session.playhead_moved, session.engine_changed):
            signal.connect(lambda *_: self._report.ask())

    def watch(self, watched: bool) -> None:
        """Ask the engine while the views show points."""
        self._report.watch(watched)

    @property
    def found(self) -> PathPlaces | None:
        """The places of the muscle that is chosen, and the ground of its figure."""
        value, muscle, owner = self._report.value, self._current.muscle, self._current.owner
        if value is None or owner is None or value.actor != owner.id:
            return None
        return value if muscle is None or value.muscle == muscle.id else None

    def _owner(self) -> Actor | None:
        """Give the figure, where anything of it stands on the ground, or is moved on its joint."""
        owner, muscles, muscle = self._current.owner, self._current.muscles, self._current.muscle
        if owner is None or muscles is None:
            return None
        points = () if muscle is None else muscle.points
        there = any(each.joint is None or each.curves for each in points)
        return owner if there or any(each.joint is None for each in muscles.wraps) else None

    def _chosen(self) -> tuple[str]:
        muscle = self._current.muscle
        return ("" if muscle is None else muscle.id,)
