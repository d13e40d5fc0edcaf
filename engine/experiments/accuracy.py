"""Time against accuracy: Welman 1993, figures 4.4 and 4.5.

An arm of seven hinges without limits reaches for a point well within its reach (half of it), and for one near the edge
(0.985 of it), to 1e-1 ... 1e-6 of its reach, from 20 bent poses. The source compares the Jacobian transpose, as a
motion that is integrated, with cyclic coordinate descent; the other methods stand beside them. Evaluations count how
often the kinematics were computed; the times are the fastest of three. The share of the outer joints is the part of all
turning between start and end that the last three hinges do; 43% if all turn alike.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from engine.experiments.arms import HINGES, arm, outline, reach_for
from engine.experiments.charts import Line, Sticks, line_chart, stick_chart
from engine.experiments.methods import ComparedMethod, methods, unhurried
from engine.experiments.result import TIMES, Claim, Result, ResultPlot, Settings, Table
from engine.ik.solver import new_work, solve
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6)  # [m], of a reach of 1 m
CASES = {"within": 0.5, "edge": 0.985}  # distance of the goal [m]
NAMED = {"within": "goal well within reach (figure 4.4)", "edge": "goal near the edge of reach (figure 4.5)"}
SHOWN = ("runge_kutta", "euler", "transpose_by_model", "ccd", "gradient", "damped", "levenberg")
_TRANSPOSES = ("transpose", "transpose_by_model", "euler", "runge_kutta")
_DRAWN = {"runge_kutta": "transpose", "ccd": "CCD", "levenberg": "Levenberg-Marquardt"}
_MOST = 60_000
_OUTER = 3  # hinges, of seven
_CLEARLY = 3.0  # times as fast as another that a method is which clearly outperforms it
_MORE = 1.2  # times the share of another that a preference is
_DIRECTION = np.array([np.sin(0.6), np.cos(0.6)])


@dataclass(frozen=True, kw_only=True)
class SolveMedians:
    """Effort of a method, as medians over the starts."""

    case: str
    method: ComparedMethod
    tolerance: float
    solved: float  # share of the starts
    iterations: float
    evaluations: float
    milliseconds: float
    outer: float  # share of the outer joints


def run(settings: Settings) -> Result:
    """Both cases, all methods, all accuracies."""
    rng = np.random.default_rng(settings.seed)
    starts = rng.uniform(-0.3, 0.5, (3 if settings.quick else 20, HINGES))
    tolerances = TOLERANCES[:4] if settings.quick else TOLERANCES
    kept = [each for each in methods() if each.name != "default"]
    found = [
        _measure(case, method, tolerance, starts, 1 if settings.quick else 3)
        for case in CASES
        for method in kept
        for tolerance in tolerances
    ]
    head = ("case", "method", "tolerance")
    rows = [(*_head(each), each.solved, each.iterations, each.evaluations, each.outer) for each in found]
    times = [(*_head(each), each.milliseconds) for each in found]
    return Result(
        title="Time against accuracy (Welman 1993, figures 4.4 and 4.5)",
        tables=(
            Table(
                name="accuracy", columns=(*head, "solved", "iterations", "evaluations", "outer_share"), rows=tuple(rows)
            ),
            Table(name=TIMES, columns=(*head, "milliseconds"), rows=tuple(times)),
        ),
        pictures=(
            *(_plot(found, case, timed) for case in CASES for timed in (False, True)),
            ResultPlot(name="poses", svg=_poses(kept, starts[0])),
        ),
        claims=tuple(_claims(found, tolerances)),
        notes=(f"{len(starts)} starts; no limits; medians; at most {_MOST} iterations",),
    )


def _head(found: SolveMedians) -> tuple[str, str, float]:
    return found.case, found.method.name, found.tolerance


def _goal(case: str) -> Array:
    return np.asarray(CASES[case] * _DIRECTION)


def _measure(case: str, method: ComparedMethod, tolerance: float, starts: Array, repeats: int) -> SolveMedians:
    problem = reach_for(arm(), _goal(case), tolerance)
    work, listed = new_work(problem, method.solver), []
    for start in starts:
        seconds, answer = [], None
        for _ in range(repeats):
            began = perf_counter()
            answer = solve(problem, [start], method.solver, budget=unhurried(_MOST), work=work)
            seconds.append(perf_counter() - began)
        assert answer is not None
        turned = np.abs(answer.poses[0] - start)
        outer = float(turned[-_OUTER:].sum() / turned.sum())
        listed.append((answer.state == "reached", answer.iterations, answer.evaluations, min(seconds), outer))
    numbers = np.array([each[1:] for each in listed if each[0]], dtype=float).reshape(-1, 4)
    middle = np.median(numbers, axis=0) if 2 * len(numbers) > len(listed) else np.full(4, np.inf)
    return SolveMedians(
        case=case,
        method=method,
        tolerance=tolerance,
        solved=len(numbers) / len(listed),
        iterations=float(middle[0]),
        evaluations=float(middle[1]),
        milliseconds=1e3 * float(middle[2]),
        outer=float(middle[3]),
    )


def _plot(found: list[SolveMedians], case: str, timed: bool) -> ResultPlot:
    lines = []
    for name in SHOWN:
        mine = [each for each in found if (each.case, each.method.name) == (case, name)]
        heights = [each.milliseconds if timed else each.evaluations for each in mine]
        lines.append(Line(name=mine[0].method.label, x=[1.0 / each.tolerance for each in mine], y=heights))
    unit = "time [ms]" if timed else "evaluations of the kinematics"
    svg = line_chart(NAMED[case].capitalize(), "1 / accuracy", unit, lines, log="xy")
    return ResultPlot(name=f"{TIMES}-{case}" if timed else f"evaluations-{case}", svg=svg)


def _poses(kept: list[ComparedMethod], start: Array) -> str:
    panels, figure = [], arm()
    for case in CASES:
        for name, short in _DRAWN.items():
            method = next(each for each in kept if each.name == name)
            problem = reach_for(figure, _goal(case), 1e-3)
            end = solve(problem, [start], method.solver, budget=unhurried(_MOST)).poses[0]
            lines = [(outline(figure, start), "#c8c8c8"), (outline(figure, end), "#1f6fb4")]
            panels.append(Sticks(name=f"{case}: {short}", lines=lines, goals=_goal(case)[None]))
    return stick_chart("Where the arm ends (grey: where it began)", panels)


def _claims(found: list[SolveMedians], tolerances: tuple[float, ...]) -> list[Claim]:
    def curve(case: str, name: str, timed: bool = False) -> list[float]:
        mine = [each for each in found if (each.case, each.method.name) == (case, name)]
        return [each.milliseconds if timed else each.evaluations for each in mine]

    def listed(values: list[float], unit: str = "") -> str:
        return " / ".join(f"{value:.3g}" for value in values) + unit

    easy, hard = curve("within", "runge_kutta"), curve("edge", "runge_kutta")
    ccd_easy, ccd_hard = curve("within", "ccd"), curve("edge", "ccd")
    timed, ccd_timed = curve("edge", "runge_kutta", True), curve("edge", "ccd", True)
    faster = [a / b for a, b in zip(timed, ccd_timed, strict=True)]
    outer = {
        name: [100.0 * each.outer for each in found if each.method.name == name and each.tolerance == tolerances[-1]]
        for name in ("ccd", *_TRANSPOSES)
    }
    ours, scale = curve("edge", "levenberg"), f"to {tolerances[0]:.0e} ... {tolerances[-1]:.0e}"
    return [
        Claim(
            source="within reach both solve quickly; each further digit costs the transpose more (figure 4.4)",
            ours=f"evaluations {scale}: transpose {listed(easy)}; CCD {listed(ccd_easy)}",
            agrees=bool(np.isfinite(easy + ccd_easy).all()) and easy[-1] > 2.0 * easy[0],
        ),
        Claim(
            source="near the edge of reach both solve, and the transpose becomes very slow (figure 4.5)",
            ours=f"evaluations {scale}: transpose {listed(hard)}; CCD {listed(ccd_hard)}",
            agrees=bool(np.isfinite(hard + ccd_hard).all()) and hard[-1] > 3.0 * easy[-1],
        ),
        Claim(
            source="CCD slows down there as well, but not nearly as much",
            ours=f"evaluations at the edge over those within, at {tolerances[-1]:.0e}: transpose "
            f"{hard[-1] / easy[-1]:.3g}, CCD {ccd_hard[-1] / ccd_easy[-1]:.3g}; "
            f"for the last digit {hard[-1] - hard[-2]:.3g} against {ccd_hard[-1] - ccd_hard[-2]:.3g}",
            agrees=ccd_hard[-1] / ccd_easy[-1] < hard[-1] / easy[-1],
        ),
        Claim(
            source="near the edge CCD clearly outperforms the transpose as the accuracy increases",
            ours=f"{scale}: transpose {listed(timed, ' ms')}; CCD {listed(ccd_timed, ' ms')}, "
            f"{listed(faster)} times as fast ({_CLEARLY:g} would be clearly)",
            agrees=faster[-1] >= _CLEARLY and faster[-1] >= faster[0],
            timed=True,
        ),
        Claim(
            source="CCD prefers to move distal links, the transpose distributes changes more equally (section 4.3)",
            ours=f"the last {_OUTER} of {HINGES} joints do, within reach / at its edge, of all turning: "
            + ", ".join(f"{name} {listed(shares, '%')}" for name, shares in outer.items())
            + f"; {100.0 * _OUTER / HINGES:.0f}% if all turn alike",
            agrees=all(a > _MORE * b for name in _TRANSPOSES for a, b in zip(outer["ccd"], outer[name], strict=True)),
        ),
        Claim(
            source="(ours) the default needs a few steps for each digit, at the edge as well",
            ours=f"evaluations {scale}: {listed(ours)}",
            agrees=bool(np.isfinite(ours).all()) and ours[-1] <= 60.0,
        ),
    ]
