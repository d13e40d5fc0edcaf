"""TankBox: the box of the tank that is meant, whose sides are dragged in the views; its middle moves it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.features.water.current_water import CurrentWater
from app.scene import Marker, Pointer, Viewport
from app.scene.camera import Array, Vector
from app.scene.markers import pulled_to
from app.session import Session
from app.session.gesture import NO_GESTURE, Gesture
from engine.edits import edit
from engine.runtime.quick_dataclass import dataclass
from engine.water.parts import WaterTank

SIDE, MIDDLE = "side ", "middle"  # ids of markers; the first is followed by an axis and a sign
TURNED = 0.02  # sine of the angle between an axis and the line of sight below which it cannot be followed
OF_SIDE = "drag it to make the tank larger or smaller"
OF_MIDDLE = "drag to move the tank, Shift follows an axis"
Handle = tuple[int, int]  # an axis, and which way it looks


@dataclass
class _HeldSide:
    """The handle under the button while it is down."""

    start: Pointer
    owner: str
    tank: WaterTank
    handle: Handle | None  # None: the middle
    place: Vector  # [m] in the world, where it was
    gesture: Gesture = NO_GESTURE


class TankBox(QObject):
    """The handles of one tank in one viewport."""

    status_changed = Signal(str)
    marks_changed = Signal()

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport, self._current = session, viewport, session.of(CurrentWater)
        self._held: _HeldSide | None = None
        self._over: Marker | None = None
        self._current.changed.connect(self.marks_changed)
        session.snapshot_ready.connect(lambda _: self.marks_changed.emit())

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The middles of five sides, and that of the floor, while the tank is selected."""
        owner, tank = self._current.owner, self._current.tank
        if owner is None or tank is None or owner.frozen or not self._is_selected:
            return ()
        wide, high, deep = tank.box
        joint, found = owner.figure.joints[0].id, []
        sides = ((0, -1), (0, 1), (1, 1), (2, -1), (2, 1))
        for axis, way in sides:
            point = [0.0, 0.5 * high, 0.0]
            point[axis] = high if axis == 1 else 0.5 * way * (wide, high, deep)[axis]
            found.append(
                Marker(
                    owner=owner.id, id=f"{SIDE}{axis} {way}", name=f"Side of {owner.name}", part=joint,
                    point=(point[0], point[1], point[2]),
                )
            )  # fmt: skip
        found.append(Marker(owner=owner.id, id=MIDDLE, name=owner.name, part=joint, point=(0.0, 0.0, 0.0)))
        return tuple(found)

    def hover(self, at: Pointer | None) -> bool:
        """Light up the handle under the pointer."""
        marker = None if at is None else self._marker_at(at)
        if marker is not None or self._over is not None:
            self._viewport.set_hot_marker(marker)
        if (marker is None) != (self._over is None):
            says = "" if marker is None else OF_MIDDLE if marker.id == MIDDLE else OF_SIDE
            self.status_changed.emit(f"{marker.name} · {says}" if marker is not None else "")
        self._over = marker
        return marker is not None

    def press(self, at: Pointer) -> bool:
        """Take a handle."""
        marker, tank = self._marker_at(at), self._current.tank
        found = self._viewport.marker_at(at.at)
        if marker is None or tank is None or found is None:
            return False
        handle = None if marker.id == MIDDLE else _handle_of(marker.id)
        self._held = _HeldSide(at, marker.owner, tank, handle, found.place)
        return True

    def move(self, at: Pointer) -> None:
        """Drag it, once the pointer has left the range of a click."""
        held = self._held
        if held is None or not (at.has_left(held.start) or held.gesture is not NO_GESTURE):
            return
        if held.gesture is NO_GESTURE:
            held.gesture = self._session.begin_gesture("Move tank" if held.handle is None else "Stretch tank")
        by = self._pulled(held, at)
        size, move = (held.tank.size, by) if held.handle is None else stretched(held.tank, held.handle, by)
        held.gesture.preview(edit("stretch_water_tank", actor=held.owner, size=size, move=move))

    def release(self, at: Pointer) -> None:
        """Keep it."""
        self.move(at)
        held, self._held = self._held, None
        if held is not None and held.gesture is not NO_GESTURE:
            held.gesture.finish()

    def cancel(self) -> None:
        """Leave it as it was."""
        held, self._held = self._held, None
        if held is not None:
            held.gesture.cancel()

    @property
    def _is_selected(self) -> bool:
        owner = self._current.owner
        return owner is not None and any(item.actor == owner.id for item in self._session.selection.items)

    def _marker_at(self, at: Pointer) -> Marker | None:
        found = self._viewport.marker_at(at.at)
        if found is None or not (found.marker.id == MIDDLE or found.marker.id.startswith(SIDE)):
            return None
        return found.marker

    def _pulled(self, held: _HeldSide, at: Pointer) -> Vector:
        """Return how far the handle was pulled, in the world [m]."""
        x, y, _ = held.start.camera.project(np.array(held.place), held.start.size).tolist()
        pixel = (at.pixel[0] + x - held.start.pixel[0], at.pixel[1] + y - held.start.pixel[1])
        if held.handle is None:
            to = pulled_to(at.camera, pixel, at.size, held.place, along_axis=at.along_axis)
            return to[0] - held.place[0], to[1] - held.place[1], to[2] - held.place[2]
        along = np.zeros(3)
        along[held.handle[0]] = 1.0
        way = float(_along(at.camera.ray(pixel, at.size), np.array(held.place), along))
        return float(way * along[0]), float(way * along[1]), float(way * along[2])


def stretched(tank: WaterTank, handle: Handle, by: Vector) -> tuple[Vector, Vector]:
    """Return the size of a tank one of whose sides was pulled, in whole cells, and how far the middle of its floor
    moves, so that the other side stays."""
    axis, way = handle
    size, move, cell = list(tank.size), [0.0, 0.0, 0.0], 1.0 / tank.resolution
    size[axis] = max(round((tank.size[axis] + way * by[axis]) / cell) * cell, tank.least_size[axis])
    if axis != 1:
        move[axis] = 0.5 * way * (size[axis] - tank.size[axis])
    return (size[0], size[1], size[2]), (move[0], move[1], move[2])


def _handle_of(id: str) -> Handle:
    axis, way = id.removeprefix(SIDE).split()
    return int(axis), int(way)


def _along(ray: tuple[Array, Array], place: Array, along: Array) -> float:
    """Return how far along a line the place is that is nearest to a ray; 0 where they look the same way."""
    origin, direction = ray
    across = along - (along @ direction) * direction
    size = float(across @ along)
    return 0.0 if size < TURNED**2 else float(across @ (origin - place)) / size
