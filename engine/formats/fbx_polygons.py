"""Triangles of an FBX mesh's faces, as places in its list of corners."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.maths.arrays import Array, LongArray


def triangles_of(path: Path, points: Array, corners: LongArray, faces: LongArray) -> LongArray:
    """Places of the triangles' corners, in the order of the faces; `faces` holds where each begins and its corners."""
    begins, sizes = faces[:, 0], faces[:, 1]
    pieces, order = [np.empty((0, 3), np.int64)], [np.empty(0, np.int64)]
    threes, fours, more = (np.flatnonzero(each) for each in (sizes == 3, sizes == 4, sizes > 4))
    pieces.append(begins[threes, None] + np.arange(3))
    order.append(threes)
    quads = begins[fours, None] + np.arange(4)
    cut = np.where(_folds(points[corners[quads]])[:, None], (1, 2, 3, 1, 3, 0), (0, 1, 2, 0, 2, 3))
    pieces.append(np.take_along_axis(quads, cut, axis=1).reshape(-1, 3))
    order.append(np.repeat(fours, 2))
    if len(more):
        from engine.formats.meshes import triangulated  # here, for it compiles kernels

        places = [(begins[each] + np.arange(sizes[each])).tolist() for each in more.tolist()]
        pieces.append(triangulated(path, points[corners], places))
        order.append(np.repeat(more, sizes[more] - 2))
    found = np.concatenate(pieces)
    return np.asarray(found[np.argsort(np.concatenate(order), kind="stable")])


def _folds(quads: Array) -> Array:
    """Mark the quadrangles that their first diagonal does not divide."""
    a = np.cross(quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 0])
    b = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 0])
    return np.asarray(np.sum(a * b, axis=1) < 0.0)
