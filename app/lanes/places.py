"""LanePlaces: where names, sliders, numbers, curves and keys stand in lanes.

Lanes are as high as there is room for all of them, within limits: few are tall, many are a line of text each. Only
those on the screen cost anything.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.lanes.current_lanes import CurrentLanes
from app.lanes.hand import LaneHand
from app.style.fonts import scaled
from app.timeline.axis import TimeAxis
from app.timeline.view import TimeView

if TYPE_CHECKING:
    from app.lanes.lane import Lane, LaneTable
    from app.session import Session
    from app.timeline.keys import Flags

LOW, HIGH = 26, 54  # [logical px] of a lane
INSET, NEAR = 4.0, 7.0  # [px] above and below a curve; from a key
NAME, BAR, NUMBERS = 130, 66, 98  # [logical px] from the left: the name, the slider, two numbers
BESIDE = NAME + BAR + NUMBERS


class LanePlaces(TimeView):
    """A view of time with a lane for each part that is listed."""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self.current, self.hand = session.of(CurrentLanes), session.of(LaneHand)
        self.keys: LaneTable | None = None
        self.lane_height = scaled(LOW)  # [px]

    @property
    def is_filled(self) -> bool:
        return self.keys is not None

    @property
    def table(self) -> LaneTable:
        assert self.keys is not None, "asked for once there are some"
        return self.keys

    @property
    def left(self) -> int:
        return scaled(BESIDE)

    @property
    def count(self) -> int:
        """How many lanes are listed."""
        return 0 if self.keys is None else len(self.keys.lanes)

    def measure(self) -> None:
        """Fit the lanes and the scroll range to the room that there is."""
        room, bar = self.viewport().height(), self.verticalScrollBar()
        self.lane_height = min(max(room // max(self.count, 1), scaled(LOW)), scaled(HIGH))
        bar.setRange(0, max(self.count * self.lane_height - room, 0))
        bar.setPageStep(room)
        bar.setSingleStep(scaled(LOW))

    def top_of(self, place: int) -> int:
        """Return the upper edge of a lane."""
        return place * self.lane_height - self.verticalScrollBar().value()

    def lane_at(self, y: float) -> int | None:
        """Return the number of the lane at a height."""
        place = int((y + self.verticalScrollBar().value()) // self.lane_height)
        return place if 0 <= place < self.count else None

    def seen_lanes(self) -> Iterator[tuple[int, Lane]]:
        """Yield each lane on the screen, as the drag has it, with its number."""
        lanes = () if self.keys is None else self.keys.lanes
        shown = getattr(self.drag, "shown", None)
        first = max(self.verticalScrollBar().value() // self.lane_height, 0)
        last = (self.verticalScrollBar().value() + self.viewport().height()) // self.lane_height + 1
        for place in range(first, min(last, len(lanes))):
            yield place, lanes[place] if shown is None else shown(lanes[place])

    def per_pixel(self, lane: Lane) -> float:
        """Return how much of its value a pixel spans."""
        return (lane.span[1] - lane.span[0]) / (self.lane_height - 2.0 * INSET)

    def y_of(self, place: int, lane: Lane, value: float) -> float:
        """Return the y of a value in a lane [px]."""
        return self.top_of(place) + INSET + (lane.span[1] - value) / self.per_pixel(lane)

    def value_at(self, place: int, lane: Lane, y: float) -> float:
        """Return the value at a height in a lane, within what it may be."""
        return lane.kind.held(lane.span[1] - (y - self.top_of(place) - INSET) * self.per_pixel(lane))

    def eye_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's eye."""
        side = float(scaled(22))
        return QRectF(scaled(2), self.top_of(place) + 0.5 * (self.lane_height - 1.0 - side), side, side)

    def name_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's name."""
        left = float(scaled(26 if self.table.lanes[place].kind.mute else 8))
        return QRectF(left, self.top_of(place), scaled(NAME - 4) - left, self.lane_height - 1.0)

    def slider_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's slider."""
        height = scaled(LOW - 10)
        top = self.top_of(place) + 0.5 * (self.lane_height - 1.0 - height)
        return QRectF(scaled(NAME), top, scaled(BAR - 8), height)

    def numbers_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's two numbers."""
        return QRectF(scaled(NAME + BAR), self.top_of(place), scaled(NUMBERS - 8), self.lane_height - 1.0)

    def keys_in(self, box: QRectF) -> Flags:
        import numpy as np

        table = self.table
        low, high = np.array([each.span for each in table.lanes]).reshape(-1, 2)[table.lane].T
        share = (high - table.value) / (high - low)
        tops = table.lane * self.lane_height - self.verticalScrollBar().value()
        y = tops + INSET + share * (self.lane_height - 2.0 * INSET)
        x = self.left + (table.time - self.axis.start) / self.axis.ticks_per_pixel
        found: Flags = (x >= box.left()) & (x <= box.right()) & (y >= box.top()) & (y <= box.bottom())
        return found

    def key_at(self, at: QPointF) -> int | None:
        """Return the number of the key under a place, the nearest where there are several."""
        place = self.lane_at(at.y())
        if place is None or at.x() < self.left:
            return None
        table, best, found = self.table, NEAR, None
        lane = table.lanes[place]
        for number in range(int(table.first[place]), int(table.first[place + 1])):
            x, y = self.x_of(int(table.time[number])), self.y_of(place, lane, float(table.value[number]))
            away = max(abs(x - at.x()), abs(y - at.y()))
            if away <= best:
                best, found = away, number
        return found

    def value_of(self, lane: Lane) -> float:
        """Return the value of a lane at the playhead, or that under the hand."""
        if self.hand.held == lane.of and self.hand.value is not None:
            return self.hand.value
        return lane.value_at(self.session.playhead)
