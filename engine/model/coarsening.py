"""Coarse meshes: a mesh without what is smaller than a pixel, drawn of many small triangles while something moves.

Vertices of a body that lie in one cell of a grid and face the same way across the body's thinnest direction become one,
at the mean of their places, with the mean of their normals (Rossignac and Borrel 1993); triangles with two corners in
one cell are gone. Two sides of a thin bone so stay two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import LongArray
from engine.model.meshes import Mesh

MOST_KNOWN = 16
_known: dict[tuple[str, float], Mesh] = {}  # by the mesh's digest and the cell, the one used last at the end


def coarsened(mesh: Mesh, cell: float) -> Mesh:
    """Give a mesh whose details are no smaller than a cell [m]; colours by triangles are left out."""
    key = mesh.digest, cell
    found = _known.pop(key, None)
    _known[key] = found = _coarsened(mesh, cell) if found is None else found
    if len(_known) > MOST_KNOWN:
        del _known[next(iter(_known))]
    return found


def _coarsened(mesh: Mesh, cell: float) -> Mesh:
    cells = np.floor(mesh.positions / cell).astype(np.int64)
    keys = np.column_stack((mesh.body, _sides(mesh), cells))
    keys -= keys.min(axis=0, initial=0)
    _, first, place = np.unique(_packed(keys), return_index=True, return_inverse=True)
    count = len(first)
    triangles = place[mesh.triangles]
    one, two, three = triangles.T
    triangles = triangles[(one != two) & (two != three) & (three != one)]
    # Of triangles with the same corners, one stays.
    _, kept = np.unique(_packed(np.sort(triangles, axis=1)), return_index=True)
    normals = _means(mesh.normals, place, count)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = np.where(lengths > 1e-6, normals / np.maximum(lengths, 1e-6), mesh.normals[first])
    return Mesh(
        positions=_means(mesh.positions, place, count),
        normals=normals.astype(np.float32),
        body=mesh.body[first],
        triangles=triangles[np.sort(kept)].astype(np.uint32),
        tone=mesh.tone[first],
    )


def _sides(mesh: Mesh) -> NDArray[np.bool_]:
    """Tell of each vertex to which side of its body it faces, along the direction in which that is thinnest."""
    count = int(mesh.body.max(initial=-1)) + 1
    numbers = np.maximum(np.bincount(mesh.body, minlength=count), 1)
    centred = mesh.positions - (_sums(mesh.positions, mesh.body, count) / numbers[:, None])[mesh.body]
    spreads = np.stack([_sums(centred * centred[:, [axis]], mesh.body, count) for axis in range(3)], axis=1)
    thin = np.linalg.eigh(spreads)[1][:, :, 0]
    return np.asarray((mesh.normals * thin[mesh.body]).sum(axis=1) > 0.0)


def _packed(keys: LongArray) -> LongArray:
    """Rows of whole numbers, 0 and above, as one number each."""
    sizes = keys.max(axis=0, initial=0) + 1
    packed = keys[:, 0]
    for column in range(1, keys.shape[1]):
        packed = packed * sizes[column] + keys[:, column]
    return packed


def _sums(values: NDArray[np.floating], place: NDArray[np.integer], count: int) -> NDArray[np.float64]:
    sums = np.empty((count, values.shape[1]))
    for column in range(values.shape[1]):
        sums[:, column] = np.bincount(place, values[:, column], minlength=count)
    return sums


def _means(values: NDArray[np.float32], place: NDArray[np.integer], count: int) -> NDArray[np.float32]:
    numbers = np.bincount(place, minlength=count)[:, None]
    return (_sums(values, place, count) / numbers).astype(np.float32)
