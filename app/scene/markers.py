"""Markers: round marks and symbols over the views at places that can be dragged, and where a drag leads them.

A marker is as large on the screen wherever it stands and is never hidden by a body. One that is dragged has a goal,
which moves in the plane through it that faces the camera, or along the axis of the world that the drag follows best.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from app.scene.camera import NEAREST, Array, Camera, Size, Vector, vector
from engine.model import Bodies
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.symbols import Symbol

GRAB = 6.0  # [logical px] from its middle within which a marker is hit
_ALONG = 1e-3  # squared sine of the angle between a line and the line of sight below which it cannot be followed
EDGE_ON = 0.25  # sine of the angle between an axis and the line of sight below which a pull does not follow it


@dataclass(frozen=True, kw_only=True)
class Marker:
    """A place on a body that can be dragged: a handle, or what a symbol stands for."""

    owner: str  # id of the actor
    id: str
    name: str
    part: str  # the joint that carries it
    point: Vector  # [m] in the joint's frame
    held: bool = False
    pulled: bool = False
    goal: Vector | None = None  # [m] where it is wanted, in the world
    missed: str = ""  # by how much it did not get there
    symbol: Symbol | None = None  # what stands there; without one, a handle
    minor: bool = False  # yields to others within reach of the pointer
    keyed: bool = False  # on the keyed ghost, where that is shown behind a figure with secondary motion


@dataclass(frozen=True)
class PlacedMarker:
    """A marker and its position in the world [m]."""

    marker: Marker
    place: Vector


def place_markers(
    markers: Iterable[Marker], items: Iterable[Bodies], ghosts: Iterable[Bodies] = ()
) -> tuple[PlacedMarker, ...]:
    """Place the markers whose bodies a picture shows; `ghosts` are figures as they are keyed."""
    shown = {item.owner: item for item in items if item.role == "result" and item.visible and not item.frozen}
    keyed, found = {item.owner: item for item in ghosts}, []
    for marker in markers:
        item = shown.get(marker.owner)
        if item is not None and marker.keyed:
            item = keyed.get(marker.owner, item)
        if item is not None and marker.part in item.parts:
            frame = item.transforms[item.parts.index(marker.part)].astype(np.float64)
            found.append(PlacedMarker(marker, vector(frame[:, :3] @ marker.point + frame[:, 3])))
    return tuple(found)


def marker_at(
    markers: Iterable[PlacedMarker], camera: Camera, pixel: tuple[float, float], size: Size
) -> PlacedMarker | None:
    """Return the handle nearest to a pixel within reach; of those equally near the one nearer to the eye, minor ones
    last."""
    best: tuple[float, float] | None = None
    found = None
    for each in markers:
        if each.marker.symbol is not None:
            continue
        x, y, depth = camera.project(np.array(each.place), size).tolist()
        distance = float(np.hypot(x - pixel[0], y - pixel[1]))
        seen = camera.orthographic or depth > 0.0
        rank = round(distance) + GRAB * each.marker.minor, depth
        if seen and distance <= GRAB and (best is None or rank < best):
            best, found = rank, each
    return found


def pulled_to(
    camera: Camera, pixel: tuple[float, float], size: Size, start: Vector, *, along_axis: bool = False
) -> Vector:
    """Return where a drag to a pixel moves a marker that started somewhere [m]."""
    origin, direction = camera.ray(pixel, size)
    back = camera.axes[2]
    share = float((np.array(start) - origin) @ back) / float(direction @ back)
    flat = origin + share * direction
    return _on_axis(np.array(start), flat, origin, direction, back) if along_axis else vector(flat)


def nearest_on_ray(camera: Camera, pixel: tuple[float, float], size: Size, place: Vector) -> Vector:
    """Return the point of the ray under a pixel nearest to a place in front of the eye [m] (Welman 1993, 6.2)."""
    origin, direction = camera.ray(pixel, size)
    along = float((np.array(place) - origin) @ direction)
    return vector(origin + (along if camera.orthographic else max(along, NEAREST)) * direction)


def _on_axis(start: Array, flat: Array, origin: Array, direction: Array, back: Array) -> Vector:
    """Return the point of the best axis through the start that comes nearest to the ray."""
    axes = np.eye(3)
    seen = axes - np.outer(axes @ back, back)
    lengths = np.linalg.norm(seen, axis=1)
    follows = np.where(lengths > EDGE_ON, np.abs(seen @ (flat - start)) / np.maximum(lengths, 1e-9), -1.0)
    return vector(nearest_on_line(start, axes[int(np.argmax(follows))], origin, direction))


def nearest_on_line(start: Array, axis: Array, origin: Array, direction: Array) -> Array:
    """Return the point of the line through a start along a unit axis nearest to a ray; the start itself where the ray
    looks along the line."""
    across = float(axis @ direction)
    if 1.0 - across * across < _ALONG:
        return start
    away = origin - start
    return np.asarray(start + (float(axis @ away) - across * float(direction @ away)) / (1.0 - across * across) * axis)
