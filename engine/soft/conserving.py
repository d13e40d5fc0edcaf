"""Weights by which the points of a body share a force on a spline point so that its sum and torque are kept.

Engell-Norregard 2012 (87) asks for the least forces F_j that average to f, and says that sum and torque follow; they do
not (`transfers.py` measures by how much). Here both are constraints, as the end of section 20.4 proposes: with
F_j = B_j f for every f, the sum is kept if sum_j B_j = 1, and the torque if sum_j B_j x_j = p. Of all such B the one of
least sum_j B_j^2 / (a_j m_j) is taken, the least kinetic energy that f can give to a region of memberships a:

    B_j = w_j (1 + d^T S^+ (x_j - c)),   w_j = a_j m_j / sum a m,   c = sum_j w_j x_j,   d = p - c,
    S = sum_j w_j (x_j - c)(x_j - c)^T.

Without the second term these are the rows of A (86). The constraint on the torque has to hold in the pose of the
moment, so the point that the force acts on is *defined* as p = sum_j B_j x_j, which at rest is where it was drawn.

A region whose points lie in a plane, a line or a place that p is not in has no such weights, and one that p lies far
outside of has large ones. With l2 = d^T S^+ d the weights have sum |B_j| <= sqrt(1 + l2); beyond `FARTHEST` the corners
of the cell that holds p are added to the region, and where that is not enough they alone carry it, by the weights that
embed p.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.soft.embedding import Embedding, Weights

FARTHEST = 8.0
"""Largest l2, the squared distance of a spline point from the middle of its region beside the region's width."""

_FLAT = 1e-10  # of the widest squared width: a direction that a region does not extend in
_MISSED = 1e-9  # of the width of the region


def conserving_weights(
    points: Array, masses: Array, places: Array, embedding: Embedding, regions: Weights
) -> tuple[Weights, tuple[int, ...]]:
    """Find the weights of each spline point over its region, and which regions had to be widened."""
    rows, values, widened = [], [], []
    width = len(embedding.weights.points) // max(len(places), 1)
    for number, place in enumerate(places):
        mine = slice(regions.starts[number], regions.starts[number + 1])
        row, members = regions.points[mine], regions.values[mine]
        found = _least_weights(points[row], members * masses[row], place)
        if found is None:
            widened.append(number)
            cell = slice(number * width, (number + 1) * width)
            row, members = _with_corners(row, members, embedding.weights.points[cell])
            found = _least_weights(points[row], members * masses[row], place)
            if found is None:
                row, found = embedding.weights.points[cell], embedding.weights.values[cell]
        rows.append(row)
        values.append(found)
    starts = np.concatenate((np.zeros(1, np.int64), np.cumsum([len(row) for row in rows]))).astype(np.int32)
    return Weights(starts, np.concatenate(rows).astype(np.int32), np.concatenate(values)), tuple(widened)


def _least_weights(points: Array, shares: Array, place: Array) -> Array | None:
    """Solve for the least weights; None where there are none, or large ones alone."""
    shares = shares / shares.sum()
    centre = shares @ points
    around, away = points - centre, place - centre
    spread = (around * shares[:, None]).T @ around
    widths, axes = np.linalg.eigh(spread)
    wide = widths > max(_FLAT * widths[-1], 1e-300)
    along = axes.T @ away
    size = max(float(np.sqrt(widths.sum())), 1e-300)
    if np.linalg.norm(along[~wide]) > _MISSED * size:
        return None
    if float(np.sum(along[wide] ** 2 / widths[wide])) > FARTHEST:
        return None
    slope = axes[:, wide] @ (along[wide] / widths[wide])
    return np.asarray(shares * (1.0 + around @ slope))


def _with_corners(row: IntArray, members: Array, corners: IntArray) -> tuple[IntArray, Array]:
    """Add the corners of a cell to a region."""
    new = np.setdiff1d(corners, row)
    return np.concatenate((row, new)).astype(np.int32), np.concatenate((members, np.ones(len(new))))
