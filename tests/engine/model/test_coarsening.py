"""Coarse meshes: fewer triangles, near to the fine ones, and thin bones with two sides."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Box, Ellipsoid
from engine.model.coarsening import coarsened
from engine.model.meshes import Mesh, build_mesh


def balls() -> Mesh:
    """Two balls of different size, each a body."""
    return build_mesh([(Ellipsoid(radii=(0.1, 0.1, 0.1)),), (Ellipsoid(radii=(0.05, 0.05, 0.05)),)])


@pytest.mark.parametrize("cell", [0.03, 0.04])
def test_a_coarse_ball_has_fewer_triangles_and_is_as_large(cell: float) -> None:
    fine = balls()
    coarse = coarsened(fine, cell)
    assert 20 < len(coarse.triangles) < 0.7 * len(fine.triangles)
    assert set(np.unique(coarse.triangles)) <= set(range(len(coarse.positions)))
    radii = np.array([0.1, 0.05])[coarse.body]
    off = np.abs(np.linalg.norm(coarse.positions, axis=1) - radii)
    assert off.max() < 0.5 * cell * cell / radii.min()
    assert np.linalg.norm(coarse.normals, axis=1) == pytest.approx(np.ones(len(radii)), abs=1e-5)
    outward = coarse.positions / np.linalg.norm(coarse.positions, axis=1, keepdims=True)
    assert (outward * coarse.normals).sum(axis=1).min() > 0.8


def test_no_triangle_joins_two_bodies_and_each_is_seen_from_outside() -> None:
    coarse = coarsened(balls(), 0.02)
    corners = coarse.positions[coarse.triangles]
    assert (np.ptp(coarse.body[coarse.triangles], axis=1) == 0).all()
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = (across * corners.mean(axis=1)).sum(axis=1)
    assert (facing > 0.0).mean() > 0.98


def test_a_plate_that_is_thinner_than_a_cell_keeps_both_sides() -> None:
    coarse = coarsened(build_mesh([(Box(half=(0.1, 0.001, 0.1)),)]), 0.02)
    up = coarse.normals[:, 1]
    assert (up > 0.5).any()
    assert (up < -0.5).any()
    assert np.ptp(coarse.positions[:, 1]) > 0.001


def test_the_same_mesh_is_made_coarse_once() -> None:
    fine = balls()
    assert coarsened(fine, 0.02) is coarsened(fine, 0.02)
    assert coarsened(fine, 0.02) is not coarsened(fine, 0.04)


def test_a_vertex_is_seldom_worked_out_anew() -> None:
    ball = build_mesh([(Ellipsoid(radii=(0.1, 0.3, 0.1)),), (Ellipsoid(radii=(0.3, 0.1, 0.1)),)])
    coarse = coarsened(ball, 0.02)
    held: dict[int, int] = {}  # as Mesa's llvmpipe does, by the vertex's number modulo 256
    again = 0
    for number in coarse.triangles.ravel().tolist():
        again += held.get(number % 256) != number
        held[number % 256] = number
    assert len(coarse.positions) > 600, "more than are held"
    assert again < 1.25 * len(coarse.positions)
