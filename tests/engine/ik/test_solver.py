"""`solve`: budgets, other starts, the fence, reports, and bad arguments by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.formats.figure_toml import load_figure
from engine.ik.goals import OrientationGoal, PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import Budget, Missed, new_work, solve
from engine.ik.transpose import Transpose
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidArguments
from tests.engine.ik.figures import arm

PATIENT = Budget(milliseconds=60_000.0)  # kernels may have to be compiled first
TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))


def reach(x: float, y: float) -> PositionGoal:
    return PositionGoal(spot=TIP, target=(x, y, 0.0))


def arm_problem(goal: PositionGoal | OrientationGoal, limit: float | None = None) -> Problem:
    return compile_problem([Participant(actor="arm", figure=arm(limit))], [goal])


def test_report_says_in_words_how_far_a_goal_was_missed() -> None:
    report = solve(arm_problem(reach(3.0, 0.0)), [np.array([0.1, 0.1])], Levenberg(), budget=PATIENT).report()
    assert report.state == "nearest"
    assert report.missed[0].text == "missed by 1000 mm"
    assert report.residual == pytest.approx(1.0, abs=1e-6)
    assert report.iterations > 0
    assert len(report.curve) > 0
    assert report.curve[-1] == pytest.approx(report.residual)


def test_reached_goal_says_so_and_a_turn_is_told_in_degrees() -> None:
    report = solve(arm_problem(reach(1.0, 1.0)), [np.array([0.1, 0.1])], Levenberg(), budget=PATIENT).report()
    assert (report.state, report.missed[0].text, report.missed[0].reached) == ("reached", "reached", True)
    assert Missed(goal=0, by=math.radians(12.34), turn=True, reached=False).text == "missed by 12.3\N{DEGREE SIGN}"
    quarter = (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5))
    found = arm_problem(OrientationGoal(spot=TIP, target=quarter), limit=0.5)
    turned = solve(found, [np.zeros(2)], Levenberg(), budget=PATIENT).report()
    assert turned.missed[0].turn
    assert turned.missed[0].by == pytest.approx(0.5 * math.pi - 1.0, abs=1e-3)


def test_report_lists_the_limits_that_hold_the_pose() -> None:
    report = solve(arm_problem(reach(-2.0, 0.5), limit=0.7), [np.zeros(2)], Levenberg(), budget=PATIENT).report()
    assert report.active == (("arm", "a"), ("arm", "b"))


def test_given_pose_is_not_changed_and_the_same_question_has_the_same_answer() -> None:
    pose = np.array([0.1, 0.1])
    found = arm_problem(reach(0.5, 1.1))
    work = new_work(found, Levenberg())
    first = solve(found, [pose], Levenberg(), work=work)
    assert pose.tolist() == [0.1, 0.1]
    solve(found, [np.array([-1.0, 2.0])], Levenberg(), work=work)
    again = solve(found, [pose], Levenberg(), work=work)
    assert (again.q == first.q).all()


def test_another_start_is_tried_where_limits_leave_no_way_and_told() -> None:
    """The elbow stands at its limit, bent the wrong way for this target; the way to the other elbow leads away."""
    found = arm_problem(reach(0.0, 1.0), limit=2.2)
    stuck = np.array([2.2, -2.0])
    assert solve(found, [stuck], Levenberg(), budget=Budget(starts=0, iterations=200)).state in ("nearest", "reached")
    assert solve(found, [stuck], Levenberg()).state == "reached"


def test_without_other_starts_the_iterations_are_those_of_the_budget() -> None:
    slow = Transpose(length=1e-5)
    budget = Budget(iterations=slow.patience + 50, starts=0, milliseconds=10_000.0)
    assert solve(arm_problem(reach(0.0, 1.0)), [np.array([0.1, 0.9])], slow, budget=budget).iterations == 250


def test_near_keeps_the_branch_as_long_as_that_meets_the_goal() -> None:
    found, pose = arm_problem(reach(1.2, 0.9)), np.array([0.1, 0.9])
    start = solve(found, [pose], Levenberg()).poses[0]
    close = arm_problem(reach(1.2, 0.92))
    answer = solve(close, [start], Levenberg(), near=math.radians(5.0))
    assert (answer.state, answer.branch_changed) == ("reached", False)
    assert np.abs(answer.poses[0] - start).max() <= math.radians(5.0) + 1e-12


def test_leaving_the_branch_is_reported() -> None:
    found = arm_problem(reach(-1.2, -0.9))
    answer = solve(found, [np.array([0.1, 0.9])], Levenberg(), near=math.radians(5.0))
    assert (answer.state, answer.branch_changed) == ("reached", True)
    assert not answer.report().active


def test_budget_in_milliseconds_ends_a_search() -> None:
    answer = solve(arm_problem(reach(9.0, 0.0), 1.0), [np.zeros(2)], Levenberg(), budget=Budget(milliseconds=1e-6))
    assert answer.state == "out of time"
    assert np.isfinite(answer.poses[0]).all()


@pytest.mark.parametrize("arguments", [{"iterations": 0}, {"starts": -1}, {"milliseconds": 0.0}])
def test_budget_of_nothing_is_refused(arguments: dict[str, int]) -> None:
    with pytest.raises(InvalidArguments, match=r"the budget of a solve"):
        Budget(**arguments)  # type: ignore[arg-type]


def test_pose_that_is_not_finite_is_refused() -> None:
    with pytest.raises(InvalidArguments, match=r"the pose to start from.*finite"):
        solve(arm_problem(reach(1.0, 1.0)), [np.array([math.nan, 0.0])], Levenberg())


def test_report_of_a_leap_tells_of_the_pose_that_was_taken_not_of_one_that_was_looked_at_after_it() -> None:
    figure, rng, changed = load_figure("human"), np.random.default_rng(1), 0
    rest = compile_model(figure).rest
    spots = [Spot(actor="me", joint=joint) for joint in ("wrist_left", "wrist_right", "ankle_left", "ankle_right")]
    places = [(0.0, 1.2, 0.0), (0.0, 1.2, 0.0), (0.1, 0.1, 0.0), (-0.1, 0.1, 0.0)]
    for _ in range(10):
        hands, feet = rng.uniform(-0.7, 0.7, (2, 3)), np.zeros((2, 3))
        targets = (np.array(places) + np.vstack((hands, feet))).tolist()
        goals = [PositionGoal(spot=spot, target=(x, y, z)) for spot, (x, y, z) in zip(spots, targets, strict=True)]
        problem = compile_problem([Participant(actor="me", figure=figure)], goals)
        answer = solve(problem, [rest + rng.uniform(-1.0, 1.0, len(rest))], Levenberg(), budget=PATIENT, near=0.05)
        if answer.state == "reached":
            changed += answer.branch_changed
            assert all(each.reached for each in answer.report().missed)
            assert answer.report().residual <= 2e-3
    assert changed > 0, "else nothing was shown"


@pytest.mark.parametrize("near", [math.nan, -0.1])
def test_angle_to_stay_within_that_is_none_is_refused(near: float) -> None:
    with pytest.raises(InvalidArguments, match="how near to stay"):
        solve(arm_problem(reach(0.5, 0.5)), [np.zeros(2)], Levenberg(), near=near)
