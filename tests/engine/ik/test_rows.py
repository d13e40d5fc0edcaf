"""The residual of every kind of goal, and its Jacobian against finite differences."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Figure
from engine.document.actor import Placement
from engine.formats.figure_toml import load_figure
from engine.ik import layout as at
from engine.ik.goals import (
    BodyAxis,
    BodyFrame,
    CentreGoal,
    Goal,
    LineGoal,
    LookAtGoal,
    MeetGoal,
    OrientationGoal,
    PlaneGoal,
    PoseGoal,
    PositionGoal,
    Spot,
)
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.rows import evaluate
from engine.ik.solver import solve
from engine.ik.steps import move_pose
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.inertia import masses_of
from engine.model.kinematics import compute_forward_kinematics
from tests.conformance.gradients import assert_gradient
from tests.engine.ik.figures import branching, random_pose

LEVENBERG = Levenberg()
TURN = (0.8, 0.2, -0.4, 0.4)
MATRIX = ((2.0, 0.3, 0.0), (0.3, 1.0, -0.2), (0.0, -0.2, 0.5))


def spot(actor: str = "one", joint: str = "left_tip") -> Spot:
    return Spot(actor=actor, joint=joint, point=(0.1, -0.2, 0.3))


GOALS: dict[str, Goal] = {
    "position": PositionGoal(spot=spot(), target=(0.3, 0.2, 0.1), weight=2.0),
    "position with a matrix": PositionGoal(spot=spot(), target=(0.3, 0.2, 0.1), weight=MATRIX),
    "position in a frame of the same figure": PositionGoal(
        spot=spot(), target=(0.3, 0.2, 0.1), frame=BodyFrame(actor="one", joint="right_tip")
    ),
    "position in a frame of another figure": PositionGoal(
        spot=spot(), target=(0.3, 0.2, 0.1), weight=MATRIX, frame=BodyFrame(actor="two", joint="left_tip")
    ),
    "orientation": OrientationGoal(spot=spot(), target=TURN),
    "one axis in a frame": OrientationGoal(
        spot=spot(), target=TURN, axes=("k",), frame=BodyFrame(actor="two", joint="right_tip")
    ),
    "pose": PoseGoal(spot=spot(), position=(0.1, 0.2, 0.3), rotation=TURN),
    "look at": LookAtGoal(spot=spot(), target=(2.0, 1.0, 0.5), direction=(0.0, 1.0, 1.0)),
    "look at a part of another figure": LookAtGoal(
        spot=spot(), target=(0.1, 0.0, 0.2), frame=BodyFrame(actor="two", joint="right_tip")
    ),
    "plane": PlaneGoal(spot=spot(), point=(0.0, 0.3, 0.0), normal=(0.2, 1.0, 0.0)),
    "plane of a body": PlaneGoal(
        spot=spot(), point=(0.0, 0.3, 0.0), normal=(0.2, 1.0, 0.0), frame=BodyFrame(actor="one", joint="right_tip")
    ),
    "line": LineGoal(spot=spot(), point=(0.0, 0.3, 0.0), direction=(0.2, 1.0, 0.5)),
    "meeting": MeetGoal(first=spot(), second=Spot(actor="two", joint="left_tip", point=(0.0, 0.1, 0.0))),
    "meeting within one figure": MeetGoal(first=spot(), second=spot(joint="right_tip")),
    "centre of mass": CentreGoal(actor="one", target=(0.1, 0.5, 0.2)),
    "centre of mass over a place": CentreGoal(actor="two", target=(0.1, 0.5, 0.2), axes=("x", "z"), weight=3.0),
}


def problem(goals: list[Goal], matrix: Array | None = None) -> tuple[Problem, Array]:
    figure: Figure = branching()
    placement = Placement(position=(0.4, 0.1, -0.3), rotation=(0.7, 0.1, 0.7, -0.1))
    participants = [
        Participant(actor="one", figure=figure),
        Participant(actor="two", figure=figure, placement=placement),
    ]
    found = compile_problem(participants, goals, matrix=matrix)
    poses = [random_pose(figure, 3), random_pose(figure, 4)]
    return found, found.gather(poses)


def rows_and_jacobian(found: Problem, q: Array) -> tuple[Array, Array]:
    work = found.new_work()
    evaluate(found.packed, q, True, work)
    rows = int(found.ints[at.ROWS])
    residual = work[found.ints[at.RESIDUAL] :][:rows]
    jacobian = work[found.ints[at.JACOBIAN] :][: rows * found.column_count].reshape(-1, rows).T
    return residual.copy(), jacobian.copy()


@pytest.mark.parametrize("name", GOALS)
def test_jacobian_is_the_derivative_of_the_residual(name: str) -> None:
    found, q = problem([GOALS[name]])
    check(found, q)


def test_jacobian_holds_for_all_goals_together_and_a_matrix_over_them() -> None:
    goals = list(GOALS.values())
    height = problem(goals)[0].row_count
    noise = np.random.default_rng(1).normal(size=(height, height))
    found, q = problem(goals, matrix=noise @ noise.T + np.eye(height))
    check(found, q)


def check(found: Problem, q: Array) -> None:
    def residual(step: Array) -> Array:
        moved = q.copy()
        move_pose(found.ints, found.floats, found.regions.buffers, q, step, 1.0, moved)
        return rows_and_jacobian(found, moved)[0]

    assert_gradient(residual, rows_and_jacobian(found, q)[1], np.zeros(found.column_count))


@pytest.mark.parametrize(("axes", "rank"), [(("k",), 2), (("i", "k"), 3), (("i", "j", "k"), 3)])
def test_independent_orientation_has_as_many_rows_as_it_takes_freedom(axes: tuple[BodyAxis, ...], rank: int) -> None:
    figure = branching()
    goal = OrientationGoal(spot=spot(), target=TURN, axes=axes, frame=BodyFrame(actor="one", joint="right_tip"))
    found = compile_problem([Participant(actor="one", figure=figure)], [goal], independent=True)
    assert found.row_count == rank
    check(found, found.gather([random_pose(figure, 3)]))
    answer = solve(
        compile_problem(found.participants, [goal], turn_tolerance=1e-9), [random_pose(figure, 3)], LEVENBERG
    )
    residual, jacobian = rows_and_jacobian(found, found.gather(answer.poses))
    assert answer.state == "reached"
    assert np.abs(residual).max() < 1e-8
    assert np.linalg.cond(jacobian) < 1e3


def test_the_centre_of_mass_is_that_of_the_bodies() -> None:
    figure = load_figure("human")
    pose = random_pose(figure, 3)
    found = compile_problem(
        [Participant(actor="one", figure=figure)], [CentreGoal(actor="one", target=(0.0, 0.0, 0.0))]
    )
    model, masses = compile_model(figure), masses_of(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, pose, state)
    frames = model.transforms(state)
    centres = np.einsum("nij,nj->ni", frames[:, :9].reshape(-1, 3, 3), masses[:, 1:]) + frames[:, 9:]
    wanted = masses[:, 0] @ centres / masses[:, 0].sum()
    np.testing.assert_allclose(rows_and_jacobian(found, found.gather([pose]))[0], wanted, atol=1e-12)


def test_residual_vanishes_where_a_meeting_holds() -> None:
    found, q = problem([MeetGoal(first=spot(), second=spot())])
    assert np.abs(rows_and_jacobian(found, q)[0]).max() == 0.0
