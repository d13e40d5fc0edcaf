"""Ruler: frames from left to right, marks where keys stand, and the playhead, which follows the mouse."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.session.player import frame_of
from app.style.apply import current_theme
from app.style.fonts import number_font, scaled
from engine.document.motion import Rate, frame_time

HEIGHT = 34
MARGIN = 14
LEAST_GAP = 54  # [px] between numbers
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000)


class Ruler(QWidget):
    """One line of time."""

    moved = Signal(object)  # tick that a person chose

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._start, self._end = 0, 1
        self._rate: Rate = (30, 1)
        self._playhead = 0
        self._keys: tuple[int, ...] = ()
        self._drafts: tuple[int, ...] = ()
        self.setMinimumWidth(120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Time")
        self.setToolTip("Drag to another frame; arrow keys step, Home and End go to the ends")

    def sizeHint(self) -> QSize:
        return QSize(400, scaled(HEIGHT))

    def show_span(self, start: int, end: int, rate: Rate) -> None:
        """From when to when [ticks], counted in frames of a rate."""
        if (start, end, rate) != (self._start, self._end, self._rate):
            self._start, self._end, self._rate = start, max(end, start + 1), rate
            self.update()

    def show_keys(self, times: tuple[int, ...]) -> None:
        """Mark these ticks."""
        if times != self._keys:
            self._keys = times
            self.update()

    def show_drafts(self, times: tuple[int, ...]) -> None:
        """Mark these ticks as drafts: poses that are not keyed."""
        if times != self._drafts:
            self._drafts = times
            self.update()

    def show_playhead(self, time: int) -> None:
        """Stand at a tick."""
        if time != self._playhead:
            self._playhead = time
            self.update()

    def x_of(self, time: int) -> float:
        """Where a tick stands [px]."""
        share = (time - self._start) / (self._end - self._start)
        return scaled(MARGIN) + share * (self.width() - 2 * scaled(MARGIN))

    def time_at(self, x: float) -> int:
        """The frame nearest to a place, as a tick within the span."""
        share = (x - scaled(MARGIN)) / max(self.width() - 2 * scaled(MARGIN), 1)
        ticks = self._start + round(share * (self._end - self._start))
        half = frame_time(1, self._rate) // 2
        frame = frame_of(min(max(ticks, self._start), self._end) + half, self._rate)
        return min(max(frame_time(frame, self._rate), self._start), self._end)

    # Qt's events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.moved.emit(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.moved.emit(self.time_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.moved.emit(self.time_at(event.position().x()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus() and event.angleDelta().y():
            self._step(-1 if event.angleDelta().y() > 0 else 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_PageUp: -10, Qt.Key.Key_PageDown: 10}
        if event.key() in steps:
            self._step(steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.moved.emit(self._start if event.key() == Qt.Key.Key_Home else self._end)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setFont(number_font())
        base = self.height() - 8.0
        painter.fillRect(QRectF(scaled(MARGIN), base, self.width() - 2 * scaled(MARGIN), 1.0), QColor(theme.line))
        for frame, numbered in self._marks():
            x = self.x_of(frame_time(frame, self._rate))
            tall = 6.0 if numbered else 3.0
            painter.fillRect(QRectF(x - 0.5, base - tall, 1.0, tall), QColor(theme.line))
            if numbered:
                painter.setPen(QColor(theme.text_quiet))
                painter.drawText(QRectF(x - 30, 2, 60, 16), Qt.AlignmentFlag.AlignCenter, str(frame))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.text_quiet))
        for place in sorted({round(self.x_of(time)) for time in self._keys if self._start <= time <= self._end}):
            painter.drawPolygon(_diamond(place + 0.0, base + 0.5, 3.5))
        painter.setBrush(QColor(theme.warning))
        for place in {round(self.x_of(time)) for time in self._drafts if self._start <= time <= self._end}:
            painter.drawRoundedRect(QRectF(place - 2.0, base - 11.0, 4.0, 15.0), 1.5, 1.5)
        self._paint_playhead(painter, base)
        painter.end()

    def _paint_playhead(self, painter: QPainter, base: float) -> None:
        theme = current_theme()
        x = self.x_of(min(max(self._playhead, self._start), self._end))
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.drawLine(QPointF(x, 18.0), QPointF(x, base + 5.0))
        text = str(frame_of(self._playhead, self._rate))
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(min(max(x - width / 2, 0.0), self.width() - width), 1.0, width, 17.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.accent_text))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _marks(self) -> Iterator[tuple[int, bool]]:
        first, last = frame_of(self._start, self._rate), frame_of(self._end, self._rate)
        count = max(last - first, 1)
        room = max((self.width() - 2 * scaled(MARGIN)) / count, 1e-9)
        step = next((each for each in STEPS if each * room >= scaled(LEAST_GAP)), STEPS[-1])
        small = next((each for each in STEPS if each * room >= 5.0 and step % each == 0), step)
        for frame in range(first + (-first) % small, last + 1, small):
            yield frame, frame % step == 0

    def _step(self, frames: int) -> None:
        time = frame_time(frame_of(self._playhead, self._rate) + frames, self._rate)
        self.moved.emit(min(max(time, self._start), self._end))


def _diamond(x: float, y: float, size: float) -> QPolygonF:
    return QPolygonF([QPointF(x, y - size), QPointF(x + size, y), QPointF(x, y + size), QPointF(x - size, y)])
