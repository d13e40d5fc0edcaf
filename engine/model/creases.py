"""Normals of a mesh that has none: smooth across an edge that bends little, sharp across one that bends more.

The corners of the triangles around a vertex belong together as far as they reach each other across smooth edges; each
such group is one vertex of the result, its normal the mean of its triangles' normals, weighted by their angles there
(Thuermer and Wuethrich 1998, J. Graphics Tools 3:43). Edges that bound one triangle, or more than two, are sharp.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array
from engine.model.same_points import number_points
from engine.model.solids import Surface
from engine.runtime import progress

IntArray = NDArray[np.integer]

USUAL_CREASE = math.radians(35.0)


def creased(points: Array, triangles: IntArray, crease: float = USUAL_CREASE) -> Surface:
    """Give triangles normals; edges that bend by more than `crease` [rad] are sharp, at 0 all that bend."""
    from scipy.sparse import coo_array  # here, since few meshes need it
    from scipy.sparse.csgraph import connected_components

    with progress.part(0.0, 0.3):
        place, first_of = number_points(points)
    points, corners = points[first_of], place[triangles]
    sides = points[np.roll(corners, -1, axis=1)] - points[corners]
    faces = np.cross(sides[:, 0], sides[:, 1])
    faces /= np.maximum(np.linalg.norm(faces, axis=1, keepdims=True), 1e-300)
    progress.report(0.4)
    first, second = _smooth_pairs(corners, faces, math.cos(crease))
    count = corners.size
    links = coo_array((np.ones(len(first), dtype=np.int8), (first, second)), shape=(count, count))
    progress.report(0.6)
    groups, group = connected_components(links, directed=False)
    around = faces.repeat(3, axis=0) * _angles(sides).ravel()[:, None]
    progress.report(0.8)
    normals = np.stack([np.bincount(group, around[:, axis], groups) for axis in range(3)], axis=1)
    lengths = np.linalg.norm(normals, axis=1)
    vertex = np.empty(groups, dtype=np.int64)
    vertex[group] = corners.ravel()
    some = np.empty((groups, 3))
    some[group] = faces.repeat(3, axis=0)
    unit = np.where(lengths[:, None] > 1e-9, normals / np.maximum(lengths, 1e-300)[:, None], some)
    return Surface(points[vertex], np.asarray(unit), group.reshape(-1, 3).astype(np.uint32))


def _smooth_pairs(corners: IntArray, faces: Array, cosine: float) -> tuple[IntArray, IntArray]:
    """Corners (numbered along the triangles) that are one vertex, pair by pair, at both ends of each smooth edge."""
    start, end = corners, np.roll(corners, -1, axis=1)
    low, high = np.minimum(start, end).ravel(), np.maximum(start, end).ravel()
    order = np.lexsort((high, low))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    alone = np.concatenate(([True], ~same[:-1])) & np.concatenate((~same[1:], [True]))  # of two, and no third
    one, other = order[:-1][same & alone], order[1:][same & alone]
    smooth = np.einsum("ni,ni->n", faces[one // 3], faces[other // 3]) >= cosine
    opposite = start.ravel()[one] != start.ravel()[other]
    one, other = one[smooth & opposite], other[smooth & opposite]
    after_one, after_other = one - one % 3 + (one + 1) % 3, other - other % 3 + (other + 1) % 3
    return np.concatenate((one, after_one)), np.concatenate((after_other, other))


def _angles(sides: Array) -> Array:
    """The angle at each corner [rad]; `sides` go from each corner to the next."""
    back = -np.roll(sides, 1, axis=1)
    across = np.linalg.norm(np.cross(sides, back), axis=2)
    return np.asarray(np.arctan2(across, np.einsum("ncx,ncx->nc", sides, back)))
