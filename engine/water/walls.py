"""Flat walls: the surface of the water as it is drawn, with the normals of the tank's walls where it lies on them.

The closed mesh of `marching_cubes` shares vertices between the water's surface and the walls, whose normals are of the
surface alone. Triangles on a wall get vertices of their own here, after those of the closed mesh, which stay as they
are; strips between a wall and the surface, thinner than what is seen, are left out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3

THIN = 4e-3  # of the usual area: strips between a wall and the surface, whose normals are of neither
AT_WALL = 2e-4  # of the box, within which a triangle lies on its wall
Floats = NDArray[np.float32]


def flat_at_walls(
    places: Floats, normals: Floats, triangles: NDArray[np.int32], lower: Vector3, upper: Vector3
) -> tuple[Floats, Floats, NDArray[np.int32], NDArray[np.int64]]:
    """Return vertices, normals and triangles of what is drawn in a box, and which vertex of the closed mesh each is."""
    sources = [np.arange(len(places))]
    if not len(triangles):
        return places, normals, triangles, sources[0]
    corners = places[triangles]
    one, two = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = np.linalg.norm(np.cross(one, two), axis=1)
    kept = areas > THIN * np.median(areas)
    triangles, corners = triangles[kept], corners[kept]
    flat, faces, count = [normals], triangles.copy(), len(places)
    near = AT_WALL * max(high - low for low, high in zip(lower, upper, strict=True))
    numbers = np.empty(len(places), dtype=np.int32)
    for axis in range(3):
        for bound, way in ((lower[axis], -1.0), (upper[axis], 1.0)):
            there = (np.abs(corners[:, :, axis] - bound) < near).all(axis=1)
            used = np.zeros(len(places), dtype=bool)
            used[triangles[there]] = True
            own = np.flatnonzero(used)
            numbers[own] = np.arange(count, count + len(own))
            faces[there] = numbers[triangles[there]]
            facing = np.zeros((len(own), 3), dtype=np.float32)
            facing[:, axis] = way
            sources.append(own)
            flat.append(facing)
            count += len(own)
    found = np.concatenate(sources)
    return places[found], np.concatenate(flat), faces, found
