"""Damped springs between virtual points of a body, each a weighted sum of its points: what solvers take from splines.

A segment between the virtual points i and i+1, p = sum_j B_ij x_j, pulls with (Engell-Norregard 2012, 77 and 78)

    a = -k (l - alpha l0) e - c e e^T (v_{i+1} - v_i),    l e = p_{i+1} - p_i,

at i+1 and with -a at i, and the body's points feel F_j = sum_i B_ij f_i. The sum of a row of B is 1 and p is the sum at
all times, so sum_j F_j = sum_i f_i and sum_j x_j x F_j = sum_i p_i x f_i in every pose: a spline moves neither the
centre of mass nor turns the body. The springs have the potential k (l - alpha l0)^2 / 2 for a held alpha.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.soft.embedding import Weights, join_weights

LEAST_ALPHA, MOST_ALPHA = 0.0, 100.0
_SHORTEST = 1e-12  # [m] a segment that has no direction


class VirtualSprings(NamedTuple):
    """Segments of all splines of some bodies; all arrays, so that kernels take it as it is."""

    weights: Weights  # a row for each virtual point
    segments: IntArray  # two virtual points, shape [segment_count, 2]
    rest: Array  # [m] rest lengths
    stiffness: Array  # [N/m]
    damping: Array  # [N s/m]
    spline: IntArray  # which spline a segment belongs to
    middle: Array  # the parameter s, 0 to 1, in the middle of each segment

    @property
    def segment_count(self) -> int:
        """Number of segments."""
        return len(self.rest)

    def places(self, points: Array) -> Array:
        """Compute where the virtual points are, shape [row_count, 3]."""
        return self.weights.carried(points)

    def contractions(self, points: Array) -> Array:
        """Compute the length of each segment beside its rest length."""
        places = self.places(points)
        return np.asarray(np.linalg.norm(np.diff(places[self.segments], axis=1)[:, 0], axis=1) / self.rest)

    def forces(self, points: Array, velocities: Array, alphas: Array) -> Array:
        """Compute the forces on the body's points, shape [point_count, 3]."""
        found, work = np.zeros_like(points), self.new_work()
        add_virtual_forces(self, points, velocities, np.ascontiguousarray(alphas, np.float64), work, found)
        return found

    def new_work(self) -> Array:
        """Make room for places, velocities and forces of the virtual points."""
        return np.zeros((3, self.weights.row_count, 3))


def no_springs() -> VirtualSprings:
    """Return virtual springs of a body without splines."""
    none, whole = np.zeros(0), np.zeros(0, np.int32)
    weights = Weights(np.zeros(1, np.int32), whole, none)
    return VirtualSprings(weights, np.zeros((0, 2), np.int32), none, none, none, whole, none)


def join_springs(several: list[VirtualSprings], shift: list[int] | None = None) -> VirtualSprings:
    """Put the springs of several bodies together, whose points are counted from each `shift`."""
    if not several:
        return no_springs()
    rows = np.cumsum([0, *(each.weights.row_count for each in several)])
    splines = np.cumsum([0, *(int(each.spline.max(initial=-1)) + 1 for each in several)])
    segments = [each.segments + row for each, row in zip(several, rows, strict=False)]
    numbers = [each.spline + number for each, number in zip(several, splines, strict=False)]
    return VirtualSprings(
        join_weights([each.weights for each in several], shift),
        np.concatenate(segments).astype(np.int32),
        np.concatenate([each.rest for each in several]),
        np.concatenate([each.stiffness for each in several]),
        np.concatenate([each.damping for each in several]),
        np.concatenate(numbers).astype(np.int32),
        np.concatenate([each.middle for each in several]),
    )


def clamped_alphas(alphas: Array) -> tuple[Array, tuple[str, ...]]:
    """Bring contractions into their range, and say so; what is no number leaves its segment passive."""
    given = np.asarray(alphas, dtype=np.float64)
    lost = ~np.isfinite(given)
    found = np.where(lost, 1.0, given).clip(LEAST_ALPHA, MOST_ALPHA)
    notes = []
    if lost.any():
        notes.append("an activation that is no number: taken as 1, passive")
    if (found[~lost] != given[~lost]).any():
        worst = given[~lost][np.argmax(np.abs(found - given)[~lost])]
        notes.append(f"an activation of {worst:.4g}: held between {LEAST_ALPHA:g} and {MOST_ALPHA:g}")
    return found, tuple(notes)


