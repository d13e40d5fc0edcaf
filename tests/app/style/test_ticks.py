"""The numbers along an axis of angles."""

from __future__ import annotations

import math

import pytest

from app.style.ticks import angle_text, ticks


@pytest.mark.parametrize(
    ("lower", "upper", "most", "found"),
    [
        (-math.pi, math.pi, 4, [-180, -90, 0, 90, 180]),
        (-0.6, 0.6, 5, [-30, -15, 0, 15, 30]),
        (0.1, 0.5, 9, [10, 15, 20, 25]),
        (-math.pi, math.pi, 0, [-180, 0, 180]),
    ],
)
def test_numbers_are_round_and_no_more_than_there_is_room_for(
    lower: float, upper: float, most: int, found: list[int]
) -> None:
    assert ticks(lower, upper, most) == found


def test_an_angle_has_a_true_minus_sign() -> None:
    assert angle_text(-90) == "\N{MINUS SIGN}90°"
