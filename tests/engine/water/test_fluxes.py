"""Volumes that cross the faces of cells, and the surface that is moved so that it holds them."""

from __future__ import annotations

import numpy as np
import pytest

from engine.water.fluxes import carry_shares, find_shifts, measure_shares
from engine.water.step import WaterModel, WaterOptions, start, step
from engine.water.surface import NO_SOLID
from engine.water.surfaces import LEVEL_SET, PARTICLE_LEVEL_SET
from engine.water.volume import measure_water, shift_surface
from tests.engine.water.tanks import ball, dam, tank

_CELLS = 14
_H = 1.0 / _CELLS


def small(**options: object) -> WaterModel:
    """A tank of a metre."""
    given = WaterOptions(correct_volume=False, **options)  # type: ignore[arg-type]
    return tank((_CELLS, _CELLS, _CELLS), options=given)


def test_what_leaves_one_cell_enters_the_next() -> None:
    model = small()
    phi, numbers = ball(model, (0.5, 0.5, 0.5), 0.31), np.random.default_rng(2)
    shares = np.empty_like(phi)
    measure_shares(phi, _H, shares)
    before = float(shares.sum())
    assert before * _H**3 == pytest.approx(measure_water(phi, _H, NO_SOLID)[0], rel=1e-12)
    u, v, w = (numbers.uniform(-1.0, 1.0, shape) for shape in model.grid.faces)
    carry_shares(phi, _H, u, v, w, 0.8, shares)
    assert float(shares.sum()) == pytest.approx(before, rel=1e-12)


@pytest.mark.parametrize("way", [(0.3, 0.0, 0.0), (0.0, 0.0, -0.7), (0.4, -0.6, 0.5)])
def test_a_plane_that_goes_on_evenly_lets_through_what_is_below_it(way: tuple[float, float, float]) -> None:
    """Together the cells along its normal have the share of the plane where it comes to; [cells] it goes."""
    model = small()
    normal = np.array((0.48, 0.6, 0.64))
    x, y, z = model.grid.centres()
    phi = normal[0] * (x - 0.5) + normal[1] * (y - 0.5) + normal[2] * (z - 0.5)
    shares, wanted = np.empty_like(phi), np.empty_like(phi)
    measure_shares(phi, _H, shares)
    u, v, w = (np.full(shape, part) for shape, part in zip(model.grid.faces, way, strict=True))
    carry_shares(phi, _H, u, v, w, 1.0, shares)
    measure_shares(phi - float(normal @ way) * _H, _H, wanted)
    inner = (slice(3, -3),) * 3
    near = np.abs(phi[inner]) < _H
    assert np.abs(shares[inner] - wanted[inner])[near].max() < 1e-6


def test_the_surface_gets_back_what_it_lost_where_it_was_lost() -> None:
    model = small()
    phi = ball(model, (0.5, 0.5, 0.5), 0.31)
    shares = np.empty_like(phi)
    measure_shares(phi, _H, shares)
    first, after = float(shares.sum()), phi.copy()
    x, _, _ = model.grid.centres()
    after[np.broadcast_to(x > 0.5, phi.shape)] += 0.1 * _H  # one half is eaten
    less = measure_water(after, _H, NO_SOLID)[0] / _H**3
    room = np.empty_like(phi), np.empty_like(phi), np.zeros((2, _CELLS, _CELLS), dtype=np.uint8)
    left = find_shifts(phi, after, _H, NO_SOLID, shares, *room)
    assert left == pytest.approx(0.0, abs=1e-9)
    assert np.abs(shares[:4]).max() < 0.01 * np.abs(shares).max(), "far from the loss hardly anything moves"
    shift_surface(after, shares, _H, 4.5 * _H)
    found = measure_water(after, _H, NO_SOLID)[0] / _H**3
    assert abs(found - first) < 0.03 * (first - less)


@pytest.mark.parametrize("surface", [PARTICLE_LEVEL_SET, LEVEL_SET])
def test_a_dam_that_breaks_keeps_its_volume_without_any_correction(surface: str) -> None:
    model = small(surface=surface, tolerance=1e-5)
    state = model.new_state(dam(model))
    work = start(model, state)
    first = measure_water(state.phi, _H, NO_SOLID)[0]
    for _ in range(45):
        report = step(model, state, work, 1 / 30)
    assert report.surface.taken_back == 0.0
    assert report.surface.volume == pytest.approx(first, rel=0.05)


def test_water_at_rest_is_not_moved() -> None:
    model = small()
    _, y, _ = model.grid.centres()
    state = model.new_state(np.broadcast_to(y - 0.43, model.grid.cells))
    work = start(model, state)
    before = state.phi.copy()
    for _ in range(3):
        step(model, state, work, 1 / 30)
    assert np.abs(state.phi - before).max() < 1e-6 * _H
