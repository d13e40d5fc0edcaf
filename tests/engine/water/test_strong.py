"""BodyPlaces that water moves: buoyancy, added mass, momentum, the strong form beside the interleaved ones."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiments.floats import Float, box_float, lean, leaning, play, rod_float
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.grid import WaterGrid
from engine.water.solids import UnsoundSolid
from engine.water.step import WaterModel, WaterState, WaterWork, box_distance, start
from engine.water.strong import BY_VELOCITIES, INTERLEAVED, STRONG, BodyReport, step_with_bodies
from tests.engine.water.floating import ball_mesh

CELL = 1.0 / 12.0
PLANAR = WaterGrid(cells=(12, 12, 1), spacing=CELL)
DT = 0.01


def tank(level: float, *, grid: WaterGrid = PLANAR, gravity: float = 9.81) -> tuple[WaterModel, WaterState, WaterWork]:
    model = WaterModel(grid=grid, gravity=(0.0, -gravity, 0.0))
    high = grid.origin[1] + level
    state = model.new_state(box_distance(grid, grid.origin, (10.0, high, 10.0)))
    return model, state, start(model, state)


def box(density: float, height: float, size: tuple[float, float] = (0.36, 0.24), x: float = 0.5) -> Float:
    return box_float((*size, CELL), density, np.array((x, height, 0.5 * CELL)), planar=True)


def heights(body: Float, level: float, seconds: float, coupling: str = STRONG) -> tuple[Array, list[BodyReport]]:
    model, state, work = tank(level)
    found, reports = [body.centre[1]], []
    for _ in range(round(seconds / DT)):
        reports += play(model, state, work, body, DT, 1, coupling)
        found.append(body.centre[1])
    return np.array(found), reports


@pytest.mark.parametrize("height", [0.4, 0.553, 0.66])
def test_a_body_as_heavy_as_water_stays_where_it_is_put(height: float) -> None:
    found, _ = heights(box(1000.0, height), 0.79, 0.4)
    assert np.abs(found - height).max() < 1e-4


def test_a_little_lighter_rises_and_a_little_heavier_sinks() -> None:
    rising, _ = heights(box(980.0, 0.35), 0.79, 0.5)
    sinking, _ = heights(box(1020.0, 0.45), 0.79, 0.5)
    assert rising[-1] - rising[0] == pytest.approx(0.0088, rel=0.15)
    assert sinking[-1] - sinking[0] == pytest.approx(-0.0088, rel=0.15)


@pytest.mark.parametrize("density", [300.0, 500.0, 800.0])
def test_a_box_put_at_the_depth_of_archimedes_stays(density: float) -> None:
    deep = density / 1000.0 * 0.24
    start_at = 0.55 + 0.12 - deep
    found, _ = heights(box(density, start_at), 0.55, 0.5)
    assert np.abs(found - start_at).max() < 0.02 * deep


def test_a_very_light_box_comes_to_rest() -> None:
    found, _ = heights(box(50.0, 0.55 + 0.12), 0.55, 3.0)
    late = found[200:]
    assert late.max() - late.min() < 0.01
    assert late.mean() == pytest.approx(0.55 + 0.12 - 0.012, abs=0.004)
    assert np.abs(np.diff(late)).max() / DT < 0.06


def test_a_square_box_half_as_heavy_as_water_turns_onto_its_edge() -> None:
    body = box(500.0, 0.55, (0.3, 0.3))
    lean(body, 0.1)
    model, state, work = tank(0.55)
    angles = []
    for _ in range(300):
        play(model, state, work, body, DT, 1)
        angles.append(np.degrees(leaning(body)))
    assert np.mean(angles[100:]) == pytest.approx(45.0, abs=8.0)
    assert np.abs(np.array(angles[100:]) - 45.0).max() < 30.0


@pytest.mark.parametrize("gravity", [0.0, 9.81])
def test_water_loses_the_momentum_that_bodies_gain(gravity: float) -> None:
    grid = WaterGrid(cells=(12, 12, 12), spacing=CELL)
    model, state, work = tank(0.73, grid=grid, gravity=gravity)
    random = np.random.default_rng(5)
    for each in (state.u, state.v, state.w):
        each[:] = random.normal(size=each.shape) * 0.3
    body = box_float((0.3, 0.25, 0.35), 400.0, np.array((0.5, 0.55, 0.45)))
    body.gravity, body.velocity = gravity, np.array((0.5, -0.8, 0.2, 1.0, 2.0, -1.0))
    for report in play(model, state, work, body, DT, 4):
        size = np.abs(report.exchange.given).max()
        assert size > 1e-3
        assert np.abs(report.exchange.given - report.exchange.taken).max() < 1e-6 * size
        assert report.exchange.error < 1e-6
        assert report.converged


def test_a_wrench_is_what_its_frame_gains() -> None:
    model, state, work = tank(0.73)
    body = box(400.0, 0.5)
    body.velocity[:] = (0.4, -0.5, 0.0, 0.0, 0.0, 1.5)
    report = step_with_bodies(model, state, work, DT, body.immersed(DT))
    body.step(report.wrenches[0], DT)
    assert body.velocity[[0, 1, 5]] == pytest.approx(report.velocities[0, [0, 1, 5]], rel=1e-3)
    total = sum(each.sum(axis=0) for each in report.vertex_forces)
    assert total == pytest.approx(report.wrenches[0, :3], rel=1e-6, abs=1e-6)


def struck(density: float, coupling: str, dt: float, count: int) -> Array:
    """Speeds of a cylinder that is struck under water, without gravity."""
    grid = WaterGrid(cells=(24, 24, 1), spacing=CELL)
    model, state, work = tank(3.0, grid=grid, gravity=0.0)
    body = rod_float(0.15, CELL, density, np.array((1.0, 1.0, 0.5 * CELL)))
    body.gravity, body.velocity[0] = 0.0, 0.1
    found = [0.1]
    for _ in range(count):
        play(model, state, work, body, dt, 1, coupling)
        found.append(body.velocity[0])
    return np.array(found)


def test_a_cylinder_takes_its_own_volume_of_water_along() -> None:
    found = struck(1000.0, STRONG, 1e-3, 1)
    assert found[1] / found[0] == pytest.approx(0.5, rel=0.06)
    light = struck(50.0, STRONG, 1e-3, 3)
    assert light[1] / light[0] == pytest.approx(0.05 / 1.05, rel=0.12)
    assert light[2:] == pytest.approx(light[1:-1], rel=0.05)


@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_interleaved_pressure_diverges_below_the_added_mass_at_any_step(dt: float) -> None:
    heavy = np.diff(struck(2000.0, INTERLEAVED, dt, 5))
    light = np.diff(struck(600.0, INTERLEAVED, dt, 5))
    assert np.abs(heavy[1:] / heavy[:-1]) == pytest.approx([0.5] * 4, rel=0.2)
    assert np.abs(light[1:] / light[:-1]) == pytest.approx([1.7] * 4, rel=0.2)


def test_interleaved_forces_by_velocities_float_a_light_box() -> None:
    found, reports = heights(box(300.0, 0.62), 0.55, 2.0, BY_VELOCITIES)
    assert found[100:].mean() == pytest.approx(0.55 + 0.12 - 0.072, abs=0.03)
    assert max(each.exchange.error for each in reports) > 0.05, "momentum is not kept: that is shown"


def test_interleaved_pressure_keeps_momentum_within_its_step() -> None:
    _, reports = heights(box(4000.0, 0.5), 0.73, 0.2, INTERLEAVED)
    assert max(each.exchange.error for each in reports) < 0.05


def test_a_fast_body_takes_sub_steps() -> None:
    model, state, work = tank(0.55)
    body = box(500.0, 0.8)
    body.velocity[1] = -4.0 * CELL / DT
    report = step_with_bodies(model, state, work, DT, body.immersed(DT))
    assert report.substeps >= 4
    assert np.isfinite(report.wrenches).all()
    body.velocity[1] = -1e5
    with pytest.raises(InvalidArguments, match="sub-steps"):
        step_with_bodies(model, state, work, DT, body.immersed(DT))


def test_what_cannot_stand_in_the_tank_is_refused() -> None:
    model, state, work = tank(0.55)
    with pytest.raises(UnsoundSolid, match="more than the tank"):
        play(model, state, work, box(500.0, 0.5, (1.3, 0.2)), DT, 1)
    with pytest.raises(InvalidArguments, match="coupled"):
        play(model, state, work, box(500.0, 0.5), DT, 1, "loosely")


def test_the_same_bytes_come_twice() -> None:
    def run() -> bytes:
        model, state, work = tank(0.55)
        body = box(500.0, 0.6, x=0.45)
        play(model, state, work, body, DT, 5)
        return state.phi.tobytes() + state.u.tobytes() + body.centre.tobytes()

    assert run() == run()


def test_a_ball_of_three_dimensions_takes_half_its_volume_along() -> None:
    grid = WaterGrid(cells=(16, 16, 16), spacing=CELL)
    model, state, work = tank(3.0, grid=grid, gravity=0.0)
    points, triangles = ball_mesh(0.25, 16)
    mass = 1000.0 * 4.0 / 3.0 * np.pi * 0.25**3
    body = Float(points, triangles, mass, 0.4 * mass * 0.25**2 * np.eye(3), np.full(3, 8.0 * CELL))
    body.gravity, body.velocity[0] = 0.0, 0.1
    play(model, state, work, body, 1e-3, 1)
    assert body.velocity[0] / 0.1 == pytest.approx(1.0 / 1.5, rel=0.05)
