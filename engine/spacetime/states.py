"""The state at a point of a piece, and how derivatives by it become derivatives by coefficients. Kernels.

All that depends on a motion at one time is a function F(a, v, h) of the functions' values a, their rates v = b / h and
the length h of a piece, b being derivatives by u; a and b are sums of coefficients times the bases there. So

    dF/db = F_v / h,   dF/dh at fixed b = F_h - F_v . v / h

and second derivatives follow: with w = -v / h,

    d2F/da dh = F_ah + F_av w,   d2F/db dh = (F_vh + F_vv w - F_v / h) / h,
    d2F/dh2 = F_hh + 2 F_hv . w + w . F_vv w + 2 F_v . v / h2

Second derivatives by (a, v) are one symmetric matrix, values first.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import entered_kernel, kernel
from engine.spacetime.bases import COEFFICIENTS
from engine.spacetime.lagrangian import Pairs, new_pairs
from engine.spacetime.layout import PackedProblem


class FunctionSlopes(NamedTuple):
    """Derivatives of some F at a state."""

    by_a: Array  # [functions], F_a
    by_v: Array  # [functions], F_v
    by_ah: Array  # [functions], F_ah
    by_vh: Array  # [functions], F_vh
    matrix: Array  # [2 functions, 2 functions], second derivatives by (a, v)


class StateWork(NamedTuple):
    """Memory for one state and the derivatives of some F there."""

    a: Array  # [functions]
    v: Array  # [functions]
    pairs: Pairs
    p: Array  # [coordinates]
    g: Array  # [coordinates]
    second: Array  # [2 coordinates, 2 coordinates], of L
    third: Array  # [2 coordinates, 2 coordinates], of L along one direction
    of: FunctionSlopes
    along: Array  # [2, functions], directions zeta and eta
    pulls: Array  # [forces, coordinates]


@entered_kernel
def new_state_work(problem: PackedProblem) -> StateWork:
    """Make memory for a problem."""
    functions, limbs = problem.kinds.shape[1], problem.figure.parents.size
    n = limbs + 2
    of = FunctionSlopes(
        np.zeros(functions),
        np.zeros(functions),
        np.zeros(functions),
        np.zeros(functions),
        np.zeros((2 * functions, 2 * functions)),
    )
    return StateWork(
        np.zeros(functions),
        np.zeros(functions),
        new_pairs(limbs),
        np.zeros(n),
        np.zeros(n),
        np.zeros((2 * n, 2 * n)),
        np.zeros((2 * n, 2 * n)),
        of,
        np.zeros((2, functions)),
        np.zeros((problem.forces.size, n)),
    )


@kernel
def read_state(
    kinds: IntArray, firsts: IntArray, piece: int, bases: Array, x: Array, h: float, out_a: Array, out_v: Array
) -> None:
    """Set values and rates of all functions, by the bases of a point and their derivatives: [2 or more, kinds, 4]."""
    for i in range(out_a.size):
        kind = kinds[i]
        first = firsts[i] + kind * piece
        a, b = 0.0, 0.0
        for c in range(COEFFICIENTS[kind]):
            a += bases[0, kind, c] * x[first + c]
            b += bases[1, kind, c] * x[first + c]
        out_a[i], out_v[i] = a, b / h


@kernel
def add_gradient(
    kinds: IntArray,
    count: int,
    bases: Array,
    h: float,
    by_h: float,
    v: Array,
    by_a: Array,
    by_v: Array,
    out_row: Array,
) -> None:
    """Add dF by the local coefficients, given F_a, F_v and F_h; `count` is that of the stage's pieces."""
    of_length = by_h
    for i in range(v.size):
        of_value, of_slope = by_a[i], by_v[i] / h
        of_length -= of_slope * v[i]
        if of_value != 0.0 or of_slope != 0.0:
            kind = kinds[i]
            for c in range(COEFFICIENTS[kind]):
                out_row[4 * i + c] += of_value * bases[0, kind, c] + of_slope * bases[1, kind, c]
    out_row[4 * v.size] += of_length / count


@kernel
def add_curvature(kinds: IntArray, bases: Array, h: float, matrix: Array, out_block: Array) -> None:
    """Add d2F by the local coefficients, the first at least the second, but for those of the length."""
    functions = matrix.shape[0] // 2
    for i in range(functions):
        kind = kinds[i]
        for j in range(i + 1):
            other = kinds[j]
            aa, av = matrix[i, j], matrix[i, functions + j] / h
            va, vv = matrix[functions + i, j] / h, matrix[functions + i, functions + j] / (h * h)
            if aa == 0.0 and av == 0.0 and va == 0.0 and vv == 0.0:
                continue
            for c in range(COEFFICIENTS[kind]):
                by_value = aa * bases[0, kind, c] + va * bases[1, kind, c]
                by_slope = av * bases[0, kind, c] + vv * bases[1, kind, c]
                for d in range(c + 1 if i == j else COEFFICIENTS[other]):
                    out_block[4 * i + c, 4 * j + d] += by_value * bases[0, other, d] + by_slope * bases[1, other, d]


@kernel
def add_length_curvature(
    kinds: IntArray, count: int, bases: Array, h: float, v: Array, of: FunctionSlopes, out_block: Array
) -> None:
    """Add the row of the stage's length."""
    functions, matrix, twice = v.size, of.matrix, 0.0
    for i in range(functions):
        by_a, by_v = of.by_ah[i], of.by_vh[i]
        twice += -2.0 * of.by_vh[i] * v[i] / h + 2.0 * of.by_v[i] * v[i] / (h * h)
        for k in range(functions):
            by_a -= matrix[i, functions + k] * v[k] / h
            by_v -= matrix[functions + i, functions + k] * v[k] / h
            twice += v[i] * matrix[functions + i, functions + k] * v[k] / (h * h)
        by_b = (by_v - of.by_v[i] / h) / h
        kind = kinds[i]
        for c in range(COEFFICIENTS[kind]):
            out_block[4 * functions, 4 * i + c] += (by_a * bases[0, kind, c] + by_b * bases[1, kind, c]) / count
    out_block[4 * functions, 4 * functions] += twice / (count * count)


@kernel
def add_to_variables(
    kinds: IntArray, firsts: IntArray, length: int, piece: int, row: Array, out_gradient: Array
) -> None:
    """Add a row of local coefficients to a gradient by all variables; `length` is the variable that is the length."""
    for i in range(kinds.size):
        kind = kinds[i]
        first = firsts[i] + kind * piece
        for c in range(COEFFICIENTS[kind]):
            out_gradient[first + c] += row[4 * i + c]
    out_gradient[length] += row[4 * kinds.size]
