"""Boxes, cones, polygons and meshes as signed distances, and the grids they want."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Blob
from engine.document.limit import BoxRange, ConeRange, Grid, GridRange, MeshRange, PolygonRange, Range, SampledRange
from engine.limits.ranges import grid_for, nodes_of, signed_distances
from engine.limits.surface import zero_level
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.shapes import ball, cube, hausdorff, mesh_of, places, ring, turns

XYZ, ZYZ = np.eye(3), np.eye(3)[[2, 1, 2]]
SQUARE = ((0.5, -1.0, 0.5), (-0.5, -1.0, 0.5), (-0.5, -1.0, -0.5), (0.5, -1.0, -0.5))


def rotation(axes: Array, angles: Array) -> Array:
    """Rotation matrices of angles, shape [count, 3, 3], in plain arithmetic."""
    product = np.tile(np.eye(3), (len(angles), 1, 1))
    for axis, angle in zip(axes, angles.T, strict=True):
        cross = np.cross(np.eye(3), axis)
        sine, cosine = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
        product = product @ (np.eye(3) + sine * cross + cosine * (cross @ cross))
    return product


def swing_and_twist(axes: Array, angles: Array, axis: Array) -> tuple[Array, Array, Array]:
    """Where the bone points, its swing's rotation vector, and its twist about itself."""
    turns = rotation(axes, angles)
    pointing = turns @ axis
    across = np.cross(axis, pointing)
    sine = np.linalg.norm(across, axis=1)
    angle = np.arctan2(sine, pointing @ axis)
    swing = across * np.where(sine > 1e-12, angle / np.maximum(sine, 1e-12), 0.0)[:, None]
    side = np.cross(axis, [0.3, 0.4, 0.8])
    unit = across / np.maximum(sine, 1e-12)[:, None]
    swung = side * np.cos(angle)[:, None] + np.cross(unit, side) * np.sin(angle)[:, None]
    swung += unit * (unit @ side)[:, None] * (1.0 - np.cos(angle))[:, None]
    turned = turns @ side
    twist = np.arctan2(np.einsum("ni,ni->n", pointing, np.cross(swung, turned)), np.einsum("ni,ni->n", swung, turned))
    return pointing, swing, twist


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_a_box_has_its_own_distances(size: int) -> None:
    lower, upper = (-0.4, -0.2, 0.1, -0.7, 0.0)[:size], (0.5, 0.9, 0.8, 0.2, 0.6)[:size]
    grid = cube(6, size=size)
    found = signed_distances(BoxRange(lower=lower, upper=upper), grid, np.zeros((size, 3)))
    points = nodes_of(grid)
    beyond = np.maximum(np.array(lower) - points, points - np.array(upper))
    expected = np.where((beyond > 0.0).any(axis=1), np.linalg.norm(np.maximum(beyond, 0.0), axis=1), beyond.max(axis=1))
    assert np.abs(found.ravel() - expected).max() < 1e-15


def test_a_box_across_the_seam_is_measured_the_short_way_round() -> None:
    grid = turns(36, True, False)
    found = signed_distances(BoxRange(lower=(2.9, -0.5), upper=(3.8, 0.5)), grid, np.eye(3)[:2])
    angles = places(grid)
    around = np.minimum(np.abs(angles[..., 0] - 3.35), np.abs(angles[..., 0] + math.tau - 3.35)) - 0.45
    other = np.abs(angles[..., 1]) - 0.5
    outside = np.hypot(np.maximum(around, 0.0), np.maximum(other, 0.0))
    assert np.abs(found - np.where(outside > 0.0, outside, np.maximum(around, other))).max() < 1e-12


def test_a_box_of_more_than_a_turn_has_no_end_there() -> None:
    grid = turns(12, True, False)
    found = signed_distances(BoxRange(lower=(-4.0, -0.5), upper=(4.0, 0.5)), grid, np.eye(3)[:2])
    assert np.abs(found - (np.abs(places(grid)[..., 1]) - 0.5)).max() < 1e-12


@pytest.mark.parametrize("axes", [XYZ, ZYZ], ids=["XYZ", "ZYZ"])
def test_the_sign_of_a_cone_is_exact(axes: Array) -> None:
    cone = ConeRange(axis=(0.0, -1.0, 0.0), swing=(0.9, 0.5), twist=(-0.8, 0.3))
    grid = turns(20, True, True, True)
    found = signed_distances(cone, grid, axes).ravel()
    pointing, swing, twist = swing_and_twist(axes, nodes_of(grid), np.array(cone.axis))
    inside = ((swing[:, 0] / 0.9) ** 2 + (swing[:, 2] / 0.5) ** 2 <= 1.0) & (twist >= -0.8) & (twist <= 0.3)
    inside &= pointing[:, 1] < 0.999  # opposite to the axis no swing is the shortest
    assert inside.any()
    assert ((found <= 0.0) == inside).all()