def damp(stiffness: Array, masses: Array) -> Array:
    """Compute critical damping, c = 2 m / tau with tau = sqrt(m / k) of the reduced masses m (80)."""
    return np.asarray(2.0 * np.sqrt(stiffness * masses))


def reduced_masses(weights: Weights, segments: IntArray, masses: Array) -> Array:
    """Compute the mass that opposes a change of length of each segment.

    Forces a and -a on its ends give the points F = (B_{i+1} - B_i) a, so the ends part with the acceleration
    a sum_j (B_{i+1,j} - B_ij)^2 / m_j. For regions apart it is m1 m2 / (m1 + m2) of the masses of the ends.
    """
    found = np.empty(len(segments))
    change = np.zeros(len(masses))
    for number, (first, second) in enumerate(segments.tolist()):
        mine = slice(weights.starts[first], weights.starts[first + 1])
        other = slice(weights.starts[second], weights.starts[second + 1])
        np.subtract.at(change, weights.points[mine], weights.values[mine])
        np.add.at(change, weights.points[other], weights.values[other])
        touched = np.unique(np.concatenate((weights.points[mine], weights.points[other])))
        found[number] = 1.0 / max(float(np.sum(change[touched] ** 2 / masses[touched])), 1e-300)
        change[touched] = 0.0
    return found


@kernel
def add_virtual_forces(
    springs: VirtualSprings, points: Array, velocities: Array, alphas: Array, work: Array, out_forces: Array
) -> None:
    """Add the forces of all segments to those on the body's points."""
    weights = springs.weights
    carry_both(weights, points, velocities, work[0], work[1])
    pull_segments(springs, work[0], work[1], alphas, work[2])
    for row in range(weights.starts.shape[0] - 1):
        x, y, z = work[2, row, 0], work[2, row, 1], work[2, row, 2]
        for entry in range(weights.starts[row], weights.starts[row + 1]):
            point, value = weights.points[entry], weights.values[entry]
            out_forces[point, 0] += value * x
            out_forces[point, 1] += value * y
            out_forces[point, 2] += value * z


@kernel
def carry_both(weights: Weights, points: Array, velocities: Array, out_places: Array, out_speeds: Array) -> None:
    """Write places and velocities of the virtual points, in one pass over their weights."""
    for row in range(weights.starts.shape[0] - 1):
        x, y, z, u, v, w = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for entry in range(weights.starts[row], weights.starts[row + 1]):
            point, value = weights.points[entry], weights.values[entry]
            x += value * points[point, 0]
            y += value * points[point, 1]
            z += value * points[point, 2]
            u += value * velocities[point, 0]
            v += value * velocities[point, 1]
            w += value * velocities[point, 2]
        out_places[row, 0], out_places[row, 1], out_places[row, 2] = x, y, z
        out_speeds[row, 0], out_speeds[row, 1], out_speeds[row, 2] = u, v, w


@entered_kernel
def pull_segments(springs: VirtualSprings, places: Array, speeds: Array, alphas: Array, out_forces: Array) -> None:
    """Write the sum of the forces of all segments on each virtual point (77 to 79)."""
    out_forces[:] = 0.0
    for number in range(springs.segments.shape[0]):
        i, j = springs.segments[number, 0], springs.segments[number, 1]
        x, y, z = places[j, 0] - places[i, 0], places[j, 1] - places[i, 1], places[j, 2] - places[i, 2]
        length = np.sqrt(x * x + y * y + z * z)
        if length < _SHORTEST:
            continue
        x, y, z = x / length, y / length, z / length
        rate = x * (speeds[j, 0] - speeds[i, 0]) + y * (speeds[j, 1] - speeds[i, 1]) + z * (speeds[j, 2] - speeds[i, 2])
        pull = (
            springs.stiffness[number] * (length - alphas[number] * springs.rest[number])
            + springs.damping[number] * rate
        )
        out_forces[i, 0] += pull * x
        out_forces[i, 1] += pull * y
        out_forces[i, 2] += pull * z
        out_forces[j, 0] -= pull * x
        out_forces[j, 1] -= pull * y
        out_forces[j, 2] -= pull * z
