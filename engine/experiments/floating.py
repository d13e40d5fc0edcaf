"""Floating bodies against Archimedes, and the ways in which bodies and water are coupled beside each other.

Long boxes lie across a planar tank of 1.5 m at 32 cells a metre, in water 0.55 m deep, and are let go 3 cm above the
depth of Archimedes, share of density times height. The depth is that below the mean level beside the box, averaged over
the time after the first four seconds, since waves run to and fro for long.

A long box of square section floats flat where its share s of the water's density is below 0.211 or above 0.789; in
between its metacentre is below its middle, 1 / (12 s) < (1 - s) / 2, and half as heavy as water it lies on an edge, at
45 degrees. It begins leaning by 6 degrees.

Coupled interleaved, a body's velocity errs by its added mass over its own, times minus one, in each step; so this ratio
is what the steps of a body that was struck under water differ by. A cylinder far from walls takes its own volume of
water along.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.floats import Float, box_float, lean, leaning, play, rod_float
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.hydrostatics import surface_heights
from engine.water.step import WaterModel, WaterState, WaterWork, box_distance, start
from engine.water.strong import BY_VELOCITIES, INTERLEAVED, STRONG

DENSITY = 1000.0
SHARES = (0.3, 0.5, 0.8)
SQUARES = (0.1, 0.5, 0.9)
_CELL = 1.0 / 32.0
_DT = 0.01
_LEVEL = 0.55
_WIDE, _HIGH = 0.36, 0.24
_STRUCK = (0.1, 0.5, 0.8, 1.25, 2.0, 4.0)


@dataclass(frozen=True, kw_only=True)
class Floating:
    """How one body floated."""

    depths: Array  # [m] below the level, at each step
    heights: Array  # [m] of its middle
    angles: Array  # [degrees]
    error: float  # largest part of the momentum that was given and not taken, or taken and not given


def run(settings: Settings) -> Result:
    """All comparisons."""
    quick = settings.quick
    shares, seconds = (SHARES[1:2], 0.6) if quick else (SHARES, 10.0)
    boxes = {share: _box(share, seconds) for share in shares}
    squares = {share: _square(share, 0.4 if quick else 8.0) for share in (SQUARES[1:2] if quick else SQUARES)}
    drifts = [(share, high, *_drift(share, high, 0.3 if quick else 10.0)) for share, high in _drifting(quick)]
    struck = [(share, *_struck(share)) for share in (_STRUCK[1:4:2] if quick else _STRUCK)]
    late = 0.4 if not quick else 0.0
    depths = [
        (share, share * _HIGH, _mean(each.depths, late), _mean(each.depths, late) / (share * _HIGH), each.error)
        for share, each in boxes.items()
    ]
    turned = [(share, _mean(each.angles, 0.5), each.error) for share, each in squares.items()]
    return Result(
        title="Floating bodies: Archimedes' depth, and how bodies and water are coupled",
        tables=(
            Table(name="depths", columns=("share", "wanted_m", "found_m", "ratio", "momentum"), rows=tuple(depths)),
            Table(name="squares", columns=("share", "angle_deg", "momentum"), rows=tuple(turned)),
            Table(name="drifts", columns=("share", "height_m", "moved_m", "first_second_m"), rows=tuple(drifts)),
            Table(name="struck", columns=("share", "strong", "interleaved", "velocities"), rows=tuple(struck)),
        ),
        pictures=(
            ResultPlot(name="depths", svg=_chart("Depth of boxes", "depth [m]", boxes, "depths")),
            ResultPlot(name="squares", svg=_chart("Long boxes of square section", "angle [deg]", squares, "angles")),
        ),
        claims=_claims(depths, turned, drifts, struck, quick),
    )


def _tank(cells: tuple[int, int, int], level: float, *, gravity: float = 9.81, cell: float = _CELL) -> _Tank:
    model = WaterModel(grid=WaterGrid(cells=cells, spacing=cell), density=DENSITY, gravity=(0.0, -gravity, 0.0))
    state = model.new_state(box_distance(model.grid, (0.0, 0.0, 0.0), (100.0, level, 100.0)))
    return _Tank(model, state, start(model, state))


@dataclass(frozen=True, eq=False)
class _Tank:
    model: WaterModel
    state: WaterState
    work: WaterWork

    def watch(self, body: Float, seconds: float, coupling: str = STRONG) -> Floating:
        """Let a body float for a while."""
        depths, heights, angles, error = [], [body.centre[1]], [leaning(body)], 0.0
        for _ in range(round(seconds / _DT)):
            (report,) = play(self.model, self.state, self.work, body, _DT, 1, coupling)
            distance = report.boundaries.distance
            assert distance is not None, "a body is in it"
            levels = surface_heights(self.model.grid, self.state.phi, distance < 0.0)
            beside = ~(distance < 0.0).any(axis=1)
            depths.append(float(levels[beside].mean()) - body.centre[1] + 0.5 * _HIGH)
            heights.append(body.centre[1])
            angles.append(leaning(body))
            error = max(error, report.exchange.error)
        turns = np.degrees(np.unwrap(angles))
        return Floating(depths=np.array(depths), heights=np.array(heights), angles=turns, error=error)


def _box(share: float, seconds: float) -> Floating:
    high = _LEVEL + (0.5 - share) * _HIGH + 0.03
    body = box_float((_WIDE, _HIGH, _CELL), share * DENSITY, np.array((0.75, high, 0.5 * _CELL)), planar=True)
    return _tank((48, 32, 1), _LEVEL).watch(body, seconds)


def _square(share: float, seconds: float) -> Floating:
    high = _LEVEL + (0.5 - share) * 0.3
    body = box_float((0.3, 0.3, _CELL), share * DENSITY, np.array((0.75, high, 0.5 * _CELL)), planar=True)
    lean(body, 0.1)
    return _tank((48, 32, 1), _LEVEL).watch(body, seconds)


def _drifting(quick: bool) -> tuple[tuple[float, float], ...]:
    whole = ((1.0, 0.25), (1.0, 0.42), (1.0, 0.5), (0.98, 0.25), (1.02, 0.35))
    return whole[1:4] if quick else whole


def _drift(share: float, height: float, seconds: float) -> tuple[float, float]:
    """Give how far a body that was put under water moves, at most, and in the first second."""
    body = box_float((0.3, 0.2, _CELL), share * DENSITY, np.array((0.5, height, 0.5 * _CELL)), planar=True)
    heights = _tank((32, 24, 1), 0.6).watch(body, seconds if share == 1.0 else min(seconds, 1.0)).heights
    away = heights - heights[0]
    return float(away[np.argmax(np.abs(away))]), float(away[min(100, len(away) - 1)])


def _struck(share: float) -> tuple[float, float, float]:
    """Give by what the changes of speed of a struck cylinder grow from step to step, for each coupling."""
    found = []
    for coupling in (STRONG, INTERLEAVED, BY_VELOCITIES):
        tank = _tank((32, 32, 1), 10.0, gravity=0.0, cell=1.0 / 16.0)
        body = rod_float(0.15, 1.0 / 16.0, share * DENSITY, np.array((1.0, 1.0, 0.5 / 16.0)))
        body.gravity, body.velocity[0] = 0.0, 0.1
        speeds = [0.1]
        with suppress(InvalidArguments):  # too fast to be followed
            for _ in range(5):
                play(tank.model, tank.state, tank.work, body, 1e-3, 1, coupling)
                speeds.append(float(body.velocity[0]))
        changes = np.abs(np.diff(speeds))
        found.append(float((changes[-1] / changes[0]) ** (1.0 / (len(changes) - 1))) if changes[0] > 0.0 else 0.0)
    return found[0], found[1], found[2]


def _mean(values: Array, late: float) -> float:
    return float(values[int(late * len(values)) :].mean())


def _chart(title: str, axis: str, found: dict[float, Floating], what: str) -> str:
    lines = []
    for share, each in found.items():
        values: Array = getattr(each, what)[::5]
        lines.append(Line(name=f"{share:g}", x=[5 * _DT * n for n in range(len(values))], y=values.tolist()))
    return line_chart(title, "time [s]", axis, lines)


def _claims(
    depths: Sequence[tuple[float, ...]],
    turned: Sequence[tuple[float, ...]],
    drifts: Sequence[tuple[float, ...]],
    struck: Sequence[tuple[float, ...]],
    quick: bool,
) -> tuple[Claim, ...]:
    ratios = [row[3] for row in depths]
    still = [abs(row[2]) for row in drifts if row[0] == 1.0]
    rises, sinks = [row[2] for row in drifts if row[0] < 1.0], [row[2] for row in drifts if row[0] > 1.0]
    angles = {row[0]: abs(row[1]) for row in turned}
    error = max(row[-1] for row in (*depths, *turned))
    wild = [row[2] > 1.0 for row in struck if row[0] < 0.9]
    calm = [row[2] < 1.0 for row in struck if row[0] > 1.1]
    flat = all(abs(angle) < 10.0 for share, angle in angles.items() if share in (0.1, 0.9))
    return (
        Claim(
            source="a body floats so deep that it displaces its weight (Archimedes)",
            ours=f"{' / '.join(f'{each:.3f}' for each in ratios)} of that depth, for densities of "
            f"{' / '.join(f'{row[0]:g}' for row in depths)}",
            agrees=all(abs(each - 1.0) < 0.05 for each in ratios),
        ),
        Claim(
            source="a long box of square section, half as heavy as water, floats on its edge; of 0.1 and 0.9 flat",
            ours=f"mean angles {', '.join(f'{share:g}: {angle:.0f} degrees' for share, angle in angles.items())}",
            agrees=abs(angles[0.5] - 45.0) < (25.0 if quick else 5.0) and flat,
        ),
        Claim(
            source="a body of the water's density stays where it is put; a lighter one rises, a heavier one sinks",
            ours=f"moves by {max(still) * 1000:.4f} mm at most; "
            f"0.98: {100.0 * sum(rises):+.1f} cm, 1.02: {100.0 * sum(sinks):+.1f} cm in a second",
            agrees=max(still) < 0.01 and all(each > 0.0 for each in rises) and all(each < 0.0 for each in sinks),
        ),
        Claim(
            source="momentum given to bodies is taken from the water",
            ours=f"within {error:.1e} in the strong form",
            agrees=error < 1e-6,
        ),
        Claim(
            source="interleaved pressure diverges for bodies lighter than the water that goes along with them",
            ours=f"steps of a struck cylinder grow by {', '.join(f'{row[0]:g}: {row[2]:.2f}' for row in struck)}",
            agrees=all(wild) and all(calm),
        ),
    )
