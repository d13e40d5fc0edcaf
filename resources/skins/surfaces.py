"""Closed surfaces from shapes: a smooth union of solids, polygonised by surface nets and relaxed.

*Field*: the signed distance to each solid, from dense samples of its surface with normals, joined one after the other
by the polynomial smooth minimum of Quilez: with h = max(k - |a - b|, 0), smin(a, b) = min(a, b) - h^2 / (4 k), which
rounds the groove between two solids over a width of about k and changes nothing farther away.
*Surface nets* (Gibson 1998): one vertex in every cell that the surface crosses, at the mean of the crossings of its
edges, and one quadrilateral around every grid edge that it crosses.
*Relaxing*: vertices drift towards the mean of their neighbours within the surface and are put back onto the field's
zero, so that triangles become even while the shape stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array
from scipy.spatial import cKDTree

from engine.maths.arrays import Array, IntArray
from engine.model.skins import vertex_normals
from engine.model.solids import Surface

_FAR = 1.0  # [m] the field where no solid is near
_REACH = 0.04  # [m] beyond its box, a solid is far
_FLAT = 0.006  # [m] nearer than this, a surface is taken as its tangent plane
_SAMPLE = 0.003  # [m] between samples

Field = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Solid:
    """One solid of a union, in the frame of the union."""

    surface: Surface
    blend: float  # [m] k of the smooth minimum that joins it to those before


def union_field(solids: Sequence[Solid]) -> Field:
    """Signed distance [m] to the smooth union, about exact near its surface, as a function of points [count, 3]."""
    sampled = [(_samples(solid.surface), solid.blend) for solid in solids]
    trees = [(cKDTree(points), points, normals, blend) for (points, normals), blend in sampled]

    def field(at: Array) -> Array:
        found = np.full(len(at), _FAR)
        for tree, points, normals, blend in trees:
            low, high = points.min(axis=0) - _REACH, points.max(axis=0) + _REACH
            near = np.flatnonzero(((at > low) & (at < high)).all(axis=1))
            if len(near):
                found[near] = smooth_minimum(found[near], _distance(tree, points, normals, at[near]), blend)
        return found

    return field


def smooth_minimum(a: Array, b: Array, blend: float) -> Array:
    """The smaller one, less where both are about equal."""
    return np.asarray(np.minimum(a, b) - np.maximum(blend - np.abs(a - b), 0.0) ** 2 / (4.0 * blend))


def surface_net(values: Array, axes: tuple[Array, Array, Array]) -> tuple[Array, IntArray]:
    """Vertices and triangles of the zero of a field given at the nodes of a grid, negative inside.

    `values` has the shape of the three axes; the surface must not reach the grid's faces.
    """
    inside = values < 0.0
    cells = np.array(values.shape) - 1
    total, count = np.zeros((*cells, 3)), np.zeros(cells)
    crossings = []
    for along in range(3):
        low = [slice(None)] * 3
        high = [slice(None)] * 3
        low[along], high[along] = slice(None, -1), slice(1, None)
        a, b = values[tuple(low)], values[tuple(high)]
        node = np.argwhere(inside[tuple(low)] != inside[tuple(high)])
        first, last = a[tuple(node.T)], b[tuple(node.T)]
        place = np.stack([axes[each][node[:, each]] for each in range(3)], axis=1)
        place[:, along] += first / (first - last) * (axes[along][node[:, along] + 1] - axes[along][node[:, along]])
        crossings.append((along, node, first < 0.0))
        for one in (0, 1):
            for other in (0, 1):
                cell = node.copy()
                cell[:, (along + 1) % 3] -= one
                cell[:, (along + 2) % 3] -= other
                np.add.at(total, tuple(cell.T), place)
                np.add.at(count, tuple(cell.T), 1.0)
    used = count > 0.0
    number = np.full(cells, -1)
    number[used] = np.arange(int(used.sum()))
    points = total[used] / count[used][:, None]
    quads = np.concatenate([_quads(number, *each) for each in crossings])
    return points, _split(points, quads)


def _quads(
    number: NDArray[np.signedinteger], along: int, node: NDArray[np.signedinteger], rising: NDArray[np.bool_]
) -> IntArray:
    corners = []
    for one, other in ((0, 0), (1, 0), (1, 1), (0, 1)):
        cell = node.copy()
        cell[:, (along + 1) % 3] -= one
        cell[:, (along + 2) % 3] -= other
        corners.append(number[tuple(cell.T)])
    quads = np.stack(corners, axis=1)
    return np.asarray(np.where(rising[:, None], quads, quads[:, ::-1]))


def _split(points: Array, quads: IntArray) -> IntArray:
    """Two triangles for each quadrilateral, along its shorter diagonal."""
    a, b, c, d = quads.T
    first = np.linalg.norm(points[a] - points[c], axis=1) <= np.linalg.norm(points[b] - points[d], axis=1)
    one = np.where(first[:, None], np.stack((a, b, c), 1), np.stack((a, b, d), 1))
    two = np.where(first[:, None], np.stack((a, c, d), 1), np.stack((b, c, d), 1))
    return np.concatenate((one, two)).astype(np.int32)


def averaging(triangles: IntArray, count: int) -> csr_array:
    """The matrix that takes each vertex to the mean of its neighbours."""
    pairs = np.concatenate((triangles[:, :2], triangles[:, 1:], triangles[:, ::2]))
    rows, columns = np.concatenate((pairs, pairs[:, ::-1])).T
    links = coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count)).tocsr()
    links.data[:] = 1.0
    degree = np.maximum(np.asarray(links.sum(axis=1)).ravel(), 1.0)
    return csr_array(links.multiply(1.0 / degree[:, None]))


def project(points: Array, normals: Array, field: Field, share: float = 0.8) -> Array:
    """Points moved along their normals onto the zero of the field."""
    return np.asarray(points - share * np.clip(field(points), -0.01, 0.01)[:, None] * normals)


def relax(points: Array, triangles: IntArray, share: float) -> Array:
    """Points moved within the surface towards the mean of their neighbours."""
    drift = averaging(triangles, len(points)) @ points - points
    normals = vertex_normals(points, triangles)
    return np.asarray(points + share * (drift - np.einsum("va,va->v", drift, normals)[:, None] * normals))


def smooth(points: Array, triangles: IntArray, passes: int) -> Array:
    """Taubin's smoothing (1995): a step of shrinking and a step of swelling in turn."""
    mean = averaging(triangles, len(points))
    for _ in range(passes):
        for share in (0.5, -0.526):
            points = points + share * (mean @ points - points)
    return points


