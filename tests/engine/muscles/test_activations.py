"""Static optimisation: scipy's answers, torques met, reserves where muscles cannot."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import lsq_linear, minimize

from engine.maths.arrays import Array
from engine.muscles.activations import SharedTorques, share_torques, shared_torques
from engine.muscles.parts import PathPoint
from tests.engine.dynamics.examples import tree163
from tests.engine.muscles.muscled import Measured, muscle, tree, vector

STRONG = 300.0  # [N]


class Arm:
    """A figure with muscles in one pose: the torques of each when fully active."""

    def __init__(self, seed: int, count: int) -> None:
        random = np.random.default_rng(seed)
        figure = tree(random)
        points = [
            tuple(PathPoint(joint=str(random.integers(7)), point=vector(random, 0.1)) for _ in range(3))
            for _ in range(count)
        ]
        measured = Measured(figure, tuple(muscle(str(number), each) for number, each in enumerate(points)))
        q = random.uniform(-0.3, 0.3, len(figure.dofs))
        dense = -STRONG * measured(q)[1]
        self.shared: SharedTorques = shared_torques(measured.paths)
        self.torques = dense[measured.paths.rows, measured.paths.columns]
        order = np.flatnonzero(self.shared.places >= 0)[np.argsort(self.shared.places[self.shared.places >= 0])]
        self.matrix = dense[:, order].T  # [rate, muscle]
        self.bounds = np.tile([0.0, 1.0], count)
        self.reserves = np.full(self.shared.count, 0.3)
        self.random = random

    def __call__(self, wanted: Array, power: int = 2) -> tuple[Array, Array, int]:
        """Activations, reserves, iterations."""
        answer = np.zeros(self.shared.count), np.zeros(self.bounds.size // 2), np.zeros(self.shared.count)
        work = self.shared.new_work()
        count = share_torques(power, self.shared.ints, self.torques, wanted, self.reserves, self.bounds, work, answer)
        _, found, left = answer
        return found, left, count


@pytest.mark.parametrize("strength", [0.3, 1.0, 4.0])
def test_least_squares_of_activations_are_those_of_scipy(strength: float) -> None:
    """Within what muscles can do, at its edge, and far beyond it."""
    for seed in range(3):
        arm = Arm(seed, 60)
        wanted = strength * arm.matrix @ arm.random.random(60) ** 2
        found, left, count = arm(wanted)
        rows = np.vstack([np.eye(60), arm.matrix / arm.reserves[:, None]])
        right = np.concatenate([np.zeros(60), wanted / arm.reserves])
        peer = lsq_linear(rows, right, (0.0, 1.0), method="bvls", tol=1e-14).x
        assert count > 0
        assert found == pytest.approx(peer, abs=1e-4)
        assert arm.matrix @ found + left == pytest.approx(wanted, abs=1e-6 * np.abs(wanted).max())


def test_least_cubes_of_activations_are_those_of_scipy() -> None:
    arm = Arm(3, 25)
    wanted = 0.5 * arm.matrix @ arm.random.random(25) ** 2
    found, _, count = arm(wanted, power=3)

    def cost(a: Array) -> tuple[float, Array]:
        left = (wanted - arm.matrix @ a) / arm.reserves
        return float((a**3).sum() / 3.0 + 0.5 * left @ left), a**2 - arm.matrix.T @ (left / arm.reserves)

    options = {"ftol": 1e-16, "gtol": 1e-9, "maxiter": 20_000, "maxfun": 50_000}
    peer = minimize(cost, np.full(25, 0.3), jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * 25, options=options)
    assert count > 0
    assert cost(found)[0] <= peer.fun * (1.0 + 1e-8)
    assert found == pytest.approx(peer.x, abs=2e-3)


def test_what_muscles_cannot_do_is_left_to_reserves_of_that_rate() -> None:
    arm = Arm(5, 40)
    able = 0.3 * arm.matrix @ arm.random.random(40)
    _, left, _ = arm(able)
    assert np.abs(left).max() < 0.05 * np.abs(able).max()
    most = np.abs(arm.matrix).sum(axis=1)
    wanted = able.copy()
    wanted[4] += 3.0 * most[4]
    _, left, count = arm(wanted)
    assert count > 0
    assert np.argmax(np.abs(left)) == 4
    assert abs(left[4]) >= 1.5 * most[4]


def test_bounds_of_a_muscle_hold() -> None:
    arm = Arm(7, 40)
    arm.bounds[6:8] = 0.2, 0.25
    found, _, _ = arm(0.4 * arm.matrix @ arm.random.random(40))
    assert 0.2 <= found[3] <= 0.25
    assert (found >= 0.0).all()
    assert (found <= 1.0).all()


def test_rates_that_something_else_holds_are_not_asked_of_muscles() -> None:
    figure = tree163()
    random = np.random.default_rng(0)
    points = PathPoint(joint=None, point=vector(random, 0.1)), PathPoint(joint="b5", point=vector(random, 0.1))
    measured = Measured(figure, (muscle("long", points),))
    every, fewer = shared_torques(measured.paths), shared_torques(measured.paths, held=(0, 1))
    assert fewer.count == every.count - 2
    assert (fewer.places[:2] == -1).all()
