"""Find motions: from a guess, again from an earlier motion, or the best of several minima.

A solver ends in the local minimum that its guess lies near (Winzell 2004, section 6.1). Which minima there are is seen
at a fraction of the cost on fewer pieces: `find_best` searches there from several guesses and takes the best few of
what it finds to all pieces, as guesses that are nearly right.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from engine.maths.arrays import Array
from engine.optimise.interior_point import solve_in_parts
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.options import SolverEffort
from engine.optimise.report import Iterate, SolveReport
from engine.runtime.progress import finish, telling, unpaused
from engine.spacetime.guesses import drawn_guess, sampled_guess, straight_line
from engine.spacetime.motions import PlannedMotion
from engine.spacetime.problem import MotionProblem, MotionStage
from engine.spacetime.program import MotionProgram

SolverName = Literal["interior_point", "ipopt"]
FROM_EARLIER = SolverEffort(barrier=1e-6)
"""For a search that begins at the solution of a problem much like this one."""

COARSE = SolverEffort(iterations=60, optimality=1e-3, violation=1e-4)
"""For a search on fewer pieces, to see where it leads."""

MOST_MINIMA = 4  # that are searched to their end, of many guesses
_AT_BOUND = 1e-3  # of the range of a length
_ALIKE = 1e-2  # beside its size, by which the objectives of one minimum may differ


@dataclass(frozen=True, eq=False)
class FoundMotion:
    """A motion that a search has ended with, and what it says of it."""

    motion: PlannedMotion
    report: SolveReport

    @property
    def notes(self) -> tuple[str, ...]:
        """Say which stages with a free length have come to a bound of it (4.4.1)."""
        return notes_of(self.motion.problem.stages, self.motion.lengths)


def notes_of(stages: Sequence[MotionStage], lengths: Array) -> tuple[str, ...]:
    """Say which stages with a free length have come to a bound of it (4.4.1)."""
    found = []
    for stage, length in zip(stages, lengths, strict=True):
        least, most = stage.lengths
        for bound, words in ((least, "shortest"), (most, "longest")):
            if least < most and abs(length - bound) < _AT_BOUND * (most - least):
                found.append(f"{stage.name} is as {words[:-3]} as it may be, {bound:g} s")
    return tuple(found)


class MotionSearch:
    """A problem made ready: its program and its linear systems. For several searches."""

    from_earlier, for_coarse, for_between = FROM_EARLIER, COARSE, SolverEffort()

    def __init__(self, problem: MotionProblem, *, solver: SolverName = "interior_point") -> None:
        """`solver`: IPOPT for comparison, where CasADi is installed."""
        self.problem, self.program, self.solver = problem, MotionProgram(problem), solver

    @cached_property
    def system(self) -> NewtonSystem:
        """Where the numbers of its linear systems stand."""
        return NewtonSystem(self.program.shape)

    def straight_line(self) -> Array:
        """Return the usual guess."""
        return straight_line(self.problem, self.program.layout)

    def drawn(self, seed: int) -> Array:
        """Return another guess, drawn from a seed."""
        return drawn_guess(self.problem, self.program.layout, seed)

    def coarse(self) -> MotionSearch:
        """Make the search on half as many pieces."""
        return MotionSearch(coarsened(self.problem), solver=self.solver)

    def guess_like(self, motion: PlannedMotion) -> Array:
        """Return the guess that is another problem's motion of the same functions and stages."""
        return sampled_guess(self.problem, self.program.layout, motion)

    def iterate(self, guess: Array, effort: SolverEffort | None = None) -> Generator[Iterate, None, FoundMotion]:
        """Search from a guess; yields after each iteration, and may be closed at any."""
        return unpaused(self.iterate_in_parts(guess, effort))

    def iterate_in_parts(
        self, guess: Array, effort: SolverEffort | None = None
    ) -> Generator[Iterate | None, None, FoundMotion]:
        """Do so; yields None between the parts of an iteration, too."""
        report = yield from self._solve(guess, effort)
        return FoundMotion(self.motion(report.last.x), report)

    def find(self, guess: Array | None = None, effort: SolverEffort | None = None) -> FoundMotion:
        """Search to the end; from the straight line, if no guess is given."""
        return finish(self.iterate_in_parts(self.straight_line() if guess is None else guess, effort))

    def _solve(self, guess: Array, effort: SolverEffort | None) -> Generator[Iterate | None, None, SolveReport]:
        if self.solver == "ipopt":
            from engine.spacetime import ipopt  # asks for CasADi

            return ipopt.solve(self.program, guess, effort)
        return solve_in_parts(self.program, guess, effort, system=self.system)

    def motion(self, x: Array) -> PlannedMotion:
        """Read variables as a motion."""
        return PlannedMotion(self.problem, self.program.layout, x)


