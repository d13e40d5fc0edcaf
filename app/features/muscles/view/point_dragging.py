"""Point dragging: moves the points of the path of the muscle that is selected by their symbols; a click chooses one,
for the inspector, too.

A point goes in the plane that faces the camera, or with Shift along an axis of the world, and stays on its joint, or on
the ground. Of one that a degree of freedom moves, all of its way goes along.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.moving_points import MovingPoints
from app.features.muscles.view.frames import frame_of, in_world, point_in_joint, way_in
from app.scene.camera import Array
from app.scene.markers import Marker, pulled_to
from app.scene.symbols import Symbol
from app.tools.symbol_dragging import HeldSymbol, SymbolDragging
from engine.edits import Edit, edit
from engine.muscles.parts import PathPoint
from engine.muscles.queries.moved_parts import moved_point
from engine.muscles.queries.new_parts import has_room
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.scene.camera import Vector
    from app.session import Gesture, Session

POINTS = "points of muscles"  # whose symbols they are


@dataclass
class _HeldPathPoint(HeldSymbol):
    """The point under the button while it is down."""

    muscle: str
    number: int
    point: PathPoint
    frame: Array  # of its joint in the world, as it was taken


class PointDragging(SymbolDragging[_HeldPathPoint]):
    """Drags points of one session's selected muscle in one viewport."""

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(session, viewport, POINTS)
        self._current = session.of(CurrentMuscles)
        self._shown: tuple[Symbol, ...] = ()
        moving = session.of(MovingPoints)
        for signal in (self._current.changed, self._current.point_changed, session.snapshot_ready, moving.changed):
            signal.connect(self._show)

    def _taken(self, found: Marker, at: Pointer) -> _HeldPathPoint | None:
        muscle = self._current.muscle
        symbol = next((each for each in self._shown if each.id == found.id), None)
        if muscle is None or symbol is None:
            return None
        number = int(found.id)
        point = muscle.points[number]
        frame = frame_of(self._session, symbol.owner, point.joint)
        return None if frame is None else _HeldPathPoint(at, found, symbol.place, muscle.id, number, point, frame)

    def _begin(self, held: _HeldPathPoint) -> Gesture | None:
        self._current.choose_point(held.number)
        return self._session.begin_gesture(f"Move point of {held.marker.name}") if self._current.may_change else None

    def _led(self, held: _HeldPathPoint, at: Pointer, pixel: tuple[float, float]) -> Vector:
        return pulled_to(at.camera, pixel, at.size, held.origin, along_axis=at.along_axis)

    def _edit(self, held: _HeldPathPoint) -> Edit | None:
        """Put the point there; inside of a wrap that its path goes round it stays at the last place outside."""
        way = np.array(held.place) - np.array(held.origin)
        new, muscles = moved_point(held.point, way_in(held.frame, way)), self._current.muscles
        old = None if muscles is None else muscles.muscle(held.muscle)
        if muscles is None or old is None or not has_room(muscles, old, held.number, new):
            return None
        return edit("set_path_point", actor=held.marker.owner, muscle=held.muscle, place=held.number, point=new)

    def _click(self, held: _HeldPathPoint, at: Pointer) -> None:
        self._current.choose_point(held.number)

    def _words(self, marker: Marker) -> str:
        return (
            f"Point {int(marker.id) + 1} of {marker.name} · drag to move it, Shift follows an axis, click to choose it"
        )

    def _symbols(self) -> Iterator[Symbol]:
        owner, muscle = self._current.owner, self._current.muscle
        if owner is None or muscle is None or not self._current.is_selected or not owner.visible or owner.frozen:
            return
        if "muscle" in self._viewport.look.hidden:
            return
        for number, point in enumerate(muscle.points):
            frame, place = frame_of(self._session, owner.id, point.joint), point_in_joint(self._session, number, point)
            if frame is not None and place is not None:
                yield Symbol(
                    of=POINTS, owner=owner.id, id=str(number), name=muscle.name, part=point.joint or "", shape="point",
                    place=in_world(frame, place), chosen=number == self._current.point, quiet=True,
                )  # fmt: skip

    def _show(self, *_: object) -> None:
        shown = tuple(self._symbols())
        if shown != self._shown:
            self._shown = shown
            self._viewport.set_symbols(shown, POINTS)