def test_the_sign_of_a_polygon_is_exact() -> None:
    grid = turns(20, True, True, True)
    polygon = PolygonRange(axis=(0.0, -1.0, 0.0), corners=SQUARE, twist=(-0.8, 0.8))
    found = signed_distances(polygon, grid, XYZ).ravel()
    pointing, _, twist = swing_and_twist(XYZ, nodes_of(grid), np.array(polygon.axis))
    inside = (-pointing[:, 1] > 2.0 * np.abs(pointing[:, [0, 2]]).max(axis=1)) & (np.abs(twist) <= 0.8)
    assert inside.any()
    assert ((found <= 0.0) == inside).all()


def test_a_polygon_the_other_way_round_is_all_but_that() -> None:
    grid = turns(16, True, True, True)
    inner, outer = (
        signed_distances(PolygonRange(axis=(0.0, -1.0, 0.0), corners=corners, twist=(-4.0, 4.0)), grid, XYZ)
        for corners in (SQUARE, SQUARE[::-1])
    )
    assert np.abs(inner + outer).max() < 0.2 * grid.spacing[0]
    assert ((inner < 0.0) == (outer > 0.0)).all()
    assert 0.0 < (inner < 0.0).mean() < 0.15


def test_how_far_a_cone_is_agrees_with_the_nearest_of_many_places_on_it() -> None:
    cone = ConeRange(axis=(0.0, -1.0, 0.0), swing=(0.8, 0.5), twist=(-0.6, 0.6))
    grid = grid_for(cone, (24, 24, 24), 0.2, XYZ)
    found = signed_distances(cone, grid, XYZ).ravel()
    fine = grid_for(cone, (48, 48, 48), 0.2, XYZ)
    surface = zero_level(fine, signed_distances(cone, fine, XYZ)).positions
    points = nodes_of(grid)
    chosen = np.random.default_rng(3).choice(len(points), 300)
    nearest = np.linalg.norm(points[chosen, None] - surface[None], axis=2).min(axis=1)
    assert np.abs(np.abs(found[chosen]) - nearest).max() < 0.5 * max(grid.spacing)


def test_a_cone_that_allows_everything_has_no_boundary() -> None:
    cone = ConeRange(swing=(math.pi, math.pi), twist=(-math.pi, math.pi))
    assert (signed_distances(cone, turns(8, True, True, True), XYZ) < 0.0).all()


def test_polygons_that_have_no_inside_are_refused() -> None:
    grid = turns(8, True, True, True)
    a, b, c, d = SQUARE
    for corners, words in (((a, c, b, d), "cross"), ((a, a, b, c), "repeated"), ((a, (-0.5, 1, -0.5), b), "opposite")):
        with pytest.raises(InvalidDocument, match=words):
            signed_distances(PolygonRange(axis=(0.0, -1.0, 0.0), corners=corners), grid, XYZ)


@pytest.mark.parametrize("shape", [ball, ring])
def test_from_field_to_mesh_to_field_to_mesh_within_a_cell(shape: object) -> None:
    assert callable(shape)
    grid = cube(33)
    surface = zero_level(grid, shape(grid))
    values = signed_distances(mesh_of(surface), grid, XYZ)
    assert np.abs(values - shape(grid)).max() < 0.2 * grid.spacing[0]
    assert hausdorff(surface, zero_level(grid, values)) < 0.1 * grid.spacing[0]


