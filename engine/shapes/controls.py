"""Control points of a surface: some of its vertices, weights that bind the others to them, and clusters of them.

Points are chosen one after the other, each farthest from those before along the edges of the surface (Gonzalez 1985,
Theoretical Computer Science 38:293); the first is the vertex farthest from the middle, the lowest number among equals,
so that the same surface has the same points. Apart pieces of a surface get points of their own as far as points go.
Along the edges the lips of a closed mouth are far from each other, though they touch.

A vertex follows its nearest points by (1 - d / d_k)^2 / d^2, d_k the distance of the nearest that no longer counts
(Shepard's weights as Franke and Nielson 1980 bound them). A control point follows itself alone, so that what is asked
of all vertices at a time can be met at the control points first.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.parts import BlendShapes

NEAREST = 6  # points that a vertex follows
_OVERLAP = 1.35  # of the distance to the nearest seed: a point that near to another is of its cluster, too

_KEPT: Bounded[tuple[object, ...], ControlPoints]


@dataclass(frozen=True, eq=False)
class ControlPoints:
    """Which vertices are simulated, and how all follow them."""

    vertices: IntArray  # shape [point_count]
    bound: IntArray  # points that each vertex follows, shape [vertex_count, NEAREST or fewer]
    weights: Array  # that sum to 1, the same shape
    masses: Array  # of each point as a share of the whole
    starts: IntArray  # of the members of each cluster, and their end
    members: IntArray  # points
    shares: Array  # of a member's mass that is the cluster's

    def carried(self, moved: Array) -> Array:
        """Spread what moves the points over all vertices, shape [vertex_count, 3]."""
        found = np.zeros((len(self.bound), 3))
        for place in range(self.bound.shape[1]):
            found += self.weights[:, place, None] * moved[self.bound[:, place]]
        return found


def control_points(surface: BlendShapes) -> ControlPoints:
    """Choose the control points of a surface; kept while surface and numbers stay."""
    motion = surface.motion
    key = (surface.positions.digest, surface.triangles.digest, motion.points, motion.clusters)
    return _KEPT.find(key, lambda: _choose(surface, motion.points, motion.clusters))


def _choose(surface: BlendShapes, count: int, clusters: int) -> ControlPoints:
    from scipy.sparse import coo_array  # here, since a surface that follows its keys exactly needs none
    from scipy.sparse.csgraph import dijkstra

    points = surface.positions.array.astype(np.float64)
    triangles = surface.triangles.array
    sides = np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2]))
    low, high = np.unique(np.sort(sides, axis=1), axis=0).T
    lengths = np.maximum(np.linalg.norm(points[low] - points[high], axis=1), 1e-12)
    graph = coo_array((lengths, (low, high)), shape=(len(points), len(points))).tocsr()
    size = float(np.linalg.norm(np.ptp(points, axis=0))) or 1.0
    count = min(count, len(points))
    chosen = [int(np.argmax(np.round(np.linalg.norm(points - points.mean(axis=0), axis=1) / size, 9)))]
    rows = [dijkstra(graph, directed=False, indices=chosen[0])]
    nearest = rows[0].copy()
    while len(chosen) < count:
        chosen.append(int(np.argmax(nearest)))
        rows.append(dijkstra(graph, directed=False, indices=chosen[-1]))
        np.minimum(nearest, rows[-1], out=nearest)
    far = np.stack(rows, axis=1)
    for vertex in np.flatnonzero(np.isinf(far).all(axis=1)):  # of a piece without any point: through the air
        far[vertex] = np.linalg.norm(points[vertex] - points[chosen], axis=1)
    vertices = np.array(chosen, dtype=np.int32)
    bound, weights = _bind(far, vertices)
    masses = np.bincount(bound.ravel(), (weights * _areas(points, triangles)[:, None]).ravel(), count)
    masses = np.maximum(masses / masses.sum(), 1e-6 / count)
    starts, members, shares = _cluster(points[vertices], far[vertices], masses, min(clusters, count))
    return ControlPoints(vertices, bound, weights, masses, starts, members, shares)


def _bind(far: Array, vertices: IntArray) -> tuple[IntArray, Array]:
    """The points that each vertex follows, and by how much."""
    count = far.shape[1]
    order = np.argsort(far, axis=1, kind="stable")[:, : NEAREST + 1]
    found = np.take_along_axis(far, order, axis=1)
    kept = min(NEAREST, count)
    reach = found[:, kept] if found.shape[1] > kept else np.full(len(far), np.inf)
    finite = np.where(np.isfinite(found), found, 0.0)
    reach = np.where(np.isfinite(reach), reach, 1.5 * finite.max(axis=1) + 1e-12)
    near = np.maximum(found[:, :kept], 1e-12 * reach[:, None])
    weights = np.where(np.isfinite(near), (1.0 - np.minimum(near / reach[:, None], 1.0)) ** 2 / near**2, 0.0)
    weights[weights.sum(axis=1) == 0.0, 0] = 1.0
    weights /= weights.sum(axis=1, keepdims=True)
    bound: IntArray = np.ascontiguousarray(order[:, :kept]).astype(np.int32)
    bound[vertices], weights[vertices] = 0, 0.0
    bound[vertices, 0], weights[vertices, 0] = np.arange(len(vertices)), 1.0
    return bound, np.asarray(weights)


def _areas(points: Array, triangles: IntArray) -> Array:
    """The part of the surface around each vertex [m2], a third of its triangles."""
    corners = points[triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1) / 6.0
    return np.asarray(np.bincount(triangles.ravel(), np.repeat(areas, 3), len(points)), dtype=np.float64)


def _cluster(points: Array, far: Array, masses: Array, count: int) -> tuple[IntArray, IntArray, Array]:
    """Clusters about the points that were chosen first, which are far apart; they overlap a little."""
    to_seed = far[:, :count]
    air = np.linalg.norm(points[:, None] - points[None, :count], axis=2)
    to_seed = np.where(np.isfinite(to_seed), to_seed, air)
    nearest = to_seed.min(axis=1)
    of = to_seed <= _OVERLAP * nearest[:, None] + 1e-12
    shared = masses / of.sum(axis=1)
    listed = [np.flatnonzero(of[:, cluster]) for cluster in range(count)]
    members = np.concatenate(listed)
    starts = np.cumsum([0, *(len(each) for each in listed)])
    return starts.astype(np.int32), members.astype(np.int32), shared[members]


_KEPT = Bounded(8)
