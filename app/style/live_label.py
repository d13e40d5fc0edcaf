"""LiveLabel: a short text that changes while one looks. It keeps the room of the widest text so far, since a change of
its size would lay out the whole window anew, which takes as long as several pictures."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel

from app.style.fonts import number_font


class LiveLabel(QLabel):
    """One line of figures of equal width."""

    def __init__(self, tip: str = "", *, least: int = 0) -> None:
        """`least` [px] is the room that any text has."""
        super().__init__()
        self._least = least
        self.setFont(number_font())
        self.setToolTip(tip)
        self._fit(least)

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self.text():
            self.setText(text)
            self._fit(self.minimumWidth())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit(self._least)

    def _fit(self, least: int) -> None:
        wanted = self.sizeHint()  # with what the style sheet puts around the text
        self.setFixedSize(max(least, wanted.width() if self.text() else 0), wanted.height())
