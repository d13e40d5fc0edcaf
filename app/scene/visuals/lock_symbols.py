"""Symbols of locks: small pictures that say what is held, and lines that show the direction.

A padlock holds a spot, a turning arrow directions, a quartered ring the centre of mass. Short lines from the spot point
where held axes of the body are to point, in the colours of the axes; a square lies in the plane that it is held in; a
plumb line goes from the centre of mass to the floor. One that is muted is faint, and has no lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.scene.camera import Array, Camera, Size
from app.scene.look import Look
from app.scene.markers import SYMBOL_OFFSET, PlacedMarker
from engine.model import LockMark

Shape = Literal["padlock", "arrow", "ring"]
State = Literal["plain", "hot", "chosen", "missed", "muted"]
SHAPES: tuple[Shape, ...] = ("padlock", "arrow", "ring")
STATES: tuple[State, ...] = ("plain", "hot", "chosen", "missed", "muted")
SYMBOLS: tuple[str, ...] = tuple(f"{shape} {state}" for shape in SHAPES for state in STATES)
INKS: tuple[str, ...] = ("ink axis_x", "ink axis_y", "ink axis_z", "ink text", "ink warning")
MUTED = 0.45  # opacity of the symbol of a muted lock
STICK, SQUARE = 24.0, 15.0  # [logical px] length of an axis; half the side of a plane's square
LINE_EVERY, PLUMB_EVERY = 2.0, 5.0  # [logical px] between the dots of which a line is made
_AXES = {"i": "ink axis_x", "j": "ink axis_y", "k": "ink axis_z"}


def lock_symbol(each: PlacedMarker, *, hot: bool, chosen: bool) -> str:
    """Return the name of a lock's picture."""
    lock = each.marker.lock
    assert lock is not None, "asked for locks alone"
    state: State = "muted" if lock.share == 0.0 else "missed" if each.marker.missed else "plain"
    state = "hot" if hot else "chosen" if chosen else state
    shape: Shape = "ring" if lock.held in ("centre", "balance") else "arrow" if lock.held == "turn" else "padlock"
    return f"{shape} {state}"


def lines_of(each: PlacedMarker, camera: Camera, size: Size) -> Iterator[tuple[str, float, Array]]:
    """Return the lines about a lock: their ink, the spacing of their dots, and the places [m] that they join."""
    lock = each.marker.lock
    assert lock is not None, "asked for locks alone"
    if lock.share == 0.0:
        return
    place = np.array(each.place)
    metres = camera.metres_per_pixel(place, size)
    for axis, direction in lock.axes:
        yield _AXES[axis], LINE_EVERY, np.stack((place, place + STICK * metres * np.array(direction)))
    if lock.normal is not None:
        yield "ink text", LINE_EVERY, _square(lock, SQUARE * metres)
    if lock.held in ("centre", "balance") and place[1] > 0.0:
        yield "ink text", PLUMB_EVERY, np.stack((place, place * (1.0, 0.0, 1.0)))


def paint_symbol(painter: QPainter, middle: QPointF, name: str, look: Look) -> None:
    """Draw one picture about the place of a lock."""
    shape, state = name.split()
    painter.setOpacity(MUTED if state == "muted" else 1.0)
    shade = QColor(look.window)
    shade.setAlphaF(0.8)
    colour = QColor({"plain": look.text, "missed": look.warning}.get(state, look.accent))
    if shape == "ring":
        _paint_ring(painter, middle, shade, colour, 6.5 if state in ("hot", "chosen") else 5.5)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    larger = 0.8 if state == "hot" else 0.0
    for radius, fill in ((3.0 + larger, shade), (1.8 + larger, colour)):
        painter.setBrush(fill)
        painter.drawEllipse(middle, radius, radius)
    if shape == "padlock":
        _paint_padlock(painter, middle + QPointF(*SYMBOL_OFFSET), shade, colour)
    else:
        _paint_arrow(painter, middle + QPointF(*SYMBOL_OFFSET), shade, colour)


def paint_ink(painter: QPainter, middle: QPointF, name: str, look: Look) -> None:
    """Draw one dot of a line."""
    shade = QColor(look.window)
    shade.setAlphaF(0.35)
    painter.setPen(Qt.PenStyle.NoPen)
    for radius, fill in ((1.9, shade), (1.0, QColor(str(getattr(look, name.split()[1]))))):
        painter.setBrush(fill)
        painter.drawEllipse(middle, radius, radius)


def _square(lock: LockMark, half: float) -> Array:
    """Return the corners of a square in a lock's plane, about its place, the first one again at the end."""
    normal = np.array(lock.normal) / np.linalg.norm(lock.normal or (1.0, 0.0, 0.0))
    aside = np.eye(3)[int(np.argmin(np.abs(normal)))]
    first = np.cross(normal, aside)
    first /= np.linalg.norm(first)
    second = np.cross(normal, first)
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1), (1, 1))
    return np.array([lock.target + half * (a * first + b * second) for a, b in corners])


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
