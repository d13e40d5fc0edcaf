"""SearchField: a line that narrows a list; Escape or its cross empties it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.style.apply import current_theme
from app.style.icons import icon


class SearchField(QLineEdit):
    """A line to search with; `textChanged` says what for."""

    def __init__(self, placeholder: str = "Search", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self._glass = QAction(self)
        self._cross = QAction("Clear", self)
        self._cross.triggered.connect(self.clear)
        self.addAction(self._glass, QLineEdit.ActionPosition.LeadingPosition)
        self.addAction(self._cross, QLineEdit.ActionPosition.TrailingPosition)
        self._cross.setVisible(False)
        self.textChanged.connect(lambda text: self._cross.setVisible(bool(text)))
        self._draw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._draw()

    def _draw(self) -> None:
        self._glass.setIcon(icon("search", current_theme(), "text_faint"))
        self._cross.setIcon(icon("x", current_theme(), "text_faint"))
