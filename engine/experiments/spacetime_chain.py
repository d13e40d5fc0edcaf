"""A chain of three links that stretches to the right: Winzell 2004, section 6.1 and figure 4.

Two metres in all, 1 kg, half a second, angles within half a turn. J is half the integral of squared torque. A solver
ends in the minimum that its guess lies near: from the straight line, from guesses with sine waves on it, and by the
search that looks for minima on half the pieces first.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import stick_chart
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.experiments.spacetime_sticks import rods, sticks_of
from engine.spacetime.examples import link_chain
from engine.spacetime.guesses import drawn_guess
from engine.spacetime.search import FoundMotion, MotionSearch, find_best

GUESSES = 24
_BETTER = 22.54  # of the minimum that least squares of other software found where IPOPT stopped at 28.80


def run(settings: Settings) -> Result:
    """From guesses one by one, then by the search for the best."""
    search = MotionSearch(link_chain())
    straight = search.find()
    found = [straight]
    for each in range(3 if settings.quick else GUESSES):
        found.append(search.find(drawn_guess(search.problem, search.program.layout, 1000 * settings.seed + each)))
    best = find_best(search, seeds=range(settings.seed, settings.seed + 6))
    rows: list[tuple[Cell, ...]] = [
        ("straight line" if at == 0 else f"drawn {at}", _half(each), each.report.last.iteration, each.report.ending)
        for at, each in enumerate(found)
    ]
    rows += [("best of coarse", _half(each), each.report.last.iteration, each.report.ending) for each in best]
    solved = sorted({round(_half(each), 1) for each in (*found, *best) if each.report.solved})
    times = np.linspace(0.0, 0.5, 8).tolist()
    return Result(
        title="A chain of three links, its minima (Winzell 2004, figure 4)",
        tables=(
            Table(name="minima", columns=("guess", "half_torque_squared", "iterations", "ending"), rows=tuple(rows)),
        ),
        pictures=(
            ResultPlot(
                name="straight",
                svg=stick_chart(_title(straight), sticks_of(straight.motion, rods(straight.motion), times)),
            ),
            ResultPlot(
                name="best", svg=stick_chart(_title(best[0]), sticks_of(best[0].motion, rods(best[0].motion), times))
            ),
        ),
        claims=(
            Claim(
                source="slightly different guesses yield very different solutions, one substantially better",
                ours="J " + ", ".join(f"{each:g}" for each in solved),
                agrees=len(solved) > 1 and solved[-1] > 1.2 * solved[0],
            ),
            Claim(
                source=f"(other software: J {_BETTER} by least squares, 28.80 by IPOPT)",
                ours=f"{_half(best[0]):.2f} from the straight line by way of half the pieces, "
                f"{_half(straight):.2f} without",
                agrees=_half(best[0]) <= _BETTER,
            ),
        ),
    )


def _half(found: FoundMotion) -> float:
    return found.report.last.objective / 2.0


def _title(found: FoundMotion) -> str:
    return f"J = {_half(found):.2f}"
