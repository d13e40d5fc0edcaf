"""The linear systems of an interior-point method for one program: where its numbers stand, assembly, solution.

    | W + S + delta 1   J^T |  | dx |     | r |
    | J                 -E  |  | dy |  =  | t |

W is the Hessian of the Lagrangian, S the diagonal of the barrier, J the Jacobian; E is 0 for equations, and for
inequalities the inverse of the same diagonal for their slacks, which are eliminated beforehand. Unknowns are ordered by
time: variables where they stand, constraints after the last variable that they read.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray, LongArray
from engine.optimise.frontal import (
    NEGATIVE,
    TOO_WIDE,
    ZERO,
    factorise,
    measure_width,
    multiply_symmetric,
    new_factor,
    solve_factored,
)
from engine.optimise.program import ProgramShape, multiply_sparse
from engine.runtime.jit import kernel

_REFINED = 3  # times that a solution is improved
_SPARE = 48  # rows of the front beyond those that are needed if no pivot waits


@kernel
def add_at(values: Array, source: IntArray, target: IntArray, scale: Array, out_values: Array) -> None:
    """out[target] += scale values[source], entry by entry."""
    for i in range(source.size):
        out_values[target[i]] += scale[i] * values[source[i]]


class Scatter:
    """Numbers of a program's pattern, scaled and summed at the places of the free variables."""

    def __init__(self, source: LongArray, target: LongArray, scale: Array, size: int) -> None:
        self.source, self.target, self.scale = source.astype(np.int32), target.astype(np.int32), scale
        self.size = size

    def sum(self, values: Array, out_values: Array) -> None:
        """Add the numbers to those that are there."""
        add_at(values, self.source, self.target, self.scale, out_values)


