"""Paints targets: a ring with four ticks for a place, a diamond for a pose, an open ring with axes for a turn; and the
line, in the colour of a warning, from where the body is to where it should be."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.scene.camera import Array, Camera, Size
from app.scene.look import Look
from app.scene.markers import PlacedMarker
from app.scene.target_symbols import RING
from app.scene.visuals.lock_symbols import LINE_EVERY, STICK

STATES: tuple[str, ...] = ("plain", "hot", "chosen", "missed", "far")
TARGETS: tuple[str, ...] = tuple(f"{shape} {state}" for shape in ("point", "pose", "turn") for state in STATES)
FAR = 0.5  # opacity of one of another time
TICK = 4.0  # [logical px]
_AXES = ("ink axis_x", "ink axis_y", "ink axis_z")


def target_symbol(each: PlacedMarker, *, hot: bool) -> str:
    """Return the name of a target's picture."""
    symbol = each.marker.target
    assert symbol is not None, "asked for targets alone"
    state = "missed" if symbol.missed else "plain" if symbol.now else "far"
    return f"{symbol.shape} {'hot' if hot else 'chosen' if symbol.chosen else state}"


def target_lines(each: PlacedMarker, camera: Camera, size: Size) -> Iterator[tuple[str, float, Array]]:
    """Return the lines about a target: their ink, the spacing of their dots, and the places [m] that they join."""
    symbol = each.marker.target
    assert symbol is not None, "asked for targets alone"
    place = np.array(symbol.place)
    if symbol.missed and symbol.at != symbol.place:
        yield "ink warning", LINE_EVERY, np.stack((np.array(symbol.at), place))
    if symbol.axes is not None:
        reach = STICK * camera.metres_per_pixel(place, size)
        for ink, axis in zip(_AXES, symbol.axes, strict=True):
            yield ink, LINE_EVERY, np.stack((place, place + reach * np.array(axis)))


def paint_target(painter: QPainter, middle: QPointF, name: str, look: Look) -> None:
    """Draw one picture about the place."""
    shape, state = name.split()
    painter.setOpacity(FAR if state == "far" else 1.0)
    shade = QColor(look.window)
    shade.setAlphaF(0.75)
    colour = QColor({"plain": look.text, "far": look.text, "missed": look.warning}.get(state, look.accent))
    wide = 2.2 if state in ("hot", "chosen") else 1.6
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for pen in (QPen(shade, wide + 2.2), QPen(colour, wide)):
        painter.setPen(pen)
        if shape == "pose":
            corners = ((0.0, -RING), (RING, 0.0), (0.0, RING), (-RING, 0.0))
            painter.drawPolygon(QPolygonF([middle + QPointF(*each) for each in corners]))
        elif shape == "turn":
            around = QRectF(middle.x() - RING, middle.y() - RING, 2.0 * RING, 2.0 * RING)
            painter.drawArc(around, 20 * 16, 140 * 16)
            painter.drawArc(around, 200 * 16, 140 * 16)
        else:
            painter.drawEllipse(middle, RING - 1.5, RING - 1.5)
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                start, end = QPointF(x, y) * (RING - 1.5 - 0.5 * TICK), QPointF(x, y) * (RING - 1.5 + 0.7 * TICK)
                painter.drawLine(middle + start, middle + end)
