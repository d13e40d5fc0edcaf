"""Paints planned motions in the timeline: stages as blocks, free lengths as bars, constraints as markers, torques of
muscles as curves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from app.features.spacetime.lane_drags import PlanDrag
from app.features.spacetime.plan_rows import PlanRows
from app.features.spacetime.plan_words import COLOUR, seconds_text
from app.features.spacetime.stage_times import StageTimes
from app.style.fonts import SMALL, text_font
from app.style.theme import Theme, mix
from app.timeline.rows import Row
from engine.document.ticks import TICKS_PER_SECOND
from engine.spacetime.parts import (
    SpacetimeConstraint,
    SpacetimeForce,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet

SIZE = 4.8  # [px] from the middle of a marker to its corners
PAD, ROOM = 5.0, 26.0  # [px] beside the name of a stage; of a block that has room for a name
DIAMOND = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))
SQUARE = ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8))
RIGHT = ((-0.7, -0.95), (1.0, 0.0), (-0.7, 0.95))
UP = ((-0.95, 0.75), (0.0, -0.95), (0.95, 0.75))
TOWARDS = ((-1.0, -0.9), (0.0, -0.1), (1.0, -0.9), (1.0, 0.9), (0.0, 0.1), (-1.0, 0.9))
SHAPES: dict[str, tuple[tuple[float, float], ...]] = {
    "pose": DIAMOND, "value": DIAMOND, "point": SQUARE, "rate": RIGHT, "point_velocity": RIGHT,
    "centre_velocity": RIGHT, "torque": UP, "momentum": UP, "impulse": UP, "meeting": TOWARDS,
}  # fmt: skip


def paint_lane(painter: QPainter, sheet: DopeSheet, source: PlanRows, row: Row, y: float, theme: Theme) -> None:
    """Paint one row of a planned motion."""
    drag = sheet.drag if isinstance(sheet.drag, PlanDrag) and sheet.drag.row.actor == row.actor else None
    times = source.times(row) if drag is None else drag.times
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    content, lane = row.content, _PlanLane(painter, sheet, source, times, y, theme)
    if isinstance(content, SpacetimeConstraint):
        held = next((each for each in times.plan.constraints if each.id == content.id), content)
        lane.constraint(held, missed=source.is_missed(row))
    elif isinstance(content, SpacetimeMeeting):
        met = next((each for each in times.plan.meetings if each.id == content.id), content)
        lane.constraint(met, missed=source.is_missed(row))
    elif isinstance(content, SpacetimeForce):
        lane.force(content)
    elif isinstance(content, SpacetimeMuscle):
        lane.torque(row, content)
    elif isinstance(content, SpacetimeStage):
        lane.length(times.plan.stage(content.id), found=source.shows(row))
    else:
        lane.stages(row)
    painter.restore()


class _PlanLane:
    """One row, while it is painted."""

    def __init__(
        self, painter: QPainter, sheet: DopeSheet, source: PlanRows, times: StageTimes, y: float, theme: Theme
    ) -> None:
        self._painter, self._sheet, self._source, self._times, self._theme = painter, sheet, source, times, theme
        self._top, self._bottom = y + 2.0, y + sheet.row_height - 3.0
        self._hue = theme.token(COLOUR)

    def stages(self, row: Row) -> None:
        """Paint stages as blocks, with the ranges of free lengths, and where demands are missed."""
        chosen = self._source.current.chosen
        for number, stage in enumerate(self._times.plan.stages):
            self._block(number, stage, chosen=stage.id == chosen)
        for stage in self._times.plan.stages:
            if stage.impact:
                self._strike(self._sheet.x_of(self._times.span(stage.id)[1]))
        motion = self._source.current.motion_of(row.actor)
        for miss in () if motion is None else motion.misses:
            if miss.actor not in ("", row.actor):
                continue
            assert motion is not None, "its misses"
            x = self._sheet.x_of(motion.tick(miss.seconds))
            self._painter.setPen(Qt.PenStyle.NoPen)
            self._painter.setBrush(QColor(self._theme.danger))
            corners = ((-4.0, self._top - 1.0), (4.0, self._top - 1.0), (0.0, self._top + 6.0))
            self._painter.drawPolygon(QPolygonF([QPointF(x + dx, y) for dx, y in corners]))

    def constraint(self, constraint: SpacetimeConstraint | SpacetimeMeeting, *, missed: bool) -> None:
        """Paint a constraint or a meeting: its stage faintly, and a marker at its time, or a bar over its range."""
        theme, painter = self._theme, self._painter
        self._stage_ground(constraint.stage)
        start, last = (self._sheet.x_of(each) for each in self._times.when(constraint))
        chosen = self._source.current.chosen == constraint.id
        hue = theme.danger if missed else theme.accent if chosen else self._hue
        colour = QColor(mix(theme.field, hue, 1.0 if constraint.on else 0.35))
        middle = 0.5 * (self._top + self._bottom)
        pen = QPen(QColor(theme.text if chosen else theme.field), 1.0)
        if constraint.until is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(mix(theme.field, hue, 0.55 if constraint.on else 0.2)))
            painter.drawRoundedRect(QRectF(QPointF(start, middle - 2.5), QPointF(last, middle + 2.5)), 2.0, 2.0)
        painter.setPen(pen)
        painter.setBrush(colour)
        for x in dict.fromkeys((start, last)):
            self._marker(
                "meeting" if isinstance(constraint, SpacetimeMeeting) else constraint.quantity, QPointF(x, middle)
            )
        if missed:
            self._painter.setFont(text_font(SMALL, QFont.Weight.Bold))
            self._painter.setPen(colour)
            self._painter.drawText(QPointF(last + SIZE + 3.0, self._bottom - 3.0), "!")

    def length(self, stage: SpacetimeStage, *, found: bool) -> None:
        """Paint between which ticks a stage of a free length may end, and where it does."""
        theme, painter = self._theme, self._painter
        self._stage_ground(stage.id)
        free = self._times.free_ends(self._times.number(stage.id))
        if free is None:
            return
        least, most = (self._sheet.x_of(each) for each in free)
        middle = 0.5 * (self._top + self._bottom)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(theme.field, self._hue, 0.4)))
        painter.drawRect(QRectF(QPointF(least, middle - 3.0), QPointF(most, middle + 3.0)))
        painter.setBrush(QColor(self._hue))
        for x in (least, most):
            painter.drawRect(QRectF(x - 1.0, self._top + 1.5, 2.0, self._bottom - self._top - 3.0))
        ends = self._sheet.x_of(self._times.span(stage.id)[1])
        painter.setPen(QPen(QColor(theme.field), 1.0))
        painter.setBrush(QColor(theme.text if found else theme.text_faint))
        painter.drawEllipse(QPointF(ends, middle), 3.4, 3.4)

    def force(self, force: SpacetimeForce) -> None:
        """Paint the stages on which a force acts as bars, and an arrow where a blow comes."""
        painter, theme, chosen = self._painter, self._theme, self._source.current.chosen == force.id
        middle = 0.5 * (self._top + self._bottom)
        hue = theme.accent if chosen else self._hue
        for stage in self._times.plan.stages:
            self._stage_ground(stage.id)
            if force.stages and stage.id not in force.stages:
                continue
            start, end = (self._sheet.x_of(each) for each in self._times.span(stage.id))
            painter.setPen(QPen(QColor(theme.text if chosen else theme.field), 1.0))
            painter.setBrush(QColor(hue))
            if force.blow:
                corners = [QPointF(end + SIZE * x, middle + SIZE * y) for x, y in UP]
                painter.drawPolygon(QPolygonF(corners))
            else:
                painter.drawRoundedRect(
                    QRectF(QPointF(start + 1.0, middle - 3.0), QPointF(end - 1.0, middle + 3.0)), 2, 2
                )

    def torque(self, row: Row, muscle: SpacetimeMuscle) -> None:
        """Paint the torque of a muscle about the middle of its row, all of them at one scale."""
        theme, painter = self._theme, self._painter
        for stage in self._times.plan.stages:
            self._stage_ground(stage.id)
        left, right = (self._sheet.x_of(self._times.borders[end]) for end in (0, -1))
        middle, half = 0.5 * (self._top + self._bottom), 0.5 * (self._bottom - self._top)
        painter.setPen(QPen(QColor(mix(theme.field, theme.text_faint, 0.6)), 1.0))
        painter.drawLine(QPointF(left, middle), QPointF(right, middle))
        motion = self._source.current.motion_of(row.actor)
        torques = None if motion is None else motion.known_torques
        if motion is None or torques is None or muscle.dof not in torques:
            return
        curve, most = torques[muscle.dof], max(float(np.abs(each).max()) for each in torques.values())
        heights = middle - half * np.asarray(curve) / max(most, 1e-9)
        points = [
            QPointF(self._sheet.x_of(motion.tick(seconds)), height)
            for seconds, height in zip(motion.times.tolist(), heights.tolist(), strict=True)
        ]
        ground = QColor(theme.text_quiet)
        ground.setAlphaF(0.22)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawPolygon(QPolygonF([QPointF(points[0].x(), middle), *points, QPointF(points[-1].x(), middle)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.text_quiet), 1.3))
        painter.drawPolyline(QPolygonF(points))

    def _block(self, number: int, stage: SpacetimeStage, *, chosen: bool) -> None:
        theme, painter = self._theme, self._painter
        left, right = (self._sheet.x_of(self._times.borders[number + each]) for each in (0, 1))
        frame = QRectF(QPointF(left + 0.5, self._top), QPointF(max(right - 0.5, left + 1.5), self._bottom))
        painter.setPen(QPen(QColor(theme.text), 1.0) if chosen else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mix(theme.field, self._hue, 0.34 if number % 2 == 0 else 0.46)))
        painter.drawRoundedRect(frame, 2.5, 2.5)
        if stage.nailed or stage.contacts:
            painter.fillRect(QRectF(frame.left() + 1.0, frame.bottom() - 2.0, frame.width() - 2.0, 2.0),
                             QColor(theme.text_quiet))  # fmt: skip
        self._name(frame, number, stage)

    def _name(self, frame: QRectF, number: int, stage: SpacetimeStage) -> None:
        shown = frame.intersected(QRectF(self._sheet.left, frame.top(), self._sheet.viewport().width(), frame.height()))
        if shown.width() < ROOM:
            return
        painter = self._painter
        painter.setFont(text_font(SMALL))
        painter.setPen(QColor(self._theme.text))
        metrics, inside = painter.fontMetrics(), shown.adjusted(PAD, -1.0, -PAD, -1.0)
        start, end = self._times.borders[number : number + 2]
        length = seconds_text((end - start) / TICKS_PER_SECOND)
        if metrics.horizontalAdvance(stage.name) + metrics.horizontalAdvance(length) + 12 < inside.width():
            painter.setPen(QColor(self._theme.text_quiet))
            painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, length)
            painter.setPen(QColor(self._theme.text))
        text = metrics.elidedText(stage.name, Qt.TextElideMode.ElideRight, int(inside.width()))
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, text)

    def _strike(self, x: float) -> None:
        """Paint an arrow at the end of a stage at which the ground may strike."""
        painter, theme = self._painter, self._theme
        painter.setPen(QPen(QColor(theme.field), 1.0))
        painter.setBrush(QColor(theme.text))
        foot = self._bottom + 0.5
        painter.drawPolygon(QPolygonF([QPointF(x - 5.0, foot), QPointF(x, foot - 8.0), QPointF(x + 5.0, foot)]))

    def _stage_ground(self, stage: str) -> None:
        start, end = (self._sheet.x_of(each) for each in self._times.span(stage))
        ground = QRectF(QPointF(start + 0.5, self._top + 1.0), QPointF(end - 0.5, self._bottom - 1.0))
        self._painter.fillRect(ground, QColor(mix(self._theme.field, self._hue, 0.09)))

    def _marker(self, quantity: str, at: QPointF) -> None:
        corners = SHAPES.get(quantity)
        if corners is None:
            self._painter.drawEllipse(at, SIZE - 0.6, SIZE - 0.6)
        else:
            self._painter.drawPolygon(QPolygonF([at + QPointF(SIZE * x, SIZE * y) for x, y in corners]))
