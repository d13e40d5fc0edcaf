"""Forces of muscles: the published curves, their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.muscles.hill import (
    BY_ACTIVATION,
    BY_LENGTH,
    BY_RATE,
    DE_GROOTE,
    FORCES,
    LINEAR,
    PULL,
    THELEN,
    active_length,
    active_velocity,
    passive_length,
    step_activation,
    write_rigid_force,
)
from tests.engine.shared_data import shared

MODELS = (LINEAR, THELEN, DE_GROOTE)
STRONG = np.array([1000.0, 0.1, 0.2, np.sin(0.3), 10.0])


def table(name: str) -> np.ndarray:
    """Rows of a published table."""
    return np.loadtxt(shared("reference", "muscle", name), delimiter=",", skiprows=2)


def force(model: int, length: float, rate: float, activation: float) -> np.ndarray:
    out = np.zeros(FORCES)
    write_rigid_force(model, STRONG, 0, length, rate, activation, out, 0)
    return out


def test_thelens_curves_are_the_published_ones() -> None:
    for length, active, passive in table("hill_thelen2003_force_length.csv"):
        assert active_length(THELEN, length)[0] == pytest.approx(active, abs=1e-9)
        assert passive_length(THELEN, length)[0] == pytest.approx(passive, abs=1e-9)
    for velocity, pull in table("hill_thelen2003_force_velocity.csv"):
        assert active_velocity(THELEN, velocity, 1.0)[0] == pytest.approx(pull, abs=1e-9)


@pytest.mark.parametrize("model", MODELS)
def test_a_muscle_at_its_best_length_pulls_with_its_force(model: int) -> None:
    best = 0.2 + 0.1 * (1.0 if model == LINEAR else np.cos(0.3))
    pulls = force(model, best, 0.0, 1.0)[PULL] - force(model, best, 0.0, 0.0)[PULL]
    assert pulls == pytest.approx(1000.0 * (1.0 if model == LINEAR else np.cos(0.3)), rel=1e-3)
    assert force(model, best, -0.99, 1.0)[PULL] < 0.1 * pulls


@pytest.mark.parametrize("model", MODELS)
def test_derivatives_of_forces_are_their_differences(model: int) -> None:
    random = np.random.default_rng(model)
    for _ in range(50):
        at = np.array([random.uniform(0.27, 0.35), random.uniform(-0.5, 0.5), random.uniform(0.05, 1.0)])
        found = force(model, *at)
        for each, place in ((0, BY_LENGTH), (1, BY_RATE), (2, BY_ACTIVATION)):
            step = np.zeros(3)
            step[each] = 1e-6
            differs = (force(model, *(at + step))[PULL] - force(model, *(at - step))[PULL]) / 2e-6
            assert found[place] == pytest.approx(differs, rel=1e-5, abs=1e-4)


def test_activation_follows_excitation_faster_than_it_falls() -> None:
    risen = step_activation(1.0, 0.1, 0.015, 0.05, 0.01)
    fallen = 1.0 - step_activation(0.1, 1.0, 0.015, 0.05, 0.01)
    assert 0.1 < risen < 1.0
    assert risen - 0.1 > fallen > 0.0
    steps = 0.1
    for _ in range(200):
        steps = step_activation(1.0, steps, 0.015, 0.05, 1e-4)
    exact = solve_ivp(lambda _, a: (1.0 - a) / (0.015 * (0.5 + 1.5 * a)), (0.0, 0.02), [0.1], rtol=1e-9).y[0, -1]
    assert steps == pytest.approx(exact, rel=3e-3)
