"""NumberField: the line in which a value is typed, laid over the field that shows it.

Enter takes the number, Escape leaves it, and so does going elsewhere with the text as it was. Text that is not a number
stays, marked, with a sentence that says what could be typed.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.style.expression import WrongNumber, parse
from app.style.fonts import number_font
from app.style.number_line import NumberLine
from app.style.units import Unit


class NumberField(NumberLine):
    """A line for one number in a unit."""

    entered = Signal(float)  # [SI]
    refused = Signal(str)  # why the text is not a number
    closed = Signal()

    def __init__(self, parent: QWidget, *, unit: Unit, present: float, again: bool = False) -> None:
        """`again`: Enter takes the number that it began with, too."""
        super().__init__(parent)
        self._again = again
        self._over, self._unit, self._present, self._start = parent, unit, present, unit.typed(present)
        self._done = False
        self.setFont(number_font())
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setAccessibleName(f"{parent.accessibleName()}, typed")
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)  # it would take the focus, and so close the field
        self.textEdited.connect(self._forgive)

    def begin(self, text: str | None = None) -> None:
        """Show the field, with the present number selected, or with `text` as if it had just been typed."""
        self.setGeometry(self._over.rect())
        self.setText(self._start if text is None else text)
        self.setModified(text is not None)
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        if text is None:
            self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(forgiving=False)
        elif event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.ActiveWindowFocusReason:
            self._enter(forgiving=True)

    def _enter(self, *, forgiving: bool) -> None:
        if self._done:
            return
        if self.text() == self._start and (forgiving or not self._again):
            self._close()
            return
        try:
            value = parse(self.text(), unit=self._unit, present=self._present)
        except WrongNumber as wrong:
            if forgiving:
                self._close()
            else:
                self._refuse(str(wrong))
            return
        self._close()
        self.entered.emit(value)

    def _close(self) -> None:
        if not self._done:
            self._done = True
            QToolTip.hideText()
            self.closed.emit()

    def _refuse(self, why: str) -> None:
        self._mark(wrong=True)
        self.setAccessibleDescription(why)
        self.selectAll()
        QToolTip.showText(self.mapToGlobal(QPoint(0, self.height())), why, self)
        self.refused.emit(why)

    def _forgive(self) -> None:
        if self.property("wrong"):
            QToolTip.hideText()
            self._mark(wrong=False)

    def _mark(self, *, wrong: bool) -> None:
        self.setProperty("wrong", wrong)
        self.style().unpolish(self)
        self.style().polish(self)
