"""Cubic splines on pieces of equal length, with two continuous derivatives and clamped ends.

A stage of n pieces has n + 3 coefficients for a coordinate, half as many as Hermite cubics, and accelerations that are
continuous, so that torques computed from the motion do not jump between pieces. A path lies within the hull of its
coefficients (de Boor 1978), so bounds on these cannot be violated anywhere. The first and last coefficients are the
values at the ends.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engine.maths.arrays import Array

DEGREE = 3


def spline_count(pieces: int) -> int:
    """How many coefficients a coordinate has on a stage."""
    return pieces + DEGREE


def greville(pieces: int) -> Array:
    """Where each coefficient stands, as a share of the stage."""
    knots = _knots(pieces)
    return np.array([knots[i + 1 : i + 4].mean() for i in range(pieces + DEGREE)]) / pieces


@cache
def piece_spline(pieces: int, piece: int) -> Array:
    """Polynomials of the four coefficients of a piece: [4, 4], powers of u ascending in columns."""
    rows = []
    places = np.array([0.0, 1.0, 2.0, 3.0]) / 3.0
    powers = np.linalg.inv(np.vander(places, increasing=True))
    knots = _knots(pieces)
    for i in range(piece, piece + 4):
        rows.append(powers @ [_value(knots, i, DEGREE, piece + u, piece) for u in places])
    return np.array(rows)


def spline_basis(pieces: int, piece: int, u: float) -> Array:
    """Values, slopes and bends by u of the four coefficients of a piece: [3, 4]."""
    rows = piece_spline(pieces, piece)
    powers = [[1.0, u, u * u, u**3], [0.0, 1.0, 2.0 * u, 3.0 * u * u], [0.0, 0.0, 2.0, 6.0 * u]]
    found: Array = np.array(powers) @ rows.T
    return found


def fit_spline(pieces: int, values: Array, slopes: tuple[Array, Array]) -> Array:
    """Find coefficients [n + 3, ...] through values where pieces end [n + 1, ...]; slopes by share are of both ends."""
    count = spline_count(pieces)
    matrix, right = np.zeros((count, count)), np.zeros((count, *values.shape[1:]))
    for node in range(pieces + 1):
        piece = min(node, pieces - 1)
        matrix[node + 1, piece : piece + 4] = spline_basis(pieces, piece, float(node - piece))[0]
        right[node + 1] = values[node]
    matrix[0, :4] = pieces * spline_basis(pieces, 0, 0.0)[1]
    matrix[-1, -4:] = pieces * spline_basis(pieces, pieces - 1, 1.0)[1]
    right[0], right[-1] = slopes
    return np.asarray(np.linalg.solve(matrix, right), np.float64)


def _knots(pieces: int) -> Array:
    return np.concatenate([np.zeros(DEGREE), np.arange(pieces + 1), np.full(DEGREE, float(pieces))])


def _value(knots: Array, i: int, degree: int, t: float, piece: int) -> float:
    """The recursion of Cox and de Boor, of the polynomial of one piece."""
    if degree == 0:
        return float(i == piece + DEGREE)
    found = 0.0
    if knots[i + degree] > knots[i]:
        found += float(t - knots[i]) / (knots[i + degree] - knots[i]) * _value(knots, i, degree - 1, t, piece)
    if knots[i + degree + 1] > knots[i + 1]:
        share = float(knots[i + degree + 1] - t) / (knots[i + degree + 1] - knots[i + 1])
        found += share * _value(knots, i + 1, degree - 1, t, piece)
    return found
