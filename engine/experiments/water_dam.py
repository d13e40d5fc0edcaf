"""The front of a column of water that collapses, beside the measurements of Martin and Moyce (1952).

A column as wide as a = 2.25 inches and twice as high (n^2 = 2) is let go in a planar tank; how far its foot has run is
Z = x / a at the time T = n t sqrt(g / a). Measured are their tables 2 (front) and 6 (height of what is left at the
wall, H = y / (n^2 a) at the time T = t sqrt(g / a)), as they have been printed again by many who compare with them.

The moment at which the dam is away is not known of the measurements: water burst through the waxed paper before it was
gone, so that Martin and Moyce themselves lay their curves together where Z = 1.44. Both stand here: errors with our
own time, and with all times counted from there.

By our own time the front is 18% ahead at Z = 1.44, since it is there 15 ms sooner, T = 0.27 of 1.19. That is a lag and
no speed: from the second mark (Z = 1.22) to the last it stays the same, within 4% of the place, at 8, 16 and 32 cells,
by steps of a quarter, and whether water sticks to the floor or slips. Only the first mark differs by 9%: there the
measured foot is a tenth of the width out while the paper still tears.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterOptions, box_distance, start, step
from engine.water.surfaces import APIC, FLIP, LEVEL_SET, PARTICLE_LEVEL_SET

WIDTH = 0.05715  # [m]
FRONT_TIMES = 0.41, 0.84, 1.19, 1.43, 1.63, 1.83, 1.98, 2.20, 2.32, 2.51, 2.65, 2.83, 2.98, 3.11, 3.33
FRONT_PLACES = 1.11, 1.22, 1.44, 1.67, 1.89, 2.11, 2.33, 2.56, 2.78, 3.00, 3.22, 3.44, 3.67, 3.89, 4.11
HEIGHT_TIMES = 0.56, 0.77, 0.93, 1.08, 1.28, 1.46, 1.66, 1.84, 2.00, 2.21, 2.45, 2.70, 3.06, 3.44, 4.20
HEIGHTS = 0.94, 0.89, 0.83, 0.78, 0.72, 0.67, 0.61, 0.56, 0.50, 0.44, 0.39, 0.33, 0.28, 0.22, 0.17
MATCHED = 1.44  # where the authors lay curves together
ASKED = 0.1
_GRAVITY, _VISCOSITY = 9.81, 1e-6
_LONG, _HIGH = 5.5, 2.5  # the tank, in widths of the column


@dataclass(frozen=True, kw_only=True)
class _Collapse:
    """A run: times [s], fronts and heights at the wall over the column's width."""

    method: str
    cells: int  # in the column's width
    times: Array
    fronts: Array
    heights: Array

    @property
    def scaled(self) -> Array:
        """Times of fronts, as measured ones are."""
        return self.times * math.sqrt(2.0 * _GRAVITY / WIDTH)

    @property
    def sooner(self) -> float:
        """How much sooner the front is where curves are laid together than measured, as a scaled time."""
        return FRONT_TIMES[FRONT_PLACES.index(MATCHED)] - float(np.interp(MATCHED, self.fronts, self.scaled))

    def errors(self, *, matched: bool) -> Array:
        """How much farther the front is than measured, over the measured place, at the measured times."""
        places = np.interp(np.array(FRONT_TIMES) - (self.sooner if matched else 0.0), self.scaled, self.fronts)
        return np.asarray(places / np.array(FRONT_PLACES) - 1.0)

    @property
    def height_errors(self) -> Array:
        """How much higher the water at the wall is than measured, over the column's first height, as far as it ran."""
        times = self.times * math.sqrt(_GRAVITY / WIDTH)
        known = np.array(HEIGHT_TIMES) <= times[-1]
        heights = np.interp(np.array(HEIGHT_TIMES)[known], times, 0.5 * self.heights)
        return np.asarray(heights - np.array(HEIGHTS)[known])


