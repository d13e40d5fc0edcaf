"""Leaps led over: within bounds, at a bounded speed, the rest as it was."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.motion.leaps import spread_leaps


def jumps(values: Array) -> Array:
    return np.asarray(np.abs(np.diff(values, axis=0)).max(axis=1))


def test_a_leap_is_led_over_within_bounds_and_the_rest_stays() -> None:
    times = np.arange(200)
    values = np.stack((0.01 * times, np.where(times < 100, 1.2, -1.5)), axis=1)
    found = spread_leaps(values, jumps(values), 0.05, 20)
    steps = np.abs(np.diff(found, axis=0)).max()
    assert 0.03 < steps <= 0.06
    assert found[:, 1].min() == -1.5
    assert found[:, 1].max() == 1.2
    length = int(np.ceil(1.5 * 2.7 / 0.05))
    np.testing.assert_array_equal(found[: 99 - length // 2], values[: 99 - length // 2])
    np.testing.assert_array_equal(found[100 + length - length // 2 :], values[100 + length - length // 2 :])


def test_what_does_not_leap_stays_to_the_bit() -> None:
    values = np.sin(0.01 * np.arange(300))[:, None]
    assert spread_leaps(values, jumps(values), 0.02, 20).tobytes() == values.tobytes()
    assert spread_leaps(values[:1], jumps(values[:1]), 0.02, 20).tobytes() == values[:1].tobytes()
