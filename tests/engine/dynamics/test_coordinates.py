"""Steps, differences and derivatives of coordinates, balls included."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.dynamics.coordinates import compute_difference, integrate_coordinates, read_rates
from engine.dynamics.mechanics import Mechanics
from engine.maths.arrays import Array
from tests.engine.dynamics.examples import mechanics_of, random_state, weighed_figure


@pytest.fixture(scope="module")
def mechanics() -> Mechanics:
    return mechanics_of(weighed_figure(1, "ball"))


def moved(mechanics: Mechanics, q: Array, qd: Array, dt: float) -> Array:
    found = np.full(len(q), np.nan)
    integrate_coordinates(mechanics.ints, q, qd, dt, found)
    return found


def difference(mechanics: Mechanics, q: Array, goal: Array) -> Array:
    found = np.full(mechanics.rate_count, np.nan)
    compute_difference(mechanics.ints, q, goal, found)
    return found


@pytest.mark.parametrize("size", [1e-12, 1e-6, 1e-3, 0.7, 3.0])
def test_the_difference_of_a_step_is_the_step(mechanics: Mechanics, size: float) -> None:
    state = random_state(mechanics.model.figure, mechanics, 1)
    qd = state.qd * size / np.linalg.norm(state.qd)
    goal = moved(mechanics, state.q, qd, 1.0)
    np.testing.assert_allclose(difference(mechanics, state.q, goal), qd, rtol=0, atol=1e-15 + 1e-14 * size)


def test_the_way_to_the_opposite_quaternion_is_the_same(mechanics: Mechanics) -> None:
    state = random_state(mechanics.model.figure, mechanics, 2)
    other = random_state(mechanics.model.figure, mechanics, 3)
    flipped = other.q.copy()
    flipped[3:7] *= -1.0
    np.testing.assert_array_equal(difference(mechanics, state.q, flipped), difference(mechanics, state.q, other.q))
    assert np.linalg.norm(difference(mechanics, state.q, other.q)[3:6]) <= math.pi


def test_rates_are_read_from_the_derivatives_of_coordinates(mechanics: Mechanics) -> None:
    state, step, found = random_state(mechanics.model.figure, mechanics, 4), 1e-5, np.full(mechanics.rate_count, np.nan)
    slope = (moved(mechanics, state.q, state.qd, step) - moved(mechanics, state.q, state.qd, -step)) / (2.0 * step)
    read_rates(mechanics.ints, state.q, slope, found)
    np.testing.assert_allclose(found, state.qd, rtol=0, atol=1e-9)


def test_a_ball_turns_about_its_own_axes_and_stays_of_unit_length(mechanics: Mechanics) -> None:
    """A quarter turn about the body's x after one about y: x lies along -z by then."""
    q = mechanics.model.rest.copy()
    qd = np.zeros(mechanics.rate_count)
    qd[4] = 0.5 * math.pi
    q = moved(mechanics, q, qd, 1.0)
    qd[3:5] = 0.5 * math.pi, 0.0
    q = moved(mechanics, q, qd, 1.0)
    np.testing.assert_allclose(q[3:7], [0.5, 0.5, 0.5, -0.5], atol=1e-15)
    for _ in range(1000):
        q = moved(mechanics, q, qd, 0.01)
    assert abs(np.linalg.norm(q[3:7]) - 1.0) < 1e-15


def test_a_step_may_be_taken_in_place(mechanics: Mechanics) -> None:
    state = random_state(mechanics.model.figure, mechanics, 5)
    wanted, q = moved(mechanics, state.q, state.qd, 0.1), state.q.copy()
    integrate_coordinates(mechanics.ints, q, state.qd, 0.1, q)
    assert q.tobytes() == wanted.tobytes()
