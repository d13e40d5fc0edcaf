"""Paints the dope sheet: rows, blocks, marks of keys, the selection, and the playhead.

A mark's colour and shape say how the span after its key is filled. Marks are small pictures, made once for each look.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPixmap, QPolygonF

from app.style.apply import current_theme
from app.style.fonts import SMALL, text_font
from app.style.theme import Theme, mix
from app.timeline.keys import KINDS, Flags, Ints
from app.timeline.looks import COLOURS
from app.timeline.rows import Row
from app.timeline.sheet_drags import TimeDrag
from app.timeline.stamps import stamp
from engine.document.extent import stated_extent

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet

SIZE = 11  # [px] of a mark's picture


def paint_sheet(painter: QPainter, sheet: DopeSheet) -> None:
    """Paint everything but the playhead and the box that is being drawn."""
    theme, bounds = current_theme(), QRectF(sheet.viewport().rect())
    painter.fillRect(bounds, QColor(theme.field))
    painter.save()
    painter.setClipRect(bounds.adjusted(sheet.names_width, 0.0, 0.0, 0.0))
    _paint_grounds(painter, sheet, theme)
    for line, number in sheet.seen_lines():
        row = sheet.rows[number]
        if row.kind == "block":
            _paint_block(painter, sheet, row, sheet.y_of(line), theme)
        elif row.kind == "marks" and row.source is not None:
            row.source.paint(painter, sheet, row, sheet.y_of(line), theme)
    _paint_keys(painter, sheet, theme)
    if isinstance(sheet.drag, TimeDrag):
        _paint_time(painter, sheet, sheet.drag, theme)
    painter.restore()
    painter.drawPixmap(0, 0, _kept_names(sheet, theme))


def _paint_grounds(painter: QPainter, sheet: DopeSheet, theme: Theme) -> None:
    width, height = sheet.viewport().width(), sheet.viewport().height()
    for line, number in sheet.seen_lines():
        row, y = sheet.rows[number], sheet.y_of(line)
        if row.kind in ("actor", "group"):
            painter.fillRect(QRectF(0.0, y, width, sheet.row_height), QColor(mix(theme.field, theme.text, 0.05)))
        painter.fillRect(QRectF(0.0, y + sheet.row_height - 1, width, 1.0), QColor(mix(theme.field, theme.line, 0.5)))
    for time, numbered in sheet.axis.frames(width - sheet.names_width):
        colour = mix(theme.field, theme.line, 0.9 if numbered else 0.35)
        painter.fillRect(QRectF(round(sheet.x_of(time)), 0.0, 1.0, height), QColor(colour))
    played = stated_extent(sheet.session.document)
    if played is not None:
        shade = QColor(theme.window)
        shade.setAlphaF(0.55)
        painter.fillRect(QRectF(0.0, 0.0, max(sheet.x_of(played[0]), 0.0), height), shade)
        painter.fillRect(QRectF(sheet.x_of(played[1]), 0.0, width, height), shade)


def _paint_block(painter: QPainter, sheet: DopeSheet, row: Row, y: float, theme: Theme) -> None:
    block, source = row.block, row.source
    assert block is not None, "of a bar"
    assert source is not None, "likewise"
    span = sheet.span_of(block)
    share = 0.22 if span is None else 0.55  # one that lasts always is fainter
    hue = theme.danger if source.is_missed(row) else theme.token(source.looks[block.kind][0])
    colour = QColor(mix(theme.field, hue, 0.5 * share if block.mute else share))
    top, bottom = y + 3.0, y + sheet.row_height - 4.0
    shown = span or block.shown
    ends = (shown.start, shown.start + shown.ease_in, shown.end - shown.ease_out, shown.end)
    xs = [sheet.x_of(time) for time in ends]
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    chosen = sheet.block is not None and sheet.block.path == block.path
    painter.setPen(QPen(QColor(theme.text), 1.0) if chosen else Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    corners = [QPointF(xs[0], bottom), QPointF(xs[1], top), QPointF(xs[2], top), QPointF(xs[3], bottom)]
    painter.drawPolygon(QPolygonF(corners))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(mix(theme.field, hue, 0.5 if span is None else 1.0)))
    for x in (xs[0], xs[3]):
        painter.drawRect(QRectF(x - 1.0, top, 2.0, bottom - top))
    for x in (xs[1], xs[2]) if span is not None else ():
        painter.drawEllipse(QPointF(x, top), 2.5, 2.5)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)


def _paint_keys(painter: QPainter, sheet: DopeSheet, theme: Theme) -> None:
    keys, flags, change = sheet.keys, sheet.flags, sheet.change
    if keys is None:
        return
    chosen = keys.marked(flags)
    if change is None:
        staying = ~chosen
    else:
        staying = np.ones_like(chosen) if change.copies else keys.marked(~flags)
    size = QSizeF(2 * len(KINDS) * SIZE, SIZE)
    looks = sheet.kept["marks"].of(size, 1.0, lambda each: _paint_looks(each, theme), things=(theme,))
    _paint_marks(painter, sheet, staying, looks, keys.mark_kind, moved=False)
    _paint_marks(painter, sheet, chosen, looks, len(KINDS) + keys.mark_kind, moved=change is not None)
    box = sheet.chosen_box()
    if box is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(mix(theme.field, theme.accent, 0.8)), 1.0, Qt.PenStyle.DotLine))
        painter.drawRect(box)
        for x in (box.left(), box.right()):
            painter.fillRect(QRectF(x - 1.5, box.center().y() - 6.0, 3.0, 12.0), QColor(theme.accent))


def _paint_marks(
    painter: QPainter, sheet: DopeSheet, shown: Flags, looks: QPixmap, look: Ints, *, moved: bool
) -> None:  # fmt: skip
    keys = sheet.keys
    assert keys is not None, "asked for with keys only"
    time = keys.mark_time.astype(np.float64)
    if moved and sheet.change is not None:
        change = sheet.change
        time = change.pivot + (time - change.pivot) * change.factor + change.ticks
    elif isinstance(sheet.drag, TimeDrag):
        time, stays = _laid_out(sheet, sheet.drag, time)
        shown = shown & stays
    x = np.rint(sheet.names_width + (time - sheet.axis.start) / sheet.axis.ticks_per_pixel) - SIZE // 2
    line_of = np.full(len(sheet.rows), -1, dtype=np.int64)
    line_of[sheet.lines] = np.arange(len(sheet.lines))
    line = line_of[keys.mark_row]
    y = line * sheet.row_height - sheet.verticalScrollBar().value() + (sheet.row_height - SIZE) // 2
    seen = shown & (line >= 0) & (y > -SIZE) & (y < sheet.viewport().height())
    seen &= (x > sheet.names_width - SIZE) & (x < sheet.viewport().width())
    marks = np.flatnonzero(seen)
    stamp(painter, looks, x[marks], y[marks], look[marks])


def _laid_out(sheet: DopeSheet, drag: TimeDrag, time: NDArray[np.float64]) -> tuple[NDArray[np.float64], Flags]:
    """Return the marks' times while a drag inserts or removes time, and flags of those that stay."""
    keys, change = sheet.keys, drag.change
    assert keys is not None, "asked for with keys only"
    moves = np.array([row.actor in change.actors for row in sheet.rows], dtype=np.bool_)[keys.mark_row]
    stays = ~(moves & (time >= change.time + change.length) & (time < change.time))
    return np.where(moves & (time >= change.time), time + change.length, time), stays


