"""Closed surfaces: what is refused, distances to them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.experiments.floats import BOX, box_mesh
from engine.runtime.errors import InvalidArguments
from engine.water.distances import measure_solids
from engine.water.grid import WaterGrid
from engine.water.joined import Surfaces, check_surfaces, join_surfaces
from engine.water.solids import MovingMesh, UnsoundSolid, rigid_mesh, sub_steps
from tests.engine.water.floating import placed

GRID = WaterGrid(cells=(10, 8, 9), spacing=0.1, origin=(-0.3, 0.2, 0.1))


def joined(*bodies: MovingMesh) -> Surfaces:
    return join_surfaces(bodies)


def check(body: MovingMesh) -> None:
    check_surfaces(GRID, join_surfaces([body]), [body.mesh])


def corners(grid: WaterGrid) -> np.ndarray:
    axes = (origin + grid.spacing * np.arange(count + 1) for origin, count in zip(grid.origin, grid.cells, strict=True))
    return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)


def box_distances(points: np.ndarray, centre: np.ndarray, size: np.ndarray) -> np.ndarray:
    away = np.abs(points - centre) - 0.5 * size
    outside = np.linalg.norm(np.maximum(away, 0.0), axis=-1)
    found: np.ndarray = outside + np.minimum(away.max(axis=-1), 0.0)
    return found


def test_distances_near_a_box_are_exact_and_signs_are_right_everywhere() -> None:
    centre, size = np.array((0.21, 0.63, 0.52)), np.array((0.43, 0.25, 0.37))
    found = measure_solids(GRID, joined(placed(box_mesh((0.43, 0.25, 0.37))[0], centre)))
    wanted = box_distances(corners(GRID), centre, size)
    near = np.abs(wanted) < 0.1
    assert found.values[near] == pytest.approx(wanted[near], abs=1e-12)
    assert ((found.values < 0.0) == (wanted < 0.0)).all()
    assert (found.surface[near] == 0).all()
    assert near.sum() > 100


def test_overlapping_surfaces_are_one_body() -> None:
    one, two = np.array((0.1, 0.6, 0.5)), np.array((0.31, 0.66, 0.5))
    size = np.array((0.33, 0.3, 0.3))
    points = box_mesh((0.33, 0.3, 0.3))[0]
    found = measure_solids(GRID, joined(placed(points, one), placed(points, two)))
    places = corners(GRID)
    wanted = np.minimum(box_distances(places, one, size), box_distances(places, two, size))
    assert ((found.values < 0.0) == (wanted < 0.0)).all()
    near = (wanted > 0.0) & (wanted < 0.1)
    assert found.values[near] == pytest.approx(wanted[near], abs=1e-12)
    assert set(found.surface[near]) == {0, 1}


def test_an_open_surface_is_refused_by_name() -> None:
    with pytest.raises(UnsoundSolid, match=r"the bucket .* open"):
        rigid_mesh("the bucket", BOX[:-2], 8, 0)


def test_a_face_turned_over_is_refused() -> None:
    turned = BOX.copy()
    turned[0] = turned[0, ::-1]
    with pytest.raises(UnsoundSolid, match="turned over"):
        rigid_mesh("the box", turned, 8, 0)


def test_a_surface_inside_out_is_refused() -> None:
    points, triangles = box_mesh((0.2, 0.2, 0.2))
    inside_out = MovingMesh(
        mesh=rigid_mesh("the glove", triangles[:, ::-1], 8, 0), points=points, velocities=np.zeros((8, 3))
    )
    with pytest.raises(UnsoundSolid, match=r"the glove .* inside out"):
        check(inside_out)


def test_a_body_larger_than_the_tank_is_refused() -> None:
    with pytest.raises(UnsoundSolid, match=r"1\.2 m along x, more than the tank's 1 m"):
        check(placed(box_mesh((1.2, 0.2, 0.2))[0], np.zeros(3)))


def test_a_vertex_that_is_nowhere_is_refused() -> None:
    body = placed(box_mesh((0.2, 0.2, 0.2))[0], np.zeros(3))
    points = body.points.copy()
    points[3, 1] = np.nan
    with pytest.raises(UnsoundSolid, match="nowhere"):
        check(replace(body, points=points))
    with pytest.raises(InvalidArguments, match="shape"):
        check(replace(body, points=points[:5]))


@pytest.mark.parametrize(("faces", "text"), [([], "no triangles"), ([[0, 1, 9]], "none of its 8")])
def test_what_is_no_surface_is_refused(faces: list[list[int]], text: str) -> None:
    with pytest.raises(UnsoundSolid, match=text):
        rigid_mesh("the box", np.array(faces, dtype=np.int32).reshape(-1, 3), 8, 0)


def test_what_is_faster_than_a_cell_a_step_takes_more_steps() -> None:
    body = placed(box_mesh((0.2, 0.2, 0.2))[0], np.zeros(3), (0.0, -25.0, 0.0))
    assert sub_steps([body], GRID, 0.01) == 3
    assert sub_steps([], GRID, 0.01) == 1
