"""Pictures of overlay symbols, and the lines about them.

A padlock, a turning arrow, a quartered ring, a spot and a spring stand beside or on their place; a ring with four
ticks, a diamond, an open ring and four corners stand about it. Short lines from it show directions in the colours of
the axes, a square a plane, a long line a line, a zigzag a coil, a plumb line the way to the floor, a line in the colour
of a warning the way to it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.scene.camera import Array, Camera, Size, Vector
from app.scene.look import Look
from app.scene.symbols import BESIDE, RING, RINGS, Shape, Symbol

SHAPES: tuple[Shape, ...] = ("padlock", "arrow", "ring", "spot", "spring", *RINGS)
STATES = ("plain", "hot", "chosen", "missed", "faint")
SYMBOLS: tuple[str, ...] = tuple(f"{shape} {state}" for shape in SHAPES for state in STATES)
INKS: tuple[str, ...] = ("ink axis_x", "ink axis_y", "ink axis_z", "ink text", "ink warning")
FAINT, FAINT_RING = 0.45, 0.5  # opacity of a faint one
QUIET = 0.75  # of a spring that is neither chosen nor under the pointer
STICK, SQUARE, LINE = 24.0, 15.0, 60.0  # [logical px] length of an axis; half of a plane's square and of a line
LINE_EVERY, PLUMB_EVERY = 2.0, 5.0  # [logical px] between the dots of which a line is made
TICK = 4.0  # [logical px]
COIL, WIND, SHORT = 3.5, 7.0, 18.0  # [logical px] half the width of a coil, of one wind; shorter ones are not drawn


def picture_of(symbol: Symbol, *, hot: bool, chosen: bool) -> str:
    """Return the name of a symbol's picture."""
    return f"{symbol.shape} {'hot' if hot else 'chosen' if chosen or symbol.chosen else symbol.state}"


def lines_of(symbol: Symbol, camera: Camera, size: Size) -> Iterator[tuple[str, float, Array]]:
    """Yield the lines about a symbol: their ink, the spacing of their dots, and the places [m] that they join."""
    place = np.array(symbol.place)
    metres = camera.metres_per_pixel(place, size)
    if symbol.at is not None and symbol.at != symbol.place:
        yield "ink warning", LINE_EVERY, np.stack((np.array(symbol.at), place))
    for letter, direction in symbol.axes:
        yield f"ink axis_{letter}", LINE_EVERY, np.stack((place, place + STICK * metres * np.array(direction)))
    if symbol.ends is not None:
        coil = _coil(np.array(symbol.ends), camera, size, metres)
        if coil is not None:
            yield "ink text", LINE_EVERY, coil
    if symbol.normal is not None and symbol.middle is not None:
        yield "ink text", LINE_EVERY, _square(symbol.normal, symbol.middle, SQUARE * metres)
    if symbol.along is not None and symbol.middle is not None:
        reach = LINE * metres * np.array(symbol.along) / np.linalg.norm(symbol.along)
        yield "ink text", LINE_EVERY, np.stack((symbol.middle - reach, symbol.middle + reach))
    if symbol.plumb and place[1] > 0.0:
        yield "ink text", PLUMB_EVERY, np.stack((place, place * (1.0, 0.0, 1.0)))


def paint_symbol(painter: QPainter, middle: QPointF, name: str, look: Look) -> None:
    """Draw one picture about its place."""
    shape, state = name.split()
    if shape in RINGS:
        _paint_about(painter, middle, shape, state, look)
        return
    painter.setOpacity(FAINT if state == "faint" else 1.0)
    shade = QColor(look.window)
    shade.setAlphaF(0.8)
    colour = QColor({"plain": look.text, "missed": look.warning}.get(state, look.accent))
    if shape == "ring":
        _paint_ring(painter, middle, shade, colour, 6.5 if state in ("hot", "chosen") else 5.5)
        return
    if shape == "spring":
        painter.setOpacity({"faint": FAINT, "plain": QUIET}.get(state, 1.0))
        _paint_spring(painter, middle, shade, colour, 1.7 if state in ("hot", "chosen") else 1.2)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    larger = 0.8 if state == "hot" else 0.0
    for radius, fill in ((3.0 + larger, shade), (1.8 + larger, colour)):
        painter.setBrush(fill)
        painter.drawEllipse(middle, radius, radius)
    if shape == "padlock":
        _paint_padlock(painter, middle + QPointF(*BESIDE), shade, colour)
    elif shape == "arrow":
        _paint_arrow(painter, middle + QPointF(*BESIDE), shade, colour)


def paint_ink(painter: QPainter, middle: QPointF, name: str, look: Look) -> None:
    """Draw one dot of a line."""
    shade = QColor(look.window)
    shade.setAlphaF(0.35)
    painter.setPen(Qt.PenStyle.NoPen)
    for radius, fill in ((1.9, shade), (1.0, QColor(str(getattr(look, name.split()[1]))))):
        painter.setBrush(fill)
        painter.drawEllipse(middle, radius, radius)


