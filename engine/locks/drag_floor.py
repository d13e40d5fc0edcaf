"""DragFloor: bodies of a dragged figure stay above the floor, the plane y = 0 of the world.

What a drag would push into the floor is held on it while the figure is led once more: a foot that stood there stays
where it stood, so that legs bend under a pelvis that is pulled down; anything else is kept in the plane and may slide.
What was below the floor before the drag may stay as deep as it was. Toes, and whatever else ends in one hinge, are
turned out of the floor afterwards, so that a heel that lifts rolls over its ball.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.document import Dof, Figure
from engine.document.segment import end_of_limb
from engine.ik.goals import Goal, PlaneGoal, PositionGoal, Spot
from engine.maths.rotation_arrays import turn
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Member
    from engine.maths.arrays import Array, IntArray

STOOD = 0.03  # [m] above the floor, below which something stands on it
_SUNK = 5e-4  # [m] that count as nothing
_TURNS = 8  # of a hinge until what it turns is out of the floor
_WAYS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])


class DragFloor:
    """The floor under one actor of a drag."""

    def __init__(self, member: Member, start: Array) -> None:
        self._member, self._figure = member, member.actor.figure
        self._start: Array | None = None
        if member.actor.floor:
            from engine.model.compile import compile_model

            self._model = compile_model(self._figure)
            self._state = self._model.new_state()
            self._state[:12] = np.concatenate((member.base[:, :3].ravel(), member.base[:, 3]))
            self._corners = _corners.find(self._figure.digest, lambda: corners_of(self._figure))
            self._start = self._worlds(start)
            lowest = self._corners.lowest(self._start)
            self._lowest = dict(zip(self._corners.joints, lowest.tolist(), strict=True))
            self._levels = np.minimum(lowest, 0.0)

    @property
    def is_on(self) -> bool:
        """True if this actor stays above the floor."""
        return self._start is not None

    def lift(self, pose: Array, wanted: Collection[str]) -> tuple[Array, dict[Spot, Goal]]:
        """Turn what ends in a single hinge, toes above all, until it is on the floor and not in it; return the pose,
        and goals by their spots that would bring up what is in the floor still. `wanted`: joints that others are
        about."""
        worlds = self._worlds(pose)
        sunk = self._corners.lowest(worlds) < self._levels - _SUNK
        found = self._with_toes_up(pose, worlds, sunk) if sunk.any() else pose
        if found is not pose:
            worlds = self._worlds(found)
            sunk = self._corners.lowest(worlds) < self._levels - _SUNK
        return found, self._goals(worlds, np.flatnonzero(sunk).tolist(), wanted) if sunk.any() else {}

    def _goals(self, worlds: Array, sunk: list[int], wanted: Collection[str]) -> dict[Spot, Goal]:
        """Find what would bring up bodies that have sunk."""
        corners, actor, found = self._corners, self._member.actor.id, dict[Spot, Goal]()
        joints = {corners.joints[body] for body in sunk}
        for body in sunk:
            joint = corners.joints[body]
            if not joints.isdisjoint(self._figure.below(joint)):
                continue  # what hangs on it comes up first, and may bring it along
            end = end_of_limb(self._figure, joint)
            handle = next((each for each in self._figure.handles if each.joint == end), None)
            below = min(self._lowest.get(each, 1.0) for each in (end, *self._figure.below(end)))
            if handle is not None and below < STOOD and end not in wanted:
                ball = next((each.offset for each in self._figure.joints if each.parent == end), handle.point)
                spot = Spot(actor=actor, joint=end, point=ball)
                found[spot] = PositionGoal(spot=spot, target=self._place(end, np.array(ball)))
            else:
                lifted = corners.joints.index(end) if end in corners.joints else body  # its toes turn out of the way
                x, y, z = corners.lowest_point(lifted, worlds).tolist()
                spot = Spot(actor=actor, joint=corners.joints[lifted], point=(x, y, z))
                level = float(self._levels[body])
                found[spot] = PlaneGoal(spot=spot, point=(0.0, level, 0.0), normal=(0.0, 1.0, 0.0))
        return found

    def _with_toes_up(self, pose: Array, worlds: Array, sunk: NDArray[np.bool_]) -> Array:
        """The pose with hinges at the ends turned, itself where none has to be."""
        index, found = self._figure.coordinate_index, pose
        for body, dof in self._corners.hinges:
            if not sunk[body]:
                continue
            points, frame, level = self._corners.of(body), worlds[self._corners.places[body]], self._levels[body]
            around = np.cross(np.array(dof.axis), points)  # what the points do as the hinge turns
            now = pose[index[dof.id]]
            for _ in range(_TURNS):
                lowest = int(np.argmin(points @ frame[1, :3]))
                height, slope = points[lowest] @ frame[1, :3] + frame[1, 3], around[lowest] @ frame[1, :3]
                if height >= level - _SUNK or abs(slope) < 1e-3:
                    break
                turned = dof.clamp(now + float(np.clip((level - height) / slope, -0.3, 0.3)))
                frame = np.hstack((frame[:, :3] @ turn(np.array(dof.axis), np.array([turned - now]))[0], frame[:, 3:]))
                now = turned
            if now != pose[index[dof.id]]:
                found = found.copy() if found is pose else found
                found[index[dof.id]] = now
        return found

    def _place(self, joint: str, point: Array) -> tuple[float, float, float]:
        assert self._start is not None, "there is a floor"
        row = self._start[self._figure.joint_index[joint]]
        x, y, z = (row[:, :3] @ point + row[:, 3]).tolist()
        return x, y, z

    def _worlds(self, pose: Array) -> Array:
        """Transforms of the joints in the world, shape [joint_count, 3, 4]."""
        from engine.model.kinematics import compute_forward_kinematics

        compute_forward_kinematics(self._model.ints, self._model.floats, np.ascontiguousarray(pose), self._state)
        rows = self._model.transforms(self._state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)


@dataclass(frozen=True, eq=False)
class BodyCorners:
    """The points of a figure's bodies that lie farthest out, body by body, in the frames of their joints [m]."""

    points: Array
    owners: IntArray  # the place of the joint of each point
    starts: IntArray  # of each body's points
    places: IntArray  # of each body's joint
    joints: tuple[str, ...]  # their ids
    hinges: tuple[tuple[int, Dof], ...]  # bodies that end in a single hinge

    def lowest(self, worlds: Array) -> Array:
        """The height of the lowest point of each body [m]."""
        if not len(self.starts):
            return np.zeros(0)
        rows = worlds[self.owners, 1]
        heights = (rows[:, :3] * self.points).sum(axis=1) + rows[:, 3]
        return np.asarray(np.minimum.reduceat(heights, self.starts))

    def of(self, body: int) -> Array:
        """The points of a body."""
        end = self.starts[body + 1] if body + 1 < len(self.starts) else len(self.points)
        return self.points[self.starts[body] : end]

    def lowest_point(self, body: int, worlds: Array) -> Array:
        """The lowest point of a body, in its frame."""
        points = self.of(body)
        return np.asarray(points[int(np.argmin(points @ worlds[self.places[body], 1, :3]))])


_corners: Bounded[str, BodyCorners] = Bounded(8)


def corners_of(figure: Figure) -> BodyCorners:
    """Find the corners of a figure."""
    from engine.model.meshes import build_mesh

    mesh = build_mesh([joint.shapes for joint in figure.joints])
    chosen, places = [], []
    for place in range(len(figure.joints)):
        mine = np.flatnonzero(mesh.body == place)
        if len(mine):
            chosen.append(mine[np.unique(np.argmax(mesh.positions[mine].astype(float) @ _WAYS.T, axis=0))])
            places.append(place)
    kept = np.concatenate(chosen) if chosen else np.zeros(0, dtype=int)
    joints = [figure.joints[place] for place in places]
    return BodyCorners(
        points=mesh.positions[kept].astype(float),
        owners=mesh.body[kept].astype(np.int32),
        starts=np.cumsum([0, *map(len, chosen)])[:-1].astype(np.int32),
        places=np.array(places, dtype=np.int32),
        joints=tuple(joint.id for joint in joints),
        hinges=tuple(
            (body, joint.dofs[0])
            for body, joint in enumerate(joints)
            if [dof.kind for dof in joint.dofs] == ["hinge"] and not figure.below(joint.id)
        ),
    )
