"""Blocks of goals: up to three rows of a residual each, as `engine.ik.rows` computes them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document.values import Vector3
from engine.ik.goals import (
    BodyFrame,
    CentreGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    MeetGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    Spot,
    Weight,
)
from engine.ik.layout import AXIS, CENTRE, LOOK, POINT
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

_ZERO = (0.0, 0.0, 0.0)
_FARTHEST = 1e9  # [m] beyond which squares of distances lose every digit that a pose could answer with


@dataclass(frozen=True, eq=False)
class Block:
    """Rows of one kind about one body; joint "" is the figure as a whole."""

    kind: int
    body: BodyFrame
    shape: Array  # S, shape [height, 3]; three rows are stored
    height: int
    scale: float  # what makes the length of S r an error in metres
    local: Vector3 = _ZERO
    direction: Vector3 = _ZERO
    target: Vector3 = _ZERO
    frame: BodyFrame | None = None


def blocks_of(goal: Goal) -> list[Block]:
    """The blocks of a goal."""
    if isinstance(goal, PositionGoal):
        return [_point(goal.spot, goal.target, np.eye(3), goal.weight, goal.frame)]
    if isinstance(goal, MeetGoal):
        other = goal.second
        frame = BodyFrame(actor=other.actor, joint=other.joint)
        return [_point(goal.first, other.point, np.eye(3), goal.weight, frame)]
    if isinstance(goal, PlaneGoal):
        rows = _unit(goal.normal, "the normal of a plane")[None]
        return [_point(goal.spot, goal.point, rows, goal.weight, goal.frame)]
    if isinstance(goal, LineGoal):
        along = _unit(goal.direction, "the direction of a line")
        across = np.linalg.svd(along[None])[2][1:]
        return [_point(goal.spot, goal.point, across, goal.weight, goal.frame)]
    if isinstance(goal, OrientationGoal):
        return _axes(goal.spot, goal.target, goal.axes, goal.weight, goal.frame)
    if isinstance(goal, PoseGoal):
        turns = _axes(goal.spot, goal.rotation, ("i", "j"), goal.turn_weight, goal.frame)
        return [_point(goal.spot, goal.position, np.eye(3), goal.weight, goal.frame), *turns]
    if isinstance(goal, LookAtGoal):
        return [_look(goal)]
    return [_centre(goal)]


def independent_blocks_of(goal: Goal) -> list[Block]:
    """Return the blocks of a goal, an orientation as rows that do not depend on each other: 2 for one axis, 3 for more.

    With g1, g2, g3 the target axes and a1, a2 the body's: g2 . a1, g3 . a1, g3 . a2. Constraints need it so, since
    a row that others imply makes their multipliers ambiguous. The rows also vanish at half a turn from the target, so
    they hold an orientation and do not lead to it. A weight that is a matrix keeps its dependent rows.
    """
    blocks = blocks_of(goal)
    if isinstance(goal, PoseGoal):
        return [blocks[0], *_independent(blocks[1:], goal.turn_weight)]
    if isinstance(goal, OrientationGoal):
        return _independent(blocks, goal.weight)
    return blocks


def _independent(blocks: list[Block], weight: Weight) -> list[Block]:
    if not isinstance(weight, (int, float)):
        return blocks
    first = np.array(blocks[0].target)
    others = np.linalg.svd(first[None])[2][1:]
    if len(blocks) > 1:
        second = np.array(blocks[1].target)
        others = np.array([second, np.cross(first, second)])
    out = []
    for block, rows in zip(blocks[:2], (others, others[1:]), strict=False):
        shape, _ = _shape(rows, weight)
        out.append(replace(block, shape=shape, height=len(rows)))
    return out


def _point(spot: Spot, target: Vector3, rows: Array, weight: Weight, frame: BodyFrame | None) -> Block:
    shape, scale = _shape(rows, weight)
    return Block(
        kind=POINT,
        body=BodyFrame(actor=spot.actor, joint=spot.joint),
        shape=shape,
        height=len(rows),
        scale=scale,
        local=_finite("a spot", spot.point),
        target=_finite("the target", target),
        frame=frame,
    )


def _axes(
    spot: Spot,
    target: tuple[float, float, float, float],
    axes: tuple[str, ...],
    weight: Weight,
    frame: BodyFrame | None,
) -> list[Block]:
    norm = float(np.linalg.norm(target))
    if not np.isfinite(norm) or norm < 1e-9:
        raise InvalidArguments(what="the target orientation", value=target, allowed="a quaternion that is not zero")
    if not axes or len(set(axes)) != len(axes) or not set(axes) <= set("ijk"):
        raise InvalidArguments(what="the axes of an orientation", value=axes, allowed="i, j, k, each at most once")
    w, x, y, z = (float(each) / norm for each in target)
    wanted = rotation_matrix((w, x, y, z))
    shape, scale = _shape(np.eye(3), weight)
    out = []
    for each in axes:
        place = "ijk".index(each)
        direction, turned = np.eye(3)[place], wanted[:, place]
        out.append(
            Block(
                kind=AXIS,
                body=BodyFrame(actor=spot.actor, joint=spot.joint),
                shape=shape,
                height=3,
                scale=scale,
                direction=(float(direction[0]), float(direction[1]), float(direction[2])),
                target=(float(turned[0]), float(turned[1]), float(turned[2])),
                frame=frame,
            )
        )
    return out


def _look(goal: LookAtGoal) -> Block:
    shape, scale = _shape(np.eye(3), goal.weight)
    direction = _unit(goal.direction, "the direction that looks")
    return Block(
        kind=LOOK,
        body=BodyFrame(actor=goal.spot.actor, joint=goal.spot.joint),
        shape=shape,
        height=3,
        scale=scale,
        local=_finite("a spot", goal.spot.point),
        direction=(float(direction[0]), float(direction[1]), float(direction[2])),
        target=_finite("the target", goal.target),
        frame=goal.frame,
    )


def _centre(goal: CentreGoal) -> Block:
    if not goal.axes or not set(goal.axes) <= set("xyz"):
        raise InvalidArguments(what="the axes of a centre of mass", value=goal.axes, allowed="x, y, z")
    rows = np.eye(3)[["xyz".index(each) for each in sorted(set(goal.axes))]]
    shape, scale = _shape(rows, goal.weight)
    body = BodyFrame(actor=goal.actor, joint="")
    return Block(
        kind=CENTRE, body=body, shape=shape, height=len(rows), scale=scale, target=_finite("the target", goal.target)
    )


def _shape(rows: Array, weight: Weight) -> tuple[Array, float]:
    """S as three rows, S^T S = rows^T W rows, and the length that one unit of S r is worth."""
    out = np.zeros((3, 3))
    if isinstance(weight, (int, float)):
        if not (np.isfinite(weight) and weight >= 0.0):
            raise InvalidArguments(what="the weight of a goal", value=weight, allowed="0 and above")
        scale = float(np.sqrt(weight))
        out[: len(rows)] = scale * rows
        return out, scale
    matrix = np.array(weight, dtype=float)
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all() or np.abs(matrix - matrix.T).max() > 1e-12:
        raise InvalidArguments(what="the weight of a goal", value=weight, allowed="a symmetric matrix, 3 x 3")
    values, vectors = np.linalg.eigh(matrix)
    if values[0] < -1e-12 * max(abs(values[-1]), 1.0):
        raise InvalidArguments(
            what="the weight of a goal", value=weight, allowed="a matrix without negative directions"
        )
    out[:] = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return out, float(np.sqrt(max(values[-1], 0.0)))


def _finite(what: str, vector: Vector3) -> Vector3:
    x, y, z = map(float, vector)
    if not (abs(x) <= _FARTHEST and abs(y) <= _FARTHEST and abs(z) <= _FARTHEST):
        raise InvalidArguments(what=what, value=vector, allowed="finite numbers within a million kilometres")
    return x, y, z


def _unit(vector: Vector3, what: str) -> Array:
    direction = np.array(_finite(what, vector))
    norm = float(np.linalg.norm(direction))
    if norm < 1e-12:
        raise InvalidArguments(what=what, value=vector, allowed="a direction that is not zero")
    return direction / norm
