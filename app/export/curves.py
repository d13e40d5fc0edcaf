"""Curves: the numbers of a caption against time, as a small plot in the lower right corner of a frame.

Each unit has a strip of its own. What has been is solid, what is to come is faint, a dot is at the present.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.export.caption import is_dark, lay, plate
from app.scene.look import Look
from app.style.hues import hue

if TYPE_CHECKING:
    from engine.measure.series import Series

WIDE, HIGH = 0.3, 0.12  # of the frame: the plot across, a strip down
MOST_STRIPS = 4
FAINT = 0.35  # opacity of what is to come


def write_curves(pixels: bytearray, size: tuple[int, int], series: Sequence[Series], time: int, look: Look) -> None:
    """Draw curves onto a frame, premultiplied and row 0 the lowest."""
    strips = strips_of(series)
    if not strips:
        return
    width, height = round(WIDE * size[0]), round(HIGH * size[1] * len(strips))
    image, painter = plate((width, height), look)
    pad = HIGH * size[1] / 10
    places = {id(each): place for place, each in enumerate(series)}
    for number, strip in enumerate(strips):
        frame = QRectF(pad, pad + number * height / len(strips), width - 2 * pad, height / len(strips) - 2 * pad)
        low, high = _range(strip)
        for each in strip:
            colour = QColor(hue(places[id(each)], on_dark=is_dark(look)))
            _draw(painter, _points(each, frame, low, high), _at(each, time, frame, low, high), colour, size[1])
    painter.end()
    lay(pixels, size, image, size[0] - width - round(pad), round(pad))


def strips_of(series: Sequence[Series]) -> list[list[Series]]:
    """Group quantities by unit, each unit a strip, in the order in which they come."""
    strips: dict[str, list[Series]] = {}
    for each in series:
        if np.isfinite(each.values).sum() > 1:
            strips.setdefault(each.unit, []).append(each)
    return list(strips.values())[:MOST_STRIPS]


def _range(strip: Sequence[Series]) -> tuple[float, float]:
    """Return the least and the greatest number of a strip, with a margin about one that does not change."""
    values = np.concatenate([each.values[np.isfinite(each.values)] for each in strip])
    low, high = float(values.min()), float(values.max())
    return (low, high) if high - low > 1e-9 * max(abs(low), abs(high), 1e-9) else (low - 1.0, high + 1.0)


def _points(series: Series, frame: QRectF, low: float, high: float) -> list[tuple[int, QPointF]]:
    """Return ticks and places of a curve."""
    first, last = int(series.times[0]), int(series.times[-1])
    across = frame.left() + frame.width() * (series.times - first) / (last - first)
    up = frame.bottom() - frame.height() * (series.values - low) / (high - low)
    known = np.isfinite(up)
    found = zip(series.times[known].tolist(), across[known].tolist(), up[known].tolist(), strict=True)
    return [(tick, QPointF(x, y)) for tick, x, y in found]


def _at(series: Series, time: int, frame: QRectF, low: float, high: float) -> tuple[int, QPointF]:
    """Return the present and its place on a curve."""
    first, last = int(series.times[0]), int(series.times[-1])
    at = min(max(time, first), last)
    known = np.isfinite(series.values)
    value = float(np.interp(at, series.times[known], series.values[known]))
    x = frame.left() + frame.width() * (at - first) / (last - first)
    return at, QPointF(x, frame.bottom() - frame.height() * (value - low) / (high - low))


def _draw(
    painter: QPainter, points: list[tuple[int, QPointF]], now: tuple[int, QPointF], colour: QColor, height: int
) -> None:
    """Draw one curve, and the dot of the present."""
    line = max(height / 400, 1.5)
    time, place = now
    past = [point for tick, point in points if tick <= time]
    future = [point for tick, point in points if tick > time]
    faint = QColor(colour)
    faint.setAlphaF(FAINT)
    for way, tint in (([place, *future], faint), ([*past, place], colour)):
        painter.setPen(QPen(tint, line, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(QPolygonF(way))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(place, 2.5 * line, 2.5 * line)