class NewtonSystem:
    """Places of all numbers, for one shape; holds the last matrix and its factor."""

    def __init__(self, shape: ProgramShape) -> None:
        self.free = np.flatnonzero(shape.free)
        self.variables, self.constraints = len(self.free), len(shape.constraint_lower)
        self.size = self.variables + self.constraints
        place = np.full(len(shape.lower) + 1, -1)
        place[self.free] = np.arange(self.variables)
        rows, columns = shape.jacobian_rows, place[shape.jacobian_columns]
        used = np.flatnonzero((rows >= 0) & (columns >= 0))
        jacobian_scale = shape.scale[shape.jacobian_columns[used]] / shape.constraint_scale[rows[used]]
        wide = max(self.variables, 1)
        keys, inverse = np.unique(rows[used].astype(np.int64) * wide + columns[used], return_inverse=True)
        self.rows, self.columns = (keys // wide).astype(np.int32), (keys % wide).astype(np.int32)
        self.jacobian = Scatter(used, inverse, jacobian_scale, len(keys))
        first, second = place[shape.hessian_rows], place[shape.hessian_columns]
        kept = np.flatnonzero((first >= 0) & (second >= 0))
        hessian_scale = shape.scale[shape.hessian_rows[kept]] * shape.scale[shape.hessian_columns[kept]]
        self._order(shape)
        self._place(kept, first[kept], second[kept], hessian_scale)
        self.slots = np.zeros(self.size, np.int32)
        self.factor = new_factor(self.size, measure_width(self.starts, self.places, self.last) + _SPARE)

    def _order(self, shape: ProgramShape) -> None:
        """Give each unknown its place: by time, a constraint after all that it reads."""
        times = shape.variable_times[self.free]
        latest = shape.constraint_times.astype(float).copy()
        np.maximum.at(latest, self.rows, times[self.columns])
        kind = np.repeat([0, 1], [self.variables, self.constraints])
        each = np.concatenate([times, latest])
        order = np.lexsort((np.arange(self.size), kind, each))
        self.pauses = np.append(np.diff(each[order]) > 0.0, True)[: self.size].astype(np.int32)
        self.position = np.empty(self.size, np.int64)
        self.position[order] = np.arange(self.size)

    def _place(self, kept: LongArray, first: LongArray, second: LongArray, scale: Array) -> None:
        """Find the rows of the lower triangle, and where each number of Hessian and Jacobian goes in them."""
        one = np.concatenate([self.position[first], self.position[self.variables + self.rows]])
        two = np.concatenate([self.position[second], self.position[self.columns]])
        low, high = np.minimum(one, two), np.maximum(one, two)
        off = low != high
        keys, inverse = np.unique(high[off] * self.size + low[off], return_inverse=True)
        high_of, low_of = keys // max(self.size, 1), keys % max(self.size, 1)
        self.starts = np.searchsorted(high_of, np.arange(self.size + 1)).astype(np.int32)
        self.places, self.entries = low_of.astype(np.int32), len(keys)
        self.last = np.arange(self.size, dtype=np.int32)
        np.maximum.at(self.last, self.places, high_of.astype(np.int32))
        target = np.empty(len(one), np.int64)
        target[off] = inverse
        target[~off] = self.entries + low[~off]
        self.hessian = Scatter(kept, target[: len(kept)], scale, self.entries + self.size)
        self.jacobian_targets = target[len(kept) :].astype(np.int32)
        self.matrix = np.zeros(self.entries + self.size)
        self.diagonal = self.entries + self.position

    def assemble(self, hessian: Array | None, jacobian: Array, diagonal: Array) -> None:
        """Put together the matrix: `jacobian` as summed, `diagonal` of all unknowns."""
        self.matrix[:] = 0.0
        if hessian is not None:
            self.hessian.sum(hessian, self.matrix)
        self.matrix[self.jacobian_targets] += jacobian
        self.kept = self.matrix[self.diagonal]
        self.matrix[self.diagonal] += diagonal

    def change_diagonal(self, diagonal: Array) -> None:
        """Give the assembled matrix another diagonal beside that of the Hessian."""
        self.matrix[self.diagonal] = self.kept + diagonal

    def factorise(self) -> tuple[int, int]:
        """Factorise; return how many eigenvalues are negative, and how many pivots were zero."""
        while True:
            entries = self.matrix[: self.entries]
            found = factorise(
                self.starts,
                self.places,
                entries,
                self.matrix[self.entries :],
                self.last,
                self.pauses,
                self.slots,
                self.factor,
            )
            if found != TOO_WIDE:
                return int(self.factor.counts[NEGATIVE]), int(self.factor.counts[ZERO])
            self.factor = new_factor(self.size, min(self.size, 2 * len(self.factor.front)) + 1)

    def solve(self, right: Array) -> Array:
        """Solve for variables and multipliers, in the order of the program."""
        b = np.empty(self.size)
        b[self.position] = right
        x = b.copy()
        solve_factored(self.factor, x)
        product = np.empty(self.size)
        aim = 1e-14 * float(np.abs(b).max(initial=0.0))
        for _ in range(_REFINED):
            multiply_symmetric(
                self.starts, self.places, self.matrix[: self.entries], self.matrix[self.entries :], x, product
            )
            rest = b - product
            if not float(np.abs(rest).max(initial=0.0)) > aim:
                break
            solve_factored(self.factor, rest)
            x += rest
        found: Array = x[self.position]
        return found

    def sum_jacobian(self, values: Array) -> Array:
        """Sum a program's Jacobian, of scaled constraints by scaled variables, at `rows` and `columns`."""
        out = np.zeros(self.jacobian.size)
        self.jacobian.sum(values, out)
        return out

    def times(self, jacobian: Array, x: Array) -> Array:
        """J x."""
        out = np.empty(self.constraints)
        multiply_sparse(self.rows, self.columns, jacobian, x, out)
        return out

    def transposed(self, jacobian: Array, y: Array) -> Array:
        """J^T y."""
        out = np.empty(self.variables)
        multiply_sparse(self.columns, self.rows, jacobian, y, out)
        return out
