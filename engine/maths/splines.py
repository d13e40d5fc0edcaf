"""Cubic splines of points that move and of driven coordinates: through all knots, with two continuous derivatives.

At its ends a spline has the third derivative of the cubic through the four knots there (Forsythe, Malcolm and Moler
1977), as SIMM and OpenSim have it; three knots make a parabola, two a line. Beyond its ends it goes on straight.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from engine.maths.arrays import Array


def spline_pieces(knots: Sequence[tuple[float, float]]) -> Array:
    """Return the coefficients of 1, d, d^2, d^3 of each piece, d counted from its first knot; shape [knots - 1, 4]."""
    at, value = np.array(knots, dtype=np.float64).T
    count, width = len(at), np.diff(at)
    slope = np.diff(value) / width
    if count == 2:
        return np.array([[value[0], slope[0], 0.0, 0.0]])
    if count == 3:
        second = (slope[1] - slope[0]) / (at[2] - at[0])
        first = np.array([slope[0] - second * width[0], slope[1] - second * width[1]])
        return np.stack([value[:2], first, np.full(2, second), np.zeros(2)], axis=1)
    # Unknown: a sixth of the second derivative at each knot.
    matrix, right = np.zeros((count, count)), np.zeros(count)
    matrix[0, :2], matrix[-1, -2:] = (-width[0], width[0]), (width[-1], -width[-1])
    right[0] = width[0] ** 2 * _third(at[:4], value[:4])
    right[-1] = -(width[-1] ** 2) * _third(at[-4:], value[-4:])
    for row in range(1, count - 1):
        matrix[row, row - 1 : row + 2] = width[row - 1], 2.0 * (width[row - 1] + width[row]), width[row]
        right[row] = slope[row] - slope[row - 1]
    sixth = np.linalg.solve(matrix, right)
    first = slope - width * (sixth[1:] + 2.0 * sixth[:-1])
    return np.stack([value[:-1], first, 3.0 * sixth[:-1], np.diff(sixth) / width], axis=1)


def spline_value(at: Sequence[float], values: Sequence[float], x: float) -> float:
    """Evaluate the spline through some knots."""
    pieces = spline_pieces(list(zip(at, values, strict=True)))
    if x < at[0]:
        return float(pieces[0, 0] + pieces[0, 1] * (x - at[0]))
    place = min(bisect_right(at, x), len(at) - 1) - 1
    ahead = min(x, at[-1]) - at[place]
    a, b, c, d = pieces[place].tolist()
    beyond = max(0.0, x - at[-1]) * (b + ahead * (2.0 * c + ahead * 3.0 * d))
    return float(a + ahead * (b + ahead * (c + ahead * d)) + beyond)


def _third(at: Array, value: Array) -> float:
    """Return the coefficient of the cube in the cubic through four points."""
    rows = value.copy()
    for order in range(1, 4):
        rows = np.diff(rows) / (at[order:] - at[:-order])
    return float(rows[0])
