"""Lock dragging: moves a lock by its symbol, with what it holds; a click selects the lock.

A point goes to the nearest place of the ray under the pointer, or along an axis of the world; a plane goes along its
normal, a centre of mass over the floor. Directions and balance have no place of their own to be pulled to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.scene.markers import Marker, lock_pulled_to
from app.session import Gesture, Item, Session
from app.tools.symbol_dragging import SymbolDragging, SymbolGrip
from engine.locks.commands.move_lock import MoveLock

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from engine.model import LockMark

MOVED = ("point", "plane", "centre")


@dataclass
class _HeldLock:
    """The lock under the button while it is down."""

    taken: SymbolGrip
    marker: Marker
    lock: LockMark
    place: Vector  # [m] that it is wanted at
    gesture: Gesture | None = None


class LockDragging(SymbolDragging):
    """Drags the locks of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session = session
        self._held: _HeldLock | None = None
        session.selection_changed.connect(lambda _: self._show_chosen())
        self._show_chosen()

    def press(self, at: Pointer) -> bool:
        """Take the symbol under the pointer; only a drag or the release says what is meant."""
        marker = self._found(at)
        if marker is None or marker.lock is None:
            return False
        self._held = _HeldLock(SymbolGrip(at, marker.lock.target), marker, marker.lock, marker.lock.target)
        return True

    def move(self, at: Pointer) -> None:
        """Drag the lock, once the pointer has left the range of a click."""
        held = self._held
        if held is None or held.lock.held not in MOVED or held.lock.share == 0.0:
            return
        if held.gesture is None and at.has_left(held.taken.start):
            held.gesture = self._session.begin_gesture(f"Move lock {held.marker.name}")
            self._viewport.set_hot_marker(held.marker, taken=True)
        if held.gesture is not None:
            lock, time, pixel = held.lock, self._session.playhead, held.taken.pixel(at)
            held.place = lock_pulled_to(lock, at.camera, pixel, at.size, held.place, along_axis=at.along_axis)
            held.gesture.preview(MoveLock(actor=lock.owner, lock=lock.lock, time=time, to=held.place))

    def release(self, at: Pointer) -> None:
        """Commit the drag, or take it for a click."""
        self.move(at)
        held, self._held = self._held, None
        if held is None:
            return
        if held.gesture is not None:
            held.gesture.finish()
        elif not at.has_left(held.taken.start):
            item = Item(held.marker.owner, held.marker.part, held.marker.id)
            selection = self._session.selection
            self._session.select(selection.toggled(item).items if at.adds else [item])
        self._light(None)

    def cancel(self) -> None:
        """Leave the lock where it was."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None:
            held.gesture.cancel()
        self._light(None)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the lock under the pointer; a handle on the same place goes before it."""
        found = self._viewport.lock_at(at.at)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

    def _show_chosen(self) -> None:
        chosen = {(each.actor, each.added) for each in self._session.selection.items if each.added is not None}
        self._viewport.set_chosen_locks(frozenset(chosen))

    def _words(self, marker: Marker) -> str:
        lock = marker.lock
        assert lock is not None, "found among locks"
        drag = {
            "point": "drag to move it, Shift follows an axis, ",
            "plane": "drag to move its plane, ",
            "centre": "drag it over the floor, ",
        }
        state = lock.text if lock.kept else marker.missed
        pull = drag.get(lock.held, "") if lock.share > 0.0 else ""
        return f"Lock {marker.name}, {state} · {pull}click to select it"
