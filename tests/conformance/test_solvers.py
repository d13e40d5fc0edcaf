"""Over every solver of inverse kinematics: what all of them promise, whatever they are asked."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.ik import layout as at
from engine.ik.goals import (
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
from engine.ik.problem import Participant, Preference, Problem, compile_problem
from engine.ik.solver import Answer, Budget, Solver, new_work, solve
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidArguments, InvalidDocument
from tests.conformance.goal_sets import spot_at
from tests.drawn import given, settings, st
from tests.engine.figures import random_figure
from tests.engine.ik.figures import branching, random_pose
from tests.engine.ik.regions import KINDS, keeps_regions, with_fields

# Iterations and tolerance [m] with which a solver is asked to reach; the others take 100 and 0.1 mm.
SLOW = {
    "conjugate": (1000, 1e-3),
    "gradient": (2000, 1e-3),
    "ccd": (2000, 1e-3),
    "transpose": (5000, 0.01),
    "transpose_by_model": (5000, 0.01),
    "euler": (5000, 0.01),
    "runge_kutta": (2000, 0.01),
}
LIMITS = ("boxes", *KINDS)  # of hinges: lower and upper ones, or fields over the hinges of each joint
NEVER_RISES = ("levenberg", "dogleg", "conjugate", "gradient", "ccd")
ALL = tuple(SOLVERS)
SEEDS = (0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in (1, 2)))


def asked(name: str) -> tuple[Solver, Budget, float]:
    """A solver with its default options, its budget from one start, and its tolerance."""
    iterations, tolerance = SLOW.get(name, (100, 1e-4))
    return SOLVERS[name](), Budget(iterations=iterations, milliseconds=60_000.0, starts=0), tolerance


def arm(lengths: tuple[float, ...], *, lower: float | None = None, upper: float | None = None) -> Figure:
    """Links along x that turn about z; at rest the arm is straight."""
    joints: list[Joint] = []
    offset = 0.0
    for index, length in enumerate(lengths):
        dof = Dof(id=f"turn{index}", name="Turn", axis=(0.0, 0.0, 1.0), lower=lower, upper=upper)
        parent = joints[-1].id if joints else None
        joints.append(Joint(id=f"link{index}", name="Link", parent=parent, offset=(offset, 0.0, 0.0), dofs=(dof,)))
        offset = length
    return Figure(name="Arm", joints=tuple(joints))


def tip(figure: Figure, length: float = 1.0) -> Spot:
    return Spot(actor="me", joint=figure.joints[-1].id, point=(length, 0.0, 0.0))


def problem_of(figure: Figure, *goals: Goal, tolerance: float = 1e-3) -> Problem:
    return compile_problem([Participant(actor="me", figure=figure)], goals, tolerance=tolerance)


def limited(figure: Figure, limits: str, *kept: Array) -> Figure:
    """The figure with limits of that kind, in which these poses are allowed."""
    return figure if limits == "boxes" else with_fields(figure, limits, kept)


def within_limits(problem: Problem, answer: Answer) -> bool:
    assert keeps_regions(problem, answer)
    return bool(np.all(answer.q >= problem.lower - 1e-9) and np.all(answer.q <= problem.upper + 1e-9))


def reachable(tolerance: float, limits: str = "boxes", seed: int = 5) -> tuple[Problem, Array]:
    """A pose of a branching figure with a ball and slides, and goals that a pose not far from it meets."""
    figure = branching()
    start = random_pose(figure, seed)
    model = compile_model(figure)
    there = np.clip(start + 0.15 * np.random.default_rng(seed).normal(size=len(start)), model.lower, model.upper)
    ball = [figure.coordinate_index[name] for dof in figure.dofs if dof.kind == "ball" for name in dof.coordinates]
    there[ball] /= np.linalg.norm(there[ball])
    left, right = (Spot(actor="me", joint=f"{side}_tip", point=(0.1, 0.0, 0.2)) for side in ("left", "right"))
    place, rotation = spot_at(figure, there, left)
    other, _ = spot_at(figure, there, right)
    pose = PoseGoal(spot=left, position=vector(place), rotation=quaternion(rotation))
    figure = limited(figure, limits, start, there)
    goals = (pose, PositionGoal(spot=right, target=vector(other), weight=2.0))
    return problem_of(figure, *goals, tolerance=tolerance), start


def vector(of: Array) -> tuple[float, float, float]:
    return float(of[0]), float(of[1]), float(of[2])


def quaternion(rotation: Array) -> tuple[float, float, float, float]:
    """Of a rotation matrix, by the eigenvector that Bar-Itzhack (2000) names."""
    k = np.zeros((4, 4))
    k[:3, :3] = rotation + rotation.T - np.trace(rotation) * np.eye(3)
    k[3, :3] = k[:3, 3] = (
        rotation[2, 1] - rotation[1, 2],
        rotation[0, 2] - rotation[2, 0],
        rotation[1, 0] - rotation[0, 1],
    )
    k[3, 3] = np.trace(rotation)
    x, y, z, w = np.linalg.eigh(k)[1][:, -1]
    return float(w), float(x), float(y), float(z)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_reaches_what_can_be_reached(name: str, limits: str) -> None:
    solver, budget, tolerance = asked(name)
    problem, start = reachable(tolerance, limits)
    before = start.copy()
    answer = solve(problem, [start], solver, budget=budget)
    report = answer.report()
    assert report.state == "reached", report
    assert within_limits(problem, answer)
    assert np.array_equal(start, before)
    figure = problem.participants[0].figure
    goal = problem.goals[1]
    assert isinstance(goal, PositionGoal)
    assert np.linalg.norm(spot_at(figure, answer.poses[0], goal.spot)[0] - goal.target) <= 1.0001 * tolerance
    assert all(each.text == "reached" for each in report.missed)
    assert 0 < len(report.curve) <= at.CURVE_KEPT


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_same_input_gives_the_same_bytes(name: str, limits: str) -> None:
    solver, _, _ = asked(name)
    problem, start = reachable(1e-6, limits)
    budget = Budget(iterations=30, milliseconds=60_000.0, starts=3)
    work = new_work(problem, solver)
    first = solve(problem, [start], solver, budget=budget, work=work)
    assert first.iterations > 1
    for room in (work, new_work(problem, solver)):
        again = solve(problem, [start], solver, budget=budget, work=room)
        assert again.poses[0].tobytes() == first.poses[0].tobytes()
        assert again.errors.tobytes() == first.errors.tobytes()


@pytest.mark.parametrize("name", ALL)
def test_nearest_pose_for_what_is_out_of_reach_and_by_how_much(name: str) -> None:
    solver, budget, tolerance = asked(name)
    figure = arm((0.3, 0.3, 0.3))
    problem = problem_of(figure, PositionGoal(spot=tip(figure, 0.3), target=(0.9, 1.2, 0.0)), tolerance=tolerance)
    answer = solve(problem, [np.array([0.2, 0.3, -0.4])], solver, budget=budget)
    report = answer.report()
    assert report.state == "nearest"
    assert report.missed[0].by == pytest.approx(0.6, rel=0.005)
    assert report.missed[0].text.startswith("missed by 60")
    assert math.isclose(report.residual, report.missed[0].by)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("limits", LIMITS)
def test_limits_hold_wherever_the_goal_is(name: str, seed: int, limits: str) -> None:
    solver, _, _ = asked(name)
    figure = limited(branching(), limits)
    chance = np.random.default_rng(seed)
    for far in (0.5, 3.0, 1000.0):
        goals = [
            PositionGoal(spot=Spot(actor="me", joint=f"{side}_tip"), target=vector(far * chance.normal(size=3)))
            for side in ("left", "right")
        ]
        problem = problem_of(figure, *goals)
        answer = solve(problem, [random_pose(figure, seed)], solver, budget=Budget(iterations=60, starts=2))
        assert within_limits(problem, answer)
        assert np.isfinite(answer.q).all()
        assert np.isfinite(answer.squares)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_a_pose_outside_its_limits_comes_back_inside(name: str, limits: str) -> None:
    solver, budget, _ = asked(name)
    figure = limited(arm((1.0, 1.0), lower=-1.0, upper=1.0), limits)
    problem = problem_of(figure, PositionGoal(spot=tip(figure), target=(1.0, 1.0, 0.0)))
    start = np.array([2.5, -3.0])
    answer = solve(problem, [start], solver, budget=budget)
    assert within_limits(problem, answer)
    assert start.tolist() == [2.5, -3.0]


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_a_pose_of_which_nothing_may_move_is_left_as_it_is(name: str, limits: str) -> None:
    solver, budget, _ = asked(name)
    figure = limited(arm((1.0, 1.0), lower=-1.0, upper=1.0), limits)
    still = Participant(actor="me", figure=figure, movable=frozenset())
    problem = compile_problem([still], [PositionGoal(spot=tip(figure), target=(1.0, 1.0, 0.0))])
    answer = solve(problem, [np.array([0.5, 2.0])], solver, budget=budget)
    assert answer.poses[0].tolist() == [0.5, 2.0]
    assert answer.state == "nearest"


@pytest.mark.parametrize("name", ALL)
def test_a_figure_without_freedom_is_answered(name: str) -> None:
    solver, budget, _ = asked(name)
    figure = Figure(name="Stone", joints=(Joint(id="stone", name="Stone"),))
    problem = problem_of(figure, PositionGoal(spot=Spot(actor="me", joint="stone"), target=(0.0, 0.3, 0.4)))
    report = solve(problem, [np.zeros(0)], solver, budget=budget).report()
    assert report.missed[0].by == pytest.approx(0.5)


@pytest.mark.parametrize("name", ALL)
def test_a_figure_without_joints_is_answered(name: str) -> None:
    solver, budget, _ = asked(name)
    problem = problem_of(Figure(name="Nothing", joints=()), CentreGoal(actor="me", target=(0.0, 0.0, 0.0)))
    answer = solve(problem, [np.zeros(0)], solver, budget=budget)
    assert np.isfinite(answer.squares)


@pytest.mark.parametrize("name", ALL)
def test_a_goal_without_weight_moves_nothing(name: str) -> None:
    solver, budget, _ = asked(name)
    figure = arm((1.0, 1.0))
    problem = problem_of(figure, PositionGoal(spot=tip(figure), target=(0.0, 1.0, 0.0), weight=0.0))
    start = np.array([0.3, 0.4])
    answer = solve(problem, [start], solver, budget=budget)
    assert np.array_equal(answer.poses[0], start)


@pytest.mark.parametrize("name", ALL)
def test_two_targets_for_one_spot_are_met_in_the_middle(name: str) -> None:
    solver, budget, tolerance = asked(name)
    figure = arm((1.0, 1.0, 1.0))
    targets = ((1.0, 1.2, 0.0), (1.4, 0.8, 0.0))
    problem = problem_of(figure, *(PositionGoal(spot=tip(figure), target=each) for each in targets))
    answer = solve(problem, [np.array([0.2, 0.3, 0.4])], solver, budget=budget)
    found, _ = spot_at(figure, answer.poses[0], tip(figure))
    assert np.linalg.norm(found - np.mean(targets, axis=0)) <= 2.0 * tolerance


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_a_straight_arm_is_bent_when_its_tip_is_pulled_straight_inwards(name: str, limits: str) -> None:
    """Welman's figure 4.2: no direction goes down from here, so other starts have to."""
    solver, budget, tolerance = asked(name)
    bent = math.acos(0.25) * np.array([1.0, -1.0, -1.0])
    figure = limited(arm((0.3, 0.3, 0.3), lower=-2.5, upper=2.0), limits, np.zeros(3), bent)
    problem = problem_of(figure, PositionGoal(spot=tip(figure, 0.3), target=(0.45, 0.0, 0.0)), tolerance=tolerance)
    wider = Budget(iterations=budget.iterations, milliseconds=60_000.0, starts=10)
    assert solve(problem, [np.zeros(3)], solver, budget=wider).state == "reached"


