"""Ties: energies of sums of points, d = sum w_j x_j, which enter products without a matrix: contact between bodies.

What a tie adds to a product is w_i H sum w_j p_j, with H the second derivative of its energy by d.
"""

from __future__ import annotations

from typing import NamedTuple

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
