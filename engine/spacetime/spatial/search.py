"""Find motions in space, as `engine.spacetime.search` finds planar ones: from a guess, or from an earlier motion."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import cached_property

from engine.maths.arrays import Array
from engine.optimise.interior_point import solve_in_parts
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.options import SolverEffort
from engine.optimise.report import Iterate, SolveReport
from engine.runtime.progress import finish, unpaused
from engine.spacetime.search import FROM_EARLIER, SolverName, notes_of
from engine.spacetime.spatial.guesses import (
    MotionLike,
    drawn_spatial_guess,
    sampled_spatial_guess,
    straight_spatial_line,
)
from engine.spacetime.spatial.motions import SpatialMotion
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.program import SpatialProgram
from engine.spacetime.spatial.strengths import FEW

USUAL = SolverEffort(barrier=1e-2, gain=0.03)
"""With many joints there are ways to move that hardly change the effort: steps along these are not worth their time."""
AT_FIRST = 15
"""Steps of Gauss and Newton: before feet stand and what is free falls, the curvature of what is missed leads astray."""
CLOSE = 1e-3
"""With `FEW` coordinates steps cost little, and a search goes on until ten of them gain next to nothing."""


@dataclass(frozen=True, eq=False)
class FoundSpatialMotion:
    """A motion that a search has ended with, and what it says of it."""

    motion: SpatialMotion
    report: SolveReport

    @property
    def notes(self) -> tuple[str, ...]:
        """Say which stages with a free length have come to a bound of it."""
        return notes_of(self.motion.problem.stages, self.motion.lengths)


class SpatialSearch:
    """A problem made ready: its program and its linear systems. For several searches."""

    for_coarse = replace(USUAL, iterations=60, violation=1e-4)

    def __init__(self, problem: SpatialProblem, *, solver: SolverName = "interior_point") -> None:
        self.problem, self.program = problem, SpatialProgram(problem)
        self.solver = solver
        gain = CLOSE if len(problem.figure.coordinates) <= FEW else USUAL.gain
        self.usual, self.from_earlier = replace(USUAL, gain=gain), replace(FROM_EARLIER, gain=gain)
        first = AT_FIRST if gain == USUAL.gain else 0
        self.for_between = replace(
            self.usual, iterations=60, gauss_newton=first
        )  # then what meets all demands is taken

    @cached_property
    def system(self) -> NewtonSystem:
        """Where the numbers of its linear systems stand."""
        return NewtonSystem(self.program.shape)

    def straight_line(self) -> Array:
        """Return the usual guess."""
        return straight_spatial_line(self.problem, self.program.layout)

    def drawn(self, seed: int) -> Array:
        """Return another guess, drawn from a seed."""
        return drawn_spatial_guess(self.problem, self.program.layout, seed)

    def coarse(self) -> SpatialSearch:
        """Make the search on two thirds as many pieces: on half as many, splines lead to other minima."""
        stages = tuple(replace(each, pieces=(2 * each.pieces + 2) // 3) for each in self.problem.stages)
        return SpatialSearch(replace(self.problem, stages=stages), solver=self.solver)

    def guess_like(self, motion: MotionLike) -> Array:
        """Return the guess that is another problem's motion of the same functions and stages."""
        return sampled_spatial_guess(self.problem, self.program.layout, motion)

    def iterate(self, guess: Array, effort: SolverEffort | None = None) -> Generator[Iterate, None, FoundSpatialMotion]:
        """Search from a guess; yields after each iteration, and may be closed at any."""
        return unpaused(self.iterate_in_parts(guess, effort))

    def iterate_in_parts(
        self, guess: Array, effort: SolverEffort | None = None
    ) -> Generator[Iterate | None, None, FoundSpatialMotion]:
        """Do so; yields None between the parts of an iteration, too."""
        if self.solver == "ipopt":
            from engine.spacetime import ipopt  # asks for CasADi

            report = yield from ipopt.solve(self.program, guess, effort or self.usual)
        else:
            report = yield from solve_in_parts(self.program, guess, effort or self.usual, system=self.system)
        return FoundSpatialMotion(self.motion(report.last.x), report)

    def find(self, guess: Array | None = None, effort: SolverEffort | None = None) -> FoundSpatialMotion:
        """Search to the end; from the straight line, if no guess is given."""
        return finish(self.iterate_in_parts(self.straight_line() if guess is None else guess, effort))

    def motion(self, x: Array) -> SpatialMotion:
        """Read variables as a motion."""
        return SpatialMotion(self.problem, self.program.layout, x)


def find_spatial_motion(problem: SpatialProblem) -> FoundSpatialMotion:
    """Search from the straight line."""
    return SpatialSearch(problem).find()
