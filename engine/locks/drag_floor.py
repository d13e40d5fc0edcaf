"""DragFloor: bodies of a dragged figure stay above the floor, the plane y = 0 of the world.

What a drag would push into the floor is held on it while the figure is led once more: a foot that stood there stays
where it stood, so that legs bend under a pelvis that is pulled down; anything else is kept in the plane and may slide.
What was below the floor before the drag may stay as deep as it was. Toes, and whatever else ends in one hinge, are
turned out of the floor afterwards, so that a heel that lifts rolls over its ball.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Figure
from engine.document.segment import end_of_limb
from engine.ik.goals import Goal, PlaneGoal, PositionGoal, Spot
from engine.maths.rotation_arrays import turn
from engine.runtime.bounded import Bounded

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
        self._lowest: dict[str, float] = {}
        self._start: Array | None = None
        if member.actor.floor:
            from engine.model.compile import compile_model

            self._model = compile_model(self._figure)
            self._points, self._owners = _corners.find(self._figure.digest, lambda: corners_of(self._figure))
            self._start = self._worlds(start)
            self._lowest = {joint: height for joint, height, _ in self._bodies(self._start)}

    @property
    def is_on(self) -> bool:
        """True if this actor stays above the floor."""
        return self._start is not None

    def goals(self, pose: Array, wanted: Collection[str]) -> dict[Spot, Goal]:
        """Find goals, by their spots, that would bring up what has sunk in a pose; `wanted`: joints that others are
        about."""
        found: dict[Spot, Goal] = {}
        bodies = list(self._bodies(self._worlds(pose))) if self.is_on else []
        lowest = {joint: point for joint, _, point in bodies}
        sunk = {joint: point for joint, height, point in bodies if height < min(0.0, self._lowest[joint]) - _SUNK}
        for joint, point in sunk.items():
            level = min(0.0, self._lowest[joint])
            if not sunk.keys().isdisjoint(self._figure.below(joint)):
                continue  # what hangs on it comes up first, and may bring it along
            end = end_of_limb(self._figure, joint)
            handle = next((each for each in self._figure.handles if each.joint == end), None)
            below = min(self._lowest.get(each, 1.0) for each in (end, *self._figure.below(end)))
            if handle is not None and below < STOOD and end not in wanted:
                ball = next((each.offset for each in self._figure.joints if each.parent == end), handle.point)
                place = self._place(end, np.array(ball))
                spot = Spot(actor=self._member.actor.id, joint=end, point=ball)
                found[spot] = PositionGoal(spot=spot, target=place)
            else:
                lifted = end if end in lowest else joint  # a foot by itself: its toes turn out of the way
                x, y, z = (lowest[lifted] if lifted != joint else point).tolist()
                spot = Spot(actor=self._member.actor.id, joint=lifted, point=(x, y, z))
                found[spot] = PlaneGoal(spot=spot, point=(0.0, level, 0.0), normal=(0.0, 1.0, 0.0))
        return found

    def with_toes_up(self, pose: Array) -> Array:
        """The pose with what ends in a single hinge, toes above all, turned until it is on the floor and not in it."""
        index, worlds = self._figure.coordinate_index, self._worlds(pose)
        found = pose.copy()
        for place, joint in enumerate(self._figure.joints):
            level, mine = min(0.0, self._lowest.get(joint.id, 0.0)), self._owners == place
            if not mine.any() or [dof.kind for dof in joint.dofs] != ["hinge"] or self._figure.below(joint.id):
                continue
            frame, points, dof = worlds[place], self._points[mine], joint.dofs[0]
            around = np.cross(np.array(dof.axis), points)  # what the points do as the hinge turns
            now = found[index[dof.id]]
            for _ in range(_TURNS):
                lowest = int(np.argmin(points @ frame[1, :3]))
                height, slope = points[lowest] @ frame[1, :3] + frame[1, 3], around[lowest] @ frame[1, :3]
                if height >= level - _SUNK or abs(slope) < 1e-3:
                    break
                turned = dof.clamp(now + float(np.clip((level - height) / slope, -0.3, 0.3)))
                frame = np.hstack((frame[:, :3] @ turn(np.array(dof.axis), np.array([turned - now]))[0], frame[:, 3:]))
                now = turned
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

        model = self._model
        state = model.new_state()
        state[:12] = np.concatenate((self._member.base[:, :3].ravel(), self._member.base[:, 3]))
        compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(pose), state)
        rows = model.transforms(state)
        return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)

    def _bodies(self, worlds: Array) -> Iterator[tuple[str, float, Array]]:
        """Each body with how high its lowest point is [m], and that point in its frame."""
        points, owners = self._points, self._owners
        heights = np.einsum("nj,nj->n", worlds[owners, 1, :3], points) + worlds[owners, 1, 3]
        for place, joint in enumerate(self._figure.joints):
            mine = np.flatnonzero(owners == place)
            if len(mine):
                lowest = mine[int(np.argmin(heights[mine]))]
                yield joint.id, float(heights[lowest]), points[lowest]


_corners: Bounded[str, tuple[Array, IntArray]] = Bounded(8)


def corners_of(figure: Figure) -> tuple[Array, IntArray]:
    """The points of a figure's bodies that lie farthest out, in the frames of their joints [m], and the place of the
    joint of each."""
    from engine.model.meshes import build_mesh

    mesh = build_mesh([joint.shapes for joint in figure.joints])
    chosen = []
    for place in range(len(figure.joints)):
        mine = np.flatnonzero(mesh.body == place)
        if len(mine):
            chosen.append(mine[np.unique(np.argmax(mesh.positions[mine].astype(float) @ _WAYS.T, axis=0))])
    kept = np.concatenate(chosen) if chosen else np.zeros(0, dtype=int)
    return mesh.positions[kept].astype(float), mesh.body[kept].astype(np.int32)
