"""Particles joined by springs: tangents, steps and gradients against differences and conservation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.soft.control.particles import ParticleProblem, Particles

PAIR = Particles(
    masses=np.array([1.0, 3.0]),
    ends=np.array([[0, 1]], dtype=np.int32),
    rest=np.array([1.0]),
    stiffness=np.array([40.0]),
    damping=np.array([0.7]),
    gravity=np.zeros(2),
)
TRIANGLE = Particles(
    masses=np.array([1.0, 2.0, 0.5]),
    ends=np.array([[0, 1], [1, 2], [2, 0]], dtype=np.int32),
    rest=np.array([1.0, 0.8, 1.2]),
    stiffness=np.array([30.0, 20.0, 10.0]),
    damping=np.array([0.3, 0.1, 0.5]),
    gravity=np.array([0.0, -9.82, 0.0]),
)
DT = 0.02


def state_of(particles: Particles) -> tuple[Array, Array]:
    """Places and velocities."""
    rng = np.random.default_rng(1)
    shape = len(particles.masses), len(particles.gravity)
    return rng.standard_normal(shape), rng.standard_normal(shape)


def differences(function: Callable[[Array], Array], at: Array) -> Array:
    """A matrix of derivatives, by central differences."""
    rows = []
    for each in np.eye(at.size):
        way = 1e-5 * each.reshape(at.shape)
        rows.append((function(at + way) - function(at - way)).ravel() / 2e-5)
    return np.array(rows).T


@pytest.mark.parametrize("particles", [PAIR, TRIANGLE], ids=["plane", "space"])
def test_tangents_are_derivatives_of_forces(particles: Particles) -> None:
    x, u = state_of(particles)
    stiff, damp = particles.tangents(x, u)
    np.testing.assert_allclose(stiff, differences(lambda each: particles.forces(each, u), x), rtol=1e-7, atol=1e-6)
    np.testing.assert_allclose(damp, differences(lambda each: particles.forces(x, each), u), rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize("particles", [PAIR, TRIANGLE], ids=["plane", "space"])
def test_derivatives_of_a_step_agree_with_differences(particles: Particles) -> None:
    state, forces = np.array(state_of(particles)), np.ones_like(state_of(particles)[0])

    def stepped(given: Array, pushed: Array) -> Array:
        return np.concatenate(particles.step(given[0], given[1], pushed, DT))

    by_state, by_forces = particles.derivatives(state[0], state[1], DT)
    np.testing.assert_allclose(by_state, differences(lambda each: stepped(each, forces), state), atol=1e-8)
    np.testing.assert_allclose(by_forces, differences(lambda each: stepped(state, each), forces), atol=1e-8)


def test_springs_keep_momentum_and_angular_momentum() -> None:
    x, u = state_of(PAIR)
    masses = PAIR.masses[:, None]

    def momenta() -> tuple[Array, float]:
        moving = masses * u
        return moving.sum(axis=0), float(np.sum(x[:, 0] * moving[:, 1] - x[:, 1] * moving[:, 0]))

    linear, angular = momenta()
    for _ in range(50):
        x, u = PAIR.step(x, u, np.zeros_like(x), DT)
    np.testing.assert_allclose(momenta()[0], linear, atol=1e-13)
    assert momenta()[1] == pytest.approx(angular, abs=1e-12)


def test_the_recursion_reaches_the_first_step() -> None:
    begin = np.array(state_of(TRIANGLE)).ravel()
    problem = ParticleProblem(TRIANGLE, begin, DT, {3: np.zeros_like(begin), 7: np.ones_like(begin)})
    values, way = np.random.default_rng(2).standard_normal((2, 7, 9))
    gradient = problem.gradient(problem.run(values))
    assert gradient[0].any()
    for step in range(7):
        own = np.zeros_like(way)
        own[step] = 1e-4 * way[step]
        ahead, behind = problem.run(values + own).value, problem.run(values - own).value
        assert (ahead - behind) / 2e-4 == pytest.approx(float(np.sum(gradient[step] * way[step])), rel=1e-6)
