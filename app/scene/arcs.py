"""Arcs: how far a joint moves the farthest point that it carries, in a picture or in the world.

A turn by a radian takes a point at a distance r from the joint along an arc of length r, a slide by a metre takes it a
metre far. On the screen that is divided by what a pixel is at the depth of the point: as long as it looks where the
arc lies square to the view, from where it looks longest. No Qt, no OpenGL.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, Camera, Size
from app.scene.extent import body_boxes
from engine.model import Bodies

IntArray = NDArray[np.intp]
Arc = tuple[str, float, float]  # the joint, what a radian and what a metre of it are [px], or [m]


def arcs_of(item: Bodies, parents: Mapping[str, str | None], camera: Camera | None, size: Size) -> tuple[Arc, ...]:
    """Return the arc of each joint of a figure as it stands; in metres without a camera. `parents`: the joint that each
    hangs on."""
    clouds = _points(item)
    cloud, ends = np.concatenate(clouds), np.cumsum([len(each) for each in clouds])
    pixels = np.ones(len(cloud)) if camera is None else 1.0 / camera.pixel_lengths(cloud, size)
    children: dict[str, list[str]] = {part: [] for part in item.parts}
    for part in item.parts:
        parent = parents.get(part)
        if parent in children:
            children[parent].append(part)
    carried: dict[str, IntArray] = {}  # the rows of the cloud that a joint carries
    for place in reversed(range(len(item.parts))):  # parents stand before their children
        part, own = item.parts[place], np.arange(ends[place] - len(clouds[place]), ends[place])
        carried[part] = np.concatenate([own, *(carried[each] for each in children[part])])
    found = []
    for place, part in enumerate(item.parts):
        rows, joint = carried[part], item.transforms[place, :, 3].astype(np.float64)
        distances = np.linalg.norm(cloud[rows] - joint, axis=1)
        farthest = int((distances * pixels[rows]).argmax())
        found.append((part, float(distances[farthest] * pixels[rows[farthest]]), float(pixels[rows].max())))
    return tuple(found)


def _points(item: Bodies) -> list[Array]:
    """Return the corners of a box about each body, or its joint where it has no shape; the joint is always among
    them."""
    transforms = item.transforms.astype(np.float64)
    boxes = body_boxes(item.mesh, len(item.parts)) if len(item.mesh.positions) else None
    found = []
    for place, frame in enumerate(transforms):
        joint = frame[None, :, 3]
        if boxes is not None and np.isfinite(boxes[place, 0, 0]):
            found.append(np.concatenate((joint, boxes[place] @ frame[:, :3].T + frame[:, 3])))
        else:
            found.append(joint)
    return found
