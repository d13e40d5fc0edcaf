"""LanePlaces: where names, bars, numbers, curves and keys of muscles stand in their lanes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QWidget

from app.features.muscles.current_muscles import CurrentMuscles
from app.style.fonts import scaled
from app.timeline.axis import TimeAxis
from app.timeline.view import TimeView

if TYPE_CHECKING:
    from app.features.muscles.lanes.keys import MuscleLane, MuscleLanesTable
    from app.session import Session
    from app.timeline.keys import Flags

HEIGHT, INSET, NEAR = 26, 4.0, 7.0  # [logical px] of a lane; [px]; [px] from a key
NAME, BAR, NUMBERS = 138, 78, 112  # [logical px] from the left: the name, the bar, length and force
BESIDE = NAME + BAR + NUMBERS


class LanePlaces(TimeView):
    """A view of time with a lane for each muscle that is listed."""

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self.current = session.of(CurrentMuscles)
        self.keys: MuscleLanesTable | None = None

    @property
    def is_filled(self) -> bool:
        return self.keys is not None

    @property
    def table(self) -> MuscleLanesTable:
        assert self.keys is not None, "asked for once there are some"
        return self.keys

    @property
    def left(self) -> int:
        return scaled(BESIDE)

    @property
    def lane_height(self) -> int:
        """Height of a lane [px]."""
        return scaled(HEIGHT)

    @property
    def per_pixel(self) -> float:
        """How much activation a pixel spans."""
        return 1.0 / (self.lane_height - 2.0 * INSET)

    def top_of(self, place: int) -> int:
        """Return the upper edge of a lane."""
        return place * self.lane_height - self.verticalScrollBar().value()

    def lane_at(self, y: float) -> int | None:
        """Return the number of the lane at a height."""
        place = int((y + self.verticalScrollBar().value()) // self.lane_height)
        return place if 0 <= place < (0 if self.keys is None else len(self.keys.lanes)) else None

    def seen_lanes(self) -> Iterator[tuple[int, MuscleLane]]:
        """Yield each lane on the screen, as the drag has it, with its number."""
        lanes = () if self.keys is None else self.keys.lanes
        shown = getattr(self.drag, "shown", None)
        first = max(self.verticalScrollBar().value() // self.lane_height, 0)
        last = (self.verticalScrollBar().value() + self.viewport().height()) // self.lane_height + 1
        for place in range(first, min(last, len(lanes))):
            lane = lanes[place]
            yield place, lane if shown is None else shown(lane)

    def y_of(self, place: int, value: float) -> float:
        """Return the y of an activation in a lane [px]."""
        return self.top_of(place) + INSET + (1.0 - value) / self.per_pixel

    def value_at(self, place: int, y: float) -> float:
        """Return the activation at a height in a lane."""
        return min(max(1.0 - (y - self.top_of(place) - INSET) * self.per_pixel, 0.0), 1.0)

    def name_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's name."""
        return QRectF(scaled(8), self.top_of(place), scaled(NAME - 12), self.lane_height - 1.0)

    def bar_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's bar."""
        return QRectF(scaled(NAME), self.top_of(place) + scaled(5), scaled(BAR - 8), self.lane_height - scaled(10))

    def numbers_rect(self, place: int) -> QRectF:
        """Return the rectangle of a lane's length and force."""
        return QRectF(scaled(NAME + BAR), self.top_of(place), scaled(NUMBERS - 8), self.lane_height - 1.0)

    def keys_in(self, box: QRectF) -> Flags:
        import numpy as np

        table = self.table
        pairs = zip(table.lane.tolist(), table.value.tolist(), strict=True)
        places = np.array([self.y_of(lane, value) for lane, value in pairs])
        x = self.left + (table.time - self.axis.start) / self.axis.ticks_per_pixel
        inside = (x >= box.left()) & (x <= box.right())
        found: Flags = inside & (places >= box.top()) & (places <= box.bottom()) if len(places) else inside
        return found

    def key_at(self, at: QPointF) -> int | None:
        """Return the number of the key under a place, the nearest where there are several."""
        place = self.lane_at(at.y())
        if place is None or at.x() < self.left:
            return None
        table, best, found = self.table, NEAR, None
        for number in range(int(table.first[place]), int(table.first[place + 1])):
            x, y = self.x_of(int(table.time[number])), self.y_of(place, float(table.value[number]))
            away = max(abs(x - at.x()), abs(y - at.y()))
            if away <= best:
                best, found = away, number
        return found

    def value_of(self, lane: MuscleLane) -> float:
        """Return the activation of a lane at the playhead, or that under the hand."""
        if getattr(self.drag, "held", "") == lane.muscle.id:
            value: float = getattr(self.drag, "value", 0.0)
            return value
        return lane.value_at(self.session.playhead)
