"""Meeting targets: solved for, looked at on screen, and solved for again where locks have moved what was found.

Inverse kinodynamics knows the simulation, not the locks that come before and after it, nor layers above the correction.
So what it found is put into its layer and looked at. By what a target is then missed, though the solver has met it, the
solver's target is moved, and it goes on from there: at first it is to meet want - (seen - simulated), then moves are
led by what the outer iterations before have shown (`rounds.py`). Where locks let what is moved through (a hand while
the feet are held) each of them leaves a small part of the error; where they hold it back three in a row gain little,
and the nearest result stays. Nearer is what misses less by the product of all misses: a target that cannot be met at
all does not keep others from being met.

Without locks and layers above, one outer iteration is all.

What throws limbs about is no result (`speeds.py`): where a target could be met only so, its correction is given more
time to come and go, and where that does not help, the nearest that keeps joints slow enough stays. Nor is one that
misses by more than none at all.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine.document import Bell, Correction
from engine.dynamics.coordinates import integrate_coordinates
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.maths.rotations import exponential, multiply_quaternions
from engine.model.compile import Model
from engine.runtime.progress import Pace
from engine.targets.aiming import Aimed
from engine.targets.aims import (
    Aim,
    BodyVelocityWant,
    Miss,
    PointWant,
    PoseVelocityWant,
    PoseWant,
    Want,
)
from engine.targets.corrections import Basis, Bump, Corrections
from engine.targets.inverse import AimReport, Problem, Solution, Wish, solve_gradually
from engine.targets.nodes import gather_nodes
from engine.targets.options import Effort, Projection, Secant
from engine.targets.rounds import Rounds
from engine.targets.standing import allowed_of, part_of

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
    misses: list[tuple[Miss, ...]] = field(default_factory=list)  # on screen, of each target
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

    def measure(self, effort: Effort) -> None:
        """Sum up by how much targets are missed."""
        parts = [max((part_of(miss, effort) for miss in misses), default=0.0) for misses in self.misses]
        self.error, self.far = max(parts, default=0.0), sum(float(np.log(max(part, 1.0))) for part in parts)


def meet_gradually(
    evaluator: Evaluation, aimed: Aimed, *, start: Correction | None = None, coarse: bool = False
) -> Generator[float, None, Met]:
    """Find the correction that brings all targets nearest; yields the share that is done, as far as it is known.

    `start` is a correction that is known to be near. `coarse`: one outer iteration of a short search.
    """
    yield from _read_ahead(aimed)
    effort, update = (COARSE, Projection()) if coarse else (Effort(), Secant())
    inside = replace(
        effort, tolerance=_INSIDE * effort.tolerance, velocity_tolerance=_INSIDE * effort.velocity_tolerance
    )
    total, idle, outer = Met(), 0, [Rounds() for _ in aimed.aims]
    known, aims = None if start is None else _known(aimed, start), aimed.aims
    best, nearest, widened = (yield from _without(evaluator, aimed, effort)), aims, coarse
    for _ in range(1 if coarse else _ROUNDS):
        problem = Problem(
            kino=aimed.kino,
            keyed=aimed.keyed,
            aims=aims,
            update=update,
            effort=inside,
            start=known,
            wishes=_wishes(aimed, known),
            limited=not coarse,
        )
        solution = yield from _solved(problem, total)
        if not widened:
            widened, (problem, solution) = True, (yield from _widened(problem, solution, total))
            aims = nearest = problem.aims
        now = yield from _looked_at(evaluator, aimed, solution, effort)
        best.reasons = best.reasons or now.reasons
        now.widened, now.wide = _count_widened(aimed.aims, aims)
        idle = 0 if now.far <= best.far + np.log(_LEFT) else idle + 1
        nearer = (now.far, now.error) < (best.far, best.error) or (best.correction is None and now.error < best.error)
        if nearer:
            best, nearest = now, aims
        if idle > _IDLE or not any(part_of(miss, effort) > 1.0 for miss in _of_met(now)):
            break
        known = _joined(solution.corrections) if nearer else known
        moves = [
            each.move(_off(report, misses, effort), met=report.met, nearest=nearer)
            for each, report, misses in zip(outer, solution.reports, now.misses, strict=True)
        ]
        aims = tuple(
            _moved(aimed.kino.mechanics.model, aim, report, move, effort)
            for aim, report, move in zip(nearest, solution.reports, moves, strict=True)
        )
    best.iterations, best.simulations, best.curve = max(len(total.curve) - 1, 0), total.simulations, total.curve
    return best


def is_met(misses: tuple[Miss, ...], effort: Effort) -> bool:
    """Tell whether a target is met within the tolerances."""
    return all(part_of(miss, effort) <= 1.0 for miss in misses)


def _of_met(met: Met) -> list[Miss]:
    """List the misses of targets that the solver has met."""
    return [miss for misses, text in zip(met.misses, met.reasons, strict=True) if not text for miss in misses]


def _read_ahead(aimed: Aimed) -> Generator[float, None, None]:
    """The keyed motion at all times that are going to be read, time by time: locks take long."""
    pace = Pace()
    for node in gather_nodes(aimed.aims, _bells(aimed)):
        times = aimed.kino.samples(node.ends).ravel()
        if aimed.told_by_layers:
            aimed.keyed(times)
        else:
            for time in times:
                aimed.keyed(np.array([time]))
                if pace.due():
                    yield 0.0
        if pace.due():
            yield 0.0


def _solved(problem: Problem, total: Met) -> Generator[float, None, Solution]:
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


def _without(evaluator: Evaluation, aimed: Aimed, effort: Effort) -> Generator[float, None, Met]:
    """Look at the targets without a correction; null-space edits are corrections that a person made."""
    if aimed.wishes:
        return Met()
    found, pace = Met(), Pace()
    for aim in aimed.aims:
        found.misses.append(aimed.misses(evaluator, aimed.document, aim))
        if pace.due():
            yield 0.0
    found.measure(effort)
    return found


def _widened(problem: Problem, solution: Solution, total: Met) -> Generator[float, None, tuple[Problem, Solution]]:
    """Give the corrections of targets that only joints which are too fast would meet more time, if that helps."""
    tried, found = problem, solution
    for _ in range(_LONGER):
        fast = {report.aim for report in found.reports if report.too_fast}
        if not fast:
            return tried, found
        longer = tuple(replace(aim, bell=_longer(aim.bell)) if aim.id in fast else aim for aim in tried.aims)
        tried = replace(tried, aims=longer)
        found = yield from _solved(tried, total)
    return (problem, solution) if any(report.too_fast for report in found.reports) else (tried, found)


def _longer(bell: Bell) -> Bell:
    return replace(bell, before=round(_BY * bell.before), after=round(_BY * bell.after))


def _count_widened(asked: Sequence[Aim], aims: Sequence[Aim]) -> tuple[int, int]:
    wider = [aim.bell.before for aim, own in zip(aims, asked, strict=True) if aim.bell != own.bell]
    return len(wider), max(wider, default=0)


def _looked_at(evaluator: Evaluation, aimed: Aimed, solution: Solution, effort: Effort) -> Generator[float, None, Met]:
    found, pace = Met(correction=aimed.correction(solution.corrections)), Pace()
    found.narrowed = sum(group.narrowed for group in solution.groups)
    found.ease = max((group.ease for group in solution.groups), default=0)
    document = aimed.corrected(found.correction)
    for aim, report in zip(aimed.aims, solution.reports, strict=True):
        found.misses.append(aimed.misses(evaluator, document, aim))
        found.reasons.append(report.reason)
        if pace.due():
            yield 0.95
    found.measure(effort)
    return found


def _off(report: AimReport, seen: tuple[Miss, ...], effort: Effort) -> Array:
    """Measure what the stack after the simulation adds to each miss, in parts of what is allowed."""
    pairs = zip(report.misses, seen, strict=True)
    return np.concatenate([(out.error - own.error) / allowed_of(own, effort) for own, out in pairs])


def _moved(model: Model, aim: Aim, report: AimReport, move: Array, effort: Effort) -> Aim:
    """Move a target by so many parts of what is allowed."""
    first, wants = 0, []
    for want, miss in zip(aim.wants, report.misses, strict=True):
        by = move[first : first + len(miss.error)] * allowed_of(miss, effort)
        wants.append(_want(model, want, by) if by.any() else want)
        first += len(miss.error)
    return replace(aim, wants=tuple(wants))


def _want(model: Model, want: Want, by: Array) -> Want:
    if isinstance(want, PointWant):
        x, y, z = (np.array(want.position) + by).tolist()
        return replace(want, position=(x, y, z))
    if isinstance(want, BodyVelocityWant):
        x, y, z = (np.array(want.velocity) + by).tolist()
        return replace(want, velocity=(x, y, z))
    if isinstance(want, PoseWant | PoseVelocityWant):
        full = np.zeros(model.rate_count)
        full[slice(None) if want.rates is None else list(want.rates)] = by
        if isinstance(want, PoseVelocityWant):
            return replace(want, qd=want.qd + full)
        q = np.empty_like(want.q)
        integrate_coordinates(model.ints, want.q, full, 1.0, q)
        return replace(want, q=q)
    turn, turned = np.empty(4), np.empty(4)
    exponential(by, turn)
    multiply_quaternions(turn, np.array(want.rotation), turned)
    w, x, y, z = turned.tolist()
    return replace(want, rotation=(w, x, y, z))


def _bells(aimed: Aimed) -> list[Bell]:
    """List the bells of null-space edits."""
    return [edit.bell for edit in aimed.wishes]


def _wishes(aimed: Aimed, known: Corrections | None) -> tuple[Wish, ...]:
    """Convert null-space edits to changes of the known corrections, for the solver. At the time of a target such an
    edit is where the search begins, and has had its effect once something is known."""
    if known is None:
        return aimed.wishes
    aiming, found = {aim.bell.time for aim in aimed.aims}, []
    for edit in aimed.wishes:
        there = known.at(np.array([float(edit.bell.time)]))[0, 0]
        found.append(replace(edit, change=0.0 * there if edit.bell.time in aiming else edit.change - there))
    return tuple(found)


def _joined(corrections: tuple[Corrections, ...]) -> Corrections:
    """Join the corrections of all groups, to begin with."""
    bumps = tuple(bump for each in corrections for bump in each.basis.bumps)
    return Corrections(Basis(bumps, free=True), np.concatenate([each.coefficients for each in corrections]))


def _known(aimed: Aimed, correction: Correction) -> Corrections:
    """A correction as its layer holds it."""
    model = aimed.kino.mechanics.model
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
