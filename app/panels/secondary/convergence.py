"""ConvergencePlot: how the error of a search for a correction fell."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font


class ConvergencePlot(QWidget):
    """The error after each iteration, in parts of what is allowed: below the line every target is met."""

    def __init__(self) -> None:
        super().__init__()
        self.curve: tuple[float, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Convergence: the error after each iteration")
        self.setToolTip("The error after each iteration, each step down ten times less. Below the dashed line: met")

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

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(8.0, 4.0, -8.0, -18.0)
        painter.fillRect(frame, QColor(theme.field))
        logs = [math.log10(max(each, 1e-3)) for each in self.curve]
        top, bottom = max(1.0, *logs, 1.0), min(-1.0, *logs, -1.0)

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
        below = QRectF(frame.left(), frame.bottom() + 2.0, frame.width(), 14.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, self.count_text)
        painter.end()
