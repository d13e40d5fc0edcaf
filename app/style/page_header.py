"""Header: what the inspector is about, in a few lines, and the button that takes it back to rest."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.style.apply import current_theme
from app.style.elided_label import ElidedLabel
from app.style.fonts import SMALL, TITLE, text_font
from app.style.icon_button import IconButton
from app.style.icons import icon

PICTURE = 20


class Header(QWidget):
    """A name with its icon, quiet lines below it, and Reset."""

    reset = Signal()

    def __init__(self, picture: str, name: str, about: tuple[str, ...], *, reset_tip: str) -> None:
        super().__init__()
        self._picture = picture
        self.name = ElidedLabel(name, font=text_font(TITLE, QFont.Weight.Medium))
        self.about = [ElidedLabel(line, colour="text_faint", font=text_font(SMALL)) for line in about]
        self.button = IconButton("rotate-ccw", reset_tip, size=15)
        self.button.clicked.connect(self.reset)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.name)
        for label in self.about:
            texts.addWidget(label)
        row = QHBoxLayout(self)
        row.setContentsMargins(PICTURE + 12, 4, 0, 6)
        row.setSpacing(6)
        row.addLayout(texts, 1)
        row.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self.button.setVisible(bool(reset_tip))  # not before: shown without a parent it would be a window of its own

    def set_about(self, about: tuple[str, ...]) -> None:
        """Say something else, in as many lines."""
        for label, line in zip(self.about, about, strict=True):
            label.set_text(line)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), current_theme()
        middle = self.name.geometry().center().y()
        icon(self._picture, theme, "accent").paint(painter, 2, middle - PICTURE // 2, PICTURE, PICTURE)
        painter.end()
