"""Water at rest: pressure by depth, whatever the level between two rows of cells.

A planar tank is filled to levels from one cell's centre to the next. With the surface between cells (ghost pressures)
the pressure is exactly that of the depth and nothing moves; where each wet cell is taken to be full, as in the first
methods, the level is wrong by up to half a cell, and so is the pressure. A surface that leans, under gravity that leans
alike, shows the same for surfaces that cut through cells.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.water.boundaries import walls
from engine.water.grid import WaterGrid
from engine.water.step import WaterModel, WaterOptions, project, start
from engine.water.surfaces import LEVEL_SET

CELLS = 20
LEVELS = 41
ANGLES = 13
_DT = 1 / 60
_GRAVITY = 9.81


def run(settings: Settings) -> Result:
    """Levels, then angles."""
    levels = np.linspace(10.5, 11.5, 5 if settings.quick else LEVELS) / CELLS
    angles = np.linspace(0.0, 30.0, 3 if settings.quick else ANGLES)
    flat = [(float(level), *_rest(0.0, float(level))) for level in levels]
    leaning = [(float(angle), *_rest(math.radians(float(angle)), 0.52)) for angle in angles]
    stepped = [(round(level * CELLS) / CELLS - level) / level for level, *_ in flat]
    heads = ("fastest_m_s", "pressure_error", "divergence_left", "iterations")
    return Result(
        title="Water at rest",
        tables=(
            Table(name="levels", columns=("level_m", *heads), rows=tuple(flat)),
            Table(name="angles", columns=("degrees", *heads), rows=tuple(leaning)),
        ),
        pictures=(ResultPlot(name="levels", svg=_drawn(flat, stepped)),),
        claims=(_still("at any level", flat), _still("with a surface that leans", leaning), _exact(flat + leaning)),
    )


def _rest(angle: float, level: float) -> tuple[float, float, float, int]:
    """Let gravity act on resting water for a step: the fastest speed [m/s], the largest error of a pressure beside the
    largest pressure, divergence that is left, iterations."""
    grid = WaterGrid(cells=(CELLS, CELLS, 1), spacing=1.0 / CELLS)
    down = math.sin(angle), math.cos(angle)
    model = WaterModel(
        grid=grid,
        gravity=(_GRAVITY * down[0], -_GRAVITY * down[1], 0.0),
        options=WaterOptions(tolerance=1e-13, surface=LEVEL_SET),
    )
    x, y, z = grid.centres()
    depth = down[1] * (level - y) + down[0] * (x - 0.5) + 0.0 * z
    state = model.new_state(-depth)
    for axis, each in enumerate(state.velocities):
        each += _DT * model.gravity[axis]
    found = project(model, state, start(model, state), walls(grid), _DT)
    wanted = model.density * _GRAVITY * depth
    wet = depth > 0.0
    error = float(np.abs(state.pressure - wanted)[wet].max() / wanted.max())
    fastest = max(float(np.abs(each).max()) for each in state.velocities)
    return fastest, error, found.divergence, found.iterations


def _drawn(flat: list[tuple[float, float, float, float, int]], stepped: list[float]) -> str:
    levels = [level * CELLS for level, *_ in flat]
    ours = [max(error, 1e-17) for _, _, error, _, _ in flat]
    full = [max(abs(each), 1e-17) for each in stepped]
    lines = [Line(name="surface between cells", x=levels, y=ours), Line(name="wet cells full", x=levels, y=full)]
    return line_chart("Error of the pressure at the bottom", "level [cells]", "share", lines, log="y")


def _still(where: str, rows: list[tuple[float, float, float, float, int]]) -> Claim:
    most = max(fastest for _, fastest, *_ in rows)
    return Claim(
        source=f"water rests {where}",
        ours=f"after a step at most {most:.1e} m/s, of {_DT * _GRAVITY:.2g} m/s that gravity gave",
        agrees=most <= 1e-11,
    )


def _exact(rows: list[tuple[float, float, float, float, int]]) -> Claim:
    worst = max(error for _, _, error, _, _ in rows)
    return Claim(
        source="the pressure is that of the depth",
        ours=f"within {worst:.1e} of the largest; a level closer to a centre than 1e-9 of a cell counts as that far",
        agrees=worst <= 1e-9,
    )
