"""Programs of a few variables whose answers are known, and a check of any program's derivatives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.program import NonlinearProgram, ProgramDerivatives, ProgramShape, ProgramValues

INFINITE = np.inf


@dataclass(eq=False, kw_only=True)
class SmallProgram:
    """A program by functions of x: f, c and their derivatives, dense."""

    objective: Callable[[Array], float]
    gradient: Callable[[Array], Array]
    curvature: Callable[[Array], Array]
    constraints: Callable[[Array], Array]
    jacobian: Callable[[Array], Array]
    bend: Callable[[Array, Array], Array]  # of multipliers . c
    lower: Array
    upper: Array
    constraint_lower: Array
    constraint_upper: Array
    names: tuple[str, ...] = ()
    asked: int = field(default=0, init=False)

    @property
    def shape(self) -> ProgramShape:
        variables, count = len(self.lower), len(self.constraint_lower)
        rows, columns = np.indices((count, variables)).reshape(2, -1).astype(np.int32)
        first, second = np.tril_indices(variables)
        return ProgramShape(
            lower=self.lower,
            upper=self.upper,
            scale=np.ones(variables),
            constraint_lower=self.constraint_lower,
            constraint_upper=self.constraint_upper,
            constraint_scale=np.ones(count),
            objective_scale=1.0,
            jacobian_rows=rows,
            jacobian_columns=columns,
            hessian_rows=first.astype(np.int32),
            hessian_columns=second.astype(np.int32),
            variable_times=np.arange(variables, dtype=float),
            constraint_times=np.zeros(count),
        )

    def evaluate(self, x: Array) -> ProgramValues:
        self.asked += 1
        return ProgramValues(self.objective(x), self.constraints(x))

    def differentiate(self, x: Array, multipliers: Array, weight: float, *, curved: bool = True) -> ProgramDerivatives:
        hessian = weight * self.curvature(x) + self.bend(x, multipliers)
        return ProgramDerivatives(
            self.objective(x),
            self.constraints(x),
            self.gradient(x),
            self.jacobian(x).reshape(-1),
            hessian[np.tril_indices(len(x))],
        )

    def describe(self, constraint: int) -> str:
        return self.names[constraint] if self.names else f"demand {constraint}"


def nearest_point(*, aim: Array, rows: Array, lower: Array, upper: Array, least: Array, most: Array) -> SmallProgram:
    """The x nearest to `aim` with lower <= x <= upper and least <= rows x <= most."""
    size = len(aim)
    return SmallProgram(
        objective=lambda x: float(((x - aim) ** 2).sum()),
        gradient=lambda x: 2.0 * (x - aim),
        curvature=lambda x: 2.0 * np.eye(size),
        constraints=lambda x: rows @ x,
        jacobian=lambda x: rows,
        bend=lambda x, y: np.zeros((size, size)),
        lower=lower,
        upper=upper,
        constraint_lower=least,
        constraint_upper=most,
    )


def circle(*, radius: float, least: float = -INFINITE) -> SmallProgram:
    """The lowest point of a circle about the origin whose x is at least so much: two minima unless that is above 0."""
    return SmallProgram(
        objective=lambda x: float(x[1]),
        gradient=lambda x: np.array([0.0, 1.0]),
        curvature=lambda x: np.zeros((2, 2)),
        constraints=lambda x: np.array([x @ x]),
        jacobian=lambda x: 2.0 * x[None],
        bend=lambda x, y: 2.0 * y[0] * np.eye(2),
        lower=np.array([least, -INFINITE]),
        upper=np.array([INFINITE, INFINITE]),
        constraint_lower=np.array([radius**2]),
        constraint_upper=np.array([radius**2]),
        names=("on the circle",),
    )


def dense_jacobian(program: NonlinearProgram, x: Array) -> Array:
    """The Jacobian of all constraints by all variables."""
    shape = program.shape
    found = program.differentiate(x, np.zeros(len(shape.constraint_lower)), 1.0)
    dense = np.zeros((len(shape.constraint_lower), len(shape.lower)))
    used = (shape.jacobian_rows >= 0) & (shape.jacobian_columns >= 0)
    np.add.at(dense, (shape.jacobian_rows[used], shape.jacobian_columns[used]), found.jacobian[used])
    return dense


def dense_hessian(program: NonlinearProgram, x: Array, multipliers: Array, weight: float) -> Array:
    """The Hessian of weight f + multipliers . c."""
    shape = program.shape
    found = program.differentiate(x, multipliers, weight)
    half = np.zeros((len(shape.lower), len(shape.lower)))
    used = (shape.hessian_rows >= 0) & (shape.hessian_columns >= 0)
    np.add.at(half, (shape.hessian_rows[used], shape.hessian_columns[used]), found.hessian[used])
    return half + half.T - np.diag(np.diag(half))


def worst_derivative(program: NonlinearProgram, x: Array, multipliers: Array, *, step: float = 1e-6) -> float:
    """Largest difference of any derivative by free variables from a central difference, beside the largest derivative
    of its kind."""
    free = np.flatnonzero(program.shape.free)

    def gradient(at: Array) -> Array:
        return program.differentiate(at, multipliers, 1.0).gradient.copy()

    def slopes(at: Array) -> Array:
        return 0.7 * gradient(at) + dense_jacobian(program, at).T @ multipliers

    moves = step * np.eye(len(x))[free]
    each = [(program.evaluate(x + move), program.evaluate(x - move)) for move in moves]
    by_objective = np.array([(one.objective - two.objective) / (2 * step) for one, two in each])
    by_constraints = np.array([(one.constraints - two.constraints) / (2 * step) for one, two in each]).T
    by_slopes = np.array([(slopes(x + move) - slopes(x - move)) / (2 * step) for move in moves])
    pairs = (
        (by_objective, gradient(x)[free]),
        (by_constraints, dense_jacobian(program, x)[:, free]),
        (by_slopes[:, free], dense_hessian(program, x, multipliers, 0.7)[np.ix_(free, free)]),
    )
    return max(float(np.abs(one - two).max(initial=0.0) / max(1.0, np.abs(one).max(initial=0.0))) for one, two in pairs)
