"""The desk lamp's leap and its longer leap: Winzell 2004, section 6.2, figures 5 and 6.

Three stages: the base nailed, in the air, nailed where it lands; the landing is three blows. Torques are variables, or
computed from the motion (4.4.3), which the source left for others to compare.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.experiments.charts import Line, line_chart, stick_chart
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.experiments.spacetime_sticks import sticks_of
from engine.spacetime.examples import HEEL, TOE, lamp_leap
from engine.spacetime.figures import LimbPoint
from engine.spacetime.playback import play_back
from engine.spacetime.problem import MotionProblem
from engine.spacetime.search import FoundMotion, MotionSearch

DISTANCES = (0.4, 0.7)
SHAPE = (
    (HEEL, TOE),
    (LimbPoint("lower arm"), LimbPoint("lower arm", (0.3, 0.0))),
    (LimbPoint("upper arm"), LimbPoint("upper arm", (0.3, 0.0))),
    (LimbPoint("head"), LimbPoint("head", (0.12, 0.0))),
)
_GENTLE = 0.25  # of the hardest blow
_WITHIN = 0.01


def run(settings: Settings) -> Result:
    """Leap, leap farther, land gently; with torques as variables and computed."""
    pieces = 8 if settings.quick else 12
    rows: list[tuple[Cell, ...]] = []
    pictures: list[ResultPlot] = []
    leaps: list[FoundMotion] = []
    for distance in DISTANCES:
        found = _found(lamp_leap(distance, pieces=pieces), f"leap of {distance:g} m", rows)
        leaps.append(found)
        times = np.linspace(0.0, found.motion.duration, 12).tolist()
        panels = sticks_of(found.motion, SHAPE, times, ground=0.0)
        pictures.append(ResultPlot(name=f"leap-{distance:g}", svg=stick_chart(f"A leap of {distance:g} m", panels)))
    hardest = _hardest(leaps[0])
    gentle = _found(lamp_leap(pieces=pieces, hardest=_GENTLE * hardest), "gentle landing", rows)
    computed = _found(replace(lamp_leap(pieces=pieces), implicit=True), "torques computed", rows)
    pictures.append(ResultPlot(name="torques", svg=_torques(leaps[0])))
    off = max(_off(leaps[0], stage) for stage in range(3))
    columns = ("case", "variables", "constraints", "iterations", "objective", "violation", "hardest_blow_Ns", "ending")
    return Result(
        title="A desk lamp that leaps (Winzell 2004, figures 5 and 6)",
        tables=(Table(name="leaps", columns=columns, rows=tuple(rows)),),
        pictures=tuple(pictures),
        claims=(
            Claim(
                source="the lamp crouches, leaps and lands where its base is nailed (figure 5), and farther (figure 6)",
                ours=", ".join(str(each.report) for each in leaps),
                agrees=all(each.report.solved for each in leaps),
            ),
            Claim(
                source="a bound on the impulse makes a gentle touchdown",
                ours=f"blows of at most {_hardest(gentle):.2f} instead of {hardest:.2f} N s, "
                f"at {_dearer(gentle, leaps[0])}",
                agrees=gentle.report.solved and _hardest(gentle) <= _GENTLE * hardest + 1e-6,
            ),
            Claim(
                source="torques that are computed from the motion make the problem smaller and denser; which is better "
                "is not clear",
                ours=f"objective {computed.report.last.objective:.2f} in {computed.report.last.iteration} iterations "
                f"instead of {leaps[0].report.last.objective:.2f} in {leaps[0].report.last.iteration}",
                agrees=computed.report.solved,
            ),
            Claim(
                source="the motion is physically valid",
                ours=f"played back from its torques it stays within {off:.1%} of each stage's widest movement",
                agrees=settings.quick or off < _WITHIN,
            ),
        ),
    )


def _found(problem: MotionProblem, name: str, rows: list[tuple[Cell, ...]]) -> FoundMotion:
    search = MotionSearch(problem)
    found = search.find()
    last, system = found.report.last, search.system
    numbers = (system.variables, system.constraints, last.iteration, last.objective, last.violation, _hardest(found))
    rows.append((name, *numbers, found.report.ending))
    return found


def _hardest(found: FoundMotion) -> float:
    return float(np.abs(found.motion.stage_functions(1, 1.0)[-3:-1]).max())


def _dearer(one: FoundMotion, other: FoundMotion) -> str:
    return f"{one.report.last.objective / other.report.last.objective:.2f} times the cost"


def _off(found: FoundMotion, stage: int) -> float:
    played = play_back(found.motion, stage, 100)
    planned = np.array([found.motion.stage_functions(stage, share) for share in np.linspace(0.0, 1.0, len(played.q))])
    apart = np.abs(planned[:, : played.q.shape[1]] - played.q).max()
    return float(apart / np.ptp(played.q, axis=0).max())


def _torques(found: FoundMotion) -> str:
    times = np.linspace(0.0, found.motion.duration, 231)
    names = [each.limb for each in found.motion.problem.muscles]
    lines = [
        Line(name=name, x=times.tolist(), y=[found.motion.function(f"torque of {name}", time) for time in times])
        for name in names
    ]
    return line_chart("Torques of the leap", "time [s]", "torque [N m]", lines)
