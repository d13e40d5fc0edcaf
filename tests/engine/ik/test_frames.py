"""Frames of a drag while its goals move: few iterations each, other starts beside, and in the end the same answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.ik.goals import PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import Answer, Budget, FrameMemory, Solver, solve
from engine.ik.transpose import Transpose
from engine.maths.arrays import Array
from tests.engine.ik.figures import arm

TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))
PATIENT, NEAR = Budget(milliseconds=60_000.0), math.radians(5.0)
STUCK = np.array([2.2, -2.0])  # the elbow at its limit, bent the wrong way for what lies above
MOST = 12  # iterations in a frame, by Levenberg-Marquardt


def problem_of(x: float = 0.0, y: float = 1.0, limit: float | None = 2.2) -> Problem:
    goal = PositionGoal(spot=TIP, target=(x, y, 0.0))
    return compile_problem([Participant(actor="arm", figure=arm(limit))], [goal])


def frames(
    problem: Problem, targets: Array, solver: Solver, memory: FrameMemory | None, start: Array = STUCK
) -> list[Answer]:
    """A drag along targets."""
    found: list[Answer] = []
    for target in targets:
        problem.set_targets(target[None])
        start = found[-1].poses[0] if found else start
        found.append(solve(problem, [start], solver, budget=PATIENT, near=NEAR, memory=memory))
    return found


def line(count: int, first: tuple[float, float], last: tuple[float, float]) -> Array:
    return np.column_stack((np.linspace(first, last, count), np.zeros(count)))


def moving() -> FrameMemory:
    memory = FrameMemory()
    memory.moves = True
    return memory


def test_another_start_is_followed_over_several_frames_until_it_reaches() -> None:
    memory = moving()
    found = frames(problem_of(), line(12, (0.0, 1.0), (0.05, 1.0)), Levenberg(), memory)
    states = [each.state for each in found]
    first = states.index("reached")
    assert 0 < first < 8
    assert states == ["on the way"] * first + ["reached"] * (12 - first), "once there, it goes on from there"
    assert all(each.iterations <= MOST for each in found[:first])
    assert found[first].branch_changed
    assert memory.other is None
    assert memory.tried == 0


def test_while_nothing_reaches_a_frame_stays_short_and_the_pose_follows() -> None:
    memory = moving()
    found = frames(problem_of(limit=1.0), line(60, (3.0, 0.0), (2.0, 2.0)), Levenberg(), memory, np.array([0.1, 0.1]))
    assert {each.state for each in found} == {"on the way"}
    assert max(each.iterations for each in found) <= MOST
    assert not any(each.branch_changed for each in found)
    missed = math.hypot(2.0, 2.0) - 2.0
    assert found[-1].errors.max() == pytest.approx(missed, abs=1e-2)


def test_asked_for_the_same_once_more_it_takes_its_time() -> None:
    problem, memory = problem_of(limit=1.0), moving()
    on_the_way = frames(problem, line(5, (3.0, 0.0), (2.0, 2.0)), Levenberg(), memory, np.array([0.1, 0.1]))[-1]
    memory.moves = False
    pose = on_the_way.poses[0]
    calm = solve(problem, [pose], Levenberg(), budget=PATIENT, near=NEAR)
    again = solve(problem, [pose], Levenberg(), budget=PATIENT, near=NEAR, memory=memory)
    assert (again.state, again.q.tobytes()) == ("nearest", calm.q.tobytes())


def test_a_drag_has_the_same_bytes_each_time() -> None:
    way = line(40, (0.0, 1.0), (-0.4, 2.6))
    one, other = (frames(problem_of(), way, Levenberg(), moving()) for _ in range(2))
    assert [each.q.tobytes() for each in one] == [each.q.tobytes() for each in other]


def test_a_start_of_another_problem_is_not_gone_on_with() -> None:
    """What may move can change within a drag: a pose in which the rest has moved, too, is no answer then."""
    memory = moving()
    frames(problem_of(), line(1, (0.0, 1.0), (0.0, 1.0)), Levenberg(), memory)
    assert memory.other is not None
    figure, goal = arm(2.2), PositionGoal(spot=TIP, target=(0.0, 1.0, 0.0))
    alone = compile_problem([Participant(actor="arm", figure=figure, movable=frozenset({"b"}))], [goal])
    for answer in frames(alone, line(10, (0.0, 1.0), (0.05, 1.0)), Levenberg(), memory):
        assert answer.poses[0][0] == STUCK[0]


def test_solvers_that_need_many_iterations_have_them_in_each_frame() -> None:
    way = line(3, (0.0, 1.0), (0.1, 1.0))
    one = frames(problem_of(), way, Transpose(), moving())
    other = frames(problem_of(), way, Transpose(), None)
    assert [each.q.tobytes() for each in one] == [each.q.tobytes() for each in other]
