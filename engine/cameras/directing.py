"""Cameras put into a scene by a script: where they stand, at what they look and with what they go along."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from engine.cameras.parts import FILM_WIDTH, CameraAim, CameraFollow, FilmCamera
from engine.cameras.queries.making import camera_actor
from engine.document import Document
from engine.document.values import Vector3, unit_quaternion, vector3
from engine.edits import edit
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from engine.ik.goals import Spot

Worlds = Callable[[Document, str], Array]  # of an actor's joints at time 0, shape [joint_count, 3, 4]


def with_camera(
    worlds: Worlds,
    document: Document,
    id: str,
    name: str,
    *,
    position: Vector3,
    at: Vector3 | Spot,
    follow: Spot | None,
    level: bool,
    focal: float,
    film_width: float = FILM_WIDTH,
) -> Document:
    """Add a camera that looks at a place [m], or is aimed at a spot, and goes along with another from where that is at
    time 0."""
    from engine.cameras.stage import looking_at

    aimed = None if isinstance(at, tuple) else at
    place = vector3("where a camera looks", at) if isinstance(at, tuple) else _place(worlds, document, at)
    stands = np.column_stack((np.eye(3), vector3("where a camera stands", position)))
    eye = looking_at(stands, np.array(place))
    if np.array_equal(eye, stands) and aimed is None and np.allclose(place, position, atol=1e-6):
        raise InvalidArguments(what="where a camera looks", value=place, allowed="a place away from where it stands")
    actor = camera_actor(
        id,
        name,
        position=vector3("where a camera stands", position),
        rotation=unit_quaternion("a camera", quaternion_of(eye[:, :3])),
        focal=focal,
        part=FilmCamera(film_width=film_width),
    )
    made = edit("add_actor", actor=actor).apply(document)
    if aimed is not None:
        aim = CameraAim(actor=aimed.actor, joint=aimed.joint, point=aimed.point)
        made = edit("aim_camera", actor=id, aim=aim).apply(made)
    if follow is not None:
        anchor = _joint(worlds, document, follow)
        pin = CameraFollow(actor=follow.actor, joint=follow.joint, anchor=anchor, level=level)
        made = edit("follow_with_camera", actor=id, follow=pin).apply(made)
    return made


def focused(document: Document, id: str, *, f_number: float | None, focus: float | Spot | None) -> Document:
    """Let a camera see sharply at a distance [m], or at a spot, wherever that goes; what is None stays."""
    if focus is not None and not isinstance(focus, int | float):
        on = CameraAim(actor=focus.actor, joint=focus.joint, point=focus.point)
        document = edit("focus_camera", actor=id, on=on).apply(document)
        focus = None
        if f_number is None:
            return document
    return edit("set_camera_focus", actor=id, f_number=f_number, distance=focus).apply(document)


def _place(worlds: Worlds, document: Document, spot: Spot) -> Vector3:
    """Find where a spot is at time 0 [m]."""
    frame = _frame(worlds, document, spot)
    return vector3("a spot", (frame[:, :3] @ np.array(spot.point) + frame[:, 3]).tolist())


def _joint(worlds: Worlds, document: Document, spot: Spot) -> Vector3:
    return vector3("a joint", _frame(worlds, document, spot)[:, 3].tolist())


def _frame(worlds: Worlds, document: Document, spot: Spot) -> Array:
    owner = document.actor(spot.actor)
    return np.asarray(worlds(document, owner.id)[owner.figure.joint_index[spot.joint]])
