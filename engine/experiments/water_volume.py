"""Volume over time of a dam that breaks, by each way to follow the surface, with and without its correction.

A block of 0.55 by 0.67 m in a cubic tank of 1 m, 37% full, falls and comes to rest; the volume is that of the water and
of the drops that fly, measured after each frame and divided by what there was.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterOptions, box_distance, start, step
from engine.water.surfaces import APIC, FLIP, LEVEL_SET, PARTICLE_LEVEL_SET

FRAMES = 30  # a second


def run(settings: Settings) -> Result:
    """Ten seconds of each, or a fifth of one."""
    cells, seconds = (12, 0.2) if settings.quick else (32, 10.0)
    cases = [(PARTICLE_LEVEL_SET, True), (PARTICLE_LEVEL_SET, False), (LEVEL_SET, True), (LEVEL_SET, False)]
    cases += [(FLIP, False), (APIC, False)]
    found = {case: _volumes(*case, cells, seconds, settings.seed) for case in cases}
    times = (np.arange(round(seconds * FRAMES)) + 1) / FRAMES
    rows = [
        (method, str(correct), float(t), float(drift))
        for (method, correct), drifts in found.items()
        for t, drift in zip(times, drifts, strict=True)
    ]
    lines = [
        Line(name=f"{method}{', corrected' if correct else ''}", x=times.tolist(), y=(100.0 * drifts).tolist())
        for (method, correct), drifts in found.items()
    ]
    return Result(
        title=f"Volume over time of a dam break, {cells}^3 cells",
        tables=(Table(name="volumes", columns=("surface", "corrected", "time_s", "drift"), rows=tuple(rows)),),
        pictures=(ResultPlot(name="volumes", svg=line_chart("Volume", "time [s]", "drift [%]", lines)),),
        claims=tuple(_claim(*case, drifts) for case, drifts in found.items()),
    )


def _volumes(method: str, correct: bool, cells: int, seconds: float, seed: int) -> Array:
    """Drift after each frame, over the volume at first."""
    options = WaterOptions(surface=method, correct_volume=correct, seed=seed, tolerance=1e-5)
    model = WaterModel(grid=WaterGrid(cells=(cells, cells, cells), spacing=1.0 / cells), options=options)
    state = model.new_state(box_distance(model.grid, (0.0, 0.0, 0.0), (0.55, 0.67, 1.0)))
    work = start(model, state)
    drifts, first = [], 0.55 * 0.67
    for _ in range(round(seconds * FRAMES)):
        drifts.append(step(model, state, work, 1.0 / FRAMES).surface.volume / first - 1.0)
    return np.array(drifts)


def _claim(method: str, correct: bool, drifts: Array) -> Claim:
    most, asked = float(np.abs(drifts).max()), 0.01 if correct else 0.05
    told = "corrected" if correct else "before any correction"
    return Claim(
        source=f"{method}, {told}: within {100 * asked:g}%",
        ours=f"at most {100 * most:.2f}%, at the end {100 * float(drifts[-1]):.2f}%",
        agrees=most <= asked,
    )