def _paint_time(painter: QPainter, sheet: DopeSheet, drag: TimeDrag, theme: Theme) -> None:
    """Paint the time that a drag inserts or removes, and its length."""
    change = drag.change
    if not change.length:
        return
    start, end = sorted((change.time, change.time + change.length))
    token = "accent" if change.length > 0 else "danger"
    colour = QColor(theme.token(token))
    band = QRectF(QPointF(sheet.x_of(start), 0.0), QPointF(sheet.x_of(end), sheet.viewport().height()))
    painter.fillRect(band, _faint(colour))
    painter.fillRect(QRectF(sheet.x_of(change.time) - 0.5, 0.0, 1.0, band.height()), colour)
    sign = "+" if change.length > 0 else "\N{MINUS SIGN}"
    text = sign + sheet.commands.length_text(abs(change.length))
    painter.setFont(text_font(SMALL, QFont.Weight.Medium))
    plate = QRectF(painter.fontMetrics().boundingRect(text)).adjusted(-6.0, -3.0, 6.0, 3.0)
    plate.moveTo(band.left() + 4.0 if change.length > 0 else band.right() - plate.width() - 4.0, 4.0)
    painter.fillRect(plate, QColor(theme.raised))
    painter.setPen(QColor(theme.text))
    painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, text)


