"""The force transfers that Engell-Norregard 2012 prints, with what each of them loses.

The force f_i on a spline point is to be the mean of the forces F_j on its region, weighted by mass (84): b = A F with
the rows A_ij = a_ij m_j / sum_j a_ij m_j (86), those of several splines below each other (94). The least F is

    F = A^T (A A^T)^-1 b (89),

of which the conjugate gradients and the iteration (91) are ways to get, and F = A^T b (93) the first step. Section 20.4
says that sum and torque are kept by construction. They are not: (89) solves for the *mean*, so sum_j F_j is about as
many times f_i as the region has points, and forces that sum to 0 on regions of different sizes no longer do. A^T b has
the right sum, since rows of A sum to 1, but acts at the middle of the region, not at p_i: its torque is off by their
distance. (91) goes from the one to the other, as slowly as A A^T is far from 1. `conserving.py` has what keeps both;
these are for comparison. They are explicit forces of the pose before a step, at the points that cells carry (76).
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.embedding import Weights
from engine.soft.splines import BoundSplines
from engine.soft.virtual_springs import VirtualSprings, pull_segments

Kind = Literal["conserving", "pseudo-inverse", "conjugate-gradients", "iterated", "one-step"]
TRANSFERS: dict[Kind, str] = {
    "conserving": "keeps sum and torque exactly",
    "pseudo-inverse": "the least forces of the given mean (89)",
    "conjugate-gradients": "the same, up to a tolerance",
    "iterated": "by steps along the gradient (91)",
    "one-step": "the first of those steps, A^T b (93)",
}
_DEPENDENT = 1e-12  # of the largest eigenvalue of A A^T: a row that others make up


class Drift(NamedTuple):
    """Losses of a transfer, relative to the sum of the forces on the spline points, and for torque to that times the
    size of the body."""

    force: float  # of sum_j F_j - sum_i f_i
    torque: float  # of sum_j x_j x F_j - sum_i p_i x f_i
    mean: float  # of A F - b, which the source asks to be 0


@dataclass(eq=False)
class Transfer:
    """A printed transfer of the forces of bound splines; `multipliers` are kept from step to step."""

    kind: Kind
    averages: csr_array  # A, shape [row_count, point_count]
    inverse: Array  # of A A^T, shape [row_count, row_count]; empty where it is not used
    multipliers: Array  # lambda, shape [row_count, 3]
    steps: int = 1  # of (91) in each call
    tolerance: float = 1e-8  # of conjugate gradients
    used: int = 0  # steps of the last call

    def forces(self, forces: Array) -> Array:
        """Hand forces on spline points, shape [row_count, 3], to the body's points, shape [point_count, 3]."""
        rows, right = self.averages, np.asarray(forces, dtype=np.float64)
        if self.kind == "one-step":
            return np.asarray(rows.T @ right)
        if self.kind == "pseudo-inverse":
            return np.asarray(rows.T @ (self.inverse @ right))
        if self.kind == "iterated":
            for _ in range(self.steps):
                self.multipliers = self.multipliers + right - rows @ (rows.T @ self.multipliers)
            self.used = self.steps
        else:
            self.multipliers, self.used = _conjugate_gradients(rows, right, self.multipliers, self.tolerance)
        return np.asarray(rows.T @ self.multipliers)


def make_transfer(kind: Kind, regions: Weights, masses: Array, *, steps: int = 1, tolerance: float = 1e-8) -> Transfer:
    """Prepare a printed transfer for the regions of all splines of a body."""
    if kind not in TRANSFERS or kind == "conserving":
        raise InvalidArguments(what="the transfer", value=kind, allowed=", ".join(list(TRANSFERS)[1:]))
    rows = average_rows(regions, masses)
    inverse = np.zeros((0, 0))
    if kind == "pseudo-inverse":
        values, vectors = np.linalg.eigh((rows @ rows.T).toarray())
        kept = values > _DEPENDENT * values[-1]
        inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T
    return Transfer(kind, rows, inverse, np.zeros((regions.row_count, 3)), steps, tolerance)


def average_rows(regions: Weights, masses: Array) -> csr_array:
    """Compute the rows of A (86)."""
    shares = regions.values * masses[regions.points]
    totals = np.add.reduceat(shares, regions.starts[:-1])
    shares = shares / np.repeat(totals, np.diff(regions.starts))
    return csr_array((shares, regions.points, regions.starts), shape=(regions.row_count, len(masses)))


def explicit_forces(bound: BoundSplines, transfer: Transfer, points: Array, velocities: Array, alphas: Array) -> Array:
    """Compute the forces of bound splines on the body's points in one pose, by a printed transfer."""
    places, speeds = bound.embedding.carried(points), bound.embedding.carried(velocities)
    return transfer.forces(spline_forces(bound.springs, places, speeds, alphas))


def spline_forces(springs: VirtualSprings, places: Array, speeds: Array, alphas: Array) -> Array:
    """Compute the forces f on all spline points (79), shape [row_count, 3]."""
    found = np.empty_like(places)
    pull_segments(springs, places, speeds, np.ascontiguousarray(alphas, np.float64), found)
    return found


def measure_drift(averages: csr_array, points: Array, places: Array, given: Array, found: Array) -> Drift:
    """Measure what the forces `found` on a body's points lose of those `given` on the spline points."""
    scale = max(float(np.linalg.norm(given, axis=1).sum()), 1e-300)
    size = max(float(np.ptp(points, axis=0).max()), 1e-300)
    lost = found.sum(axis=0) - given.sum(axis=0)
    turned = np.cross(points, found).sum(axis=0) - np.cross(places, given).sum(axis=0)
    mean = averages @ found - given
    return Drift(
        float(np.linalg.norm(lost)) / scale,
        float(np.linalg.norm(turned)) / (scale * size),
        float(np.abs(mean).max()) / max(float(np.abs(given).max()), 1e-300),
    )


def _conjugate_gradients(rows: csr_array, right: Array, start: Array, tolerance: float) -> tuple[Array, int]:
    """Solve A A^T lambda = b for three coordinates at once, from an earlier answer."""
    found = start.copy()
    left = right - rows @ (rows.T @ found)
    way, squared = left.copy(), np.sum(left * left, axis=0)
    least = (tolerance**2) * np.maximum(np.sum(right * right, axis=0), 1e-300)
    count = 0
    while (squared > least).any() and count < 4 * len(right):
        ahead = rows @ (rows.T @ way)
        curve = np.sum(way * ahead, axis=0)
        step = np.where((squared > least) & (curve > 0.0), squared / np.where(curve > 0.0, curve, 1.0), 0.0)
        found += step * way
        left -= step * ahead
        now = np.sum(left * left, axis=0)
        way = left + np.where(squared > 0.0, now / np.where(squared > 0.0, squared, 1.0), 0.0) * way
        squared, count = now, count + 1
    return found, count