def run(settings: Settings) -> Result:
    """Each way to follow the surface, and the default one on three grids."""
    cells = 8 if settings.quick else 32
    cases = [(method, cells) for method in (PARTICLE_LEVEL_SET, LEVEL_SET, FLIP, APIC)]
    cases += [] if settings.quick else [(PARTICLE_LEVEL_SET, 8), (PARTICLE_LEVEL_SET, 16)]
    runs = [_collapse(method, count, settings.seed) for method, count in cases]
    rows = tuple(
        (each.method, each.cells, t, z, float(own), float(matched))
        for each in runs
        for t, z, own, matched in zip(
            FRONT_TIMES, FRONT_PLACES, each.errors(matched=False), each.errors(matched=True), strict=True
        )
    )
    heads = ("surface", "cells_in_width", "time", "measured_place", "error", "error_matched")
    return Result(
        title="A column of water that collapses (Martin and Moyce 1952)",
        tables=(Table(name="fronts", columns=heads, rows=rows),),
        pictures=(
            ResultPlot(name="fronts", svg=_drawn(runs[:4])),
            ResultPlot(name="heights", svg=_drawn_heights(runs[:4])),
        ),
        claims=(*(_claim(each) for each in runs), _height_claim(runs[0])),
    )


def _collapse(method: str, cells: int, seed: int) -> _Collapse:
    """Let the column go, on cells of which so many make its width, until the last time of the fronts."""
    h = WIDTH / cells
    grid = WaterGrid(cells=(round(_LONG * cells), round(_HIGH * cells), 1), spacing=h)
    options = WaterOptions(surface=method, seed=seed)
    model = WaterModel(grid=grid, viscosity=_VISCOSITY, options=options, gravity=(0.0, -_GRAVITY, 0.0))
    state = model.new_state(box_distance(grid, (0.0, 0.0, 0.0), (WIDTH, 2.0 * WIDTH, h)))
    work = start(model, state)
    dt = 0.05 * math.sqrt(WIDTH / _GRAVITY)
    count = math.ceil(1.1 * FRONT_TIMES[-1] / math.sqrt(2.0 * _GRAVITY / WIDTH) / dt)
    times, fronts, heights = [0.0], [1.0], [2.0]
    for number in range(count):
        step(model, state, work, dt)
        times.append((number + 1) * dt)
        fronts.append(_reach(state.phi[:, 0, 0]) / cells)
        heights.append(_reach(state.phi[0, :, 0]) / cells)
    return _Collapse(
        method=method, cells=cells, times=np.array(times), fronts=np.array(fronts), heights=np.array(heights)
    )


def _reach(phi: Array) -> float:
    """How far water reaches along a row of distances to its surface [cells]."""
    wet = np.flatnonzero(phi < 0.0)
    last = int(wet[-1]) if len(wet) else -1
    if last < 0 or last == len(phi) - 1:
        return float(last + 1)
    return last + 0.5 + float(phi[last] / (phi[last] - phi[last + 1]))


def _drawn(runs: list[_Collapse]) -> str:
    lines = [Line(name="measured", x=list(FRONT_TIMES), y=list(FRONT_PLACES), dashed=True)]
    for each in runs:
        shown = each.scaled <= FRONT_TIMES[-1]
        lines.append(Line(name=each.method, x=each.scaled[shown].tolist(), y=each.fronts[shown].tolist()))
    return line_chart("Front of a collapsing column", "time t sqrt(2 g / a)", "place x / a", lines)


def _drawn_heights(runs: list[_Collapse]) -> str:
    lines = [Line(name="measured", x=list(HEIGHT_TIMES), y=list(HEIGHTS), dashed=True)]
    for each in runs:
        times = (each.times * math.sqrt(_GRAVITY / WIDTH)).tolist()
        lines.append(Line(name=each.method, x=times, y=(0.5 * each.heights).tolist()))
    return line_chart("Height of what is left at the wall", "time t sqrt(g / a)", "height y / 2a", lines)


def _claim(found: _Collapse) -> Claim:
    own, matched = (float(np.abs(found.errors(matched=each)).max()) for each in (False, True))
    after, lag = float(np.abs(found.errors(matched=True)[1:]).max()), found.sooner / math.sqrt(2.0 * _GRAVITY / WIDTH)
    return Claim(
        source=f"{found.method}, {found.cells} cells in the width: the front is within {100 * ASKED:g}% of the "
        f"measured one, counted from Z = {MATCHED:g}",
        ours=f"within {100 * matched:.1f}%, after the first mark within {100 * after:.1f}%; by our own time, "
        f"by which it is there {1000 * lag:.0f} ms sooner, within {100 * own:.1f}%",
        agrees=matched <= ASKED,
    )


def _height_claim(found: _Collapse) -> Claim:
    most = float(np.abs(found.height_errors).max())
    return Claim(
        source="the height of what is left at the wall is the measured one",
        ours=f"{found.method}: within {100 * most:.1f}% of the column's",
        agrees=most <= ASKED,
    )
