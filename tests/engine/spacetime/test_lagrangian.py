from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.spacetime.figures import LimbPoint
from engine.spacetime.lagrangian import (
    compute_curvature,
    compute_slopes,
    compute_third,
    new_pairs,
    pack_figure,
    set_directions,
    set_pairs,
)
from engine.spacetime.recursion import find_state, quarter, turned
from tests.engine.spacetime.planar_figures import GRAVITY, branched_figure, slopes_by_complex_steps

FIGURE = branched_figure()
PACKED = pack_figure(FIGURE, GRAVITY)
N = len(FIGURE.limbs) + 2
ZETA, ETA = np.random.default_rng(3).normal(size=(2, N))


@pytest.fixture(params=range(3))
def state(request: pytest.FixtureRequest) -> Array:
    return np.random.default_rng(request.param).normal(size=2 * N)


def slopes(state: Array) -> Array:
    pairs, p, g = new_pairs(len(FIGURE.limbs)), np.zeros(N), np.zeros(N)
    set_pairs(PACKED, state[:N], state[N:], pairs)
    compute_slopes(PACKED, pairs, state[N:], p, g)
    return np.concatenate([g, p])


def curvature(state: Array) -> Array:
    pairs, found = new_pairs(len(FIGURE.limbs)), np.zeros((2 * N, 2 * N))
    set_pairs(PACKED, state[:N], state[N:], pairs)
    compute_curvature(PACKED, pairs, state[N:], found)
    return found


def third(state: Array) -> Array:
    pairs, found = new_pairs(len(FIGURE.limbs)), np.zeros((2 * N, 2 * N))
    set_pairs(PACKED, state[:N], state[N:], pairs)
    set_directions(PACKED, ZETA, ETA, pairs)
    compute_third(PACKED, pairs, state[N:], found)
    return found


def differences(function: Callable[[Array], Array], state: Array) -> Array:
    moves = 1e-6 * np.eye(len(state))
    return np.array([(function(state + move) - function(state - move)) / 2e-6 for move in moves])


def test_momenta_and_forces_are_derivatives_of_the_lagrangian(state: Array) -> None:
    assert np.abs(slopes(state) - slopes_by_complex_steps(FIGURE, state)).max() < 1e-12


def test_second_derivatives(state: Array) -> None:
    found = curvature(state)
    assert np.array_equal(found, found.T) or np.abs(found - found.T).max() < 1e-13
    assert np.abs(found - differences(slopes, state)).max() < 1e-7


def test_third_derivatives_along_directions(state: Array) -> None:
    along = np.concatenate([ETA, ZETA])
    assert np.abs(third(state) - differences(lambda at: curvature(at) @ along, state)).max() < 1e-7


def test_the_recursion_finds_the_same(state: Array) -> None:
    found = find_state(FIGURE, state[:N], state[N:], gravity=GRAVITY)
    assert np.abs(np.concatenate([found.g, found.p]) - slopes(state)).max() < 1e-12


def test_twice_the_kinetic_energy_is_momentum_times_rate(state: Array) -> None:
    found = find_state(FIGURE, state[:N], state[N:], gravity=GRAVITY)
    assert 2.0 * found.kinetic == pytest.approx(found.p @ state[N:], rel=1e-12)
    assert found.momentum == pytest.approx(found.p[:2], rel=1e-12)
    assert found.potential == pytest.approx(GRAVITY * FIGURE.mass * found.centre[1], rel=1e-12)


def test_a_force_does_the_work_of_its_point(state: Array) -> None:
    point, push = LimbPoint("hand", (0.3, -0.2)), (0.7, -1.1)
    q, move = state[:N], 1e-6 * np.eye(N)

    def place(at: Array) -> Array:
        found = find_state(FIGURE, at, np.zeros(N))
        limb = FIGURE.limb("hand")
        tip: Array = found.origins[limb] + turned(found.angles[limb], point.place)
        return tip

    by_point = [np.dot(push, place(q + each) - place(q - each)) / 2e-6 for each in move]
    assert find_state(FIGURE, q, np.zeros(N), pushes=[(point, push)]).forces == pytest.approx(by_point, abs=1e-8)
    assert quarter(np.array([1.0, 0.0])).tolist() == [0.0, 1.0]
