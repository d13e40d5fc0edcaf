"""Drags in lanes: of keys in time and value, of a curve that is drawn by hand, and of a slider beside a lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.timeline.view_drag import SHIFT, ViewDrag
from engine.edits import Edit, joined
from engine.queries.drawn_keys import drawn_keys

if TYPE_CHECKING:
    from app.lanes.kind import Named
    from app.lanes.lane import Lane
    from app.lanes.places import LanePlaces
    from app.timeline.keys import Picked

NOISE = 1.5  # [px] of a hand that draws
FINE = 0.1  # of the way, with Ctrl


class LaneKeysDrag(ViewDrag):
    """Moves the chosen keys in time and value, with Shift in one of both. How far the held one goes up or down is what
    all go, whatever a pixel spans in their lanes."""

    def __init__(
        self, lanes: LanePlaces, at: QPointF, modifiers: Qt.KeyboardModifier, *, key: int,
        clicked: Picked | None = None,
    ) -> None:  # fmt: skip
        """`key` is the one that is held."""
        super().__init__(lanes, at, modifiers, clicked=clicked)
        table = lanes.table
        self._lanes, self._lane = lanes, table.lanes[int(table.lane[key])]
        self._time, self._value = int(table.time[key]), float(table.value[key])
        self._held = dict(lanes.picked)
        held = ((table.lane_of((each.actor, each.layer)), times) for each, times in sorted(self._held.items()))
        self._pairs = [(lane, times) for lane, times in held if lane is not None and times]
        self._moved: dict[Named, Lane] = {}
        self.ticks, self.value = 0, 0.0

    @property
    def landed(self) -> Picked | None:
        return {each: frozenset(time + self.ticks for time in times) for each, times in self._held.items()}

    def shown(self, lane: Lane) -> Lane:
        """Return a lane with its keys where they are moved to."""
        times = self._held.get(lane.channel)
        if not times or lane.track is None or (not self.ticks and not self.value):
            return lane
        if lane.of not in self._moved:
            self._moved[lane.of] = lane.moved(times, self.ticks, self.value)
        return self._moved[lane.of]

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        ticks = self._brought(self._time, at) - self._time
        wanted = self._value + (self._from.y() - at.y()) * self._lanes.per_pixel(self._lane)
        value = self._lane.kind.held(wanted) - self._value
        if modifiers & SHIFT:
            across = abs(at.x() - self._from.x()) >= abs(at.y() - self._from.y())
            ticks, value = (ticks, 0.0) if across else (0, value)
        if (ticks, value) != (self.ticks, self.value):
            self.ticks, self.value, self._moved = ticks, value, {}
            edits = list[Edit]()
            for source in self._lanes.current.sources:
                own = [(lane, tuple(sorted(times))) for lane, times in self._pairs if source.gave(lane)]
                edits += source.move_edits(own, ticks, value) if own else []
            self._preview("Move activation keys", joined(edits))


class FreehandDrag(ViewDrag):
    """Draws the curve of a lane: keys are put in its place that lead the same way."""

    def __init__(self, lanes: LanePlaces, at: QPointF, modifiers: Qt.KeyboardModifier, *, place: int) -> None:
        super().__init__(lanes, at, modifiers)
        self._lanes, self.place, self._lane = lanes, place, lanes.table.lanes[place]
        self._by_x: dict[int, float] = {}  # values by pixel
        self._last: tuple[int, float] | None = None
        self._put(at)

    @property
    def line(self) -> list[tuple[float, float]]:
        """Ticks and values of what is drawn so far, from left to right."""
        return [(self._lanes.time_at(x), self._by_x[x]) for x in sorted(self._by_x)]

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self._put(at)

    def release(self) -> None:
        super().release()
        line = [(round(time), value) for time, value in self.line]
        if len(line) < 2:
            return
        keys = drawn_keys(line, NOISE * self._lanes.per_pixel(self._lane))
        self._lanes.session.do(self._lane.drawn_edit(keys, line[0][0], line[-1][0]))

    def _put(self, at: QPointF) -> None:
        """Draw on to a place, over whatever was drawn there before."""
        x = max(round(at.x()), self._lanes.left)
        value = self._lanes.value_at(self.place, self._lane, at.y())
        before_x, before = self._last or (x, value)
        step = 1 if x >= before_x else -1
        for each in range(before_x, x + step, step):
            share = 1.0 if x == before_x else (each - before_x) / (x - before_x)
            self._by_x[each] = before + share * (value - before)
        self._last = (x, value)


class SliderDrag(ViewDrag):
    """Drags the slider of a lane; Ctrl makes it finer."""

    def __init__(self, lanes: LanePlaces, at: QPointF, modifiers: Qt.KeyboardModifier, *, place: int) -> None:
        super().__init__(lanes, at, modifiers)
        self._lanes, self._hand, self._place = lanes, lanes.hand, place
        self._lane = lanes.table.lanes[place]
        self._at, self._value = at, lanes.value_of(self._lane)
        self._begun = self._hand.begin(self._lane)

    @property
    def ended(self) -> bool:
        return self._released

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if not self._begun:
            return
        kind = self._lane.kind
        way = (at.x() - self._at.x()) / self._lanes.slider_rect(self._place).width() * (kind.most - kind.least)
        self._at = at
        self._value += way * (FINE if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0)
        if not self._is_still(at):
            self._hand.move(self._value)

    def release(self) -> None:
        self._released = True
        if self._begun:
            self._hand.finish()

    def cancel(self) -> None:
        self._released = True
        if self._begun:
            self._hand.cancel()
