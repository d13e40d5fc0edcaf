"""The Jacobian's inverse: numpy's pseudo-inverse, limits clamped afterwards, singular poses, the best pose kept."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ik import layout as at
from engine.ik.goals import PositionGoal, Spot
from engine.ik.inverse import Inverse
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.ik.solver import new_work, solve
from engine.maths.arrays import Array
from tests.engine.ik.figures import arm, branching, random_pose
from tests.engine.ik.test_rows import rows_and_jacobian, spot

NO_PREFERENCE = Preference()
TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))


def near_goal(preference: Preference = NO_PREFERENCE) -> tuple[Problem, Array]:
    """A goal so near that no step is bounded; degrees of freedom of unequal stiffness."""
    figure, pose = branching(), random_pose(branching(), 6)
    participant = Participant(actor="one", figure=figure, stiffness={"bend": 4.0, "left_lift": 0.5})
    found = compile_problem([participant], [PositionGoal(spot=spot(), target=(0.0, 0.0, 0.0))], preference=preference)
    place = rows_and_jacobian(found, found.gather([pose]))[0]
    found.set_targets(place[None] + np.array([[1e-3, -2e-3, 1e-3]]))
    return found, found.gather([pose])


def first_step(found: Problem, q: Array, solver: Inverse) -> Array:
    work = new_work(found, solver)
    work[int(found.ints[at.COUNTS]) + at.WORST] = 2.0
    solver.advance(found, q.copy(), work, 1)
    return work[int(found.ints[at.SOLVER]) :][: found.column_count].copy()


def test_step_is_the_weighted_pseudo_inverse() -> None:
    found, q = near_goal()
    r, jacobian = rows_and_jacobian(found, q)
    first, count = int(found.ints[at.COLUMN_FLOATS]), found.column_count
    roots = np.sqrt(found.floats[first : first + count * at.COLUMN_WIDTH].reshape(count, -1)[:, at.MOBILITY])
    wanted = roots * (np.linalg.pinv(jacobian * roots) @ -r)
    assert first_step(found, q, Inverse(share=1.0)) == pytest.approx(wanted, abs=1e-12)
    assert first_step(found, q, Inverse(share=0.5)) == pytest.approx(0.5 * wanted, abs=1e-12)


def test_preference_is_followed_in_the_null_space_only() -> None:
    found, q = near_goal(Preference(comfort=1.0, gain=0.05))
    r, jacobian = rows_and_jacobian(found, q)
    step = first_step(found, q, Inverse(share=1.0))
    assert jacobian @ step == pytest.approx(-r, abs=1e-10)
    assert np.linalg.norm(step) > 2.0 * np.linalg.norm(np.linalg.pinv(jacobian) @ r)


def test_no_angle_moves_further_than_it_may() -> None:
    goal = PositionGoal(spot=TIP, target=(-2.0, 0.3, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm())], [goal])
    for largest in (0.1, 0.5):
        step = first_step(found, np.array([0.1, 0.2]), Inverse(largest=largest))
        assert 0.0 < np.abs(step).max() <= largest


def test_singular_pose_stays_finite_and_is_left() -> None:
    """Straight arm, target straight inwards and a little aside: the singular direction is bounded by itself."""
    goal = PositionGoal(spot=TIP, target=(1.2, 1e-3, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm())], [goal])
    answer = solve(found, [np.array([0.0, 1e-7])], Inverse())
    assert answer.state == "reached"


def test_limits_hold_and_a_pose_that_gets_worse_is_not_kept() -> None:
    goal = PositionGoal(spot=TIP, target=(-1.0, 0.5, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm(limit=0.7))], [goal])
    work, q = new_work(found, Inverse()), np.array([0.3, -0.6])
    before = np.inf
    for _ in range(6):
        Inverse().advance(found, q, work, 5)
        squares = work[found.ints[at.COUNTS] + at.SQUARES]
        assert squares <= before
        assert np.abs(q).max() <= 0.7
        before = squares
    assert q[0] == 0.7


def test_direction_below_the_threshold_is_left_out() -> None:
    goal = PositionGoal(spot=TIP, target=(1.9, 0.1, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm())], [goal])
    _, jacobian = rows_and_jacobian(found, np.array([0.0, 0.05]))
    small = np.linalg.svd(jacobian)[1][1]
    assert small < 0.1
    with_it = first_step(found, np.array([0.0, 0.05]), Inverse(threshold=0.5 * small, largest=math.pi, share=1.0))
    without = first_step(found, np.array([0.0, 0.05]), Inverse(threshold=2.0 * small, largest=math.pi, share=1.0))
    direction = np.linalg.svd(jacobian)[2][1]
    assert abs(without @ direction) < 1e-12 < abs(with_it @ direction)
