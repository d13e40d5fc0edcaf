"""Goals of inverse kinematics. Plain frozen values, in metres and in the world unless they say else.

A goal speaks of a `Spot`, a point fixed to a body (a document's Handle is a spot that has a name and is kept; a goal
takes any). Its target stands in the world, or in the frame of another body where `frame` names one: that body may
belong to another figure or to a moving prop, and moves with the solution if it can.

Each goal becomes rows  r = S (y - g)  with S^T S = W, its weight: a number, or a symmetric matrix of 3 x 3
(Engell-Norregard 2012, equation 17). Orientations are the source's unit axes i and j (41), or any of i, j, k; an axis
counts in the same sum as metres, so the weight of an orientation is in square metres: 0.1 makes one degree worth
5.5 mm.
"""

from __future__ import annotations

from typing import Literal

from engine.document.values import Quaternion, Vector3
from engine.runtime.quick_dataclass import dataclass

Matrix3 = tuple[Vector3, Vector3, Vector3]
Weight = float | Matrix3
BodyAxis = Literal["i", "j", "k"]

TURN_WEIGHT = 0.1  # [m2]


@dataclass(frozen=True, kw_only=True)
class Spot:
    """A point fixed to a body."""

    actor: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame


@dataclass(frozen=True, kw_only=True)
class BodyFrame:
    """The frame of a body, in which a target is given."""

    actor: str
    joint: str


@dataclass(frozen=True, kw_only=True)
class PositionGoal:
    """A spot at a point."""

    spot: Spot
    target: Vector3
    weight: Weight = 1.0
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class OrientationGoal:
    """A target orientation of a body: all of it, or single axes of it, which leaves the turn about one axis free."""

    spot: Spot
    target: Quaternion
    axes: tuple[BodyAxis, ...] = ("i", "j")
    weight: Weight = TURN_WEIGHT
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class PoseGoal:
    """A target point of a spot and a target orientation of its body."""

    spot: Spot
    position: Vector3
    rotation: Quaternion
    weight: Weight = 1.0
    turn_weight: Weight = TURN_WEIGHT
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class LookAtGoal:
    """A direction of a body, from a spot of it, towards a point."""

    spot: Spot
    target: Vector3
    direction: Vector3 = (0.0, 0.0, 1.0)  # in the body's frame
    weight: Weight = TURN_WEIGHT
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class PlaneGoal:
    """A spot in the plane through a point."""

    spot: Spot
    point: Vector3
    normal: Vector3
    weight: float = 1.0
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class LineGoal:
    """A spot on the line through a point."""

    spot: Spot
    point: Vector3
    direction: Vector3
    weight: float = 1.0
    frame: BodyFrame | None = None


@dataclass(frozen=True, kw_only=True)
class MeetGoal:
    """Two spots at one place: a hand in a hand, a hand on a stick."""

    first: Spot
    second: Spot
    weight: Weight = 1.0


@dataclass(frozen=True, kw_only=True)
class CentreGoal:
    """The centre of mass of a figure at a point, or along some of the world's axes alone."""

    actor: str
    target: Vector3
    axes: tuple[Literal["x", "y", "z"], ...] = ("x", "y", "z")
    weight: float = 1.0


Goal = PositionGoal | OrientationGoal | PoseGoal | LookAtGoal | PlaneGoal | LineGoal | MeetGoal | CentreGoal
