"""SolveIK: what is wanted is met within the limits, with as little as it takes, or missed by as little as can be."""

from __future__ import annotations

import numpy as np
import pytest

from engine.dynamics.coordinates import integrate_coordinates
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.compile import Model, compile_model
from engine.targets.equations import PointEquation, TurnEquation, find_point
from engine.targets.reach import TargetReach

HAND = 7
TIP = (0.0, 0.12, 0.0)


@pytest.fixture(scope="module")
def arm() -> Model:
    return compile_model(load_figure("arm7"))


def somewhere(arm: Model, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    return arm.lower + rng.uniform(0.2, 0.8, len(arm.rest)) * (arm.upper - arm.lower)


def placed(arm: Model, q: Array) -> tuple[float, float, float]:
    x, y, z = find_point(arm, q, HAND, TIP, arm.new_state()).tolist()
    return (x, y, z)


def after(arm: Model, q: Array, e: Array) -> Array:
    moved = np.empty_like(q)
    integrate_coordinates(arm.ints, q, e, 1.0, moved)
    return moved


@pytest.mark.parametrize("seed", range(12))
def test_a_point_that_some_pose_reaches_is_reached_within_the_limits(arm: Model, seed: int) -> None:
    goal, q = placed(arm, somewhere(arm, seed)), somewhere(arm, seed + 100)
    e, missed = TargetReach(arm, np.ones(arm.rate_count), arm.new_state()).displacement(
        q, (PointEquation(joint=HAND, local=TIP, position=goal),)
    )
    moved = after(arm, q, e)
    assert missed < 1e-8
    assert np.abs(np.array(placed(arm, moved)) - goal).max() < 1e-8
    assert (moved >= arm.lower - 1e-12).all()
    assert (moved <= arm.upper + 1e-12).all()


def test_a_point_out_of_reach_is_missed_by_what_is_lacking(arm: Model) -> None:
    q = somewhere(arm, 3)
    shoulder = find_point(arm, q, 2, (0.0, 0.0, 0.0), arm.new_state())
    reach = 0.21 + 0.21 + 0.20 + 0.20 + 0.126  # from the shoulder's lean to the hand's joint, see the figure
    goal = shoulder + np.array([0.0, 3.0, 0.0])
    equation = PointEquation(joint=HAND, position=(float(goal[0]), float(goal[1]), float(goal[2])))
    _, missed = TargetReach(arm, np.ones(arm.rate_count), arm.new_state()).displacement(q, (equation,))
    assert missed == pytest.approx(3.0 - reach, abs=0.13)  # the hand's joint may lie before the end of its link


def test_a_small_step_is_the_least_in_the_norm_of_the_mobilities(arm: Model) -> None:
    q, k = somewhere(arm, 4), np.array([1.0, 4.0, 0.25, 2.0, 1.0, 0.5, 1.0])[: arm.rate_count]
    small = np.array(placed(arm, q)) + 1e-5
    equation = PointEquation(joint=HAND, local=TIP, position=(float(small[0]), float(small[1]), float(small[2])))
    e, _ = TargetReach(arm, k, arm.new_state()).displacement(q, (equation,))
    j = np.empty((3, arm.rate_count))
    for rate in range(arm.rate_count):
        step = np.zeros(arm.rate_count)
        step[rate] = 1e-6
        j[:, rate] = (np.array(placed(arm, after(arm, q, step))) - placed(arm, after(arm, q, -step))) / 2e-6
    expected = k * (j.T @ np.linalg.solve((j * k) @ j.T, np.full(3, 1e-5)))
    assert np.allclose(e, expected, rtol=1e-2, atol=1e-3 * np.abs(expected).max())


@pytest.mark.parametrize("seed", [9, 26, 31, 42, 44, 50])
def test_a_pose_is_found_away_from_the_limits_where_there_is_one(arm: Model, seed: int) -> None:
    goal, q = placed(arm, somewhere(arm, seed)), somewhere(arm, seed + 40)
    e, missed = TargetReach(arm, np.ones(arm.rate_count), arm.new_state()).displacement(
        q, (PointEquation(joint=HAND, local=TIP, position=goal),)
    )
    clear = 0.1 * (arm.upper - arm.lower)
    moved = after(arm, q, e)
    assert missed < 1e-8
    assert (moved >= arm.lower + clear - 1e-9).all()
    assert (moved <= arm.upper - clear + 1e-9).all()


def test_what_can_be_reached_at_the_limits_alone_is_reached_there(arm: Model) -> None:
    edge = arm.upper.copy()  # the arm folded as far as it goes
    x, y, z = placed(arm, edge)
    e, missed = TargetReach(arm, np.ones(arm.rate_count), arm.new_state()).displacement(
        somewhere(arm, 8), (PointEquation(joint=HAND, local=TIP, position=(x, y, z)), _turned(arm, edge))
    )
    moved = after(arm, somewhere(arm, 8), e)
    assert missed < 1e-6
    assert (np.minimum(moved - arm.lower, arm.upper - moved) < 0.03 * (arm.upper - arm.lower)).any()


def test_what_stands_at_a_limit_may_stay_there(arm: Model) -> None:
    q = somewhere(arm, 4)
    q[2] = arm.upper[2]
    e, missed = TargetReach(arm, np.ones(arm.rate_count), arm.new_state()).displacement(
        q, (PointEquation(joint=HAND, local=TIP, position=placed(arm, q)),)
    )
    assert missed < 1e-10
    assert np.abs(e).max() < 1e-10


def test_what_may_not_give_way_does_not(arm: Model) -> None:
    q, k = somewhere(arm, 5), np.ones(arm.rate_count)
    k[1] = 0.0
    goal = placed(arm, after(arm, q, 0.2 * k))
    equation = PointEquation(joint=HAND, local=TIP, position=goal)
    e, missed = TargetReach(arm, k, arm.new_state()).displacement(q, (equation,))
    assert missed < 1e-8
    assert e[1] == 0.0


def test_a_point_and_a_turn_together_are_met(arm: Model) -> None:
    q = somewhere(arm, 6)
    other = after(arm, q, np.full(arm.rate_count, 0.25))
    state = arm.new_state()
    goal = find_point(arm, other, HAND, TIP, state)
    turn = rotation_of(state[(HAND + 1) * 12 :][:9].reshape(3, 3))
    equations = (
        PointEquation(joint=HAND, local=TIP, position=tuple(goal.tolist())),
        TurnEquation(joint=HAND, rotation=turn),
    )
    e, missed = TargetReach(arm, np.ones(arm.rate_count), state).displacement(q, equations)
    assert missed < 1e-8
    find_point(arm, after(arm, q, e), HAND, TIP, state)
    again = rotation_of(state[(HAND + 1) * 12 :][:9].reshape(3, 3))
    assert abs(abs(float(np.dot(again, turn))) - 1.0) < 1e-12


def _turned(arm: Model, q: Array) -> TurnEquation:
    state = arm.new_state()
    find_point(arm, q, HAND, TIP, state)
    return TurnEquation(joint=HAND, rotation=rotation_of(state[(HAND + 1) * 12 :][:9].reshape(3, 3)))


def rotation_of(matrix: Array) -> tuple[float, float, float, float]:
    """The quaternion of a rotation whose trace is well above -1, or by scipy's way round otherwise."""
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(matrix).as_quat().tolist()
    return (w, x, y, z)
