"""Kernels: a polygon cut into triangles by clipping ears (Meisters 1975).

An ear is a convex corner whose triangle holds no other corner. The first in the order of the polygon is clipped; where
rounding leaves none, the first corner. At most n^3 / 6 tests for n corners; few are made where most corners fail early.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, LongArray
from engine.runtime.jit import kernel


@kernel
def find_ears(flat: Array) -> LongArray:
    """Cut a polygon in the plane, its corners counter-clockwise, into triangles: places of corners, [n - 2, 3]."""
    count = len(flat)
    left, found = np.arange(count), np.empty((count - 2, 3), dtype=np.int64)
    for clipped in range(count - 3):
        size, ear = count - clipped, 0
        for place in range(size):
            if is_ear(flat, left, size, place):
                ear = place
                break
        found[clipped, 0], found[clipped, 1] = left[(ear + size - 1) % size], left[ear]
        found[clipped, 2] = left[(ear + 1) % size]
        for place in range(ear, size - 1):
            left[place] = left[place + 1]
    for place in range(3):
        found[count - 3, place] = left[place]
    return found


@kernel
def is_ear(flat: Array, left: LongArray, size: int, place: int) -> bool:
    """Tell whether a corner of those that are left is an ear."""
    before, after = (place + size - 1) % size, (place + 1) % size
    a, b, c = flat[left[before]], flat[left[place]], flat[left[after]]
    if side_of(a, b, c) <= 0.0:
        return False
    for other in range(size):
        if other in (before, place, after):
            continue
        p = flat[left[other]]
        if side_of(a, b, p) >= 0.0 and side_of(b, c, p) >= 0.0 and side_of(c, a, p) >= 0.0:
            same = (p[0] == a[0] and p[1] == a[1]) or (p[0] == b[0] and p[1] == b[1]) or (p[0] == c[0] and p[1] == c[1])
            if not same:
                return False
    return True


@kernel
def side_of(a: Array, b: Array, p: Array) -> float:
    """Twice the signed area of a, b and p."""
    return float((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]))
