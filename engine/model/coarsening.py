"""Coarse meshes: a mesh without what is smaller than a pixel, drawn of many small triangles while something moves.

Vertices of a body that lie in one cell of a grid and face the same way across the body's thinnest direction become one,
at the mean of their places, with the mean of their normals (Rossignac and Borrel 1993); triangles with two corners in
one cell are gone. Two sides of a thin bone so stay two.

Vertices follow each other along a body, and triangles with them: a processor that draws works out a vertex anew for
each of its triangles, unless it is one of some 200 that came last.
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
    return _swept(
        Mesh(
            positions=_means(mesh.positions, place, count),
            normals=normals.astype(np.float32),
            body=mesh.body[first],
            triangles=triangles[np.sort(kept)].astype(np.uint32),
            tone=mesh.tone[first],
        )
    )


def _swept(mesh: Mesh) -> Mesh:
    """Put vertices, and triangles by their first vertex, in order along the longest direction of each body."""
    order = np.lexsort((_along(mesh), mesh.body))
    place = np.empty(len(order), dtype=np.uint32)
    place[order] = np.arange(len(order), dtype=np.uint32)
    triangles = place[mesh.triangles]
    return Mesh(
        positions=mesh.positions[order],
        normals=mesh.normals[order],
        body=mesh.body[order],
        triangles=triangles[np.argsort(triangles.min(axis=1, initial=len(order)), kind="stable")],
        tone=mesh.tone[order],
    )


def _sides(mesh: Mesh) -> NDArray[np.bool_]:
    """Tell of each vertex to which side of its body it faces, along the direction in which that is thinnest."""
    return np.asarray((mesh.normals * _directions(mesh)[mesh.body, :, 0]).sum(axis=1) > 0.0)


def _along(mesh: Mesh) -> NDArray[np.float64]:
    """Return where each vertex is along the direction in which its body is longest [m]."""
    return np.asarray((mesh.positions * _directions(mesh)[mesh.body, :, 2]).sum(axis=1))


def _directions(mesh: Mesh) -> NDArray[np.float64]:
    """Return the directions of each body, the thinnest in the first column, the longest in the last."""
    count = int(mesh.body.max(initial=-1)) + 1
    numbers = np.maximum(np.bincount(mesh.body, minlength=count), 1)
    centred = mesh.positions - (_sums(mesh.positions, mesh.body, count) / numbers[:, None])[mesh.body]
    spreads = np.stack([_sums(centred * centred[:, [axis]], mesh.body, count) for axis in range(3)], axis=1)
    return np.asarray(np.linalg.eigh(spreads)[1])


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
