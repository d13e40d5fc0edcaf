"""Regions of activation splines: which points of a body each point of a spline acts on (Engell-Norregard 2012, 20.4).

Distances are those of paths inside the body, from point to point along edges and diagonals of its cells, so that a
spline in one tentacle does not reach another beside it, unless a cell is shared. They are a few percent longer than the
shortest path, since a path turns at points alone.

nearest: each point of the body belongs to the spline point that it is nearest to (figure 29a). cell: the corners of the
cell that holds the spline point (29b). radius: all within a distance, in several regions where they overlap (figure
34). painted: the nearest of those with a weight above zero, their masses times the weight (29c); a function or a closed
surface gives such weights as well (`paint_inside`).
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.soft.embedding import Embedding, Weights
from engine.soft.mesh import VolumeMesh
from engine.soft.winding_numbers import winding_numbers

Region = Literal["nearest", "cell", "radius", "painted"]
REGIONS: tuple[Region, ...] = ("nearest", "cell", "radius", "painted")


def find_regions(
    mesh: VolumeMesh,
    places: Array,
    embedding: Embedding,
    region: Region,
    *,
    radius: float = 0.0,
    painted: Array | None = None,
) -> Weights:
    """Find the region of each spline point, as rows of memberships from 0 to 1; one that gets none has its cell's."""
    if region not in REGIONS:
        raise InvalidArguments(what="the region of a spline", value=region, allowed=", ".join(REGIONS))
    paint = np.ones(len(mesh.points)) if region != "painted" else _checked(painted, len(mesh.points))
    if region == "radius" and not (math.isfinite(radius) and radius > 0.0):
        raise InvalidArguments(what="the radius of a spline's region", value=radius, allowed="a length above zero")
    rows: list[IntArray]
    if region == "cell":
        rows = [np.zeros(0, np.int32) for _ in places]
    elif region == "radius":
        away = inner_distances(mesh, places, embedding, limit=radius)
        rows = [np.flatnonzero(each <= radius).astype(np.int32) for each in away]
    else:
        owner = nearest_places(mesh, places, embedding)
        rows = [np.flatnonzero((owner == each) & (paint > 0.0)).astype(np.int32) for each in range(len(places))]
    width = mesh.cells.shape[1]
    for number, row in enumerate(rows):
        if not len(row):
            corners = np.unique(embedding.weights.points[number * width : (number + 1) * width])
            rows[number] = corners.astype(np.int32)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(row) for row in rows]))).astype(np.int32)
    points = np.concatenate(rows)
    values = np.where(paint[points] > 0.0, paint[points], 1.0)
    return Weights(starts, points, values)


def nearest_places(mesh: VolumeMesh, places: Array, embedding: Embedding) -> IntArray:
    """Tell for each point of a body which place is nearest along paths inside it; -1 where none can be reached."""
    count = len(mesh.points)
    _, _, sources = dijkstra(
        _paths(mesh, places, embedding),
        directed=False,
        indices=np.arange(count, count + len(places)),
        min_only=True,
        return_predecessors=True,
    )
    owner = np.asarray(sources[:count]) - count
    return np.where(owner < 0, -1, owner).astype(np.int32)


def inner_distances(mesh: VolumeMesh, places: Array, embedding: Embedding, *, limit: float = math.inf) -> Array:
    """Measure paths [m] inside a body from each place to each of its points, shape [place_count, point_count];
    infinite where there is none, or none within a limit. Paths do not go by way of other places."""
    count = len(mesh.points)
    found = np.empty((len(places), count))
    for number in range(len(places)):
        one = slice(number, number + 1)
        graph = _paths(mesh, places[one], embedding, number)
        found[number] = dijkstra(graph, directed=False, indices=count, limit=limit)[:count]
    return found


def paint_inside(mesh: VolumeMesh, positions: Array, triangles: IntArray) -> Array:
    """Paint the points of a body that a closed surface winds around with 1, the others with 0."""
    faces = np.ascontiguousarray(triangles, dtype=np.int32)
    within = winding_numbers(np.ascontiguousarray(positions, dtype=np.float64), faces, mesh.points) > 0.5
    return within.astype(np.float64)


def _paths(mesh: VolumeMesh, places: Array, embedding: Embedding, first: int = 0) -> csr_array:
    """Lengths of edges, and of the ways from each place to the corners of its cell."""
    count, width = len(mesh.points), mesh.cells.shape[1]
    corners = embedding.weights.points[first * width : (first + len(places)) * width]
    rows = np.repeat(np.arange(len(places)), width)
    ends = np.concatenate((mesh.edges[:, 0], corners))
    others = np.concatenate((mesh.edges[:, 1], rows + count))
    sides = np.linalg.norm(mesh.points[mesh.edges[:, 0]] - mesh.points[mesh.edges[:, 1]], axis=1)
    lengths = np.concatenate((sides, np.linalg.norm(mesh.points[corners] - places[rows], axis=1)))
    size = count + len(places)
    return csr_array((np.maximum(lengths, 1e-300), (ends, others)), shape=(size, size))


def _checked(painted: Array | None, count: int) -> Array:
    given = np.zeros(0) if painted is None else np.asarray(painted, dtype=np.float64)
    if given.shape != (count,) or not np.isfinite(given).all():
        allowed = f"{count} finite numbers from 0 to 1, one for each point of the body"
        raise InvalidArguments(what="the painted region", value=painted, allowed=allowed)
    if not (given > 0.0).any():
        raise InvalidArguments(what="the painted region", value="empty", allowed="some points above zero")
    return given.clip(0.0, 1.0)
