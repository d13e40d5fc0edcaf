"""Frames of joints and of the ground, in which points of paths and wraps stand, as a picture shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from app.features.muscles.moving_points import MovingPoints
from app.scene.camera import Array, Vector, vector
from app.tools.movable import body_frame
from engine.muscles.parts import PathPoint

if TYPE_CHECKING:
    from app.session import Session


def frame_of(session: Session, actor: str, joint: str | None) -> Array | None:
    """Return the frame of a joint, or of the ground that an actor is placed on: rotation and position [m], shape
    [3, 4]; None where it is not known yet, or not shown."""
    if joint is not None:
        snapshot = session.snapshot
        return None if snapshot is None else body_frame(snapshot, actor, joint)
    found = session.of(MovingPoints).found
    if found is None or found.actor != actor:
        return None
    ground = np.array(found.ground)
    return np.column_stack((ground[:9].reshape(3, 3), ground[9:]))


def point_in_joint(session: Session, number: int, point: PathPoint) -> Vector | None:
    """Return where a point of the chosen muscle is in its joint [m]; None of one that moves, until that is known."""
    if not point.curves:
        return point.point
    found = session.of(MovingPoints).found
    return None if found is None else dict(found.moved).get(number)


def in_world(frame: Array, point: Vector) -> Vector:
    """Return a point of a frame [m] in the world."""
    return vector(frame[:, :3] @ np.array(point) + frame[:, 3])


def way_in(frame: Array, way: Vector | Array) -> Vector:
    """Return a direction or a way of the world in a frame."""
    return vector(frame[:, :3].T @ np.asarray(way))
