"""RateField: the frame rate of a document; chosen from the usual ones, or typed."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.session import Session
from app.session.clock import FASTEST, RATES, SLOWEST, rate_of_text, rate_text
from app.style.number_line import NumberLine
from engine.document.motion import Rate
from engine.edits import edit

UNIT = " fps"


class RateField(QComboBox):
    """Frames a second."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setToolTip("Frames a second: choose, or type a number such as 12.5 or 30000/1001. Keys keep their time.")
        self.setAccessibleName("Frames a second")
        self._line = NumberLine()
        self.setEditable(True)
        self.setLineEdit(self._line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setCompleter(None)  # type: ignore[arg-type]  # else "12" becomes 120
        self.setMinimumContentsLength(9)
        for text, _ in RATES:
            self.addItem(text + UNIT)
        self.activated.connect(lambda place: self._take(RATES[place][1]))
        self._line.editingFinished.connect(self._take_text)
        self._line.returnPressed.connect(lambda: self._line.clearFocus())  # so that Space plays again
        session.document_changed.connect(lambda old, new: self._show())
        self._show()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel: on its way elsewhere it changes no document."""
        event.ignore()

    def ask(self) -> None:
        """Let a rate be typed."""
        self._line.setFocus()
        self._line.selectAll()

    def _show(self) -> None:
        """Show the document's rate; the list stands on it where it is one of the usual ones."""
        rate = self._session.document.rate
        self.setCurrentIndex(next((place for place, (_, each) in enumerate(RATES) if each == rate), -1))
        self._line.setText(rate_text(rate) + UNIT)

    def _take_text(self) -> None:
        text = self._line.text()
        if text == rate_text(self._session.document.rate) + UNIT:
            return
        rate = rate_of_text(text)
        if rate is None:
            allowed = f"a number from {SLOWEST} to {FASTEST}, such as 24, 29.97 or 30000/1001"
            self._session.note("warning", f"“{text.strip()}” is no frame rate. Allowed: {allowed}.")
            self._show()
        else:
            self._take(rate)

    def _take(self, rate: Rate) -> None:
        self._session.do(edit("set_rate", frames=rate[0], seconds=rate[1]))
        self._show()
