"""Levenberg-Marquardt within limits: closed forms, the linear model, preferences, and joints eased off their limits."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Figure
from engine.document.values import Vector3
from engine.ik import layout as at
from engine.ik.columns import add_outer
from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg, ease_off, find_mobility
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.ik.rows import evaluate
from engine.ik.solver import new_work, solve
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from tests.benchmarks.reacher import ACTOR, SPOTS, move, reacher
from tests.engine.ik.figures import arm, branching, random_pose
from tests.engine.ik.test_rows import GOALS, problem, rows_and_jacobian, spot

TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))


def test_two_links_end_at_one_of_the_two_elbows_of_the_cosine_rule() -> None:
    target = (1.1, 0.6, 0.0)
    found = compile_problem(
        [Participant(actor="arm", figure=arm())], [PositionGoal(spot=TIP, target=target)], tolerance=1e-9
    )
    answer = solve(found, [np.array([0.2, 0.3])], Levenberg())
    bend = math.acos((target[0] ** 2 + target[1] ** 2 - 2.0) / 2.0)
    assert answer.state == "reached"
    assert answer.poses[0][1] == pytest.approx(bend, abs=1e-7)
    assert answer.poses[0][0] == pytest.approx(math.atan2(target[1], target[0]) - 0.5 * bend, abs=1e-7)


def test_unreachable_target_ends_with_the_arm_stretched_towards_it() -> None:
    goal = PositionGoal(spot=TIP, target=(3.0, 3.0, 0.0))
    answer = solve(
        compile_problem([Participant(actor="arm", figure=arm())], [goal]), [np.array([0.2, 0.3])], Levenberg()
    )
    assert answer.state == "nearest"
    assert answer.report().missed[0].by == pytest.approx(math.sqrt(18.0) - 2.0, abs=1e-4)


def test_outer_products_are_those_of_the_dense_matrix_whatever_the_rows_of_the_goals() -> None:
    found, q = problem(list(GOALS.values()))
    _, dense = rows_and_jacobian(found, q)
    height = found.row_count
    work, a = found.new_work(), np.zeros(height * height)
    evaluate(found.packed, q, True, work)
    for column in range(found.column_count):
        add_outer(found.ints, work[found.ints[at.JACOBIAN] :], column, 1.0 + column, a)
    wanted = dense @ np.diag(1.0 + np.arange(found.column_count)) @ dense.T
    assert np.abs(np.tril(a.reshape(height, height) - wanted)).max() < 1e-10


def _one_joint(figure: Figure, angle: float, target: Vector3) -> tuple[Problem, Array, Array]:
    """The elbow alone, evaluated at an angle."""
    arms = [Participant(actor="arm", figure=figure, movable=frozenset({"b"}))]
    found = compile_problem(arms, [PositionGoal(spot=TIP, target=target)])
    work, q = found.new_work(), np.array([0.0, angle])
    evaluate(found.packed, q, True, work)
    return found, q, work


@pytest.mark.parametrize(
    ("angle", "wish", "mobility"),
    [(0.99, 0.0, 1.0), (1.0, 0.0, 0.0), (1.0, 0.1, 0.0), (1.0, -0.1, 1.0), (-1.0, 0.0, 1.0)],
)
def test_joint_is_held_at_the_limit_that_it_is_driven_against_only(angle: float, wish: float, mobility: float) -> None:
    found, q, work = _one_joint(arm(limit=1.0), angle, (1.0, 1.0, 0.0))
    assert find_mobility(found.ints, found.floats, q, work, 0, wish) == mobility


def test_joint_is_eased_to_its_middle_by_how_far_the_goal_is_away() -> None:
    for away, share in ((0.0, 0.0), (0.1, 0.04), (1.0, 0.4), (9.0, 1.0)):
        found, q, work = _one_joint(arm(limit=1.0), 0.0, (2.0, away, 0.0))
        q[1], wish = 0.8, np.zeros(1)
        assert ease_off(found.ints, found.floats, q, work, 0.4, wish) == (away > 0.0)
        assert wish[0] == pytest.approx(-0.8 * share)


def test_pose_that_meets_its_goals_is_not_eased() -> None:
    figure = branching()
    pose = random_pose(figure, 5)
    goal = PositionGoal(spot=spot(), target=tuple(map(float, _tip(pose))))  # type: ignore[arg-type]
    found = compile_problem([Participant(actor="one", figure=figure)], [goal])
    answer = solve(found, [pose], Levenberg(ease=2.0))
    assert np.abs(answer.poses[0] - pose).max() < 1e-12


def test_step_that_would_pass_a_limit_stops_on_it_and_others_take_over() -> None:
    """With the elbow held at 0.5 rad the shoulder alone turns the tip's direction to the target's."""
    goal = PositionGoal(spot=TIP, target=(0.0, 1.9, 0.0))
    found = compile_problem([Participant(actor="arm", figure=arm(limit=3.0))], [goal])
    limits = found.floats[found.ints[at.COLUMN_FLOATS] :]
    limits[at.COLUMN_WIDTH + at.UPPER] = 0.5
    answer = solve(found, [np.array([0.0, 0.4])], Levenberg())
    assert answer.poses[0][1] <= 0.5
    assert answer.report().missed[0].by < 0.04


@pytest.mark.parametrize("preference", [Preference(comfort=1.0), Preference(rest=1.0)])
def test_preference_moves_the_null_space_and_leaves_the_goals_alone(preference: Preference) -> None:
    figure = branching()
    pose = random_pose(figure, 5)
    target = tuple(map(float, _tip(pose)))
    goal = PositionGoal(spot=spot(), target=(target[0], target[1], target[2]))
    found = compile_problem([Participant(actor="one", figure=figure)], [goal], preference=preference, tolerance=1e-6)
    q, solver = found.gather([pose]), Levenberg(ease=0.0)
    work = new_work(found, solver)
    q[found.model.figure.coordinate_index["0/left_lift"]] += 0.02
    before = _wish(found, q)
    for _ in range(20):
        work[found.ints[at.COUNTS] : found.ints[at.COUNTS] + at.COUNT] = 0.0
        assert solver.advance(found, q, work, 60) <= 1.0
    assert _wish(found, q) < 0.98 * before


def test_step_of_a_preference_alone_disturbs_the_goals_to_second_order_only() -> None:
    figure = branching()
    pose = random_pose(figure, 5)
    missed = []
    for gain in (0.02, 0.01):
        goal = PositionGoal(spot=spot(), target=tuple(map(float, _tip(pose))))  # type: ignore[arg-type]
        found = compile_problem(
            [Participant(actor="one", figure=figure)],
            [goal],
            preference=Preference(comfort=1.0, gain=gain),
            tolerance=1e-15,
        )
        q, solver = found.gather([pose]), Levenberg(damping=1e-6, least=1e-12, ease=0.0)
        q[found.model.figure.coordinate_index["0/left_lift"]] += 1e-9
        step = _first_step(found, q, solver)
        _, jacobian = rows_and_jacobian(found, q)
        assert np.linalg.norm(step) > 1e-3
        missed.append(float(np.linalg.norm(jacobian @ step)) / float(np.linalg.norm(step)))
    assert max(missed) < 1e-5


def test_smooth_motion_of_a_person_stays_smooth() -> None:
    """The motion that led Levenberg-Marquardt onto its limits until it leapt: eased off them it does not."""
    figure = reacher()
    goals = [PositionGoal(spot=each, target=(0.0, 0.0, 0.0)) for each in SPOTS.values()]
    found = compile_problem([Participant(actor=ACTOR, figure=figure)], goals, tolerance=0.01)
    motion = move(figure, np.linspace(0.0, 2.0, 41), 112)
    largest = {}
    for ease in (0.0, 0.4):
        pose, turns = motion[0], []
        for q in motion[1:]:
            found.set_targets(_spots(found, q))
            answer = solve(found, [pose], Levenberg(ease=ease))
            assert answer.state == "reached"
            turns.append(float(np.abs(answer.poses[0] - pose).max()))
            pose = answer.poses[0]
        largest[ease] = max(turns)
    assert largest[0.4] < 0.3 < largest[0.0]


def test_option_outside_its_range_is_refused_with_the_range() -> None:
    with pytest.raises(InvalidArguments, match=r"Eased off the limits.*9.*0\.0 to 2\.0"):
        Levenberg(ease=9.0)


def _tip(pose: Array) -> Array:
    """Where the spot of the branching figure is."""
    found = compile_problem(
        [Participant(actor="one", figure=branching())], [PositionGoal(spot=spot(), target=(0.0, 0.0, 0.0))]
    )
    return rows_and_jacobian(found, found.gather([pose]))[0]


def _spots(found: Problem, q: Array) -> Array:
    """Where the spots of a problem are in a pose of its figure."""
    targets = np.zeros((len(found.owners), 3))
    found.set_targets(targets)
    return rows_and_jacobian(found, found.gather([q]))[0].reshape(-1, 3)


def _columns(found: Problem) -> Array:
    first, count = int(found.ints[at.COLUMN_FLOATS]), found.column_count
    return found.floats[first : first + count * at.COLUMN_WIDTH].reshape(count, -1)


def _wish(found: Problem, q: Array) -> float:
    """What the preferences would have less of."""
    first, count = int(found.ints[at.COLUMNS_AT]), found.column_count
    table = found.ints[first : first + count * at.COLUMN_INTS].reshape(count, -1)
    numbers = _columns(found)
    return float(np.sum(numbers[:, at.PULL] * (q[table[:, at.COORDINATE]] - numbers[:, at.PREFERRED]) ** 2))


def _first_step(found: Problem, q: Array, solver: Levenberg) -> Array:
    work = new_work(found, solver)
    solver.advance(found, q.copy(), work, 1)
    return work[int(found.ints[at.SOLVER]) :][: found.column_count].copy()
