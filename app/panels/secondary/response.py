"""ResponsePlot: how far joints are off after a jolt, against time, and where the window ends."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font
from app.style.units import ANGLE, LENGTH, TIME, Unit
from engine.jobs.suggest_window import WindowFound

HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 132, 38.0, 8.0, 8.0, 20.0  # [px] the left margin at least so
GAP = 4.0  # [px] from a number to the frame
PIXELS = Unit(suffix=" px", words="pixels", scale=1.0, decimals=0, step=1.0, coarse=10.0)
UNITS = {"angle": ANGLE, "pixels": PIXELS, "length": LENGTH}
SHOWN = (0.5, 1.0, 2.0, 3.0)  # [s] one of these is how wide the plot is


class ResponsePlot(QWidget):
    """The curve of the last jolt."""

    def __init__(self) -> None:
        super().__init__()
        self.found: WindowFound | None = None
        self._window = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Angle off after a jolt, against time")
        self.setToolTip(
            "How far the joints are from where they would be, after their keys came at 4 rad/s and stopped dead.\n"
            "Dashed: the smallest that is seen. Upright: the window of now"
        )

    def show_response(self, found: WindowFound | None) -> None:
        """Draw this one."""
        if found is not self.found:
            self.found = found
            unit = ANGLE if found is None else UNITS[found.wanted.unit]
            self.setAccessibleDescription("" if found is None else f"at most {unit.text(float(found.sizes.max()))}")
            self.update()

    def show_window(self, seconds: float) -> None:
        """Where the window of now ends [s]."""
        if seconds != self._window:
            self._window = seconds
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    @property
    def extent(self) -> tuple[float, float]:
        """The time [s] and the angle [rad] at the ends of the axes."""
        if self.found is None:
            return SHOWN[0], math.radians(1.0)
        end = max(self._window, min(self.found.settled, SHOWN[-1]))
        wide = next((each for each in SHOWN if end <= 0.9 * each), SHOWN[-1])
        return wide, 1.1 * max(float(self.found.sizes.max()), 1.5 * self.found.wanted.least)

    @property
    def scale_text(self) -> str:
        """How far off the upper end of the axis is; empty without a jolt."""
        return "" if self.found is None else UNITS[self.found.wanted.unit].text(self.extent[1])

    @property
    def margin(self) -> float:
        """What is left of the frame: as wide as what stands there [px]."""
        across = QFontMetricsF(number_font(SMALL - 1)).horizontalAdvance(self.scale_text)
        return max(LEFT, math.ceil(across) + 2.0 * GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(self.margin, TOP, -RIGHT, -BOTTOM)
        painter.fillRect(frame, QColor(theme.field))
        wide, high = self.extent
        self._paint_scale(painter, frame, wide)
        if self.found is not None:
            least = frame.bottom() - self.found.wanted.least / high * frame.height()
            painter.setPen(QPen(QColor(theme.text_faint), 1.0, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(frame.left(), least), QPointF(frame.right(), least))
            painter.setPen(QPen(QColor(theme.text_quiet), 1.0))
            if 0.0 < self._window <= wide:
                x = frame.left() + self._window / wide * frame.width()
                painter.drawLine(QPointF(x, frame.top()), QPointF(x, frame.bottom()))
            painter.setClipRect(frame)
            painter.setPen(QPen(QColor(theme.accent), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
            painter.drawPolyline(QPolygonF(self._points(self.found, frame, wide, high)))
        painter.end()

    def _paint_scale(self, painter: QPainter, frame: QRectF, wide: float) -> None:
        theme = current_theme()
        painter.setFont(number_font(SMALL - 1))
        painter.setPen(QColor(theme.text_faint))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0.0, frame.bottom() - 9.0, frame.left() - GAP, 14.0), right, "0")
        painter.drawText(QRectF(0.0, frame.top() - 3.0, frame.left() - GAP, 14.0), right, self.scale_text)
        below = QRectF(frame.left(), frame.bottom() + 3.0, frame.width(), BOTTOM - 3.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "0")
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, TIME.text(0.5 * wide))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, TIME.text(wide))
        painter.setPen(QPen(QColor(theme.line), 1.0))
        middle = frame.center().x()
        painter.drawLine(QPointF(middle, frame.top()), QPointF(middle, frame.bottom()))

    def _points(self, found: WindowFound, frame: QRectF, wide: float, high: float) -> list[QPointF]:
        return [
            QPointF(
                frame.left() + time / wide * frame.width(),
                frame.bottom() - size / high * frame.height(),
            )
            for time, size in zip(found.times.tolist(), found.sizes.tolist(), strict=True)
            if time <= 1.05 * wide
        ]