def _samples(surface: Surface) -> tuple[Array, Array]:
    """Points of the surface and their normals, so close that the nearest one tells the distance."""
    points, normals = surface.positions[surface.triangles], surface.normals[surface.triangles]
    edges = np.linalg.norm(points - np.roll(points, 1, axis=1), axis=2).max(axis=1)
    found = [(surface.positions, surface.normals)]
    for count in range(1, int(np.ceil(edges.max() / _SAMPLE)) + 1):
        mine = np.ceil(edges / _SAMPLE).astype(int) == count
        if not mine.any():
            continue
        u, v = np.meshgrid(np.arange(count + 1), np.arange(count + 1))
        keep = u + v <= count
        shares = np.stack((u[keep], v[keep], count - u[keep] - v[keep]), axis=1) / count
        found.append(tuple(np.einsum("sc,tca->tsa", shares, each[mine]).reshape(-1, 3) for each in (points, normals)))
    normal = np.concatenate([each[1] for each in found])
    return np.concatenate([each[0] for each in found]), normal / np.linalg.norm(normal, axis=1, keepdims=True)


def _distance(tree: cKDTree, points: Array, normals: Array, at: Array) -> Array:
    length, nearest = tree.query(at)
    height = np.einsum("pa,pa->p", at - points[nearest], normals[nearest])
    return np.asarray(np.where(length < _FLAT, height, np.copysign(length, height)))
