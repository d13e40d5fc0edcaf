"""Axis of time: which ticks a timeline shows, shared by all that stands one above the other along it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.player import frame_of
from app.timeline.divisions import divisions
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame

if TYPE_CHECKING:
    from app.session import Session

CLOSEST = 4.0  # frames across, at least
NUMBER_GAP, LINE_GAP = 64.0, 9.0  # [px] between numbers and between lines, at least
FARTHEST = 24 * 3600 * TICKS_PER_SECOND  # ticks across, at most


class TimeAxis(QObject):
    """Ticks from left to right: `start` stands at the left edge, `ticks_per_pixel` is how far out it is zoomed."""

    changed = Signal()

    def __init__(self, rate: Rate, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rate = rate
        self.snapping = True  # dragged times stand on whole frames
        self.seconds = False  # are marked in place of frames
        self.start = 0.0
        self.ticks_per_pixel = TICKS_PER_SECOND / 200.0
        self.width = 1.0  # [px]

    @property
    def end(self) -> float:
        """The tick at the right edge."""
        return self.start + self.width * self.ticks_per_pixel

    def x_of(self, time: float) -> float:
        """Return the x of a tick [px]."""
        return (time - self.start) / self.ticks_per_pixel

    def time_at(self, x: float) -> float:
        """Return the tick at an x, whole or not."""
        return self.start + x * self.ticks_per_pixel

    def snapped(self, time: float) -> int:
        """Return the nearest frame's tick, or the nearest tick where snapping is off."""
        if not self.snapping:
            return round(time)
        frame = frame_of(round(time + 0.5 * ticks_per_frame(self.rate)), self.rate)
        return frame_time(frame, self.rate)

    def frames(self, width: float | None = None) -> Iterator[tuple[int, bool]]:
        """Yield the ticks of the frames, or seconds, that are drawn, as many as there is room for, and True for the
        numbered ones.

        As far as the right edge of a view of this width [px]: views that share an axis need not be equally wide.
        """
        end = self.end if width is None else self.time_at(width)
        found = divisions(
            self.start, end, self.ticks_per_pixel, self.rate, seconds=self.seconds, gap=NUMBER_GAP, least=LINE_GAP
        )
        return ((time, bool(text)) for time, text in found)

    def count_in_seconds(self, seconds: bool) -> None:
        """Mark seconds, or frames."""
        if seconds != self.seconds:
            self.seconds = seconds
            self.changed.emit()

    def set_snapping(self, snapping: bool) -> None:
        """Turn snapping of dragged times to whole frames on or off."""
        if snapping != self.snapping:
            self.snapping = snapping
            self.changed.emit()

    def show_range(self, start: float, end: float) -> None:
        """Show these ticks from edge to edge."""
        self._put(start, (end - start) / self.width)

    def set_width(self, width: float) -> None:
        """Set the width on the screen [px]; the same ticks are shown."""
        if width > 0.0 and width != self.width:
            scale = self.ticks_per_pixel * self.width / width
            self.width = width
            self._put(self.start, scale, always=True)

    def set_rate(self, rate: Rate) -> None:
        """Set the frame rate."""
        if rate != self.rate:
            self.rate = rate
            self._put(self.start, self.ticks_per_pixel, always=True)

    def zoom(self, factor: float, x: float) -> None:
        """Show `factor` times as much time; the tick at `x` stays where it is."""
        scale = self._within(self.ticks_per_pixel * factor)
        self._put(self.time_at(x) - x * scale, scale)

    def pan(self, pixels: float) -> None:
        """Scroll by so many pixels to the right."""
        self._put(self.start - pixels * self.ticks_per_pixel, self.ticks_per_pixel)

    def _within(self, scale: float) -> float:
        least = CLOSEST * ticks_per_frame(self.rate) / self.width
        return max(least, min(scale, FARTHEST / self.width))

    def _put(self, start: float, scale: float, *, always: bool = False) -> None:
        scale = self._within(scale)
        room = TICKS_LIMIT - self.width * scale
        start = max(-float(TICKS_LIMIT), min(start, room))
        if always or (start, scale) != (self.start, self.ticks_per_pixel):
            self.start, self.ticks_per_pixel = start, scale
            self.changed.emit()


def frame_text(time: int, rate: Rate) -> str:
    """Format the number of a frame, with the fraction beyond it."""
    beyond = round(time / ticks_per_frame(rate), 2)
    return f"{beyond:.12g}"


def shared_axis(session: Session) -> TimeAxis:
    """Make the axis of all that stands along one of a session's: `session.of(shared_axis)`."""
    return TimeAxis(session.document.rate, session)
