"""RangeDrag: drags the ends of the play range, or with Shift draws a new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.session import Session
from app.session.player import frame_of
from app.style.apply import current_theme
from app.style.theme import mix
from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import Rate, frame_time
from engine.edits import edit

REACH = 6.0  # [px] about an end within which it is taken hold of
GRIP = 5.0  # [px] width of an end


@dataclass
class RangeDrag:
    """A drag of the play range: one end follows the pointer, the other stays."""

    stays: int  # tick
    goes: int
    rate: Rate
    moved: bool = False

    def move(self, time: int) -> None:
        """Move the dragged end to a tick."""
        self.moved = self.moved or time != self.goes
        self.goes = time

    @property
    def span(self) -> tuple[int, int]:
        """Start and end; at least a frame."""
        start, end = sorted((self.stays, self.goes))
        return start, max(end, frame_time(frame_of(start, self.rate) + 1, self.rate))


def drag_at(document: Document, x: float, time: int, x_of: Callable[[int], float], *, draws: bool) -> RangeDrag | None:
    """Return the drag of a press at a place and its tick; None where it hits no end and is not to draw a range."""
    if draws:
        return RangeDrag(time, time, document.rate)
    start, end = play_extent(document)
    held, stays = (start, end) if abs(x - x_of(start)) < abs(x - x_of(end)) else (end, start)
    return RangeDrag(stays, held, document.rate) if abs(x - x_of(held)) <= REACH else None


def commit(session: Session, drag: RangeDrag) -> None:
    """Set the play range to the dragged one."""
    if drag.moved:
        start, end = drag.span
        session.do(edit("set_play_range", start=start, end=end))


def paint_range(painter: QPainter, left: float, right: float, top: float, height: float, *, chosen: bool) -> None:
    """Paint a band over the play range, with a grip at each end; `chosen`: it is not simply all that moves."""
    theme = current_theme()
    colour = QColor(theme.accent if chosen else theme.text_faint)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.fillRect(QRectF(left, top, right - left, height), QColor(mix(theme.panel, colour.name(), 0.45)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(colour)
    for x, way in ((left, 1.0), (right, -1.0)):
        painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x + way * GRIP, top), QPointF(x, top + height + GRIP)]))
    painter.restore()
