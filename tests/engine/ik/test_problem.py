"""Problems: poses gathered and scattered, targets and goals replaced, what is kept, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.document.actor import Placement
from engine.ik import layout as at
from engine.ik.goals import Goal, PlaneGoal, PoseGoal, PositionGoal, Spot
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.maths.arrays import Array
from engine.runtime.errors import EngineError, InvalidArguments, UnknownPart
from tests.engine.ik.figures import branching, random_pose
from tests.engine.ik.test_rows import rows_and_jacobian

ARM = Spot(actor="one", joint="left_arm", point=(0.1, 0.0, 0.0))
GOAL = PositionGoal(spot=ARM, target=(0.3, 0.2, 0.1))


def two(goals: list[PositionGoal]) -> Problem:
    figure = branching()
    return compile_problem(
        [
            Participant(actor="one", figure=figure),
            Participant(actor="two", figure=figure, placement=Placement(position=(1.0, 0.0, 0.0))),
        ],
        goals,
    )


def test_gather_and_scatter_are_inverse_and_leave_the_rest_alone() -> None:
    figure = branching()
    found = two([GOAL, PositionGoal(spot=Spot(actor="two", joint="trunk"), target=(0.0, 0.0, 0.0))])
    poses = [random_pose(figure, 1), random_pose(figure, 2)]
    kept = [pose.copy() for pose in poses]
    q = found.gather(poses)
    assert all((a == b).all() for a, b in zip(found.scatter(q, poses), poses, strict=True))
    other = found.scatter(q + 1.0, poses)
    assert all((a == b).all() for a, b in zip(poses, kept, strict=True))
    for place, name in enumerate(figure.coordinates):
        dof = figure.coordinate_dof[name].id
        on_chain = dof.startswith(("move", "ball", "bend", "stretch"))
        assert other[0][place] - poses[0][place] == pytest.approx(
            float(on_chain or dof.startswith(("left_s", "left_l")))
        )
        assert other[1][place] - poses[1][place] == pytest.approx(float(on_chain))


def test_only_joints_that_a_goal_depends_on_are_kept() -> None:
    found = two([GOAL])
    assert [joint.id for joint in found.model.figure.joints] == ["0", "0/root", "0/trunk", "0/left_arm", "1"]


def test_targets_move_and_a_goal_is_replaced_without_packing_again() -> None:
    found = two([GOAL])
    q = found.gather([random_pose(branching(), 1), random_pose(branching(), 2)])
    before = rows_and_jacobian(found, q)[0]
    found.set_targets(np.array([[0.3, 0.2, 1.1]]))
    assert rows_and_jacobian(found, q)[0] - before == pytest.approx([0.0, 0.0, -1.0])
    found.set_goal(0, PositionGoal(spot=ARM, target=(0.3, 0.2, 0.1), weight=4.0))
    assert rows_and_jacobian(found, q)[0] == pytest.approx(2.0 * before)
    with pytest.raises(InvalidArguments, match=r"the new goal.*PoseGoal.*the same kind"):
        found.set_goal(0, PoseGoal(spot=ARM, position=(0.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)))


def test_stiffness_is_the_inverse_of_mobility_and_what_may_not_move_has_no_column() -> None:
    figure = branching()
    participant = Participant(
        actor="one", figure=figure, movable=frozenset({"bend", "left_swing"}), stiffness={"bend": 4.0}
    )
    found = compile_problem([participant], [GOAL])
    assert [name for _, name in found.columns] == ["bend", "left_swing"]
    first = int(found.ints[at.COLUMN_FLOATS])
    table = found.floats[first : first + 2 * at.COLUMN_WIDTH].reshape(2, -1)
    assert table[:, at.MOBILITY] == pytest.approx([0.25, 1.0])
    assert table[:, at.LOWER : at.UPPER + 1] == pytest.approx(np.array([[-2.0, 2.2], [-2.0, 2.2]]))


def test_matrix_over_all_rows_weighs_their_products() -> None:
    figure, pose = branching(), random_pose(branching(), 3)
    participant = Participant(actor="one", figure=figure)
    noise = np.random.default_rng(2).normal(size=(3, 3))
    matrix = noise @ noise.T + np.eye(3)
    plain = compile_problem([participant], [GOAL])
    mixed = compile_problem([participant], [GOAL], matrix=matrix)
    q = plain.gather([pose])
    r, jacobian = rows_and_jacobian(plain, q)
    for _ in range(2):
        s, mixed_jacobian = rows_and_jacobian(mixed, q)
        assert s @ s == pytest.approx(r @ matrix @ r)
        assert mixed_jacobian.T @ mixed_jacobian == pytest.approx(jacobian.T @ matrix @ jacobian)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.eye(2), r"the weight matrix.*3 x 3"),
        (np.diag([1.0, 1.0, -1.0]), r"the weight matrix.*positive definite"),
        (np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), r"the weight matrix.*symmetric"),
    ],
)
def test_matrix_that_is_none_is_refused(matrix: Array, words: str) -> None:
    with pytest.raises(InvalidArguments, match=words):
        compile_problem([Participant(actor="one", figure=branching())], [GOAL], matrix=matrix)


@pytest.mark.parametrize(
    ("goal", "error", "words"),
    [
        (PositionGoal(spot=Spot(actor="nobody", joint="root"), target=(0.0, 0.0, 0.0)), UnknownPart, "nobody"),
        (
            PlaneGoal(spot=Spot(actor="one", joint="wing"), point=(0.0, 0.0, 0.0), normal=(0.0, 1.0, 0.0)),
            UnknownPart,
            "wing",
        ),
    ],
)
def test_goal_of_what_is_not_there_is_refused_by_name(goal: Goal, error: type[EngineError], words: str) -> None:
    with pytest.raises(error, match=words):
        compile_problem([Participant(actor="one", figure=branching())], [goal])


def test_one_actor_twice_is_refused() -> None:
    participant = Participant(actor="one", figure=branching())
    with pytest.raises(InvalidArguments, match=r"the actors.*each once"):
        compile_problem([participant, participant], [GOAL])


@pytest.mark.parametrize("value", [math.nan, math.inf, -1.0])
def test_stiffness_pull_or_tolerance_that_is_no_number_is_refused(value: float) -> None:
    figure, goals = branching(), [PositionGoal(spot=Spot(actor="one", joint="root"), target=(0.0, 0.0, 0.0))]
    with pytest.raises(InvalidArguments, match="the stiffness of bend is"):
        compile_problem([Participant(actor="one", figure=figure, stiffness={"bend": value})], goals)
    with pytest.raises(InvalidArguments, match="the tolerances is"):
        compile_problem([Participant(actor="one", figure=figure)], goals, tolerance=value)
    for field in ("rest", "comfort", "gain"):
        pull: dict[str, Any] = {field: value}
        with pytest.raises(InvalidArguments, match="the pulls of a preference is"):
            Preference(**pull)


def test_tolerance_of_nothing_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="the tolerances is"):
        compile_problem([Participant(actor="one", figure=branching())], [], tolerance=0.0)


@pytest.mark.parametrize("field", [{"movable": frozenset({"bent"})}, {"stiffness": {"bent": 1.0}}])
def test_freedom_that_the_figure_does_not_have_is_refused_by_name(field: dict[str, Any]) -> None:
    with pytest.raises(UnknownPart, match="no degree of freedom 'bent'"):
        compile_problem([Participant(actor="one", figure=branching(), **field)], [])


def test_pose_of_another_length_is_refused() -> None:
    problem = compile_problem([Participant(actor="one", figure=branching())], [])
    with pytest.raises(InvalidArguments, match="the pose of one is '3 numbers'"):
        problem.gather([np.zeros(3)])
