"""Measures how deep places lie inside soft bodies, without any of what contact does."""

from __future__ import annotations

import numpy as np

from engine.limits.triangles import build_tree
from engine.maths.arrays import Array, IntArray
from engine.soft.embedding import find_facets
from engine.soft.mesh import VolumeMesh
from engine.soft.outsides import outer_triangles


def depths(mesh: VolumeMesh, points: Array, places: Array, spared: list[IntArray] | None = None) -> Array:
    """Measure how far inside a body of tetrahedra, whose points are there, some places are [m]; 0 outside. `spared`:
    cells that each of them may lie in."""
    found = np.zeros(len(places))
    corners = points[mesh.cells]
    inverses = np.linalg.inv((corners[:, 1:] - corners[:, :1]).transpose(0, 2, 1))
    tree = build_tree(points[outer_triangles(mesh)])
    nearest, away = np.empty(len(places), np.int32), np.empty(len(places))
    find_facets(tree.boxes, tree.corners, np.ascontiguousarray(places), nearest, away)
    for each, place in enumerate(places):
        shares = np.einsum("mij,mj->mi", inverses, place - corners[:, 0])
        inside = (shares > 1e-9).all(axis=1) & (shares.sum(axis=1) < 1.0 - 1e-9)
        if spared is not None:
            inside[spared[each]] = False
        found[each] = away[each] if inside.any() else 0.0
    return found


def own_cells(mesh: VolumeMesh, points: IntArray, rings: int) -> list[IntArray]:
    """List the cells around each of some points, as far as so many rings."""
    about = [np.flatnonzero((mesh.cells == each).any(axis=1)) for each in range(len(mesh.points))]
    found = []
    for each in points.tolist():
        cells = about[each]
        for _ in range(rings):
            cells = np.unique(np.concatenate([about[point] for point in np.unique(mesh.cells[cells]).tolist()]))
        found.append(cells.astype(np.int32))
    return found
