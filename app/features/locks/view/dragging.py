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
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.locks.commands.move_lock import MoveLock
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Camera, Size, Vector
    from engine.model import LockMark

MOVED = ("point", "line", "plane", "centre")


@dataclass
class _HeldLock(HeldSymbol):
    """The pin under the button while it is down."""

    lock: LockMark


class LockDragging(SymbolDragging[_HeldLock]):
    """Drags the pins of one session in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, HELD)
        session.selection_changed.connect(lambda _: self._show_chosen())
        self._show_chosen()

    def _taken(self, found: Marker, at: Pointer) -> _HeldLock | None:
        lock = self._mark(found)
        return None if lock is None else _HeldLock(at, found, lock.target, lock)

    def _may_move(self, held: _HeldLock) -> bool:
        return held.lock.held in MOVED and held.lock.share > 0.0

    def _begin(self, held: _HeldLock) -> Gesture:
        return self._session.begin_gesture(f"Move pin {held.marker.name}")

    def _led(self, held: _HeldLock, at: Pointer, pixel: tuple[float, float]) -> Vector:
        return lock_pulled_to(held.lock, at.camera, pixel, at.size, held.place, along_axis=at.along_axis)

    def _edit(self, held: _HeldLock) -> MoveLock:
        lock = held.lock
        return MoveLock(actor=lock.owner, lock=lock.lock, time=self._session.playhead, to=held.place)

    def _click(self, held: _HeldLock, at: Pointer) -> None:
        item = Item(held.marker.owner, held.marker.part, held.marker.id)
        selection = self._session.selection
        self._session.select(selection.toggled(item).items if at.adds else [item])

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
