"""Solve a non-linear program by a primal-dual interior-point method with exact second derivatives.

Bounds are kept by barriers -mu log(distance), mu falling to 0; inequalities have slacks between bounds. Each step
solves one linear system (`newton_system`), whose eigenvalues are counted: until exactly one for each constraint is
negative, delta is added to the Hessian, so that the step goes downhill. A filter decides how far to go
(`line_search`); where it allows nothing, `feasibility` looks for a point that violates less.

Wächter and Biegler 2006, whose numbers are used where none are said. The regularisation of the constraints' rows, which
IPOPT adds where the system is singular, is always there: it multiplies the change of the multipliers, which is 0 in
the end, and so it moves no solution, and redundant constraints do no harm.

`solve_in_parts` pauses between the parts of an iteration, too, of which many may look for a point that violates less:
whoever steps it is not held for long, and may close it there.

Symbols: x variables and slacks, scaled; y multipliers of constraints, z of bounds; theta violation, phi barrier
objective.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from engine.maths.arrays import Array
from engine.optimise.feasibility import LESS_VIOLATED, lessen_violation
from engine.optimise.line_search import Filter
from engine.optimise.newton_system import NewtonSystem
from engine.optimise.options import SolverEffort
from engine.optimise.program import NonlinearProgram, violations
from engine.optimise.report import Ending, Iterate, SolveReport, worst_of
from engine.optimise.scaled import ScaledProgram, SearchPoint, TriedPoint
from engine.runtime.progress import unpaused

T = TypeVar("T")
_KEPT = 1e-8  # regularisation of the constraints' rows
_LEAST_DELTA, _FIRST_DELTA, _MOST_DELTA = 1e-9, 1e-4, 1e20
_EASED, _RAISED = 5.0, 8.0  # by how much delta falls from one step to the next, and rises where it is not enough
_FALL, _POWER, _DONE = 0.2, 1.5, 10.0  # of mu; error, beside mu, at which it falls
_SHORTEST = 1e-7  # step that is tried
_STEPS_OF_GAIN, _NEAR = 10, 0.05  # steps that a gain is counted over; violation, scaled, from which a search may settle
_STALLS = 5  # times that a search may find no way on from where all demands are met
_HELD = 1e10  # how far a multiplier of a bound may be from mu / distance


Pausing = Generator[None, None, T]
"""Work that pauses between its parts."""


@dataclass
class NewtonStep:
    """A step of all unknowns, and how far it may go."""

    x: Array
    y: Array
    lower: Array
    upper: Array


def solve(
    program: NonlinearProgram, start: Array, effort: SolverEffort | None = None, *, system: NewtonSystem | None = None
) -> Generator[Iterate, None, SolveReport]:
    """Search from `start`; yield after each iteration. `system` saves finding where the numbers of this shape stand."""
    return unpaused(solve_in_parts(program, start, effort, system=system))


def solve_in_parts(
    program: NonlinearProgram, start: Array, effort: SolverEffort | None = None, *, system: NewtonSystem | None = None
) -> Generator[Iterate | None, None, SolveReport]:
    """Do so; yield None between the parts of an iteration, too."""
    search = BarrierSearch(program, start, effort or SolverEffort(), system or NewtonSystem(program.shape))
    yield None
    yield from search.look_round()
    while True:
        ending = yield from search.judge()
        yield search.progress()
        if ending is not None:
            return search.outcome(ending)
        yield from search.step()


class BarrierSearch:
    """One search: where it is, and what it has learnt."""

    def __init__(self, program: NonlinearProgram, start: Array, effort: SolverEffort, system: NewtonSystem) -> None:
        self.program, self.effort, self.system = program, effort, system
        self.scaled = ScaledProgram(program, system)
        self.mu, self.delta, self.iteration = effort.barrier, 0.0, 0
        x = self.scaled.inside(self.scaled.place(start), effort.barrier)
        self.y = np.zeros(system.constraints)
        below, above = self.scaled.distances(x)
        self.lower = np.where(self.scaled.has_lower, np.minimum(1.0, self.mu / below), 0.0)
        self.upper = np.where(self.scaled.has_upper, np.minimum(1.0, self.mu / above), 0.0)
        self.point = self._differentiated(x)
        theta = self.point.theta
        self.bounds_of_filter = 1e-4 * max(1.0, theta), 1e4 * max(1.0, theta)
        self.filter = Filter(*self.bounds_of_filter)
        self.ending: Ending | None = None
        self.stalls = 0
        self.objectives: list[float] = []
        self.settled, self.next_settling = False, 0

    def look_round(self) -> Pausing[None]:
        """Find the multipliers to begin with."""
        self.y = self._estimate()
        yield None
        self.point = self._differentiated(self.point.x)

    def _differentiated(self, x: Array) -> SearchPoint:
        """Evaluate with derivatives, at first those of Gauss and Newton."""
        return self.scaled.differentiate(x, self.y, curved=self.iteration >= self.effort.gauss_newton)

    def judge(self) -> Pausing[Ending | None]:
        """Say whether the search is over; let the barrier fall where its own problem is solved."""
        slope = self.slope()
        if slope <= self.effort.optimality and self.complementarity(0.0) <= self.effort.optimality:
            worst = violations(self.program.shape, self.point.raw_constraints).max(initial=0.0)
            if worst <= self.effort.violation:
                return "solved"
        if self.ending is not None:
            return self.ending
        is_last = self.iteration >= self.effort.iterations
        if is_last and self.effort.gain > 0.0:
            self.settled = yield from self._settle(np.inf)
        elif self._gains_little():
            self.settled = yield from self._settle()
        if self.settled:
            return "solved"
        if is_last:
            return "tired"
        least = 0.01 * self.effort.optimality
        while self.mu > least and max(slope, self.point.worst, self.complementarity(self.mu)) <= _DONE * self.mu:
            self.mu = max(least, min(_FALL * self.mu, self.mu**_POWER))
            self.filter = Filter(*self.bounds_of_filter)
        return None

    def _gains_little(self) -> bool:
        """Tell whether the last steps have made the objective less by next to nothing, near where demands are met."""
        self.objectives.append(self.point.objective)
        few = self.iteration <= self.effort.gauss_newton + _STEPS_OF_GAIN
        if self.effort.gain == 0.0 or few or len(self.objectives) <= _STEPS_OF_GAIN or self.point.worst > _NEAR:
            return False
        if self.iteration < self.next_settling:
            return False
        before, now = self.objectives[-1 - _STEPS_OF_GAIN], self.point.objective
        return abs(before - now) <= self.effort.gain * abs(now)

    def _settle(self, most: float | None = None) -> Pausing[bool]:
        """Go to where all demands are met, near here; False where there is no such place, or where it takes more by a
        share than counts as a gain, or than `most`."""
        share = self.effort.gain if most is None else most
        least = 0.01 * self.effort.optimality

        def enough(trial: TriedPoint) -> bool:
            worst = violations(self.program.shape, trial.raw_constraints).max(initial=0.0)
            return bool(worst <= self.effort.violation)

        found = yield from lessen_violation(self.scaled, self.point, least, enough)
        self.next_settling = self.iteration + _STEPS_OF_GAIN // 2
        before = self.point.objective
        trial = self.scaled.evaluate(found.x)
        is_worth_it = found.enough and trial.objective <= before + share * abs(before)
        # Anew in any case: a program keeps its last derivatives alone.
        self.point = self.scaled.differentiate(found.x if is_worth_it else self.point.x, self.y)
        return is_worth_it

    def progress(self) -> Iterate:
        """Return what may be shown."""
        point = self.point
        worst = float(violations(self.program.shape, point.raw_constraints).max(initial=0.0))
        return Iterate(
            iteration=self.iteration,
            objective=point.objective * self.scaled.objective_scale,
            violation=worst,
            slope=self.slope(),
            x=self.scaled.whole(point.x),
        )

    def outcome(self, ending: Ending) -> SolveReport:
        """Return how it ended."""
        multipliers = self.y * self.scaled.objective_scale / self.program.shape.constraint_scale
        unmet = worst_of(self.program, self.point.raw_constraints, tolerance=self.effort.violation)
        return SolveReport(
            ending=ending, last=self.progress(), multipliers=multipliers, unmet=unmet, settled=self.settled
        )

    def slope(self) -> float:
        """Largest slope of the Lagrangian, beside the size of the multipliers."""
        found = self._lagrangian_slope(self.y) - self.lower + self.upper
        sizes = np.abs(self.y).sum() + self.lower.sum() + self.upper.sum()
        count = len(self.y) + len(self.lower) + len(self.upper)
        size = max(1.0, float(sizes) / max(count, 1) / 100.0)
        return float(np.abs(found).max(initial=0.0)) / size

    def complementarity(self, mu: float) -> float:
        """Largest difference of distance times multiplier from mu."""
        below, above = self.scaled.distances(self.point.x)
        low = (below * self.lower - mu)[self.scaled.has_lower]
        high = (above * self.upper - mu)[self.scaled.has_upper]
        sizes = float(self.lower.sum() + self.upper.sum()) / max(2 * len(self.lower), 1)
        return float(max(np.abs(low).max(initial=0.0), np.abs(high).max(initial=0.0))) / max(1.0, sizes / 100.0)

    def step(self) -> Pausing[None]:
        """Take one step."""
        self.iteration += 1
        direction = yield from self._direction(self.point.residual)
        if direction is None or not (yield from self._search_along(direction)):
            yield from self._lessen_violation()

    def _lagrangian_slope(self, y: Array) -> Array:
        """Gradient of f + y . c with respect to variables and slacks."""
        point = self.point
        of_variables = point.gradient + self.system.transposed(point.jacobian, y)
        return np.concatenate([of_variables, -y[self.scaled.ranged]])

    def _estimate(self) -> Array:
        """Multipliers with the least slope of the Lagrangian."""
        system, point = self.system, self.point
        diagonal = np.concatenate([np.ones(system.variables), np.full(system.constraints, -_KEPT)])
        diagonal[system.variables + self.scaled.ranged] -= 1.0
        system.assemble(None, point.jacobian, diagonal)
        system.factorise()
        pull = self.lower - self.upper
        right = np.zeros(system.size)
        right[: system.variables] = -(point.gradient - pull[: system.variables])
        right[system.variables + self.scaled.ranged] = -pull[system.variables :]
        found = system.solve(right)[system.variables :]
        return found if np.abs(found).max(initial=0.0) <= 1e3 else np.zeros(system.constraints)

    def _direction(self, residual: Array) -> Pausing[NewtonStep | None]:
        """Solve for a step that leads downhill; None where no delta is large enough."""
        system, scaled, point = self.system, self.scaled, self.point
        below, above = scaled.distances(point.x)
        stiffness = np.where(scaled.has_lower, self.lower / below, 0.0) + np.where(
            scaled.has_upper, self.upper / above, 0.0
        )
        system.assemble(point.hessian, point.jacobian, self._diagonal(stiffness, 0.0))
        delta = self.delta / _EASED if self.delta > _LEAST_DELTA else 0.0
        if delta:
            system.change_diagonal(self._diagonal(stiffness, delta))
        while system.factorise() != (system.constraints, 0):
            delta = max(_FIRST_DELTA, _RAISED * delta)
            if not delta <= _MOST_DELTA:
                return None
            yield None
            system.change_diagonal(self._diagonal(stiffness, delta))
        yield None
        self.delta = delta
        self.stiffness = stiffness + delta
        return self._solve_step(residual)

    def _diagonal(self, stiffness: Array, delta: float) -> Array:
        system, ranged = self.system, self.scaled.ranged
        diagonal = np.empty(system.size)
        diagonal[: system.variables] = stiffness[: system.variables] + delta
        diagonal[system.variables :] = -_KEPT
        diagonal[system.variables + ranged] -= 1.0 / (stiffness[system.variables :] + delta)
        return diagonal

    def _solve_step(self, residual: Array) -> NewtonStep:
        """Solve with the factor at hand; the slacks and the multipliers of bounds follow."""
        system, scaled, count = self.system, self.scaled, self.system.variables
        below, above = scaled.distances(self.point.x)
        push = np.where(scaled.has_upper, self.mu / above, 0.0) - np.where(scaled.has_lower, self.mu / below, 0.0)
        slope = self._lagrangian_slope(self.y) + push
        right = np.concatenate([-slope[:count], -residual])
        right[count + scaled.ranged] -= slope[count:] / self.stiffness[count:]
        found = system.solve(right)
        dy = found[count:]
        dx = np.concatenate([found[:count], (dy[scaled.ranged] - slope[count:]) / self.stiffness[count:]])
        lower = np.where(scaled.has_lower, (self.mu - self.lower * dx) / below - self.lower, 0.0)
        upper = np.where(scaled.has_upper, (self.mu + self.upper * dx) / above - self.upper, 0.0)
        return NewtonStep(dx, dy, lower, upper)

    def _search_along(self, direction: NewtonStep) -> Pausing[bool]:
        """Go as far along a step as the filter allows; False where it allows nothing."""
        scaled, point = self.scaled, self.point
        share = max(0.99, 1.0 - self.mu)
        longest = scaled.longest(point.x, direction.x, share)
        phi = scaled.barrier(point, self.mu)
        slope = self._barrier_slope(direction.x)
        step, first = longest, True
        while step > _SHORTEST * longest:
            trial = scaled.evaluate(point.x + step * direction.x)
            if np.isfinite(trial.objective) and np.isfinite(trial.theta):
                value = scaled.barrier(trial, self.mu)
                if self.filter.accepts(trial.theta, value, (point.theta, phi), slope, step):
                    yield None
                    self._accept(trial.x, direction, step, share)
                    return True
                worse = first and trial.theta >= point.theta
                if worse and (yield from self._corrected(trial, step, slope, phi, share)):
                    return True
            first = False
            step *= 0.5
            yield None
        tiny = np.abs(direction.x).max(initial=0.0) < 1e-12
        if tiny:
            self._accept(point.x + longest * direction.x, direction, longest, share)
        return bool(tiny)

    def _corrected(self, trial: TriedPoint, step: float, slope: float, phi: float, share: float) -> Pausing[bool]:
        """Try the step again with what the constraints' curvature took from it (second-order correction)."""
        residual, before = step * self.point.residual + trial.residual, trial.theta
        for _ in range(4):
            direction = self._solve_step(residual)
            longest = self.scaled.longest(self.point.x, direction.x, share)
            again = self.scaled.evaluate(self.point.x + longest * direction.x)
            if not (np.isfinite(again.objective) and np.isfinite(again.theta)):
                return False
            value = self.scaled.barrier(again, self.mu)
            if self.filter.accepts(again.theta, value, (self.point.theta, phi), slope, step):
                self._accept(again.x, direction, longest, share)
                return True
            if again.theta > 0.99 * before:
                return False
            residual, before = longest * residual + again.residual, again.theta
            yield None
        return False

    def _barrier_slope(self, dx: Array) -> float:
        """How phi changes along a step."""
        below, above = self.scaled.distances(self.point.x)
        count = self.system.variables
        push = np.where(self.scaled.has_upper, self.mu / above, 0.0)
        push -= np.where(self.scaled.has_lower, self.mu / below, 0.0)
        return float(self.point.gradient @ dx[:count] + push @ dx)

    def _accept(self, x: Array, direction: NewtonStep, step: float, share: float) -> None:
        """Stand at x, with multipliers that belong there."""
        longest = min(
            _longest(self.lower, direction.lower, share),
            _longest(self.upper, direction.upper, share),
        )
        self.y = self.y + step * direction.y
        self.lower = self.lower + longest * direction.lower
        self.upper = self.upper + longest * direction.upper
        self._stand(x)

    def _stand(self, x: Array) -> None:
        below, above = self.scaled.distances(x)
        for has, distance, z in (
            (self.scaled.has_lower, below, self.lower),
            (self.scaled.has_upper, above, self.upper),
        ):
            near = self.mu / distance[has]
            z[has] = np.clip(z[has], near / _HELD, near * _HELD)
        self.point = self._differentiated(x)
        if self.iteration <= self.effort.gauss_newton:
            self.delta = 0.0  # which those before needed is none of theirs

    def _lessen_violation(self) -> Pausing[None]:
        """Go to a point that violates less, if there is one; where nothing is violated, go on with shorter steps."""
        worst = violations(self.program.shape, self.point.raw_constraints).max(initial=0.0)
        if max(worst, self.point.worst) <= self.effort.violation:
            self.stalls += 1
            self.ending = "tired" if self.stalls > _STALLS else None
            self.filter = Filter(*self.bounds_of_filter)
            self.delta = 100.0 * max(self.delta, _FIRST_DELTA)
            return
        phi = self.scaled.barrier(self.point, self.mu)
        self.filter.remember(self.point.theta, phi)

        def enough(trial: TriedPoint) -> bool:
            return trial.theta <= LESS_VIOLATED * self.point.theta and self.filter.allows(
                trial.theta, self.scaled.barrier(trial, self.mu)
            )

        found = yield from lessen_violation(self.scaled, self.point, self.mu, enough)
        self.ending = None if found.enough else "no way"
        self.lower = np.where(self.scaled.has_lower, np.minimum(self.lower, 1e3), 0.0)
        self.upper = np.where(self.scaled.has_upper, np.minimum(self.upper, 1e3), 0.0)
        self.point = self.scaled.differentiate(found.x, np.zeros_like(self.y))
        yield None
        self.y = self._estimate()
        yield None
        self._stand(found.x)


def _longest(z: Array, dz: Array, share: float) -> float:
    """How far multipliers may go and stay positive."""
    falling = dz < 0.0
    return float(min(1.0, (-share * z[falling] / dz[falling]).min(initial=1.0)))


__all__ = ["SearchPoint", "BarrierSearch", "solve", "solve_in_parts"]
