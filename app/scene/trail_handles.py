"""Trail handles: the tangent ends on motion trails that light up or can be dragged beside keys.

A handle that would lie on its key stands a little beside it, where the trail goes, so that it can be seen and taken.
No Qt, no OpenGL.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from app.scene.camera import Camera, Size, Vector
from engine.runtime.quick_dataclass import dataclass

Side = Literal["in", "out"]
BESIDE = 18.0  # [logical px] from its key a handle stands at least
TAKEN = 7.0  # [logical px] from its middle a handle or a key is still taken


@dataclass(frozen=True)
class TrailHandle:
    """The end of a tangent."""

    key: Vector  # [m] where its key stands
    place: Vector  # [m] where it stands itself
    way: Vector  # [m] a place of the trail on its side of the key
    side: Side


@dataclass(frozen=True)
class TrailGrips:
    """The handles over the views, and the one that is hovered or dragged."""

    handles: tuple[TrailHandle, ...] = ()
    hot_handle: int | None = None
    hot_key: Vector | None = None  # [m] where a key stands
    taken: bool = False


def handle_pixel(handle: TrailHandle, camera: Camera, size: Size, beside: float = BESIDE) -> tuple[float, float] | None:
    """Return the pixel of a handle; None behind the eye."""
    seen = camera.project(np.array((handle.key, handle.place, handle.way)), size)
    if not camera.orthographic and seen[:2, 2].min() <= 0.0:
        return None
    key, place, way = seen[:, :2]
    x, y = place.tolist()
    if float(np.hypot(*(place - key))) >= beside:
        return x, y
    for apart in (place - key, way - key, np.array((-1.0 if handle.side == "in" else 1.0, 0.0))):
        length = float(np.hypot(*apart))
        if length > 0.5:
            x, y = (key + apart * (beside / length)).tolist()
            break
    return x, y


def handle_at(handles: tuple[TrailHandle, ...], camera: Camera, pixel: tuple[float, float], size: Size) -> int | None:
    """Return the number of the handle nearest to a pixel within reach."""
    best, found = TAKEN, None
    for number, handle in enumerate(handles):
        seen = handle_pixel(handle, camera, size)
        if seen is not None and (away := float(np.hypot(seen[0] - pixel[0], seen[1] - pixel[1]))) < best:
            best, found = away, number
    return found
