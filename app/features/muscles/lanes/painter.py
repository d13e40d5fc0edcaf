"""Paints lanes of muscles: the time behind them, curves of activation with their keys; and beside them names, bars,
lengths and forces. A bar is as red as the muscle in the views."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.features.muscles.lanes.keys import MuscleLane
from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, text_font
from app.style.hint import paint_hint
from app.style.theme import Theme, mix
from engine.document.extent import stated_extent

if TYPE_CHECKING:
    from app.features.muscles.lanes.places import LanePlaces

NO_MUSCLES = "Muscles of figures have lanes here. Open a figure with muscles, or the example “A curl”."
NOTHING_FOUND = "No muscle of this group has such a name."
RELAXED, ACTIVE = "#8d5a52", "#e5261a"
KEY = 3.2  # [px] half of a key's mark


def paint_lanes(painter: QPainter, lanes: LanePlaces) -> None:
    """Paint everything but what stands beside, the playhead and the box that is being drawn."""
    theme, bounds = current_theme(), QRectF(lanes.viewport().rect())
    painter.fillRect(bounds, QColor(theme.field))
    if lanes.keys is None or not lanes.keys.lanes:
        return
    painter.setClipRect(bounds.adjusted(lanes.left, 0.0, 0.0, 0.0))
    for place, lane in lanes.seen_lanes():
        if _is_chosen(lanes, lane):
            tinted = mix(theme.field, theme.accent, 0.09)
            painter.fillRect(QRectF(0.0, lanes.top_of(place), bounds.width(), lanes.lane_height), QColor(tinted))
    _paint_times(painter, lanes, theme)
    for place, lane in lanes.seen_lanes():
        _paint_lane(painter, lanes, place, lane, theme)


def paint_beside(lanes: LanePlaces) -> None:
    """Paint what stands beside the lanes; where there are none, what to do."""
    if not lanes.table.lanes:
        paint_hint(lanes, NOTHING_FOUND if lanes.current.muscles is not None else NO_MUSCLES, "activity")
        return
    painter, theme = QPainter(lanes.viewport()), current_theme()
    height = float(lanes.viewport().height())
    painter.fillRect(QRectF(0.0, 0.0, lanes.left, height), QColor(theme.panel))
    painter.fillRect(QRectF(lanes.left - 1.0, 0.0, 1.0, height), QColor(theme.line))
    for place, lane in lanes.seen_lanes():
        _paint_beside(painter, lanes, place, lane, theme)
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


def _paint_lane(painter: QPainter, lanes: LanePlaces, place: int, lane: MuscleLane, theme: Theme) -> None:
    top, width = lanes.top_of(place), float(lanes.viewport().width())
    painter.fillRect(QRectF(0.0, top + lanes.lane_height - 1, width, 1.0), QColor(theme.line))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    start, end = lanes.time_at(lanes.left), lanes.time_at(width)
    painter.setPen(QPen(QColor(mix(theme.field, theme.accent, 0.85 if lane.keys else 0.4)), 1.5))
    if lane.outline is None:
        y = lanes.y_of(place, lane.activation.value)
        painter.drawLine(QPointF(lanes.left, y), QPointF(width, y))
        return
    count = max(int(width - lanes.left) // 2, 2)
    ticks = [start + (end - start) * each / (count - 1) for each in range(count)]
    line = [QPointF(lanes.x_of(time), lanes.y_of(place, lane.value_at(time))) for time in ticks]
    painter.drawPolyline(QPolygonF(line))
    _paint_keys(painter, lanes, place, lane, theme)


def _paint_keys(painter: QPainter, lanes: LanePlaces, place: int, lane: MuscleLane, theme: Theme) -> None:
    times = lanes.picked.get(lane.channel, frozenset())
    shift = getattr(lanes.drag, "ticks", 0)
    chosen = {time + shift for time in times} if shift else times
    for key in lane.keys:
        x = lanes.x_of(key.time)
        if lanes.left - KEY <= x <= lanes.viewport().width() + KEY:
            picked = key.time in chosen
            painter.setPen(QPen(QColor(theme.text if picked else theme.field), 1.2))
            painter.setBrush(QColor(theme.accent if picked else mix(theme.field, theme.text, 0.85)))
            reach = KEY + (1.0 if picked else 0.0)
            painter.drawEllipse(QPointF(x, lanes.y_of(place, key.value)), reach, reach)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _paint_beside(painter: QPainter, lanes: LanePlaces, place: int, lane: MuscleLane, theme: Theme) -> None:
    top = lanes.top_of(place)
    if _is_chosen(lanes, lane):
        painter.fillRect(QRectF(0.0, top, lanes.left - 1.0, lanes.lane_height - 1.0), QColor(theme.selection))
    painter.fillRect(QRectF(0.0, top + lanes.lane_height - 1.0, lanes.left, 1.0), QColor(theme.line))
    painter.setFont(text_font())
    painter.setPen(QColor(theme.text))
    name = lanes.name_rect(place)
    text = painter.fontMetrics().elidedText(lane.muscle.name, Qt.TextElideMode.ElideRight, int(name.width()))
    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, text)
    _paint_bar(painter, lanes, place, lane, theme)
    told = lanes.current.told
    number = None if told is None else told.numbers.get(lane.muscle.id)
    if told is None or number is None:
        return
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text_quiet))
    rect, right = lanes.numbers_rect(place), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
    half = 0.5 * rect.width()
    painter.drawText(rect.adjusted(0.0, 0.0, -half, 0.0), right, f"{100.0 * told.lengths[number]:.1f} cm")
    painter.drawText(rect.adjusted(half, 0.0, 0.0, 0.0), right, f"{round(told.forces[number])} N")


def _paint_bar(painter: QPainter, lanes: LanePlaces, place: int, lane: MuscleLane, theme: Theme) -> None:
    bar, value = lanes.bar_rect(place), lanes.value_of(lane)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.field))
    painter.drawRoundedRect(bar, 3.0, 3.0)
    painter.save()
    painter.setClipRect(bar)
    filled = QRectF(bar.left(), bar.top(), value * bar.width(), bar.height())
    painter.fillRect(filled, QColor(mix(theme.field, mix(RELAXED, ACTIVE, value), 0.8)))
    painter.restore()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setFont(number_font(SMALL))
    painter.setPen(QColor(theme.text))
    inside = bar.adjusted(0.0, 0.0, -5.0, 0.0)
    painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, f"{value:.2f}")


def _is_chosen(lanes: LanePlaces, lane: MuscleLane) -> bool:
    muscle = lanes.current.muscle
    return muscle is not None and muscle.id == lane.muscle.id
