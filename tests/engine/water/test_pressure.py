"""The pressure: no divergence, rest, solids, bodies that give way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.water.boundaries import BodyTerms, Boundaries, walls
from engine.water.step import WaterModel, WaterOptions, WaterState, project, start, step
from tests.engine.water.tanks import ball, dam, stirred, tank

EXACT = WaterOptions(tolerance=1e-12, surface="level_set")


def outflow(model: WaterModel, state: WaterState, around: Boundaries) -> Array:
    """Give what flows out of each cell that is wet [m/s times faces], computed with plain arrays."""
    total = np.zeros(model.grid.cells)
    open_somewhere = np.zeros(model.grid.cells)
    for axis, each in enumerate(state.velocities):
        weights = around.weights[axis]
        total += np.diff(weights * each + (1.0 - weights) * around.velocities[axis], axis=axis)
        ends = np.moveaxis(weights, axis, 0)
        open_somewhere += np.moveaxis(ends[1:] + ends[:-1], 0, axis)
    return np.where((state.phi < 0.0) & (open_somewhere > 0.0), total, 0.0)


@pytest.mark.parametrize("cells", [(9, 12, 7), (16, 16, 1), (5, 3, 3)])
@pytest.mark.parametrize("shape", ["dam", "ball", "full"])
def test_no_divergence_is_left(cells: tuple[int, int, int], shape: str) -> None:
    model = tank(cells, options=EXACT)
    distances = {"dam": dam(model), "ball": ball(model, (0.4, 0.35, 0.3), 0.3), "full": np.full(cells, -1.0)}
    if not (distances[shape] < 0.0).any():
        pytest.skip("the ball lies outside of this tank")
    state, around = stirred(model, distances[shape]), walls(model.grid)
    if model.grid.planar:
        state.w[:] = 0.0
    before = np.linalg.norm(outflow(model, state, around))
    found = project(model, state, start(model, state), around, 0.01)
    assert found.converged
    assert np.linalg.norm(outflow(model, state, around)) <= 2e-12 * before


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_it_stops_where_it_is_told(tolerance: float) -> None:
    model = tank((12, 12, 12), options=WaterOptions(tolerance=tolerance))
    state, around = stirred(model, dam(model)), walls(model.grid)
    before = np.linalg.norm(outflow(model, state, around))
    found = project(model, state, start(model, state), around, 0.01)
    after = np.linalg.norm(outflow(model, state, around))
    assert found.divergence == pytest.approx(after / before, rel=1e-6, abs=1e-12)
    assert 1e-3 * tolerance < found.divergence <= tolerance


@pytest.mark.parametrize("level", [0.31, 0.35, 0.35 + 1e-9, 0.3999, 0.4, 0.449, 0.949])
@pytest.mark.parametrize("depth", [1, 5])
def test_still_water_rests_at_any_level(level: float, depth: int) -> None:
    model = tank((10, 10, depth), options=EXACT)
    x, y, z = model.grid.centres()
    state = model.new_state(y - level + 0.0 * x + 0.0 * z)
    step(model, state, start(model, state), 1 / 60)
    assert max(np.abs(each).max() for each in state.velocities) <= 1e-12
    wet = np.broadcast_to(state.phi < 0.0, model.grid.cells)
    assert np.abs(state.pressure - 9810.0 * (level - y))[wet].max() <= 1e-6
    near = np.abs(state.phi) < 2.0 * model.grid.spacing
    assert np.abs(state.phi - (y - level))[near].max() <= 1e-9


def test_a_leaning_surface_rests_under_leaning_gravity() -> None:
    model = replace(tank((16, 16, 1), options=EXACT), gravity=(3.0, -9.0, 0.0))
    x, y, z = model.grid.centres()
    size = np.hypot(3.0, 9.0)
    state = model.new_state((9.0 * (y - 0.52) - 3.0 * (x - 0.5)) / size + 0.0 * z)
    state.u += 0.01 * 3.0
    state.v -= 0.01 * 9.0
    project(model, state, start(model, state), walls(model.grid), 0.01)
    assert max(np.abs(each).max() for each in state.velocities) <= 1e-12


def test_what_flows_in_flows_through_a_slit() -> None:
    model = tank((16, 12, 1), options=EXACT)
    around = walls(model.grid)
    around.weights[0][8] = 0.0
    around.weights[0][8, 4:7, 0] = 0.37, 1.0, 0.8
    around.velocities[0][0] = around.velocities[0][-1] = 0.5
    state = model.new_state(np.full(model.grid.cells, -1.0))
    project(model, state, start(model, state), around, 0.01)
    through = (around.weights[0] * state.u + (1.0 - around.weights[0]) * around.velocities[0]).sum(axis=(1, 2))
    assert through == pytest.approx(np.full(17, 12 * 0.5), rel=1e-11)
    assert state.u[8, 5, 0] > 1.0


def test_what_is_locked_in_without_a_surface_is_told() -> None:
    """A wall that moves into a full tank leaves divergence, but no nonsense."""
    model = tank((8, 8, 1), options=replace(EXACT, iterations=30))
    around = walls(model.grid)
    around.velocities[0][0] = 0.1
    state = model.new_state(np.full(model.grid.cells, -1.0))
    found = project(model, state, start(model, state), around, 0.01)
    assert np.isfinite(found.divergence)
    assert found.divergence > 0.1
    assert max(np.abs(each).max() for each in state.velocities) < 1.0


def test_water_that_is_locked_in_does_not_spoil_the_rest() -> None:
    """A full box below open water, one wall of which moves in: what is around it is solved for all the same."""
    model = tank((12, 12, 1), options=EXACT)
    around = walls(model.grid)
    around.weights[0][4, 3:6] = around.weights[0][8, 3:6] = 0.0
    around.weights[1][4:8, 3] = around.weights[1][4:8, 6] = 0.0
    around.velocities[0][4, 3:6] = 0.2
    x, y, z = model.grid.centres()
    state = stirred(model, y - 0.77 + 0.0 * x + 0.0 * z)
    state.w[:] = 0.0
    found = project(model, state, start(model, state), around, 0.01)
    left = outflow(model, state, around)
    box = left[4:8, 3:6]
    assert box == pytest.approx(np.full(box.shape, -3 * 0.2 / 12), rel=1e-9)
    left[4:8, 3:6] = 0.0
    assert np.abs(left).max() <= 1e-9
    assert found.converged
    assert found.divergence > 1e-3


def plate(model: WaterModel, row: int, mass: float) -> Boundaries:
    """A lid of so many kilograms across the tank, below cells of `row`, that slides along y."""
    nx, ny, nz = model.grid.cells
    around = walls(model.grid)
    around.weights[1][:, row] = 0.0
    above = [(i * ny + row) * nz + k for i in range(nx) for k in range(nz)]
    below = [(i * ny + row - 1) * nz + k for i in range(nx) for k in range(nz)]
    terms = BodyTerms(
        starts=np.array([0, 2 * nx * nz], np.int32),
        cells=np.array(above + below, np.int32),
        amounts=np.array([-1.0] * (nx * nz) + [1.0] * (nx * nz)),
        response=np.array([[1.0 / mass]]),
    )
    return replace(around, bodies=terms)


@pytest.mark.parametrize("mass", [0.001, 1.0, 1e6])
def test_a_plate_under_water_is_moved_by_the_pressure(mass: float) -> None:
    """Water that falls on a plate at rest shares its momentum: faces of water count in full, that at the surface by its
    share, 2.3 of them on each face of the plate."""
    model = tank((6, 6, 1), options=EXACT)
    around = plate(model, 2, mass)
    x, y, _ = model.grid.centres()
    state = model.new_state(np.maximum(y - 0.8, 2 / 6 - y) + 0.0 * x)
    state.v[:, 3:6] = -1.0
    found = project(model, state, start(model, state), around, 0.01)
    speed = float(found.body_impulses[0]) / mass
    water = 2.3 * 6 * 1000.0 * model.grid.spacing**3
    assert speed == pytest.approx(-water / (water + mass), rel=1e-9)
    assert state.v[:, 3:6, 0] == pytest.approx(np.full((6, 3), speed), rel=1e-9)
    assert found.divergence <= 1e-11
