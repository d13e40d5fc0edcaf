"""Paints lanes: the time behind them, curves with their keys, what is measured, and what is being drawn; and beside
them names, eyes, sliders and numbers.

What is measured is thin and in a second colour. Of a lane that is muted, or whose value comes from elsewhere than its
keys, these are faint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from shiboken6 import VoidPtr

from app.lanes.drags import FreehandDrag
from app.lanes.lane import Lane
from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled, text_font
from app.style.hint import paint_hint
from app.style.icons import icon
from app.style.theme import Theme, mix
from engine.document.extent import stated_extent

if TYPE_CHECKING:
    from app.lanes.places import LanePlaces
    from engine.maths.arrays import Array

NOBODY = (
    "Muscles of figures and splines inside soft bodies have lanes here. Open the example “A curl”, or add a soft body "
    "and draw a spline into it."
)
NOTHING_FOUND = "Nothing in this group has such a name."
FAR = 30000.0  # [px] above and below, beyond which nothing can be distinguished
KEY = 3.4  # [px] half of a key's mark
MARKED = 40  # [logical px] height of a lane from which on its values are named
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight


def paint_lanes(painter: QPainter, lanes: LanePlaces) -> None:
    """Paint everything but what stands beside, the playhead and the box that is being drawn."""
    theme, bounds = current_theme(), QRectF(lanes.viewport().rect())
    painter.fillRect(bounds, QColor(theme.field))
    if not lanes.count:
        return
    painter.setClipRect(bounds.adjusted(lanes.left, 0.0, 0.0, 0.0))
    seen, chosen = list(lanes.seen_lanes()), lanes.current.chosen
    for place, lane in seen:
        if lane.of == chosen:
            tinted = mix(theme.field, theme.accent, 0.08)
            painter.fillRect(QRectF(0.0, lanes.top_of(place), bounds.width(), lanes.lane_height), QColor(tinted))
    _paint_times(painter, lanes, theme)
    for place, lane in seen:
        _paint_lane(painter, lanes, place, lane, theme)


def paint_beside(lanes: LanePlaces) -> None:
    """Paint what stands beside the lanes; where there are none, what to do."""
    if not lanes.count:
        there = [each for each in lanes.current.sources if each.is_there]
        hint = there[0].hint if there else NOBODY
        paint_hint(lanes, NOTHING_FOUND if lanes.current.groups else hint, "activity")
        return
    painter, theme = QPainter(lanes.viewport()), current_theme()
    height, chosen = float(lanes.viewport().height()), lanes.current.chosen
    painter.fillRect(QRectF(0.0, 0.0, lanes.left, height), QColor(theme.panel))
    painter.fillRect(QRectF(lanes.left - 1.0, 0.0, 1.0, height), QColor(theme.line))
    for place, lane in lanes.seen_lanes():
        top = lanes.top_of(place)
        if lane.of == chosen:
            ground = QRectF(0.0, top, lanes.left - 1.0, lanes.lane_height - 1.0)
            painter.fillRect(ground, QColor(theme.selection))
        painter.fillRect(QRectF(0.0, top + lanes.lane_height - 1.0, lanes.left, 1.0), QColor(theme.line))
        _paint_name(painter, lanes, place, lane, theme)
        _paint_slider(painter, lanes, place, lane, theme)
        painter.setPen(QColor(theme.text_quiet))
        rect = lanes.numbers_rect(place)
        half = 0.5 * rect.width()
        first, second = lanes.current.source_of(lane).numbers(lane)
        painter.drawText(rect.adjusted(0.0, 0.0, -half, 0.0), RIGHT, first)
        painter.drawText(rect.adjusted(half, 0.0, 0.0, 0.0), RIGHT, second)
    painter.end()


def _paint_times(painter: QPainter, lanes: LanePlaces, theme: Theme) -> None:
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


def _paint_lane(painter: QPainter, lanes: LanePlaces, place: int, lane: Lane, theme: Theme) -> None:
    top, width = lanes.top_of(place), float(lanes.viewport().width())
    bottom = top + lanes.lane_height - 1
    painter.fillRect(QRectF(0.0, bottom, width, 1.0), QColor(theme.line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    rest = lanes.y_of(place, lane, lane.kind.rest)
    painter.setPen(QPen(QColor(mix(theme.field, theme.text_faint, 0.6)), 1.0, Qt.PenStyle.DotLine))
    painter.drawLine(QPointF(lanes.left, rest), QPointF(width, rest))
    painter.save()
    painter.setClipRect(QRectF(lanes.left, top, width - lanes.left, lanes.lane_height - 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    measured = lanes.current.source_of(lane).measured(lane)
    if measured is not None and len(measured) > 1:
        colour = mix(theme.field, theme.warning, 0.35 if lane.mute else 0.75)
        painter.setPen(QPen(QColor(colour), 1.2))
        painter.drawPolyline(_polygon(lanes, place, lane, measured))
    _paint_curve(painter, lanes, place, lane, theme)
    drag = lanes.drag
    if isinstance(drag, FreehandDrag) and drag.place == place:
        painter.setPen(QPen(QColor(theme.accent), 2.0))
        painter.drawPolyline(_polygon(lanes, place, lane, np.array(drag.line, dtype=np.float64).reshape(-1, 2)))
    painter.restore()
    if lanes.lane_height < scaled(MARKED):
        return
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_faint))
    for value in lane.kind.marks:
        if lane.span[0] < value < lane.span[1]:
            painter.drawText(QPointF(lanes.left + 4.0, lanes.y_of(place, lane, value) - 2.0), f"{value:g}")


def _paint_curve(painter: QPainter, lanes: LanePlaces, place: int, lane: Lane, theme: Theme) -> None:
    share = 0.35 if lane.mute else 1.0
    start, end = lanes.time_at(lanes.left), lanes.time_at(lanes.viewport().width())
    strong = QPen(QColor(mix(theme.field, theme.accent, share)), 1.8)
    faint = QPen(QColor(mix(theme.field, theme.accent, 0.45 * share)), 1.2)
    if lane.told == "constant":
        painter.setPen(faint if lane.value == lane.kind.rest else strong)
        line = np.array([(start, lane.value), (end, lane.value)])
        painter.drawPolyline(_polygon(lanes, place, lane, line))
    elif lane.told == "expression":
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
    painter: QPainter, lanes: LanePlaces, place: int, lane: Lane, theme: Theme, share: float
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


def _paint_name(painter: QPainter, lanes: LanePlaces, place: int, lane: Lane, theme: Theme) -> None:
    if lane.kind.mute:
        middle, side = lanes.eye_rect(place).center(), scaled(14)
        picture = icon("eye-off" if lane.mute else "eye", theme, "text_faint" if lane.mute else "text_quiet")
        picture.paint(painter, round(middle.x() - side / 2), round(middle.y() - side / 2), side, side)
    painter.setFont(text_font())
    painter.setPen(QColor(theme.text_faint if lane.mute else theme.text))
    name = lanes.name_rect(place)
    text = painter.fontMetrics().elidedText(lane.label, Qt.TextElideMode.ElideRight, int(name.width()))
    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, text)


def _paint_slider(painter: QPainter, lanes: LanePlaces, place: int, lane: Lane, theme: Theme) -> None:
    """Paint a bar from where the value rests to where it is at the playhead."""
    bar, value, kind = lanes.slider_rect(place), lanes.value_of(lane), lane.kind
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.field))
    painter.drawRoundedRect(bar, 3.0, 3.0)
    painter.save()
    painter.setClipRect(bar)

    def x_of(value: float) -> float:
        return bar.left() + (value - kind.least) / (kind.most - kind.least) * bar.width()

    held = lanes.hand.held == lane.of
    colour = theme.accent if kind.colours is None else mix(*kind.colours, value)
    if held and lanes.hand.recording:
        colour = theme.danger
    by_hand = lane.told != "expression"
    share = 0.25 if lane.mute or not by_hand else 0.42 if kind.colours is None and not held else 0.8
    ends = sorted((x_of(kind.rest), x_of(value)))
    filled = QRectF(ends[0], bar.top(), max(ends[1] - ends[0], 1.0), bar.height())
    painter.fillRect(filled, QColor(mix(theme.field, colour, share)))
    if by_hand:
        painter.fillRect(QRectF(x_of(value) - 1.0, bar.top(), 2.0, bar.height()), QColor(colour))
    if kind.least < kind.rest:
        painter.fillRect(QRectF(x_of(kind.rest) - 0.5, bar.top(), 1.0, bar.height()), QColor(theme.text_faint))
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_faint if lane.mute else theme.text))
    painter.drawText(bar.adjusted(0.0, 0.0, -5.0, 0.0), RIGHT, f"{value:.2f}")


def _polygon(lanes: LanePlaces, place: int, lane: Lane, line: Array) -> QPolygonF:
    """Return ticks and values as points of the widget."""
    low, high = lane.span
    top, bottom = lanes.y_of(place, lane, high), lanes.y_of(place, lane, low)
    polygon = QPolygonF()
    polygon.resize(len(line))
    memory = VoidPtr(polygon.data(), 16 * len(line), True)  # type: ignore[call-arg, arg-type]
    points = np.frombuffer(memory, dtype=np.float64).reshape(-1, 2)  # type: ignore[call-overload]
    points[:, 0] = lanes.left + (line[:, 0] - lanes.axis.start) / lanes.axis.ticks_per_pixel
    points[:, 1] = np.clip(top + (high - line[:, 1]) / (high - low) * (bottom - top), -FAR, FAR)
    return polygon
