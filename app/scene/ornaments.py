"""Ornaments: the name of a view, its display menu, view cube and axes, painted by Qt into small pictures.

Also where they stand in a view and which part of them lies under the pointer. Lengths are logical pixels. A painted
picture is transparent, premultiplied, `pixel_ratio` times as large.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)

from app.scene.camera import Array, Camera
from app.scene.look import Look, rgb
from app.scene.painting import painted, window_font
from app.scene.panes import view_name
from engine.runtime.quick_dataclass import dataclass

Kind = Literal["cube", "axes", "name", "display"]
SIZES: dict[Kind, tuple[int, int]] = {"cube": (92, 92), "axes": (64, 64), "name": (150, 30), "display": (96, 30)}
MARGIN = 8
CUBE_HALF = 25.0  # half an edge of the cube
LEAST_VIEW = 230  # a view narrower or lower than this has only its name
BUTTON = QRectF(4, 5, 20, 20)  # the maximise button in the name's picture
_AXIS_LENGTH = 20.0
_READABLE = 0.30  # how squarely a face must be seen to carry its name

# Name, outward normal, right and up of the text, in the world.
FACES: tuple[tuple[str, Array, Array, Array], ...] = tuple(
    (name, np.array(normal, dtype=float), np.array(right, dtype=float), np.array(up, dtype=float))
    for name, normal, right, up in (
        ("Front", (0, 0, 1), (1, 0, 0), (0, 1, 0)),
        ("Back", (0, 0, -1), (-1, 0, 0), (0, 1, 0)),
        ("Right", (1, 0, 0), (0, 0, -1), (0, 1, 0)),
        ("Left", (-1, 0, 0), (0, 0, 1), (0, 1, 0)),
        ("Top", (0, 1, 0), (1, 0, 0), (0, 0, -1)),
        ("Bottom", (0, -1, 0), (1, 0, 0), (0, 0, 1)),
    )
)


@dataclass(frozen=True)
class Hot:
    """The ornament under the pointer: a face of the view cube by name, the maximise button, the name or the display."""

    view: int
    part: str


def places(title: str, width: float, height: float) -> dict[Kind, tuple[float, float]]:
    """Return the upper left corners of the ornaments that fit into a view of this size."""
    found: dict[Kind, tuple[float, float]] = {"name": (MARGIN, MARGIN)}
    if min(width, height) >= LEAST_VIEW:
        found["cube"] = (width - SIZES["cube"][0] - MARGIN, MARGIN)
        found["display"] = (MARGIN + _after_name(title), MARGIN)
        found["axes"] = (MARGIN, height - SIZES["axes"][1] - MARGIN)
    return found


def part_at(camera: Camera, x: float, y: float, size: tuple[float, float], title: str = "") -> str | None:
    """Return the ornament at a point: a face's name, "maximise", "name", "display" or None."""
    title = title or view_name(camera)
    at = places(title, *size)
    name_x, name_y = at["name"]
    if BUTTON.translated(name_x, name_y).contains(x, y):
        return "maximise"
    if BUTTON.right() < x - name_x < _after_name(title) and 4 < y - name_y < 26:
        return "name"
    if "cube" not in at:
        return None
    if 0 < x - at["display"][0] < SIZES["display"][0] and 4 < y - name_y < 26:
        return "display"
    point = QPointF(x - at["cube"][0], y - at["cube"][1])
    for name, polygon, _ in _seen_faces(camera):
        if polygon.containsPoint(point, Qt.FillRule.OddEvenFill):
            return name
    return None


@cache
def _after_name(text: str) -> float:
    """Return the x after a view's name, with some margin."""
    return BUTTON.right() + 17 + QFontMetricsF(window_font(12.5, QFont.Weight.Medium)).horizontalAdvance(text)


def paint_cube(camera: Camera, look: Look, hot: str | None, pixel_ratio: float) -> QImage:
    """Paint the view cube as the camera sees it; the face named `hot` is lit."""

    def paint(painter: QPainter) -> None:
        for name, polygon, facing in _seen_faces(camera):
            ground = QColor(look.accent) if name == hot else _mixed(look.raised, look.text, 0.05 + 0.09 * facing)
            painter.setPen(QPen(_mixed(look.raised, look.text, 0.30), 1.0, j=Qt.PenJoinStyle.RoundJoin))
            painter.setBrush(ground)
            painter.drawPolygon(polygon)
            if facing > _READABLE:
                _paint_on_face(painter, name, polygon, QColor(look.window if name == hot else look.text))

    return painted(*SIZES["cube"], pixel_ratio, paint)


def paint_axes(camera: Camera, look: Look, pixel_ratio: float) -> QImage:
    """Paint the three axes of the world from their common origin, the farthest first."""
    right, up, back = camera.axes
    width, height = SIZES["axes"]

    def paint(painter: QPainter) -> None:
        painter.setFont(window_font(10, QFont.Weight.DemiBold))
        for axis in sorted(range(3), key=lambda each: float(back[each])):
            colour = QColor((look.axis_x, look.axis_y, look.axis_z)[axis])
            if back[axis] < -0.1:
                colour.setAlphaF(0.55)
            x, y = float(right[axis]), -float(up[axis])
            painter.setPen(QPen(colour, 1.6, c=Qt.PenCapStyle.RoundCap))
            middle = QPointF(width / 2, height / 2)
            painter.drawLine(middle, middle + QPointF(x, y) * _AXIS_LENGTH)
            if x * x + y * y > 0.02:
                box = QRectF(0, 0, 14, 14)
                box.moveCenter(middle + QPointF(x, y) * (_AXIS_LENGTH + 7.5))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "XYZ"[axis])

    return painted(*SIZES["axes"], pixel_ratio, paint)


