"""Faces that solids close, and what these do to cells and cells to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.floats import BOX, box_mesh
from engine.water.boundaries import walls
from engine.water.distances import measure_solids
from engine.water.fractions import FILLED, SolidFaces, close_faces, closed_share
from engine.water.grid import WaterGrid
from engine.water.joined import RigidFrames, Surfaces, join_surfaces
from engine.water.solids import ClosedMesh, MovingMesh, rigid_mesh
from tests.engine.water.floating import ball_mesh, placed, turned

GRID = WaterGrid(cells=(12, 12, 12), spacing=0.1)


def closed(bodies: list[MovingMesh], frames: RigidFrames) -> tuple[SolidFaces, Surfaces]:
    surfaces = join_surfaces(bodies)
    return close_faces(GRID, walls(GRID).weights, measure_solids(GRID, surfaces), surfaces, frames), surfaces


def one_frame(origin: tuple[float, ...], velocity: tuple[float, ...] = (0.0,) * 6) -> RigidFrames:
    return RigidFrames(origins=np.array([origin]), velocities=np.array([velocity]))


def test_shares_of_a_square_are_those_of_the_polygon() -> None:
    assert closed_share(1.0, 2.0, 1.0, 3.0) == 0.0
    assert closed_share(-1.0, -2.0, -1.0, -3.0) == 1.0
    assert closed_share(-1.0, 1.0, 1.0, -1.0) == pytest.approx(0.5)
    assert closed_share(-1.0, 1.0, 3.0, 1.0) == pytest.approx(0.125)
    assert closed_share(1.0, -1.0, -3.0, -1.0) == pytest.approx(0.875)


def test_faces_closed_by_a_ball_add_up_to_its_volume() -> None:
    points, triangles = ball_mesh(0.37, 24)
    faces, _ = closed([placed(points, np.array((0.61, 0.58, 0.6)), triangles=triangles)], one_frame((0.6, 0.6, 0.6)))
    for axis in range(3):
        inner = np.moveaxis(faces.weights[axis], axis, 0)[1:-1]
        assert (1.0 - inner).sum() * 1e-3 == pytest.approx(4.0 / 3.0 * np.pi * 0.37**3, rel=0.04)


def test_a_common_motion_of_water_and_body_fills_no_cell() -> None:
    points = turned(box_mesh((0.4, 0.3, 0.5))[0], 0.4)
    faces, _ = closed([placed(points, np.array((0.6, 0.55, 0.6)))], one_frame((0.6, 0.55, 0.6)))
    for axis in range(3):
        velocity = np.zeros((1, 6))
        velocity[0, axis] = 2.0
        flow = np.moveaxis(2.0 * faces.weights[axis].astype(np.float64), axis, 0)
        total = np.moveaxis(flow[1:] - flow[:-1], 0, axis) + faces.driven(velocity)
        assert np.abs(total[1:-1, 1:-1, 1:-1]).max() < 1e-12


def test_pressure_pushes_a_body_as_the_body_drives_water() -> None:
    points = turned(box_mesh((0.4, 0.3, 0.5))[0], 0.4)
    faces, surfaces = closed([placed(points, np.array((0.6, 0.55, 0.6)))], one_frame((0.5, 0.5, 0.7)))
    random = np.random.default_rng(1)
    pressure, velocity = random.normal(size=GRID.cells), random.normal(size=(1, 6))
    power = (faces.pushed(pressure, 1) * velocity).sum()
    assert power == pytest.approx((faces.driven(velocity) * pressure).sum() * 0.01, rel=1e-12)
    forces = faces.pushed_vertices(pressure, surfaces)
    assert forces.sum(axis=0) == pytest.approx(faces.pushed(pressure, 1)[0, :3], rel=1e-9)


def test_closed_faces_move_as_their_body_does() -> None:
    speed = (0.3, -0.2, 0.5, 1.0, 2.0, -1.5)
    faces, _ = closed(
        [placed(box_mesh((0.4, 0.3, 0.5))[0], np.array((0.6, 0.55, 0.6)))], one_frame((0.6, 0.5, 0.6), speed)
    )
    u, v, w = faces.velocities(np.array([speed]))
    wanted = 0.3 + 2.0 * (0.65 - 0.6) + 1.5 * (0.55 - 0.5)
    assert u[6, 5, 6] == pytest.approx(wanted)
    assert v[6, 5, 6] == pytest.approx(-0.2 - 1.5 * (0.65 - 0.6) - 1.0 * (0.65 - 0.6))
    assert w[6, 5, 6] == pytest.approx(0.5 + 1.0 * (0.55 - 0.5) - 2.0 * (0.65 - 0.6))
    assert u[0, 0, 0] == 0.0


def test_a_skin_moves_by_the_shares_of_its_frames_and_by_itself() -> None:
    points, _ = box_mesh((0.43, 0.43, 0.43))
    middle = np.array((0.6, 0.6, 0.6))
    frames = np.array([[0, 1]] * 8, dtype=np.int32)
    shares = np.where(points[:, :1] > 0.0, (0.25, 0.75), (0.5, 0.5))
    mesh = ClosedMesh(name="skin", triangles=BOX, frames=frames, shares=shares)
    moving = RigidFrames(origins=np.zeros((2, 3)), velocities=np.array([(1.0, 0, 0, 0, 0, 0), (3.0, 0, 0, 0, 0, 0)]))
    speeds = shares @ moving.velocities[:, :3] + (0.0, 0.1, 0.0)
    faces, _ = closed([MovingMesh(mesh=mesh, points=points + middle, velocities=speeds)], moving)
    u, v, _ = faces.velocities(moving.velocities)
    assert u[8, 6, 6] == pytest.approx(0.25 + 0.75 * 3.0)
    assert u[4, 6, 6] == pytest.approx(2.0)
    assert v[6, 8, 6] == pytest.approx(0.1)
    left = np.arange(12)[:, None, None] < 6
    given = faces.pushed(np.where(left & faces.is_open, 1.0, 0.0), 2)
    assert given[:, 0].sum() == pytest.approx(0.43**2, rel=0.05)


def test_what_bends_drives_little_out_of_cells_that_it_nearly_fills() -> None:
    points, triangles = ball_mesh(0.37, 24)
    mesh = rigid_mesh("duck", triangles, len(points), 0, bends=True)
    middle, spin = np.array((0.61, 0.58, 0.6)), np.array((0.3, -0.2, 0.1, 1.0, 2.0, -1.5))
    bends = 0.2 * points * (1.0, -1.0, 0.5)
    speeds = spin[:3] + np.cross(spin[3:], points) + bends
    moving = RigidFrames(origins=middle[None], velocities=spin[None])
    faces, surfaces = closed([MovingMesh(mesh=mesh, points=points + middle, velocities=speeds)], moving)
    flow, opening = np.zeros(GRID.cells), np.zeros(GRID.cells)
    swelling = faces.swelling(spin[None])
    assert swelling is not None
    for axis, speed in enumerate(faces.velocities(spin[None])):
        weights = np.moveaxis(faces.weights[axis].astype(np.float64), axis, 0)
        driven = (1.0 - weights) * np.moveaxis(speed, axis, 0)
        flow += np.moveaxis(driven[1:] - driven[:-1], 0, axis)
        opening = np.maximum(opening, np.moveaxis(np.maximum(weights[1:], weights[:-1]), 0, axis))
    nearly = (opening > 0.0) & (opening < 0.2)
    assert np.count_nonzero(nearly) > 3
    asked, left = np.abs(flow)[nearly] / opening[nearly], np.abs(flow - swelling)[nearly] / opening[nearly]
    assert asked.max() > 5.0  # of the openings [m/s], faster than the body
    assert left.max() < 1.0
    random = np.random.default_rng(1)
    pressure, velocity = random.normal(size=GRID.cells), random.normal(size=(1, 6))
    given = faces.pushed(pressure, 1)
    assert (given * velocity).sum() == pytest.approx((faces.driven(velocity) * pressure).sum() * 0.01, rel=1e-12)
    assert faces.pushed_vertices(pressure, surfaces).sum(axis=0) == pytest.approx(given[0, :3], rel=1e-9)
    flat = faces.floats.copy()
    flat[:, FILLED:] = 0.0
    assert given[0, :3] == pytest.approx(replace(faces, floats=flat).pushed(pressure, 1)[0, :3], rel=1e-9)


def test_faces_of_the_surface_stand_for_it() -> None:
    body = placed(box_mesh((0.4, 0.2, 0.4))[0], np.array((0.6, 0.63, 0.6)))  # its bottom at 0.53
    phi = np.broadcast_to(GRID.centres()[1] - 0.545, GRID.cells) + 0.0
    surfaces, base = join_surfaces([body]), walls(GRID).weights
    distances = measure_solids(GRID, surfaces)
    frames = one_frame((0.6, 0.6, 0.6))
    without = close_faces(GRID, base, distances, surfaces, frames)
    touching = close_faces(GRID, base, distances, surfaces, frames, (phi, np.full((12, 12), 0.545)))
    above = close_faces(GRID, base, distances, surfaces, frames, (phi, np.full((12, 12), 0.52)))
    assert without.weights[1][6, 5, 6] == 1.0
    assert touching.weights[1][6, 5, 6] == 0.0
    assert above.weights[1][6, 5, 6] == 1.0
