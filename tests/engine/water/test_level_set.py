"""The level set: a distance again without moving, carried along, its volume measured."""

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.surface_flows import follow, zalesak_disk
from engine.maths.arrays import Array
from engine.water.grid import WaterGrid
from engine.water.hydrostatics import surface_heights
from engine.water.level_set import BAND, carry_surface
from engine.water.reinitialise import distance_work, redistance
from engine.water.surface import NO_SOLID, SurfaceOptions
from engine.water.volume import measure_water, shift_all

_H = 0.05


def _ball(cells: int = 20, radius: float = 0.31, *, planar: bool = False) -> Array:
    line = (np.arange(cells) + 0.5) * _H
    z = np.full((1, 1, 1), 0.48) if planar else line[None, None, :]
    return np.sqrt((line[:, None, None] - 0.52) ** 2 + (line[None, :, None] - 0.47) ** 2 + (z - 0.48) ** 2) - radius


def test_distance_of_a_distorted_ball_is_that_of_the_ball() -> None:
    exact = _ball()
    phi = exact * (1.5 + np.sin(9.0 * exact))
    redistance(phi, _H, BAND * _H, distance_work(phi))
    near = np.abs(exact) < 4.0 * _H
    assert np.abs(phi - exact)[near].mean() < 0.15 * _H
    assert np.abs(phi - exact)[np.abs(exact) < _H].mean() < 0.1 * _H
    assert (np.sign(phi) == np.sign(exact)).all()
    assert np.abs(phi).max() == pytest.approx(BAND * _H)


def test_redistancing_again_and_again_does_not_move_the_surface() -> None:
    ball, work = _ball(), distance_work(_ball())
    line = (np.arange(20) + 0.5) * _H
    slope = (0.6 * line[:, None, None] + 0.8 * line[None, :, None] - 0.7) + 0.0 * ball
    grid, dry, plane = WaterGrid(cells=ball.shape, spacing=_H), np.zeros(ball.shape, dtype=np.bool_), slope.copy()
    before = [measure_water(phi, _H, NO_SOLID)[0] for phi in (ball, slope)]
    for _ in range(10):
        for phi in (ball, slope):
            redistance(phi, _H, BAND * _H, work)
    after = [measure_water(phi, _H, NO_SOLID)[0] for phi in (ball, slope)]
    assert after[0] == pytest.approx(before[0], rel=0.002)
    assert after[1] == pytest.approx(before[1], rel=2e-3)
    heights = surface_heights(grid, slope, dry)
    assert np.abs(heights - surface_heights(grid, plane, dry)).mean() < 0.01 * _H  # but for those at walls


@pytest.mark.parametrize("planar", [False, True])
def test_volume_and_surface_of_a_ball(planar: bool) -> None:
    volume, surface = measure_water(_ball(planar=planar), _H, NO_SOLID)
    ball = (math.pi * 0.31**2 * _H, 2.0 * math.pi * 0.31 * _H) if planar else (
        4.0 / 3.0 * math.pi * 0.31**3, 4.0 * math.pi * 0.31**2,
    )  # fmt: skip
    assert volume == pytest.approx(ball[0], rel=0.008)
    assert surface == pytest.approx(ball[1], rel=0.02)


@pytest.mark.parametrize("normal", [(1, 0, 0), (1, 2, 0), (1, 2, 3), (5, 5, 1), (1, 1, 1), (-3, 2, -1)])
def test_volume_under_a_plane_is_exact(normal: tuple[int, int, int]) -> None:
    """Cells of a cube that a plane cuts, against many samples in them."""
    line: Array = np.arange(6, dtype=np.float64) + 0.5
    fine: Array = (np.arange(240, dtype=np.float64) + 0.5) / 40.0
    unit: Array = np.array(normal) / np.linalg.norm(normal)

    def height(at: Array) -> Array:
        across: Array = unit[0] * at[:, None, None] + unit[1] * at[None, :, None] + unit[2] * at[None, None, :]
        return across - 3.1 * float(unit.sum())

    inner = np.zeros((6, 6, 6))
    inner[1:-1, 1:-1, 1:-1] = 1.0  # at the walls the gradient is one-sided
    samples = (height(fine) < 0.0).reshape(6, 40, 6, 40, 6, 40).mean(axis=(1, 3, 5))
    assert measure_water(height(line), 1.0, inner)[0] == pytest.approx((samples * inner).sum(), rel=2e-3)


def test_shift_adds_its_length_times_the_surface() -> None:
    phi = _ball()
    before, _surface = measure_water(phi, _H, NO_SOLID)
    shift_all(phi, 0.1 * _H, BAND * _H)
    grown = 4.0 / 3.0 * math.pi * ((0.31 + 0.1 * _H) ** 3 - 0.31**3)
    assert measure_water(phi, _H, NO_SOLID)[0] - before == pytest.approx(grown, rel=0.03)


def test_a_uniform_flow_carries_a_ball_by_its_speed() -> None:
    phi = _ball(radius=0.2)
    out = np.empty_like(phi)
    u, v, w = np.full((21, 20, 20), 1.0), np.full((20, 21, 20), -0.5), np.zeros((20, 20, 21))
    dt = 0.6 * _H
    for _ in range(5):
        carry_surface(phi, u, v, w, dt / _H, 2.5 * _H, 20.0 * _H, out)
        phi, out = out, phi
    line = (np.arange(20) + 0.5) * _H
    wet = np.clip(0.5 - phi / _H, 0.0, 1.0)
    centre = [float((wet.sum(axis=others) * line).sum() / wet.sum()) for others in ((1, 2), (0, 2), (0, 1))]
    assert centre == pytest.approx([0.52 + 5 * dt, 0.47 - 2.5 * dt, 0.48], abs=0.01 * _H)


def test_a_disk_that_turns_keeps_its_size() -> None:
    """Carrying and redistancing are each right by themselves: no error of one hides that of the other."""
    disk = replace(zalesak_disk(), distance=_round, volume=math.pi * 0.15**2, surface=2.0 * math.pi * 0.15)
    found = follow(disk, 60, SurfaceOptions(particles=False, correct_volume=False, spray=False))
    assert abs(found.lost) < 0.015  # a fifteenth of a cell all around
    assert found.wrong < 0.08


def _round(x: Array, y: Array, z: Array) -> Array:
    return np.asarray(np.hypot(x - 0.5, y - 0.75) - 0.15 + 0.0 * z)


@pytest.mark.parametrize("waves", [4, 6])
def test_short_waves_do_not_grow_by_being_made_distances_again_and_again(waves: int) -> None:
    grid = WaterGrid(cells=(12, 12, 1), spacing=1.0 / 12.0)
    x, y, z = grid.centres()
    phi = np.ascontiguousarray(y - (0.52 + 0.01 * np.cos(waves * np.pi * x)) + 0.0 * z)
    dry, work = np.zeros(grid.cells, dtype=np.bool_), distance_work(phi)
    before = surface_heights(grid, phi, dry)
    for _ in range(100):
        redistance(phi, grid.spacing, 4.5 * grid.spacing, work)
    assert surface_heights(grid, phi, dry) == pytest.approx(before, abs=1e-4)
