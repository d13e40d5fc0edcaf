"""Drags in views of time: from the press of the left button until the session has answered.

A drag is one gesture of the session: its pictures are previews, letting go commits one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt

from app.session.gesture import NO_GESTURE, EditOrCommand
from engine.edits import Edit

if TYPE_CHECKING:
    from app.timeline.keys import Flags, Picked
    from app.timeline.view import TimeView

NEAR = 7.0  # [px] within which a mark or an end is hit
STILL = 3.0  # [px] that a click may move
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class ViewDrag:
    """One press of the left button. On keys that were chosen before, a click alone chooses those, and with Ctrl
    deselects them."""

    def __init__(
        self, view: TimeView, at: QPointF, modifiers: Qt.KeyboardModifier, *, clicked: Picked | None = None
    ) -> None:  # fmt: skip
        """`clicked` are those keys."""
        self._view, self._from, self._modifiers = view, at, modifiers
        self._gesture = NO_GESTURE
        self._released = self._dragged = False
        self._clicked = clicked
        self._there = len(view.table.time)
        self.picked: Picked = dict(view.picked)  # as it was

    @property
    def ended(self) -> bool:
        """True if there is nothing left to wait for."""
        return self._gesture.is_over and (self._released or self._gesture is not NO_GESTURE)

    @property
    def landed(self) -> Picked | None:
        """The keys to choose once it is committed; None: those chosen now."""
        return None

    @property
    def expected(self) -> int:
        """The number of keys afterwards, if none takes the place of another."""
        return self._there

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """Follow the pointer."""
        raise NotImplementedError

    def release(self) -> None:
        """Commit the drag, or act as a click."""
        self._released = True
        view = self._view
        if self._gesture is not NO_GESTURE:
            self._gesture.finish()
        elif self._dragged or self._clicked is None:  # every move was refused, or no chosen keys are held
            pass
        elif self._modifiers & CONTROL:
            view.choose(view.table.picked(view.flags & ~view.table.flags(self._clicked)))
        elif not self._modifiers & SHIFT:
            view.choose(self._clicked)

    def cancel(self) -> None:
        """Leave everything as it was before the press."""
        self._released = True
        self._gesture.cancel()

    def _preview(self, label: str, wanted: Edit) -> bool:
        """Preview an edit; return False where nothing is to be changed now."""
        return self._show(label, wanted)

    def _show(self, label: str, wanted: EditOrCommand) -> bool:
        """Preview an edit or command; return False where nothing is to be changed now."""
        if self._gesture is NO_GESTURE:
            self._gesture = self._view.session.begin_gesture(label, plays_on=True)
        if self._gesture.is_over:
            return False
        self._gesture.label = label
        self._gesture.preview(wanted)
        return True

    def _is_still(self, at: QPointF) -> bool:
        self._dragged = self._dragged or (at - self._from).manhattanLength() > STILL
        return not self._dragged

    def _brought(self, time: int, at: QPointF) -> int:
        """Return the tick to which the pointer has moved what stood at another."""
        axis = self._view.axis
        return axis.snapped(time + (at.x() - self._from.x()) * axis.ticks_per_pixel)


class BoxDrag(ViewDrag):
    """Draws a box and chooses the keys in it. Shift adds them, Ctrl toggles each; without a box all are deselected."""

    def __init__(self, view: TimeView, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        super().__init__(view, at, modifiers)
        self.box = QRectF(at, at)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self.box = QRectF(self._from, at).normalized()

    def release(self) -> None:
        super().release()
        self._view.choose_box(self.box, self._modifiers)


def take_hold(view: TimeView, keys: Flags, modifiers: Qt.KeyboardModifier) -> Picked | None:
    """Choose keys as they are pressed; if they were chosen before, return those that a click without a drag acts on."""
    if view.flags[keys].all():
        return view.table.picked(keys)
    view.choose(view.table.picked(view.flags | keys if modifiers & (CONTROL | SHIFT) else keys))
    return None
