"""OverlayMessage: one quiet line over the views that says what is being waited for. It takes no mouse and no keys."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.scene.look import Look

HEIGHT, AROUND, ABOVE_EDGE = 30, 14, 18  # [px]
PIXELS = 13  # of its letters


class OverlayMessage(QWidget):
    """A line of text, hidden while it is empty."""

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(parent)
        self.look, self.text = look, ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        font = self.font()
        font.setPixelSize(PIXELS)
        self.setFont(font)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show this line, or none where it is empty."""
        if text == self.text:
            return
        self.text = text
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        self.place()
        self.raise_()
        self.update()

    def place(self) -> None:
        """Stand in the middle above the lower edge."""
        around = self.parentWidget()
        if around is not None:
            width = min(self.fontMetrics().horizontalAdvance(self.text) + 2 * AROUND, around.width() - 2 * AROUND)
            self.setGeometry((around.width() - width) // 2, around.height() - HEIGHT - ABOVE_EDGE, width, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and the words."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(self.look.raised)
        ground.setAlphaF(0.92)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()), 6, 6)
        painter.setPen(QColor(self.look.text))
        words = self.fontMetrics().elidedText(self.text, Qt.TextElideMode.ElideRight, self.width() - AROUND)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, words)
        painter.end()
