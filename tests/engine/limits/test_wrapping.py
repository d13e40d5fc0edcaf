"""Shrink-wrapping, and rays that meet surfaces."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Blob
from engine.document.limit import Limit, MeshRange, SampledRange
from engine.experiments.limiting import wrapped
from engine.limits.field import compile_field
from engine.limits.mesh_checks import check_mesh
from engine.limits.ranges import grid_for, signed_distances
from engine.limits.signs import interpolate
from engine.limits.surface import Boundary, zero_level
from engine.limits.triangles import build_tree, corners_of, distances_to
from engine.limits.wrapping import icosphere, shrink_wrap
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.shapes import ball, cube, euler_characteristic, hausdorff, is_closed, mesh_of, ring, volume


@pytest.mark.parametrize("divisions", [0, 1, 3])
def test_an_icosphere_is_closed_and_looks_outwards(divisions: int) -> None:
    sphere = Boundary(*icosphere(divisions))
    assert len(sphere.faces) == 20 * 4**divisions
    assert is_closed(sphere)
    assert euler_characteristic(sphere) == 2
    assert np.abs(np.linalg.norm(sphere.positions, axis=1) - 1.0).max() < 1e-12
    assert volume(sphere) > 0.0


def test_wrapping_a_ball_gives_the_ball() -> None:
    grid = cube(33)
    wrapped = shrink_wrap(grid, ball(grid, 0.9, (0.2, 0.1, 0.0)))
    assert np.abs(np.linalg.norm(wrapped.positions - [0.2, 0.1, 0.0], axis=1) - 0.9).max() < 0.01


def test_wrapping_a_ring_fills_its_hole_and_crosses_nothing() -> None:
    grid = cube(33)
    wrapped = shrink_wrap(grid, ring(grid))
    check_mesh(*wrapped)
    assert euler_characteristic(wrapped) == 2
    assert volume(wrapped) > 1.05 * 2.0 * math.pi**2 * 0.8 * 0.35**2


def test_samples_wrapped_are_inside_within_a_cell_and_stay_so_from_mesh_to_field_to_mesh() -> None:
    steps = np.linspace(0.0, 2.0, 60)
    samples = np.stack((np.cos(steps), 0.8 * np.sin(steps), 0.3 * steps), axis=1)
    own = SampledRange(angles=Blob(samples), clips=(60,))
    grid = grid_for(own, (32, 32, 32), 0.2)
    limit = Limit(id="l", name="Wrapped", dofs=("a", "b", "c"), range=own, grid=grid, margin=0.2)
    field = compile_field(limit, np.eye(3))
    wrapped = shrink_wrap(grid, field.values)
    check_mesh(*wrapped)
    cell = max(grid.spacing)
    values = signed_distances(mesh_of(wrapped), grid, np.eye(3))
    assert interpolate(grid, values, samples).max() < 0.0
    assert hausdorff(wrapped, zero_level(grid, values)) < cell
    around = distances_to(build_tree(corners_of(*zero_level(grid, field.values))), wrapped.positions, np.zeros((1, 3)))
    assert around.max() < 0.5 * cell


@pytest.mark.parametrize(("angles", "margin"), [(3, 0.05), (3, 0.15), (2, 0.02)])
def test_what_is_wrapped_holds_every_sample(angles: int, margin: float) -> None:
    steps = np.linspace(0.0, 2.0, 60)
    samples = np.stack((np.cos(steps), 1.6 * np.sin(2.0 * steps), 0.3 * steps), axis=1)[:, :angles]
    own = SampledRange(angles=Blob(samples), clips=(60,))
    dofs = ("a", "b", "c")[:angles]
    limit = Limit(id="l", name="W", dofs=dofs, range=own, grid=grid_for(own, (32,) * angles, margin), margin=margin)
    axes = np.eye(3)[:angles]
    held = wrapped(limit, compile_field(limit, axes), axes)
    assert isinstance(held.range, MeshRange)
    check_mesh(held.range.positions.array, held.range.faces.array)
    assert interpolate(held.grid, compile_field(held, axes).values, samples).max() <= 0.0


def test_a_region_that_reaches_the_border_is_wrapped_too() -> None:
    grid = cube(17, 0.5)
    wrapped = shrink_wrap(grid, ball(grid, 0.7))
    check_mesh(*wrapped)
    assert volume(wrapped) > 0.9


def test_two_angles_are_wrapped_by_a_line() -> None:
    grid = cube(33, size=2)
    wrapped = shrink_wrap(grid, ball(grid, 0.8))
    check_mesh(*wrapped)
    assert volume(wrapped) == pytest.approx(math.pi * 0.64, rel=0.01)


def test_what_cannot_be_wrapped_is_refused() -> None:
    grid = cube(5)
    with pytest.raises(InvalidDocument, match="without a boundary"):
        shrink_wrap(grid, np.ones(grid.counts))
    with pytest.raises(InvalidDocument, match="divisions"):
        shrink_wrap(grid, ball(grid), 9)
    with pytest.raises(InvalidDocument, match="one of 1 angles"):
        shrink_wrap(cube(5, size=1), ball(cube(5, size=1)))
