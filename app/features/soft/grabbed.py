"""Grabbed: the spot of a surface that a hand has taken, which goes with the surface. Brings numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True)
class Grabbed:
    """A place in a triangle, by the shares of its corners."""

    corners: tuple[int, int, int]
    shares: tuple[float, float, float]

    @property
    def nearest(self) -> int:
        """The corner that it is nearest to."""
        return self.corners[self.shares.index(max(self.shares))]

    def on(self, positions: NDArray[np.floating]) -> Vector3:
        """Return where the spot is on a surface of these vertices [m], shape [vertex_count, 3]."""
        x, y, z = (np.array(self.shares) @ positions[list(self.corners)].astype(np.float64)).tolist()
        return (x, y, z)


def grab(positions: NDArray[np.floating], triangles: NDArray[np.integer], point: Vector3) -> Grabbed:
    """Return the spot of a surface that is nearest to a point which lies on it, or about on it [m]."""
    corners = positions.astype(np.float64)[triangles]
    first, second, away = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0], np.array(point) - corners[:, 0]
    aa, ab, bb = (np.einsum("ij,ij->i", *each) for each in ((first, first), (first, second), (second, second)))
    pa, pb = np.einsum("ij,ij->i", away, first), np.einsum("ij,ij->i", away, second)
    area = np.maximum(aa * bb - ab * ab, 1e-300)
    u, v = (bb * pa - ab * pb) / area, (aa * pb - ab * pa) / area
    shares = np.clip(np.stack((1.0 - u - v, u, v), axis=1), 0.0, 1.0)
    shares /= shares.sum(axis=1, keepdims=True)
    distances = np.linalg.norm(np.einsum("ij,ijk->ik", shares, corners) - np.array(point), axis=1)
    best = int(np.argmin(distances))
    a, b, c = triangles[best].tolist()
    x, y, z = shares[best].tolist()
    return Grabbed((a, b, c), (x, y, z))
