"""Samples between samples: half a cell apart, on the arc, on one branch, over gimbal lock."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document.limit import Grid
from engine.limits.sampling import find_tilt, sample_between
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.regions import EULER, bounded, curve, turning

ZYZ = np.eye(3)[[2, 1, 2]]


def matrix(angles: Array, axes: Array) -> Array:
    """Rodrigues, hinge after hinge."""
    total = np.eye(3)
    for angle, (x, y, z) in zip(angles, axes, strict=True):
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        total = total @ (np.eye(3) + math.sin(angle) * cross + (1 - math.cos(angle)) * cross @ cross)
    return total


def turn(a: Array, b: Array) -> float:
    return float(np.arccos(np.clip(0.5 * (np.trace(a.T @ b) - 1.0), -1.0, 1.0)))


def longest_step(samples: Array, grid: Grid) -> float:
    """In cells."""
    steps = np.diff(samples, axis=0)
    steps = np.where(grid.periodic, np.mod(steps + math.pi, math.tau) - math.pi, steps)
    return float(np.linalg.norm(steps / np.array(grid.spacing), axis=1).max())


def random_axes(rng: np.random.Generator) -> Array:
    """At right angles one to the next, the third anywhere across the second."""
    first = rng.normal(size=3)
    first /= np.linalg.norm(first)
    second = np.cross(first, rng.normal(size=3))
    second /= np.linalg.norm(second)
    angle = rng.uniform(0.0, math.tau)
    return np.array([first, second, math.cos(angle) * first + math.sin(angle) * np.cross(first, second)])


@pytest.mark.parametrize("axes", [EULER, ZYZ, np.eye(3)[[1, 2, 0]], -np.eye(3)[[2, 0, 1]]])
def test_neighbours_are_at_most_half_a_cell_apart_and_samples_are_kept(axes: Array) -> None:
    grid = turning(32)
    given = curve(1, 40) + np.array([0.0, 1.5, 0.0]) * (axes is ZYZ)
    found, notes = sample_between(grid, given, [40], joins_clips=True, axes=axes)
    assert longest_step(found, grid) <= 0.5 + 1e-9
    assert all((np.abs(found - each).max(axis=1) == 0.0).any() for each in given)
    assert len(found) > 2 * len(given)
    assert notes == () or "jump" in notes[0]


@pytest.mark.parametrize("seed", range(6))
def test_between_two_samples_lies_the_shorter_arc(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axes = random_axes(rng)
    a = rng.uniform(-1.0, 1.0, size=3)
    b = a + rng.uniform(-0.4, 0.4, size=3)
    start, end = matrix(a, axes), matrix(b, axes)
    found, _ = sample_between(turning(64), np.array([a, b]), [2], joins_clips=True, axes=axes)
    ways = [turn(start, matrix(each, axes)) + turn(matrix(each, axes), end) for each in found]
    assert np.abs(np.array(ways) - turn(start, end)).max() < 1e-7
    assert longest_step(found, turning(64)) <= 0.5 + 1e-9


def test_gimbal_lock_is_crossed_along_angles_of_one_orientation() -> None:
    grid = turning(32)
    pair = np.array([[0.3, 0.5 * math.pi, 0.2], [1.3, 0.5 * math.pi, -0.8]])
    found, notes = sample_between(grid, pair, [2], joins_clips=True, axes=EULER)
    assert longest_step(found, grid) <= 0.5 + 1e-9
    assert len(found) > 10
    assert notes == ()
    assert max(turn(matrix(pair[0], EULER), matrix(each, EULER)) for each in found) < 1e-6


def test_two_branches_of_one_orientation_are_not_joined_and_that_is_said() -> None:
    a = np.array([0.3, 0.4, 0.2])
    b = np.array([0.3 - math.pi, math.pi - 0.4, 0.2 - math.pi])
    assert turn(matrix(a, EULER), matrix(b, EULER)) < 1e-6
    found, notes = sample_between(turning(32), np.array([a, b]), [2], joins_clips=True, axes=EULER)
    assert len(found) <= 3
    assert "jump once" in notes[0]


def test_a_jump_within_a_clip_is_said_but_not_between_clips() -> None:
    samples = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [1.4, 0.0, 0.0]])
    _, notes = sample_between(turning(32), samples, [3], joins_clips=True, axes=EULER)
    assert "jump by more than 45 degrees once" in notes[0]
    found, notes = sample_between(turning(32), samples, [2, 1], joins_clips=True, axes=EULER)
    assert notes == ()
    assert longest_step(found, turning(32)) <= 0.5 + 1e-9
    found, _ = sample_between(turning(32), samples, [2, 1], joins_clips=False, axes=EULER)
    assert len(found) == 4


@pytest.mark.parametrize("size", [1, 4])
def test_a_jump_of_other_hinges_is_said_too(size: int) -> None:
    samples = np.zeros((4, size))
    samples[:, 0] = 0.0, 0.7, 1.6, 0.8
    _, notes = sample_between(turning(16, size), samples, [3, 1], joins_clips=True, axes=None)
    assert len(notes) == 1
    assert "jump by more than 45 degrees once" in notes[0]


def test_hinges_of_several_joints_follow_straight_lines() -> None:
    grid = bounded((20, 20, 20, 20), [-1.0] * 4, [1.0] * 4)
    found, _ = sample_between(grid, np.array([[-0.9] * 4, [0.8] * 4]), [2], joins_clips=True, axes=None)
    assert np.abs(found - found[:, :1]).max() < 1e-12
    assert longest_step(found, grid) <= 0.5 + 1e-9
    assert find_tilt(np.array([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])) is None


def test_a_straight_line_goes_the_short_way_round() -> None:
    found, _ = sample_between(turning(32, 1), np.array([[3.0], [-3.0]]), [2], joins_clips=True, axes=EULER[:1])
    assert len(found) < 6
    assert np.abs(found).min() >= 3.0


@pytest.mark.parametrize(("value", "said"), [(6.4, "two turns"), (2.0, "within its grid")])
def test_samples_outside_are_refused(value: float, said: str) -> None:
    grid = bounded((8, 8, 8), [-1.0] * 3, [1.0] * 3)
    with pytest.raises(InvalidDocument, match=said):
        sample_between(grid, np.array([[0.0, value, 0.0]]), [1], joins_clips=True, axes=EULER)


def test_a_joint_that_rests_is_one_sample() -> None:
    resting = np.repeat([[0.1, 0.2, 0.3], [0.15, 0.2, 0.3]], 50, axis=0)
    found, _ = sample_between(turning(8), resting, [100], joins_clips=True, axes=EULER)
    assert found.tolist() == [[0.1, 0.2, 0.3], [0.15, 0.2, 0.3]]


def test_one_sample_is_itself() -> None:
    found, notes = sample_between(turning(8), np.array([[0.1, 0.2, 0.3]]), [1], joins_clips=True, axes=EULER)
    assert found.tolist() == [[0.1, 0.2, 0.3]]
    assert notes == ()
