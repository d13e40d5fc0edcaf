"""AlphaHand: a slider of a spline's alpha: it sets the constant, or a key at the playhead where alpha is keyed.

While it plays with recording on, the values under the hand become keys along the time that passes, from the moment the
slider is taken until it is let go or what is played begins anew; few keys are kept that lead the same way. One drag is
one gesture and one entry of the history.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.activation.current_splines import CurrentSplines
from app.session.gesture import NO_GESTURE
from engine.document import Key
from engine.edits import Edit, edit
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA, ActivationSpline

if TYPE_CHECKING:
    from app.session.session import Session

WITHIN = 0.01  # of alpha, by which drawn and recorded keys may be off
BY_EXPRESSION = "Alpha comes from an expression: choose Constant or Keys to set it by hand."


class AlphaHand(QObject):
    """One slider, or several of which one is held at a time."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentSplines)
        self._gesture = NO_GESTURE
        self._spline: ActivationSpline | None = None
        self._actor, self._time = "", 0
        self._line: list[tuple[int, float]] | None = None  # what is recorded, while it is
        self.value: float | None = None  # under the hand, while one is held
        session.playhead_moved.connect(self._pass)

    @property
    def held(self) -> str | None:
        """The id of the spline whose slider is held, or whose last answer is not in."""
        return None if self._spline is None or self._gesture.is_over else self._spline.id

    @property
    def recording(self) -> bool:
        """True while keys are recorded."""
        return self._line is not None

    def begin(self, actor: str, spline: str) -> bool:
        """Take the slider of a spline; False where it cannot be set by hand."""
        found = self._current.found(actor, spline)
        if found is None:
            return False
        if found.activation == "expression":
            self._session.note("note", BY_EXPRESSION)
            return False
        records = self._current.records and self._session.player.playing
        label = f"{'Record' if records else 'Set'} activation of {found.name}"
        self._actor, self._spline, self._time = actor, found, self._session.playhead
        self._line, self.value = [] if records else None, None
        self._gesture = self._session.begin_gesture(label, plays_on=True)
        return not self._gesture.is_over

    def move(self, value: float) -> None:
        """Show what a value comes to."""
        if self._gesture.is_over:
            return
        self.value = min(max(value, LEAST_ALPHA), MOST_ALPHA)
        if self._line is None:
            change = self._change()
            if change is not None:
                self._gesture.preview(change)
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

    def _change(self) -> Edit | None:
        spline, value = self._spline, self.value
        if spline is None or value is None:
            return None
        which = {"actor": self._actor, "spline": spline.id}
        if spline.activation != "keys":
            return edit("set_activation", **which, alpha=value)
        return edit("set_activation_keys", **which, keys=(key_here(spline, self._time, value),))

    def _recorded(self, line: list[tuple[int, float]], *, few: bool) -> Edit | None:
        if not line or self._spline is None:
            return None
        from engine.queries.drawn_keys import drawn_keys  # brings numpy

        keys = drawn_keys(line, WITHIN) if few else tuple(Key(*each, interpolation="linear") for each in line)
        return edit(
            "draw_activation", actor=self._actor, spline=self._spline.id, start=line[0][0], end=line[-1][0], keys=keys
        )


def key_here(spline: ActivationSpline, time: int, value: float) -> Key:
    """Make the key that says this at a time, filled and bent as one that is there."""
    old = None if spline.track is None else next((each for each in spline.track.keys if each.time == time), None)
    return Key(time, value) if old is None else replace(old, value=value)
