"""Turns about an axis of the body: told, and added to."""

from __future__ import annotations

import math
import random

import pytest

from app.style.turns import quaternion_of, same_turn, turns_of, twist_of, twisted


def test_a_twist_alone_is_told_as_it_is() -> None:
    for angle in (-3.0, -0.4, 0.0, 1.2, 3.0):
        assert twist_of(twisted((1.0, 0.0, 0.0, 0.0), (0.0, 0.6, 0.8), angle), (0.0, 0.6, 0.8)) == pytest.approx(angle)


def test_twisting_by_the_difference_gives_the_twist_that_is_wanted() -> None:
    draw = random.Random(3)
    for _ in range(200):
        axis = [draw.gauss(0.0, 1.0) for _ in range(3)]
        x, y, z = (each / math.hypot(*axis) for each in axis)
        start = quaternion_of((draw.uniform(-3.0, 3.0), draw.uniform(-1.5, 1.5), draw.uniform(-3.0, 3.0)))
        wanted = draw.uniform(-3.1, 3.1)
        turned = twisted(start, (x, y, z), wanted - twist_of(start, (x, y, z)))
        assert math.hypot(*turned) == pytest.approx(1.0)
        assert math.remainder(twist_of(turned, (x, y, z)) - wanted, math.tau) == pytest.approx(0.0, abs=1e-9)


def test_a_twist_about_the_vertical_is_a_heading() -> None:
    turned = twisted(quaternion_of((0.3, 0.0, 0.0)), (0.0, 1.0, 0.0), 0.5)
    assert turns_of(turned) == pytest.approx((0.8, 0.0, 0.0))
    assert same_turn(turned, quaternion_of((0.8, 0.0, 0.0)))
