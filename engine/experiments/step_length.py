"""The step at which the Jacobian transpose diverges: Engell-Norregard 2012, section 6.1 and figure 8.

The source finds that more than 0.005 diverges "even if the method were given an initial iterate comparatively close to
a solution", and shows poses that flip at 0.05. Its unit of length is 0.2 m and its gradient has the factor 2 of
equation 26, so these are t = 0.125 and 1.25 per square metre here (q <- P(q - 2 t J^T r)).

Close to a solution f = |r|^2 is |r + J d|^2, and steps of t diverge above t* = 1 / sigma^2, sigma the largest singular
value of J: that bound is computed beside what is seen. Every start is the pose of the frame before, 0.05 s away; a run
has diverged where f ends above where it began, and flips where f has settled and yet each further step turns a joint by
more than 1 degree.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.reference import ReferenceMotion, load_reference
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.ik import layout as at
from engine.ik.problem import Problem
from engine.ik.rows import evaluate
from engine.ik.solver import new_work
from engine.ik.transpose import Transpose
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

SOURCE_LIMIT, SOURCE_FLIP = 0.125, 1.25  # [1/m2]
_UNIT2 = 0.04  # [m2]
_TOLERANCE = 0.01  # [m]
_ITERATIONS = 400
_FLIP = np.radians(1.0)
_CASES = {"6 goals": (), "5 goals": ("pelvis",)}


@dataclass(frozen=True, kw_only=True)
class Swept:
    """Results of all starts with one step."""

    goals: str
    step: float  # [1/m2]
    reached: float  # shares of the starts
    diverged: float
    flips: float
    left: float  # median of what is left of f
    iterations: float  # median of those that reached; infinite if none did


def run(settings: Settings) -> Result:
    """Sweep the step for six goals and for five."""
    reference = load_reference(settings)
    count = 6 if settings.quick else 60
    steps = np.geomspace(0.01, 4.0, 9 if settings.quick else 27)
    steps = np.unique(np.concatenate((steps, (SOURCE_LIMIT, SOURCE_FLIP)))).tolist()
    rng = np.random.default_rng(settings.seed)
    stride = round(0.05 * reference.rate)
    frames = np.sort(rng.choice(np.arange(stride, len(reference.poses)), size=count, replace=False))
    starts = [(int(frame) - stride, int(frame)) for frame in frames]
    swept = [_sweep(reference, goals, float(step), starts) for goals in _CASES for step in steps]
    bounds = {goals: _bound(reference, goals, starts) for goals in _CASES}
    columns = ("goals", "step_per_m2", "step_source", "reached", "diverged", "flips", "left_of_f", "iterations")
    rows = tuple(
        (
            each.goals,
            each.step,
            each.step * _UNIT2,
            each.reached,
            each.diverged,
            each.flips,
            each.left,
            each.iterations,
        )
        for each in swept
    )
    return Result(
        title="Fixed steps of the Jacobian transpose (Engell-Norregard 2012, figure 8)",
        tables=(Table(name="steps", columns=columns, rows=rows),),
        pictures=(ResultPlot(name="steps", svg=_picture(swept)),),
        claims=tuple(_claims(swept, bounds)),
        notes=(f"motion: {reference.name}; {count} starts, each 0.05 s before its goals; {_ITERATIONS} iterations",),
    )


def _sweep(reference: ReferenceMotion, goals: str, step: float, starts: list[tuple[int, int]]) -> Swept:
    problem, solver = _problem(reference, goals), Transpose(length=step)
    reached, diverged, flips, left, iterations = 0, 0, 0, [], []
    for before, frame in starts:
        _aim(problem, reference, goals, frame)
        pose = reference.poses[before]
        first = float(np.sum(_errors(problem, pose) ** 2))
        q, work = problem.gather([pose]), new_work(problem, solver)  # the steps alone: `solve` keeps the best pose
        counts = int(problem.ints[at.COUNTS])
        has_reached = solver.advance(problem, q, work, _ITERATIONS) <= 1.0
        squares = float(work[counts + at.SQUARES])
        if has_reached:
            reached += 1
            iterations.append(float(work[counts + at.ITERATIONS]))
        elif squares > first:
            diverged += 1
        after, work[counts + at.STALLED] = q.copy(), 0.0
        solver.advance(problem, after, work, 1)
        flips += int(not has_reached and np.abs(after - q).max() > _FLIP)
        left.append(squares / first)
    shares = (each / len(starts) for each in (reached, diverged, flips))
    middle = float(np.median(iterations)) if iterations else float("inf")
    share, lost, flipping = shares
    return Swept(
        goals=goals,
        step=step,
        reached=share,
        diverged=lost,
        flips=flipping,
        left=float(np.median(left)),
        iterations=middle,
    )


def _bound(reference: ReferenceMotion, goals: str, starts: list[tuple[int, int]]) -> tuple[float, float]:
    """Least and median 1 / sigma^2 over the solutions [1/m2]."""
    problem, found = _problem(reference, goals), []
    for _, frame in starts:
        work = problem.new_work()
        q = problem.gather([reference.poses[frame]])
        evaluate(problem.packed, q, True, work)
        first = int(problem.ints[at.JACOBIAN])
        jacobian = work[first : first + problem.column_count * problem.row_count].reshape(problem.column_count, -1)
        found.append(1.0 / float(np.linalg.norm(jacobian, 2)) ** 2)
    return min(found), float(np.median(found))


def _problem(reference: ReferenceMotion, goals: str) -> Problem:
    return reference.problem(_TOLERANCE, _CASES[goals])


def _aim(problem: Problem, reference: ReferenceMotion, goals: str, frame: int) -> None:
    kept = [place for place, name in enumerate(reference.names) if name not in _CASES[goals]]
    problem.set_targets(reference.targets[frame, kept])


def _errors(problem: Problem, pose: Array) -> Array:
    work = problem.new_work()
    evaluate(problem.packed, problem.gather([pose]), False, work)
    first = int(problem.ints[at.ERRORS])
    return np.array(work[first : first + int(problem.ints[at.BLOCKS])])


def least_diverging(swept: list[Swept], goals: str) -> float:
    """The least step from which on some start diverges or flips [1/m2]."""
    bad = [each.step for each in swept if each.goals == goals and max(each.diverged, each.flips) > 0.0]
    return min(bad, default=float("inf"))


def _picture(swept: list[Swept]) -> str:
    lines = []
    for goals in _CASES:
        mine = [each for each in swept if each.goals == goals]
        steps = [each.step for each in mine]
        lines.append(Line(name=f"{goals}: reached", x=steps, y=[100.0 * each.reached for each in mine]))
        lost = [100.0 * max(each.diverged, each.flips) for each in mine]
        lines.append(Line(name=f"{goals}: diverges or flips", x=steps, y=lost, dashed=True))
    marks = {"source's 0.005": SOURCE_LIMIT, "figure 8's 0.05": SOURCE_FLIP}
    return line_chart("What becomes of starts that are close", "t [1/m²]", "% of starts", lines, log="x", marks=marks)


def _claims(swept: list[Swept], bounds: dict[str, tuple[float, float]]) -> list[Claim]:
    def near(goals: str, step: float) -> Swept:
        return next(each for each in swept if each.goals == goals and each.step == step)

    least = {goals: least_diverging(swept, goals) for goals in _CASES}
    text = "; ".join(
        f"{goals}: from t = {least[goals]:.3g} on (the linear model says {bounds[goals][0]:.3g} to "
        f"{bounds[goals][1]:.3g})"
        for goals in _CASES
    )
    flip = near("5 goals", SOURCE_FLIP)
    limit = near("6 goals", SOURCE_LIMIT)
    six = [each for each in swept if each.goals == "6 goals"]
    best = min(six, key=lambda each: (-each.reached, each.iterations))
    short = six[0]
    return [
        Claim(
            source="a step of more than 0.005 (0.125 per m²) diverges, even from close to a solution",
            ours=f"{text}; at 0.125, {100.0 * limit.reached:.0f}% are reached, {100.0 * limit.diverged:.0f}% diverge, "
            f"{100.0 * limit.flips:.0f}% flip",
            agrees=all(SOURCE_LIMIT <= each <= 2.0 * SOURCE_LIMIT for each in least.values()),
        ),
        Claim(
            source="at 0.05 (1.25 per m²) poses flip to and fro, with 5 goals (figure 8)",
            ours=f"with 5 goals {100.0 * flip.flips:.0f}% of the starts flip, {100.0 * flip.reached:.0f}% are reached",
            agrees=flip.flips > 0.5,
        ),
        Claim(
            source="shorter steps only slow the method down",
            ours=f"best at t = {best.step:.3g}: {100.0 * best.reached:.0f}% reached, median of {best.iterations:g} "
            f"iterations; at t = {short.step:.3g}: {100.0 * short.reached:.0f}%, {short.iterations:g} iterations",
            agrees=short.iterations > best.iterations and short.reached <= best.reached,
        ),
    ]
