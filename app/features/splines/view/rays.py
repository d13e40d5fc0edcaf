"""Rays through the surface of a body: where one enters and leaves it (Moeller and Trumbore 1997)."""

from __future__ import annotations

import numpy as np

from app.scene.camera import Array, Vector, vector

FLAT = 1e-12  # of a triangle that a ray lies in
SLACK = 1e-9  # beyond the sides of a triangle, so that none slips through between two


def crossings(origin: Array, way: Array, corners: Array) -> Array:
    """Return how far along a ray each triangle that it meets is, the nearest first; all in one frame. Corners have the
    shape [triangle_count, 3, 3]."""
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = np.cross(way, second)
    volume = np.einsum("ij,ij->i", first, across)
    flat = np.abs(volume) < FLAT
    share = 1.0 / np.where(flat, 1.0, volume)
    start = origin - corners[:, 0]
    u = np.einsum("ij,ij->i", start, across) * share
    turned = np.cross(start, first)
    v = turned @ way * share
    along = np.einsum("ij,ij->i", second, turned) * share
    meets = ~flat & (u >= -SLACK) & (v >= -SLACK) & (u + v <= 1.0 + SLACK) & (along > 0.0)
    found = np.unique(np.round(along[meets], 9))
    return np.asarray(found, dtype=np.float64)


def entry(along: Array, origin: Array, way: Array) -> Vector | None:
    """Return where a ray meets a body first [m]."""
    return None if not len(along) else vector(origin + along[0] * way)


def halfway(along: Array, origin: Array, way: Array) -> Vector | None:
    """Return the place halfway between where a ray enters a body and leaves it [m]; of a flat one where they meet."""
    if not len(along):
        return None
    middle = along[0] if len(along) == 1 else 0.5 * (along[0] + along[1])
    return vector(origin + float(middle) * way)
