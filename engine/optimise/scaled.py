"""A program in scaled variables, its inequalities with slacks: what an interior-point method works on.

Symbols: x the free variables over their scales, then the slacks of the inequalities; theta the sum of all violations.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.program import NonlinearProgram

_PUSH = 0.1  # how far from its bounds a start is moved, beside their size and distance and the barrier
_MOST_PUSH = 1e-2


@dataclass
class TriedPoint:
    """ProgramValues at one x."""

    x: Array
    objective: float
    residual: Array  # [constraints]
    raw_constraints: Array

    @property
    def theta(self) -> float:
        """Sum of all violations."""
        return float(np.abs(self.residual).sum())

    @property
    def worst(self) -> float:
        """Largest violation."""
        return float(np.abs(self.residual).max(initial=0.0))


@dataclass
class SearchPoint(TriedPoint):
    """ProgramValues and derivatives at one x."""

    gradient: Array  # of the variables
    jacobian: Array  # as the system sums it
    hessian: Array  # as the program gives it


class ScaledProgram:
    """The program, and its bounds as those of x."""

    def __init__(self, program: NonlinearProgram, system: NewtonSystem) -> None:
        shape = program.shape
        self.program, self.system, self.free = program, system, system.free
        self.fixed = np.where(shape.free, 0.0, shape.lower)
        self.scale, self.objective_scale = shape.scale[self.free], shape.objective_scale
        self.ranged = np.flatnonzero(~shape.equal)
        self.equations = np.flatnonzero(shape.equal)
        self.aims = (shape.constraint_lower / shape.constraint_scale)[self.equations]
        of_slacks = shape.constraint_scale[self.ranged]
        self.least = np.concatenate(
            [shape.lower[self.free] / self.scale, shape.constraint_lower[self.ranged] / of_slacks]
        )
        self.most = np.concatenate(
            [shape.upper[self.free] / self.scale, shape.constraint_upper[self.ranged] / of_slacks]
        )
        self.has_lower, self.has_upper = np.isfinite(self.least), np.isfinite(self.most)
        self._least = np.where(self.has_lower, self.least, 0.0)
        self._most = np.where(self.has_upper, self.most, 0.0)

    def place(self, whole: Array) -> Array:
        """Return x at a program's variables, slacks as the constraints are."""
        found = self.program.evaluate(np.where(self.program.shape.free, whole, self.fixed))
        slacks = found.constraints[self.ranged] / self.program.shape.constraint_scale[self.ranged]
        return np.concatenate([whole[self.free] / self.scale, slacks])

    def whole(self, x: Array) -> Array:
        """Return a program's variables at x."""
        found = self.fixed.copy()
        found[self.free] = x[: len(self.free)] * self.scale
        return found

    def inside(self, x: Array, mu: float) -> Array:
        """Move x off its bounds."""
        push = min(_MOST_PUSH, _PUSH * mu)
        width = self.most - self.least
        low = np.minimum(push * np.maximum(1.0, np.abs(self.least)), push * width)
        high = np.minimum(push * np.maximum(1.0, np.abs(self.most)), push * width)
        x = np.where(self.has_lower, np.maximum(x, self.least + np.where(self.has_lower, low, 0.0)), x)
        found: Array = np.where(self.has_upper, np.minimum(x, self.most - np.where(self.has_upper, high, 0.0)), x)
        return found

    def distances(self, x: Array) -> tuple[Array, Array]:
        """Distances from lower and upper bounds; 1 from those that are none."""
        return np.where(self.has_lower, x - self._least, 1.0), np.where(self.has_upper, self._most - x, 1.0)

    def longest(self, x: Array, dx: Array, share: float) -> float:
        """How far x may go along dx and use no more than that share of any distance."""
        below, above = self.distances(x)
        down, up = (dx < 0.0) & self.has_lower, (dx > 0.0) & self.has_upper
        least = (-share * below[down] / dx[down]).min(initial=1.0)
        return float(min(least, (share * above[up] / dx[up]).min(initial=1.0)))

    def barrier(self, trial: TriedPoint, mu: float) -> float:
        """The barrier objective phi."""
        below, above = self.distances(trial.x)
        logs = np.log(below[self.has_lower]).sum() + np.log(above[self.has_upper]).sum()
        return float(trial.objective - mu * logs)

    def evaluate(self, x: Array) -> TriedPoint:
        """Evaluate without derivatives."""
        found = self.program.evaluate(self.whole(x))
        constraints = found.constraints.copy()
        return TriedPoint(x, found.objective / self.objective_scale, self._residual(x, constraints), constraints)

    def differentiate(self, x: Array, y: Array, *, curved: bool = True) -> SearchPoint:
        """Evaluate with derivatives, the Hessian with multipliers y; or (not `curved`) with none, and without second
        derivatives of what is squared."""
        shape, weight = self.program.shape, 1.0 / self.objective_scale
        multipliers = y / shape.constraint_scale if curved else np.zeros_like(y)
        found = self.program.differentiate(self.whole(x), multipliers, weight, curved=curved)
        constraints = found.constraints.copy()
        return SearchPoint(
            x,
            found.objective / self.objective_scale,
            self._residual(x, constraints),
            constraints,
            found.gradient[self.free] * self.scale / self.objective_scale,
            self.system.sum_jacobian(found.jacobian),
            found.hessian,
        )

    def _residual(self, x: Array, constraints: Array) -> Array:
        residual = constraints / self.program.shape.constraint_scale
        residual[self.equations] -= self.aims
        residual[self.ranged] -= x[len(self.free) :]
        return residual
