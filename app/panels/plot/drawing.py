"""How curves are painted: frames, their grids and numbers, lines, and the playhead.

Lines are solid where they come from the curves, dashed where they are differences, grey where an edit is not worked out
yet. Brings numpy: imported once there is a plot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.panels.plot.lines import ROUGH, STALE, extent, lines
from app.panels.plot.look import mark
from app.style.apply import current_theme
from app.style.fonts import SMALL, number_font, scaled
from app.style.hues import hue
from app.style.scales import Scale, scale_of
from app.style.theme import Theme, mix
from engine.document.motion import TICKS_PER_SECOND
from engine.measure import ticks_between

if TYPE_CHECKING:
    from app.panels.plot.curves import CurvesView
    from app.session.plotting import Series

GAP = 64.0  # [px] between numbers of the axis of time, at least
PITCH = 22.0  # [px] between numbers of a frame, at least
INSET = 5.0  # [px] above and below a frame


def steps(view: CurvesView) -> Iterator[Callable[[QPainter], None]]:
    """Everything but the playhead, piece by piece, a curve at a time: many dense ones take longer than a moment."""
    theme, bounds = current_theme(), QRectF(view.viewport().rect())
    yield lambda painter: painter.fillRect(bounds, QColor(theme.panel))
    for place, unit in enumerate(view.units):
        top = view.frame_top(place)
        frame = QRectF(view.left, top + INSET, view.across, view.frame_height - 2.0 * INSET)
        seen = QRectF(0.0, 0.0, bounds.width(), view.bottom)
        if frame.intersects(seen):
            for piece in _frame_pieces(view, unit, frame, theme):
                yield partial(_within, seen, piece)
    yield partial(_within, bounds, lambda painter: _paint_seconds(painter, view, theme))


def paint_playhead(painter: QPainter, view: CurvesView) -> None:
    """The line of the present tick, and its second below."""
    theme, time = current_theme(), view.session.playhead
    x = view.x_of(time)
    if not view.left <= x <= view.left + view.across:
        return
    painter.fillRect(QRectF(round(x), 0.0, 1.0, view.bottom), QColor(theme.accent))
    text = f"{time / TICKS_PER_SECOND:.3f} s".replace("-", "\N{MINUS SIGN}")
    painter.setFont(number_font(SMALL))
    width = painter.fontMetrics().horizontalAdvance(text) + 12.0
    left = min(max(x - width / 2.0, 0.0), view.viewport().width() - width)
    plate = QRectF(left, view.bottom + 1.0, width, scaled(18))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.accent))
    painter.drawRoundedRect(plate, 4.0, 4.0)
    painter.setPen(QColor(theme.accent_text))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def _within(bounds: QRectF, piece: Callable[[QPainter], None], painter: QPainter) -> None:
    """Paint a piece, and leave no trace of it in the painter."""
    painter.save()
    painter.setClipRect(bounds)
    painter.setFont(number_font(SMALL))
    piece(painter)
    painter.restore()


def _frame_pieces(view: CurvesView, unit: str, frame: QRectF, theme: Theme) -> Iterator[Callable[[QPainter], None]]:
    rows = [(place, series) for place, series in view.rows if series.unit == unit]
    scale, found = scale_of(unit), extent((series for _, series in rows), view.axis.start, view.axis.end)
    between = None if found is None else (found[0] * scale.factor, found[1] * scale.factor)
    yield lambda painter: _paint_ground(painter, view, frame, between, theme)
    if between is not None:
        for place, series in rows:
            yield partial(
                _paint_series,
                view=view,
                series=series,
                frame=frame,
                between=between,
                scale=scale,
                colour=hue(place, on_dark=theme.is_dark),
            )
    yield lambda painter: _paint_unit(painter, frame, scale.text, theme)


def _paint_ground(
    painter: QPainter, view: CurvesView, frame: QRectF, between: tuple[float, float] | None, theme: Theme
) -> None:
    painter.fillRect(frame, QColor(theme.field))
    _paint_upright(painter, view, frame, theme)
    if between is not None:
        _paint_numbers(painter, frame, *between, theme)


def _paint_series(
    painter: QPainter,
    *,
    view: CurvesView,
    series: Series,
    frame: QRectF,
    between: tuple[float, float],
    scale: Scale,
    colour: str,
) -> None:
    theme, (low, high) = current_theme(), between
    up = -frame.height() / (high - low)
    painter.setClipRect(frame, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for points, kind in lines(series, view.axis.start, view.axis.end, view.across):
        x = (points[:, 0] + frame.left()).tolist()
        y = (frame.bottom() + (points[:, 1] * scale.factor - low) * up).tolist()
        pen = QPen(QColor(mix(theme.field, theme.text_faint, 0.6) if kind == STALE else colour), 1.0)
        if kind == ROUGH:
            pen.setDashPattern([5.0, 3.0])
        painter.setPen(pen)
        painter.drawPolyline(QPolygonF(list(map(QPointF, x, y))))


def _paint_numbers(painter: QPainter, frame: QRectF, low: float, high: float, theme: Theme) -> None:
    most = max(2, int(frame.height() / scaled(round(PITCH))))
    found = ticks_between(low, high, most)
    step = found[1] - found[0] if len(found) > 1 else abs(found[0]) if found and found[0] else 1.0
    half = painter.fontMetrics().height() / 2.0
    for value in found:
        y = round(frame.bottom() - (value - low) / (high - low) * frame.height())
        nought = abs(value) < 1e-9 * (high - low)
        painter.fillRect(
            QRectF(frame.left(), y, frame.width(), 1.0), QColor(mix(theme.field, theme.line, 1.0 if nought else 0.6))
        )
        if frame.top() + half <= y <= frame.bottom() - half + 2.0:
            box = QRectF(0.0, y - half, frame.left() - 6.0, 2.0 * half)
            painter.setPen(QColor(theme.text_faint))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, mark(value, step))


def _paint_unit(painter: QPainter, frame: QRectF, text: str, theme: Theme) -> None:
    """The unit, on a plate in the corner over the lines."""
    if not text:
        return
    metrics = painter.fontMetrics()
    plate = QRectF(frame.left() + 4.0, frame.top() + 3.0, metrics.horizontalAdvance(text) + 8.0, metrics.height() + 1.0)
    ground = QColor(theme.field)
    ground.setAlphaF(0.8)
    painter.fillRect(plate, ground)
    painter.setPen(QColor(theme.text_quiet))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def _seconds(view: CurvesView) -> tuple[list[float], float]:
    """Round numbers along the axis of time, and how far they are apart [s]."""
    start, end = view.axis.start / TICKS_PER_SECOND, view.axis.end / TICKS_PER_SECOND
    found = ticks_between(start, end, max(2, int(view.across / scaled(round(GAP)))))
    return found, found[1] - found[0] if len(found) > 1 else 1.0


def _paint_upright(painter: QPainter, view: CurvesView, frame: QRectF, theme: Theme) -> None:
    for second in _seconds(view)[0]:
        x = round(view.x_of(second * TICKS_PER_SECOND))
        painter.fillRect(QRectF(x, frame.top(), 1.0, frame.height()), QColor(mix(theme.field, theme.line, 0.6)))


def _paint_seconds(painter: QPainter, view: CurvesView, theme: Theme) -> None:
    seconds, step = _seconds(view)
    painter.setPen(QColor(theme.text_faint))
    for second in seconds:
        box = QRectF(view.x_of(second * TICKS_PER_SECOND) - 40.0, view.bottom + 1.0, 80.0, scaled(18))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{mark(second, step)} s")