@cache
def chain(count: int, limits: str) -> tuple[Problem, Array, float]:
    """So many joints in a row, how they start, and how far they are then from their goal; made once for all solvers."""
    pose = np.full(count, 0.3 / count)
    figure = limited(arm((1.0 / count,) * count, lower=-2.0, upper=2.0), limits, pose)
    goal = PositionGoal(spot=tip(figure, 1.0 / count), target=(0.6, 0.5, 0.0))
    start, _ = spot_at(figure, pose, goal.spot)
    return problem_of(figure, goal), pose, float(np.linalg.norm(start - goal.target))


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("count", [1, 1500])
@pytest.mark.parametrize("limits", LIMITS)
def test_chains_of_one_joint_and_of_thousands(name: str, count: int, limits: str) -> None:
    solver, _, _ = asked(name)
    problem, pose, away = chain(count, limits)
    answer = solve(problem, [pose], solver, budget=Budget(iterations=10, milliseconds=60_000.0, starts=0))
    assert within_limits(problem, answer)
    assert np.isfinite(answer.q).all()
    if name in NEVER_RISES:
        assert answer.errors[0] < away


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
def test_budget_in_iterations_is_kept(name: str, limits: str) -> None:
    solver, _, _ = asked(name)
    problem, start = reachable(1e-12, limits)
    answer = solve(problem, [start], solver, budget=Budget(iterations=3, milliseconds=60_000.0, starts=2))
    assert answer.starts <= 2
    # One more descent from the first start may follow the others.
    assert answer.iterations <= 3 * (1 + answer.starts + 1)


