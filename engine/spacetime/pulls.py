"""How forces and blows at points pull at coordinates, and how points move with them. Kernels.

A point is the root plus arms d_j turned with their limbs, so direction . dpoint/dtheta_j = direction . E R(theta_j)
d_j, and derivatives by joint angles are sums over the limbs outboards (3.11, 4.13, 4.32 to 4.35).
"""

from __future__ import annotations

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel


@kernel
def add_pull(parents: IntArray, turn: Array, point: Array, direction: Array, size: float, out_q: Array) -> None:
    """Add size direction . dpoint/dq; `turn` are cosines and sines of the limbs' angles, `point` arms."""
    out_q[0] += size * direction[0]
    out_q[1] += size * direction[1]
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        share = size * (direction[1] * x - direction[0] * y)
        i = j
        while i >= 0:
            out_q[2 + i] += share
            i = parents[i]


@kernel
def add_pull_slopes(
    parents: IntArray, turn: Array, point: Array, direction: Array, size: float, out_matrix: Array
) -> None:
    """Add second derivatives by q of size direction . point."""
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        share = -size * (direction[0] * x + direction[1] * y)
        if share != 0.0:
            i = j
            while i >= 0:
                k = j
                while k >= 0:
                    out_matrix[2 + i, 2 + k] += share
                    k = parents[k]
                i = parents[i]


@kernel
def add_pull_curvature(
    parents: IntArray, turn: Array, point: Array, direction: Array, at: int, size: float, eta: Array, out_matrix: Array
) -> None:
    """Add second derivatives of size direction . (dpoint/dq eta) by q, and by q and the size, which is the function
    `at`, or none if that is -1."""
    for j in range(parents.size):
        x = turn[j, 0] * point[j, 0] - turn[j, 1] * point[j, 1]
        y = turn[j, 1] * point[j, 0] + turn[j, 0] * point[j, 1]
        turning = 0.0
        k = j
        while k >= 0:
            turning += eta[2 + k]
            k = parents[k]
        square = -size * turning * (direction[1] * x - direction[0] * y)
        mixed = -turning * (direction[0] * x + direction[1] * y)
        i = j
        while i >= 0:
            if at >= 0:
                out_matrix[2 + i, at] += mixed
                out_matrix[at, 2 + i] += mixed
            k = j
            while k >= 0:
                out_matrix[2 + i, 2 + k] += square
                k = parents[k]
            i = parents[i]
