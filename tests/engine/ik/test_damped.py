"""Damped least squares: equation 15 against numpy, and its three ways to choose lambda."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ik import layout as at
from engine.ik.damped import Damped, measure_manipulability
from engine.ik.goals import PositionGoal, Spot
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import new_work, solve
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from tests.engine.ik.figures import arm
from tests.engine.ik.test_inverse import near_goal
from tests.engine.ik.test_rows import rows_and_jacobian

TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))


def first_step(found: Problem, q: Array, solver: Damped) -> Array:
    work = new_work(found, solver)
    solver.advance(found, q.copy(), work, 1)
    return work[int(found.ints[at.SOLVER]) :][: found.column_count].copy()


def wanted_step(found: Problem, q: Array, square: float) -> Array:
    r, jacobian = rows_and_jacobian(found, q)
    first, count = int(found.ints[at.COLUMN_FLOATS]), found.column_count
    mobility = found.floats[first : first + count * at.COLUMN_WIDTH].reshape(count, -1)[:, at.MOBILITY]
    gram = (jacobian * mobility) @ jacobian.T + square * np.eye(len(r))
    return np.asarray(mobility * (jacobian.T @ np.linalg.solve(gram, -r)))


def test_fixed_lambda_is_equation_15() -> None:
    found, q = near_goal()
    for damping in (1e-3, 0.1, 2.0):
        step = first_step(found, q, Damped(rule="fixed", damping=damping))
        assert step == pytest.approx(wanted_step(found, q, damping**2), abs=1e-12)


def test_sugihara_adds_half_the_squared_error() -> None:
    found, q = near_goal()
    r, _ = rows_and_jacobian(found, q)
    step = first_step(found, q, Damped(rule="sugihara", damping=1e-3))
    assert step == pytest.approx(wanted_step(found, q, 0.5 * float(r @ r) + 1e-6), abs=1e-12)


def test_nakamura_damps_near_singular_poses_only() -> None:
    goal = PositionGoal(spot=TIP, target=(1.9, 0.1, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm())], [goal])
    q = np.array([0.0, 0.05])
    # det J J^T of two links: (sin q2)^2 in the plane; the third row is zero, so the arm is singular there as a whole.
    step = first_step(found, q, Damped(rule="nakamura", damping=0.2, threshold=0.5, largest=math.pi))
    assert step == pytest.approx(wanted_step(found, q, 0.2**2), abs=1e-12)
    other, pose = near_goal()
    open_step = first_step(other, pose, Damped(rule="nakamura", damping=0.2, threshold=1e-6))
    assert open_step == pytest.approx(wanted_step(other, pose, 0.0), abs=1e-9)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("largest", [0.1, 0.5])
def test_no_angle_moves_further_than_it_may_either_way(side: float, largest: float) -> None:
    goal = PositionGoal(spot=TIP, target=(-2.0, side * 0.3, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm())], [goal])
    step = first_step(found, side * np.array([0.1, 0.2]), Damped(rule="fixed", damping=1e-3, largest=largest))
    assert 0.9 * largest < np.abs(step).max() <= largest


def test_manipulability_is_the_root_of_the_determinant_and_zero_where_singular() -> None:
    noise = np.random.default_rng(4).normal(size=(4, 6))
    gram = noise @ noise.T
    room = np.zeros(16)
    assert measure_manipulability(gram.ravel(), 4, room) == pytest.approx(np.linalg.det(gram) ** (1.0 / 8.0))
    flat = np.vstack([noise[:3], noise[0] + noise[1]])
    assert measure_manipulability((flat @ flat.T).ravel(), 4, room) == 0.0


@pytest.mark.parametrize("rule", ["fixed", "nakamura", "sugihara"])
def test_every_rule_leads_two_links_to_a_reachable_point(rule: str) -> None:
    found = compile_problem(
        [Participant(actor="arm", figure=arm(limit=3.0))], [PositionGoal(spot=TIP, target=(0.4, 1.1, 0.0))]
    )
    answer = solve(found, [np.array([0.1, 0.2])], Damped(rule=rule))  # type: ignore[arg-type]
    assert answer.state == "reached"
    assert answer.starts == 0


def test_rule_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidArguments, match=r"Choice of lambda.*best.*fixed, nakamura, sugihara"):
        Damped(rule="best")  # type: ignore[arg-type]
