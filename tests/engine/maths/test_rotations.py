"""Rotations against scipy's, group axioms, and the twelve Euler orders through gimbal lock."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.maths import rotations
from engine.maths.arrays import Array

pytestmark = pytest.mark.jit_off


def random_quaternions(count: int, seed: int = 0) -> Array:
    """Unit quaternions, uniformly spread."""
    q: Array = Rotation.random(count, rng=np.random.default_rng(seed)).as_quat(scalar_first=True)
    return q


def matrix_of(q: Array) -> Array:
    matrix: Array = Rotation.from_quat(q, scalar_first=True).as_matrix()
    return matrix


def order_of(name: str) -> Array:
    return np.array(["XYZ".index(letter) for letter in name], dtype=float)


@pytest.mark.parametrize("order", rotations.ORDERS)
def test_every_euler_order_goes_to_and_fro(order: str) -> None:
    rng, q, angles = np.random.default_rng(1), np.empty(4), np.empty(3)
    locks = (0.0, math.pi, math.pi / 2, -math.pi / 2)
    for count in range(200):
        given = rng.uniform(-math.pi, math.pi, 3)
        if count % 2:
            given[1] = rng.choice(locks) + rng.choice((0.0, 1e-3, -1e-6, 1e-9, 1e-15))
        rotations.euler_to_quaternion(given, order_of(order), q)
        expected = Rotation.from_euler(order, given).as_matrix()
        np.testing.assert_allclose(matrix_of(q), expected, rtol=0, atol=1e-14)
        rotations.quaternion_to_euler(q, order_of(order), angles)
        again = Rotation.from_euler(order, angles).as_matrix()
        np.testing.assert_allclose(again, expected, rtol=0, atol=2e-14)
        assert np.all(np.abs(angles) <= math.pi)


@pytest.mark.parametrize("order", rotations.ORDERS)
def test_angles_within_the_principal_range_come_back_themselves(order: str) -> None:
    rng, q, angles = np.random.default_rng(2), np.empty(4), np.empty(3)
    for _ in range(50):
        given = rng.uniform(-3.0, 3.0, 3)
        given[1] = rng.uniform(0.1, 3.0) if order[0] == order[2] else rng.uniform(-1.5, 1.5)
        rotations.euler_to_quaternion(given, order_of(order), q)
        rotations.quaternion_to_euler(q, order_of(order), angles)
        np.testing.assert_allclose(angles, given, rtol=0, atol=1e-13)


def test_at_gimbal_lock_the_last_angle_is_zero() -> None:
    q, angles = np.empty(4), np.empty(3)
    rotations.euler_to_quaternion(np.array([0.3, math.pi / 2, 0.4]), order_of("XYZ"), q)
    rotations.quaternion_to_euler(q, order_of("XYZ"), angles)
    np.testing.assert_allclose(angles, [0.7, math.pi / 2, 0.0], rtol=0, atol=1e-7)


def test_products_follow_the_matrices() -> None:
    first, second, product = random_quaternions(40, 1), random_quaternions(40, 2), np.empty(4)
    for a, b in zip(first, second, strict=True):
        rotations.multiply_quaternions(a, b, product)
        np.testing.assert_allclose(matrix_of(product), matrix_of(a) @ matrix_of(b), rtol=0, atol=1e-14)
        inverse = a * [1.0, -1.0, -1.0, -1.0]
        rotations.multiply_quaternions(inverse, a, inverse)
        np.testing.assert_allclose(inverse, [1.0, 0.0, 0.0, 0.0], rtol=0, atol=1e-15)


def test_vectors_turn_like_the_matrix() -> None:
    for q, v in zip(random_quaternions(40), np.random.default_rng(0).normal(size=(40, 3)), strict=True):
        expected = matrix_of(q) @ v
        rotations.rotate_vector(q, v, v)
        np.testing.assert_allclose(v, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-5, 0.1, 1.0, math.pi - 1e-9])
def test_logarithm_undoes_exponential(angle: float) -> None:
    q, again = np.empty(4), np.empty(3)
    for axis in np.random.default_rng(3).normal(size=(20, 3)):
        vector = angle * axis / np.linalg.norm(axis)
        rotations.exponential(vector, q)
        np.testing.assert_allclose(q, Rotation.from_rotvec(vector).as_quat(scalar_first=True), rtol=0, atol=1e-15)
        rotations.logarithm(-q, again)
        np.testing.assert_allclose(again, vector, rtol=1e-7, atol=1e-15)


def test_matrices_go_to_and_fro() -> None:
    again = np.empty(4)
    half_turns = [[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 0.0]]
    for q in [*random_quaternions(60, 6), *np.array(half_turns)]:
        rotations.matrix_to_quaternion(matrix_of(q), again)
        np.testing.assert_allclose(matrix_of(again), matrix_of(q), rtol=0, atol=1e-14)
        assert again[0] >= 0.0


def test_angles_are_wrapped_to_half_open_turns() -> None:
    for angle, expected in ((0.0, 0.0), (math.pi, math.pi), (-math.pi, math.pi), (7.0, 7.0 - 2 * math.pi)):
        assert math.isclose(rotations.wrap_angle(angle), expected, abs_tol=1e-15)


def test_the_zero_quaternion_becomes_the_identity() -> None:
    q = np.zeros(4)
    rotations.normalise_quaternion(q)
    assert q.tolist() == [1.0, 0.0, 0.0, 0.0]
