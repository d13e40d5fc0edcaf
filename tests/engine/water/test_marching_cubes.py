"""The mesh of the water's surface: closed, facing outwards, where the level set is zero."""

import math

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.marching_cubes import WaterMesh, cube_table, mesh_water


def _volume(mesh: WaterMesh) -> float:
    a, b, c = (mesh.positions[mesh.triangles[:, n]].astype(np.float64) for n in range(3))
    return float(np.sum(a * np.cross(b, c))) / 6.0


def _open_edges(mesh: WaterMesh) -> int:
    """Edges that are not walked once each way."""
    edges = np.concatenate([mesh.triangles[:, [n, (n + 1) % 3]] for n in range(3)]).astype(np.int64)
    there, count = np.unique(edges[:, 0] << 32 | edges[:, 1], return_counts=True)
    back = np.unique(edges[:, 1] << 32 | edges[:, 0])
    return int(np.sum(count != 1)) + len(np.setxor1d(there, back))


def _ball(cells: int, radius: float) -> Array:
    line = np.arange(cells) + 0.5 - 0.5 * cells
    away: Array = np.sqrt(line[:, None, None] ** 2 + line[None, :, None] ** 2 + line[None, None, :] ** 2)
    return away - radius


def test_ball_is_closed_round_and_smooth() -> None:
    mesh = mesh_water(0.1 * _ball(16, 5.3), 0.1, (-0.8, -0.8, -0.8))
    assert _open_edges(mesh) == 0
    assert _volume(mesh) == pytest.approx(4.0 / 3.0 * math.pi * 0.53**3, rel=0.025)
    away = np.linalg.norm(mesh.positions, axis=1)
    assert np.abs(away - 0.53).max() < 0.005
    assert np.abs(np.linalg.norm(mesh.normals, axis=1) - 1.0).max() < 1e-5
    assert np.sum(mesh.normals * mesh.positions / away[:, None], axis=1).min() > 0.99


def test_water_at_rest_is_a_box_that_reaches_the_walls() -> None:
    phi = np.broadcast_to(np.arange(6)[None, :, None] + 0.5 - 2.3, (8, 6, 5)).astype(np.float64)
    mesh = mesh_water(phi, 1.0)
    assert _open_edges(mesh) == 0
    assert _volume(mesh) == pytest.approx(8.0 * 2.3 * 5.0, rel=2e-3)
    assert mesh.positions.min(axis=0) == pytest.approx([0.0, 0.0, 0.0], abs=1e-3)
    assert mesh.positions.max(axis=0) == pytest.approx([8.0, 2.3, 5.0], abs=2e-3)
    assert np.abs(mesh.normals).max(axis=1).min() > 0.999  # up, or a wall's


@pytest.mark.parametrize("seed", range(4))
def test_noise_is_closed_too(seed: int) -> None:
    phi = np.random.default_rng(seed).normal(size=(9, 7, 8))
    mesh = mesh_water(phi, 1.0)
    assert len(mesh.triangles) > 500
    assert _open_edges(mesh) == 0


def test_table_has_loops_for_all_patterns() -> None:
    table = cube_table()
    assert table[0, 0] == table[255, 0] == 0
    assert table[1:255, 0].min() == 1
    assert sorted(set(table[[1, 2, 4, 128], 0])) == [1]
    assert table[15, 0] == 2


def test_planar_water_is_a_slab_of_one_cell() -> None:
    phi = _ball(12, 4.0)[:, :, 6:7]
    mesh = mesh_water(phi, 1.0)
    assert _open_edges(mesh) == 0
    assert np.ptp(mesh.positions[:, 2]) == pytest.approx(1.0, abs=2e-3)


def test_no_water_is_an_empty_mesh_and_no_numbers_are_refused() -> None:
    assert not len(mesh_water(np.ones((3, 3, 3)), 1.0).triangles)
    assert _open_edges(mesh_water(-np.ones((3, 3, 3)), 1.0)) == 0
    with pytest.raises(InvalidArguments, match="level set"):
        mesh_water(np.full((3, 3, 3), np.nan), 1.0)