def test_a_mesh_has_exact_distances() -> None:
    corners = np.array([(x, y, z) for x in (-0.6, 0.4) for y in (-0.5, 0.7) for z in (-0.3, 0.8)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    faces = np.array([each for a, b, c, d in quads for each in ((a, b, c), (a, c, d))], dtype=np.int32)
    grid = cube(13)
    box = signed_distances(BoxRange(lower=(-0.6, -0.5, -0.3), upper=(0.4, 0.7, 0.8)), grid, XYZ)
    for turned in (faces, faces[:, ::-1]):
        mesh = MeshRange(positions=Blob(corners), faces=Blob(turned))
        assert np.abs(signed_distances(mesh, grid, XYZ) - box).max() < 1e-12


def test_a_mesh_of_long_thin_faces_has_the_distances_of_what_it_encloses() -> None:
    count, grid = 240, cube(15)
    around = np.arange(count) * math.tau / count
    rims = [np.column_stack((np.cos(around), np.sin(around), np.full(count, end))) for end in (-0.9, 0.9)]
    here, there = np.arange(count), np.roll(np.arange(count), -1)
    low, high = np.full(count, 2 * count), np.full(count, 2 * count + 1)
    sides = ((here, there, there + count), (here, there + count, here + count), (there, here, low))
    faces = np.concatenate([np.stack(each, axis=1) for each in (*sides, (here + count, there + count, high))])
    points = np.concatenate((*rims, [(0.0, 0.0, -0.9), (0.0, 0.0, 0.9)]))
    mesh = MeshRange(positions=Blob(points), faces=Blob(faces.astype(np.int32)))
    across, along = np.hypot(places(grid)[..., 0], places(grid)[..., 1]) - 1.0, np.abs(places(grid)[..., 2]) - 0.9
    outside = np.hypot(np.maximum(across, 0.0), np.maximum(along, 0.0))
    expected = np.where(outside > 0.0, outside, np.maximum(across, along))
    assert np.abs(signed_distances(mesh, grid, XYZ) - expected).max() < 2e-4


def test_a_closed_line_has_exact_distances() -> None:
    corners = np.array([(-0.6, -0.5), (0.4, -0.5), (0.4, 0.7), (-0.6, 0.7)])
    mesh = MeshRange(positions=Blob(corners), faces=Blob(np.array([(0, 1), (1, 2), (2, 3), (3, 0)], dtype=np.int32)))
    grid = cube(13, size=2)
    box = signed_distances(BoxRange(lower=(-0.6, -0.5), upper=(0.4, 0.7)), grid, XYZ[:2])
    assert np.abs(signed_distances(mesh, grid, XYZ[:2]) - box).max() < 1e-12


def test_a_mesh_across_the_seam_and_one_all_the_way_round() -> None:
    grid = turns(30, True, False, False)
    tube = np.hypot(places(grid)[..., 1], places(grid)[..., 2]) - 0.8
    part = np.maximum(tube, np.abs(np.remainder(places(grid)[..., 0], math.tau) - math.pi) - 0.9)
    for values, least in ((tube, 0.1), (part, 0.15)):
        again = signed_distances(mesh_of(zero_level(grid, values)), grid, XYZ)
        near = np.abs(values) < 0.25
        assert ((again <= 0.0) == (values <= 0.0)).all()
        assert np.abs(again - values)[near].max() < least


def test_a_mesh_longer_than_a_turn_is_refused() -> None:
    grid = turns(16, True, False, False)
    surface = zero_level(cube(20), ball(cube(20)))
    long = surface._replace(positions=surface.positions * np.array([3.5, 1.0, 1.0]))
    with pytest.raises(InvalidDocument, match=r"one of 39\d\.\d°"):
        signed_distances(mesh_of(long), grid, XYZ)


def test_numbers_on_a_grid_are_what_they_are() -> None:
    grid = cube(5)
    assert (signed_distances(GridRange(distances=Blob(ball(grid))), grid, XYZ) == ball(grid)).all()


def test_a_grid_holds_range_margin_and_two_cells() -> None:
    box = BoxRange(lower=(-0.5, 0.2, -1.0), upper=(0.7, 0.3, 1.0))
    grid = grid_for(box, (32, 24, 16), 0.2)
    assert grid.counts == (32, 24, 16)
    assert grid.periodic == (False, False, False)
    for axis in range(3):
        last = grid.lower[axis] + (grid.counts[axis] - 1) * grid.spacing[axis]
        assert grid.lower[axis] == pytest.approx(box.lower[axis] - 0.2 - 2 * grid.spacing[axis])
        assert last == pytest.approx(box.upper[axis] + 0.2 + 2 * grid.spacing[axis])


def test_a_grid_goes_round_where_the_range_takes_nearly_the_whole_turn() -> None:
    samples = SampledRange(angles=Blob(np.array([[-3.0, 0.0], [3.0, 0.1]])), clips=(2,))
    grid = grid_for(samples, (32, 32), 0.1)
    assert grid.periodic == (True, False)
    assert grid.spacing[0] * 32 == pytest.approx(math.tau)


def test_a_grid_of_one_sample_has_room() -> None:
    grid = grid_for(SampledRange(angles=Blob(np.zeros((1, 3))), clips=(1,)), (8, 8, 8), 0.0)
    assert min(grid.spacing) > 0.0


@pytest.mark.parametrize("axes", [XYZ, ZYZ], ids=["XYZ", "ZYZ"])
@pytest.mark.parametrize(
    "limits",
    [
        ConeRange(axis=(0.0, -1.0, 0.0), swing=(0.7, 0.4), twist=(-0.5, 0.5)),
        PolygonRange(axis=(0.0, -1.0, 0.0), corners=SQUARE),
    ],
    ids=["cone", "polygon"],
)
def test_a_grid_for_a_cone_or_a_polygon_holds_its_part_around_rest(limits: Range, axes: Array) -> None:
    grid = grid_for(limits, (24, 24, 24), 0.1, axes)
    values = signed_distances(limits, grid, axes)
    assert (values < 0.0).any()
    for axis, periodic in enumerate(grid.periodic):
        if not periodic:
            assert values.take([0, -1], axis).min() > 0.0
    assert grid.periodic == ((True, False, True) if axes is ZYZ else (False, False, False))
    rest = np.argmin(np.abs(nodes_of(grid)).sum(axis=1))
    assert values.ravel()[rest] < max(grid.spacing)


def test_a_cone_without_axes_has_no_grid() -> None:
    with pytest.raises(InvalidDocument, match="ConeRange"):
        grid_for(ConeRange(), (8, 8, 8), 0.1)


def test_a_grid_too_large_says_its_size() -> None:
    with pytest.raises(InvalidDocument, match="8590 MB"):
        Grid(counts=(1024, 1024, 1024), lower=(0,) * 3, spacing=(0.001,) * 3, periodic=(False,) * 3)
