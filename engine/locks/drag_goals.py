"""Goals of a drag: what they are about, how far their targets move, and what of them a compiled problem depends on.

Plain functions; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from typing import Any

from engine.document import Figure
from engine.document.feet import pivot_of
from engine.ik.goals import (
    CentreGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    Matrix3,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    Spot,
    Weight,
)
from engine.maths.quaternions import angle_between, turn_angle

PER_RADIAN = 1.0  # [m] that a target turned by a radian counts as moved
_MOVING = ("target", "position", "rotation", "point", "normal", "direction", "weight", "turn_weight")


def spot_of(goal: Goal) -> Spot | None:
    """The spot that a goal is about; None of a meeting and of a centre of mass."""
    found = getattr(goal, "spot", None)
    return found if isinstance(found, Spot) else None


def pivots_of(figure: Figure, goals: Sequence[Goal]) -> list[Spot]:
    """List what stays where it is while heels and toes are pulled."""
    found = []
    for spot in (goal.spot for goal in goals if isinstance(goal, PositionGoal)):
        point = pivot_of(figure, spot.joint, spot.point) if spot.joint in figure.joint_index else None
        if point is not None:
            found.append(Spot(actor=spot.actor, joint=spot.joint, point=point))
    pulled = {(goal.spot.joint, goal.spot.point) for goal in goals if isinstance(goal, PositionGoal)}
    return [each for each in found if (each.joint, each.point) not in pulled]


def turns_its_body(goal: Goal) -> bool:
    """Tell whether a goal sets the orientation of a body."""
    return isinstance(goal, OrientationGoal | PoseGoal | LookAtGoal)


def form_of(goal: Goal) -> tuple[object, ...]:
    """Return all of a goal but its numbers: what a problem is compiled for."""
    kind: Any = type(goal)
    return (kind.__name__, *[getattr(goal, name) for name in _names_of_form(kind)])


@cache
def _names_of_form(kind: Any) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if each.name not in _MOVING)


def way_between(before: Sequence[Goal], after: Sequence[Goal]) -> float:
    """Measure the way of the target that moved most [m], a turn by `PER_RADIAN`."""
    return max((_way(one, other) for one, other in zip(before, after, strict=True)), default=0.0)


def weighted(goal: Goal, factor: float) -> Goal:
    """The goal with its weights so many times as large."""
    if isinstance(goal, PoseGoal):
        return replace(goal, weight=_times(goal.weight, factor), turn_weight=_times(goal.turn_weight, factor))
    if isinstance(goal, PlaneGoal | LineGoal | CentreGoal):
        return replace(goal, weight=goal.weight * factor)
    return replace(goal, weight=_times(goal.weight, factor))


def _times(weight: Weight, factor: float) -> Weight:
    if isinstance(weight, int | float):
        return weight * factor
    rows = [(factor * a, factor * b, factor * c) for a, b, c in weight]
    found: Matrix3 = (rows[0], rows[1], rows[2])
    return found


def _way(one: Goal, other: Goal) -> float:
    if isinstance(one, PositionGoal | LookAtGoal | CentreGoal) and isinstance(other, type(one)):
        return math.dist(one.target, other.target)
    if isinstance(one, OrientationGoal) and isinstance(other, OrientationGoal):
        return PER_RADIAN * turn_angle(one.target, other.target)
    if isinstance(one, PoseGoal) and isinstance(other, PoseGoal):
        return max(math.dist(one.position, other.position), PER_RADIAN * turn_angle(one.rotation, other.rotation))
    if isinstance(one, PlaneGoal) and isinstance(other, PlaneGoal):
        return max(math.dist(one.point, other.point), PER_RADIAN * angle_between(one.normal, other.normal))
    if isinstance(one, LineGoal) and isinstance(other, LineGoal):
        return max(math.dist(one.point, other.point), PER_RADIAN * angle_between(one.direction, other.direction))
    return 0.0 if type(one) is type(other) else math.inf
