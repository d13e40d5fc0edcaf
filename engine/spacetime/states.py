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

from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.spacetime.bases import COEFFICIENTS
from engine.spacetime.lagrangian import Pairs, new_pairs
from engine.spacetime.layout import PackedProblem


class StateRoom(NamedTuple):
    """Room for one state and the derivatives of some F there."""

    a: Array  # [functions]
    v: Array  # [functions]
    pairs: Pairs
    p: Array  # [coordinates]
    g: Array  # [coordinates]
    second: Array  # [2 coordinates, 2 coordinates], of L
    third: Array  # [2 coordinates, 2 coordinates], of L along one direction
    matrix: Array  # [2 functions, 2 functions], second derivatives of F by (a, v)
    by_a: Array  # [functions], F_a
    by_v: Array  # [functions], F_v
    by_ah: Array  # [functions], F_ah
    by_vh: Array  # [functions], F_vh
    along: Array  # [2, functions], directions zeta and eta
    pulls: Array  # [forces, coordinates]


@kernel
def new_state_room(problem: PackedProblem) -> StateRoom:
    """Make room for a problem."""
    functions, limbs = problem.kinds.shape[1], problem.figure.parents.size
    n = limbs + 2
    return StateRoom(
        np.zeros(functions),
        np.zeros(functions),
        new_pairs(limbs),
        np.zeros(n),
        np.zeros(n),
        np.zeros((2 * n, 2 * n)),
        np.zeros((2 * n, 2 * n)),
        np.zeros((2 * functions, 2 * functions)),
        np.zeros(functions),
        np.zeros(functions),
        np.zeros(functions),
        np.zeros(functions),
        np.zeros((2, functions)),
        np.zeros((problem.forces.size, n)),
    )


@kernel
def read_state(
    problem: PackedProblem, stage: int, piece: int, values: Array, slopes: Array, x: Array, out_room: StateRoom
) -> float:
    """Set values and rates of all functions, by the bases [kinds, 4] of a point; return the length of the piece."""
    h = x[problem.lengths[stage]] / problem.counts[stage]
    for i in range(problem.kinds.shape[1]):
        kind = problem.kinds[stage, i]
        first = problem.firsts[stage, i] + kind * piece
        a, b = 0.0, 0.0
        for c in range(COEFFICIENTS[kind]):
            a += values[kind, c] * x[first + c]
            b += slopes[kind, c] * x[first + c]
        out_room.a[i], out_room.v[i] = a, b / h
    return float(h)


@kernel
def add_gradient(
    problem: PackedProblem,
    stage: int,
    values: Array,
    slopes: Array,
    h: float,
    by_h: float,
    room: StateRoom,
    out_row: Array,
) -> None:
    """Add dF by the local coefficients, given F_a, F_v and F_h."""
    functions = problem.kinds.shape[1]
    of_length = by_h
    for i in range(functions):
        by_a, by_b = room.by_a[i], room.by_v[i] / h
        of_length -= by_b * room.v[i]
        if by_a != 0.0 or by_b != 0.0:
            kind = problem.kinds[stage, i]
            for c in range(COEFFICIENTS[kind]):
                out_row[4 * i + c] += by_a * values[kind, c] + by_b * slopes[kind, c]
    out_row[4 * functions] += of_length / problem.counts[stage]


@kernel
def add_curvature(
    problem: PackedProblem, stage: int, values: Array, slopes: Array, h: float, room: StateRoom, out_block: Array
) -> None:
    """Add d2F by the local coefficients, the first at least the second."""
    functions, kinds, matrix = problem.kinds.shape[1], problem.kinds, room.matrix
    for i in range(functions):
        kind = kinds[stage, i]
        for j in range(i + 1):
            other = kinds[stage, j]
            aa, av = matrix[i, j], matrix[i, functions + j] / h
            va, vv = matrix[functions + i, j] / h, matrix[functions + i, functions + j] / (h * h)
            if aa == 0.0 and av == 0.0 and va == 0.0 and vv == 0.0:
                continue
            for c in range(COEFFICIENTS[kind]):
                by_value = aa * values[kind, c] + va * slopes[kind, c]
                by_slope = av * values[kind, c] + vv * slopes[kind, c]
                for d in range(c + 1 if i == j else COEFFICIENTS[other]):
                    out_block[4 * i + c, 4 * j + d] += by_value * values[other, d] + by_slope * slopes[other, d]
    if problem.free_lengths[stage]:
        _add_curvature_of_length(problem, stage, values, slopes, h, room, out_block)


@kernel
def _add_curvature_of_length(
    problem: PackedProblem, stage: int, values: Array, slopes: Array, h: float, room: StateRoom, out_block: Array
) -> None:
    """Add the row of the stage's length."""
    functions, count = problem.kinds.shape[1], problem.counts[stage]
    matrix, v = room.matrix, room.v
    twice = 0.0
    for i in range(functions):
        by_a, by_v = room.by_ah[i], room.by_vh[i]
        twice += -2.0 * room.by_vh[i] * v[i] / h + 2.0 * room.by_v[i] * v[i] / (h * h)
        for k in range(functions):
            by_a -= matrix[i, functions + k] * v[k] / h
            by_v -= matrix[functions + i, functions + k] * v[k] / h
            twice += v[i] * matrix[functions + i, functions + k] * v[k] / (h * h)
        by_b = (by_v - room.by_v[i] / h) / h
        kind = problem.kinds[stage, i]
        for c in range(COEFFICIENTS[kind]):
            out_block[4 * functions, 4 * i + c] += (by_a * values[kind, c] + by_b * slopes[kind, c]) / count
    out_block[4 * functions, 4 * functions] += twice / (count * count)


@kernel
def add_to_variables(problem: PackedProblem, stage: int, piece: int, row: Array, out_gradient: Array) -> None:
    """Add a row of local coefficients to a gradient by all variables."""
    functions = problem.kinds.shape[1]
    for i in range(functions):
        kind = problem.kinds[stage, i]
        first = problem.firsts[stage, i] + kind * piece
        for c in range(COEFFICIENTS[kind]):
            out_gradient[first + c] += row[4 * i + c]
    out_gradient[problem.lengths[stage]] += row[4 * functions]
