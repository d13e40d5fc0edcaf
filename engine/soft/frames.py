"""Rotations of the points of soft bodies: those nearest to how their neighbours lie now over how they lay at rest.

The gradient of a point is taken in least squares over the points joined to it, weighted by one over the squared
distance, times the stiffness of the cells between them, so that all points of a stiff bone have its one rotation;
points whose neighbours lie in a line, or nearly, keep the identity.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, LongArray
from engine.runtime.jit import kernel
from engine.soft.corotational import rotate_lanes
from engine.soft.lanes import PLACE, L
from engine.soft.pattern import Pattern


class PointFrames(NamedTuple):
    """Weights that the rotations of points are found by."""

    slopes: Array  # of each joined pair, for the first and the second point: shape [block_count, 6]
    offsets: Array  # added to the gradient of each point, shape [point_count, 9]


def find_frames(points: Array, pattern: Pattern, planar: NDArray[np.bool_], stiffness: Array) -> PointFrames:
    """Compute the weights by which each point's neighbours give its gradient; `stiffness` of each block of the pattern,
    times that of the rest."""
    rows = np.repeat(np.arange(len(points)), np.diff(pattern.starts))
    own = rows == pattern.columns
    away = points[pattern.columns] - points[rows]
    near = np.where(own, 0.0, 1.0 / np.maximum(np.sum(away * away, axis=1), 1e-300))
    offsets = np.zeros((len(points), 3, 3))
    offsets[planar, 2, 2] = 1.0
    spread = np.linalg.eigvalsh(_moments(pattern, rows, near, away) + offsets)
    thin = spread[:, 0] < 1e-3 * spread[:, 2]
    weights = near * stiffness
    moments = _moments(pattern, rows, weights, away)
    offsets[thin], moments[thin] = np.eye(3), np.eye(3)
    inverse = np.linalg.inv(moments + np.where(thin[:, None, None], 0.0, offsets))
    first = weights[:, None] * np.einsum("kij,kj->ki", inverse[rows], away) * ~thin[rows, None]
    second = weights[:, None] * np.einsum("kij,kj->ki", inverse[pattern.columns], away) * ~thin[pattern.columns, None]
    return PointFrames(np.concatenate([first, second], axis=1), offsets.reshape(-1, 9))


def _moments(pattern: Pattern, rows: LongArray, weights: Array, away: Array) -> Array:
    """Sum the weighted squares of the ways from each point to those joined to it."""
    parts = weights[:, None, None] * away[:, :, None] * away[:, None, :]
    found = np.zeros((len(pattern.starts) - 1, 3, 3))
    np.add.at(found, rows, parts)
    np.add.at(found, pattern.columns, parts)
    return found


@kernel
def turn_points(pattern: Pattern, frames: PointFrames, x: Array, buffer: Array, out_frames: Array) -> None:
    """Find the rotation of each point; shape of all: [point_count * 9]."""
    sum_gradients(pattern, frames, x, out_frames)
    count = pattern.starts.shape[0] - 1
    for first in range(0, count, L):
        rotate_lanes(first, count, buffer, out_frames)


@kernel
def sum_gradients(pattern: Pattern, frames: PointFrames, x: Array, out_frames: Array) -> None:
    """Sum up the gradient at each point."""
    count = pattern.starts.shape[0] - 1
    for point in range(count):
        for each in range(9):
            out_frames[9 * point + each] = frames.offsets[point, each]
    for point in range(count):
        a = (9 * point) & PLACE
        for place in range(pattern.starts[point] + 1, pattern.starts[point + 1]):
            other = pattern.columns[place]
            b = (9 * other) & PLACE
            for row in range(3):
                away = x[3 * other + row] - x[3 * point + row]
                for way in range(3):
                    out_frames[a + 3 * row + way] += away * frames.slopes[place, way]
                    out_frames[b + 3 * row + way] += away * frames.slopes[place, 3 + way]
