"""Asking fields: values, slopes, and projections that always end feasible, near the nearest point."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from engine.document.limit import BoxRange
from engine.limits.field import Field, compile_field, make_field
from engine.limits.query import project_angles, slope_at, value_at
from engine.limits.ranges import grid_for
from engine.maths.arrays import Array
from tests.engine.limits.regions import (
    EULER,
    bounded,
    curve,
    curve_field,
    inside_cloud,
    limit_of,
    nearest_of,
    packed,
    projected,
    sampled,
    turning,
    values_at,
)


def random_field(counts: tuple[int, ...], seed: int = 0) -> Field:
    """Smooth values of no particular shape."""
    size = len(counts)
    grid = bounded(counts, [-1.0] * size, [1.0] * size)
    rng = np.random.default_rng(seed)
    axes = np.meshgrid(*(np.linspace(-1.0, 1.0, count) for count in counts), indexing="ij")
    waves = [np.sin(rng.normal(size=size) @ np.array([each.ravel() for each in axes])) for _ in range(4)]
    return make_field(grid, np.sum(waves, axis=0).reshape(counts) + 0.3)


COUNTS = [(40,), (12, 9), (9, 8, 11), (6, 5, 7, 6), (5, 4, 6, 5, 4)]


@pytest.mark.parametrize("counts", COUNTS)
def test_the_value_is_multilinear_between_nodes(counts: tuple[int, ...]) -> None:
    field = random_field(counts)
    axes = [
        lower + spacing * np.arange(count)
        for lower, spacing, count in zip(field.grid.lower, field.grid.spacing, counts, strict=True)
    ]
    points = np.random.default_rng(1).uniform(-1.0, 1.0, size=(200, len(counts)))
    assert np.abs(values_at(field, points) - RegularGridInterpolator(axes, field.values)(points)).max() < 1e-12


@pytest.mark.parametrize("counts", COUNTS)
def test_the_slope_is_that_of_the_value(counts: tuple[int, ...]) -> None:
    field, size = random_field(counts), len(counts)
    limits, gradient = packed(field), np.empty(size)
    for point in np.random.default_rng(2).uniform(-1.3, 1.3, size=(60, size)):
        value = slope_at(limits.ints, limits.floats, 0, point, gradient)
        assert value == value_at(limits.ints, limits.floats, 0, point) or value == pytest.approx(
            value_at(limits.ints, limits.floats, 0, point), abs=1e-14
        )
        for axis in range(size):
            step = 1e-7 * np.eye(size)[axis]
            rise = values_at(field, np.array([point + step, point - step]))
            assert gradient[axis] == pytest.approx((rise[0] - rise[1]) / 2e-7, abs=1e-5)


def test_beyond_the_border_the_distance_to_it_is_added() -> None:
    field = random_field((9, 8, 11))
    border, out = np.array([[1.0, 0.2, -1.0]]), np.array([[1.3, 0.2, -1.4]])
    assert values_at(field, out)[0] == pytest.approx(values_at(field, border)[0] + 0.5, abs=1e-12)


def test_a_periodic_axis_has_no_seam_and_no_end() -> None:
    field = curve_field(3, count=16)
    points = np.random.default_rng(3).uniform(-math.pi, math.pi, size=(300, 3))
    for turns in (1, -1, 3, -40):
        assert np.abs(values_at(field, points + math.tau * turns) - values_at(field, points)).max() < 1e-12
    seam = np.array([[math.pi - 1e-9, 0.1, 0.2], [-math.pi + 1e-9, 0.1, 0.2], [math.pi, 0.1, 0.2]])
    assert np.ptp(values_at(field, seam)) < 1e-8


def test_what_is_not_finite_reads_no_other_memory_and_is_not_feasible() -> None:
    for field in (curve_field(3, count=16), random_field((9, 8, 11))):
        points = np.array([[np.nan, 0.0, 0.0], [0.0, np.inf, 0.0], [0.0, 0.0, -np.inf]])
        assert not (values_at(field, points) <= 0.0).any()
        found, moved = projected(field, points)
        assert (values_at(field, found) <= 0.0).all()
        assert (moved == np.inf).all()
    far = np.array([[1e9, -1e12, 1e15], [1e300, 1.0, 2.0]])
    found, _ = projected(curve_field(3, count=16), far)
    assert values_at(curve_field(3, count=16), found).max() <= 0.0


def bitten_box() -> Field:
    """Not convex: a box without one of its corners."""
    grid = bounded((32,) * 3, [-2.0] * 3, [2.0] * 3)
    box = compile_field(limit_of(BoxRange(lower=(-1.0,) * 3, upper=(1.0,) * 3), grid, margin=0.0)).values
    nodes = np.stack(np.meshgrid(*(np.linspace(-2.0, 2.0, 32),) * 3, indexing="ij"))
    return make_field(grid, np.maximum(box, 0.8 - np.linalg.norm(nodes - 1.0, axis=0)))


def box_on_its_own_grid(margin: float) -> Field:
    """Faces stand on nodes, or a hair beside them."""
    box = BoxRange(lower=(-1.0,) * 3, upper=(1.0,) * 3)
    return compile_field(limit_of(box, grid_for(box, (32,) * 3, margin), margin=margin))


FIELDS: dict[str, Callable[[], Field]] = {
    "curve": lambda: curve_field(0),
    "narrow curve": lambda: curve_field(1, margin=0.0),
    "cloud": lambda: compile_field(
        limit_of(sampled(np.random.default_rng(0).uniform(-1.5, 1.5, size=(300, 3))), turning(32)), EULER
    ),
    "bitten box": bitten_box,
    "box on its own grid": lambda: box_on_its_own_grid(0.0),
    "box and margin on its own grid": lambda: box_on_its_own_grid(0.2),
    "one angle": lambda: compile_field(
        limit_of(BoxRange(lower=(-0.5,), upper=(1.0,)), bounded((32,), [-2.0], [2.0]), margin=0.0)
    ),
    "two angles": lambda: compile_field(limit_of(sampled(curve(2, size=2)), turning(48, 2))),
    "four angles": lambda: compile_field(limit_of(sampled(curve(2, size=4)), turning(14, 4), margin=0.3)),
    "five angles": lambda: compile_field(limit_of(sampled(curve(2, 60, size=5)), turning(8, 5), margin=0.3)),
}


def somewhere(field: Field, count: int, seed: int = 0) -> Array:
    size = len(field.grid.counts)
    return np.random.default_rng(seed).uniform(-math.pi, math.pi, size=(count, size))


@pytest.mark.parametrize("name", FIELDS)
def test_a_projection_ends_feasible_and_leaves_what_is_feasible(name: str) -> None:
    field = FIELDS[name]()
    points = somewhere(field, 20_000)
    before = values_at(field, points)
    found, moved = projected(field, points)
    assert values_at(field, found).max() <= 0.0
    inside = before <= 0.0
    assert np.array_equal(found[inside], points[inside])
    assert (moved[inside] == 0.0).all()
    assert np.abs(np.linalg.norm(found - points, axis=1) - moved).max() < 1e-9
    again, moved = projected(field, found)
    assert np.array_equal(again, found)


def test_a_million_random_triples_all_end_feasible() -> None:
    field = curve_field(0)
    points = np.random.default_rng(5).uniform(-2.0 * math.pi, 2.0 * math.pi, size=(1_000_000, 3))
    assert values_at(field, projected(field, points)[0]).max() <= 0.0


@pytest.mark.parametrize(
    "name",
    [
        "curve",
        "narrow curve",
        "cloud",
        "bitten box",
        "box on its own grid",
        "box and margin on its own grid",
        "two angles",
    ],
)
def test_a_projection_is_near_the_nearest_feasible_point(name: str) -> None:
    field = FIELDS[name]()
    points = somewhere(field, 20_000, 1)
    points = points[values_at(field, points) > 0.0]
    _, moved = projected(field, points)
    true = nearest_of(field, inside_cloud(field, 4), points)
    half = 0.5 * max(field.grid.spacing)
    assert (moved <= 1.05 * true + half).mean() >= 0.97
    assert (moved <= 1.5 * true + half).mean() >= 0.999


def test_beside_a_flat_boundary_a_projection_is_exact() -> None:
    grid = bounded((41,) * 3, [-2.0] * 3, [2.0] * 3)
    field = compile_field(limit_of(BoxRange(lower=(-1.03,) * 3, upper=(1.03,) * 3), grid, margin=0.0))
    rng = np.random.default_rng(2)
    points = rng.uniform(-0.85, 0.85, size=(3000, 3))
    points[np.arange(3000), rng.integers(0, 3, 3000)] = rng.choice([-1.0, 1.0], 3000) * rng.uniform(1.031, 1.1, 3000)
    found, moved = projected(field, points)
    assert np.abs(found - np.clip(points, -1.03, 1.03)).max() < 2e-7
    assert np.abs(moved - (np.abs(points).max(axis=1) - 1.03)).max() < 2e-7


@pytest.mark.parametrize("margin", [0.0, 0.2])
def test_a_face_that_stands_on_nodes_is_where_a_projection_goes(margin: float) -> None:
    field = box_on_its_own_grid(margin)
    reach = 1.0 + margin
    points = np.vstack([0.5 * np.eye(3), -0.5 * np.eye(3)]) + np.sign(np.vstack([np.eye(3), -np.eye(3)])) * reach
    found, moved = projected(field, points)
    assert np.abs(found - np.clip(points, -reach, reach)).max() <= 0.5 * field.grid.spacing[0] + 1e-3
    assert moved == pytest.approx(0.5, abs=0.01)


def test_a_projection_may_write_over_its_argument() -> None:
    limits, point = packed(curve_field(0)), np.array([2.5, -2.0, 1.0])
    apart = np.empty(3)
    moved = project_angles(limits.ints, limits.floats, 0, point, apart)
    assert project_angles(limits.ints, limits.floats, 0, point, point) == moved
    assert np.array_equal(point, apart)
