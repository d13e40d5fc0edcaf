"""A double pendulum as a boundary value problem: Winzell 2004, section 4.3.1 and figure 3.

Two rods of a metre swing from rest for a second. Without a muscle there are as many equations as unknowns, 28 of each
at six pieces; the answer is held against forward dynamics (Runge and Kutta's method, 960 steps), by the number of
pieces and by the rule of integration. With a muscle between the rods they are aligned in the end, at least squared
torque.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from engine.experiments.charts import Line, line_chart, stick_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.experiments.spacetime_sticks import rods, sticks_of
from engine.spacetime.bases import RuleName
from engine.spacetime.examples import controlled_pendulum, double_pendulum
from engine.spacetime.playback import play_back
from engine.spacetime.search import MotionSearch, find_motion

PIECES = (6, 12, 24, 48, 96, 192)
RULES: tuple[RuleName, ...] = ("gauss", "simpson")
_STEPS = 960
_ORDER, _FINEST = 2.8, 1e-6


def run(settings: Settings) -> Result:
    """Swing freely by pieces and rules, then with the muscle."""
    pieces = PIECES[:2] if settings.quick else PIECES
    rows = [(rule, count, *_missed(count, rule, settings.quick)) for rule in RULES for count in pieces]
    gauss = [row for row in rows if row[0] == "gauss"]
    orders = [float(np.log(one[2] / two[2]) / np.log(two[1] / one[1])) for one, two in pairwise(gauss)]
    search = MotionSearch(double_pendulum())
    free = search.find()
    aligned = find_motion(controlled_pendulum())
    end = float(np.abs(aligned.motion.coordinates(1.0)[3]))
    times = np.linspace(0.0, 1.0, 8).tolist()
    counted = f"{search.system.variables} unknowns, {search.system.constraints} equations"
    lines = [
        Line(
            name=rule,
            x=[float(row[1]) for row in rows if row[0] == rule],
            y=[row[2] for row in rows if row[0] == rule],
        )
        for rule in RULES
    ]
    return Result(
        title="A double pendulum, free and with a muscle (Winzell 2004, figure 3)",
        tables=(Table(name="errors", columns=("rule", "pieces", "largest_rad", "rms_rad"), rows=tuple(rows)),),
        pictures=(
            ResultPlot(
                name="errors",
                svg=line_chart("Error of the free swing", "pieces", "largest error [rad]", lines, log="xy"),
            ),
            ResultPlot(name="free", svg=stick_chart("Free", sticks_of(free.motion, rods(free.motion), times))),
            ResultPlot(
                name="aligned",
                svg=stick_chart("Aligned by a muscle", sticks_of(aligned.motion, rods(aligned.motion), times)),
            ),
        ),
        claims=(
            Claim(
                source="at six pieces 28 variables match 28 constraints (section 4.3.1)",
                ours=counted,
                agrees=(search.system.variables, search.system.constraints) == (28, 28),
            ),
            Claim(
                source="there is only one solution, and no objective comes into play",
                ours=f"{free.report.last.iteration} of Newton's steps; {gauss[0][2]:.3f} rad off at most, "
                f"{gauss[0][3]:.3f} in the root mean square",
                agrees=free.report.solved,
            ),
            Claim(
                source="(ours: the error falls with the third power of pieces or faster, to 1e-6 rad)",
                ours=f"orders {', '.join(f'{each:.1f}' for each in orders)}; {gauss[-1][2]:.1e} rad at {gauss[-1][1]}",
                agrees=min(orders) >= _ORDER and (settings.quick or gauss[-1][2] <= _FINEST),
            ),
            Claim(
                source="with a muscle the rods are aligned in the end (figure 3)",
                ours=f"{end:.1e} rad from it, objective {aligned.report.last.objective:.3f} N2 m2 s",
                agrees=aligned.report.solved and end < 1e-8,
            ),
        ),
    )


def _missed(pieces: int, rule: RuleName, quick: bool) -> tuple[float, float]:
    """Largest and root-mean-square error of the angles."""
    found = find_motion(replace(double_pendulum(pieces=pieces), rule=rule))
    played = play_back(found.motion, 0, _STEPS // 4 if quick else _STEPS)
    apart = np.array(
        [found.motion.coordinates(time)[2:] - q[2:] for time, q in zip(played.times, played.q, strict=True)]
    )
    return float(np.abs(apart).max()), float(np.sqrt((apart**2).mean()))
