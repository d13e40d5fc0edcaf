"""Painter of a map of the sphere: rings every 30 degrees, the world around, dots, region, corners, and the pose."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.features.limits.sphere_map import Flat, SphereMap, is_turned
from app.style.fonts import SMALL, number_font, text_font
from app.style.theme import Theme
from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.queries.limit_pointing import PointingMap

RING = 30  # [degrees] between two rings
CORNER, POSE = 4.5, 5.0  # [logical px] radius
_LONGEST = math.radians(60.0)  # side of a triangle of a patch; longer ones go round the rim
Place = Callable[[Flat], QPointF]


@dataclass
class SphereMapState:
    """The contents of the map at this moment."""

    map: SphereMap = field(default_factory=lambda: SphereMap((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)))
    source: PointingMap | None = None
    marks: tuple[tuple[str, Flat], ...] = ()
    dots: Sequence[Flat] = ()
    triangles: Sequence[tuple[Flat, Flat, Flat]] = ()
    corners: tuple[Vector3, ...] = ()
    chosen: int | None = None  # corner
    hovered: int | None = None
    ghost: Vector3 | None = None  # where a press would make a corner
    pose: Vector3 | None = None
    is_outside: bool = False
    is_wrong: bool = False  # the corners are no polygon

    def take(self, found: PointingMap) -> None:
        """Take the map that the engine made."""
        self.source = found
        self.map = SphereMap(found.middle, found.right, found.up)
        flat = self.map.flat
        self.marks = tuple((name, flat(way)) for name, way in found.marks)
        self.dots = [flat((x, y, z)) for x, y, z in found.dots.tolist()]
        points = [flat((x, y, z)) for x, y, z in found.patch.tolist()]
        triangles = ((points[a], points[b], points[c]) for a, b, c in found.faces.tolist())
        self.triangles = [each for each in triangles if _is_small(each)]

    @property
    def places(self) -> list[Flat]:
        """All places that must fit into the picture."""
        return [*self.map_corners, *self.dots, *(place for each in self.triangles for place in each)]

    @property
    def map_corners(self) -> list[Flat]:
        """The corners on the map."""
        return [self.map.flat(each) for each in self.corners]


def paint_sphere(
    painter: QPainter, shown: SphereMapState, place: Place, scale: float, size: QSize, theme: Theme
) -> None:
    """Paint all of the map; `place` gives pixels, `scale` is [logical px / rad]."""
    painter.fillRect(QRectF(QPointF(0.0, 0.0), size.toSizeF()), QColor(theme.field))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_rings(painter, place, scale, theme)
    _paint_region(painter, shown, place, scale, theme)
    _paint_dots(painter, shown, place, theme)
    _paint_marks(painter, shown, place, size, theme)
    _paint_corners(painter, shown, place, theme)
    if shown.pose is not None:
        painter.setPen(QPen(QColor(theme.field), 1.5))
        painter.setBrush(QColor(theme.warning if shown.is_outside else theme.text))
        painter.drawEllipse(place(shown.map.flat(shown.pose)), POSE, POSE)


def _paint_rings(painter: QPainter, place: Place, scale: float, theme: Theme) -> None:
    middle = place((0.0, 0.0))
    painter.setBrush(QColor(theme.panel))
    painter.setPen(QPen(QColor(theme.text_faint), 1.2))
    painter.drawEllipse(middle, math.pi * scale, math.pi * scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.line), 1.0))
    for degrees in range(RING, 180, RING):
        radius = math.radians(degrees) * scale
        painter.drawEllipse(middle, radius, radius)
    for turn in range(0, 360, RING):
        way = (math.cos(math.radians(turn)), math.sin(math.radians(turn)))
        inner, outer = (math.radians(RING) * scale, math.pi * scale)
        spoke = QPointF(way[0], -way[1])
        painter.drawLine(middle + spoke * (0.0 if turn % 90 == 0 else inner), middle + spoke * outer)
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_quiet))
    step = next(each for each in (30, 60, 90, 180) if math.radians(each) * scale > 24.0 or each == 180)
    for degrees in range(step, 181, step):
        aside = math.radians(degrees) * math.sqrt(0.5)
        at = place((aside, -aside))
        painter.drawText(QRectF(at.x() - 20.0, at.y() - 8.0, 40.0, 16.0), Qt.AlignmentFlag.AlignCenter, f"{degrees}°")


def _paint_region(painter: QPainter, shown: SphereMapState, place: Place, scale: float, theme: Theme) -> None:
    """Paint the polygon, or the patch of what is allowed where it is no polygon."""
    path, colour = QPainterPath(), QColor(theme.danger if shown.is_wrong else theme.accent)
    path.setFillRule(Qt.FillRule.WindingFill)
    for triangle in shown.triangles:
        path.addPolygon(QPolygonF([place(each) for each in (*triangle, triangle[0])]))
    fill = QColor(colour)
    fill.setAlphaF(0.28)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(fill)
    painter.drawPath(path)
    if not shown.corners:
        return
    outline = shown.map.outline(shown.corners)
    line = QPolygonF([place(each) for each in (*outline, outline[0])])
    path = QPainterPath()
    path.addPolygon(line)
    if not shown.is_wrong and is_turned(outline):
        radius = math.pi * scale
        path.addEllipse(place((0.0, 0.0)), radius, radius)
    painter.drawPath(path)
    painter.setPen(QPen(colour, 2.0, j=Qt.PenJoinStyle.RoundJoin))
    painter.drawPolyline(line)


def _paint_dots(painter: QPainter, shown: SphereMapState, place: Place, theme: Theme) -> None:
    colour = QColor(theme.text)
    colour.setAlphaF(0.5)
    painter.setPen(QPen(colour, 2.2, c=Qt.PenCapStyle.RoundCap))
    painter.drawPoints(QPolygonF([place(each) for each in shown.dots]))


def _paint_marks(painter: QPainter, shown: SphereMapState, place: Place, size: QSize, theme: Theme) -> None:
    """Paint the words for upwards, the front and so on, for who looks at a figure at rest."""
    painter.setFont(text_font(SMALL))
    metrics = painter.fontMetrics()
    for name, flat in shown.marks:
        at = place(flat)
        if not (0.0 <= at.x() <= size.width() and 0.0 <= at.y() <= size.height()):
            continue
        painter.setPen(QPen(QColor(theme.text_quiet), 1.2))
        painter.drawLine(at - QPointF(3.0, 0.0), at + QPointF(3.0, 0.0))
        painter.drawLine(at - QPointF(0.0, 3.0), at + QPointF(0.0, 3.0))
        width = metrics.horizontalAdvance(name) + 4.0
        left = min(max(at.x() - 0.5 * width, 2.0), size.width() - width - 2.0)
        painter.drawText(QRectF(left, at.y() - 20.0, width, 16.0), Qt.AlignmentFlag.AlignCenter, name)


def _paint_corners(painter: QPainter, shown: SphereMapState, place: Place, theme: Theme) -> None:
    painter.setPen(QPen(QColor(theme.danger if shown.is_wrong else theme.accent), 2.0))
    for at, flat in enumerate(shown.map_corners):
        radius = CORNER + (1.5 if at in (shown.hovered, shown.chosen) else 0.0)
        painter.setBrush(QColor(theme.accent if at == shown.chosen else theme.field))
        painter.drawEllipse(place(flat), radius, radius)
    if shown.ghost is not None:
        painter.setPen(QPen(QColor(theme.text), 1.4, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(place(shown.map.flat(shown.ghost)), CORNER, CORNER)


def _is_small(triangle: tuple[Flat, Flat, Flat]) -> bool:
    a, b, c = triangle
    return max(math.dist(a, b), math.dist(b, c), math.dist(c, a)) < _LONGEST
