"""Wide calm water: waves run at sqrt(g depth), nothing is lost, a lake stays at rest."""

import math

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.water.height_field import HeightOptions, Piston, level_water, mesh_heights, step_heights

_CALM = HeightOptions(damping=0.0)


def test_lake_with_an_island_stays_at_rest() -> None:
    x = np.linspace(-1.0, 1.0, 20)
    bed = 1.2 * np.exp(-8.0 * (x[:, None] ** 2 + x[None, :] ** 2))
    water = level_water(bed, 1.0, 0.1)
    before = water.depth.copy()
    step_heights(water, 1.0, _CALM)
    assert np.abs(water.depth - before).max() < 1e-12


def test_standing_wave_has_the_period_of_its_length() -> None:
    """T = 2 L / sqrt(g depth) of the first mode in a channel of length L."""
    count, depth = 50, 0.5
    water = level_water(np.zeros((count, 3)), depth, 0.1)
    mode = np.cos(math.pi * (np.arange(count) + 0.5) / count)
    water.depth += 1e-4 * mode[:, None]
    period = 2.0 * count * 0.1 / math.sqrt(9.81 * depth)
    step_heights(water, 0.5 * period, _CALM)
    assert float(mode @ (water.depth[:, 1] - depth)) / float(1e-4 * mode @ mode) == pytest.approx(-1.0, abs=0.02)


def test_volume_is_kept_where_a_wave_runs_dry_and_over_a_bank() -> None:
    bed = np.zeros((30, 12))
    bed[20:] = 0.3
    water = level_water(bed, 0.2, 0.1)
    water.depth[:5] += 0.8
    before = water.volume
    for _ in range(60):
        step_heights(water, 1.0 / 30.0, HeightOptions())
    assert water.volume == pytest.approx(before, rel=1e-12)
    assert water.depth.min() >= 0.0
    assert water.depth[20:].sum() > 0.1  # some of it went over


def test_a_piston_drives_waves_and_loses_no_drop() -> None:
    """A piston of stroke s in shallow water makes waves s k d / 2 high on either side (k d small; Dean, Dalrymple)."""
    depth, stroke, period, h = 0.5, 0.04, 4.0, 0.1
    water = level_water(np.zeros((160, 1)), depth, h)
    before = Piston(3, 0.25)
    water.make_room(before)
    volume, tops = water.volume, []
    for frame in range(240):
        way = 0.5 * stroke * (1.0 - math.cos(2.0 * math.pi * (frame + 1) / 40.0 / period))
        step_heights(water, 1.0 / 40.0, _CALM, piston=Piston(3, 0.25 - way))
        assert water.volume == pytest.approx(volume, rel=1e-12)
        tops.append(float(water.depth[60, 0]) - depth)
    number = 2.0 * math.pi / (period * math.sqrt(9.81 * depth))
    assert max(tops[150:]) == pytest.approx(0.5 * stroke * number * depth, rel=0.05)


def test_weight_pushes_the_surface_down_and_the_rest_up() -> None:
    water = level_water(np.zeros((16, 16)), 1.0, 0.25)
    pressed = np.zeros((16, 16))
    pressed[6:10, 6:10] = 0.2
    for _ in range(400):
        step_heights(water, 0.05, HeightOptions(damping=1.0), pressed=pressed)
    assert water.depth[7, 7] < 0.83
    assert water.depth[0, 0] > 1.0


def test_mesh_is_closed_and_holds_the_volume() -> None:
    water = level_water(np.zeros((5, 7)), 1.5, 0.5)
    mesh = mesh_heights(water.depth, 0.5, 0.0, (1.0, 2.0))
    a, b, c = (mesh.positions[mesh.triangles[:, n]].astype(np.float64) for n in range(3))
    assert np.sum(a * np.cross(b, c)) / 6.0 == pytest.approx(water.volume, rel=1e-6)


def test_no_water_and_no_bed_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="level"):
        level_water(np.ones((4, 4)), 0.5, 0.1)
    with pytest.raises(InvalidArguments, match="bed"):
        level_water(np.ones((1, 4)), 2.0, 0.1)
    with pytest.raises(InvalidArguments, match="bed"):
        level_water(np.ones((4, 2)), 2.0, 0.1)
