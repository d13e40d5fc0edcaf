"""Points carried by a body: linear fields are reproduced, forces come back with their sum and torque."""

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.soft.embedding import embed, join_weights
from engine.soft.mesh import VolumeMesh, volume_mesh
from engine.soft.meshing import box, cube_grid, cylinder, square_grid

BODIES = {
    "box": box((1.0, 2.0, 3.0), (2, 3, 4)),
    "cylinder": cylinder(0.5, 1.0, rings=2, layers=3),
    "cubes": cube_grid((2, 3, 4), 0.5).mesh,
    "squares": square_grid((3, 2), 0.5),
}


def points_about(mesh: VolumeMesh, margin: float) -> np.ndarray:
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    points = np.random.default_rng(5).uniform(low - margin, high + margin, (200, 3))
    return points * (1.0, 1.0, 0.0) if mesh.planar else points


@pytest.mark.parametrize("name", BODIES)
def test_linear_fields_are_reproduced_inside_and_near_the_body(name: str) -> None:
    mesh = BODIES[name]
    points = points_about(mesh, 0.1)
    found = embed(mesh, points)
    near = found.outside < 0.11
    points, found = points[near], embed(mesh, points[near])
    assert 0 < np.count_nonzero(found.outside) < len(points)
    field = mesh.points @ np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]]) + (4.0, 5.0)
    wanted = points @ np.array([[1.0, 2.0], [0.5, -1.0], [3.0, 0.2]]) + (4.0, 5.0)
    assert np.abs(found.weights.carried(field) - wanted).max() < 1e-12
    within = found.outside == 0.0
    assert found.weights.values.reshape(len(points), -1)[within].min() > -1e-8


@pytest.mark.parametrize("name", BODIES)
def test_forces_keep_sum_and_torque(name: str) -> None:
    mesh = BODIES[name]
    points = points_about(mesh, 0.1)
    points = points[embed(mesh, points).outside < 0.11]
    weights = embed(mesh, points).weights
    forces = np.random.default_rng(6).normal(size=points.shape)
    spread = weights.spread(forces, len(mesh.points))
    assert spread == pytest.approx(weights.dense(len(mesh.points)).T @ forces, abs=1e-12)
    assert spread.sum(axis=0) == pytest.approx(forces.sum(axis=0), abs=1e-12)
    assert np.cross(mesh.points, spread).sum(axis=0) == pytest.approx(np.cross(points, forces).sum(axis=0), abs=1e-12)


def test_points_outside_take_the_nearest_cell_and_say_how_far() -> None:
    mesh = BODIES["cubes"]
    found = embed(mesh, np.array([(0.25, 0.25, -0.2), (0.75, 1.25, 2.5), (0.25, 0.25, 0.25), (50.0, 0.3, 0.3)]))
    assert found.outside == pytest.approx([0.2, 0.5, 0.0, 49.0])
    middles = mesh.points[mesh.cells[found.cells]].mean(axis=1)
    assert middles[:2] == pytest.approx(np.array([(0.25, 0.25, 0.25), (0.75, 1.25, 1.75)]))
    assert np.abs(found.weights.values).max() < 4.0


def test_a_skewed_brick_is_inverted() -> None:
    unit = cube_grid((2, 2, 2), 1.0).mesh
    skewed = volume_mesh(
        unit.points + 0.15 * np.random.default_rng(1).uniform(-1, 1, unit.points.shape), unit.cells, "hexahedra"
    )
    points = np.random.default_rng(2).uniform(0.4, 1.6, (100, 3))
    found = embed(skewed, points)
    assert np.abs(found.weights.carried(skewed.points) - points).max() < 1e-12
    assert not found.outside.any()


def test_points_beside_edges_are_carried_by_the_nearest() -> None:
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0)], float)
    mesh = volume_mesh(points, np.array([(0, 1), (1, 2)]), "edges")
    found = embed(mesh, np.array([(0.25, 0.1, 0.0), (1.0, 0.5, 0.0), (2.0, 3.0, 0.0)]))
    assert found.cells.tolist() == [0, 1, 1]
    assert found.weights.values.reshape(3, 2) == pytest.approx(np.array([(0.75, 0.25), (0.5, 0.5), (0.0, 1.0)]))


def test_rows_are_joined_with_their_points_shifted() -> None:
    weights = embed(BODIES["squares"], np.array([(0.2, 0.2, 0.0)])).weights
    both = join_weights([weights, weights], [0, 12])
    assert both.row_count == 2
    assert (both.points[4:] - both.points[:4] == 12).all()
    assert join_weights([]).row_count == 0


def test_points_that_are_nowhere_are_refused() -> None:
    with pytest.raises(InvalidArguments, match="points to embed"):
        embed(BODIES["box"], np.array([(np.nan, 0.0, 0.0)]))
