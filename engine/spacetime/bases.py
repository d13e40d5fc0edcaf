"""How a function of time is represented on a stage: polynomials on pieces of equal length, and rules of integration.

Winzell 2004, sections 3.2.1 and 4.4. On a piece u runs from 0 to 1. A Hermite cubic has a value and a slope df/du at
each end (3.25, 3.26), a hat function a value at each end (3.27), a single one the same number on all pieces. What is
held is a hat function that does not move, for the sake of its trial functions. So each has at most four coefficients on
a piece, and the trial functions of the variational equations are the same polynomials. Slopes are by u, not by time:
then paths and their bounds do not depend on the length of a stage.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from engine.maths.arrays import Array

SINGLE, HAT, HERMITE = range(3)
KINDS = {"single": SINGLE, "constant": SINGLE, "hat": HAT, "held": HAT, "hermite": HERMITE}
COEFFICIENTS = (1, 2, 4)
"""Of each kind, on a piece."""

RuleName = Literal["gauss", "simpson"]

_SIMPSON_INTERVALS = 8


class QuadratureRule(NamedTuple):
    """Points of a piece: weights, and what each coefficient of each kind gives there."""

    weights: Array  # [points]
    layers: Array  # [points, 3, kinds, 4]: values, first and second derivatives by u


def basis(u: float) -> Array:
    """Values of the coefficients of each kind at u: [kinds, 4]."""
    return np.array(
        [
            [1.0, 0.0, 0.0, 0.0],
            [1.0 - u, u, 0.0, 0.0],
            [1.0 + u * u * (2.0 * u - 3.0), u * (1.0 - u) ** 2, u * u * (3.0 - 2.0 * u), u * u * (u - 1.0)],
        ]
    )


def basis_slope(u: float) -> Array:
    """Their derivatives by u."""
    return np.array(
        [
            [0.0, 0.0, 0.0, 0.0],
            [-1.0, 1.0, 0.0, 0.0],
            [6.0 * u * (u - 1.0), (1.0 - u) * (1.0 - 3.0 * u), 6.0 * u * (1.0 - u), u * (3.0 * u - 2.0)],
        ]
    )


def basis_bend(u: float) -> Array:
    """Their second derivatives by u."""
    found = np.zeros((3, 4))
    found[HERMITE] = [12.0 * u - 6.0, 6.0 * u - 4.0, 6.0 - 12.0 * u, 6.0 * u - 2.0]
    return found


def control_point(index: int) -> Array:
    """Return the inner control points, 1 and 2, of a Hermite cubic in Bézier's form, within whose hull it lies."""
    found = basis(0.0 if index == 1 else 1.0)
    found[HERMITE] = [1.0, 1.0 / 3.0, 0.0, 0.0] if index == 1 else [0.0, 0.0, 1.0, -1.0 / 3.0]
    return found


@cache
def quadrature(name: RuleName, points: int = 4) -> QuadratureRule:
    """Gauss and Legendre's rule, or Simpson's (4.36) with as many intervals on each piece as make it as exact."""
    if name == "gauss":
        nodes, weights = np.polynomial.legendre.leggauss(points)
        places, shares = (nodes + 1.0) / 2.0, weights / 2.0
    else:
        places = np.linspace(0.0, 1.0, _SIMPSON_INTERVALS + 1)
        shares = np.full(len(places), 2.0)
        shares[1::2], shares[0], shares[-1] = 4.0, 1.0, 1.0
        shares /= 3.0 * _SIMPSON_INTERVALS
    return QuadratureRule(shares, np.array([[basis(u), basis_slope(u), basis_bend(u)] for u in places]))
