"""Extent: the box about bodies, and the frame of one, from their meshes and transforms alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array, Bounds, vector
from engine.model import Bodies, LiquidSurface, Mesh, SkinSurface, Snapshot, Spindles, TrailPicture

Part = tuple[str, str]  # owner, part
_CORNERS = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])


@lru_cache(maxsize=64)
def body_boxes(mesh: Mesh, body_count: int) -> Array:
    """Return the corners of a box about each body in its own frame, shape [body_count, 8, 3]; infinite where it has no
    vertex."""
    sides = np.empty((2, body_count, 3))
    sides[0], sides[1] = np.inf, -np.inf
    np.minimum.at(sides[0], mesh.body, mesh.positions)
    np.maximum.at(sides[1], mesh.body, mesh.positions)
    return sides[_CORNERS, :, np.arange(3)].transpose(2, 0, 1)


def bounds_of(
    items: Iterable[Bodies],
    parts: frozenset[Part] | None = None,
    *,
    skins: Iterable[SkinSurface] = (),
    liquids: Iterable[LiquidSurface] = (),
    spindles: Iterable[Spindles] = (),
) -> Bounds | None:
    """Return a box about the visible bodies and muscles of `parts` and what holds their liquids, or about all bodies;
    None if there is nothing."""
    clouds = [np.empty((0, 3))]
    owned = {}
    for item in items:
        if item.visible:
            wanted = np.array([parts is None or (item.owner, part) in parts for part in item.parts])
            owned[item.owner] = wanted
            clouds.append(_about_shapes(item, wanted) if len(item.mesh.positions) else _about_bones(item, wanted))
    clouds += [each.positions[owned[each.owner][each.body]] for each in skins if each.owner in owned]
    clouds += [np.array((each.lower, each.upper)) for each in liquids if owned.get(each.owner, np.zeros(1)).any()]
    clouds += [_about_muscles(each, parts) for each in spindles if parts is not None and each.visible]
    points = np.concatenate(clouds)
    points = points[np.isfinite(points).all(axis=1)]
    return Bounds(vector(points.min(axis=0)), vector(points.max(axis=0))) if len(points) else None


def body_frame(items: Iterable[Bodies], owner: str, joint: str) -> Array | None:
    """Return the frame of a body in the world: rotation and position [m], shape [3, 4], also of one that is drawn
    larger; None where it is not among the items."""
    for item in items:
        if item.owner == owner and joint in item.parts:
            frame: Array = item.transforms[item.parts.index(joint)].astype(np.float64)
            left, _, right = np.linalg.svd(frame[:, :3])
            frame[:, :3] = left @ right
            return frame
    return None


def seen_bounds(snapshot: Snapshot | None, parts: frozenset[Part] | None = None) -> Bounds | None:
    """Return the box about what is seen of some bodies and muscles of a snapshot, or of all bodies."""
    if snapshot is None:
        return None
    return bounds_of(snapshot.bodies, parts, skins=snapshot.skins, liquids=snapshot.liquids, spindles=snapshot.spindles)


def planned_bounds(trails: Iterable[TrailPicture | None], parts: frozenset[Part] | None = None) -> Iterator[Bounds]:
    """Yield the boxes about motions that are planned, where they are seen: of some bodies, or of all."""
    for picture in trails:
        for each in () if picture is None else picture.onions:
            bounds = bounds_of((each.bodies,), parts, skins=each.skins) if each.planned else None
            if bounds is not None:
                yield bounds


def joined(*boxes: Bounds | None) -> Bounds | None:
    """Return the box about boxes; None if there is none."""
    found = [each for each in boxes if each is not None]
    if len(found) < 2:
        return found[0] if found else None
    lower, upper = np.min([each.lower for each in found], axis=0), np.max([each.upper for each in found], axis=0)
    return Bounds(vector(lower), vector(upper))


def _about_muscles(item: Spindles, parts: frozenset[Part]) -> Array:
    wanted = np.array([(item.owner, part) in parts for part in item.parts], dtype=np.bool_)
    return item.positions[wanted[item.muscle]].astype(np.float64)


def _about_shapes(item: Bodies, wanted: NDArray[np.bool_]) -> Array:
    boxes = body_boxes(item.mesh, len(item.parts))
    wanted = wanted & np.isfinite(boxes[:, 0, 0])
    transforms = item.transforms[wanted].astype(np.float64)
    points = np.einsum("nij,nkj->nki", transforms[:, :, :3], boxes[wanted]) + transforms[:, None, :, 3]
    return np.asarray(points.reshape(-1, 3))


def _about_bones(item: Bodies, wanted: NDArray[np.bool_]) -> Array:
    """Return joints and the ends of their bones."""
    mine = wanted[item.skeleton.start]
    ends = item.transforms[item.skeleton.end[mine]].astype(np.float64)
    tails = np.einsum("nij,nj->ni", ends[:, :, :3], item.skeleton.point[mine]) + ends[:, :, 3]
    return np.concatenate((item.transforms[wanted][:, :, 3], tails))
