"""The least value of a sum of sinusoids, against a dense search."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.maths.sinusoids import minimise_sinusoid, minimise_sinusoids, sum_sinusoids


def test_one_harmonic_has_its_closed_form() -> None:
    assert abs(minimise_sinusoid(1.0, 0.0, -4.0, 4.0)) == pytest.approx(math.pi)
    assert minimise_sinusoid(-1.0, -1.0, -math.pi, math.pi) == pytest.approx(math.pi / 4.0)


def test_minimum_is_found_a_turn_away_where_only_that_is_allowed() -> None:
    assert minimise_sinusoid(-1.0, 0.0, 6.0, 7.0) == pytest.approx(2.0 * math.pi)
    assert minimise_sinusoid(-1.0, 0.0, -7.0, -6.0) == pytest.approx(-2.0 * math.pi)


def test_better_end_is_taken_where_the_minimum_lies_outside() -> None:
    assert minimise_sinusoid(-1.0, 0.0, 0.5, 2.0) == 0.5
    assert minimise_sinusoid(1.0, 0.0, -2.0, 1.0) == -2.0


def test_flat_sum_moves_nothing() -> None:
    assert minimise_sinusoids(0.0, 0.0, 0.0, 0.0, -1.0, 1.0) == 0.0


def test_two_harmonics_reach_the_least_value_of_a_dense_search() -> None:
    rng = np.random.default_rng(2)
    for _ in range(300):
        a, b, c, d = rng.normal(size=4) * 10.0 ** rng.uniform(-3.0, 1.0, size=4)
        lower = float(rng.uniform(-math.pi, 0.5))
        upper = float(rng.uniform(lower, math.pi))
        x = np.linspace(lower, upper, 2001)
        least = (a * np.cos(x) + b * np.sin(x) + c * np.cos(2.0 * x) + d * np.sin(2.0 * x)).min()
        found = minimise_sinusoids(a, b, c, d, lower, upper)
        assert lower <= found <= upper
        assert sum_sinusoids(a, b, c, d, found) <= least + 1e-12 * (abs(a) + abs(b) + abs(c) + abs(d))
