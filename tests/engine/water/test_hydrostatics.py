"""Pressure of still water on bodies, whole and pierced by the surface."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiments.floats import box_mesh
from engine.water.grid import WaterGrid
from engine.water.hydrostatics import depths_at, gather, hydrostatic_forces, surface_heights
from engine.water.joined import RigidFrames, join_surfaces
from tests.engine.water.floating import ball_mesh, placed, turned

WEIGHT = 9810.0
STILL = np.zeros((1, 6))


def lift(points: np.ndarray, level: float, origin: np.ndarray, **given: object) -> np.ndarray:
    surfaces = join_surfaces([placed(points, np.zeros(3), **given)])  # type: ignore[arg-type]
    forces = hydrostatic_forces(surfaces, level - surfaces.points[:, 1], WEIGHT)
    found: np.ndarray = gather(surfaces, forces, RigidFrames(origins=origin[None], velocities=STILL))[0]
    return found


def test_a_whole_body_is_lifted_by_the_weight_of_its_volume_at_its_middle() -> None:
    points = turned(box_mesh((0.4, 0.3, 0.5))[0], 0.7) + np.array((0.3, -2.0, 0.1))
    found = lift(points, 0.0, np.array((1.0, 0.0, 0.0)))
    force = WEIGHT * 0.4 * 0.3 * 0.5
    arm = np.array((0.3, -2.0, 0.1)) - (1.0, 0.0, 0.0)
    assert found[:3] == pytest.approx((0.0, force, 0.0), abs=1e-9 * force)
    assert found[3:] == pytest.approx(np.cross(arm, (0.0, force, 0.0)), abs=1e-9 * force)


def test_half_of_a_turned_box_is_lifted_at_the_middle_of_that_half() -> None:
    side = 0.4
    quarter = np.pi / 4.0
    points = box_mesh((side, side, 0.5))[0] @ np.array(
        [[np.cos(quarter), np.sin(quarter), 0], [-np.sin(quarter), np.cos(quarter), 0], [0, 0, 1]]
    )
    found = lift(points + np.array((0.2, 0.0, 0.0)), 0.0, np.zeros(3))
    force = WEIGHT * 0.5 * side * side * 0.5
    assert found == pytest.approx((0.0, force, 0.0, 0.0, 0.0, 0.2 * force), abs=1e-9 * force)


@pytest.mark.parametrize("level", [-0.2, 0.0, 0.23])
def test_a_ball_is_lifted_by_its_cap(level: float) -> None:
    radius = 0.32
    points, triangles = ball_mesh(radius, 32)
    depth = level + radius
    cap = np.pi * depth**2 * (3.0 * radius - depth) / 3.0
    assert lift(points, level, np.zeros(3), triangles=triangles)[1] == pytest.approx(WEIGHT * cap, rel=0.02)


def test_the_lift_is_the_change_of_energy_of_the_water() -> None:
    points = turned(box_mesh((0.4, 0.3, 0.5))[0], 0.5)
    step = 2e-3
    lifts = [lift(points, level, np.zeros(3))[1] for level in np.arange(-0.1, 0.1, step)]
    again = [
        lift(points + np.array((0.0, 0.01, 0.0)), level + 0.01, np.zeros(3))[1] for level in np.arange(-0.1, 0.1, step)
    ]
    assert lifts == pytest.approx(again, rel=1e-9)
    assert (np.diff(lifts) > 0.0).all()
    assert np.abs(np.diff(lifts, 2)).max() < 2e-3 * max(lifts), "no jump where a vertex is passed"


def test_columns_know_their_level_and_carry_it_on_below_a_body() -> None:
    grid = WaterGrid(cells=(6, 8, 5), spacing=0.1, origin=(0.0, -0.2, 0.0))
    x, y, _ = grid.centres()
    phi = np.broadcast_to(y - (0.13 + 0.05 * x), grid.cells) + 0.0
    solid = np.zeros(grid.cells, dtype=np.bool_)
    solid[2:4, :, 1:4] = True
    phi[solid] = 0.7
    found = surface_heights(grid, phi, solid)
    assert found[[0, 1, 4, 5]] == pytest.approx(np.broadcast_to(0.13 + 0.05 * x[[0, 1, 4, 5], 0], (4, 5)))
    assert found[2:4] == pytest.approx(np.broadcast_to(0.13 + 0.05 * x[2:4, 0], (2, 5)), abs=0.012)
    places = np.array([(0.1, 0.0, 0.2), (0.15, 0.1, 0.2), (-1.0, 0.0, 0.0)])
    assert depths_at(grid, found, places) == pytest.approx((0.135, 0.0375, 0.1325))


def test_a_dry_tank_has_no_level() -> None:
    grid = WaterGrid(cells=(4, 4, 4), spacing=0.1)
    assert (surface_heights(grid, np.ones(grid.cells), np.zeros(grid.cells, dtype=np.bool_)) == -np.inf).all()