@pytest.mark.parametrize("name", ALL)
def test_budget_in_milliseconds_is_kept(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solver, _, _ = asked(name)
    figure = arm((1.0, 1.0, 1.0))
    problem = problem_of(figure, PositionGoal(spot=tip(figure), target=(9.0, 0.0, 0.0)))
    looks = iter(range(1_000_000))
    monkeypatch.setattr("engine.ik.solver.perf_counter", lambda: 1e-3 * next(looks))
    answer = solve(problem, [np.array([0.5, 0.5, 0.5])], solver, budget=Budget(iterations=10_000, milliseconds=5.0))
    assert next(looks) < 12
    assert answer.state == "out of time" or answer.iterations < 200


@pytest.mark.parametrize("name", NEVER_RISES)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("limits", LIMITS)
def test_f_never_rises(name: str, seed: int, limits: str) -> None:
    solver, _, _ = asked(name)
    pose = random_pose(branching(), seed)
    figure = limited(branching(), limits, pose)
    goals: list[Goal] = [
        PositionGoal(spot=Spot(actor="me", joint="left_tip"), target=(0.5, 1.0, 0.3)),
        LookAtGoal(spot=Spot(actor="me", joint="right_tip"), target=(2.0, 1.0, 5.0)),
        CentreGoal(actor="me", target=(0.0, 0.2, 0.0), weight=0.3),
    ]
    me = Participant(actor="me", figure=figure)
    problem = compile_problem([me], goals, preference=Preference(rest=1.0, comfort=0.5), tolerance=1e-7)
    q = problem.gather([pose])
    work = new_work(problem, solver)
    squares = work[int(problem.ints[at.COUNTS]) + at.SQUARES :]
    solver.advance(problem, q.copy(), work, 0)
    curve = [float(squares[0])]
    work[int(problem.ints[at.COUNTS]) :][: at.COUNT] = 0.0
    for _ in range(40):
        solver.advance(problem, q, work, 1)
        solver.advance(problem, q.copy(), work, 0)
        curve.append(float(squares[0]))
    assert curve[-1] < 0.5 * curve[0]
    assert np.all(np.diff(curve) <= 1e-12 * curve[0])


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("limits", LIMITS)
@given(
    seed=st.integers(0, 2**32 - 1),
    joints=st.integers(1, 9),
    ball=st.booleans(),
    far=st.floats(0.0, 1e6),
    weight=st.floats(0.0, 100.0),
)
@settings(max_examples=8)
def test_any_figure_and_goal_get_a_finite_pose_within_the_limits(
    name: str, limits: str, seed: int, joints: int, ball: bool, far: float, weight: float
) -> None:
    solver, _, _ = asked(name)
    check_any(solver, limits, seed, joints, ball, far, weight)


@pytest.mark.deep
@pytest.mark.parametrize("name", ALL)
def test_many_figures_and_goals_get_a_finite_pose_within_the_limits(name: str) -> None:
    solver, _, _ = asked(name)
    fresh = int(np.random.SeedSequence().generate_state(1)[0])
    chance = np.random.default_rng(fresh)
    print(f"seed {fresh}")
    for _ in range(2000):
        seed, joints = int(chance.integers(2**32)), int(chance.integers(1, 25))
        far, weight = 10 ** chance.uniform(-3.0, 8.0), chance.uniform(0, 100)
        check_any(solver, LIMITS[seed % 3], seed, joints, bool(chance.integers(2)), far, weight)


def check_any(solver: Solver, limits: str, seed: int, joints: int, ball: bool, far: float, weight: float) -> None:
    figure = limited(random_figure(seed, joints, ball_root=ball), limits)
    chance = np.random.default_rng(seed)
    spot, other = (
        Spot(actor="me", joint=f"j{chance.integers(joints)}", point=vector(chance.normal(size=3))) for _ in range(2)
    )
    target, way = vector(far * chance.normal(size=3)), vector(chance.normal(size=3))
    goals: tuple[Goal, ...] = (
        PositionGoal(spot=spot, target=target, weight=weight),
        OrientationGoal(spot=other, target=(1.0, *way), weight=weight),
        LookAtGoal(spot=other, target=target),
        PlaneGoal(spot=other, point=target, normal=way),
        LineGoal(spot=spot, point=target, direction=way, weight=weight),
        MeetGoal(first=spot, second=other),
    )
    chosen = [each for each in goals if chance.random() < 0.5] or goals[:1]
    me = Participant(actor="me", figure=figure)
    problem = compile_problem([me], chosen, preference=Preference(rest=float(chance.integers(2)), comfort=0.3))
    start = compile_model(figure).rest.copy()
    before = start.tobytes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = solve(problem, [start], solver, budget=Budget(iterations=25, milliseconds=60_000.0, starts=1))
    assert start.tobytes() == before
    assert np.isfinite(answer.q).all()
    assert np.isfinite(answer.errors).all()
    assert within_limits(problem, answer)


BAD: dict[str, Callable[[Spot, float], Goal]] = {
    "position": lambda spot, bad: PositionGoal(spot=spot, target=(0.0, bad, 0.0)),
    "weight": lambda spot, bad: PositionGoal(spot=spot, target=(0.0, 0.0, 0.0), weight=bad),
    "orientation": lambda spot, bad: OrientationGoal(spot=spot, target=(bad, 0.0, 0.0, 1.0)),
    "pose": lambda spot, bad: PoseGoal(spot=spot, position=(bad, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)),
    "look at": lambda spot, bad: LookAtGoal(spot=spot, target=(0.0, 0.0, bad)),
    "plane": lambda spot, bad: PlaneGoal(spot=spot, point=(0.0, 0.0, bad), normal=(0.0, 1.0, 0.0)),
    "line": lambda spot, bad: LineGoal(spot=spot, point=(0.0, 0.0, 0.0), direction=(bad, 1.0, 0.0)),
    "spot": lambda spot, bad: MeetGoal(first=Spot(actor="me", joint=spot.joint, point=(bad, 0.0, 0.0)), second=spot),
    "centre": lambda spot, bad: CentreGoal(actor="me", target=(bad, 0.0, 0.0)),
}


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
@pytest.mark.parametrize("kind", BAD)
def test_goals_that_are_not_finite_are_refused_by_name_before_the_solve(kind: str, bad: float) -> None:
    figure = arm((1.0, 1.0))
    with pytest.raises(InvalidArguments) as refused:
        problem_of(figure, BAD[kind](tip(figure), bad))
    assert str(bad) in str(refused.value)


def test_a_start_that_is_not_finite_is_refused_by_name() -> None:
    figure = arm((1.0, 1.0))
    problem = problem_of(figure, PositionGoal(spot=tip(figure), target=(1.0, 0.0, 0.0)))
    with pytest.raises(InvalidArguments, match="pose to start from"):
        solve(problem, [np.array([0.0, math.nan])], SOLVERS["levenberg"]())


def test_limits_with_low_above_high_cannot_exist() -> None:
    with pytest.raises(InvalidDocument, match="lower at most upper"):
        arm((1.0,), lower=1.0, upper=-1.0)
