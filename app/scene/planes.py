"""Plane: an image plane in the views of one direction, and its place in a view. Pure geometry."""

from __future__ import annotations

import math
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, Camera, Size
from app.scene.panes import direction_name
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class Plane:
    """An image and its place. In views with perspective, lengths are shares of the view's height, else metres."""

    image: str  # names the pixels
    pixels: NDArray[np.uint8] = field(compare=False, repr=False)  # premultiplied, row 0 the lowest, [height, width, 4]
    facing: str  # the view's name in small letters
    size: float  # height
    aspect: float  # width over height
    centre: tuple[float, float]  # right and up as the view shows it
    opacity: float
    in_front: bool
    camera: Camera | None = None  # that it stands behind, seen by all views with perspective
    depth: float = 1.0  # in front of that camera [m]


def hangs_in(plane: Plane, camera: Camera) -> bool:
    """Return True if a view shows an image plane."""
    if plane.camera is not None:
        return not camera.orthographic
    if not camera.orthographic:
        return plane.facing == "perspective"
    return (direction_name(camera) or "").lower() == plane.facing


def rectangle(plane: Plane, camera: Camera, size: Size) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top in the view, from -1 to 1 over it."""
    half = np.array([0.5 * plane.aspect * plane.size, 0.5 * plane.size])
    middle = np.array(plane.centre)
    if camera.orthographic:
        right, up, _ = camera.axes
        target = np.array(camera.target)
        middle = middle - (right @ target, up @ target)
        scale = 1.0 / camera.half_height
    else:
        scale = 2.0
    stretch: Array = scale * np.array([size[1] / size[0], 1.0])
    left, bottom = ((middle - half) * stretch).tolist()
    to_right, top = ((middle + half) * stretch).tolist()
    return left, bottom, to_right, top


def placing(plane: Plane, camera: Camera, size: Size) -> Array:
    """Return clip from picture, shape [4, 4]; the picture reaches from -1 to 1 in x and y."""
    if plane.camera is not None:
        return camera.matrix(size) @ stand(plane, plane.camera)
    left, bottom, right, top = rectangle(plane, camera, size)
    matrix = np.diag([(right - left) / 2, (top - bottom) / 2, 1.0, 1.0])
    matrix[:2, 3] = (left + right) / 2, (bottom + top) / 2
    return matrix


def stand(plane: Plane, camera: Camera) -> Array:
    """Return world from picture for a plane that stands behind a camera: as large as that camera sees it, shape [4,
    4]."""
    right, up, back = camera.axes
    half = plane.depth * math.tan(camera.fov / 2)  # of the view's height at the plane [m]
    matrix = np.eye(4)
    matrix[:3, 0], matrix[:3, 1], matrix[:3, 2] = half * plane.size * plane.aspect * right, half * plane.size * up, back
    across, above = plane.centre
    matrix[:3, 3] = camera.eye - plane.depth * back + 2 * half * (across * right + above * up)
    return matrix
