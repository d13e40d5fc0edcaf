"""PlanRows: what is seen of planned motions in the timeline, as far as what paints and drags them asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.stage_times import StageTimes, stage_times
from app.timeline.rows import Row, RowSource
from engine.spacetime.parts import Spacetime

if TYPE_CHECKING:
    from app.session import Session


class LaneChanges(QObject):
    """Says when what is seen of planned motions is another: what is chosen, or what a search has come to."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        current = session.of(CurrentSpacetime)
        for signal in (current.changed, current.iterated):
            signal.connect(self.changed)


class PlanRows(RowSource):
    """When stages are shown, and what the shown motion misses."""

    def __init__(self, session: Session) -> None:
        self._session, self._current = session, session.of(CurrentSpacetime)
        self.changed = session.of(LaneChanges).changed

    @property
    def current(self) -> CurrentSpacetime:
        """The planned motion that is worked on."""
        return self._current

    def is_missed(self, row: Row) -> bool:
        return bool(self.missed(row))

    def missed(self, row: Row) -> str:
        """By how much the shown motion misses the constraint of a row, in words; empty where it does not."""
        found = (each for each in self._current.misses if each.constraint == row.path[-1])
        return next((each.words for each in found if self.shows(row)), "")

    def times(self, row: Row, plan: Spacetime | None = None) -> StageTimes:
        """When the stages of a row's actor are shown."""
        plan = plan or self._plan(row.actor)
        assert plan is not None, "only planned motions have rows"
        motion = self._current.motion_of(row.actor)
        return stage_times(plan, None if motion is None else {each.stage: each.length for each in motion.stages})

    def _plan(self, actor: str) -> Spacetime | None:
        document = self._session.document
        return document.actor(actor).part(Spacetime) if actor in document.actor_index else None

    def shows(self, row: Row) -> bool:
        """True if the motion that is shown is of the actor of a row."""
        return self._current.motion_of(row.actor) is not None
