"""Stiffness of a spline beside the body's: Engell-Norregard 2012, figure 30.

A flat bar of springs, as the source's 2D system, with one spline along its middle of a segment for each square. It is
contracted at step 1000 and released at step 3000; the body's stiffness stays, the spline's is 0.5 to 32 times that. The
source does not say how large steps are, how heavy or how damped the bar is: ours are 1 ms, 10 kg/m2, springs of 1000
N/m damped by 2% of what is critical for each. Plotted is the distance of the spline's ends beside that at rest.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.contracting import DENSITY, SPACING, SPRING, flat_bar, moved_controls, play, settled_after
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.soft.splines import DrawnSpline, bind_splines
from engine.soft.springs import spring_body

RATIOS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
ALPHA = 0.7
_ON, _OFF, _END = 1000, 3000, 6000  # steps
_STEP = 1e-3  # [s]
_DAMPED = 0.02
_CLOSE = 0.1  # of the contraction: what is left of oscillations


@dataclass(frozen=True, kw_only=True)
class BarResponse:
    """How one bar answered."""

    lengths: Array  # of the spline beside that at rest, one each step
    reached: float  # share of the contraction that was asked for
    rise: int  # steps to 90% of what is reached
    overshoot: float  # beyond it, as a share
    settle: int  # steps from the release until what swings is within a tenth


def run(settings: Settings) -> Result:
    """One bar for each ratio."""
    ratios = RATIOS[::6] if settings.quick else RATIOS
    found = {ratio: respond(settings, ratio) for ratio in ratios}
    rows = [(ratio, each.reached, each.rise, each.overshoot, each.settle) for ratio, each in found.items()]
    steps = list(range(0, _END, 10))
    lines = [Line(name=f"{ratio:g}", x=steps, y=each.lengths[::10].tolist()) for ratio, each in found.items()]
    curves = [(step, *(float(each.lengths[step]) for each in found.values())) for step in range(0, _END, 20)]
    return Result(
        title="Stiffness of a spline beside the body's (Engell-Norregard 2012, figure 30)",
        tables=(
            Table(
                name="ratios", columns=("ratio", "reached", "rise_steps", "overshoot", "settle_steps"), rows=tuple(rows)
            ),
            Table(name="lengths", columns=("step", *(f"ratio_{ratio:g}" for ratio in found)), rows=tuple(curves)),
        ),
        pictures=(
            ResultPlot(name="lengths", svg=line_chart("Length by the ratio of stiffness", "step", "l / l0", lines)),
        ),
        claims=_claims(found),
    )


def respond(settings: Settings, ratio: float) -> BarResponse:
    """Contract and release a bar."""
    mesh = flat_bar()
    masses = mesh.masses(DENSITY)
    ends = moved_controls(settings, np.array([(-5.5 * SPACING, 0.0, 0.0), (5.5 * SPACING, 0.0, 0.0)]), flat=True)
    spline = DrawnSpline(controls=ends, samples=12, region="cell", ratio=ratio)
    bound = bind_splines(mesh, masses, [spline], spring=SPRING)
    body = spring_body(mesh, masses, stiffness=SPRING, damping=_DAMPED, virtual=bound.springs)
    count, lengths = bound.springs.segment_count, np.empty(_END)
    rest = float(np.linalg.norm(ends[1] - ends[0]))

    def seen(frame: int, points: Array, _: Array) -> None:
        places = bound.springs.places(points)
        lengths[frame] = np.linalg.norm(places[-1] - places[0]) / rest

    def alphas(frame: int) -> Array:
        return np.full(count, ALPHA if _ON <= frame < _OFF else 1.0)

    play(body, mesh.points.copy(), _END, _STEP, alphas, seen)
    held = float(lengths[_OFF - 500 : _OFF].mean())
    contracted = 1.0 - held
    during = lengths[_ON:_OFF]
    return BarResponse(
        lengths=lengths,
        reached=contracted / (1.0 - ALPHA),
        rise=int(np.argmax(1.0 - during >= 0.9 * contracted)),
        overshoot=float((held - during.min()) / contracted),
        settle=settled_after(lengths[_OFF:], 1.0, _CLOSE * contracted),
    )


def _claims(found: dict[float, BarResponse]) -> tuple[Claim, ...]:
    def told(what: str, digits: str) -> str:
        return " / ".join(format(getattr(each, what), digits) for each in found.values())

    ratios = " / ".join(f"{ratio:g}" for ratio in found)
    reached = [each.reached for each in found.values()]
    settled = [each.settle for each in found.values()]
    two, half = found.get(2.0), found[0.5]
    ours = "" if two is None else f"; at 2: {two.reached:.0%}, {two.rise} steps"
    return (
        Claim(
            source="a stiffer spline contracts the body more",
            ours=f"of the contraction asked for, by ratios of {ratios}: {told('reached', '.0%')}",
            agrees=bool(np.all(np.diff(reached) > 0.0)),
        ),
        Claim(
            source="a spline should be at least twice as stiff as the body for a rapid response",
            ours=f"0.5 reaches {half.reached:.0%}, 90% of it after {half.rise} steps{ours}; all: "
            f"{told('rise', 'd')} steps",
            agrees=two is not None and half.reached < 0.5 * two.reached,
        ),
        Claim(
            source="a high ratio oscillates too long after the release",
            ours=f"swings within a tenth after {told('settle', 'd')} steps",
            agrees=settled[-1] > 1.5 * settled[0],
        ),
    )
