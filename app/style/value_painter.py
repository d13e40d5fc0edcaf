"""Paints a value's field: its background, the filled part, the ticks of limits and rest, and its texts."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from app.style.fonts import number_font, text_font
from app.style.theme import Theme, mix
from app.style.units import Unit
from engine.runtime.quick_dataclass import dataclass

RADIUS = 4.0
INSET = 5.0  # from the field's edge to where its limits stand
MARGIN = 9.0  # from the field's edge to its texts
GAP = 8.0


@dataclass(frozen=True, kw_only=True)
class Face:
    """The state of a value's field that is painted."""

    label: str
    value: float
    unit: Unit
    lower: float | None
    upper: float | None
    rest: float
    enabled: bool = True
    hovered: bool = False
    focused: bool = False
    held: bool = False

    @property
    def limited(self) -> bool:
        """True if the value has a range between two limits."""
        return self.lower is not None and self.upper is not None and self.upper > self.lower

    def share(self, value: float) -> float:
        """Return the place of a value between the limits, 0 to 1."""
        if self.lower is None or self.upper is None or self.upper <= self.lower:
            return 0.5
        return min(1.0, max(0.0, self.unit.share(value, self.lower, self.upper)))

    @property
    def at_limit(self) -> bool:
        """True if the value has reached one of its limits."""
        slack = 1e-9 * max(1.0, abs(self.value))
        low = self.lower is not None and self.value <= self.lower + slack
        return low or (self.upper is not None and self.value >= self.upper - slack)


def paint_face(painter: QPainter, bounds: QRectF, face: Face, theme: Theme) -> None:
    """Draw a value's field into `bounds`."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    frame = bounds.adjusted(0.5, 0.5, -0.5, -0.5)
    path = QPainterPath()
    path.addRoundedRect(frame, RADIUS, RADIUS)
    painter.fillPath(path, QColor(_ground(face, theme)))
    if face.limited:
        painter.save()
        painter.setClipPath(path)
        _paint_span(painter, frame, face, theme)
        painter.restore()
    painter.setPen(QPen(QColor(_border(face, theme)), 1.0))
    painter.drawPath(path)
    _paint_texts(painter, frame, face, theme)


def place(frame: QRectF, share: float) -> float:
    """Return the x of a share of the range, from the left edge of the field."""
    return frame.left() + INSET + share * (frame.width() - 2.0 * INSET)


def value_width(face: Face) -> float:
    """Return the width of the value and its unit, margin included; never less than a click can hit."""
    return max(64.0, QFontMetricsF(number_font()).horizontalAdvance(face.unit.text(face.value)) + MARGIN + GAP)


def _paint_span(painter: QPainter, frame: QRectF, face: Face, theme: Theme) -> None:
    rest, here = place(frame, face.share(face.rest)), place(frame, face.share(face.value))
    moved = abs(here - rest) > 0.25
    if moved and face.enabled:
        painter.fillRect(QRectF(min(rest, here), frame.top(), abs(here - rest), frame.height()), QColor(theme.fill))
    faint = QColor(mix(theme.field, theme.text_faint, 0.7 if face.enabled else 0.3))
    for x, height in ((place(frame, 0.0), 3.0), (place(frame, 1.0), 3.0), (rest, 5.0)):
        painter.fillRect(QRectF(x - 0.5, frame.bottom() - height, 1.0, height), faint)
    if face.enabled and (moved or face.held or face.hovered or face.focused):
        edge = theme.warning if face.at_limit else theme.accent
        painter.fillRect(QRectF(here - 0.75, frame.top(), 1.5, frame.height()), QColor(edge))
        painter.fillRect(QRectF(min(rest, here), frame.bottom() - 2.0, abs(here - rest), 2.0), QColor(edge))


def _paint_texts(painter: QPainter, frame: QRectF, face: Face, theme: Theme) -> None:
    inner = frame.adjusted(MARGIN, 0.0, -MARGIN, 0.0)
    number, suffix = face.unit.number(face.value), face.unit.suffix
    middle = Qt.AlignmentFlag.AlignVCenter
    faded = mix(theme.panel, theme.text_faint, 0.6)
    metrics = QFontMetricsF(number_font())
    suffix_width, number_width = metrics.horizontalAdvance(suffix), metrics.horizontalAdvance(number)
    painter.setFont(number_font())
    painter.setPen(QColor(theme.text_quiet if face.enabled else faded))
    painter.drawText(inner, middle | Qt.AlignmentFlag.AlignRight, suffix)
    painter.setPen(QColor(theme.text if face.enabled else faded))
    painter.drawText(inner.adjusted(0.0, 0.0, -suffix_width, 0.0), middle | Qt.AlignmentFlag.AlignRight, number)
    room = inner.width() - suffix_width - number_width - GAP
    font = text_font()
    label = QFontMetricsF(font).elidedText(face.label, Qt.TextElideMode.ElideRight, max(0.0, room))
    painter.setFont(font)
    painter.setPen(QColor(theme.text_quiet if face.enabled else faded))
    painter.drawText(QRectF(QPointF(inner.left(), inner.top()), frame.bottomRight()), middle, label)


def _ground(face: Face, theme: Theme) -> str:
    if not face.enabled:
        return theme.panel
    return mix(theme.field, theme.text, 0.04) if face.hovered or face.held else theme.field


def _border(face: Face, theme: Theme) -> str:
    if face.focused:
        return theme.accent
    return mix(theme.line, theme.text_faint, 0.35) if face.hovered and face.enabled else theme.line
