"""TimeHead: the frame numbers over views that share an axis of time; a drag in it moves the playhead, or an end of what
is played."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QWidget
from shiboken6 import isValid

from app.session import Session
from app.style.apply import current_theme
from app.style.fonts import number_font, scaled
from app.timeline.axis import TimeAxis
from app.timeline.divisions import divisions
from app.timeline.play_range import RangeDrag, commit, drag_at, paint_ranges

HEIGHT = 30
BAND = 4.0  # [px] height of the range that is played, at the lower edge
GRIPS = 10.0  # [px] above the lower edge, where the ends of the range are taken hold of
NUMBER_GAP, LINE_GAP = 64.0, 9.0  # [px] between numbers and between lines, at least
ZOOM = 1.2  # for one notch of the wheel


class TimeHead(QWidget):
    """One strip of time."""

    def __init__(self, session: Session, axis: TimeAxis, *, margin: int, parent: QWidget | None = None) -> None:
        """`margin` is where the axis begins [logical px], to the right of the names below."""
        super().__init__(parent)
        self._session, self._axis, self._margin = session, axis, margin
        self._drag: RangeDrag | None = None
        self._dropped = False  # what the button went down on was let go of; nothing follows it until the next press
        self._focus_before: QWidget | None = None  # what had the keyboard before a drag took it
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.setAccessibleName("Time")
        self.setToolTip(
            "Drag to another frame; the wheel zooms about the pointer.\n"
            "The band below is how long the scene lasts: drag its ends, or hold Shift and draw what alone is played."
        )
        axis.changed.connect(self.update)
        session.playhead_moved.connect(lambda time: self.update())
        session.document_changed.connect(lambda old, new: self.update())
        session.clock.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(400, scaled(HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._drag, self._dropped = self._drag_at(event), False
            if self._drag is not None:  # Escape lets go of it
                self._focus_before = self.window().focusWidget()
                self.setFocus(Qt.FocusReason.MouseFocusReason)
            self.mouseMoveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons() & Qt.MouseButton.LeftButton:
            grips = self._drag_at(event) is not None
            self.setCursor(Qt.CursorShape.SizeHorCursor if grips else Qt.CursorShape.ArrowCursor)
        elif self._drag is not None:
            self._drag.move(self._time_at(event))
            self.update()
        elif not self._dropped:
            self._session.player.pause()
            self._session.set_playhead(self._time_at(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag = self._drag
        if drag is not None and event.button() == Qt.MouseButton.LeftButton:
            self._drag = None
            self._give_back_keyboard()
            commit(self._session, drag)
            self.update()

    def wheelEvent(self, event: QWheelEvent) -> None:
        x = max(event.position().x() - scaled(self._margin), 0.0)
        self._axis.zoom(ZOOM ** (-event.angleDelta().y() / 120.0), x)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._drag is not None:
            self._drag, self._dropped = None, True
            self._give_back_keyboard()
            self.update()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, left, axis = current_theme(), float(scaled(self._margin)), self._axis
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.panel))
        painter.fillRect(QRectF(0.0, self.height() - 1.0, self.width(), 1.0), QColor(theme.line))
        painter.setClipRect(QRectF(left, 0.0, self.width() - left, self.height()))
        painter.setFont(number_font())
        base, seconds = self.height() - BAND - 2.0, self._session.clock.seconds
        end = axis.time_at(self.width() - left)
        shown = divisions(
            axis.start, end, axis.ticks_per_pixel, axis.rate, seconds=seconds, gap=NUMBER_GAP, least=LINE_GAP
        )
        for time, text in shown:
            x, tall = left + axis.x_of(time), 6.0 if text else 3.0
            painter.fillRect(QRectF(round(x), base - tall, 1.0, tall), QColor(theme.line))
            if text:
                painter.setPen(QColor(theme.text_quiet))
                painter.drawText(QRectF(x - 40.0, 0.0, 80.0, base - 4.0), Qt.AlignmentFlag.AlignCenter, text)
        paint_ranges(painter, self._session.document, self._drag, self._x_of, base + 1.0, BAND)
        self._paint_playhead(painter, left, base)
        painter.end()

    def _paint_playhead(self, painter: QPainter, left: float, base: float) -> None:
        theme, time = current_theme(), self._session.playhead
        x, text = left + self._axis.x_of(time), self._session.clock.text(time, self._axis.rate)
        width = painter.fontMetrics().horizontalAdvance(text) + 12.0
        plate = QRectF(x - width / 2, 1.0, width, base - 5.0)
        painter.setPen(QPen(QColor(theme.accent), 1.0))
        painter.drawLine(QPointF(x, plate.bottom()), QPointF(x, self.height()))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent))
        painter.drawRoundedRect(plate, 4.0, 4.0)
        painter.setPen(QColor(theme.accent_text))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)

    def _give_back_keyboard(self) -> None:
        before, self._focus_before = self._focus_before, None
        if before is not None and isValid(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.clearFocus()

    def _x_of(self, time: int) -> float:
        return scaled(self._margin) + self._axis.x_of(time)

    def _time_at(self, event: QMouseEvent) -> int:
        return self._axis.snapped(self._axis.time_at(event.position().x() - scaled(self._margin)))

    def _drag_at(self, event: QMouseEvent) -> RangeDrag | None:
        at, draws = event.position(), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if at.x() < scaled(self._margin) - GRIPS or (at.y() < self.height() - GRIPS and not draws):
            return None
        return drag_at(self._session.document, at.x(), self._time_at(event), self._x_of, draws=draws)
