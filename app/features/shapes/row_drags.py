"""Drags of keys of shapes in the timeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.timeline.view_drag import NEAR, ViewDrag
from engine.edits import edit
from engine.shapes.parts import BlendShape

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet


def nearest_key(sheet: DopeSheet, shape: BlendShape, at: QPointF) -> int | None:
    """The tick of the key of a shape at a place."""
    pointer, reach = sheet.time_at(at.x()), NEAR * sheet.axis.ticks_per_pixel
    keys = () if shape.track is None else shape.track.keys
    time = min((key.time for key in keys), key=lambda each: abs(each - pointer), default=None)
    return time if time is not None and abs(time - pointer) <= reach else None


class ShapeKeyDrag(ViewDrag):
    """Moves a key of a shape in time; where it lands on another, that one goes."""

    def __init__(
        self,
        sheet: DopeSheet,
        at: QPointF,
        modifiers: Qt.KeyboardModifier,
        *,
        actor: str,
        shape: BlendShape,
        time: int,
    ) -> None:
        super().__init__(sheet, at, modifiers)
        self._sheet, self._actor, self._name, self.shape = sheet, actor, shape.name, shape.id
        self.times = (time, time)  # of the key, and where it is now

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        held, wanted = self.times[0], self._brought(self.times[0], at)
        if wanted != self.times[1]:
            self.times = (held, wanted)
            change = edit("move_shape_keys", actor=self._actor, shape=self.shape, times=(held,), ticks=wanted - held)
            self._preview(f"Move key of {self._name}", change)

    def release(self) -> None:
        super().release()
        if not self._dragged:
            self._sheet.session.set_playhead(self.times[0])