def _square(normal: Vector, middle: Vector, half: float) -> Array:
    """Return the corners of a square across a normal, the first one again at the end."""
    across = np.array(normal) / np.linalg.norm(normal)
    aside = np.eye(3)[int(np.argmin(np.abs(across)))]
    first = np.cross(across, aside)
    first /= np.linalg.norm(first)
    second = np.cross(across, first)
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))
    return np.array([middle + half * (a * first + b * second) for a, b in corners])


def _coil(ends: Array, camera: Camera, size: Size, metres: float) -> Array | None:
    """Return the corners of a zigzag from one place to another, as wide across in each view; None where it would be
    no longer than the picture of the spring."""
    seen = camera.project(ends[0], size)[:2], camera.project(ends[1], size)[:2]
    long = float(np.linalg.norm(seen[1] - seen[0]))
    if not SHORT < long < 1e4:
        return None
    right, up, _ = (np.array(axis) for axis in camera.axes)
    (x, y), winds = (seen[1] - seen[0]) / long, max(round(long / WIND), 2)
    across = COIL * metres * (y * right + x * up)
    shares = (np.arange(winds) + 0.5) / winds
    sides = np.where(np.arange(winds) % 2, 1.0, -1.0)
    corners = ends[0] + shares[:, None] * (ends[1] - ends[0]) + sides[:, None] * across
    return np.concatenate((ends[:1], corners, ends[1:]))


def _paint_spring(painter: QPainter, middle: QPointF, shade: QColor, colour: QColor, wide: float) -> None:
    """Paint a zigzag of three winds between two short ends."""
    corners = ((-5.5, 0.0), (-3.6, 0.0), (-2.4, -2.6), (-0.8, 2.6), (0.8, -2.6), (2.4, 2.6), (3.6, 0.0), (5.5, 0.0))
    line = QPolygonF([middle + QPointF(*each) for each in corners])
    for width, pen in ((wide + 1.8, shade), (wide, colour)):
        painter.setPen(QPen(pen, width, c=Qt.PenCapStyle.RoundCap, j=Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(line)


def _paint_padlock(painter: QPainter, middle: QPointF, shade: QColor, colour: QColor) -> None:
    body = QRectF(middle.x() - 3.5, middle.y() - 0.5, 7.0, 5.0)
    bow = QRectF(body.x() + 1.3, body.y() - 3.6, 4.4, 7.0)
    for width, pen in ((3.4, shade), (1.4, colour)):
        painter.setPen(QPen(pen, width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawArc(bow, 0, 180 * 16)
        painter.setBrush(pen)
        painter.setPen(QPen(pen, width - 1.0))
        painter.drawRect(body)


def _paint_arrow(painter: QPainter, middle: QPointF, shade: QColor, colour: QColor) -> None:
    """Paint three quarters of a circle with a head."""
    around = QRectF(middle.x() - 3.8, middle.y() - 3.8, 7.6, 7.6)
    tip = middle + QPointF(3.8, 0.6)
    for width, pen in ((3.4, shade), (1.4, colour)):
        painter.setPen(QPen(pen, width, c=Qt.PenCapStyle.RoundCap))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawArc(around, 0, 280 * 16)
        painter.drawLine(tip, tip + QPointF(-2.4, -1.6))
        painter.drawLine(tip, tip + QPointF(1.6, -2.4))


def _paint_ring(painter: QPainter, middle: QPointF, shade: QColor, colour: QColor, radius: float) -> None:
    """Paint the symbol of a centre of mass: a disc with two quarters filled."""
    around = QRectF(middle.x() - radius, middle.y() - radius, 2.0 * radius, 2.0 * radius)
    painter.setPen(QPen(shade, 3.6))
    painter.setBrush(shade)
    painter.drawEllipse(around)
    painter.setPen(QPen(colour, 1.4))
    painter.drawEllipse(around)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for start in (0, 180):
        painter.drawPie(around, start * 16, 90 * 16)


def _paint_about(painter: QPainter, middle: QPointF, shape: str, state: str, look: Look) -> None:
    """Paint a ring with ticks for a place, a diamond for a pose, an open ring for a turn, corners for a demand."""
    painter.setOpacity(FAINT_RING if state == "faint" else 1.0)
    shade = QColor(look.window)
    shade.setAlphaF(0.75)
    colour = QColor({"plain": look.text, "faint": look.text, "missed": look.warning}.get(state, look.accent))
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
        elif shape == "demand":
            _paint_corners(painter, middle)
        else:
            painter.drawEllipse(middle, RING - 1.5, RING - 1.5)
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)):
                start, end = QPointF(x, y) * (RING - 1.5 - 0.5 * TICK), QPointF(x, y) * (RING - 1.5 + 0.7 * TICK)
                painter.drawLine(middle + start, middle + end)


def _paint_corners(painter: QPainter, middle: QPointF) -> None:
    """Paint the corners of a square and a dot in its middle."""
    reach, arm = RING - 2.5, 4.0
    for x, y in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)):
        corner = middle + QPointF(reach * x, reach * y)
        painter.drawPolyline(QPolygonF([corner - QPointF(arm * x, 0.0), corner, corner - QPointF(0.0, arm * y)]))
    painter.drawEllipse(middle, 0.6, 0.6)
