"""The zero level of a field as a surface."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.limits import surface as surface_module
from engine.limits.mesh_checks import check_mesh
from engine.limits.surface import level_steps, open_level, zero_level
from tests.engine.limits.shapes import (
    ball,
    cube,
    euler_characteristic,
    is_closed,
    places,
    ring,
    turns,
    volume,
)


@pytest.mark.parametrize("seed", range(6))
def test_the_surface_of_any_numbers_is_closed_and_has_two_triangles_at_every_edge(seed: int) -> None:
    grid = cube(12)
    surface = zero_level(grid, np.random.default_rng(seed).normal(size=grid.counts))
    assert is_closed(surface)
    assert len(np.unique(surface.faces)) == len(surface.positions)
    assert volume(surface) > 0.0


def test_every_case_of_one_cell_is_closed() -> None:
    grid = cube(2, 0.5)
    for case in range(1, 256):
        inside = np.array([case >> corner & 1 for corner in range(8)]).reshape(2, 2, 2).transpose(2, 1, 0)
        surface = zero_level(grid, np.where(inside, -0.3, 0.4))
        assert is_closed(surface)
        assert volume(surface) > 0.0


def test_two_nodes_that_meet_crosswise_stay_apart() -> None:
    grid = cube(4)
    values = np.full(grid.counts, 1.0)
    values[1, 1, 1] = values[2, 2, 1] = -1.0
    surface = zero_level(grid, values)
    assert is_closed(surface)
    assert euler_characteristic(surface) == 4


def test_a_ball_is_a_ball_and_a_ring_is_a_ring() -> None:
    grid = cube(25)
    of_ball, of_ring = zero_level(grid, ball(grid)), zero_level(grid, ring(grid))
    assert euler_characteristic(of_ball) == 2
    assert euler_characteristic(of_ring) == 0
    assert volume(of_ball) == pytest.approx(4.0 / 3.0 * math.pi, rel=0.01)
    assert volume(of_ring) == pytest.approx(2.0 * math.pi**2 * 0.8 * 0.35**2, rel=0.05)
    assert np.abs(np.linalg.norm(of_ball.positions, axis=1) - 1.0).max() < 0.01


def test_nodes_that_are_zero_make_no_triangle_without_area() -> None:
    grid = cube(13)
    surface = zero_level(grid, np.abs(places(grid)).max(axis=-1) - 1.0)
    a, b, c = (surface.positions[surface.faces[:, each]] for each in range(3))
    assert is_closed(surface)
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).min() > 0.0


def test_a_region_that_reaches_the_border_is_closed_at_most_a_cell_beyond() -> None:
    grid = cube(11, 0.5)
    surface = zero_level(grid, ball(grid, 0.65))
    assert is_closed(surface)
    assert 0.5 < np.abs(surface.positions).max() <= 0.5 + grid.spacing[0]
    assert not is_closed(open_level(grid, ball(grid, 0.65)))


def test_a_region_across_the_seam_is_in_one_piece() -> None:
    grid = turns(24, True, False, False)
    values = np.minimum(ball(grid, 0.8, (math.pi, 0.0, 0.0)), ball(grid, 0.8, (-math.pi, 0.0, 0.0)))
    surface = zero_level(grid, values)
    assert is_closed(surface)
    assert euler_characteristic(surface) == 2
    assert np.ptp(surface.positions[:, 0]) == pytest.approx(1.6, abs=0.05)


def test_a_region_all_the_way_round_ends_in_flat_faces_a_turn_apart() -> None:
    grid = turns(24, True, False, False)
    surface = zero_level(grid, np.hypot(places(grid)[..., 1], places(grid)[..., 2]) - 0.8)
    assert is_closed(surface)
    assert euler_characteristic(surface) == 2
    assert np.ptp(surface.positions[:, 0]) == pytest.approx(math.tau, abs=1e-9)
    assert volume(surface) == pytest.approx(math.tau * math.pi * 0.8**2, rel=0.02)


def test_lines_around_a_region_of_two_angles_are_closed_and_lead_round_it() -> None:
    grid = cube(30, size=2)
    lines = zero_level(grid, ball(grid))
    check_mesh(*lines)
    assert volume(lines) == pytest.approx(math.pi, rel=0.01)
    noise = zero_level(grid, np.random.default_rng(2).normal(size=grid.counts))
    assert (np.bincount(noise.faces[:, 0]) == 1).all()
    assert (np.bincount(noise.faces[:, 1]) == 1).all()


def test_the_ends_of_a_region_of_one_angle() -> None:
    grid = cube(31, size=1)
    assert zero_level(grid, ball(grid, 0.62)).positions.ravel() == pytest.approx([-0.62, 0.62])


def test_nothing_inside_has_no_surface() -> None:
    grid = cube(5)
    assert len(zero_level(grid, np.ones(grid.counts)).faces) == 0


def test_a_large_surface_comes_in_slices_and_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = cube(40)
    values = ring(grid)
    whole = zero_level(grid, values)
    monkeypatch.setattr(surface_module, "_SLAB", 42 * 42 * 5)
    steps = level_steps(grid, values)
    shares = []
    while True:
        try:
            shares.append(next(steps))
        except StopIteration as stop:
            sliced = stop.value
            break
    assert len(shares) > 12
    assert shares == sorted(shares)
    assert np.array_equal(sliced.faces, whole.faces)
    assert np.array_equal(sliced.positions, whole.positions)


def test_a_field_of_64_nodes_a_side_takes_several_slices() -> None:
    assert len(list(level_steps(cube(64), ball(cube(64))))) >= 4
