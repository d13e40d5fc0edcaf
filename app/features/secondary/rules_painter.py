"""Paints rules of the dope sheet: a light mark at each time, and their bells where there is room for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.row_drags import RuleDrag
from app.features.secondary.rules import Rule
from app.features.secondary.target_words import COLOUR
from app.style.theme import Theme, mix
from app.timeline.stamps import stamp

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet

SIZE = 9  # [px] of a mark's picture
ROOM = 5.0  # [px] from one mark to the next from which on each has a bell of its own
LOOKS = ("plain", "chosen", "missed")


def paint_rule(painter: QPainter, sheet: DopeSheet, rule: Rule, y: float, theme: Theme) -> None:
    """Paint one rule in its row."""
    width = sheet.viewport().width()
    before, after = sheet.drag.eases if _is_held(sheet, rule) else rule.eases  # type: ignore[union-attr]
    first, last = sheet.time_at(sheet.left), sheet.time_at(width)
    times = rule.times[np.searchsorted(rule.times, first - after) : np.searchsorted(rule.times, last + before, "right")]
    if not len(times):
        return
    top, bottom = y + 5.0, y + sheet.row_height - 4.0
    colour = QColor(mix(theme.field, theme.token(COLOUR), 0.1 if not rule.target.on else 0.26))
    xs = sheet.left + (times - sheet.axis.start) / sheet.axis.ticks_per_pixel
    ahead, behind = (each / sheet.axis.ticks_per_pixel for each in (before, after))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    if len(times) == 1 or float(np.diff(xs).min()) >= ROOM:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(mix(theme.field, theme.token(COLOUR), 0.5)), 1.0))
        for x in xs.tolist():
            painter.drawPolygon(QPolygonF([QPointF(x - ahead, bottom), QPointF(x, top), QPointF(x + behind, bottom)]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    else:
        painter.drawRect(QRectF(QPointF(xs[0] - ahead, 0.5 * (top + bottom)), QPointF(xs[-1] + behind, bottom)))
    _paint_marks(painter, sheet, rule, times, xs, top, theme)


def _paint_marks(
    painter: QPainter, sheet: DopeSheet, rule: Rule, times: np.ndarray, xs: np.ndarray, top: float, theme: Theme
) -> None:  # fmt: skip
    current_targets = sheet.session.of(CurrentTargets)
    chosen = current_targets.target is not None and current_targets.target.id == rule.target.id
    look = np.full(len(times), LOOKS.index("chosen" if chosen else "plain"), dtype=np.int64)
    missed = [each.time for each in current_targets.reports_of(rule.target.id) if not each.met]
    look[np.isin(times, np.array(missed, dtype=np.int64))] = LOOKS.index("missed")
    looks = sheet.kept["rules"].of(
        QSizeF(len(LOOKS) * SIZE, SIZE), 1.0, lambda each: _paint_looks(each, theme), things=(theme,)
    )
    stamp(painter, looks, np.rint(xs) - SIZE // 2, np.full(len(xs), round(top) - SIZE // 2), look)


def _paint_looks(painter: QPainter, theme: Theme) -> None:
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    tokens = {"plain": theme.token(COLOUR), "chosen": theme.accent, "missed": theme.danger}
    for place, name in enumerate(LOOKS):
        middle = (place + 0.5) * SIZE
        strength = 0.75 if name == "plain" else 1.0
        painter.setBrush(QColor(mix(theme.field, tokens[name], strength)))
        painter.setPen(QPen(QColor(theme.text if name == "chosen" else theme.field), 1.0))
        painter.drawPolygon(QPolygonF([QPointF(middle - 3.5, 1.5), QPointF(middle + 3.5, 1.5), QPointF(middle, 7.5)]))


def _is_held(sheet: DopeSheet, rule: Rule) -> bool:
    return isinstance(sheet.drag, RuleDrag) and sheet.drag.id == rule.target.id
