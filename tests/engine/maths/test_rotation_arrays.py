"""Rotations as arrays: angles and quaternions of matrices, near gimbal lock too; the same numbers as the kernels."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.maths import rotation_arrays, rotations
from engine.maths.rotation_arrays import (
    chain,
    euler_angles,
    least_turn,
    matrices,
    nearest_angles,
    quaternion_of,
    quaternions,
    quaternions_of_angles,
    rotation_vectors,
    turn,
    upright_quaternions,
)

AXES = np.eye(3)


@pytest.mark.parametrize("order", list(permutations(range(3))))
@pytest.mark.parametrize("middle", [0.3, -1.5, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, 3.0])
def test_angles_give_their_rotation_again(order: tuple[int, int, int], middle: float) -> None:
    q = np.array([[0.7, middle, -2.9], [0.0, middle, 0.0], [3.1, middle, 0.2]])
    rotation = chain(AXES[list(order)], q)
    found = euler_angles(rotation, order)
    np.testing.assert_allclose(chain(AXES[list(order)], found), rotation, rtol=0, atol=1e-14)
    if abs(middle) < 1.4:
        np.testing.assert_allclose(np.cos(found - q), 1.0, atol=1e-14)


def test_angles_do_not_jump_from_frame_to_frame() -> None:
    q = np.stack((np.linspace(0.0, 20.0, 200), np.full(200, 0.4), np.linspace(0.0, -15.0, 200)), axis=1)
    found = euler_angles(chain(AXES[[2, 0, 1]], q), (2, 0, 1))
    np.testing.assert_allclose(found, q, rtol=0, atol=1e-12)


def test_quaternions_do_not_jump_from_frame_to_frame() -> None:
    rotation = turn(AXES[1], np.linspace(-8.0, 12.0, 200))
    found = quaternions(rotation)
    np.testing.assert_allclose(matrices(found), rotation, rtol=0, atol=1e-14)
    assert (np.sum(found[1:] * found[:-1], axis=1) > 0.9).all()
    assert found[0, 0] >= 0.0


def test_upright_quaternions_are_the_nearest_with_w_not_below_zero() -> None:
    rng = np.random.default_rng(6)
    expected = Rotation.random(50, rng=rng)
    off = expected.as_matrix() + rng.normal(size=(50, 3, 3)) * 1e-9
    found = upright_quaternions(off)
    np.testing.assert_allclose(found, expected.as_quat(scalar_first=True, canonical=True), rtol=0, atol=1e-8)
    assert (found[:, 0] >= 0.0).all()


def test_a_place_tells_how_it_is_turned() -> None:
    expected = Rotation.from_rotvec((0.3, -1.0, 2.0))
    place = np.column_stack((expected.as_matrix(), (5.0, 6.0, 7.0)))
    assert quaternion_of(place) == pytest.approx(
        expected.as_quat(scalar_first=True, canonical=True).tolist(), abs=1e-15
    )


def test_least_turn_takes_one_direction_to_another() -> None:
    a, b = np.array([0.0, 2.0, 0.0]), np.array([1.0, 1.0, 1.0])
    np.testing.assert_allclose(least_turn(a, b) @ a / 2.0, b / np.sqrt(3.0), atol=1e-15)
    half = least_turn(a, -a)
    np.testing.assert_allclose(half @ a, -a, atol=1e-15)
    np.testing.assert_allclose(half @ half.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(half) == pytest.approx(1.0)


def test_rotation_vectors_are_those_of_the_least_turns() -> None:
    vectors = np.random.default_rng(3).normal(size=(50, 3))
    vectors[0] = 0.0
    expected = Rotation.from_rotvec(vectors)
    np.testing.assert_allclose(rotation_vectors(expected.as_matrix()), expected.as_rotvec(), rtol=0, atol=1e-12)


def test_quaternions_multiply_turn_and_end_like_those_of_the_kernels() -> None:
    vectors = np.random.default_rng(4).normal(size=(50, 3))
    vectors[0], vectors[1] = 0.0, (1e-9, 0.0, 0.0)
    q = rotation_arrays.exponential(vectors)
    products, logarithms = rotation_arrays.product(q, q[::-1]), rotation_arrays.logarithm(q)
    found, vector = np.empty(4), np.empty(3)
    for row in range(50):
        rotations.exponential(vectors[row], found)
        np.testing.assert_allclose(q[row], found, rtol=0, atol=1e-15)
        rotations.logarithm(q[row], vector)
        np.testing.assert_allclose(logarithms[row], vector, rtol=0, atol=1e-14)
        rotations.multiply_quaternions(q[row], q[49 - row], found)
        np.testing.assert_array_equal(products[row], found)
    identity = rotation_arrays.product(q, rotation_arrays.inverse(q))
    np.testing.assert_allclose(identity, np.tile((1.0, 0.0, 0.0, 0.0), (50, 1)), rtol=0, atol=1e-15)
    np.testing.assert_array_equal(rotation_arrays.unit(np.zeros((1, 4))), [[1.0, 0.0, 0.0, 0.0]])


@pytest.mark.parametrize("name", rotations.ORDERS)
def test_the_nearest_angles_are_the_ones_that_they_were_found_from(name: str) -> None:
    order = ["XYZ".index(letter) for letter in name]
    angles = np.random.default_rng(5).uniform(-9.0, 9.0, (60, 3))
    q = quaternions_of_angles(angles, order)
    np.testing.assert_allclose(matrices(q), Rotation.from_euler(name, angles).as_matrix(), rtol=0, atol=1e-14)
    np.testing.assert_allclose(nearest_angles(q, order, angles + 0.01), angles, rtol=0, atol=1e-12)


def test_the_way_from_one_rotation_to_another_is_seen_from_the_world() -> None:
    before, vector = Rotation.from_rotvec((0.4, 0.5, -0.6)), np.array([0.1, -0.7, 0.2])
    after = Rotation.from_rotvec(vector) * before
    np.testing.assert_allclose(rotations.turn_to(before.as_matrix(), after.as_matrix()), vector, rtol=0, atol=1e-14)
