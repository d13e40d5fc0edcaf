"""Rotations as tuples turn vectors like their matrices."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.maths.quaternions import (
    AXES,
    IDENTITY,
    angle_between,
    cross,
    inverse,
    product,
    slerp,
    turn_about,
    turn_angle,
    turned,
    unit,
)
from engine.maths.rotation_arrays import rotation_matrix


def test_turns_multiply_and_invert() -> None:
    a, b = turn_about(AXES[0], 0.3), turn_about(AXES[2], -1.2)
    v = (0.1, -0.4, 2.0)
    assert turned(product(a, b), v) == pytest.approx(turned(a, turned(b, v)), abs=1e-15)
    assert product(a, inverse(a)) == IDENTITY
    assert turned(IDENTITY, v) is v
    assert turned(turn_about(AXES[1], math.pi / 2), AXES[2]) == pytest.approx(AXES[0], abs=1e-15)
    assert cross(AXES[0], AXES[1]) == AXES[2]


def test_a_turn_is_that_of_its_matrix() -> None:
    turn, vector = (0.5, -0.5, 0.5, 0.5), (0.3, -1.0, 2.0)
    np.testing.assert_allclose(turned(turn, vector), rotation_matrix(turn) @ vector, rtol=0, atol=1e-15)


def test_one_turn_has_one_content() -> None:
    turn = turn_about((0.6, 0.0, 0.8), 2.0)
    x, y, z, w = (-3.0 * each for each in turn)
    assert unit((x, y, z, w)) == pytest.approx(turn, abs=1e-15)
    assert math.copysign(1.0, unit((x, y, z, w))[2]) == 1.0
    assert unit((-2.0, 1e-16, 0.0, 0.0)) == IDENTITY


def test_angles_between_turns_and_directions_are_the_shorter_ones() -> None:
    a, b = turn_about(AXES[1], 0.2), turn_about(AXES[1], 1.5)
    w, x, y, z = b
    assert turn_angle(a, (-w, -x, -y, -z)) == pytest.approx(1.3, abs=1e-15)
    assert angle_between((0.0, 0.0, 4.0), (0.5, 0.0, 0.5)) == pytest.approx(math.pi / 4.0, abs=1e-15)


def test_slerp_goes_the_shorter_way_and_on_beyond_its_end() -> None:
    a, b = turn_about(AXES[1], 0.2), turn_about(AXES[1], 1.4)
    for share in (0.0, 0.25, 1.0, 1.2):
        expected = turn_about(AXES[1], 0.2 + 1.2 * share)
        assert slerp(a, b, share) == pytest.approx(expected, abs=1e-15)
        assert slerp(a, [-each for each in b], share) == pytest.approx(expected, abs=1e-15)
    assert slerp(a, a, 0.7) == list(a)
