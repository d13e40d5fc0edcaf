"""Distances of nodes to surfaces: exact against every face, in one to three dimensions, periodic or not."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document.limit import ConeRange, Grid
from engine.limits.cones import fill_pointing, pointing
from engine.limits.facets import is_crowded, surface_distances
from engine.limits.ranges import grid_for, nodes_of, turns_of
from engine.limits.surface import Boundary, open_level, zero_level
from engine.limits.triangles import in_space
from engine.limits.wrapping import icosphere
from engine.maths.arrays import Array, IntArray
from tests.engine.limits.shapes import ball, cube, ring, turns

XYZ, ZYZ = np.eye(3), np.eye(3)[[2, 1, 2]]


def brute(points: Array, positions: Array, faces: IntArray, ways: Array) -> Array:
    """To every side of every face, and to its plane where a point stands over the face."""
    least = np.full(len(points), np.inf)
    for way in ways:
        corners = in_space(positions)[faces] + way
        for face in corners:
            away = points - face[0]
            if len(face) == 1:
                least = np.minimum(least, np.linalg.norm(away, axis=1))
            for start, end in zip(face, np.roll(face, -1, axis=0), strict=True):
                side = end - start
                share = np.clip((points - start) @ side / max(side @ side, 1e-300), 0.0, 1.0)
                least = np.minimum(least, np.linalg.norm(points - start - share[:, None] * side, axis=1))
            if len(face) == 3:
                first, second = face[1] - face[0], face[2] - face[0]
                shares, *_ = np.linalg.lstsq(np.stack((first, second), axis=1), away.T, rcond=None)
                over = (shares >= 0.0).all(axis=0) & (shares.sum(axis=0) <= 1.0)
                above = np.linalg.norm(away - shares.T @ np.stack((first, second)), axis=1)
                least = np.where(over, np.minimum(least, above), least)
    return least


def check(grid: Grid, surface: Boundary, count: int = 150) -> None:
    found = surface_distances(grid, *surface, turns_of(grid))
    points = in_space(nodes_of(grid))
    chosen = np.random.default_rng(0).choice(len(points), min(count, len(points)), replace=False)
    assert found.shape == grid.counts
    assert np.abs(found.ravel()[chosen] - brute(points[chosen], *surface, turns_of(grid))).max() < 1e-9


@pytest.mark.parametrize("axes", [XYZ, ZYZ], ids=["XYZ", "ZYZ"])
def test_facets_of_a_cone_have_exact_distances(axes: Array) -> None:
    cone = ConeRange(axis=(0.0, -1.0, 0.0), swing=(0.9, 0.5), twist=(-0.8, 0.3))
    grid = grid_for(cone, (21, 18, 13), 0.2, axes)
    measure = np.empty(grid.counts)
    fill_pointing(*pointing(cone, axes), np.array(grid.lower), np.array(grid.spacing), measure)
    check(grid, open_level(grid, measure))


def test_smooth_surfaces_have_exact_distances_also_where_all_is_as_near() -> None:
    check(cube(17), zero_level(cube(20), ring(cube(20))))
    check(cube(21), Boundary(*icosphere(2)), 400)
    found = surface_distances(cube(21), *icosphere(3), np.zeros((1, 3)))
    assert found[10, 10, 10] == pytest.approx(1.0, abs=0.01)


def test_faces_of_any_size_and_shape_have_exact_distances() -> None:
    rng = np.random.default_rng(4)
    positions = rng.uniform(-1.4, 1.4, size=(300, 3))
    faces = rng.integers(0, 300, size=(120, 3)).astype(np.int32)
    faces[:5, 2] = faces[:5, 1]
    near = np.concatenate((positions, positions[:60] + rng.normal(scale=0.02, size=(60, 3))))
    small = np.stack((np.arange(60), np.arange(300, 360), np.roll(np.arange(60), 1)), axis=1).astype(np.int32)
    check(cube(18), Boundary(near, np.concatenate((faces, small))))


def test_distances_go_the_short_way_round() -> None:
    for periodic in ((True, True, True), (True, False, True), (False, True, False)):
        grid = turns(14, *periodic)
        surface = open_level(grid, ball(grid, 0.9, (-2.8 if periodic[0] else -0.5, 1.0, 0.3)))
        assert len(surface.faces) > 50
        check(grid, surface)


def test_lines_and_points_have_exact_distances() -> None:
    flat, line = cube(23, size=2), cube(31, size=1)
    check(flat, zero_level(flat, ball(flat, 0.8)), 529)
    check(turns(20, True, False), zero_level(flat, ball(flat, 0.8, (-0.5, 0.2))), 400)
    check(line, zero_level(line, ball(line, 0.62)))


def test_thin_faces_are_told_from_others() -> None:
    around = np.arange(200) * math.tau / 200
    rims = [np.column_stack((np.cos(around), np.sin(around), np.full(200, end))) for end in (-1.0, 1.0)]
    here, there = np.arange(200), np.roll(np.arange(200), -1)
    slivers = np.concatenate((np.stack((here, there, there + 200), 1), np.stack((here, there + 200, here + 200), 1)))
    assert is_crowded(np.concatenate(rims), slivers.astype(np.int32))
    assert not is_crowded(*icosphere(3))
    assert not is_crowded(*zero_level(cube(16), ball(cube(16))))
    assert not is_crowded(np.concatenate(rims)[:, :2], np.stack((here, there), 1).astype(np.int32))
