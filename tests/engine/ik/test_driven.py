"""Driven coordinates in inverse kinematics: solvers move what drives them, and they come along."""

from __future__ import annotations

import numpy as np
import pytest

from engine.ik import layout as at
from engine.ik.constrained import ConstrainedMotion
from engine.ik.goals import BodyFrame, CentreGoal, Goal, LookAtGoal, OrientationGoal, PositionGoal, Spot
from engine.ik.methods import Terms
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.rows import evaluate
from engine.ik.solver import Budget, solve
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from tests.engine.driven_leg import BODY, leg

SLOW = {"euler": 0.03, "transpose": 0.01}  # [m] that they still miss after these iterations; they started 0.3 away
CAP, TOE = Spot(actor="me", joint="cap", point=(0.0, 0.0, 0.1)), Spot(actor="me", joint="toes", point=(0.0, -0.05, 0.1))
GOALS: dict[str, Goal] = {
    "toes": PositionGoal(spot=TOE, target=(0.1, -0.5, 0.3)),
    "kneecap": PositionGoal(spot=CAP, target=(0.02, -0.45, 0.1)),
    "from the knee": PositionGoal(spot=CAP, target=(0.0, 0.1, 0.1), frame=BodyFrame(actor="me", joint="knee")),
    "turned": OrientationGoal(spot=TOE, target=(0.9, 0.4, 0.1, 0.0)),
    "looks": LookAtGoal(spot=CAP, direction=(0.0, 0.0, 1.0), target=(0.3, 0.2, 1.0)),
    "weight": CentreGoal(actor="me", target=(0.1, -0.3, 0.0)),
}


def problem_of(*names: str) -> Problem:
    return compile_problem([Participant(actor="me", figure=leg(BODY))], [GOALS[name] for name in names])


def jacobian_of(problem: Problem, work: Array) -> Array:
    start, rows = int(problem.ints[at.JACOBIAN]), int(problem.ints[at.ROWS])
    return work[start : start + rows * problem.column_count].reshape(problem.column_count, rows).T.copy()


@pytest.mark.parametrize("name", GOALS)
def test_columns_are_those_of_finite_differences_by_what_is_free(name: str) -> None:
    problem = problem_of(name, "toes")
    work, q = problem.new_work(), problem.gather([np.array([0.3, -0.2, 0.0, 0.0, 0.9, 0.0])])
    assert {dof for _, dof in problem.columns} <= {"hip.x", "hip.z", "knee.x"}
    for _ in range(2):  # entries are added to: a second time must give the same
        evaluate(problem.packed, q, True, work)
    found = jacobian_of(problem, work)
    residual, rows = int(problem.ints[at.RESIDUAL]), int(problem.ints[at.ROWS])
    for column, (_, dof) in enumerate(problem.columns):
        place, sides = problem.model.figure.coordinate_index[f"0/{dof}"], []
        for step in (-1e-6, 1e-6):
            moved = q.copy()
            moved[place] += step
            evaluate(problem.packed, moved, False, work)
            sides.append(work[residual : residual + rows].copy())
        assert found[:, column] == pytest.approx((sides[1] - sides[0]) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("goal", ["toes", "kneecap"])
def test_every_solver_reaches_and_keeps_what_is_driven_on_its_curve(name: str, goal: str) -> None:
    figure = leg()
    driven = compile_model(figure).driven
    there = follow(driven, np.array([0.4, 0.1, 0.0, 0.0, 1.1, 0.0]))
    spot = TOE if goal == "toes" else CAP
    held = compile_problem([Participant(actor="me", figure=figure)], [PositionGoal(spot=spot, target=(0.0, 0.0, 0.0))])
    work = held.new_work()
    evaluate(held.packed, held.gather([there]), False, work)
    target = work[int(held.ints[at.RESIDUAL]) :][:3].tolist()
    goals = [PositionGoal(spot=spot, target=(target[0], target[1], target[2]))]
    problem = compile_problem([Participant(actor="me", figure=figure)], goals)
    start = follow(driven, np.array([0.0, 0.0, 0.0, 0.0, 0.4, 0.0]))
    answer = solve(problem, [start], SOLVERS[name](), budget=Budget(iterations=3000, milliseconds=4000.0, starts=0))
    assert answer.report().missed[0].by < SLOW.get(name, 2e-3)
    assert np.array_equal(answer.poses[0], follow(driven, answer.poses[0]))
    assert answer.poses[0][3] != start[3]


def test_a_constrained_drag_moves_knee_and_kneecap_together() -> None:
    me = [Participant(actor="me", figure=leg())]
    hold = PositionGoal(spot=Spot(actor="me", joint="hip"), target=(0.0, 0.0, 0.0))
    problem = compile_problem(me, [hold], tasks=[GOALS["toes"]])
    start = np.array([0.0, 0.0, 0.0, 0.0, 0.4, 0.0])
    drag = ConstrainedMotion().drag(problem, [start])
    answer = drag.pull([GOALS["toes"]], Terms(iterations=40))
    assert answer.poses[0][4] != start[4]
    assert np.array_equal(answer.poses[0], follow(compile_model(leg()).driven, answer.poses[0]))
