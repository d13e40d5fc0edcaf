"""The one finite-difference check that every gradient and Jacobian of the project is held against."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.maths.arrays import Array


def central_difference(function: Callable[[Array], Array], x: Array, step: float = 1e-3) -> Array:
    """Jacobian of a vector function by central differences of sixth order, shape [len(f), len(x)]."""
    weights = {1: 45.0, 2: -9.0, 3: 1.0}
    columns = []
    for each in range(len(x)):
        column = 0.0 * np.atleast_1d(function(x))
        for reach, weight in weights.items():
            ahead, behind = x.copy(), x.copy()
            ahead[each] += reach * step
            behind[each] -= reach * step
            column = column + weight * (np.atleast_1d(function(ahead)) - np.atleast_1d(function(behind)))
        columns.append(column / (60.0 * step))
    return np.array(columns).T


def assert_gradient(
    function: Callable[[Array], Array], jacobian: Array, x: Array, *, step: float = 1e-3, tolerance: float = 1e-8
) -> None:
    """Fail unless `jacobian` is the derivative of `function` at `x` within `tolerance` of its largest entry or 1."""
    expected = central_difference(function, x, step)
    scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
    np.testing.assert_allclose(jacobian, expected, rtol=0, atol=tolerance * scale)
