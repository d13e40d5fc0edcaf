"""Meeting targets: solved for, looked at on screen, and solved for again where locks have moved what was found.

Inverse kinodynamics knows the simulation, not the locks that come before and after it, nor layers above the correction.
So what it found is put into its layer and looked at. By what a target is then missed, though the solver has met it, the
solver's target is moved, and it goes on from there: at first it is to meet wanted - (seen - simulated), then moves are
led by what the outer iterations before have shown (`outer_iterations.py`). Where locks let what is moved through (a
hand while the feet are held) each of them leaves a small part of the error; where they hold it back three in a row gain
little, and the nearest result stays. Nearer is what misses less by the product of all residuals: a target that cannot
be met at all does not keep others from being met.

Without locks and layers above, one outer iteration is all.

What throws limbs about is no result (`speeds.py`): where a target could be met only so, its correction is given more
time to come and go, and where that does not help, the nearest that keeps joints slow enough stays. Nor is one that
misses by more than none at all.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import field, replace

import numpy as np

from engine.document import Bell, Correction
from engine.dynamics.coordinates import integrate_coordinates
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.maths.rotations import exponential, multiply_quaternions
from engine.model.compile import Model
from engine.runtime.progress import Pace
from engine.runtime.quick_dataclass import dataclass
from engine.targets.actor_targets import ActorTargets
from engine.targets.corrections import Basis, Bump, Corrections
from engine.targets.equations import (
    BodyVelocityEquation,
    Equation,
    PointEquation,
    PoseEquation,
    PoseVelocityEquation,
    Residual,
    TimedGoal,
)
from engine.targets.inverse import solve_gradually
from engine.targets.nodes import gather_nodes
from engine.targets.options import Effort, Projection, Secant
from engine.targets.outer_iterations import OuterIterations
from engine.targets.problem import NullSpaceEdit, TargetProblem
from engine.targets.search_state import allowed_of, part_of
from engine.targets.solution import GoalReport, Solution

_ROUNDS = 12
_LEFT = 0.7  # of the error, that an outer iteration leaves where it gains something
_LONGER, _BY = 3, 1.5  # times that eases are made longer, and how much so each time
_IDLE = 2  # outer iterations in a row that may gain nothing
_INSIDE = 0.5  # of the tolerances, so that what the solver has met is met on screen
COARSE = Effort(iterations=3, tolerance=1e-3, velocity_tolerance=2e-2)
"""While a person drags a target: a millimetre, found by a rule that measures nothing first."""


@dataclass(eq=False)
class Met:
    """The result of meeting targets; written while the search goes on."""

    correction: Correction | None = None
    residuals: list[tuple[Residual, ...]] = field(default_factory=list)  # on screen, of each target
    reasons: list[str] = field(default_factory=list)  # why the solver did not meet it, with a place for by how much
    error: float = np.inf  # the largest miss, in tolerances
    far: float = (
        np.inf
    )  # the sum of the logarithms of what each target is missed by, in tolerances; 0 where all are met
    iterations: int = 0
    simulations: int = 0
    curve: list[float] = field(default_factory=list)  # the solver's error after each iteration, in tolerances
    narrowed: int = 0  # targets so close together that their eases are narrower than they were set
    ease: int = 0  # [ticks] of the widest of these
    widened: int = 0  # targets whose eases are longer than they were set, for joints would be too fast otherwise
    wide: int = 0  # [ticks] of the longest of these
    settled: bool = True  # whether a longer search would find no more

    def measure(self, effort: Effort) -> None:
        """Sum up by how much targets are missed."""
        parts = [
            max((part_of(residual, effort) for residual in residuals), default=0.0) for residuals in self.residuals
        ]
        self.error, self.far = max(parts, default=0.0), sum(float(np.log(max(part, 1.0))) for part in parts)


def meet_gradually(
    evaluator: Evaluation,
    actor_targets: ActorTargets,
    *,
    start: Correction | None = None,
    coarse: bool = False,
    hasty: bool = False,
) -> Generator[float, None, Met]:
    """Find the correction that brings all targets nearest; yields the share that is done, as far as it is known.

    `start` is a correction that is known to be near. `coarse`: one outer iteration of a short search. `hasty`: poses at
    every frame are met one after the other or not at all.
    """
    yield from _read_ahead(actor_targets)
    effort, update = (COARSE, Projection()) if coarse else (Effort(), Secant())
    inside = replace(
        effort, tolerance=_INSIDE * effort.tolerance, velocity_tolerance=_INSIDE * effort.velocity_tolerance
    )
    total, idle, outer = Met(), 0, [OuterIterations() for _ in actor_targets.goals]
    known, goals = None if start is None else _known(actor_targets, start), actor_targets.goals
    best, nearest, widened = (yield from _without(evaluator, actor_targets, effort)), goals, coarse
    for _ in range(1 if coarse else _ROUNDS):
        problem = TargetProblem(
            kino=actor_targets.kino,
            keyed=actor_targets.keyed,
            goals=goals,
            update=update,
            effort=inside,
            start=known,
            null_space_edits=_null_space_edits(actor_targets, known),
            limited=not coarse,
            hasty=hasty,
        )
        solution = yield from _solved(problem, total)
        if not widened:
            widened, (problem, solution) = True, (yield from _widened(problem, solution, total))
            goals = nearest = problem.goals
        now = yield from _looked_at(evaluator, actor_targets, solution, effort)
        best.reasons, best.settled = best.reasons or now.reasons, now.settled
        now.widened, now.wide = _count_widened(actor_targets.goals, goals)
        idle = 0 if now.far <= best.far + np.log(_LEFT) else idle + 1
        nearer = (now.far, now.error) < (best.far, best.error) or (best.correction is None and now.error < best.error)
        if nearer:
            best, nearest = now, goals
        if idle > _IDLE or not any(part_of(residual, effort) > 1.0 for residual in _of_met(now)):
            break
        known = _joined(solution.corrections) if nearer else known
        moves = [
            each.move(_off(report, residuals, effort), met=report.met, nearest=nearer)
            for each, report, residuals in zip(outer, solution.reports, now.residuals, strict=True)
        ]
        goals = tuple(
            _moved(actor_targets.kino.mechanics.model, goal, report, move, effort)
            for goal, report, move in zip(nearest, solution.reports, moves, strict=True)
        )
    best.iterations, best.simulations, best.curve = max(len(total.curve) - 1, 0), total.simulations, total.curve
    return best


def is_met(residuals: tuple[Residual, ...], effort: Effort) -> bool:
    """Tell whether a target is met within the tolerances."""
    return all(part_of(residual, effort) <= 1.0 for residual in residuals)


def _of_met(met: Met) -> list[Residual]:
    """List the residuals of targets that the solver has met."""
    return [
        residual
        for residuals, text in zip(met.residuals, met.reasons, strict=True)
        if not text
        for residual in residuals
    ]


def _read_ahead(actor_targets: ActorTargets) -> Generator[float, None, None]:
    """The keyed motion at all times that are going to be read, time by time: locks take long."""
    pace = Pace()
    for node in gather_nodes(actor_targets.goals, _bells(actor_targets)):
        times = np.unique(actor_targets.kino.samples(node.ends))
        if actor_targets.told_by_layers:
            actor_targets.keyed(times)
        else:
            for time in times:
                actor_targets.keyed(np.array([time]))
                if pace.due():
                    yield 0.0
        if pace.due():
            yield 0.0


def _solved(problem: TargetProblem, total: Met) -> Generator[float, None, Solution]:
    steps = solve_gradually(problem)
    while True:
        try:
            progress = next(steps)
        except StopIteration as stop:
            solution: Solution = stop.value
            break
        total.iterations += progress is not None
        yield total.iterations / (total.iterations + 10.0)
    total.simulations += solution.simulations
    curves = [group.curve for group in solution.groups]
    longest = max((len(curve) for curve in curves), default=0)
    worst = [max(float(curve[min(n, len(curve) - 1)]) for curve in curves) for n in range(longest)]
    total.curve += worst[1:] if total.curve else worst
    return solution


def _without(evaluator: Evaluation, actor_targets: ActorTargets, effort: Effort) -> Generator[float, None, Met]:
    """Look at the targets without a correction; null-space edits are corrections that a person made."""
    if actor_targets.null_space_edits:
        return Met()
    found, pace = Met(), Pace()
    for goal in actor_targets.goals:
        found.residuals.append(actor_targets.residuals(evaluator, actor_targets.document, goal))
        if pace.due():
            yield 0.0
    found.measure(effort)
    return found


def _widened(
    problem: TargetProblem, solution: Solution, total: Met
) -> Generator[float, None, tuple[TargetProblem, Solution]]:
    """Give the corrections of targets that only joints which are too fast would meet more time, if that helps."""
    short = {report.goal for report in solution.reports if report.too_fast}
    tried, given_more = problem, set(short)
    for _ in range(_LONGER if short else 0):
        longer = tuple(replace(goal, bell=_longer(goal.bell)) if goal.id in short else goal for goal in tried.goals)
        tried = replace(tried, goals=longer)
        found = yield from _solved(tried, total)
        # With more time the search may end elsewhere, and short of what it met before: that is no help either.
        short = {each.goal for each in found.reports if each.too_fast or (each.goal in given_more and not each.met)}
        if not short:
            return tried, found
        given_more |= short
    return problem, solution


def _longer(bell: Bell) -> Bell:
    return replace(bell, before=round(_BY * bell.before), after=round(_BY * bell.after))


def _count_widened(asked: Sequence[TimedGoal], goals: Sequence[TimedGoal]) -> tuple[int, int]:
    wider = [goal.bell.before for goal, own in zip(goals, asked, strict=True) if goal.bell != own.bell]
    return len(wider), max(wider, default=0)


def _looked_at(
    evaluator: Evaluation, actor_targets: ActorTargets, solution: Solution, effort: Effort
) -> Generator[float, None, Met]:
    found, pace = Met(correction=actor_targets.correction(solution.corrections)), Pace()
    found.narrowed = sum(group.narrowed for group in solution.groups)
    found.ease = max((group.ease for group in solution.groups), default=0)
    found.settled = all(group.settled for group in solution.groups)
    document = actor_targets.corrected(found.correction)
    for goal, report in zip(actor_targets.goals, solution.reports, strict=True):
        found.residuals.append(actor_targets.residuals(evaluator, document, goal))
        found.reasons.append(report.reason)
        if pace.due():
            yield 0.95
    found.measure(effort)
    return found


def _off(report: GoalReport, seen: tuple[Residual, ...], effort: Effort) -> Array:
    """Measure what the stack after the simulation adds to each miss, in parts of what is allowed."""
    pairs = zip(report.residuals, seen, strict=True)
    return np.concatenate([(out.error - own.error) / allowed_of(own, effort) for own, out in pairs])


def _moved(model: Model, goal: TimedGoal, report: GoalReport, move: Array, effort: Effort) -> TimedGoal:
    """Move a target by so many parts of what is allowed."""
    first, equations = 0, []
    for equation, residual in zip(goal.equations, report.residuals, strict=True):
        by = move[first : first + len(residual.error)] * allowed_of(residual, effort)
        equations.append(_want(model, equation, by) if by.any() else equation)
        first += len(residual.error)
    return replace(goal, equations=tuple(equations))


def _want(model: Model, equation: Equation, by: Array) -> Equation:
    if isinstance(equation, PointEquation):
        x, y, z = (np.array(equation.position) + by).tolist()
        return replace(equation, position=(x, y, z))
    if isinstance(equation, BodyVelocityEquation):
        x, y, z = (np.array(equation.velocity) + by).tolist()
        return replace(equation, velocity=(x, y, z))
    if isinstance(equation, PoseEquation | PoseVelocityEquation):
        full = np.zeros(model.rate_count)
        full[slice(None) if equation.rates is None else list(equation.rates)] = by
        if isinstance(equation, PoseVelocityEquation):
            return replace(equation, qd=equation.qd + full)
        q = np.empty_like(equation.q)
        integrate_coordinates(model.ints, equation.q, full, 1.0, q)
        return replace(equation, q=q)
    turn, turned = np.empty(4), np.empty(4)
    exponential(by, turn)
    multiply_quaternions(turn, np.array(equation.rotation), turned)
    w, x, y, z = turned.tolist()
    return replace(equation, rotation=(w, x, y, z))


def _bells(actor_targets: ActorTargets) -> list[Bell]:
    """List the bells of null-space edits."""
    return [edit.bell for edit in actor_targets.null_space_edits]


def _null_space_edits(actor_targets: ActorTargets, known: Corrections | None) -> tuple[NullSpaceEdit, ...]:
    """Convert null-space edits to changes of the known corrections, for the solver. At the time of a target such an
    edit is where the search begins, and has had its effect once something is known."""
    if known is None:
        return actor_targets.null_space_edits
    aiming, found = {goal.bell.time for goal in actor_targets.goals}, []
    for edit in actor_targets.null_space_edits:
        there = known.at(np.array([float(edit.bell.time)]))[0, 0]
        found.append(replace(edit, change=0.0 * there if edit.bell.time in aiming else edit.change - there))
    return tuple(found)


def _joined(corrections: tuple[Corrections, ...]) -> Corrections:
    """Join the corrections of all groups, to begin with."""
    bumps = tuple(bump for each in corrections for bump in each.basis.bumps)
    return Corrections(Basis(bumps, free=True), np.concatenate([each.coefficients for each in corrections]))


def _known(actor_targets: ActorTargets, correction: Correction) -> Corrections:
    """A correction as its layer holds it."""
    model = actor_targets.kino.mechanics.model
    bumps = tuple(
        Bump(bell=term.bell, value=bool(term.amplitudes), slope=bool(term.wiggles)) for term in correction.terms
    )
    basis = Basis(bumps, free=True)
    coefficients = np.zeros((len(basis.rows), model.rate_count))
    for row, (index, order) in enumerate(basis.rows):
        term = correction.terms[index]
        for name, number in term.wiggles if order else term.amplitudes:
            coefficients[row, model.figure.rate_index[name]] = number
    return Corrections(basis, coefficients)
