"""Vortices that viscosity slows down (Taylor and Green 1937): the order of the water's solver.

In a planar tank of edge pi, full and without gravity, u = sin x cos y e^(-2 nu t), v = -cos x sin y e^(-2 nu t) is an
exact answer, which slips along the walls. It runs for a second on grids of 8 to 64 cells, with steps of half a cell's
crossing, and is compared with the exact velocities and the exact energy, with nu = 0.05 and without viscosity. What is
left of the error when cells are halved says of which order it is: the first, for advection and pressure follow each
other in steps as long as cells are wide, whatever the order of each.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.runtime.quick_dataclass import dataclass
from engine.water.grid import WaterGrid
from engine.water.step import MACCORMACK, SEMI_LAGRANGIAN, WaterModel, WaterOptions, WaterState, start, step
from engine.water.surfaces import LEVEL_SET

SIZES = (8, 16, 32, 64)
VISCOSITIES = (0.0, 0.05)
_SECONDS = 1.0


@dataclass(frozen=True, kw_only=True)
class _Decayed:
    """A run."""

    advection: str
    viscosity: float
    cells: int
    error: float  # [m/s] root of the mean square
    energy: float  # over the exact one
    divergence: float


def run(settings: Settings) -> Result:
    """All sizes by both ways of advection."""
    sizes = SIZES[:2] if settings.quick else SIZES
    runs = [
        _decay(advection, viscosity, cells)
        for advection in (SEMI_LAGRANGIAN, MACCORMACK)
        for viscosity in VISCOSITIES
        for cells in sizes
    ]
    rows = list[tuple[Cell, ...]]()
    for each in runs:
        coarser = _found(runs, each.advection, each.viscosity, each.cells // 2)
        order = math.log2(coarser.error / each.error) if coarser else ""
        rows.append((each.advection, each.viscosity, each.cells, each.error, order, each.energy, each.divergence))
    columns = ("advection", "viscosity_m2_s", "cells", "error_m_s", "order", "energy_share", "divergence")
    return Result(
        title="Vortices that viscosity slows down (Taylor and Green 1937)",
        tables=(Table(name="errors", columns=columns, rows=tuple(rows)),),
        pictures=(ResultPlot(name="errors", svg=_drawn(runs)),),
        claims=_claims(runs, sizes),
    )


def _decay(advection: str, viscosity: float, cells: int) -> _Decayed:
    grid = WaterGrid(cells=(cells, cells, 1), spacing=math.pi / cells)
    options = WaterOptions(advection=advection, tolerance=1e-8, surface=LEVEL_SET)
    model = WaterModel(grid=grid, gravity=(0.0, 0.0, 0.0), viscosity=viscosity, options=options)
    state = model.new_state(np.full(grid.cells, -10.0))
    _set_exact(state, grid, 0.0, viscosity)
    work = start(model, state)
    steps = math.ceil(_SECONDS / (0.5 * grid.spacing))
    for _ in range(steps):
        report = step(model, state, work, _SECONDS / steps)
    exact = model.new_state(np.full(grid.cells, -10.0))
    _set_exact(exact, grid, _SECONDS, viscosity)
    differences = np.concatenate([(state.u - exact.u).ravel(), (state.v - exact.v).ravel()])
    energy = float((state.u**2).sum() + (state.v**2).sum()) / float((exact.u**2).sum() + (exact.v**2).sum())
    return _Decayed(
        advection=advection,
        viscosity=viscosity,
        cells=cells,
        error=float(np.sqrt((differences**2).mean())),
        energy=energy,
        divergence=report.divergence,
    )


def _set_exact(state: WaterState, grid: WaterGrid, time: float, viscosity: float) -> None:
    fade = math.exp(-2.0 * viscosity * time)
    x, y, _ = grid.face_positions(0)
    state.u[:] = fade * np.sin(x) * np.cos(y)
    x, y, _ = grid.face_positions(1)
    state.v[:] = -fade * np.cos(x) * np.sin(y)


def _found(runs: list[_Decayed], advection: str, viscosity: float, cells: int) -> _Decayed | None:
    for each in runs:
        if (each.advection, each.viscosity, each.cells) == (advection, viscosity, cells):
            return each
    return None


def _of(runs: list[_Decayed], advection: str, viscosity: float) -> list[_Decayed]:
    return [each for each in runs if each.advection == advection and each.viscosity == viscosity]


def _drawn(runs: list[_Decayed]) -> str:
    lines = [
        Line(
            name=f"{advection}, {viscosity:g}",
            x=[float(each.cells) for each in _of(runs, advection, viscosity)],
            y=[each.error for each in _of(runs, advection, viscosity)],
            dashed=advection == SEMI_LAGRANGIAN,
        )
        for advection in (SEMI_LAGRANGIAN, MACCORMACK)
        for viscosity in VISCOSITIES
    ]
    return line_chart("Error of the velocities after a second", "cells along an edge", "m/s", lines, log="xy")


def _claims(runs: list[_Decayed], sizes: tuple[int, ...]) -> tuple[Claim, ...]:
    claims = []
    for advection, least in ((SEMI_LAGRANGIAN, 0.9), (MACCORMACK, 0.9)):
        orders = []
        for viscosity in VISCOSITIES:
            errors = [each.error for each in _of(runs, advection, viscosity)]
            orders.append(math.log2(errors[-2] / errors[-1]))
        names = " and ".join(f"{each:.2f}" for each in orders)
        claims.append(
            Claim(
                source=f"{advection}: the error goes with the cells (order 1)",
                ours=f"order {names} from {sizes[-2]} to {sizes[-1]} cells, without and with viscosity",
                agrees=min(orders) >= least,
            )
        )
    kept = [_of(runs, advection, 0.0)[-1].energy for advection in (SEMI_LAGRANGIAN, MACCORMACK)]
    claims.append(
        Claim(
            source="Selle 2008: MacCormack's method keeps the energy that semi-Lagrangian steps lose",
            ours=f"of the energy after a second without viscosity {kept[1]:.1%} against {kept[0]:.1%}",
            agrees=abs(1.0 - kept[1]) < 0.5 * abs(1.0 - kept[0]),
        )
    )
    worst = max(each.divergence for each in runs)
    claims.append(
        Claim(
            source="no divergence is left: at most 1e-6 of what was there",
            ours=f"at most {worst:.1e}",
            agrees=worst <= 1e-6,
        )
    )
    return tuple(claims)
