"""Look for a point that violates constraints less, whatever the objective: damped Gauss-Newton steps within bounds.

Each step is the least of 1/2 |c + J dx|^2 + rho/2 |dx|^2 + 1/2 dx . S dx (Levenberg and Marquardt), S a barrier's
stiffness mu / distance^2, shortened to stay within bounds. Where such steps end without having got far, the point is
one from which every way raises the sum of squares: the demands cannot be met near there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.scaled import ScaledProgram, SearchPoint, TriedPoint

LESS_VIOLATED = 0.9
_STEPS = 60
_LEAST_RHO, _MOST_RHO = 1e-10, 1e12
_STALLED = 1e-10  # relative decrease that is none


@dataclass(frozen=True, eq=False)
class Lessened:
    """Where the steps ended, and whether it is far enough."""

    x: Array
    enough: bool


def lessen_violation(
    scaled: ScaledProgram, start: SearchPoint, mu: float, enough: Callable[[TriedPoint], bool]
) -> Generator[None, None, Lessened]:
    """Step until `enough`, or until nothing is won any more; pauses after each step."""
    point, rho, still = start, 1e-4, 0
    for _ in range(_STEPS):
        dx = _step(scaled, point, mu, rho)
        step = scaled.longest(point.x, dx, 0.99)
        trial = scaled.evaluate(point.x + step * dx)
        before, after = _squares(point), _squares(trial)
        if np.isfinite(after) and after < before:
            still = still + 1 if after > (1.0 - _STALLED) * before else 0
            point = scaled.differentiate(trial.x, np.zeros(len(point.residual)))
            rho = max(_LEAST_RHO, rho / 5.0)
            if enough(point):
                return Lessened(point.x, True)
            if still > 2:
                break
        else:
            rho *= 10.0
            if rho > _MOST_RHO:
                break
        yield None
    return Lessened(point.x, False)


def _squares(trial: TriedPoint) -> float:
    return float(trial.residual @ trial.residual)


def _step(scaled: ScaledProgram, point: SearchPoint, mu: float, rho: float) -> Array:
    system, count = scaled.system, scaled.system.variables
    below, above = scaled.distances(point.x)
    stiffness = rho + np.where(scaled.has_lower, mu / below**2, 0.0) + np.where(scaled.has_upper, mu / above**2, 0.0)
    diagonal = np.concatenate([stiffness[:count], -np.ones(system.constraints)])
    diagonal[count + scaled.ranged] -= 1.0 / stiffness[count:]
    system.assemble(None, point.jacobian, diagonal)
    system.factorise()
    found = system.solve(np.concatenate([np.zeros(count), -point.residual]))
    return np.concatenate([found[:count], found[count:][scaled.ranged] / stiffness[count:]])
