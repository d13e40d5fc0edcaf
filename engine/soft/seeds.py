"""Splines seeded from a body's own shape: control points along its long axis, or along the middle of a bent one.

A long body that is about as long as its longest path is straight: slices across the axis of largest spread have their
centres of mass joined. Another is sliced by the distance from one of its ends, along paths inside it, so that the line
follows a bent tube; where a body branches it goes through the middle of the branches. A body that is neither has no
axis.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.soft.mesh import UnsoundBody, VolumeMesh

_STRAIGHT = 0.75  # of the longest path
_BENT = 1.15  # longest path beside the diagonal of the extents
_LONG = 1.3  # beside the next extent


def seed_controls(mesh: VolumeMesh, count: int = 5, *, name: str = "the body") -> Array:
    """Place control points [m] along the middle of a body, shape [count, 3]."""
    if not 2 <= count <= 100:
        raise InvalidArguments(what="the control points along a body", value=count, allowed="2 to 100")
    shares = mesh.point_volumes / mesh.point_volumes.sum()
    around = mesh.points - shares @ mesh.points
    spread, axes = np.linalg.eigh((around * shares[:, None]).T @ around)
    axis = axes[:, -1]
    axis = axis if axis[np.argmax(np.abs(axis))] > 0.0 else -axis
    heights = around @ axis
    depths = _depths(mesh)
    if np.ptp(heights) >= _STRAIGHT * depths.max() and spread[-1] >= _LONG**2 * spread[-2]:
        depths = heights - heights.min()
    elif depths.max() < _BENT * np.linalg.norm(np.ptp(around @ axes, axis=0)):
        found = "it is about as wide as it is long: it has no long axis"
        raise UnsoundBody(name=name, found=found, remedy="Draw the spline by hand.")
    slices = np.minimum((depths / depths.max() * count).astype(np.int64), count - 1)
    totals = np.bincount(slices, weights=mesh.point_volumes, minlength=count)
    if not totals.all():
        found = f"it has fewer than {count} rows of points along its axis"
        raise UnsoundBody(name=name, found=found, remedy="Use fewer control points, or smaller cells.")
    sums = [np.bincount(slices, weights=mesh.point_volumes * column, minlength=count) for column in mesh.points.T]
    return np.stack(sums, axis=1) / totals[:, None]


def _depths(mesh: VolumeMesh) -> Array:
    """Measure paths [m] from one end of the longest path inside a body."""
    count = len(mesh.points)
    lengths = np.linalg.norm(mesh.points[mesh.edges[:, 0]] - mesh.points[mesh.edges[:, 1]], axis=1)
    graph = csr_array((lengths, (mesh.edges[:, 0], mesh.edges[:, 1])), shape=(count, count))
    start = 0
    for _ in range(2):
        depths = dijkstra(graph, directed=False, indices=start)
        depths = np.where(np.isfinite(depths), depths, 0.0)
        start = int(np.argmax(depths))
    return np.asarray(dijkstra(graph, directed=False, indices=start).clip(0.0, depths.max()))
