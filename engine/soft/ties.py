"""Ties: energies of sums of points, d = sum w_j x_j, which enter products without a matrix.

The springs of activation splines are such ties: d leads from one virtual point to the next, each of them a weighted sum
of many points, so that their blocks would fill the matrix. What they add to a product is w_i H sum w_j p_j.

    E = k / 2 (|d| - alpha l0)^2 + c / (2 dt) (|d| - |d_n|)^2,   n = d / |d|
    H = (k + c / dt) n n^T + max(0, E' / |d|) (1 - n n^T)

with E' the force along n, c the damping and d_n the sum before the step.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.lanes import PLACE


class Tied(NamedTuple):
    """Ties in rows, and what is known of each during a step."""

    starts: IntArray  # shape [tie_count + 1]
    points: IntArray
    weights: Array
    blocks: Array  # H, shape [tie_count, 9]
    number: IntArray  # of ties that there are now, shape [1]


class Strings(NamedTuple):
    """Springs along ties."""

    tied: Tied
    springs: Array  # rest length [m], stiffness [N/m], damping [N s/m]; alpha and |d_n| [m] of the step: [tie_count, 5]


REST_LENGTH, STIFFNESS, DAMPING, ALPHA, BEFORE = 0, 1, 2, 3, 4


def join_rows(
    starts: IntArray, points: IntArray, values: Array, segments: IntArray, shift: int = 0
) -> tuple[IntArray, IntArray, Array]:
    """Subtract rows of weights: for each segment those of its first point from those of its second."""
    counts, joined, weights = [0], [], []
    for first, second in segments:
        own = slice(starts[first], starts[first + 1])
        other = slice(starts[second], starts[second + 1])
        at, inverse = np.unique(np.concatenate([points[own], points[other]]), return_inverse=True)
        total = np.bincount(inverse, weights=np.concatenate([-values[own], values[other]]))
        joined.append(at + shift)
        weights.append(total)
        counts.append(counts[-1] + len(at))
    if not joined:
        return np.zeros(1, np.int32), np.zeros(0, np.int32), np.zeros(0)
    return np.array(counts, np.int32), np.concatenate(joined).astype(np.int32), np.concatenate(weights)


@inlined
def sum_tie(tied: Tied, tie: int, x: Array) -> tuple[float, float, float]:
    """Compute d."""
    a, b, c = 0.0, 0.0, 0.0
    for each in range(tied.starts[tie], tied.starts[tie + 1]):
        at, weight = (3 * tied.points[each]) & PLACE, tied.weights[each]
        a += weight * x[at]
        b += weight * x[at + 1]
        c += weight * x[at + 2]
    return a, b, c


@inlined
def spread_tie(tied: Tied, tie: int, a: float, b: float, c: float, out: Array) -> None:
    """Add a force on d to the points."""
    for each in range(tied.starts[tie], tied.starts[tie + 1]):
        at, weight = (3 * tied.points[each]) & PLACE, tied.weights[each]
        out[at] += weight * a
        out[at + 1] += weight * b
        out[at + 2] += weight * c


@kernel
def add_ties(tied: Tied, given: Array, out: Array) -> None:
    """Add the product of all ties with a vector."""
    h = tied.blocks
    for tie in range(tied.number[0]):
        u, v, w = sum_tie(tied, tie, given)
        a = h[tie, 0] * u + h[tie, 1] * v + h[tie, 2] * w
        b = h[tie, 3] * u + h[tie, 4] * v + h[tie, 5] * w
        c = h[tie, 6] * u + h[tie, 7] * v + h[tie, 8] * w
        spread_tie(tied, tie, a, b, c, out)


@kernel
def begin_strings(strings: Strings, x: Array) -> None:
    """Take the lengths before a step."""
    for tie in range(strings.springs.shape[0]):
        a, b, c = sum_tie(strings.tied, tie, x)
        strings.springs[tie, BEFORE] = math.sqrt(a * a + b * b + c * c)


@kernel
def pull_strings(strings: Strings, x: Array, dt: float, level: int, out_gradient: Array) -> float:
    """Compute the energy of the springs [J]; from level 1 their gradients, from level 2 their blocks."""
    energy, tied = 0.0, strings.tied
    for tie in range(strings.springs.shape[0]):
        spring = strings.springs[tie]
        a, b, c = sum_tie(tied, tie, x)
        length = max(math.sqrt(a * a + b * b + c * c), 1e-12)
        longer, faster = length - spring[ALPHA] * spring[REST_LENGTH], length - spring[BEFORE]
        stiff, slow = spring[STIFFNESS], spring[DAMPING] / dt
        energy += 0.5 * (stiff * longer * longer + slow * faster * faster)
        if level < 1:
            continue
        force = stiff * longer + slow * faster
        a, b, c = a / length, b / length, c / length
        spread_tie(tied, tie, force * a, force * b, force * c, out_gradient)
        if level < 2:
            continue
        around = force / length if level < 3 else max(0.0, force / length)
        along = stiff + slow - around
        h = tied.blocks[tie]
        h[0], h[1], h[2] = along * a * a + around, along * a * b, along * a * c
        h[3], h[4], h[5] = along * b * a, along * b * b + around, along * b * c
        h[6], h[7], h[8] = along * c * a, along * c * b, along * c * c + around
    return energy
