"""RangeDrag: drags the ends of the play range and of the scene's range, or with Shift draws a new play range.

Where there is no play range the scene's is what is played, and its ends are dragged; one that is set lies over it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPolygonF

from app.session import Session
from app.session.player import frame_of
from app.style.apply import current_theme
from app.style.theme import mix
from engine.document import Document
from engine.document.extent import scene_extent
from engine.document.motion import Rate, frame_time
from engine.edits import Edit, edit
from engine.runtime.quick_dataclass import dataclass

REACH = 6.0  # [px] about an end within which it is taken hold of
GRIP = 5.0  # [px] width of an end
Range = Literal["set_play_range", "set_scene_range"]  # by the edit that sets it


@dataclass
class RangeDrag:
    """A drag of a range: one end follows the pointer, the other stays."""

    what: Range
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


def ranges(document: Document) -> Iterator[tuple[Range, tuple[int, int]]]:
    """List the ranges that are seen, the one that is played first."""
    if document.play is not None:
        yield "set_play_range", (document.play.start, document.play.end)
    if document.play is None or document.scene_range is not None:
        yield "set_scene_range", scene_extent(document)


def played_range(document: Document, start: int, end: int) -> Edit:
    """Make the edit that lets be played from a tick to another: of the play range if there is one, else of the
    scene's."""
    return edit(next(ranges(document))[0], start=start, end=end)


def drag_at(document: Document, x: float, time: int, x_of: Callable[[int], float], *, draws: bool) -> RangeDrag | None:
    """Return the drag of a press at a place and its tick; None where it hits no end and is not to draw a range."""
    if draws:
        return RangeDrag("set_play_range", time, time, document.rate)
    for what, (start, end) in ranges(document):
        held, stays = (start, end) if abs(x - x_of(start)) < abs(x - x_of(end)) else (end, start)
        if abs(x - x_of(held)) <= REACH:
            return RangeDrag(what, stays, held, document.rate)
    return None


def commit(session: Session, drag: RangeDrag) -> None:
    """Set the range to the dragged one."""
    if drag.moved:
        start, end = drag.span
        session.do(edit(drag.what, start=start, end=end))


def paint_ranges(
    painter: QPainter,
    document: Document,
    drag: RangeDrag | None,
    x_of: Callable[[int], float],
    top: float,
    height: float,
) -> None:
    """Paint a band over each range, as a drag has it, with a grip at each end; that of the play range last, in the
    accent colour."""
    theme = current_theme()
    shown: dict[Range, tuple[int, int]] = dict(ranges(document))
    if drag is not None:
        shown[drag.what] = drag.span
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for what in ("set_scene_range", "set_play_range"):
        if what in shown:
            left, right = map(x_of, shown[what])
            colour = QColor(theme.accent if what == "set_play_range" else theme.text_faint)
            painter.fillRect(QRectF(left, top, right - left, height), QColor(mix(theme.panel, colour.name(), 0.45)))
            painter.setBrush(colour)
            for x, way in ((left, 1.0), (right, -1.0)):
                corners = (QPointF(x, top), QPointF(x + way * GRIP, top), QPointF(x, top + height + GRIP))
                painter.drawPolygon(QPolygonF(corners))
    painter.restore()
