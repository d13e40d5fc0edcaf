"""Paints the graph: lines of time and value, curves, keys, tangents, the curves before a drag, and the playhead.

A curve is one line of many points, made as an array. Marks of keys are small pictures, made once for each look.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Set
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF
from shiboken6 import VoidPtr

from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font
from app.style.theme import Theme, mix
from app.timeline.graph.colours import HUES, colour_of
from app.timeline.graph.still import still_picture
from app.timeline.stamps import stamp
from engine.document.extent import stated_extent

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve, Ints
    from app.timeline.graph.view import CurveGraph
    from app.timeline.keys import Channel, Flags
    from engine.maths.arrays import Array

SIZE = 9  # [px] of a key's picture
SMOOTH = 6000  # points of all lines, beyond which they are drawn without smooth edges
FAR = 30000.0  # [px] above and below, beyond which nothing can be distinguished


def paint_graph(painter: QPainter, graph: CurveGraph) -> None:
    """Paint everything but the playhead and the box that is being drawn; during a drag, only what it changes anew."""
    moving = graph.moving
    if moving:
        painter.drawPixmap(0, 0, still_picture(graph, moving, lambda below: paint_still(below, graph, moving)))
        smooth = bool(graph.kept["still"].result)
    else:
        graph.kept.pop("still", None)
        smooth = paint_still(painter, graph, moving)
    paint_moving(painter, graph, moving, smooth=smooth)


def paint_still(painter: QPainter, graph: CurveGraph, moving: Set[int]) -> bool:
    """Paint the ground, the curves that are not moving, and the others as they were; return True if edges are
    smooth."""
    theme = current_theme()
    painter.fillRect(graph.rect(), QColor(theme.field))
    _paint_grounds(painter, graph, theme)
    curves = graph.curves.curves
    if not curves:
        _paint_hint(painter, graph, theme)
    lines = {place: list(graph.lines_of(curves[place])) for place in graph.seen}
    smooth = sum(len(each) for found in lines.values() for each in found) <= SMOOTH
    _paint_ghosts(painter, graph, theme, smooth=smooth)
    _paint_curves(painter, graph, {place: lines[place] for place in lines if place not in moving}, smooth=smooth)
    return smooth


def paint_moving(painter: QPainter, graph: CurveGraph, moving: Set[int], *, smooth: bool) -> None:
    """Paint the curves that a drag changes, and the numbers over all."""
    curves = graph.curves.curves
    lines = {place: list(graph.lines_of(curves[place])) for place in graph.seen if place in moving}
    _paint_curves(painter, graph, lines, smooth=smooth)
    _paint_numbers(painter, graph, current_theme())


def _paint_grounds(painter: QPainter, graph: CurveGraph, theme: Theme) -> None:
    width, height = float(graph.width()), float(graph.height())
    for time, numbered in graph.axis.frames(width):
        colour = mix(theme.field, theme.line, 0.8 if numbered else 0.3)
        painter.fillRect(QRectF(round(graph.axis.x_of(time)), 0.0, 1.0, height), QColor(colour))
    for value in graph.scale.lines():
        colour = mix(theme.field, theme.line, 1.0 if abs(value) < 1e-12 else 0.6)
        thick = 2.0 if abs(value) < 1e-12 else 1.0
        painter.fillRect(QRectF(0.0, round(graph.scale.y_of(value)), width, thick), QColor(colour))
    played = stated_extent(graph.session.document)
    if played is not None:
        shade = QColor(theme.window)
        shade.setAlphaF(0.55)
        painter.fillRect(QRectF(0.0, 0.0, max(graph.axis.x_of(played[0]), 0.0), height), shade)
        end = graph.axis.x_of(played[1])
        painter.fillRect(QRectF(end, 0.0, max(width - end, 0.0), height), shade)


def _paint_hint(painter: QPainter, graph: CurveGraph, theme: Theme) -> None:
    painter.setFont(number_font())
    painter.setPen(QColor(theme.text_quiet))
    text = "Select a joint to see its curves" if not graph.session.selection else "What is selected has no curves"
    painter.drawText(QRectF(graph.rect()), Qt.AlignmentFlag.AlignCenter, text)


def _paint_numbers(painter: QPainter, graph: CurveGraph, theme: Theme) -> None:
    """Paint the numbers of the lines of value, at the left edge."""
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_faint))
    units = {graph.curves.curves[place].unit.suffix for place in graph.seen}
    suffix = units.pop() if len(units) == 1 and not graph.normalised else ""
    decimals = max(0, -math.floor(math.log10(graph.scale.step) + 1e-9))
    tall = painter.fontMetrics().height()
    for value in graph.scale.lines():
        y = graph.scale.y_of(value)
        if tall <= y:
            text = f"{value + 0.0:.{decimals}f}".replace("-", "\N{MINUS SIGN}") + suffix
            painter.drawText(QPointF(4.0, y - 3.0), text)


def _paint_ghosts(painter: QPainter, graph: CurveGraph, theme: Theme, *, smooth: bool) -> None:
    """Paint the curves as they were before a drag."""
    if graph.dragging is None:
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=smooth)
    painter.setPen(QPen(QColor(mix(theme.field, theme.text_faint, 0.55)), 1.0))
    for channel in graph.dragging.held:
        curve = graph.dragging.before.find(channel)
        if curve is not None:
            painter.drawPolyline(_polygon(graph, next(graph.lines_of(curve))))


def _paint_curves(painter: QPainter, graph: CurveGraph, lines: dict[int, list[Array]], *, smooth: bool) -> None:
    """Paint some curves by their numbers, their tangents and their keys."""
    theme = current_theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=smooth)
    for place, found in lines.items():
        _paint_curve(painter, graph, place, found, theme, thin=not smooth)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _paint_tangents(painter, graph, {graph.curves.curves[place].channel for place in lines}, theme)
    _paint_keys(painter, graph, lines.keys(), theme)


def _paint_curve(
    painter: QPainter, graph: CurveGraph, place: int, lines: list[Array], theme: Theme, *, thin: bool
) -> None:  # fmt: skip
    """Paint a curve; `thin`: one pixel, which takes less than half of the time."""
    curve: Curve = graph.curves.curves[place]
    colour = colour_of(place, theme)
    share = (
        0.35
        if curve.mute or (curve.outline is None and curve.sampled is None)
        else 0.55
        if curve.channel in graph.locked
        else 1.0
    )
    width = 1.0 if thin else 2.4 if curve.channel in graph.active else 1.4
    painter.setPen(QPen(QColor(mix(theme.field, colour, share)), width))
    painter.drawPolyline(_polygon(graph, lines[0]))
    painter.setPen(QPen(QColor(mix(theme.field, colour, 0.45 * share)), 1.0))
    for line in lines[1:]:
        painter.drawPolyline(_polygon(graph, line))


def _polygon(graph: CurveGraph, line: Array) -> QPolygonF:
    """Return times and shown values as points of the widget."""
    polygon = QPolygonF()
    polygon.resize(len(line))
    memory = VoidPtr(polygon.data(), 16 * len(line), True)  # type: ignore[call-arg, arg-type]
    points = np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)  # type: ignore[call-overload]
    points[:, 0] = (line[:, 0] - graph.axis.start) / graph.axis.ticks_per_pixel
    points[:, 1] = np.clip(graph.scale.height - (line[:, 1] - graph.scale.low) / graph.scale.per_pixel, -FAR, FAR)
    return polygon


def _paint_tangents(painter: QPainter, graph: CurveGraph, channels: Set[Channel], theme: Theme) -> None:
    for tangent in graph.tangents():
        if tangent.channel not in channels:
            continue
        colour = QColor(theme.warning if tangent.broken else theme.text_quiet)
        painter.setPen(QPen(colour, 1.0))
        painter.drawLine(tangent.key, tangent.end)
        painter.setBrush(QColor(theme.field) if tangent.broken else colour)
        painter.drawEllipse(tangent.end, 3.2, 3.2)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_keys(painter: QPainter, graph: CurveGraph, places: Iterable[int], theme: Theme) -> None:
    curves, flags = graph.curves, graph.flags
    shown = curves.seen(places)
    looks = graph.kept["keys"].of(
        QSizeF((len(HUES) + 1) * SIZE, SIZE), 1.0, lambda each: _paint_looks(each, theme), things=(theme,)
    )
    chosen = np.full(len(flags), len(HUES))
    _paint_marks(painter, graph, shown & ~flags, looks, curves.curve_of % len(HUES))
    _paint_marks(painter, graph, shown & flags, looks, chosen)


def _paint_marks(painter: QPainter, graph: CurveGraph, shown: Flags, looks: QPixmap, look: Ints) -> None:
    curves, axis, scale = graph.curves, graph.axis, graph.scale
    x = np.rint((curves.time - axis.start) / axis.ticks_per_pixel) - SIZE // 2
    y = np.rint(scale.height - (curves.shown - scale.low) / scale.per_pixel) - SIZE // 2
    seen = shown & (x > -SIZE) & (x < graph.width()) & (y > -SIZE) & (y < graph.height())
    stamp(painter, looks, x[seen], y[seen], look[seen])


def _paint_looks(painter: QPainter, theme: Theme) -> None:
    """Paint the marks of keys in each hue, and at last that of a chosen one."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place in range(len(HUES)):
        _paint_mark(painter, place, colour_of(place, theme), theme.field, 2.6)
    _paint_mark(painter, len(HUES), theme.accent, theme.text, 3.4)


def _paint_mark(painter: QPainter, place: int, fill: str, line: str, reach: float) -> None:
    painter.setBrush(QColor(fill))
    painter.setPen(QPen(QColor(line), 1.0))
    painter.drawRect(QRectF((place + 0.5) * SIZE - reach, 0.5 * SIZE - reach, 2.0 * reach, 2.0 * reach))
