"""The surface carried on through bodies, and forces by velocities."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiments.floats import box_mesh
from engine.water.equation import Faces
from engine.water.grid import WaterGrid
from engine.water.hydrodynamic import hydrodynamic_forces
from engine.water.hydrostatics import gather, hydrostatic_forces, surface_heights
from engine.water.joined import RigidFrames, join_surfaces
from engine.water.pseudo_surface import fill_bodies, vertical_depths
from tests.engine.water.floating import ball_mesh, placed

GRID = WaterGrid(cells=(12, 10, 8), spacing=0.1)
X, Y, Z = GRID.centres()


def test_a_plane_surface_stays_plane_through_a_body() -> None:
    plane = (Y - 0.43 - 0.2 * X + 0.0 * Z) / np.hypot(1.0, 0.2)
    distance = np.sqrt((X - 0.6) ** 2 + (Y - 0.5) ** 2 + (Z - 0.4) ** 2) - 0.28
    phi = np.where(distance < 0.0, 3.0, plane)
    levels = 0.43 + 0.2 * X[:, :, 0] + 0.0 * Z[0]
    fill_bodies(GRID, phi, distance, levels)
    near = np.abs(plane) < 0.15
    assert phi[near] == pytest.approx(plane[near], abs=3e-3)


def test_a_wave_that_stands_higher_on_one_side_is_carried_on_evenly() -> None:
    distance = np.broadcast_to(np.abs(X - 0.6) - 0.24, GRID.cells)
    phi = np.where(X < 0.6, Y - 0.3, Y - 0.5) + 0.0 * Z
    fill_bodies(GRID, phi, distance, surface_heights(GRID, phi, distance < 0.0))
    levels = [float(np.interp(0.0, phi[i, :, 4], GRID.origin[1] + 0.1 * (np.arange(10) + 0.5))) for i in range(12)]
    assert levels[:4] == pytest.approx([0.3] * 4)
    assert levels[8:] == pytest.approx([0.5] * 4)
    assert (np.diff(levels[3:9]) > 0.01).all()


def test_depths_are_those_of_a_vertical_line_where_the_printed_ones_are_too_small() -> None:
    slope = 0.5
    phi = (Y - 0.4 - slope * (X - 0.6) + 0.0 * Z) / np.hypot(1.0, slope)
    places = np.array([(0.6, 0.2, 0.4), (0.7, 0.3, 0.35), (0.4, 0.6, 0.4)])
    wanted = 0.4 + slope * (places[:, 0] - 0.6) - places[:, 1]
    assert vertical_depths(GRID, phi, places) == pytest.approx(wanted)
    printed = wanted / np.hypot(1.0, slope) ** 2
    assert abs(printed[0] - wanted[0]) > 0.03


def test_buoyancy_points_up_and_is_the_weight_of_the_volume() -> None:
    points, triangles = ball_mesh(0.2, 24)
    surfaces = join_surfaces([placed(points, np.array((0.6, 0.4, 0.4)), triangles=triangles)])
    phi = np.broadcast_to(Y - 0.4, GRID.cells) + 0.0
    forces = hydrostatic_forces(surfaces, vertical_depths(GRID, phi, surfaces.points), 9810.0)
    assert forces.sum(axis=0) == pytest.approx((0.0, 9810.0 * 2.0 / 3.0 * np.pi * 0.2**3, 0.0), abs=2.0)


def push(points: np.ndarray, triangles: np.ndarray, velocity: tuple[float, float, float], flow: float) -> np.ndarray:
    body = placed(points, np.array((0.6, 0.45, 0.4)), velocity, triangles=triangles)
    surfaces = join_surfaces([body])
    faces = Faces(*(np.full(shape, flow if axis == 0 else 0.0) for axis, shape in enumerate(GRID.faces)))
    wet, outside = np.full(GRID.cells, -1.0), np.full(GRID.cells, 1.0)
    forces = hydrodynamic_forces(GRID, faces, wet, outside, surfaces, 1000.0)
    frames = RigidFrames(origins=np.array([(0.6, 0.45, 0.4)]), velocities=np.zeros((1, 6)))
    found: np.ndarray = gather(surfaces, forces, frames)[0]
    return found


def test_a_box_is_pushed_against_its_way_by_density_area_and_square_of_speed() -> None:
    points, triangles = box_mesh((0.1, 0.3, 0.2))
    assert push(points, triangles, (2.0, 0.0, 0.0), 0.0) == pytest.approx(
        (-1000.0 * 0.3 * 0.2 * 4.0, 0, 0, 0, 0, 0), abs=1e-9
    )
    assert push(points, triangles, (2.0, 0.0, 0.0), 3.0)[0] == pytest.approx(1000.0 * 0.3 * 0.2)
    assert push(points, triangles, (2.0, 0.0, 0.0), 2.0) == pytest.approx(np.zeros(6), abs=1e-9)


def test_a_ball_has_a_drag_coefficient_of_one() -> None:
    points, triangles = ball_mesh(0.2, 24)
    found = push(points, triangles, (0.0, -1.0, 0.0), 0.0)
    assert found[1] == pytest.approx(0.5 * 1000.0 * np.pi * 0.2**2, rel=0.02)


def test_no_force_where_there_is_no_water() -> None:
    points, triangles = box_mesh((0.1, 0.3, 0.2))
    surfaces = join_surfaces([placed(points, np.array((0.6, 0.45, 0.4)), (2.0, 0.0, 0.0), triangles=triangles)])
    faces = Faces(*(np.zeros(shape) for shape in GRID.faces))
    dry, outside = np.full(GRID.cells, 1.0), np.full(GRID.cells, 1.0)
    assert not hydrodynamic_forces(GRID, faces, dry, outside, surfaces, 1000.0).any()
