"""A region that is painted: weights of the points of a body, 0 to 1, under the touches of a brush. No kernel.

A touch reaches (1 - (r / radius)^2)^2 of its strength at a distance r inside the radius, the whole in the middle third.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3
from engine.maths.arrays import Array

Weighting = NDArray[np.float32]  # shape [point_count]
WHOLE = 1.0 / 3.0  # of the radius, within which a touch has its whole strength


def touched(
    points: Array, weights: Weighting, place: Vector3, *, radius: float, strength: float, erases: bool
) -> Weighting:
    """Paint or erase about a place [m]; returns the identical weights where no point is near."""
    away = np.linalg.norm(points - np.array(place), axis=1) / radius
    near = np.flatnonzero(away < 1.0)
    if not len(near):
        return weights
    beyond = np.clip((away[near] - WHOLE) / (1.0 - WHOLE), 0.0, 1.0)
    share = (strength * (1.0 - beyond**2) ** 2).astype(np.float32)
    found = weights.copy()
    found[near] = np.minimum(found[near], 1.0 - share) if erases else np.maximum(found[near], share)
    return found


def stroke_places(start: Vector3, end: Vector3, radius: float) -> list[Vector3]:
    """List places on the way from one touch to the next, near enough for an even stroke; the first is left out."""
    here, there = np.array(start), np.array(end)
    count = max(int(np.ceil(np.linalg.norm(there - here) / (0.4 * radius))), 1)
    found = []
    for number in range(1, min(count, 200) + 1):
        x, y, z = (here + (there - here) * number / min(count, 200)).tolist()
        found.append((x, y, z))
    return found