def find_motion(problem: MotionProblem) -> FoundMotion:
    """Search from the straight line."""
    return MotionSearch(problem).find()


def find_best(
    search: Any,
    guess: Array | None = None,
    *,
    seeds: Sequence[int] = range(5),
    keep: int = 2,
    effort: SolverEffort | None = None,
) -> tuple[FoundMotion, ...]:
    """Search from a guess and from others that are drawn, in a plane or in space; the different minima that were found,
    the best first."""
    steps = iterate_best(search, guess, seeds=seeds, keep=keep, effort=effort)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: tuple[FoundMotion, ...] = end.value
            return found


def iterate_best(
    search: Any,
    guess: Array | None = None,
    *,
    seeds: Sequence[int] = range(5),
    keep: int = 2,
    effort: SolverEffort | None = None,
) -> Generator[tuple[Any, Iterate], None, tuple[FoundMotion, ...]]:
    """Do so step by step, in a plane or in space: yield each iterate with the search that can read it as a motion, on
    fewer pieces at first.

    At most `keep` minima are taken to all pieces.
    """
    return unpaused(best_in_parts(search, guess, seeds=seeds, keep=keep, effort=effort))


def iterate_as_asked(
    search: Any, guess: Array | None = None, *, guesses: int = 0, effort: SolverEffort | None = None
) -> Generator[tuple[Any, Iterate], None, tuple[Any, ...]]:
    """Search from a guess, or from the straight line, and from as many drawn ones as are asked for: yield each iterate
    beside what can read it; the different minima, the best first."""
    start = search.straight_line() if guess is None else guess
    if guesses:
        return (yield from iterate_best(search, start, seeds=range(guesses), keep=MOST_MINIMA, effort=effort))
    steps = search.iterate(start, effort)
    while True:
        try:
            iterate = next(steps)
        except StopIteration as end:
            return (end.value,)
        yield search, iterate


def best_in_parts(
    search: Any,
    guess: Array | None = None,
    *,
    seeds: Sequence[int] = range(5),
    keep: int = 2,
    effort: SolverEffort | None = None,
) -> Generator[tuple[Any, Iterate] | None, None, tuple[FoundMotion, ...]]:
    """Do so; yield None between the parts of an iteration, too."""
    coarse = search.coarse()
    first = search.straight_line() if guess is None else guess
    guesses = [coarse.guess_like(search.motion(first))]
    guesses += [coarse.drawn(seed) for seed in seeds]
    rough: list[FoundMotion] = []
    for each in guesses:
        rough.append((yield from _with_search(coarse, each, coarse.for_coarse)))
    starts = [search.guess_like(each.motion) for each in _ranked(rough)[:keep]] or [first]
    found: list[FoundMotion] = []
    for each in starts:
        found.append((yield from _with_search(search, each, effort or search.from_earlier)))
    return tuple(_ranked(found)) or tuple(found[:1])


def _with_search(
    search: Any, guess: Array, effort: SolverEffort
) -> Generator[tuple[Any, Iterate] | None, None, FoundMotion]:
    """Search, each iterate beside the search."""
    steps: Generator[Iterate | None, None, FoundMotion] = search.iterate_in_parts(guess, effort)
    return telling(steps, lambda each: None if each is None else (search, each))


def coarsened(problem: MotionProblem) -> MotionProblem:
    """Return the problem with half as many pieces on each stage."""
    stages = tuple(replace(stage, pieces=max(1, (stage.pieces + 1) // 2)) for stage in problem.stages)
    return replace(problem, stages=stages)


def _ranked(found: Sequence[FoundMotion]) -> list[FoundMotion]:
    """Those that meet all demands, best first, each minimum once."""
    kept: list[FoundMotion] = []
    for each in sorted((one for one in found if one.report.solved), key=lambda one: one.report.last.objective):
        objective = each.report.last.objective
        if not kept or objective > kept[-1].report.last.objective + _ALIKE * abs(objective):
            kept.append(each)
    return kept
