"""Costs that are squares of what depends on accelerations, and their derivatives by coefficients. Kernels.

For rho(q, v, a) with v = b / h and accelerations a = c / h^2, b and c derivatives by u: derivatives by h at fixed
coefficients are D = -(v . d/dv + 2 a . d/da) / h, and

    d2/dh2 = (v . rho_vv v + 4 v . rho_va a + 4 a . rho_aa a + 2 rho_v . v + 6 rho_a . a) / h2
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.spacetime.bases import COEFFICIENTS
from engine.spacetime.layout import PackedProblem


class SquareWork(NamedTuple):
    """Memory for one rho at one state."""

    a: Array  # [coordinates], accelerations
    slope: Array  # [3, coordinates], rho by q, v and a
    bend: Array  # [3 coordinates, 3 coordinates]
    row: Array  # [4 functions + 1], rho by the local coefficients
    total: Array  # [4 functions + 1], costs by the local coefficients, over a piece


@kernel
def new_square_work(problem: PackedProblem) -> SquareWork:
    """Make memory for a problem."""
    n, width = problem.figure.parents.size + 2, 4 * problem.kinds.shape[1] + 1
    return SquareWork(np.zeros(n), np.zeros((3, n)), np.zeros((3 * n, 3 * n)), np.zeros(width), np.zeros(width))


@entered_kernel
def read_accelerations(
    kinds: IntArray, firsts: IntArray, piece: int, bends: Array, x: Array, h: float, out_a: Array
) -> None:
    """Set the accelerations of all coordinates."""
    for i in range(out_a.size):
        kind = kinds[i]
        first, found = firsts[i] + kind * piece, 0.0
        for c in range(COEFFICIENTS[kind]):
            found += bends[kind, c] * x[first + c]
        out_a[i] = found / (h * h)


@kernel
def add_square(
    kinds: IntArray,
    count: int,
    layers: Array,
    h: float,
    cost: float,
    sigma: float,
    rho: float,
    v: Array,
    work: SquareWork,
    out_block: Array,
) -> None:
    """Add cost h rho^2 at a point to the gradient in the work, and sigma times its second derivatives to a block.

    `layers` are the bases there and their derivatives, `count` the pieces of the stage; slope and bend are used up.
    """
    row, end, share = work.row, work.row.size - 1, 2.0 * sigma * cost
    _set_row(kinds, layers, h, count, v, work)
    for c in range(end + 1):
        work.total[c] += 2.0 * cost * h * rho * row[c]
        out_block[end, c] += share * rho * row[c] / count * (2.0 if c == end else 1.0)
        for d in range(c + 1):
            out_block[c, d] += share * h * row[c] * row[d]
    work.total[end] += cost * rho * rho / count
    factor = share * h * rho
    for i in range(work.bend.shape[0]):
        for j in range(work.bend.shape[0]):
            work.bend[i, j] *= factor
    for layer in range(3):
        for j in range(work.a.size):
            work.slope[layer, j] *= factor
    _add_bends(kinds, layers, h, count, v, work, out_block)


@kernel
def _set_row(kinds: IntArray, layers: Array, h: float, count: int, v: Array, work: SquareWork) -> None:
    """Set first derivatives by the local coefficients."""
    row, slope, of_length = work.row, work.slope, 0.0
    row[:] = 0.0
    for j in range(work.a.size):
        kind = kinds[j]
        of_length -= (slope[1, j] * v[j] + 2.0 * slope[2, j] * work.a[j]) / h
        for c in range(COEFFICIENTS[kind]):
            row[4 * j + c] = slope[0, j] * layers[0, kind, c] + slope[1, j] * layers[1, kind, c] / h
            row[4 * j + c] += slope[2, j] * layers[2, kind, c] / (h * h)
    row[row.size - 1] = of_length / count


@kernel
def _add_bends(
    kinds: IntArray, layers: Array, h: float, count: int, v: Array, work: SquareWork, out_block: Array
) -> None:
    """Add second derivatives by the local coefficients."""
    slope, bend, a = work.slope, work.bend, work.a
    n, end, twice = a.size, out_block.shape[0] - 1, 0.0
    for i in range(n):
        kind = kinds[i]
        for c in range(COEFFICIENTS[kind]):
            first, second, third = layers[0, kind, c], layers[1, kind, c] / h, layers[2, kind, c] / (h * h)
            of_length = -second * slope[1, i] / h - 2.0 * third * slope[2, i] / h
            for j in range(n):
                by_q = first * bend[i, j] + second * bend[n + i, j] + third * bend[2 * n + i, j]
                by_v = first * bend[i, n + j] + second * bend[n + i, n + j] + third * bend[2 * n + i, n + j]
                by_a = first * bend[i, 2 * n + j] + second * bend[n + i, 2 * n + j] + third * bend[2 * n + i, 2 * n + j]
                of_length -= (by_v * v[j] + 2.0 * by_a * a[j]) / h
                if j > i:
                    continue
                other = kinds[j]
                for d in range(c + 1 if i == j else COEFFICIENTS[other]):
                    out_block[4 * i + c, 4 * j + d] += by_q * layers[0, other, d] + by_v * layers[1, other, d] / h
                    out_block[4 * i + c, 4 * j + d] += by_a * layers[2, other, d] / (h * h)
            out_block[end, 4 * i + c] += of_length / count
        twice += 2.0 * slope[1, i] * v[i] + 6.0 * slope[2, i] * a[i]
        for j in range(n):
            twice += v[i] * bend[n + i, n + j] * v[j] + 4.0 * v[i] * bend[n + i, 2 * n + j] * a[j]
            twice += 4.0 * a[i] * bend[2 * n + i, 2 * n + j] * a[j]
    out_block[end, end] += twice / (h * h * count * count)
