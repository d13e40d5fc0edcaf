"""What is called the nearest pose: never farther than the start, and found where small steps lead nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from engine.formats.figure_toml import load_figure
from engine.ik.dynamic import Euler
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, compile_problem
from engine.ik.projected_gradient import ProjectedGradient
from engine.ik.solver import Budget, Solver, missed_in, solve
from engine.ik.transpose import Transpose, TransposeByModel
from engine.model.compile import compile_model
from tests.engine.ik.test_descent import arm, problem_of

PATIENT = Budget(milliseconds=60_000.0)
HAND = Spot(actor="me", joint="wrist_right")


@pytest.mark.parametrize(
    "solver", [Transpose(), Transpose(length=1.25), TransposeByModel(), Euler()], ids=lambda each: each.label
)
def test_no_answer_is_farther_than_the_start(solver: Solver) -> None:
    """The steps of these go on whether or not they lead away; a drag is what they are given."""
    figure, rng = load_figure("human"), np.random.default_rng(5)
    rest, nearer = compile_model(figure).rest, 0
    for _ in range(20):
        x, y, z = rng.uniform(-1.5, 1.5, 3).tolist()
        goal = PositionGoal(spot=HAND, target=(x, 1.0 + y, z))
        problem = compile_problem([Participant(actor="me", figure=figure)], [goal])
        found = solve(problem, [rest], solver, budget=Budget(iterations=30, starts=0, milliseconds=60_000.0))
        before, after = missed_in(problem, [rest])[0].by, missed_in(problem, found.poses)[0].by
        assert after <= before + 1e-12
        assert found.report().missed[0].by == pytest.approx(after, abs=1e-9), (
            "the report tells of the pose that is kept"
        )
        nearer += after < before - 1e-3
    assert nearer or solver == Transpose(length=1.25), "some come nearer, but where every step is too long"


@pytest.mark.parametrize("solver", [Levenberg(), ProjectedGradient()], ids=lambda each: each.label)
@pytest.mark.parametrize("near", [None, 0.2])
def test_a_straight_chain_folds_towards_a_goal_that_it_cannot_reach(solver: Solver, near: float | None) -> None:
    problem = problem_of(arm(1.0, 0.5), 0.5, (0.459, 0.0, 0.0))
    found = solve(problem, [np.zeros(2)], solver, budget=PATIENT, near=near)
    assert found.state == "nearest"
    assert missed_in(problem, found.poses)[0].by == pytest.approx(0.041, abs=1e-4), "1041 mm straight, 41 mm folded"


def test_a_chain_that_is_stretched_as_far_as_it_goes_stays() -> None:
    problem = problem_of(arm(1.0, 0.5), 0.5, (2.0, 0.0, 0.0))
    found = solve(problem, [np.zeros(2)], Levenberg(), budget=PATIENT, near=0.2)
    assert np.abs(found.poses[0]).max() < 1e-6
    assert not found.branch_changed
