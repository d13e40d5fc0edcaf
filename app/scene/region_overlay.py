"""RegionOverlay: the layer that Qt paints over a region of Euler space: axes in degrees, the pose with its trail, an
arrow.

Places are angles [rad], as in `visuals/region.py`; a camera says where they are seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import field
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.scene.camera import Array, Bounds, Camera, Size
from app.style.fonts import SMALL, number_font, text_font
from app.style.theme import Theme
from app.style.ticks import angle_text, ticks
from engine.runtime.quick_dataclass import dataclass

ROOM = 34.0  # [logical px] that a number of an axis needs
_NUMBER, _NAME = 15.0, 36.0  # [logical px] from an edge of the box to its numbers and its name
_SAME = 1e-9  # of the size of the box
_DOT, _HEAD = 5.0, 9.0  # [logical px] radius of the pose, length of an arrow's head


@dataclass(frozen=True, eq=False)
class RegionOverlay:
    """The state that is painted over a region."""

    bounds: Bounds
    names: tuple[str, str, str]  # of the angles
    pose: Array | None = None
    target: Array | None = None  # the nearest pose that is allowed; None where the pose is
    trail: Array = field(default_factory=lambda: np.empty((0, 3)))
    brush: Array | None = None  # the place under the pointer
    radius: float = 0.0  # [rad] of the brush


def paint_axes(painter: QPainter, shown: RegionOverlay, camera: Camera, size: Size, theme: Theme) -> None:
    """Paint the numbers and names of the axes, in logical pixels of a view of that size."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for axis in range(3):
        _paint_axis(painter, shown, axis, camera, size, theme)


def paint_overlay(painter: QPainter, shown: RegionOverlay, camera: Camera, size: Size, theme: Theme) -> None:
    """Paint the pose with its trail and its arrow, and the brush."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_trail(painter, shown.trail, camera, size, theme)
    if shown.pose is not None:
        here = _point(camera, shown.pose, size)
        outside = shown.target is not None
        if shown.target is not None:
            _paint_arrow(painter, here, _point(camera, shown.target, size), QColor(theme.warning))
        painter.setPen(QPen(QColor(theme.field), 1.5))
        painter.setBrush(QColor(theme.warning if outside else theme.text))
        painter.drawEllipse(here, _DOT, _DOT)
    if shown.brush is not None:
        across = shown.radius / camera.metres_per_pixel(shown.brush, size)
        painter.setPen(QPen(QColor(theme.text), 1.2, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(_point(camera, shown.brush, size), across, across)


def edge_for(axis: int, bounds: Bounds, camera: Camera, size: Size) -> tuple[Array, Array]:
    """Return the edge of the box that carries an axis's numbers: of those with no box beyond them the lowest."""
    lower, upper = np.array(bounds.lower), np.array(bounds.upper)
    corners = camera.project(bounds.corners, size)[:, :2]
    found: list[tuple[bool, float, Array, Array]] = []
    for choice in range(4):
        ends = [upper if choice >> place & 1 else lower for place in range(2)]
        start = lower.copy()
        for other, end in zip([each for each in range(3) if each != axis], ends, strict=True):
            start[other] = end[other]
        stop = start.copy()
        stop[axis] = upper[axis]
        seen = camera.project(np.stack((start, stop)), size)[:, :2]
        way = seen[1] - seen[0]
        sides = (corners - seen[0]) @ np.array([-way[1], way[0]])
        slack = _SAME * max(float(np.abs(sides).max()), 1.0)
        is_outermost = bool(sides.min() >= -slack or sides.max() <= slack)
        found.append((is_outermost, float(seen[:, 1].sum()), start, stop))
    _, _, start, stop = max(found, key=lambda each: each[:2])
    return start, stop


def _paint_axis(painter: QPainter, shown: RegionOverlay, axis: int, camera: Camera, size: Size, theme: Theme) -> None:
    start, end = edge_for(axis, shown.bounds, camera, size)
    seen = camera.project(np.stack((start, end)), size)[:, :2]
    middle = camera.project(np.array(shown.bounds.centre), size)[:2]
    way = seen[1] - seen[0]
    length = float(np.linalg.norm(way))
    if length < ROOM:
        return
    beside = np.array([-way[1], way[0]]) / length
    if float(beside @ (0.5 * (seen[0] + seen[1]) - middle)) < 0.0:
        beside = -beside
    colour = QColor((theme.axis_x, theme.axis_y, theme.axis_z)[axis])
    painter.setPen(QPen(colour, 1.4))
    painter.drawLine(QPointF(*seen[0]), QPointF(*seen[1]))
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_quiet))
    for angle in ticks(start[axis], end[axis], int(length / ROOM)):
        place = start + (math.radians(angle) - start[axis]) / (end[axis] - start[axis]) * (end - start)
        at = camera.project(place, size)[:2]
        painter.drawLine(QPointF(*at), QPointF(*(at + 4.0 * beside)))
        _paint_text(painter, at + _NUMBER * beside, angle_text(angle), size)
    painter.setFont(text_font(SMALL))
    painter.setPen(colour)
    width = 0.5 * painter.fontMetrics().horizontalAdvance(shown.names[axis])
    name = 0.5 * (seen[0] + seen[1]) + (_NAME + width * abs(float(beside[0]))) * beside
    if not width < name[0] < size[0] - width:  # no room beside the numbers: above them
        name = min(seen.tolist(), key=lambda end: end[1]) + np.array([0.0, -_NUMBER])
    _paint_text(painter, name, shown.names[axis], size)


def _paint_text(painter: QPainter, at: Array, text: str, size: Size) -> None:
    """Paint a word about a point, moved so that it stands within the view."""
    box = QRectF(0.0, 0.0, painter.fontMetrics().horizontalAdvance(text) + 4.0, 16.0)
    box.moveCenter(QPointF(*at))
    box.moveLeft(min(max(box.left(), 2.0), max(size[0] - box.width() - 2.0, 2.0)))
    box.moveTop(min(max(box.top(), 0.0), max(size[1] - box.height(), 0.0)))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _paint_trail(painter: QPainter, trail: Array, camera: Camera, size: Size, theme: Theme) -> None:
    """Paint the trail, lighter the longer ago; broken where it crosses the seam of a turn."""
    colour, seen = QColor(theme.warning), camera.project(trail, size)
    leaps = np.abs(np.diff(trail, axis=0)).max(axis=1, initial=0.0)
    for place, (start, end) in enumerate(pairwise(seen[:, :2].tolist()), start=1):
        if leaps[place - 1] >= math.pi:
            continue
        colour.setAlphaF(0.15 + 0.75 * place / len(seen))
        painter.setPen(QPen(colour, 1.8, c=Qt.PenCapStyle.RoundCap))
        painter.drawLine(QPointF(*start), QPointF(*end))


def _paint_arrow(painter: QPainter, start: QPointF, end: QPointF, colour: QColor) -> None:
    painter.setPen(QPen(colour, 2.0, c=Qt.PenCapStyle.RoundCap))
    painter.drawLine(start, end)
    way = end - start
    length = math.hypot(way.x(), way.y())
    if length > 1.0:
        along = way * (min(_HEAD, length) / length)
        beside = QPointF(-along.y(), along.x()) * 0.45
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([end, end - along + beside, end - along - beside]))


def _point(camera: Camera, place: Array, size: Size) -> QPointF:
    x, y, _ = camera.project(place, size)
    return QPointF(float(x), float(y))


def as_places(angles: Sequence[Sequence[float]]) -> Array:
    """Return angles as places, shape [count, 3]."""
    return np.array(angles, dtype=np.float64).reshape(-1, 3)
