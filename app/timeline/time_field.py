"""TimeField: a time that is typed, as a frame or in seconds: what the timeline counts in needs no unit.

Enter takes it, on the nearest frame, and gives the keyboard back; Escape leaves it as it was. Words that are no time
stay, marked, with a sentence that says what could be typed.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.session import Session
from app.session.typed_time import WrongTime, time_of_text
from app.style.fonts import number_font, scaled
from app.style.number_line import NumberLine

LETTERS, PADDING = 5, 18  # figures that it has room for, and [logical px] beside them


class TimeField(NumberLine):
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