def _faint(colour: QColor) -> QColor:
    faint = QColor(colour)
    faint.setAlphaF(0.16)
    return faint


def _paint_looks(painter: QPainter, theme: Theme) -> None:
    """Paint the marks of all kinds, plain and then chosen."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, (chosen, kind) in enumerate(product((False, True), KINDS)):
        painter.setBrush(QColor(theme.accent if chosen else theme.token(COLOURS[kind])))
        painter.setPen(QPen(QColor(theme.text if chosen else theme.field), 1.0))
        middle, reach = QPointF((place + 0.5) * SIZE, 0.5 * SIZE), 3.5 if kind == "several" else 4.5
        if kind == "stepped":
            painter.drawRect(QRectF(middle.x() - 3.5, middle.y() - 3.5, 7.0, 7.0))
        elif kind in ("cubic", "free"):
            painter.drawEllipse(middle, 3.8, 3.8)
        else:
            corners = ((0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0))
            painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))


def _kept_names(sheet: DopeSheet, theme: Theme) -> QPixmap:
    """Return the column of names, which stays as it is while time is scrolled and zoomed."""
    numbers = (sheet.verticalScrollBar().value(), sheet.row_height, text_font(SMALL), sheet.session.selection)
    return sheet.kept["names"].of(
        QSizeF(sheet.names_width, sheet.viewport().height()),
        sheet.devicePixelRatioF(),
        lambda painter: _paint_names(painter, sheet, theme),
        things=(theme, sheet.keys),
        numbers=(*numbers, tuple(sheet.lines), frozenset(sheet.folded)),
    )


def _paint_names(painter: QPainter, sheet: DopeSheet, theme: Theme) -> None:
    width = sheet.names_width
    painter.fillRect(QRectF(0.0, 0.0, width, sheet.viewport().height()), QColor(theme.panel))
    painter.fillRect(QRectF(width - 1.0, 0.0, 1.0, sheet.viewport().height()), QColor(theme.line))
    for line, number in sheet.seen_lines():
        row, y = sheet.rows[number], sheet.y_of(line)
        if sheet.is_selected(row):
            painter.fillRect(QRectF(0.0, y, width - 1.0, sheet.row_height), QColor(theme.selection))
        _paint_name(
            painter, row, QRectF(sheet.indent(row), y, width - sheet.indent(row) - 4.0, sheet.row_height), theme
        )
        if row.end > number + 1:
            _paint_arrow(painter, sheet.fold_place(line, row), folded=row.path in sheet.folded, theme=theme)


def _paint_name(painter: QPainter, row: Row, frame: QRectF, theme: Theme) -> None:
    strong = row.kind in ("actor", "group")
    painter.setFont(text_font(SMALL, QFont.Weight.Medium if strong else QFont.Weight.Normal))
    painter.setPen(QColor(theme.text if strong else theme.text_faint if row.muted else theme.text_quiet))
    text = painter.fontMetrics().elidedText(row.label, Qt.TextElideMode.ElideRight, int(frame.width()))
    painter.drawText(frame, Qt.AlignmentFlag.AlignVCenter, text)


def _paint_arrow(painter: QPainter, place: QRectF, *, folded: bool, theme: Theme) -> None:
    middle = place.center()
    points = ((-1.5, -3.5), (2.5, 0.0), (-1.5, 3.5)) if folded else ((-3.5, -1.5), (3.5, -1.5), (0.0, 2.5))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.text_faint))
    painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in points]))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
