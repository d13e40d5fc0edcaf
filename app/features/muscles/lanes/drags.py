"""Drags in the lanes of muscles: keys in time and value, and the bar of a lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.features.muscles.lanes.keys import MuscleLane, moved_keys
from app.timeline.view_drag import SHIFT, ViewDrag
from engine.edits import Edit, edit, joined

if TYPE_CHECKING:
    from app.features.muscles.lanes.places import LanePlaces
    from app.timeline.keys import Picked

FINE = 0.1  # of the way, with Ctrl


class MuscleKeysDrag(ViewDrag):
    """Moves the chosen keys in time and value, with Shift in one of both."""

    def __init__(
        self, lanes: LanePlaces, at: QPointF, modifiers: Qt.KeyboardModifier, *, key: int,
        clicked: Picked | None = None,
    ) -> None:  # fmt: skip
        """`key` is the one that is held."""
        super().__init__(lanes, at, modifiers, clicked=clicked)
        table = lanes.table
        self._lanes = lanes
        self._time, self._value = int(table.time[key]), float(table.value[key])
        self._held = dict(lanes.picked)
        self._moved: dict[str, MuscleLane] = {}
        self.ticks, self.value = 0, 0.0

    @property
    def landed(self) -> Picked | None:
        return {each: frozenset(time + self.ticks for time in times) for each, times in self._held.items()}

    def shown(self, lane: MuscleLane) -> MuscleLane:
        """Return a lane with its keys where they are moved to."""
        times, track = self._held.get(lane.channel), lane.activation.track
        if not times or track is None or (not self.ticks and not self.value):
            return lane
        if lane.muscle.id not in self._moved:
            self._moved[lane.muscle.id] = lane.with_track(moved_keys(track, times, self.ticks, self.value))
        return self._moved[lane.muscle.id]

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        ticks = self._brought(self._time, at) - self._time
        wanted = self._value + (self._from.y() - at.y()) * self._lanes.per_pixel
        value = min(max(wanted, 0.0), 1.0) - self._value
        if modifiers & SHIFT:
            across = abs(at.x() - self._from.x()) >= abs(at.y() - self._from.y())
            ticks, value = (ticks, 0.0) if across else (0, value)
        if (ticks, value) != (self.ticks, self.value):
            self.ticks, self.value, self._moved = ticks, value, {}
            self._preview("Move keys of muscles", joined(self._edits()))

    def _edits(self) -> list[Edit]:
        return [
            edit(
                "move_muscle_keys", actor=each.actor, muscle=each.layer, times=tuple(sorted(times)),
                ticks=self.ticks, value=self.value,
            )
            for each, times in sorted(self._held.items())
            if times
        ]  # fmt: skip


class MuscleBarDrag(ViewDrag):
    """Drags the bar of a lane, where the pointer is; Ctrl makes it finer."""

    def __init__(self, lanes: LanePlaces, at: QPointF, modifiers: Qt.KeyboardModifier, *, place: int) -> None:
        super().__init__(lanes, at, modifiers)
        self._lanes, self._place, self._at = lanes, place, at
        self._muscle = lanes.table.lanes[place].muscle
        self.value = lanes.value_of(lanes.table.lanes[place])

    @property
    def held(self) -> str:
        """The muscle whose bar is held."""
        return self._muscle.id

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        width = self._lanes.bar_rect(self._place).width()
        fine = FINE if modifiers & Qt.KeyboardModifier.ControlModifier else 1.0
        self.value = min(max(self.value + (at.x() - self._at.x()) / width * fine, 0.0), 1.0)
        self._at = at
        change = self._lanes.current.value_edit(self._muscle.id, self.value)
        if change is not None:
            self._preview(f"Set activation of {self._muscle.name}", change)
