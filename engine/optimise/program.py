"""A non-linear program: find the x within bounds for which an objective is least and constraints hold.

    least f(x)   with   x_l <= x <= x_u,   c_l <= c(x) <= c_u

What a solver asks of one is `NonlinearProgram`. First and second derivatives come as numbers of a pattern that does
not change: entry i of the Jacobian belongs to `jacobian_rows[i]`, `jacobian_columns[i]`, and entries of the same place
add up; a row or column of -1 is padding. The Hessian names each pair of variables in one order.

`variable_times` and `constraint_times` say where in time each stands. They decide in which order a solver eliminates
them, and have no influence on the answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel


@dataclass(frozen=True, eq=False, kw_only=True)
class ProgramShape:
    """Holds what does not change of a program: bounds (infinite ones are none), scales, patterns, places in time."""

    lower: Array  # [variables]
    upper: Array
    scale: Array  # [variables], what is a large change of each
    constraint_lower: Array  # [constraints]
    constraint_upper: Array
    constraint_scale: Array
    objective_scale: float
    jacobian_rows: IntArray
    jacobian_columns: IntArray
    hessian_rows: IntArray
    hessian_columns: IntArray
    variable_times: Array
    constraint_times: Array

    def __post_init__(self) -> None:
        _check_bounds("the bounds of a variable", self.lower, self.upper)
        _check_bounds("the bounds of a constraint", self.constraint_lower, self.constraint_upper)

    @property
    def free(self) -> BoolArray:
        """True for variables whose bounds leave them any choice."""
        found: BoolArray = self.lower < self.upper
        return found

    @property
    def equal(self) -> BoolArray:
        """True for constraints that are equations."""
        found: BoolArray = self.constraint_lower == self.constraint_upper
        return found


class ProgramValues(NamedTuple):
    """A program at one x."""

    objective: float
    constraints: Array


class ProgramDerivatives(NamedTuple):
    """A program and its derivatives at one x; the Hessian is that of `weight` f + multipliers . c."""

    objective: float
    constraints: Array
    gradient: Array
    jacobian: Array
    hessian: Array


class NonlinearProgram(Protocol):
    """Answers what a solver asks."""

    @property
    def shape(self) -> ProgramShape: ...

    def evaluate(self, x: Array) -> ProgramValues:
        """Return objective and constraints."""
        ...

    def differentiate(self, x: Array, multipliers: Array, weight: float, *, curved: bool = True) -> ProgramDerivatives:
        """Return them with first and second derivatives; the arrays may be written over by the next call.

        Not `curved`: the Hessian may leave out second derivatives of what the objective squares (Gauss and Newton)."""
        ...

    def describe(self, constraint: int) -> str:
        """Say in a few words which demand a constraint is, and when."""
        ...


def violations(shape: ProgramShape, constraints: Array) -> Array:
    """By how much each constraint lies outside its bounds, in its own unit."""
    outside = np.maximum(shape.constraint_lower - constraints, constraints - shape.constraint_upper)
    found: Array = np.maximum(outside, 0.0)
    return found


def _check_bounds(what: str, lower: Array, upper: Array) -> None:
    crossed = np.flatnonzero(~(lower <= upper))
    if len(crossed):
        at = int(crossed[0])
        found = f"{lower[at]:g} to {upper[at]:g} (number {at})"
        raise InvalidArguments(what=what, value=found, allowed="a lower bound that is not above the upper one")


@kernel
def multiply_sparse(rows: IntArray, columns: IntArray, values: Array, x: Array, out_product: Array) -> None:
    """A x, of a matrix by its entries."""
    out_product[:] = 0.0
    for i in range(values.size):
        out_product[rows[i]] += values[i] * x[columns[i]]
