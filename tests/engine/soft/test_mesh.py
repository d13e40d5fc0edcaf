"""Meshes of soft bodies: what is refused, volumes and masses, grids, boxes and cylinders."""

import math

import numpy as np
import pytest

from engine.runtime.errors import InvalidArguments
from engine.soft.embedding import surface_facets
from engine.soft.mesh import UNIT, UnsoundBody, VolumeMesh, volume_mesh, without_unused
from engine.soft.meshing import box, cube_grid, cylinder, split_cubes, square_grid

TETRAHEDRON = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], float)
ONE = np.array([(0, 1, 2, 3)])


def enclosed(mesh: VolumeMesh) -> float:
    """Volume within the outer sides."""
    return float(np.linalg.det(mesh.points[surface_facets(mesh)[0]]).sum() / 6.0)


@pytest.mark.parametrize(
    ("points", "cells", "says"),
    [
        (TETRAHEDRON, ONE[:, [1, 0, 2, 3]], "inside out"),
        (TETRAHEDRON * (1, 1, 1e-9), ONE, "flat"),
        (np.vstack((TETRAHEDRON, (2, 2, 2))), ONE, "point 4 belongs to no cell"),
        (np.where(TETRAHEDRON > 0, np.nan, 0.0), ONE, "point 1 is at"),
        (TETRAHEDRON, np.array([(0, 1, 2, 4)]), "asks for points"),
        (TETRAHEDRON, np.array([(0, 1, 2, 2)]), "twice"),
        (TETRAHEDRON, np.zeros((0, 4), int), "its cells"),
        (TETRAHEDRON, ONE.astype(float), "its cells"),
        (np.zeros((0, 3)), ONE, "no points"),
        (np.zeros((500_000, 3)), ONE, "500,000 points"),
    ],
)
def test_unsound_meshes_are_refused_by_name(points: np.ndarray, cells: np.ndarray, says: str) -> None:
    with pytest.raises(UnsoundBody, match=says):
        volume_mesh(points, cells, "tetrahedra")


def test_a_twisted_brick_and_squares_out_of_their_plane_are_refused() -> None:
    twisted = UNIT[[1, 0, 2, 3, 4, 5, 6, 7]]
    with pytest.raises(UnsoundBody, match="inside out"):
        volume_mesh(twisted, np.arange(8)[None], "hexahedra")
    with pytest.raises(UnsoundBody, match="z = 0"):
        volume_mesh(UNIT[:4] + 1.0, np.arange(4)[None], "squares")


@pytest.mark.parametrize("density", [0.0, -1.0, math.nan, math.inf])
def test_a_density_that_is_no_mass_is_refused(density: float) -> None:
    with pytest.raises(InvalidArguments, match="density"):
        box((1, 1, 1), (1, 1, 1)).masses(density)


def test_factors_are_checked() -> None:
    mesh = box((1, 1, 1), (1, 1, 1))
    assert mesh.with_factors(np.full(5, 2.0)).factors.sum() == 10.0
    with pytest.raises(InvalidArguments, match="factors"):
        mesh.with_factors(np.zeros(5))


def test_masses_sum_to_the_volume_times_the_density() -> None:
    for mesh, volume in (
        (box((1, 2, 3), (2, 3, 4)), 6.0),
        (cube_grid((2, 3, 4), 0.5).mesh, 3.0),
        (square_grid((3, 2), 0.5), 1.5),
        (volume_mesh(TETRAHEDRON, np.array([(0, 1), (2, 3)]), "edges"), 1.0 + math.sqrt(2.0)),
    ):
        assert mesh.masses(1000.0).sum() == pytest.approx(1000.0 * volume, rel=1e-12)
        assert mesh.volumes.sum() == pytest.approx(volume, rel=1e-12)


def test_a_skewed_brick_has_the_volume_of_its_tetrahedra() -> None:
    skewed = UNIT + 0.2 * np.random.default_rng(3).uniform(-1, 1, UNIT.shape)
    facets, _ = surface_facets(mesh := volume_mesh(skewed, np.arange(8)[None], "hexahedra"))
    other = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    halves = np.array([[c[1], c[2], c[3]] for c in other] + [[c[1], c[3], c[0]] for c in other])
    both = [np.linalg.det(skewed[each]).sum() / 6.0 for each in (facets, halves)]
    assert mesh.volumes.sum() == pytest.approx(np.mean(both), rel=1e-12)  # sides are halfway between their diagonals


def test_tetrahedra_fill_boxes_and_cylinders_without_gaps() -> None:
    for mesh in (
        box((1, 2, 3), (2, 3, 4)),
        cylinder(0.1, 1.0, rings=3, layers=5),
        cylinder(0.1, 1.0, rings=1, layers=1),
    ):
        assert enclosed(mesh) == pytest.approx(mesh.volumes.sum(), rel=1e-12)
        sides = np.sort(
            np.concatenate([mesh.cells[:, list(f)] for f in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]), 1
        )
        assert np.unique(sides, axis=0, return_counts=True)[1].max() == 2
    assert len(cylinder(0.1, 1.0, rings=3, layers=25).cells) == 4050
    fine = cylinder(0.1, 1.0, rings=8, layers=2, axis=0)
    assert fine.volumes.sum() == pytest.approx(math.pi * 0.01, rel=5e-3)
    assert np.ptp(fine.points, axis=0) == pytest.approx((1.0, 0.2, 0.2), rel=2e-2)


def test_grids_keep_the_cells_that_are_asked_for() -> None:
    kept = np.ones((3, 3, 3), bool)
    kept[1, 1, 1] = False
    made = cube_grid((3, 3, 3), 0.1, kept=kept)
    assert len(made.mesh.cells) == 26
    tetrahedra = split_cubes(made)
    assert enclosed(tetrahedra) == pytest.approx(0.026, rel=1e-12)
    assert tetrahedra.volumes.sum() == pytest.approx(0.026, rel=1e-12)
    flat = square_grid((2, 2), 1.0, kept=np.array([[True, True], [True, False]]))
    assert (len(flat.cells), len(flat.points), flat.planar) == (3, 8, True)
    assert len(square_grid((1, 1), 1.0).edges) == 6
    assert len(cube_grid((1, 1, 1), 1.0).mesh.edges) == 28


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: box((1, 0, 1), (1, 1, 1)), "size of a box"),
        (lambda: box((1, 1, 1), (1, 0, 1)), "counts"),
        (lambda: box((1, 1, 1), (10_000, 10_000, 10_000)), "counts"),
        (lambda: cylinder(math.nan, 1.0, rings=1, layers=1), "radius"),
        (lambda: cylinder(1.0, 1.0, rings=0, layers=1), "rings"),
        (lambda: square_grid((2, 2), 0.0), "spacing"),
        (lambda: square_grid((2, 2), 1.0, kept=np.zeros((2, 2), bool)), "kept"),
    ],
)
def test_sizes_that_make_no_body_are_refused(make, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidArguments, match=says):
        make()


def test_points_without_a_cell_can_be_left_out() -> None:
    points, cells = without_unused(np.vstack(((9, 9, 9), TETRAHEDRON)), ONE + 1)
    assert volume_mesh(points, cells, "tetrahedra").cells.tolist() == [[0, 1, 2, 3]]
