from __future__ import annotations

import numpy as np
import pytest

from engine.spacetime.bases import HAT, HERMITE, RuleName, basis, basis_bend, basis_slope, control_point, quadrature


def test_a_hermite_cubic_has_the_values_and_slopes_at_its_ends() -> None:
    assert basis(0.0)[HERMITE].tolist() == [1.0, 0.0, 0.0, 0.0]
    assert basis(1.0)[HERMITE].tolist() == [0.0, 0.0, 1.0, 0.0]
    assert basis_slope(0.0)[HERMITE].tolist() == [0.0, 1.0, 0.0, 0.0]
    assert basis_slope(1.0)[HERMITE].tolist() == [0.0, 0.0, 0.0, 1.0]


def test_slopes_and_bends_are_derivatives() -> None:
    u, small = 0.37, 1e-6
    assert basis_slope(u) == pytest.approx((basis(u + small) - basis(u - small)) / (2 * small), abs=1e-9)
    assert basis_bend(u) == pytest.approx((basis_slope(u + small) - basis_slope(u - small)) / (2 * small), abs=1e-8)


def test_hats_and_hermite_cubics_sum_to_one() -> None:
    for u in (0.0, 0.2, 0.9):
        assert basis(u)[HAT].sum() == pytest.approx(1.0)
        assert basis(u)[HERMITE, [0, 2]].sum() == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_cubic_lies_within_the_hull_of_its_control_points(seed: int) -> None:
    coefficients = np.random.default_rng(seed).normal(size=4)
    points = [coefficients[0], *(control_point(index)[HERMITE] @ coefficients for index in (1, 2)), coefficients[2]]
    path = [basis(u)[HERMITE] @ coefficients for u in np.linspace(0.0, 1.0, 101)]
    assert min(points) - 1e-12 <= min(path)
    assert max(path) <= max(points) + 1e-12


@pytest.mark.parametrize(
    ("name", "degree", "within"), [("gauss", 7, 1e-14), ("simpson", 3, 1e-14), ("simpson", 6, 2e-4)]
)
def test_rules_integrate_polynomials(name: RuleName, degree: int, within: float) -> None:
    rule = quadrature(name)
    assert rule.weights.sum() == pytest.approx(1.0, abs=1e-14)
    places = rule.layers[:, 0, HAT, 1]
    assert rule.weights @ places**degree == pytest.approx(1.0 / (degree + 1), abs=within)
