"""LaneHand: a slider of a lane: it sets the constant, or a key at the playhead where the lane is keyed.

While it plays with recording on, the values under the hand become keys along the time that passes, from the moment the
slider is taken until it is let go or what is played begins anew; few keys are kept that lead the same way. One drag is
one gesture and one entry of the history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.lanes.current_lanes import CurrentLanes
from app.lanes.kind import Named
from app.session.gesture import NO_GESTURE
from engine.document import Key
from engine.edits import Edit

if TYPE_CHECKING:
    from app.lanes.lane import Lane
    from app.session.session import Session

WITHIN = 0.01  # of a value, by which recorded keys may be off
BY_EXPRESSION = "It comes from an expression: choose Constant or Keys, or empty the expression, to set it by hand."


class LaneHand(QObject):
    """One slider, or several of which one is held at a time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentLanes)
        self._gesture = NO_GESTURE
        self._lane: Lane | None = None
        self._time = 0
        self._line: list[tuple[int, float]] | None = None  # what is recorded, while it is
        self.value: float | None = None  # under the hand, while one is held
        session.playhead_moved.connect(self._pass)

    @property
    def held(self) -> Named | None:
        """Whose slider is held, or has its last answer not in."""
        return None if self._lane is None or self._gesture.is_over else self._lane.of

    @property
    def recording(self) -> bool:
        """True while keys are recorded."""
        return self._line is not None

    def begin(self, lane: Lane) -> bool:
        """Take the slider of a lane; False where it cannot be set by hand."""
        if lane.told == "expression":
            self._session.note("note", BY_EXPRESSION)
            return False
        records = self._current.records and self._session.player.playing
        self._lane, self._time = lane, self._session.playhead
        self._line, self.value = [] if records else None, None
        label = f"{'Record' if records else 'Set'} activation of {lane.name}"
        self._gesture = self._session.begin_gesture(label, plays_on=True)
        return not self._gesture.is_over

    def move(self, value: float) -> None:
        """Show what a value comes to."""
        if self._gesture.is_over or self._lane is None:
            return
        self.value = self._lane.kind.held(value)
        if self._line is None:
            self._gesture.preview(self._lane.value_edit(self.value, self._time))
        else:
            self._pass(self._session.playhead)

    def finish(self) -> None:
        """Keep it, as one entry."""
        if self._line is not None:
            line, self._line = self._line, None
            change = self._recorded(line, few=True)
            if change is not None:
                self._gesture.preview(change)
        self._gesture.finish()
        self.value = None

    def cancel(self) -> None:
        """Leave it as it was."""
        self._line = self.value = None
        self._gesture.cancel()

    def _pass(self, time: int) -> None:
        """Record the value under the hand at a time that is played."""
        if self._line is None or self.value is None or self._gesture.is_over:
            return
        if self._line and time < self._line[-1][0]:
            self.finish()  # what is played has begun anew
            return
        self._line = [*(each for each in self._line if each[0] != time), (time, self.value)]
        change = self._recorded(self._line, few=False)
        if change is not None:
            self._gesture.preview(change)

    def _recorded(self, line: list[tuple[int, float]], *, few: bool) -> Edit | None:
        if not line or self._lane is None:
            return None
        from engine.queries.drawn_keys import drawn_keys  # brings numpy

        keys = drawn_keys(line, WITHIN) if few else tuple(Key(*each, interpolation="linear") for each in line)
        return self._lane.drawn_edit(keys, line[0][0], line[-1][0])
