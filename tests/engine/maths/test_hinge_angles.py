"""Angles of chains of hinges give their rotation again, or the one that is nearest to it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.maths.hinge_angles import solve_hinges
from engine.maths.rotation_arrays import chain
from engine.maths.rotations import ORDERS

AXES, SKEW = np.eye(3), Rotation.random(rng=np.random.default_rng(1)).as_matrix()


@pytest.mark.parametrize("order", ORDERS)
def test_three_hinges_are_solved_at_gimbal_lock_too(order: str) -> None:
    axes = AXES[["XYZ".index(each) for each in order]] @ SKEW
    for middle in (0.0, math.pi / 2, -math.pi / 2, math.pi, 1e-9, math.pi / 2 - 1e-9, 0.7):
        wanted = chain(axes, np.array([[0.4, middle, -1.1], [2.0, middle, 3.0]]))
        found = solve_hinges(axes, wanted)
        np.testing.assert_allclose(chain(axes, found), wanted, rtol=0, atol=1e-13)


def test_a_single_hinge_takes_the_nearest_angle() -> None:
    axis = np.array([[0.0, 0.6, 0.8]])
    wanted = chain(np.vstack((axis, [[1.0, 0.0, 0.0]])), np.array([[0.9, 0.2]]))
    angle = solve_hinges(axis, wanted)[0, 0]
    gaps = [np.trace(chain(axis, np.array([[angle + change]]))[0].T @ wanted[0]) for change in (-1e-3, 0.0, 1e-3)]
    assert gaps[1] > max(gaps[0], gaps[2])
    np.testing.assert_allclose(solve_hinges(axis, chain(axis, np.array([[2.5]]))), [[2.5]], atol=1e-14)
