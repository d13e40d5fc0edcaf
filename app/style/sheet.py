"""Sheet: the ground of every dialogue to read or to fill in; and Pages, the list of those of one with several."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.style.fonts import TITLE, scaled, text_font

MARGIN, ROW_HEIGHT = 24, 28


def fit_on_screen(window: QWidget) -> None:
    """Make a window that is about to be shown no larger than its screen has room for, and put it there."""
    room = window.screen().availableGeometry()
    window.resize(window.size().boundedTo(room.size()))
    at = window.frameGeometry()
    at.moveRight(min(at.right(), room.right()))
    at.moveBottom(min(at.bottom(), room.bottom()))
    window.move(max(at.left(), room.left()), max(at.top(), room.top()))


class Sheet(QDialog):
    """A quiet dialogue with a title, content and one button; it does not block the window."""

    def __init__(self, parent: QWidget, title: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(MARGIN, MARGIN, MARGIN, 16)
        self.column.setSpacing(14)
        heading = QLabel(title)
        heading.setFont(text_font(TITLE))
        self.column.addWidget(heading)

    def showEvent(self, event: QShowEvent) -> None:
        """Be whole on a small screen."""
        super().showEvent(event)
        if not event.spontaneous():
            fit_on_screen(self)

    def add_button(self) -> QDialogButtonBox:
        """The row of buttons at the foot."""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
        self.column.addWidget(buttons)
        return buttons


class Pages(QListWidget):
    """The names of a sheet's pages, at its left."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.setFixedWidth(scaled(width))
        self.setFrameShape(QFrame.Shape.NoFrame)

    def add(self, title: str) -> None:
        """One more."""
        item = QListWidgetItem(title, self)
        item.setSizeHint(QSize(0, scaled(ROW_HEIGHT)))
