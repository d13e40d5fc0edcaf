"""SymbolDragging: the base of the tools that drag symbols over the views: a symbol lights up under the pointer, and
keeps its distance from it while it is dragged, so that it does not leap; a click means something else.

A drag begins once the pointer has left the range of a click. It is one gesture, which the release keeps and Escape
gives up; the session may end it before.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.session.gesture import GIVEN_UP
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.scene.markers import Marker
    from app.session import Gesture, Session
    from app.session.gesture import EditOrCommand


@dataclass
class HeldSymbol:
    """The symbol under the button while it is down."""

    start: Pointer  # at the press
    marker: Marker  # that stands for it
    origin: Vector  # [m] where it was taken
    place: Vector = field(init=False)  # [m] that it is led to
    gesture: Gesture | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.place = self.origin

    def pixel(self, at: Pointer) -> tuple[float, float]:
        """Return the pixel to which the symbol is led: as far from the pointer as it was taken [px]."""
        x, y, _ = self.start.camera.project(np.array(self.origin), self.start.size).tolist()
        return at.pixel[0] + x - self.start.pixel[0], at.pixel[1] + y - self.start.pixel[1]


HeldT = TypeVar("HeldT", bound=HeldSymbol)


class SymbolDragging(QObject, Generic[HeldT]):
    """Drags symbols of one kind of one session in one viewport."""

    status_changed = Signal(str)  # what the mouse would do to the symbol under it; empty: there is none

    def __init__(self, session: Session, viewport: Viewport, of: str) -> None:
        """`of` says whose symbols they are."""
        super().__init__(viewport)
        self._session, self._viewport, self._of = session, viewport, of
        self._held: HeldT | None = None
        self.over: Marker | None = None
        session.gesture_ended.connect(self._drop_ended)

    # The pointer

    def hover(self, at: Pointer | None) -> bool:
        """Light up the symbol under the pointer."""
        self._light(self._found(at) if at is not None else None)
        return self.over is not None

    def press(self, at: Pointer) -> bool:
        """Take the symbol under the pointer; only a drag or the release says what is meant."""
        found = self._found(at)
        self._held = None if found is None else self._taken(found, at)
        return self._held is not None

    def move(self, at: Pointer) -> None:
        """Drag the symbol, once the pointer has left the range of a click."""
        held = self._held
        if held is None:
            return
        if held.gesture is None and at.has_left(held.start) and self._may_move(held):
            held.gesture = self._begin(held)
            if held.gesture is None:
                self._held = None
                return
            self._viewport.set_hot_marker(held.marker, taken=True)
        if held.gesture is not None and not held.gesture.is_over:
            self._drag(held, held.gesture, at)

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.gesture is not None:
            self._finish(held, held.gesture)
        elif not at.has_left(held.start):
            self._click(held, at)
        self._light(None)

    def cancel(self) -> None:
        """Leave all as it was, and say so."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None and not held.gesture.is_over:
            self._session.note("note", GIVEN_UP)
            self._give_up(held, held.gesture)
        self._light(None)

    # What a tool says of its symbols

    def _taken(self, found: Marker, at: Pointer) -> HeldT | None:
        """Return a symbol that is taken, with what its drag needs; None where it cannot be taken."""
        raise NotImplementedError

    def _words(self, marker: Marker) -> str:
        """Return what the mouse would do to it, for the status line."""
        raise NotImplementedError

    def _may_move(self, held: HeldT) -> bool:
        """Return whether it has a place to be dragged to; it may be clicked in any case."""
        return True

    def _begin(self, held: HeldT) -> Gesture | None:
        """Begin a drag; None where nothing may be dragged at present."""
        raise NotImplementedError

    def _drag(self, held: HeldT, gesture: Gesture, at: Pointer) -> None:
        """Show the symbol where the pointer leads it, with what that does."""
        place = self._led(held, at, held.pixel(at))
        if place != held.place:
            held.place = place
            asked = self._edit(held)
            if asked is not None:
                gesture.preview(asked)

    def _led(self, held: HeldT, at: Pointer, pixel: tuple[float, float]) -> Vector:
        """Return where a drag to a pixel leads it [m]."""
        raise NotImplementedError

    def _edit(self, held: HeldT) -> EditOrCommand | None:
        """Return the edit that puts it where it is led; None where nothing would."""
        raise NotImplementedError

    def _click(self, held: HeldT, at: Pointer) -> None:
        """Do what a click means."""

    def _finish(self, held: HeldT, gesture: Gesture) -> None:
        """Keep a drag."""
        gesture.finish()

    def _give_up(self, held: HeldT, gesture: Gesture) -> None:
        """Leave all as it was before a drag."""
        gesture.cancel()

    # What is shown

    def _found(self, at: Pointer) -> Marker | None:
        """Return the symbol under the pointer; a handle on the same place goes before it."""
        found = self._viewport.symbol_at(at.at, self._of)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

    def _light(self, marker: Marker | None) -> None:
        if marker == self.over:
            return
        was, self.over = self.over, marker
        if marker is not None or was is not None:
            self._viewport.set_hot_marker(marker)
            self.status_changed.emit("" if marker is None else self._words(marker))

    def _drop_ended(self) -> None:
        """Let go of a drag that the session has ended."""
        held = self._held
        if held is not None and held.gesture is not None and held.gesture.is_over:
            self._held = None
            self._light(None)
