"""A dam that breaks: a step's advection and projection, against Taichi and scipy's conjugate gradients.

The dam fills 36% of the tank and has fallen for 8/60 s before anything is timed. Ours is a whole step but for the
surface: velocities carried along, gravity, the matrix, the pressure to a relative residual, its gradient, velocities
extrapolated. Scipy solves the same equation, its matrix being there, to the same residual, preconditioned by the
diagonal. Taichi takes the same step by multigrid (water_taichi.py) where it is installed: nothing here needs it. Whole
sub-steps, particles, spray, volume and all, stand beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

from engine.maths.arrays import Array
from engine.water import equation
from engine.water.equation import Faces, Open
from engine.water.grid import WaterGrid
from engine.water.step import (
    MACCORMACK,
    SEMI_LAGRANGIAN,
    WaterModel,
    WaterOptions,
    WaterState,
    WaterWork,
    advect,
    box_distance,
    project,
    start,
    step,
)
from tests.benchmarks.harness import Row, interleave, medians
from tests.benchmarks.water_taichi import has_taichi, taichi_step

NAME = "water"
ALLOWED = 1.0 / 3.0
DT = 1 / 60
SIZES = {(64, 64, 64): "40 ms, aim 10", (128, 64, 64): "60 ms"}
WHOLE = {(64, 64, 64): "120 ms", (128, 64, 64): "200 ms"}
MEDIUM = 64, 64, 64
SMALL, LARGE = (32, 32, 32), (128, 128, 128)


def measure() -> Iterator[Row]:
    """The rows."""
    for cells, asked in SIZES.items():
        yield against_scipy(cells, asked)
        yield against_taichi(cells, asked)
    for cells, asked in WHOLE.items():
        yield whole_step(cells, asked)
    calls = {
        "coarse": tank_step(MEDIUM, tolerance=1e-4),
        "fine": tank_step(MEDIUM, tolerance=1e-6),
    }
    both = {name: value * 1e3 for name, value in medians(interleave(calls, rounds=15, repeats=1)).items()}
    yield Row(
        what="64x64x64, residual 1e-6",
        measured=both["fine"],
        unit="ms",
        asked="1.6 times",
        peer="residual 1e-4",
        peer_measured=both["coarse"],
        allowed=1.6,
    )
    calls = {"small": tank_step(SMALL, tolerance=1e-4), "large": tank_step(LARGE, tolerance=1e-4)}
    times = medians(interleave(calls, rounds=7, repeats=1))
    yield Row(
        what="128x128x128, a cell",
        measured=times["large"] / np.prod(LARGE) * 1e9,
        unit="ns",
        asked="1.3 times",
        peer="32x32x32",
        peer_measured=times["small"] / np.prod(SMALL) * 1e9,
        allowed=1.3,
    )


def dam(cells: tuple[int, int, int], options: WaterOptions) -> tuple[WaterModel, Array]:
    """A tank with cells as wide as a 64th of a metre, and the distance to a block of water in its corner."""
    grid = WaterGrid(cells=cells, spacing=1 / 64)
    width, height, depth = grid.size
    return WaterModel(grid=grid, options=options), box_distance(grid, (0, 0, 0), (0.6 * width, 0.6 * height, depth))


def tank_step(cells: tuple[int, int, int], *, tolerance: float, twice: bool = False) -> Callable[[], float]:
    """Make a call that takes the same step of a falling dam again and again; it gives the residual it left."""
    options = WaterOptions(tolerance=tolerance, advection=MACCORMACK if twice else SEMI_LAGRANGIAN)
    model, state, work, part = fallen(cells, options)
    before = [each.copy() for each in state.velocities]

    def call() -> float:
        for each, saved in zip(state.velocities, before, strict=True):
            each[:] = saved
        advect(model, state, work, part)
        state.v -= 9.81 * part
        return project(model, state, work, work.walls, part).divergence

    assert call() <= 1.01 * tolerance
    return call


def against_scipy(cells: tuple[int, int, int], asked: str) -> Row:
    """A step of ours beside the pressure by scipy."""
    calls = {"ours": tank_step(cells, tolerance=1e-4), "scipy": pressure_by_scipy(cells)}
    times = interleave(calls, rounds=9, repeats=1)
    found = {name: value * 1e3 for name, value in medians(times).items()}
    return Row(
        what=f"{'x'.join(map(str, cells))}, advection and projection to 1e-4",
        measured=found["ours"],
        unit="ms",
        asked=asked,
        peer="scipy CG, pressure alone",
        peer_measured=found["scipy"],
        allowed=ALLOWED,
        note=f"least {min(times['ours']) * 1e3:.3g} ms",
    )


def against_taichi(cells: tuple[int, int, int], asked: str) -> Row:
    """A step of ours, by MacCormack's method, beside a semi-Lagrangian one of Taichi's."""
    what = f"{'x'.join(map(str, cells))}, MacCormack, advection and projection to 1e-4"
    calls: dict[str, Callable[[], object]] = {"ours": tank_step(cells, tolerance=1e-4, twice=True)}
    if not has_taichi():
        measured = medians(interleave(calls, rounds=9, repeats=1))["ours"] * 1e3
        return Row(what=what, measured=measured, unit="ms", asked=asked, note='no Taichi: pip install ".[peers]"')
    model, state, work, part = fallen(cells, WaterOptions(tolerance=1e-4))
    peer = taichi_step(model, state, work, part, 1e-4)
    assert peer() <= 1e-4
    found = medians(interleave({**calls, "taichi": peer}, rounds=9, repeats=1))
    return Row(
        what=what,
        measured=found["ours"] * 1e3,
        unit="ms",
        asked=asked,
        peer="Taichi, multigrid, single precision",
        peer_measured=found["taichi"] * 1e3,
        allowed=ALLOWED,
    )


def whole_step(cells: tuple[int, int, int], asked: str) -> Row:
    """A sub-step with the particle level set and everything else, by the default options."""
    model, state, work, _ = fallen(cells, WaterOptions(tolerance=1e-4))
    times = []
    for _ in range(5):
        begun = perf_counter()
        report = step(model, state, work, DT)
        times.append((perf_counter() - begun) / report.substeps * 1e3)
    return Row(
        what=f"{'x'.join(map(str, cells))}, a sub-step with particle level set and all, to 1e-4",
        measured=median(times),
        unit="ms",
        asked=asked,
        note=f"{report.surface.particles:,} particles, {report.substeps} sub-steps a step",
    )


def fallen(cells: tuple[int, int, int], options: WaterOptions) -> tuple[WaterModel, WaterState, WaterWork, float]:
    """A dam that has fallen for 8/60 s, and how long its sub-steps are [s]."""
    model, distance = dam(cells, options)
    state = model.new_state(distance)
    work = start(model, state)
    for _ in range(8):
        report = step(model, state, work, DT)
    return model, state, work, DT / report.substeps


def pressure_by_scipy(cells: tuple[int, int, int]) -> Callable[[], object]:
    """Make a call that solves for the pressure of a falling dam to 1e-4."""
    _, state, work, _ = fallen(cells, WaterOptions(tolerance=1e-4))
    state.v -= 9.81 * DT / 4
    weights, still = Open(*work.walls.weights), Faces(*work.walls.velocities)
    equation.build(state.phi, weights, work.solve)
    equation.outflow(state.velocities, weights, still, work.solve)
    matrix, right = as_sparse(work.solve, cells)
    scaling = sparse.diags_array(1.0 / matrix.diagonal())
    return lambda: linalg.cg(matrix, right, rtol=1e-4, atol=0.0, M=scaling)


def as_sparse(solve: equation.Solve, cells: tuple[int, int, int]) -> tuple[sparse.csr_matrix, Array]:
    """The equation of wet cells for scipy."""
    from engine.water.multigrid import CX, CY, CZ

    padded = tuple(each + 2 for each in cells)
    diagonal, right = solve.numbers[equation.DIAGONAL], solve.numbers[equation.RESIDUAL]
    size = len(diagonal)
    number = np.cumsum(diagonal > 0.0) - 1
    rows, columns, values = [number[diagonal > 0.0]], [number[diagonal > 0.0]], [diagonal[diagonal > 0.0]]
    for kind, off in ((CX, padded[1] * padded[2]), (CY, padded[2]), (CZ, 1)):
        coupling = solve.multigrid.numbers[kind * size : (kind + 1) * size]
        at = np.flatnonzero(coupling)
        rows += [number[at], number[at - off]]
        columns += [number[at - off], number[at]]
        values += [-coupling[at], -coupling[at]]
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_matrix(entries), right[diagonal > 0.0]
