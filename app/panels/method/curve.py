"""CurvePlot: the residual of a solve against its iterations, on a logarithmic scale, one line for each method.

Painted here rather than by pyqtgraph, whose import holds the window's thread for half a second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, text_font

HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 132, 40.0, 8.0, 8.0, 22.0
LEAST = 1e-12  # what a residual of 0 is drawn as
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@dataclass(frozen=True)
class Line:
    """Residuals after each iteration, above 0."""

    name: str
    values: tuple[float, ...]
    second: bool = False  # drawn dashed, in quiet ink


class CurvePlot(QWidget):
    """The curves of the last solve."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: tuple[Line, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Residual against iterations")
        self.setToolTip(
            "Residual against iterations of the last start: the root of r·r, in metres where goals are places"
        )

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Draw these."""
        self.lines = tuple(lines)
        told = (f"{each.name}: {len(each.values)} iterations, {each.values[-1]:.2g}" for each in lines if each.values)
        self.setAccessibleDescription("; ".join(told))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(220, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, HEIGHT)

    @property
    def powers(self) -> tuple[int, int]:
        """The powers of ten at the lower and the upper end."""
        values = [max(value, LEAST) for line in self.lines for value in line.values]
        if not values:
            return -4, 0
        low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        return (low, high) if high > low else (low, low + 1)

    @property
    def longest(self) -> int:
        """How many iterations the plot is wide."""
        return max((len(line.values) for line in self.lines), default=0)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QRectF(self.rect()).adjusted(LEFT, TOP, -RIGHT, -BOTTOM)
        painter.fillRect(frame, QColor(theme.field))
        self._paint_scale(painter, frame)
        for line in sorted(self.lines, key=lambda line: not line.second):
            colour = QColor(theme.text_faint if line.second else theme.accent)
            style = Qt.PenStyle.DashLine if line.second else Qt.PenStyle.SolidLine
            painter.setPen(QPen(colour, 1.5, style, Qt.PenCapStyle.FlatCap, Qt.PenJoinStyle.RoundJoin))
            points = QPolygonF(self._points(line, frame))
            painter.drawPolyline(points)
            if points.size():
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour)
                painter.drawEllipse(points.at(points.size() - 1), 2.5, 2.5)
                painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.end()

    def _paint_scale(self, painter: QPainter, frame: QRectF) -> None:
        theme, (low, high) = current_theme(), self.powers
        painter.setFont(number_font(SMALL - 1))
        apart = math.ceil((high - low) / 5)
        for power in range(low, high + 1, apart):
            y = frame.bottom() - (power - low) / (high - low) * frame.height()
            painter.setPen(QPen(QColor(theme.line), 1.0))
            painter.drawLine(QPointF(frame.left(), y), QPointF(frame.right(), y))
            painter.setPen(QColor(theme.text_faint))
            box = QRectF(0.0, y - 8.0, LEFT - 6.0, 16.0)
            text = f"10{str(power).translate(_RAISED)}"
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        below = QRectF(frame.left(), frame.bottom() + 3.0, frame.width(), BOTTOM - 3.0)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, "1" if self.longest else "")
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, str(self.longest) if self.longest > 1 else "")
        painter.setFont(text_font(SMALL - 1))
        word = "iterations" if self.longest else "no solve yet"
        if below.width() > QFontMetricsF(painter.font()).horizontalAdvance(word) + 60.0:
            painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, word)

    def _points(self, line: Line, frame: QRectF) -> list[QPointF]:
        low, high = self.powers
        apart = frame.width() / max(self.longest - 1, 1)
        return [
            QPointF(
                frame.left() + place * apart,
                frame.bottom() - (math.log10(max(value, LEAST)) - low) / (high - low) * frame.height(),
            )
            for place, value in enumerate(line.values)
        ]
