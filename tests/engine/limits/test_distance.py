"""Distances of nodes to samples: exact against a k-d tree, in one to five dimensions, periodic or not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial import cKDTree

from engine.document.limit import Grid
from engine.limits.distance import find_nearest, wrap_samples, write_nearest
from engine.limits.packed_grids import pack_grids
from engine.maths.arrays import Array
from tests.engine.limits.regions import bounded, curve, turning


def nodes_of(grid: Grid) -> Array:
    axes = [
        lower + spacing * np.arange(count)
        for lower, spacing, count in zip(grid.lower, grid.spacing, grid.counts, strict=True)
    ]
    return np.stack([each.ravel() for each in np.meshgrid(*axes, indexing="ij")], axis=1)


def brute(grid: Grid, samples: Array) -> Array:
    """Every pair, the short way round."""
    gaps = np.abs(nodes_of(grid)[:, None] - wrap_samples(grid, samples)[None])
    gaps = np.where(grid.periodic, np.minimum(gaps, math.tau - gaps), gaps)
    return np.asarray(np.sqrt((gaps**2).sum(axis=2)).min(axis=1).reshape(grid.counts))


@pytest.mark.parametrize("seed", range(4))
def test_a_periodic_grid_agrees_with_a_tree_to_rounding(seed: int) -> None:
    grid = turning(20 + 3 * seed)
    samples = np.random.default_rng(seed).uniform(-math.pi, math.pi, size=(300, 3)) if seed % 2 else curve(seed)
    distances, nearest = find_nearest([grid], [samples])[0]
    lower = np.array(grid.lower)
    tree = cKDTree(np.mod(samples - lower, math.tau), boxsize=math.tau)
    wanted = tree.query(np.mod(nodes_of(grid) - lower, math.tau))[0].reshape(grid.counts)
    assert np.abs(distances - wanted).max() < 1e-12
    gaps = np.abs(nodes_of(grid) - samples[nearest.ravel()])
    gaps = np.minimum(gaps, math.tau - gaps)
    assert np.abs(np.sqrt((gaps**2).sum(axis=1)).reshape(grid.counts) - distances).max() < 1e-12


@pytest.mark.parametrize("counts", [(50,), (17, 9), (3, 40), (9, 8, 33), (5, 6, 7, 8), (3, 4, 5, 4, 3)])
def test_any_number_of_angles(counts: tuple[int, ...]) -> None:
    size = len(counts)
    grid = bounded(counts, [-1.0] * size, [1.5] * size)
    samples = np.random.default_rng(1).uniform(-1.2, 1.2, size=(40, size))
    assert np.abs(find_nearest([grid], [samples])[0][0] - brute(grid, samples)).max() < 1e-12


def test_axes_may_be_periodic_one_by_one() -> None:
    one, other = turning(24), bounded((24,) * 3, [-1.0] * 3, [2.0] * 3)
    grid = Grid(
        counts=(24, 11, 24),
        lower=(1.0, -1.0, 0.5),
        spacing=(one.spacing[0], 0.2, one.spacing[2]),
        periodic=(True, False, True),
    )
    samples = np.random.default_rng(2).uniform(-6.0, 6.0, size=(60, 3))
    found = find_nearest([grid, other, grid], [samples, curve(3), samples])
    assert np.abs(found[0][0] - brute(grid, samples)).max() < 1e-12
    assert np.abs(found[1][0] - brute(other, curve(3))).max() < 1e-12
    assert np.array_equal(found[0][0], found[2][0])


def test_grids_of_one_call_do_not_disturb_each_other() -> None:
    grids = [turning(8 + each) for each in range(5)]
    samples = [curve(each, 10 + each) for each in range(5)]
    together = find_nearest(grids, samples)
    for grid, mine, (distances, nearest) in zip(grids, samples, together, strict=True):
        alone = find_nearest([grid], [mine])[0]
        assert np.array_equal(alone[0], distances)
        assert np.array_equal(alone[1], nearest)


def test_of_samples_as_near_the_first_counts() -> None:
    twice = np.concatenate([curve(5), curve(5)])
    assert find_nearest([turning(16)], [twice])[0][1].max() < len(curve(5))


def test_only_wanted_blocks_are_worked() -> None:
    grid = turning(32)
    wanted = np.zeros(grid.counts, dtype=np.bool_)
    wanted[3, 4, 5] = wanted[20, 30, 9] = True
    distances, nearest = np.full(wanted.size, np.inf), np.full(wanted.size, -1, dtype=np.int32)
    write_nearest(pack_grids([grid]), [curve(1)], wanted.ravel(), distances, nearest)
    whole, _ = find_nearest([grid], [curve(1)])[0]
    assert np.array_equal(distances.reshape(grid.counts)[wanted], whole[wanted])
    assert np.isinf(distances).sum() == distances.size - 2 * 8**3
    assert (nearest[np.isinf(distances)] == -1).all()


def test_a_sample_is_found_on_the_side_from_which_it_is_nearer() -> None:
    """Half a turn away along one, two and three axes at once, from blocks on either side of it."""
    grid, lower = turning(16), turning(16).lower[0]
    for axes in ((0,), (1, 2), (0, 1, 2)):
        sample = np.full((1, 3), lower + 0.01)
        sample[0, list(axes)] = lower + math.pi + 0.1
        distances, _ = find_nearest([grid], [sample])[0]
        assert np.abs(distances - brute(grid, sample)).max() < 1e-12
        assert distances.max() <= math.sqrt(3.0) * math.pi
