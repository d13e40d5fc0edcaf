"""Pin dragging: moves a pin by its symbol, with what it holds; a click selects the pin.

A point goes to the nearest place of the ray under the pointer, or along an axis of the world, and a line with it; a
plane goes along its normal, a centre of mass over the floor. Directions and balance have no place to be pulled to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.scene.camera import vector
from app.scene.held_symbols import HELD
from app.scene.markers import EDGE_ON, Marker, nearest_on_line, nearest_on_ray, pulled_to
from app.session import Gesture, Item, Session
from app.tools.symbol_dragging import SymbolDragging, SymbolGrip
from engine.locks.commands.move_lock import MoveLock
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Camera, Size, Vector
    from engine.model import LockMark

MOVED = ("point", "line", "plane", "centre")


@dataclass
class _HeldLock:
    """The pin under the button while it is down."""

    taken: SymbolGrip
    marker: Marker
    lock: LockMark
    place: Vector  # [m] that it is wanted at
    gesture: Gesture | None = None


class LockDragging(SymbolDragging):
    """Drags the pins of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session = session
        self._held: _HeldLock | None = None
        session.selection_changed.connect(lambda _: self._show_chosen())
        self._show_chosen()

    def press(self, at: Pointer) -> bool:
        """Take the symbol under the pointer; only a drag or the release says what is meant."""
        marker = self._found(at)
        lock = None if marker is None else self._mark(marker)
        if marker is None or lock is None:
            return False
        self._held = _HeldLock(SymbolGrip(at, lock.target), marker, lock, lock.target)
        return True

    def move(self, at: Pointer) -> None:
        """Drag the pin, once the pointer has left the range of a click."""
        held = self._held
        if held is None or held.lock.held not in MOVED or held.lock.share == 0.0:
            return
        if held.gesture is None and at.has_left(held.taken.start):
            held.gesture = self._session.begin_gesture(f"Move pin {held.marker.name}")
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
        """Leave the pin where it was."""
        held, self._held = self._held, None
        if held is not None and held.gesture is not None:
            held.gesture.cancel()
        self._light(None)

    def _found(self, at: Pointer) -> Marker | None:
        """Return the pin under the pointer; a handle on the same place goes before it."""
        found = self._viewport.symbol_at(at.at, HELD)
        return found.marker if found is not None and self._viewport.marker_at(at.at) is None else None

    def _mark(self, marker: Marker) -> LockMark | None:
        """Return the mark of a pin in the picture that is shown."""
        snapshot = self._session.snapshot
        marks = () if snapshot is None else (*snapshot.locks, *snapshot.muted_locks)
        return next((each for each in marks if (each.owner, each.lock) == (marker.owner, marker.id)), None)

    def _show_chosen(self) -> None:
        chosen = {(each.actor, each.added) for each in self._session.selection.items if each.added is not None}
        self._viewport.set_chosen_symbols(frozenset(chosen))

    def _words(self, marker: Marker) -> str:
        lock = self._mark(marker)
        if lock is None:
            return ""
        drag = {
            "point": "drag to move it, Shift follows an axis, ",
            "line": "drag to move its line, ",
            "plane": "drag to move its plane, ",
            "centre": "drag it over the floor, ",
        }
        state = lock.text if lock.kept else marker.missed
        pull = drag.get(lock.held, "") if lock.share > 0.0 else ""
        return f"Pin {marker.name}, {state} · {pull}click to select it"


def lock_pulled_to(
    lock: LockMark, camera: Camera, pixel: tuple[float, float], size: Size, place: Vector, *, along_axis: bool
) -> Vector:
    """Return where a drag to a pixel moves the place of a pin [m]: a plane along its normal, a centre of mass over the
    floor, a point along an axis of the world from where it was, or else to the point of the ray nearest to where it
    is."""
    (origin, direction), start = camera.ray(pixel, size), lock.target
    if lock.held == "plane" and lock.normal is not None:
        axis = np.array(lock.normal) / np.linalg.norm(lock.normal)
        return vector(nearest_on_line(np.array(start), axis, origin, direction))
    if lock.held == "centre":
        steep = abs(float(direction[1])) > EDGE_ON
        down = (start[1] - origin[1]) / direction[1] if steep else 0.0
        to = origin + down * direction if steep and down > 0.0 else np.array(pulled_to(camera, pixel, size, start))
        return (float(to[0]), start[1], float(to[2]))
    if along_axis:
        return pulled_to(camera, pixel, size, start, along_axis=True)
    return nearest_on_ray(camera, pixel, size, place)
