"""Welding: one vertex for all of a surface that stand in one place, as along its sharp edges and seams."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray

_SAME = 1e-6  # of a surface's size


def welded(positions: Array, triangles: NDArray[np.integer[Any]]) -> tuple[Array, IntArray, IntArray]:
    """Give the places [m], triangles without those of no area, and which of the old vertices each place is of."""
    size = max(float(np.ptp(positions, axis=0).max(initial=0.0)), 1e-12)
    _, first, same = np.unique(np.round(positions / (_SAME * size)), axis=0, return_index=True, return_inverse=True)
    found = same.reshape(-1)[triangles.astype(np.int64)].astype(np.int32)
    wide = (found[:, 0] != found[:, 1]) & (found[:, 1] != found[:, 2]) & (found[:, 2] != found[:, 0])
    return np.asarray(positions[first]), np.ascontiguousarray(found[wide]), first.astype(np.int32)
