"""Filming: what a camera of the scene sees, as the camera of a view, and how it is drawn from outside. No OpenGL.

A view that looks through one shows the whole film gate, with some of what is around it. Lengths are logical pixels.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from app.scene.camera import Array, Camera, Size, vector
from app.scene.guides import Guide, GuideColour
from app.scene.lens import Lens
from engine.model import CameraView, Snapshot
from engine.runtime.quick_dataclass import dataclass

FILLED = 0.92  # of the view that the gate takes, along the side that it fills
LOOKS = 4.0  # [m] in front of the eye, what a view that looks through it goes round
FRUSTUM = 0.5  # [m] long as it is drawn
ACTION_SAFE, TITLE_SAFE = 0.93, 0.90  # of the gate's sides (SMPTE ST 2046-1)


@dataclass(frozen=True)
class Gate:
    """A rectangle of a view [px]."""

    x: float
    y: float
    width: float
    height: float

    def inner(self, share: float) -> Gate:
        """Return the rectangle about the same middle, its sides a share of these."""
        width, height = share * self.width, share * self.height
        return Gate(self.x + 0.5 * (self.width - width), self.y + 0.5 * (self.height - height), width, height)


def view_of(snapshot: Snapshot | None, camera: str) -> CameraView | None:
    """Return what a camera sees in a picture; None where that shows no such camera."""
    found = () if snapshot is None else snapshot.cameras
    return next((each for each in found if each.owner == camera), None)


def gate_of(size: Size, aspect: float) -> Gate:
    """Return where the film gate is in a view of this size that looks through a camera."""
    width = FILLED * min(size[0], size[1] * aspect)
    height = width / aspect
    return Gate(0.5 * (size[0] - width), 0.5 * (size[1] - height), width, height)


def camera_of(view: CameraView, aspect: float, size: Size | None = None) -> Camera:
    """Return the camera of a picture of this aspect; with a size, that of a view which shows more than the picture."""
    slope = 0.5 * view.film_width / view.focal / aspect
    if size is not None:
        slope *= max(size[1], 1.0) / gate_of((max(size[0], 1.0), max(size[1], 1.0)), aspect).height
    right, _, back = view.frame[:, :3].T
    azimuth = math.atan2(back[0], back[2])
    level = Camera(azimuth=azimuth, elevation=math.atan2(back[1], math.hypot(back[0], back[2])))
    beside, above, _ = level.axes
    roll = math.atan2(float(right @ above), float(right @ beside))
    return Camera(
        target=vector(view.frame[:, 3] - LOOKS * back),
        distance=LOOKS,
        azimuth=azimuth,
        elevation=level.elevation,
        fov=2.0 * math.atan(slope),
        roll=roll if abs(roll) > 1e-9 else 0.0,
        near=view.near,
    )


def lens_of(view: CameraView) -> Lens | None:
    """Return the lens of a camera; None where all is sharp. It is as much wider as the disc of a point is larger on
    film that stands where the lens sees sharply, not where it sees what is far away: the angle of view stays."""
    if not view.aperture:
        return None
    return Lens(view.aperture * view.focus / (view.focus - view.focal), view.focus)


def frame_of(camera: Camera) -> Array:
    """Return the frame of an eye that looks as a view's camera does, shape [3, 4]."""
    return np.column_stack((*camera.axes, camera.eye))


def frustum(view: CameraView, aspect: float, *, chosen: bool) -> tuple[Guide, ...]:
    """Return the lines of what a camera sees, from its eye to a rectangle with a mark on its upper side. All of them
    have its eye, so that a view which looks through it shows none."""
    half = 0.5 * view.film_width / view.focal * FRUSTUM
    high = half / aspect
    mark = ((-0.3 * half, high), (0.0, 1.4 * high), (0.3 * half, high))
    outline = ((-half, high), *mark, (half, high), (half, -high), (-half, -high), (-half, high))
    eye, *rim = _placed(view, ((0.0, 0.0, 0.0), *((x, y, -FRUSTUM) for x, y in outline)))
    colour: GuideColour = "accent" if chosen else "quiet"
    lines = ((eye, *rim), *((eye, rim[corner]) for corner in (4, 5, 6)))
    return tuple(Guide(points=line, colour=colour) for line in lines)


def _placed(view: CameraView, points: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    return [vector(view.frame[:, :3] @ np.array(each) + view.frame[:, 3]) for each in points]