def paint_name(text: str, look: Look, *, active: bool, maximised: bool, hot: str | None, pixel_ratio: float) -> QImage:
    """Paint the name of a view after a button that maximises it or brings all four back."""

    def paint(painter: QPainter) -> None:
        font = window_font(12.5, QFont.Weight.Medium if active else QFont.Weight.Normal)
        width = BUTTON.width() + 5 + QFontMetricsF(font).horizontalAdvance(text)
        _lay_ground(painter, QRectF(BUTTON.left(), BUTTON.top(), width + 7, BUTTON.height()), look)
        if hot == "maximise":
            painter.setPen(Qt.PenStyle.NoPen)
            ground = QColor(look.text)
            ground.setAlphaF(0.13)
            painter.setBrush(ground)
            painter.drawRoundedRect(BUTTON, 4, 4)
        colour = QColor(look.text if active or hot else look.text_quiet)
        painter.setPen(QPen(colour, 1.2, j=Qt.PenJoinStyle.MiterJoin))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        frame = BUTTON.adjusted(5.5, 5.5, -5.5, -5.5)
        painter.drawRect(frame)
        if not maximised:
            painter.drawLine(QPointF(frame.center().x(), frame.top()), QPointF(frame.center().x(), frame.bottom()))
            painter.drawLine(QPointF(frame.left(), frame.center().y()), QPointF(frame.right(), frame.center().y()))
        painter.setFont(font)
        box = QRectF(BUTTON.right() + 5, BUTTON.top(), 120, BUTTON.height())
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, text)

    return painted(*SIZES["name"], pixel_ratio, paint)


def paint_display(text: str, look: Look, *, hot: bool, pixel_ratio: float) -> QImage:
    """Paint the name of the display, and an arrow for the menu."""

    def paint(painter: QPainter) -> None:
        font, height = window_font(12.5), SIZES["display"][1]
        width = QFontMetricsF(font).horizontalAdvance(text)
        _lay_ground(painter, QRectF(0, 5, width + 29, 20), look)
        ground = QColor(look.text)
        ground.setAlphaF(0.13 if hot else 0.06)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(0, 5, width + 29, 20), 4, 4)
        painter.setPen(QPen(QColor(look.text if hot else look.text_quiet), 1.3, c=Qt.PenCapStyle.RoundCap))
        painter.setFont(font)
        painter.drawText(QRectF(8, 5, width + 2, 20), Qt.AlignmentFlag.AlignVCenter, text)
        x, y = width + 18.5, height / 2
        painter.drawPolyline([QPointF(x - 3, y - 1.5), QPointF(x, y + 1.5), QPointF(x + 3, y - 1.5)])

    return painted(*SIZES["display"], pixel_ratio, paint)


def _lay_ground(painter: QPainter, place: QRectF, look: Look) -> None:
    """Lay the colour of the view under words, which may lie over a bright body."""
    ground = QColor(look.view_top)
    ground.setAlphaF(0.72)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ground)
    painter.drawRoundedRect(place, 4, 4)


def _seen_faces(camera: Camera) -> list[tuple[str, QPolygonF, float]]:
    """Return the faces turned to the eye: name, corners in the cube's picture from the text's upper left, how squarely
    seen."""
    right, up, back = camera.axes
    middle_x, middle_y = (length / 2 for length in SIZES["cube"])
    found = []
    for name, normal, across, upward in FACES:
        facing = float(normal @ back)
        if facing < 0.02:
            continue
        corners = [normal + x * across + y * upward for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))]
        places = [(CUBE_HALF * float(corner @ right), CUBE_HALF * float(corner @ up)) for corner in corners]
        found.append((name, QPolygonF([QPointF(middle_x + x, middle_y - y) for x, y in places]), facing))
    return found


def _paint_on_face(painter: QPainter, text: str, polygon: QPolygonF, colour: QColor) -> None:
    """Paint text in the plane of a face, as outlines, which stay sharp under any transform."""
    side = 2 * CUBE_HALF
    flat = QPolygonF([QPointF(0, 0), QPointF(side, 0), QPointF(side, side), QPointF(0, side)])
    transform = QTransform()
    if not QTransform.quadToQuad(flat, polygon, transform):
        return
    path = QPainterPath()
    path.addText(0, 0, window_font(13 if len(text) < 6 else 12, QFont.Weight.Medium), text)
    box = path.boundingRect()
    path.translate(side / 2 - box.center().x(), side / 2 - box.center().y())
    painter.save()
    painter.setTransform(transform, combine=True)
    painter.fillPath(path, colour)
    painter.restore()


def _mixed(first: str, second: str, share: float) -> QColor:
    """`share` of the second colour in the first."""
    channels = [round(255 * (a + share * (b - a))) for a, b in zip(rgb(first), rgb(second), strict=True)]
    return QColor(*channels)
