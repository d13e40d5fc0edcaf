"""Outsides: what soft bodies touch with, as spots and the triangles between them.

By its points: those on the outer sides of its cells. By its surface: vertices of what is drawn of it, which its cells
carry (`embedding.py`). Of these as many as the cells can move apart from each other, in a grid of cubes GRAIN times as
large as edges of cells one for each cube and each of six ways that they look: the one that is furthest out, of equals
the nearest to the middle of these. Triangles between three such sets go on between their spots (clustering, Rossignac
and Borrel 1993). A spot is as stiff as the square root of the area that it stands for, a point as the cube root of its
volume.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass
from engine.soft.cells import PlacedBody
from engine.soft.embedding import Weights, join_weights
from engine.soft.hulls import FRICTION, SIZE, STIFFNESS, Hull
from engine.soft.hulls import TRAITS as HULL_TRAITS
from engine.soft.mesh import FACES, VolumeMesh
from engine.soft.spots import ALONG, FORWARD, OWNER, STIFF, THICK, TIME, TRAITS, ContactSkin

if TYPE_CHECKING:
    from engine.soft.bodies import SoftPiece

GRAIN = 0.4
_NOTHING = 1e-6  # of a weight that is left out
_LEVEL = 0.02  # of the size of a cube, within which vertices are equally far out


@dataclass(frozen=True, eq=False)
class Outside:
    """The surface that one body touches with."""

    weights: Weights  # of its points, a row for each spot
    triangles: IntArray  # of spots, anticlockwise from outside; of a flat body its outline, last corners twice
    sizes: Array  # [m] of what each spot stands for


_NONE = Outside(
    Weights(np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0)), np.zeros((0, 3), np.int32), np.zeros(0)
)


def by_points(mesh: VolumeMesh, sizes: Array) -> Outside:
    """Let a body touch with the points on its outside; `sizes` [m] of what all points stand for."""
    outer = outer_triangles(mesh)
    points = np.arange(len(mesh.points)) if mesh.planar or not len(outer) else np.unique(outer)
    starts = np.arange(len(points) + 1, dtype=np.int32)
    number = np.zeros(len(mesh.points), dtype=np.int32)
    number[points] = np.arange(len(points))
    weights = Weights(starts, points.astype(np.int32), np.ones(len(points)))
    return Outside(weights, number[outer], sizes[points])


def by_surface(mesh: VolumeMesh, weights: Weights, positions: Array, triangles: IntArray) -> Outside:
    """Let a body touch with some of the vertices of a surface [m], whose rows of weights are given."""
    sides = positions[triangles]
    normals = 0.5 * np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    around, shares = np.zeros((len(positions), 3)), np.zeros(len(positions))
    for corner in range(3):
        np.add.at(around, triangles[:, corner], normals)
        np.add.at(shares, triangles[:, corner], areas / 3.0)
    cube = _cubes(positions, around, GRAIN * edge_length(mesh))
    count = int(cube.max()) + 1
    chosen = _outermost(cube, positions, around)
    mapped = cube[triangles]
    whole = (mapped[:, 0] != mapped[:, 1]) & (mapped[:, 1] != mapped[:, 2]) & (mapped[:, 2] != mapped[:, 0])
    own = np.bincount(cube, weights=shares, minlength=count)
    return Outside(_rows(weights, chosen), _unfolded(mapped[whole]), np.sqrt(own))


def edge_length(mesh: VolumeMesh) -> float:
    """Compute the mean length of the edges of cells [m]."""
    return float(np.linalg.norm(mesh.points[mesh.edges[:, 0]] - mesh.points[mesh.edges[:, 1]], axis=1).mean())


def outer_triangles(mesh: VolumeMesh) -> IntArray:
    """List the triangles of the outside, anticlockwise from there; of a flat body its outline, last corners twice."""
    if mesh.shape == "edges":
        return np.zeros((0, 3), dtype=np.int32)
    faces = np.concatenate([mesh.cells[:, list(face)] for face in FACES[mesh.shape]])
    _, at, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    outer = faces[np.sort(at[counts == 1])]
    corners = {2: [(0, 1, 1)], 3: [(0, 1, 2)], 4: [(0, 1, 2), (0, 2, 3)]}[outer.shape[1]]
    return np.ascontiguousarray(outer[:, corners].reshape(-1, 3), dtype=np.int32)


def join_outsides(
    pieces: Sequence[SoftPiece], members: Sequence[PlacedBody], masses: Sequence[Array], *, together: bool
) -> tuple[ContactSkin, Hull]:
    """Put the outsides of bodies together. `masses` [kg] of the points of each, `together`: they meet each other."""
    count = len(pieces)
    own, meets, feels = np.zeros((count, HULL_TRAITS)), np.zeros((count, count), np.int32), np.zeros(count, np.int32)
    outsides, traits = list[Outside](), list[Array]()
    for body, (piece, member) in enumerate(zip(pieces, members, strict=True)):
        outside = piece.outside
        if outside is None:
            outside = by_points(member.mesh, np.cbrt(masses[body] / member.material.density))
        outside = outside if piece.touches else _NONE
        outsides.append(outside)
        traits.append(_traits(piece, member, outside, body))
        own[body, FRICTION], own[body, SIZE] = member.material.friction, edge_length(member.mesh)
        own[body, STIFFNESS] = traits[-1][:, STIFF].mean() if len(outside.sizes) else 0.0
        meets[body, :body] = meets[:body, body] = together
        meets[body, body] = piece.touches_itself and len(outside.triangles) > 0
        feels[body] = piece.touches and piece.outside is not None
    sizes, firsts = [len(each.sizes) for each in outsides], [member.first for member in members]
    numbers = np.cumsum([0, *sizes], dtype=np.int32)
    triangles = [each.triangles + first for each, first in zip(outsides, numbers, strict=False)]
    rest = [each.weights.carried(member.mesh.points) for each, member in zip(outsides, members, strict=True)]
    starts, points, weights = join_weights([each.weights for each in outsides], firsts)
    room = 3 * int(numbers[-1])
    bodies = np.arange(count, dtype=np.int32)
    return ContactSkin(_heaviest(starts, points, weights), np.concatenate(traits), starts, points, weights), Hull(
        np.concatenate(triangles),
        np.repeat(bodies, [len(each) for each in triangles]),
        np.repeat(bodies, sizes),
        own,
        meets,
        feels,
        np.zeros(int(numbers[-1]), np.int32),
        np.concatenate(rest).ravel(),
        np.zeros(room),
        np.zeros(room),
        np.zeros(room),
        np.zeros((count, 6)),
        np.zeros((count, 6)),
    )


def _traits(piece: SoftPiece, member: PlacedBody, outside: Outside, body: int) -> Array:
    """Give the traits of the spots of a body."""
    material, found = member.material, np.zeros((len(outside.sizes), TRAITS))
    found[:, STIFF], found[:, OWNER] = piece.contact_stiffness * material.young * outside.sizes, body
    found[:, TIME], found[:, FORWARD : FORWARD + 3] = piece.contact_damping, material.frictions
    found[:, THICK] = piece.thickness
    if material.forward is not None:
        found[:, ALONG : ALONG + 3] = np.array(material.forward) / np.linalg.norm(material.forward)
    return found


def _cubes(positions: Array, normals: Array, grain: float) -> IntArray:
    """Number the cubes in which vertices lie, those of each of six ways that they look apart; those in one place are
    one."""
    _, one, same = np.unique(positions, axis=0, return_index=True, return_inverse=True)
    whole = np.zeros((len(one), 3))
    np.add.at(whole, same.ravel(), normals)
    axis = np.argmax(np.round(np.abs(whole), 6), axis=1)
    looks = axis + 3 * (whole[np.arange(len(one)), axis] > 0.0)
    places = np.floor((positions[one] - positions.min(axis=0)) / grain + 0.25).astype(np.int64)
    _, cube = np.unique(np.column_stack((places, looks)), axis=0, return_inverse=True)
    return cube.ravel()[same.ravel()].astype(np.int32)


def _outermost(cube: IntArray, positions: Array, normals: Array) -> IntArray:
    """Choose the vertex of each cube that is furthest out along its mean normal."""
    counts = np.bincount(cube)
    away = positions - (_sums(cube, positions) / counts[:, None])[cube]
    mean = _sums(cube, normals)
    mean = mean / np.maximum(np.linalg.norm(mean, axis=1), 1e-300)[:, None]
    out, aside = np.einsum("vi,vi->v", away, mean[cube]), np.linalg.norm(away, axis=1)
    level = np.round(out / (_LEVEL * max(float(aside.max()), 1e-300)))
    order = np.lexsort((np.arange(len(cube)), aside, -level, cube))
    return order[np.searchsorted(cube[order], np.arange(len(counts)))].astype(np.int32)


def _sums(cube: IntArray, values: Array) -> Array:
    """Sum vectors over each cube."""
    return np.stack([np.bincount(cube, weights=values[:, axis]) for axis in range(3)], axis=1)


def _unfolded(triangles: IntArray) -> IntArray:
    """Leave out what stands twice, and pairs whose sides face each other: thin parts that became flat."""
    ahead = (np.argmin(triangles, axis=1)[:, None] + np.arange(3)) % 3 if len(triangles) else triangles
    found = np.unique(np.take_along_axis(triangles, ahead, axis=1), axis=0).astype(np.int64)
    size = int(found.max(initial=0)) + 1
    first, second, third = found.T
    keys, turned = (first * size + second) * size + third, (first * size + third) * size + second
    return np.ascontiguousarray(found[~np.isin(turned, keys)], dtype=np.int32)


def _rows(weights: Weights, chosen: IntArray) -> Weights:
    """Take some rows, without the weights that are nothing; the others sum to 1."""
    starts, points, values = [0], [], []
    for row in chosen.tolist():
        own = slice(int(weights.starts[row]), int(weights.starts[row + 1]))
        kept = np.abs(weights.values[own]) > _NOTHING
        share = weights.values[own][kept]
        points.append(weights.points[own][kept])
        values.append(share / share.sum())
        starts.append(starts[-1] + len(share))
    return Weights(np.array(starts, np.int32), np.concatenate(points).astype(np.int32), np.concatenate(values))


def _heaviest(starts: IntArray, points: IntArray, weights: Array) -> IntArray:
    """Find the point of each row that has the greatest weight."""
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((-weights, rows))
    return np.ascontiguousarray(points[order[starts[:-1]]], dtype=np.int32)
