"""Constraints that say twice the same, or contradict each other, found before a search by the rank of their rows.

Equations whose gradients, at a point near the start but not a special one, are sums of those before them are
redundant where their values agree, and contradictory where they do not. An equation of one variable that asks for a
value outside the bounds of that variable is found as well. Inequalities take no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.maths.arrays import Array, IntArray, LongArray
from engine.optimise.program import NonlinearProgram, ProgramShape
from engine.runtime.jit import kernel

_LEAST = 1e-9  # of a row of length 1, when it counts as nothing
_SHARE = 1e-6  # of another row in it, that is named
_MOVED = 1e-2  # how far the point is from the start, in scaled variables
_NAMED = 3
_FEW = 12  # equations that can be called a contradiction; of more, their number is what matters


@dataclass(frozen=True, kw_only=True)
class Dependence:
    """An equation that follows from others, or contradicts them by `amount`, in its own unit."""

    constraint: int
    others: tuple[int, ...]
    amount: float
    contradictory: bool
    words: str

    def __str__(self) -> str:
        return self.words


def find_dependent(
    program: NonlinearProgram, start: Array, *, tolerance: float = 1e-6, moved: float = _MOVED
) -> tuple[Dependence, ...]:
    """List redundant and contradictory equations, the contradictory first.

    Equations that are not linear and say twice the same differ by about `moved`, in scaled variables, where none does
    contradict another.
    """
    shape = program.shape
    aside = np.random.default_rng(0).normal(size=len(start)) * moved * shape.scale
    x = np.where(shape.free, start + aside, shape.lower)
    found = program.differentiate(x, np.zeros(len(shape.constraint_lower)), 1.0)
    equations = np.flatnonzero(shape.equal)
    rows, length = _dense(shape, equations, found.jacobian)
    values = (found.constraints - shape.constraint_lower)[equations] / length
    shares = np.eye(len(equations))
    dependent = eliminate_rows(rows.copy(), shares)
    listed = [_describe(program, equations, shares[at], values, length, int(at), tolerance) for at in dependent]
    listed += _outside(program, equations, rows, values, x, tolerance)
    return tuple(sorted(listed, key=lambda each: not each.contradictory))


@kernel
def eliminate_rows(rows: Array, out_shares: Array) -> IntArray:
    """Reduce each row by those before; list those of which nothing is left, `out_shares` holding of which they are
    sums."""
    count, width = rows.shape
    pivots = np.full(count, -1, np.int32)
    dependent = np.empty(count, np.int32)
    found = 0
    for i in range(count):
        for k in range(i):
            if pivots[k] >= 0 and rows[i, pivots[k]] != 0.0:
                share = rows[i, pivots[k]] / rows[k, pivots[k]]
                for c in range(width):
                    rows[i, c] -= share * rows[k, c]
                for c in range(k + 1):
                    out_shares[i, c] -= share * out_shares[k, c]
                rows[i, pivots[k]] = 0.0
        best, at = 0.0, -1
        for c in range(width):
            if abs(rows[i, c]) > best:
                best, at = abs(rows[i, c]), c
        if best > _LEAST:
            pivots[i] = at
        else:
            dependent[found] = i
            found += 1
    return dependent[:found]


def _dense(shape: ProgramShape, equations: LongArray, jacobian: Array) -> tuple[Array, Array]:
    """Rows of the equations by free variables, scaled to length 1, and what each was divided by."""
    place = np.full(len(shape.constraint_lower) + 1, -1)
    place[equations] = np.arange(len(equations))
    column = np.full(len(shape.lower) + 1, -1)
    free = np.flatnonzero(shape.free)
    column[free] = np.arange(len(free))
    rows, columns = place[shape.jacobian_rows], column[shape.jacobian_columns]
    used = np.flatnonzero((rows >= 0) & (columns >= 0))
    dense = np.zeros((len(equations), len(free)))
    np.add.at(dense, (rows[used], columns[used]), jacobian[used] * shape.scale[shape.jacobian_columns[used]])
    length = np.sqrt((dense**2).sum(axis=1))
    length = np.where(length > _LEAST * shape.constraint_scale[equations], length, shape.constraint_scale[equations])
    return dense / length[:, None], length


def _describe(
    program: NonlinearProgram,
    equations: LongArray,
    shares: Array,
    values: Array,
    length: Array,
    at: int,
    tolerance: float,
) -> Dependence:
    amount = float(abs(shares @ values) * length[at])
    others = [int(k) for k in np.argsort(-np.abs(shares), kind="stable") if k != at and abs(shares[k]) > _SHARE]
    names = [program.describe(int(equations[k])) for k in others[:_NAMED]]
    contradictory = amount > tolerance
    of = "; ".join(names) + (f" and {len(others) - _NAMED} more" if len(others) > _NAMED else "")
    verb = f"contradicts (by {amount:.3g})" if contradictory else "follows from"
    if len(others) > _FEW and contradictory:
        verb, of = "finds nothing free:", f"{len(others)} equations leave no choice, among them {of}"
    elif not others:
        of = "what does not change"
    words = f"{program.describe(int(equations[at]))} {verb} {of}"
    constraints = tuple(int(equations[k]) for k in others)
    return Dependence(
        constraint=int(equations[at]), others=constraints, amount=amount, contradictory=contradictory, words=words
    )


def _outside(
    program: NonlinearProgram, equations: LongArray, rows: Array, values: Array, x: Array, tolerance: float
) -> list[Dependence]:
    """Equations of one variable that ask for a value outside its bounds."""
    shape, found = program.shape, []
    free = np.flatnonzero(shape.free)
    for at in np.flatnonzero((rows != 0.0).sum(axis=1) == 1):
        column = int(np.flatnonzero(rows[at])[0])
        variable = int(free[column])
        asked = float(x[variable] - values[at] / rows[at, column] * shape.scale[variable])
        amount = max(float(shape.lower[variable]) - asked, asked - float(shape.upper[variable]))
        if amount > tolerance:
            bounds = f"{shape.lower[variable]:.4g} to {shape.upper[variable]:.4g}"
            words = f"{program.describe(int(equations[at]))} asks for {asked:.4g}, outside its bounds, {bounds}"
            constraint = int(equations[at])
            found.append(Dependence(constraint=constraint, others=(), amount=amount, contradictory=True, words=words))
    return found
