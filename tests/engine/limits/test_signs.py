"""Inside and outside: filled from the border, holes as asked."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage

from engine.document.limit import Grid, SampledRange
from engine.limits.field import compile_field
from engine.limits.signs import find_crossings, find_outside, interpolate
from engine.maths.arrays import Array
from tests.engine.limits.regions import bounded, limit_of, sampled, turning, values_at


def shell(radius: float = 1.2, count: int = 4000) -> Array:
    """Samples on a sphere (Fibonacci's)."""
    turns = np.arange(count) + 0.5
    height, around = 1.0 - 2.0 * turns / count, math.pi * (1.0 + 5.0**0.5) * turns
    across = np.sqrt(1.0 - height**2)
    return radius * np.stack([across * np.cos(around), across * np.sin(around), height], axis=1)


def apart(samples: Array) -> SampledRange:
    """Each a clip of its own, none joined."""
    return sampled(samples, clips=(1,) * len(samples), joins_clips=False)


def test_outside_is_what_labels_of_the_open_nodes_call_connected_to_the_border() -> None:
    rng = np.random.default_rng(0)
    grid = bounded((20, 15, 12), [-1.0] * 3, [1.0] * 3)
    distances = ndimage.gaussian_filter(rng.normal(size=grid.counts), 1.0)
    outside = find_outside(grid, distances, 0.15, keeps_holes=False)
    labels, count = ndimage.label(distances > 0.15)
    border = np.ones(grid.counts, dtype=np.bool_)
    border[1:-1, 1:-1, 1:-1] = False
    reached = np.unique(labels[border & (labels > 0)])
    assert count > len(reached)
    assert np.array_equal(outside, np.isin(labels, reached))


def test_the_flood_goes_round_periodic_axes_and_through_a_winding_way() -> None:
    grid = turning(24, 2)
    distances = np.ones(grid.counts)
    distances[6, :] = distances[18, :] = 0.0
    distances[6, 3] = 2.0
    outside = find_outside(grid, distances, 0.5, keeps_holes=False)
    assert outside[0, 0]
    assert outside[12, 12]
    assert np.array_equal(outside, distances > 0.5)
    distances[6, 3] = 0.0
    distances[0, 0] = 2.0
    assert not find_outside(grid, distances, 0.5, keeps_holes=False)[12].any()


@pytest.mark.parametrize(
    "grid", [turning(70, 1), turning(11, 2), bounded((9, 8, 7), [-1.0] * 3, [1.0] * 3), turning(9)]
)
def test_the_flood_reaches_what_a_walk_from_node_to_node_reaches(grid: Grid) -> None:
    rng = np.random.default_rng(len(grid.counts))
    for level in (-0.1, 0.0, 0.1):
        distances = ndimage.gaussian_filter(rng.normal(size=grid.counts), 0.7)
        found = find_outside(grid, distances, level, keeps_holes=False)
        assert {tuple(node) for node in np.argwhere(found).tolist()} == walked(grid, distances, level)


def walked(grid: Grid, distances: Array, level: float) -> set[tuple[int, ...]]:
    """Open nodes that are reached from open ones at the border, or from the farthest where there is no border."""
    nodes = [tuple(node) for node in np.argwhere(distances > level).tolist()]
    ends = [(0, count - 1) for count in grid.counts]
    waiting = [each for each in nodes if any(at in end for at, end in zip(each, ends, strict=True))]
    if all(grid.periodic):
        waiting = [tuple(int(at) for at in np.unravel_index(int(np.argmax(distances)), grid.counts))]
    is_open, reached = set(nodes), set(waiting)
    while waiting:
        node = waiting.pop()
        for axis, count in enumerate(grid.counts):
            for step in (-1, 1):
                at = (node[axis] + step) % count if grid.periodic[axis] else node[axis] + step
                other = (*node[:axis], at, *node[axis + 1 :])
                if other in is_open and other not in reached:
                    reached.add(other)
                    waiting.append(other)
    return reached


def test_a_hole_is_filled_or_kept() -> None:
    grid = bounded((32,) * 3, [-2.0] * 3, [2.0] * 3)
    middle = np.zeros((1, 3))
    filled = compile_field(limit_of(apart(shell()), grid))
    kept = compile_field(limit_of(replace(apart(shell()), keeps_holes=True), grid))
    assert values_at(filled, middle)[0] <= -1.0
    assert values_at(kept, middle)[0] > 0.8
    assert values_at(filled, shell()).max() <= 0.0
    assert values_at(kept, shell()).max() <= 0.0


def test_a_filled_hole_has_no_false_boundary_and_is_as_deep_as_it_is_wide() -> None:
    grid = bounded((32,) * 3, [-2.0] * 3, [2.0] * 3)
    field = compile_field(limit_of(apart(shell()), grid))
    rng = np.random.default_rng(1)
    points = rng.normal(size=(5000, 3))
    points *= (rng.uniform(0.0, 1.0, size=5000) / np.linalg.norm(points, axis=1))[:, None]
    radii = np.linalg.norm(points, axis=1)
    true = radii - 1.4
    found = values_at(field, points)
    assert found.max() < -0.2
    assert np.abs(found - true).max() < grid.spacing[0]
    assert np.abs(found - true)[radii > 0.2].max() < 0.25 * grid.spacing[0]


def test_crossings_stand_on_the_zero_level_just_inside() -> None:
    grid = bounded((16, 18, 14), [-1.0] * 3, [1.0] * 3)
    values = ndimage.gaussian_filter(np.random.default_rng(3).normal(size=grid.counts), 1.0)
    points = find_crossings(grid, values)
    found = interpolate(grid, values, points)
    assert len(points) > 100
    assert found.max() <= 0.0
    assert found.min() > -1e-8


def test_where_the_border_is_all_inside_so_is_everything() -> None:
    grid = bounded((8, 8), [-0.1] * 2, [0.1] * 2)
    field = compile_field(limit_of(sampled(np.zeros((1, 2))), grid))
    assert field.values.max() <= 0.0
