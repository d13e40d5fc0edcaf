"""TimeField: a time that is typed, as a frame or in seconds: what the timeline counts in needs no unit.

Enter takes it, on the nearest frame, and gives the keyboard back; Escape leaves it as it was. Words that are no time
stay, marked, with a sentence that says what could be typed.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLineEdit, QToolTip, QWidget

from app.session import Session
from app.session.player import frame_of
from app.style.expression import WrongNumber, parse
from app.style.fonts import number_font, scaled
from app.style.units import Unit
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time

QUOTED = 24  # letters of what was typed that are said again
LETTERS, PADDING = 5, 18  # figures that it has room for, and [logical px] beside them


class TimeField(QLineEdit):
    """A line for one time of a session."""

    entered = Signal(object)  # tick, of a frame

    def __init__(self, session: Session, spoken: str, tip: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._time, self._shown, self._presses = session, 0, "", False
        self.setFont(number_font())
        self.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setAccessibleName(spoken)
        self.setToolTip(f"{tip}\nType a frame, as 48, seconds, as 1.6 s, or += and how much further.")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus | Qt.FocusPolicy.TabFocus)
        self.textEdited.connect(lambda text: self._mark(wrong=False))
        session.clock.changed.connect(self._show)
        session.document_changed.connect(lambda old, new: self._show())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance("0" * LETTERS) + scaled(PADDING), hint.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_time(self, time: int) -> None:
        """Show a tick, unless another time is being typed."""
        self._time = time
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._presses = event.reason() == Qt.FocusReason.MouseFocusReason

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self._presses and not self.hasSelectedText():
            self.selectAll()
        self._presses = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._take():
                self.clearFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self._leave()
            self.clearFocus()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        kept = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if event.reason() not in kept and not self._take():
            self._leave()

    def _show(self) -> None:
        text = self._session.clock.text(self._time, self._session.document.rate).replace("-", "\N{MINUS SIGN}")
        if not self.isModified() and text != self.text():
            self.setText(text)

    def _take(self) -> bool:
        """Take what was typed; False if it is no time, which is said."""
        if not self.isModified():
            return True
        session = self._session
        try:
            time = time_of_text(self.text(), self._time, session.document.rate, seconds=session.clock.seconds)
        except WrongTime as wrong:
            self._refuse(str(wrong))
            return False
        self._leave()
        self.entered.emit(time)
        self._show()
        return True

    def _leave(self) -> None:
        """Show the time as it is."""
        self.setModified(False)
        self._mark(wrong=False)
        self._show()

    def _refuse(self, why: str) -> None:
        self._mark(wrong=True)
        self.setAccessibleDescription(why)
        self.selectAll()
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), why, self)
        self._session.note("warning", why)

    def _mark(self, *, wrong: bool) -> None:
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            self.style().unpolish(self)
            self.style().polish(self)
            if not wrong:
                QToolTip.hideText()
                self.setAccessibleDescription("")


def time_of_text(text: str, present: int, rate: Rate, *, seconds: bool) -> int:
    """Read the tick of the frame that is nearest to a typed time; a `WrongTime` says what could be typed."""
    pace = rate[0] / rate[1]
    names = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "min": 60.0, "f": 1.0 / pace, "frame": 1.0 / pace, "frames": 1.0 / pace}
    scale = 1.0 if seconds else pace
    worth = {name: value * scale for name, value in names.items()}
    unit = Unit(suffix="", words="", scale=scale, decimals=2, step=1.0, coarse=5.0, names=worth)
    try:
        found = parse(text, unit=unit, present=present / TICKS_PER_SECOND)
    except WrongNumber as wrong:
        raise WrongTime(text, "is no time", seconds=seconds) from wrong
    if abs(found) * TICKS_PER_SECOND > TICKS_LIMIT:
        raise WrongTime(text, "is more than 73 days", seconds=seconds)
    tick = round(found * TICKS_PER_SECOND)
    return frame_time(frame_of(tick + frame_time(1, rate) // 2, rate), rate)


class WrongTime(ValueError):
    """Typed text that is no time; says what could be typed instead."""

    def __init__(self, text: str, reason: str, *, seconds: bool) -> None:
        typed = text.strip() if len(text) <= QUOTED else f"{text.strip()[:QUOTED]}…"
        usual = "seconds, as 1.6, or a frame, as 48 f" if seconds else "a frame, as 48, or seconds, as 1.6 s"
        super().__init__(f"“{typed}” {reason}. Type {usual}.")
