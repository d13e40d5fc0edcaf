"""ConvergencePlot: how the error of a search for a correction fell."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font

LEFT, GAP = 32.0, 4.0  # [px] left of the frame, and from what stands there to it
LEAST, MOST = 1e-3, 1e12  # parts of what is allowed that are drawn
SUPERSCRIPT = str.maketrans("0123456789", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079")


class ConvergencePlot(QWidget):
    """The error after each iteration, in parts of what is allowed: below the line every target is met."""

    def __init__(self) -> None:
        super().__init__()
        self.curve: tuple[float, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Convergence: the error after each iteration")
        self.setToolTip(
            "The error after each iteration, in parts of what is allowed, 10 times less for each step down.\n"
            "Below the dashed line every target is met"
        )

    def show_curve(self, curve: tuple[float, ...]) -> None:
        """Draw this one."""
        if curve != self.curve:
            self.curve = curve
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, 84)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 84)

    @property
    def count_text(self) -> str:
        """How many iterations there were."""
        count = max(len(self.curve) - 1, 0)
        return {0: "no iteration", 1: "1 iteration"}.get(count, f"{count} iterations")

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten at the upper and the lower end of the axis."""
        logs = self._logs
        return max(1, *(math.ceil(each) for each in logs), 1), min(-1, *(math.floor(each) for each in logs), -1)

    @property
    def _logs(self) -> list[float]:
        return [
            math.log10(min(max(each, LEAST), MOST)) if math.isfinite(each) else math.log10(MOST) for each in self.curve
        ]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(LEFT, 4.0, -8.0, -18.0)
        painter.fillRect(frame, QColor(theme.field))
        logs, (top, bottom) = self._logs, self.decades

        def place(iteration: int, log: float) -> QPointF:
            across = frame.left() + 6.0 + iteration / max(len(logs) - 1, 1) * (frame.width() - 12.0)
            return QPointF(across, frame.top() + 4.0 + (top - log) / (top - bottom) * (frame.height() - 8.0))

        met = place(0, 0.0).y()
        painter.setPen(QPen(QColor(theme.text_faint), 1.0, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(frame.left(), met), QPointF(frame.right(), met))
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        points = [place(iteration, log) for iteration, log in enumerate(logs)]
        painter.drawPolyline(QPolygonF(points))
        painter.setBrush(QColor(theme.accent))
        for point in points:
            painter.drawEllipse(point, 2.0, 2.0)
        painter.setFont(number_font(SMALL - 1))
        painter.setPen(QColor(theme.text_faint))
        beside = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for text, y in ((f"10{str(top).translate(SUPERSCRIPT)}", place(0, top).y()), ("met", met)):
            painter.drawText(QRectF(0.0, y - 7.0, LEFT - GAP, 14.0), beside, text)
        below = QRectF(frame.left(), frame.bottom() + 2.0, frame.width(), 14.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self.count_text)
        painter.end()
