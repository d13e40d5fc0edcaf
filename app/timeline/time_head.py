"""TimeHead: the numbers of frames over views that share an axis of time; a drag in it moves the playhead."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.session import Session
from app.session.player import frame_of
from app.style.apply import current_theme
from app.style.fonts import number_font, scaled
from app.timeline.axis import TimeAxis

HEIGHT = 22
ZOOM = 1.2  # for one notch of the wheel


class TimeHead(QWidget):
    """One strip of time."""

    def __init__(self, session: Session, axis: TimeAxis, *, margin: int, parent: QWidget | None = None) -> None:
        """`margin` is where the axis begins [logical px], to the right of the names below."""
        super().__init__(parent)
        self._session, self._axis, self._margin = session, axis, margin
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Time")
        self.setToolTip("Drag to another frame; the wheel zooms about the pointer")
        axis.changed.connect(self.update)
        session.playhead_moved.connect(lambda time: self.update())

    def sizeHint(self) -> QSize:
        return QSize(400, scaled(HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._scrub(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._scrub(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        x = max(event.position().x() - scaled(self._margin), 0.0)
        self._axis.zoom(ZOOM ** (-event.angleDelta().y() / 120.0), x)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, left = current_theme(), float(scaled(self._margin))
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.fillRect(QRectF(0.0, self.height() - 1.0, self.width(), 1.0), QColor(theme.line))
        painter.setClipRect(QRectF(left, 0.0, self.width() - left, self.height()))
        painter.setFont(number_font())
        for time, numbered in self._axis.frames():
            x, tall = left + self._axis.x_of(time), 6.0 if numbered else 3.0
            painter.fillRect(QRectF(round(x), self.height() - tall, 1.0, tall), QColor(theme.line))
            if numbered:
                painter.setPen(QColor(theme.text_quiet))
                frame = QRectF(x - 40.0, 0.0, 80.0, self.height() - 5.0)
                painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, str(frame_of(time, self._axis.rate)))
        self._paint_playhead(painter, left)
        painter.end()

    def _paint_playhead(self, painter: QPainter, left: float) -> None:
        theme, time = current_theme(), self._session.playhead
        x, text = left + self._axis.x_of(time), str(frame_of(time, self._axis.rate))
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(x - width / 2, 1.0, width, self.height() - 5.0)
        painter.setPen(QPen(QColor(theme.accent), 1.0))
        painter.drawLine(QPointF(x, plate.bottom()), QPointF(x, self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.accent_text))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _scrub(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._session.player.pause()
            self._session.set_playhead(
                self._axis.snapped(self._axis.time_at(event.position().x() - scaled(self._margin)))
            )
