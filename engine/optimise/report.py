"""Tells of a search, while it goes on and when it ends, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.program import NonlinearProgram, violations

Ending = Literal["solved", "no way", "tired", "stopped"]

WORST = 3  # demands that are named


@dataclass(frozen=True, eq=False, kw_only=True)
class Iterate:
    """One iteration: the numbers and the x that it has come to."""

    iteration: int
    objective: float
    violation: float  # of the constraint that is violated most
    slope: float  # of the Lagrangian, in scaled variables
    x: Array


@dataclass(frozen=True, kw_only=True)
class Unmet:
    """A constraint that does not hold: its number, what it demands, by how much it is missed."""

    constraint: int
    demand: str
    amount: float
    unit: str = ""

    def __str__(self) -> str:
        return f"{self.demand}: missed by {self.amount:.3g} {self.unit}".rstrip()


@dataclass(frozen=True, eq=False, kw_only=True)
class SolveReport:
    """How a search ended: solved; no way, where nothing nearby violates less; tired, of its iterations; stopped, by
    whoever looked at it."""

    ending: Ending
    last: Iterate
    multipliers: Array  # of the constraints, of the objective as it is
    unmet: tuple[Unmet, ...]  # the worst of them first
    settled: bool = False  # solved but for steps that gain little
    notes: tuple[str, ...] = ()  # sentences about the problem

    @property
    def solved(self) -> bool:
        """True if all constraints hold and no step nearby makes the objective less, or not by much."""
        return self.ending == "solved"

    def __str__(self) -> str:
        return " ".join((self._ended(), *self.notes))

    def _ended(self) -> str:
        count = f"{self.last.iteration} iterations"
        if self.settled:
            return f"Settled in {count}: objective {self.last.objective:.6g}."
        if self.solved:
            return f"Solved in {count}: objective {self.last.objective:.6g}."
        heads = {"no way": "No motion nearby meets all demands (after {}).", "stopped": "Stopped after {}."}
        head = heads.get(self.ending, "Not solved after {}.").format(count)
        return f"{head} {sentence(self.unmet)}".strip()


def sentence(unmet: Sequence[Unmet]) -> str:
    """Say which demands are missed."""
    return "Missed most: " + "; ".join(map(str, unmet)) + "." if unmet else ""


def worst_of(program: NonlinearProgram, constraints: Array, *, tolerance: float) -> tuple[Unmet, ...]:
    """List the constraints that are violated most, beyond a tolerance."""
    amounts = violations(program.shape, constraints)
    order = np.argsort(-amounts, kind="stable")[:WORST]
    return tuple(
        Unmet(constraint=int(at), demand=program.describe(int(at)), amount=float(amounts[at]))
        for at in order
        if not amounts[at] <= tolerance
    )
