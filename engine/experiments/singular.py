"""A straight arm pulled inwards: Welman 1993, figure 4.2.

The pull on the tip goes down the singular direction, J^T r is zero, and no step that is made of the gradient moves. The
arm has seven hinges and stands exactly straight; the goals lie on its line. Coordinate descent turns a joint by half a
turn where the goal lies behind it: the arm folds upon itself, and leaves the line by rounding, or at once where limits
cut the half turn short. A goal within the last link lies ahead of every joint, and it does not move either. Of each
end is counted whether links cross one another, and how far its joints turned.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engine.experiments.arms import HINGES, arm, outline, reach_for
from engine.experiments.charts import Sticks, stick_chart
from engine.experiments.methods import ComparedMethod, methods
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.ik.solver import Budget, solve
from engine.maths.arrays import Array

LIMIT = np.radians(150.0)
TOLERANCE = 1e-3  # [m], of a reach of 1 m
_CASES: dict[str, float | None] = {"without limits": None, "with limits": float(LIMIT)}
_ITERATIONS = 3000
LAST_JOINT = 1.0 - 1.0 / HINGES  # [m] from the base
_MOVED = 1e-6  # [m]
_ROUNDING = 1e-18  # [m4]

_REASONABLE = np.radians(90.0)  # [rad] that no joint turns further of an arm that bends reasonably
Row = tuple[
    str, str, float, float, float, int, int, float
]  # limits, method, goal, moved, missed, reached, crossed, turned


def run(settings: Settings) -> Result:
    """All methods, both cases, goals at random along the arm."""
    rng = np.random.default_rng(settings.seed)
    # A fifth of the goals lie within the last link.
    count = 1 if settings.quick else 5
    inwards, ahead = rng.uniform(0.25, LAST_JOINT - 0.02, 4 * count), rng.uniform(LAST_JOINT + 0.02, 0.95, count)
    goals = [*inwards.tolist(), *ahead.tolist()]
    rows: list[Row] = []
    ends: dict[tuple[str, str], Array] = {}
    for case, limit in _CASES.items():
        for method in methods():
            for goal in goals:
                row, end = _pull(case, limit, method, goal)
                rows.append(row)
                ends.setdefault((case, method.name), end)
    columns = ("limits", "method", "goal_m", "moved_m", "missed_m", "reached", "crosses_itself", "most_turned_rad")
    return Result(
        title="A straight arm pulled inwards (Welman 1993, figure 4.2)",
        tables=(Table(name="pulled", columns=columns, rows=tuple(rows)),),
        pictures=(ResultPlot(name="poses", svg=_picture(ends, goals[0])),),
        claims=tuple(_claims(rows)),
        notes=(f"{len(goals)} goals, 0.25 to 0.95 of the reach; tolerance {TOLERANCE:g} of it",),
    )


def _pull(case: str, limit: float | None, method: ComparedMethod, goal: float) -> tuple[Row, Array]:
    figure, start = arm(limit), np.zeros(HINGES)
    problem = reach_for(figure, np.array([0.0, goal]), TOLERANCE)
    budget = Budget(iterations=_ITERATIONS, milliseconds=1e6, starts=method.starts)
    answer = solve(problem, [start], method.solver, budget=budget)
    joints = outline(figure, answer.poses[0])
    moved = float(np.linalg.norm(joints - outline(figure, start), axis=1).max())
    reached = int(answer.state == "reached")
    crossed, turned = int(crosses_itself(joints)), float(np.abs(answer.poses[0]).max())
    return (case, method.name, goal, moved, float(answer.errors[0]), reached, crossed, turned), joints


def crosses_itself(joints: Array) -> bool:
    """Tell whether two links of a chain in a plane that do not follow one another cross; touching does not count."""

    def side(a: Array, b: Array, c: Array) -> float:
        return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))

    links = list(pairwise(joints))
    return any(
        side(a, b, c) * side(a, b, d) < -_ROUNDING and side(c, d, a) * side(c, d, b) < -_ROUNDING
        for first, (a, b) in enumerate(links)
        for c, d in links[first + 2 :]
    )


def share(rows: list[Row], case: str, name: str, *, moved: bool = False, inwards: bool | None = None) -> float:
    """The part of the goals that a method reached, or for which it moved at all; of those beyond the last link
    (`inwards`) or within it, if given. Not a number where there are none."""
    mine = [row for row in rows if row[:2] == (case, name) and inwards in (None, row[2] < LAST_JOINT)]
    return float(np.mean([row[3] > _MOVED if moved else row[5] for row in mine])) if mine else float("nan")


def _picture(ends: dict[tuple[str, str], Array], goal: float) -> str:
    straight = outline(arm(), np.zeros(HINGES))
    shown = [
        ("without limits", "transpose"),
        ("without limits", "ccd"),
        ("with limits", "ccd"),
        ("with limits", "default"),
    ]
    labels = {"transpose": "transpose", "ccd": "CCD", "default": "Sinew"}
    panels = [
        Sticks(
            name=f"{labels[name]}, {case}",
            lines=[(straight, "#c8c8c8"), (ends[case, name], "#1f6fb4")],
            goals=np.array([[0.0, goal]]),
        )
        for case, name in shown
    ]
    return stick_chart("A straight arm pulled inwards", panels)


def percent(part: float) -> str:
    """Write a share as a percentage for a person."""
    return "none of them tried" if np.isnan(part) else f"{100.0 * part:.0f}%"


def _claims(rows: list[Row]) -> list[Claim]:
    followers = ("transpose", "transpose_by_model", "euler", "runge_kutta", "gradient", "conjugate")
    still = max(share(rows, case, name, moved=True) for case in _CASES for name in followers)
    moves = min(share(rows, case, "ccd", moved=True, inwards=True) for case in _CASES)
    limited, without = (share(rows, case, "ccd", inwards=True) for case in ("with limits", "without limits"))
    bent = [row for row in rows if row[1] == "ccd" and row[5]]
    crossed, turned = float(np.mean([row[6] for row in bent])), float(np.median([row[7] for row in bent]))
    ahead = share(rows, "without limits", "ccd", moved=True, inwards=False)
    default = min(share(rows, case, "default") for case in _CASES)
    others = {
        name: max(share(rows, case, name, moved=True) for case in _CASES)
        for name in ("inverse", "damped", "dogleg", "levenberg")
    }
    return [
        Claim(
            source="pulled inwards, the tip of a straight arm does not move with the Jacobian transpose",
            ours=f"no method that follows the gradient moves ({', '.join(followers)}): {100.0 * still:.0f}% of goals",
            agrees=still == 0.0,
        ),
        Claim(
            source="cyclic coordinate descent gives reasonable behaviour there",
            ours=f"goals further inwards than the last link: it moves for {percent(moves)}, reaches {percent(without)} "
            f"without limits and {percent(limited)} with limits of 150 degrees; of the arms that reach, "
            f"{percent(crossed)} cross themselves, and the joint that turns most turns by "
            f"{np.degrees(turned):.0f} degrees (median)",
            agrees=moves == 1.0 and without == 1.0 and limited == 1.0 and crossed == 0.0 and turned <= _REASONABLE,
        ),
        Claim(
            source="cyclic coordinate descent is completely immune to difficulties near singularities",
            ours=f"goals within the last link lie straight ahead of every joint: it moves for {percent(ahead)} of them",
            agrees=not ahead < 1.0,
        ),
        Claim(
            source="(ours) Newton-like steps from one start are as stuck as the transpose",
            ours="they move for " + ", ".join(f"{name} {100.0 * each:.0f}%" for name, each in others.items()),
            agrees=max(others.values()) == 0.0,
        ),
        Claim(
            source="(ours) with other starts, as the window does it, the goal is reached",
            ours=f"{100.0 * default:.0f}% of the goals",
            agrees=default == 1.0,
        ),
    ]
