"""Found: what a solver made of a drag."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.ik.constrained import ConstraintForce
    from engine.ik.problem import Problem
    from engine.ik.solver import Answer
    from engine.maths.arrays import Array

Poses = tuple["Array", ...]


@dataclass(frozen=True, eq=False)
class Found:
    """The result of one solver: the poses of all that moved, and numbers for its report."""

    poses: Poses
    answer: Answer  # of the last solve
    problem: Problem
    iterations: int
    evaluations: int
    seconds: float
    branch_changed: bool
    turns: bool = False  # whether joints turn further with the next answer, though no goal may ask for it
    forces: tuple[ConstraintForce, ...] = ()  # of what is held, by its number in `Drag.held`
