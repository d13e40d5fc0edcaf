"""Paints lanes: the time behind them, curves of alpha with their keys, what is measured, and what is being drawn; and
beside them names, eyes and sliders.

What is measured is thin and in a second colour. Of a spline that is muted, or whose alpha comes from elsewhere than
its keys, these are faint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from shiboken6 import VoidPtr

from app.features.activation.lanes.drags import FreehandDrag
from app.features.activation.lanes.keys import Lane
from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.hint import paint_hint
from app.style.icons import icon
from app.style.theme import Theme, mix
from engine.document.extent import stated_extent
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA

if TYPE_CHECKING:
    from app.features.activation.lanes.view import ActivationLanes
    from engine.maths.arrays import Array

NO_BODIES = "Soft bodies move themselves by splines inside them. Add a soft body, then draw a spline into it."
NO_SPLINES = "Draw a spline into the soft body, or make one along its axis: its activation has a lane here."
FAR = 30000.0  # [px] above and below, beyond which nothing can be distinguished
KEY = 3.4  # [px] half of a key's mark


def paint_lanes(painter: QPainter, lanes: ActivationLanes) -> None:
    """Paint everything but the names, the playhead and the box that is being drawn."""
    theme, bounds = current_theme(), QRectF(lanes.viewport().rect())
    painter.fillRect(bounds, QColor(theme.field))
    if lanes.keys is None or not lanes.keys.lanes:
        return
    painter.setClipRect(bounds.adjusted(lanes.left, 0.0, 0.0, 0.0))
    for place, lane in lanes.seen_lanes():
        if _is_chosen(lanes, lane):
            tinted = mix(theme.field, theme.accent, 0.07)
            painter.fillRect(QRectF(0.0, lanes.top_of(place), bounds.width(), lanes.lane_height), QColor(tinted))
    _paint_times(painter, lanes, theme)
    for place, lane in lanes.seen_lanes():
        _paint_lane(painter, lanes, place, lane, theme)


def paint_beside(lanes: ActivationLanes) -> None:
    """Paint what stands beside the lanes; where there are none, what to do."""
    if lanes.table.lanes:
        painter = QPainter(lanes.viewport())
        _paint_names(painter, lanes)
        painter.end()
    else:
        paint_hint(lanes, NO_SPLINES if lanes.current.bodies else NO_BODIES, "spline")


def _paint_names(painter: QPainter, lanes: ActivationLanes) -> None:
    theme, height = current_theme(), float(lanes.viewport().height())
    painter.fillRect(QRectF(0.0, 0.0, lanes.left, height), QColor(theme.panel))
    painter.fillRect(QRectF(lanes.left - 1.0, 0.0, 1.0, height), QColor(theme.line))
    for place, lane in lanes.seen_lanes():
        _paint_name(painter, lanes, place, lane, theme)


def _paint_times(painter: QPainter, lanes: ActivationLanes, theme: Theme) -> None:
    width, height = lanes.viewport().width(), lanes.viewport().height()
    for time, numbered in lanes.axis.frames(width - lanes.left):
        colour = mix(theme.field, theme.line, 0.9 if numbered else 0.35)
        painter.fillRect(QRectF(round(lanes.x_of(time)), 0.0, 1.0, height), QColor(colour))
    played = stated_extent(lanes.session.document)
    if played is not None:
        shade = QColor(theme.window)
        shade.setAlphaF(0.55)
        painter.fillRect(QRectF(0.0, 0.0, max(lanes.x_of(played[0]), 0.0), height), shade)
        painter.fillRect(QRectF(lanes.x_of(played[1]), 0.0, width, height), shade)


def _paint_lane(painter: QPainter, lanes: ActivationLanes, place: int, lane: Lane, theme: Theme) -> None:
    top, width = lanes.top_of(place), float(lanes.viewport().width())
    bottom = top + lanes.lane_height - 1
    painter.fillRect(QRectF(0.0, bottom, width, 1.0), QColor(theme.line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    passive = lanes.y_of(place, lane, 1.0)
    painter.setPen(QPen(QColor(mix(theme.field, theme.text_faint, 0.6)), 1.0, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(lanes.left, passive), QPointF(width, passive))
    painter.save()
    painter.setClipRect(QRectF(lanes.left, top, width - lanes.left, lanes.lane_height - 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    measured = lanes.measured.get(lane.spline.id)
    if measured is not None and len(measured) > 1:
        colour = mix(theme.field, theme.warning, 0.35 if lane.spline.mute else 0.75)
        painter.setPen(QPen(QColor(colour), 1.2))
        painter.drawPolyline(_polygon(lanes, place, lane, measured))
    _paint_curve(painter, lanes, place, lane, theme)
    drag = lanes.drag
    if isinstance(drag, FreehandDrag) and drag.place == place:
        painter.setPen(QPen(QColor(theme.accent), 2.0))
        painter.drawPolyline(_polygon(lanes, place, lane, np.array(drag.line, dtype=np.float64).reshape(-1, 2)))
    painter.restore()
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_faint))
    for alpha in lane.marks:
        y = lanes.y_of(place, lane, alpha)
        painter.drawText(QPointF(lanes.left + 4.0, y - 2.0), f"{alpha:g}")


def _paint_curve(painter: QPainter, lanes: ActivationLanes, place: int, lane: Lane, theme: Theme) -> None:
    share = 0.35 if lane.spline.mute else 1.0
    start, end = lanes.time_at(lanes.left), lanes.time_at(lanes.viewport().width())
    strong = QPen(QColor(mix(theme.field, theme.accent, share)), 1.8)
    faint = QPen(QColor(mix(theme.field, theme.accent, 0.45 * share)), 1.2)
    if lane.spline.activation == "constant":
        painter.setPen(strong)
        line = np.array([(start, lane.spline.alpha), (end, lane.spline.alpha)])
        painter.drawPolyline(_polygon(lanes, place, lane, line))
    elif lane.spline.activation == "expression":
        width = max(int(lanes.viewport().width()) - lanes.left, 2)
        for number, line in enumerate(lane.expressed(start, end, width // 2)):
            painter.setPen(faint if number else strong)
            painter.drawPolyline(_polygon(lanes, place, lane, line))
    outline = lane.outline
    if outline is None:
        return
    low, high = lane.span
    steps = lanes.axis.ticks_per_pixel, (high - low) / lanes.lane_height
    painter.setPen(strong if lane.is_keyed else faint)
    painter.drawPolyline(_polygon(lanes, place, lane, outline.line(start, end, *steps)))
    painter.setPen(faint)
    for line in outline.beyond(start, end, *steps):
        painter.drawPolyline(_polygon(lanes, place, lane, line))
    _paint_keys(painter, lanes, place, lane, theme, share if lane.is_keyed else 0.45 * share)


def _paint_keys(
    painter: QPainter, lanes: ActivationLanes, place: int, lane: Lane, theme: Theme, share: float
) -> None:  # fmt: skip
    drag_times = lanes.picked.get(lane.channel, frozenset())
    shift = getattr(lanes.drag, "ticks", 0)
    chosen = {time + shift for time in drag_times} if shift else drag_times
    left, right = lanes.left - KEY, lanes.viewport().width() + KEY
    for key in lane.keys:
        x = lanes.x_of(key.time)
        if not left <= x <= right:
            continue
        y = lanes.y_of(place, lane, key.value)
        picked = key.time in chosen
        painter.setPen(QPen(QColor(theme.text if picked else theme.field), 1.2))
        painter.setBrush(QColor(theme.accent if picked else mix(theme.field, theme.text, 0.85 * share)))
        reach = KEY + (1.0 if picked else 0.0)
        painter.drawEllipse(QPointF(x, y), reach, reach)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_name(painter: QPainter, lanes: ActivationLanes, place: int, lane: Lane, theme: Theme) -> None:
    top, spline, chosen = lanes.top_of(place), lane.spline, _is_chosen(lanes, lane)
    ground = QRectF(0.0, top, lanes.left - 1.0, lanes.lane_height - 1.0)
    if chosen:
        painter.fillRect(ground, QColor(theme.selection))
    painter.fillRect(QRectF(0.0, top + lanes.lane_height - 1.0, lanes.left, 1.0), QColor(theme.line))
    eye, side = lanes.eye_rect(place), scaled(14)
    middle = eye.center()
    picture = icon("eye-off" if spline.mute else "eye", theme, "text_faint" if spline.mute else "text_quiet")
    picture.paint(painter, round(middle.x() - side / 2), round(middle.y() - side / 2), side, side)
    painter.setFont(text_font())
    painter.setPen(QColor(theme.text_faint if spline.mute else theme.text))
    name = lanes.name_rect(place)
    text = painter.fontMetrics().elidedText(lane.label, Qt.TextElideMode.ElideRight, int(name.width()))
    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, text)
    _paint_slider(painter, lanes, place, lane, theme)


def _paint_slider(painter: QPainter, lanes: ActivationLanes, place: int, lane: Lane, theme: Theme) -> None:
    """Paint a bar from 1, the passive length, to alpha at the playhead."""
    bar, alpha = lanes.slider_rect(place), lanes.alpha_of(lane)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.field))
    painter.drawRoundedRect(bar, 3.0, 3.0)
    painter.save()
    painter.setClipRect(bar)

    def x_of(value: float) -> float:
        return bar.left() + (value - LEAST_ALPHA) / (MOST_ALPHA - LEAST_ALPHA) * bar.width()

    held = lanes.hand.held == lane.spline.id
    colour = theme.danger if held and lanes.hand.recording else theme.accent
    by_hand = lane.spline.activation != "expression"
    ends = sorted((x_of(1.0), x_of(alpha)))
    share = 0.25 if lane.spline.mute or not by_hand else 0.6 if held else 0.42
    filled = QRectF(ends[0], bar.top(), max(ends[1] - ends[0], 1.0), bar.height())
    painter.fillRect(filled, QColor(mix(theme.field, colour, share)))
    if by_hand:
        painter.fillRect(QRectF(x_of(alpha) - 1.0, bar.top(), 2.0, bar.height()), QColor(colour))
    painter.fillRect(QRectF(x_of(1.0) - 0.5, bar.top(), 1.0, bar.height()), QColor(theme.text_faint))
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_faint if lane.spline.mute else theme.text_quiet))
    text = f"{alpha:.2f}"
    painter.drawText(
        bar.adjusted(0.0, 0.0, -5.0, 0.0), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, text
    )


def _is_chosen(lanes: ActivationLanes, lane: Lane) -> bool:
    spline = lanes.current.spline
    return spline is not None and spline.id == lane.spline.id


def _polygon(lanes: ActivationLanes, place: int, lane: Lane, line: Array) -> QPolygonF:
    """Return ticks and alphas as points of the widget."""
    low, high = lane.span
    top, bottom = lanes.y_of(place, lane, high), lanes.y_of(place, lane, low)
    polygon = QPolygonF()
    polygon.resize(len(line))
    memory = VoidPtr(polygon.data(), 16 * len(line), True)  # type: ignore[call-arg, arg-type]
    points = np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)  # type: ignore[call-overload]
    points[:, 0] = lanes.left + (line[:, 0] - lanes.axis.start) / lanes.axis.ticks_per_pixel
    points[:, 1] = np.clip(top + (high - line[:, 1]) / (high - low) * (bottom - top), -FAR, FAR)
    return polygon
