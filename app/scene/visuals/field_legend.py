"""FieldLegend: which colours stand for which numbers, in the lower right corner of the active view, painted by Qt."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter

from app.scene.colour_map import GROWING, PARTING, number_text
from app.scene.look import Look
from app.scene.painting import paint_plate, painted, window_font
from app.scene.panes import Shot
from app.scene.visuals.overlay import OverlayVisual
from engine.model.snapshot import SurfaceField

WIDTH, HEIGHT, MARGIN, INSET = 188, 54, 10, 10  # [logical px]
LETTERS, BAR = 12, 8
LEAST_VIEW = 230  # [logical px] a view narrower or lower than this has no legend


class FieldLegend:
    """The legend of the quantity that surfaces are coloured by."""

    def __init__(self) -> None:
        self.field: SurfaceField | None = None
        self._overlay: OverlayVisual | None = None
        self._ratio = 0.0

    def forget(self) -> None:
        """Drop the objects of an OpenGL context that is gone."""
        self._overlay = None

    def draw(self, handle: int, shot: Shot, look: Look, active: int) -> None:
        """Draw it into the active view of a shot."""
        field, view = self.field, active if active in shot.panes else next(iter(shot.panes))
        pane, ratio = shot.panes[view], shot.pixel_ratio
        if field is None or min(pane.width, pane.height) < LEAST_VIEW * ratio:
            return
        if self._overlay is None or ratio != self._ratio:
            self._ratio = ratio
            self._overlay = OverlayVisual(round(WIDTH * ratio), round(HEIGHT * ratio))
        content = (field.label, field.unit, field.low, field.high, field.parts, look)
        if not self._overlay.holds("legend", content):
            paint = partial(_paint, field=field, look=look)
            self._overlay.write(painted(WIDTH, HEIGHT, ratio, paint), 0, 0)
        x = pane.x + pane.width - round((WIDTH + MARGIN) * ratio)
        y = pane.y + pane.height - round((HEIGHT + MARGIN) * ratio)
        size = (shot.width, shot.height)
        self._overlay.draw(handle, size, ((0, 0, round(WIDTH * ratio), round(HEIGHT * ratio), x, y),))


def _paint(painter: QPainter, field: SurfaceField, look: Look) -> None:
    paint_plate(painter, QRectF(0.0, 0.0, WIDTH, HEIGHT), look, 0.75)
    painter.setFont(window_font(LETTERS))
    across = QRectF(INSET, 5.0, WIDTH - 2.0 * INSET, 16.0)
    painter.setPen(QColor(look.text))
    painter.drawText(across, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, field.label)
    bar = QRectF(INSET, 24.0, WIDTH - 2.0 * INSET, BAR)
    shades = QLinearGradient(QPointF(bar.left(), 0.0), QPointF(bar.right(), 0.0))
    stops = PARTING if field.parts else GROWING
    for place, colour in enumerate(stops):
        shades.setColorAt(place / (len(stops) - 1), QColor(colour))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(shades)
    painter.drawRoundedRect(bar, 2.0, 2.0)
    painter.setPen(QColor(look.text_quiet))
    ends = QRectF(INSET, 34.0, WIDTH - 2.0 * INSET, 16.0)
    numbers = [(field.low, Qt.AlignmentFlag.AlignLeft), (field.high, Qt.AlignmentFlag.AlignRight)]
    if field.parts:
        numbers.append((0.5 * (field.low + field.high), Qt.AlignmentFlag.AlignHCenter))
    for value, side in numbers:
        painter.drawText(ends, side | Qt.AlignmentFlag.AlignVCenter, number_text(value, field.unit))
