"""Locks as goals of inverse kinematics, and how the targets of a compiled problem follow them from frame to frame."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from engine.document.lock import AXES
from engine.document.values import Vector3
from engine.evaluation import Frames
from engine.ik.goals import BodyFrame, CentreGoal, Goal, LineGoal, OrientationGoal, PlaneGoal, PositionGoal, Spot
from engine.ik.problem import Problem
from engine.locks.places import Holding
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.maths.transforms import joined
from engine.runtime.quick_dataclass import dataclass

_POINT = 3  # the column of a place, shape [3, 4], that is its position; those before it are its axes


def places_of(holdings: Sequence[Holding], together: Collection[str], frames: Frames) -> list[Array]:
    """Place each lock, shape [3, 4]: in the frame of its target where that is solved together with its actor, else in
    the world. A lock for balance stands over the mean of the points that its actor's other locks hold."""
    places = [_place(each, together, frames) for each in holdings]
    for number, each in enumerate(holdings):
        if each.lock.held == "balance":
            held = [
                (other.share, place[:, _POINT])
                for other, place in zip(holdings, places, strict=True)
                if other.actor == each.actor and other.lock.held == "point" and other.lock.target not in together
            ]
            if held:
                places[number] = places[number].copy()
                places[number][:, _POINT] = sum(share * at for share, at in held) / sum(share for share, _ in held)
    return places


def goals_of(holding: Holding, place: Array, together: Collection[str]) -> list[Goal]:
    """The goals of a lock that holds at a place."""
    lock, position = holding.lock, _vector(place[:, _POINT])
    if lock.of_mass:
        return [CentreGoal(actor=holding.actor, target=position, axes=("x", "z"), weight=lock.importance)]
    spot, frame = Spot(actor=holding.actor, joint=lock.joint, point=lock.point), None
    if lock.target is not None and lock.target_joint is not None and lock.target in together:
        frame = BodyFrame(actor=lock.target, joint=lock.target_joint)
    goals: list[Goal] = []
    if lock.held == "point":
        goals.append(PositionGoal(spot=spot, target=position, weight=lock.importance, frame=frame))
    elif lock.held == "plane":
        normal = normal_of(holding, place)
        goals.append(PlaneGoal(spot=spot, point=position, normal=normal, weight=lock.importance, frame=frame))
    elif lock.held == "line":
        along = normal_of(holding, place)
        goals.append(LineGoal(spot=spot, point=position, direction=along, weight=lock.importance, frame=frame))
    if lock.axes:
        turn, weight = quaternion_of(place), lock.turn_importance
        goals.append(OrientationGoal(spot=spot, target=turn, axes=lock.axes, weight=weight, frame=frame))
    return goals


def structure_of(holding: Holding, together: Collection[str]) -> tuple[object, ...]:
    """Return the features of a lock that a compiled problem depends on."""
    lock = holding.lock
    inside = lock.target if lock.target in together else None
    kind = (lock.held, lock.axes, lock.point, lock.importance, lock.turn_importance, lock.joints)
    return (holding.actor, lock.joint, inside, lock.target_joint, *kind)


def normal_of(holding: Holding, place: Array) -> Vector3:
    """Find the normal of a plane, or the direction of a line: given in the frame of the target, so turned with it where
    the place is one of the world."""
    return _vector(place[:, :3] @ holding.place[:, :3].T @ np.array(holding.lock.normal))


@dataclass(frozen=True, eq=False)
class LockColumns:
    """The locks that the targets of a compiled problem follow."""

    columns: tuple[tuple[int, int], ...]  # of each block: lock, column of its place
    directed: tuple[tuple[int, int], ...]  # goal of a line or a plane, lock

    @classmethod
    def of(cls, holdings: Sequence[Holding], goals: Sequence[Sequence[Goal]]) -> LockColumns:
        """The order is that in which `compile_problem` lays out blocks: goal by goal, one for a point, a line or a
        plane, one for each axis."""
        columns: list[tuple[int, int]] = []
        directed: list[tuple[int, int]] = []
        count = 0
        for number, mine in enumerate(goals):
            for goal in mine:
                if isinstance(goal, OrientationGoal):
                    columns += [(number, AXES.index(axis)) for axis in goal.axes]
                else:
                    columns.append((number, _POINT))
                if isinstance(goal, PlaneGoal | LineGoal):
                    directed.append((count, number))
                count += 1
        return cls(tuple(columns), tuple(directed))

    def follow(
        self, problem: Problem, holdings: Sequence[Holding], places: Sequence[Array], together: Collection[str]
    ) -> None:
        """Move all targets to these places."""
        for goal, number in self.directed:
            problem.set_goal(goal, goals_of(holdings[number], places[number], together)[0])
        problem.set_targets(np.array([places[number][:, column] for number, column in self.columns]))


def _place(holding: Holding, together: Collection[str], frames: Frames) -> Array:
    lock = holding.lock
    if lock.target is None or lock.target_joint is None or lock.target in together:
        return holding.place
    return joined(frames[lock.target, lock.target_joint], holding.place)


def _vector(numbers: Array) -> Vector3:
    x, y, z = numbers.tolist()
    return (x, y, z)
