"""Automatic skin weights by heat equilibrium: Baran and Popovic 2007 (ACM Trans. Graph. 26:72), section 4.

Every bone in turn is held at temperature 1, all others at 0, and the surface conducts heat:
    (S + M H) w_j = M H p_j,
S the cotangent stiffness (positive semidefinite, the paper's -Laplacian times M), M the areas of the vertices, H_i =
c / d_i^2 with d_i the distance to the nearest bone, and p_ij = 1 where bone j is the nearest of vertex i, shared
equally where several are. c = 1 makes the transition at a joint about as long as the limb is thick.
A vertex is heated only where it sees its nearest bone through the inside of the surface (H_i = 0 elsewhere), so that
an arm held at the side does not warm the flank. Conductances are kept positive, hence every weight is within 0 and 1
and each vertex's weights sum to 1, on any mesh: vertices at one place are joined first, and a component that sees no
bone at all is heated by its nearest bones as if it saw them.

Limits: bones lie inside the surface; triangles much longer than the limb is thick make the result coarse.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csc_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import splu

from engine.maths.arrays import Array, IntArray
from engine.model.visibility import Cells, build_cells, mark_seen
from engine.runtime import progress
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

_SAME_PLACE = 1e-6  # of the size of the mesh
_EQUALLY_NEAR = 1.0 + 1e-4
_LEAST_CONDUCTANCE = 1e-3  # cotangents of slivers may be negative or zero
_LEAST_DISTANCE = 1e-3  # of the size of the mesh; a vertex on a bone is not infinitely hot
_INSET = 1e-4  # of the size of the mesh: where a sight line begins, below the surface


@dataclass(frozen=True, eq=False)
class StraightBones:
    """Straight bones: what they move and where they lie. A joint may own several."""

    owner: IntArray  # column of the weights that each belongs to, shape [bone_count]
    start: Array  # [m], shape [bone_count, 3]
    end: Array


def automatic_weights(positions: Array, triangles: IntArray, bones: StraightBones, *, heat: float = 1.0) -> Array:
    """Weights of every vertex, rows of sum 1, shape [vertex_count, owner_count].

    positions [m], shape [vertex_count, 3]; triangles counter-clockwise from outside; `heat` is c above.
    """
    _check(positions, triangles, bones)
    size = float(np.ptp(positions, axis=0).max())
    place = joined(positions, size)
    points = np.zeros((place.max() + 1, 3))
    points[place] = positions
    faces = place[triangles]
    faces = faces[(faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])]
    stiffness, area = _stiffness_and_area(points, faces, size)
    progress.report(0.1)
    near, distance = _nearest(points, bones)
    progress.report(0.2)
    seen = _with_blind_components(stiffness, _sees(points, faces, near, bones, size))
    warmth = heat * area * seen / np.maximum(distance, _LEAST_DISTANCE * size) ** 2
    count = int(bones.owner.max()) + 1
    source = np.zeros((len(points), count))
    np.add.at(source.T, bones.owner, near.T.astype(float))
    source = np.minimum(source, 1.0)
    source /= source.sum(axis=1, keepdims=True)
    solver = splu(
        csc_array(stiffness + diags_array(warmth)), permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}
    )
    progress.report(0.8)
    weights = np.clip(solver.solve(warmth[:, None] * source), 0.0, 1.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(weights[place])


def pack_weights(weights: Array, count: int = 4) -> tuple[IntArray, NDArray[np.float32]]:
    """The `count` largest weights of each vertex, in falling order, of sum 1; and their columns.

    What was dropped first is subtracted from what stays (as far as it stays positive), so that a weight fades in where
    it enters the list instead of jumping.
    """
    if weights.shape[1] > count:
        cut = -np.partition(-weights, count, axis=1)[:, count : count + 1]
        top = weights.max(axis=1, keepdims=True)
        weights = np.where(top > 2.0 * cut, np.maximum(weights - cut, 0.0), weights)
    order = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    kept = np.take_along_axis(weights, order, axis=1)
    kept /= kept.sum(axis=1, keepdims=True)
    packed = np.zeros((len(weights), count), dtype=np.float32)
    packed[:, : kept.shape[1]] = np.where(kept < 1e-4, 0.0, kept)
    packed /= packed.sum(axis=1, keepdims=True)
    columns = np.zeros((len(weights), count), dtype=np.int32)
    columns[:, : order.shape[1]] = np.where(packed[:, : order.shape[1]] > 0.0, order, 0)
    return columns, packed


def _check(positions: Array, triangles: IntArray, bones: StraightBones) -> None:
    if not len(bones.owner):
        raise InvalidDocument(what="the bones of a skin", value=0, allowed="one or more")
    if positions.ndim != 2 or positions.shape[1] != 3 or not len(positions) or not np.isfinite(positions).all():
        raise InvalidDocument(
            what="the vertices of a skin", value=positions.shape, allowed="finite points, one or more"
        )
    if triangles.ndim != 2 or triangles.shape[1] != 3 or not len(triangles):
        raise InvalidDocument(what="the triangles of a skin", value=triangles.shape, allowed="one or more")
    if triangles.min() < 0 or triangles.max() >= len(positions):
        value = (int(triangles.min()), int(triangles.max()))
        raise InvalidDocument(what="a corner of a skin", value=value, allowed=f"0 to {len(positions) - 1}")
    corners = positions[triangles]
    double = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    if not np.abs(double).max() > 1e-12 * np.ptp(positions, axis=0).max() ** 2:
        raise InvalidDocument(what="the triangles of a skin", value="no area", allowed="a surface")
    if not (np.isfinite(bones.start).all() and np.isfinite(bones.end).all()):
        raise InvalidDocument(what="the bones of a skin", value="not finite", allowed="finite points")


def joined(positions: Array, size: float) -> IntArray:
    """A number for each place: vertices along a seam of texture share one."""
    rounded = np.round((positions - positions.min(axis=0)) / (_SAME_PLACE * size)).astype(np.int64)
    return np.asarray(np.unique(rounded, axis=0, return_inverse=True)[1].ravel(), dtype=np.int32)


def _stiffness_and_area(points: Array, faces: IntArray, size: float) -> tuple[csc_array, Array]:
    """S with positive conductances, and a third of the area of the triangles around each vertex."""
    count = len(points)
    rows, columns, values = [], [], []
    area = np.zeros(count)
    for corner in range(3):
        a, b, c = (faces[:, (corner + each) % 3] for each in range(3))
        u, v = points[b] - points[a], points[c] - points[a]
        double = np.linalg.norm(np.cross(u, v), axis=1)
        rows.append(b)
        columns.append(c)
        values.append(0.5 * np.einsum("fa,fa->f", u, v) / np.maximum(double, 1e-12 * size**2))
        np.add.at(area, a, double / 6.0)
    low, high = (
        np.minimum(np.concatenate(rows), np.concatenate(columns)),
        np.maximum(*map(np.concatenate, (rows, columns))),
    )
    edges = coo_array((np.concatenate(values), (low, high)), shape=(count, count)).tocsr()
    edges.sum_duplicates()
    edges.data = np.clip(edges.data, _LEAST_CONDUCTANCE, 1.0 / _LEAST_CONDUCTANCE)
    both = edges + edges.T
    degree = np.asarray(both.sum(axis=1)).ravel()
    # A vertex of no triangle has no area; it takes its nearest bone's weights alone.
    return csc_array(diags_array(degree) - both), np.maximum(area, 1e-9 * size**2)


def _nearest(points: Array, bones: StraightBones) -> tuple[NDArray[np.bool_], Array]:
    """Find the nearest bones of each vertex, shape [vertex_count, bone_count], and how far they are."""
    distances = np.stack(
        [np.linalg.norm(points - _foot(points, bones, bone), axis=1) for bone in range(len(bones.owner))], axis=1
    )
    least = distances.min(axis=1)
    return distances <= _EQUALLY_NEAR * least[:, None], least


def _foot(points: Array, bones: StraightBones, bone: int) -> Array:
    """The point of a bone that is nearest to each vertex."""
    along = bones.end[bone] - bones.start[bone]
    share = (points - bones.start[bone]) @ along / max(float(along @ along), 1e-30)
    return np.asarray(bones.start[bone] + np.clip(share, 0.0, 1.0)[:, None] * along)


def _sees(
    points: Array, faces: IntArray, near: NDArray[np.bool_], bones: StraightBones, size: float
) -> NDArray[np.bool_]:
    """Tell whether the line from below each vertex to one of its nearest bones meets no triangle."""
    cells: Cells = build_cells(points, faces)
    corners = points[faces]
    face_normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals = np.zeros_like(points)
    for corner in range(3):
        np.add.at(normals, faces[:, corner], face_normals)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-30)
    begin = points - _INSET * size * normals
    seen = np.zeros(len(points), dtype=np.bool_)
    for bone in range(len(bones.owner)):
        progress.report(0.2 + 0.4 * bone / len(bones.owner))
        mine = np.flatnonzero(near[:, bone] & ~seen)
        if len(mine):
            found = np.empty(len(mine), dtype=np.bool_)
            mark_seen(cells.ints, cells.floats, corners, begin[mine], _foot(points[mine], bones, bone), found)
            seen[mine] = found
    return seen


def _with_blind_components(stiffness: csc_array, seen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """`seen`, and every vertex of a component of which none sees a bone."""
    count, component = connected_components(stiffness, directed=False)
    some = np.zeros(count, dtype=np.bool_)
    some[component[seen]] = True
    return np.asarray(seen | ~some[component])
