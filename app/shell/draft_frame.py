"""DraftFrame: the amber frame about the views while the pose that they show is a draft."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QRegion
from PySide6.QtWidgets import QWidget

from app.session import Posing
from app.style.apply import current_theme
from app.style.fonts import text_font

WIDTH = 3  # [logical px]
TEXT = "Draft, not keyed"
HEIGHT = 22


class DraftFrame(QWidget):
    """Lies over a widget, whose size it follows; the mouse goes through it."""

    def __init__(self, over: QWidget, posing: Posing) -> None:
        super().__init__(over)
        self._over, self._posing = over, posing
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(TEXT)
        over.installEventFilter(self)
        posing.changed.connect(self._follow)
        self._cover()
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The widget below has another size."""
        if event.type() == QEvent.Type.Resize:
            self._cover()
        return super().eventFilter(watched, event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.warning))
        painter.setFont(text_font())
        painter.setPen(QColor(theme.window))
        painter.drawText(QRectF(self._plate()), Qt.AlignmentFlag.AlignCenter, TEXT)
        painter.end()

    def _follow(self) -> None:
        self.setVisible(self._posing.drafted)
        self.raise_()

    def _cover(self) -> None:
        self.setGeometry(self._over.rect())
        inside = self.rect().adjusted(WIDTH, WIDTH, -WIDTH, -WIDTH)
        self.setMask(QRegion(self.rect()).subtracted(QRegion(inside)).united(QRegion(self._plate())))
        self.raise_()

    def _plate(self) -> QRect:
        width = self.fontMetrics().horizontalAdvance(TEXT) + 28
        return QRect((self.width() - width) // 2, self.height() - HEIGHT, width, HEIGHT)
