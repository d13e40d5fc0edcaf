"""ViewPage: stands in for the views while they are prepared, or says why there will be none."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.scene.look import Look

PREPARING = "Preparing the view…"


class ViewPage(QWidget):
    """A title and a few lines on the views' own ground."""

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(parent)
        self.look, self.title, self.text = look, PREPARING, ""

    def say(self, title: str, text: str = "") -> None:
        """Write something else."""
        self.title, self.text = title, text
        self.setAccessibleName(f"{title} {text}".strip())
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground and the words."""
        painter = QPainter(self)
        ground = QLinearGradient(QPointF(0, 0), QPointF(0, self.height()))
        ground.setColorAt(0, QColor(self.look.view_top))
        ground.setColorAt(1, QColor(self.look.view_bottom))
        painter.fillRect(self.rect(), ground)
        font = self.font()
        font.setPixelSize(15 if self.text else 14)
        painter.setFont(font)
        middle, width = self.height() / 2, min(560.0, self.width() - 48.0)
        left = (self.width() - width) / 2
        painter.setPen(QColor(self.look.text if self.text else self.look.text_quiet))
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        if not self.text:
            painter.drawText(QRectF(self.rect()), Qt.AlignmentFlag.AlignCenter, self.title)
            return
        painter.drawText(QRectF(left, middle - 76, width, 46), flags | Qt.AlignmentFlag.AlignBottom, self.title)
        font.setPixelSize(13)
        painter.setFont(font)
        painter.setPen(QColor(self.look.text_quiet))
        painter.drawText(QRectF(left, middle - 18, width, 180), flags, self.text)
