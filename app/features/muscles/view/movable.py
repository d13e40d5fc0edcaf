"""A point of the selected muscle's path and a wrap, as the manipulators move and turn them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.features.muscles.current_muscles import CurrentMuscles
from app.features.muscles.shown_wraps import ShownWraps
from app.features.muscles.view.frames import frame_of, in_world, point_in_joint, way_in
from app.scene.manipulator import MOVES, TURNS, WORLD
from app.session import Session
from app.tools.movable import AxesOf, Kind, ManipulatorFrame, Movable, TransformDelta, can_be_moved, triple
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.quaternions import turn_about, turned
from engine.muscles.parts import Muscle, Muscles, MuscleWrap, PathPoint
from engine.muscles.queries.moved_parts import moved_wrap, nearest_point, nearest_wrap, turned_wrap
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.camera import Array
    from engine.model import Snapshot


@dataclass(frozen=True, eq=False)
class MovableWrap:
    """A wrap of a figure."""

    session: Session
    actor: str
    muscles: Muscles
    wrap: MuscleWrap
    frame: Array  # of its joint in the world, as it was taken

    @property
    def name(self) -> str:
        """The name of the wrap."""
        return f"wrap {self.wrap.name}"

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, at the middle of the wrap as it is now."""
        frame = frame_of(self.session, self.actor, self.wrap.joint)
        found = self.session.of(CurrentMuscles).muscles
        now = None if found is None else found.wrap(self.wrap.id)
        if frame is None or now is None:
            return None
        own = np.array([turned(now.rotation, axis) for axis in WORLD]).T
        rotation = triple({"local": frame[:, :3] @ own, "parent": frame[:, :3], "world": np.eye(3)}[axes])
        first, second, third = rotation
        by = (("world", first), ("world", second), ("world", third))
        parts = MOVES if kind == "move" else TURNS
        return ManipulatorFrame(place=in_world(frame, now.centre), axes=rotation, own=by, parts=parts)  # type: ignore[arg-type]

    def command(self, change: TransformDelta) -> Edit:
        """Return the edit that moves or turns it, as far as paths leave room."""
        wrap = self.wrap
        if change.kind == "move":
            way = way_in(self.frame, change.shift)
            new = nearest_wrap(self.muscles, lambda share: moved_wrap(wrap, way, share))
        else:
            axis, angle = way_in(self.frame, change.axis), change.angle
            new = nearest_wrap(self.muscles, lambda share: turned_wrap(wrap, turn_about(axis, share * angle)))
        return edit("set_muscle_wrap", actor=self.actor, wrap=new)

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return None: it turns as asked, or stops."""
        return None


@dataclass(frozen=True, eq=False)
class MovablePathPoint:
    """A point of a path."""

    session: Session
    actor: str
    muscles: Muscles
    muscle: Muscle
    number: int
    frame: Array  # of its joint in the world, as it was taken

    @property
    def name(self) -> str:
        """The name of the muscle, with the number of the point."""
        return f"point {self.number + 1} of {self.muscle.name}"

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame, at the point as it is now; it is not turned."""
        point = self._now
        if point is None or kind == "rotate":
            return None
        frame, place = frame_of(self.session, self.actor, point.joint), point_in_joint(self.session, self.number, point)
        if frame is None or place is None:
            return None
        own = triple(np.eye(3) if axes == "world" else frame[:, :3])
        return ManipulatorFrame(place=in_world(frame, place), axes=own, parts=MOVES)

    def command(self, change: TransformDelta) -> Edit:
        """Return the edit that moves it, as far as wraps leave room."""
        new = nearest_point(self.muscles, self.muscle, self.number, way_in(self.frame, change.shift))
        return edit("set_path_point", actor=self.actor, muscle=self.muscle.id, place=self.number, point=new)

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return None: it is not turned."""
        return None

    @property
    def _now(self) -> PathPoint | None:
        found = self.session.of(CurrentMuscles).muscle
        if found is None or found.id != self.muscle.id or self.number >= len(found.points):
            return None
        return found.points[self.number]


def find_muscle_part(session: Session, snapshot: Snapshot, kind: Kind) -> Movable | None:
    """Return the wrap or the point of the selected muscle that was chosen last; a point is not turned."""
    current, wraps = session.of(CurrentMuscles), session.of(ShownWraps)
    owner, muscles, muscle = current.owner, current.muscles, current.muscle
    if owner is None or muscles is None or muscle is None or not current.is_selected or not wraps.in_views:
        return None
    if not can_be_moved(session, owner):
        return None
    wrap = wraps.moved
    if wrap is not None:
        frame = frame_of(session, owner.id, wrap.joint)
        return None if frame is None else MovableWrap(session, owner.id, muscles, wrap, frame)
    frame = frame_of(session, owner.id, muscle.points[current.point].joint)
    if kind == "rotate" or frame is None:
        return None
    return MovablePathPoint(session, owner.id, muscles, muscle, current.point, frame)
