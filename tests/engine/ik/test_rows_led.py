"""Poses led side by side: byte for byte what `solve` makes of each alone, with any solver, in limits of any kind."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ik.damped import Damped
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.rows_led import lead_rows
from engine.ik.solver import Budget, Solver, new_work, solve
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from tests.engine.ik.figures import branching, random_pose
from tests.engine.ik.regions import with_fields

ITERATIONS = 45  # more than are done in one call
ALONE = Budget(iterations=ITERATIONS, milliseconds=math.inf, starts=0)
SOLVERS: tuple[Solver, ...] = (Levenberg(ease=0.0), Levenberg(), Damped())


def problem(*, apart: float = 0.0, fields: bool = False) -> Problem:
    """Both hands held, `apart` further from each other than they are in a pose."""
    figure = with_fields(branching(), "sampled") if fields else branching()
    left, right = (Spot(actor="me", joint=f"{side}_tip", point=(0.1, 0.0, 0.0)) for side in ("left", "right"))
    goals = (
        PositionGoal(spot=left, target=(0.5 + apart, 0.6, 0.3)),
        PositionGoal(spot=right, target=(-0.4 - apart, 0.5, 0.2)),
    )
    return compile_problem([Participant(actor="me", figure=figure)], goals, tolerance=1e-8, turn_tolerance=1e-8)


def poses(count: int = 6) -> list[Array]:
    return [random_pose(branching(), seed) for seed in range(count)]


@pytest.mark.parametrize("solver", SOLVERS, ids=["levenberg", "eased", "damped"])
@pytest.mark.parametrize("apart", [0.0, 2.0], ids=["reached", "too far"])
def test_each_is_the_pose_that_solve_finds_from_there_alone(solver: Solver, apart: float) -> None:
    found = problem(apart=apart)
    rows = np.array([found.gather([pose]) for pose in poses()])
    left = lead_rows(found, solver, rows, new_work(found, solver), ITERATIONS)
    answers = [solve(found, [pose], solver, budget=ALONE) for pose in poses()]
    for row, by, answer in zip(rows, left, answers, strict=True):
        assert row.tobytes() == answer.q.tobytes()
        assert by == (0.0 if answer.state == "reached" else math.sqrt(answer.squares))
    assert (left.min() == 0.0) == (apart == 0.0)
    assert max(answer.iterations for answer in answers) > (20 if apart else 1)


def test_limits_over_several_angles_are_kept_as_solve_keeps_them() -> None:
    solver, found = Levenberg(ease=0.0), problem(fields=True)
    rows = np.array([found.gather([pose]) for pose in poses()])
    lead_rows(found, solver, rows, new_work(found, solver), ITERATIONS)
    for row, pose in zip(rows, poses(), strict=True):
        assert row.tobytes() == solve(found, [pose], solver, budget=ALONE).q.tobytes()


@pytest.mark.parametrize("solver", SOLVERS, ids=["levenberg", "eased", "damped"])
def test_without_iterations_poses_are_looked_at_and_left(solver: Solver) -> None:
    found = problem()
    reached = solve(found, [poses()[0]], Levenberg(), budget=ALONE)
    assert reached.state == "reached"
    rows = np.array([reached.q, *(found.gather([pose]) for pose in poses())])
    before = rows.copy()
    left = lead_rows(found, solver, rows, new_work(found, solver), 0)
    assert rows.tobytes() == before.tobytes()
    assert left[0] == 0.0
    assert left[1:].min() > 0.1


def test_a_pose_that_is_not_finite_is_refused() -> None:
    solver, found = Levenberg(), problem()
    rows = np.array([found.gather([pose]) for pose in poses()])
    rows[2, 1] = np.nan
    with pytest.raises(InvalidArguments, match="pose to start from"):
        lead_rows(found, solver, rows, new_work(found, solver), 5)
