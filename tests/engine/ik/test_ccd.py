"""Cyclic coordinate descent: closed forms, descent, branches, and what is carried along is what kinematics says."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.ik import layout as at
from engine.ik.ccd import Ccd
from engine.ik.goals import Goal, LookAtGoal, PlaneGoal, PoseGoal, PositionGoal, Spot
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.solver import new_work
from engine.ik.steps import move_pose
from engine.maths.arrays import Array
from tests.engine.ik.figures import arm
from tests.engine.ik.test_rows import GOALS, TURN, problem

TIP = Spot(actor="arm", joint="b", point=(1.0, 0.0, 0.0))


def sweeps(found: Problem, q: Array, solver: Ccd, count: int) -> list[float]:
    """r^T r at the start and after each sweep; q is moved."""
    work = new_work(found, solver)
    curve = []
    for each in range(count + 1):
        solver.advance(found, q, work, min(each, 1))
        curve.append(float(work[found.ints[at.COUNTS] + at.SQUARES]))
    return curve


def one_joint(goal: Goal, *, lower: float | None = None, upper: float | None = None, kind: str = "hinge") -> Problem:
    dof = Dof(id="turn", name="Turn", kind=kind, axis=(0.0, 0.0, 1.0), lower=lower, upper=upper)  # type: ignore[arg-type]
    figure = Figure(name="One", joints=(Joint(id="b", name="b", dofs=(dof,)),))
    return compile_problem([Participant(actor="arm", figure=figure)], [goal], tolerance=1e-12)


def test_one_turn_points_straight_at_the_target() -> None:
    found, q = one_joint(PositionGoal(spot=TIP, target=(0.0, 3.0, 5.0))), np.zeros(1)
    sweeps(found, q, Ccd(), 1)
    assert q[0] == pytest.approx(0.5 * math.pi, abs=1e-12)


def test_slide_goes_by_the_projection_of_the_error() -> None:
    found, q = one_joint(PositionGoal(spot=TIP, target=(4.0, 3.0, 5.0)), kind="slide"), np.zeros(1)
    sweeps(found, q, Ccd(), 1)
    assert q[0] == pytest.approx(5.0, abs=1e-12)


def test_better_limit_is_taken_where_the_best_turn_lies_outside() -> None:
    goal = PositionGoal(spot=TIP, target=(-3.0, 0.1, 0.0))
    found, q = one_joint(goal, lower=-2.9, upper=2.0), np.zeros(1)
    sweeps(found, q, Ccd(), 1)
    assert q[0] == -2.9


def test_position_and_turn_share_one_hinge_as_the_source_weighs_them() -> None:
    """g = w_p d.p(x) + w_o sum u_d.u(x): k3 / (k2 - k1) with numbers that can be done by hand."""
    goal = PoseGoal(spot=TIP, position=(0.0, 2.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0), weight=1.0, turn_weight=0.5)
    found, q = one_joint(goal), np.zeros(1)
    sweeps(found, q, Ccd(), 1)
    assert q[0] == pytest.approx(math.atan2(1.0 * 2.0, 0.5 * 2.0), abs=1e-12)


def test_balance_weighs_positions_by_the_size_of_the_figure_and_the_lever() -> None:
    """W = 0 without offsets, so an arm of two: its second joint alone may turn; w_p = 0.1 k (1 + rho) / W^2."""
    figure = arm()
    goal = PoseGoal(spot=TIP, position=(1.0, 2.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0), turn_weight=0.1)
    moved = Participant(actor="arm", figure=figure, movable=frozenset({"b"}))
    found, q = compile_problem([moved], [goal], tolerance=1e-12), np.zeros(2)
    sweeps(found, q, Ccd(balance=3.0), 1)
    position = 0.1 * 3.0 * (1.0 + 1.0 / 2.0)
    assert q[1] == pytest.approx(math.atan2(position * 2.0, 0.1 * 2.0), abs=1e-12)


def test_stiff_joint_goes_a_part_of_the_way() -> None:
    figure = arm()
    goal = PositionGoal(spot=TIP, target=(1.0, 1.0, 0.0))
    stiff = Participant(actor="arm", figure=figure, movable=frozenset({"b"}), stiffness={"b": 4.0})
    found, q = compile_problem([stiff], [goal]), np.zeros(2)
    sweeps(found, q, Ccd(), 1)
    assert q[1] == pytest.approx(0.25 * 0.5 * math.pi, abs=1e-12)


def test_looking_turns_all_the_way_round_from_behind() -> None:
    goal = LookAtGoal(spot=Spot(actor="arm", joint="b"), target=(-1.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0))
    found, q = one_joint(goal), np.zeros(1)
    assert sweeps(found, q, Ccd(), 1)[-1] < 1e-12


def test_turn_into_a_plane_uses_the_second_harmonic() -> None:
    """|y - 0.5|^2 with y = sin x: its square has the double angle, and two minima, 30 and 150 degrees."""
    found, q = one_joint(PlaneGoal(spot=TIP, point=(0.0, 0.5, 0.0), normal=(0.0, 1.0, 0.0))), np.zeros(1)
    assert sweeps(found, q, Ccd(), 1)[-1] < 1e-24
    assert math.sin(q[0]) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("name", GOALS)
def test_residual_never_rises(name: str) -> None:
    found, q = problem([GOALS[name]])
    curve = np.array(sweeps(found, q, Ccd(), 12))
    assert (curve[1:] <= curve[:-1] * (1.0 + 1e-12)).all()
    assert curve[-1] < 0.2 * curve[0]


def test_residual_never_rises_with_every_goal_at_once_and_a_matrix_over_them() -> None:
    goals = list(GOALS.values())
    height = problem(goals)[0].row_count
    noise = np.random.default_rng(1).normal(size=(height, height))
    for matrix in (None, noise @ noise.T + np.eye(height)):
        for balance in (0.0, 10.0):
            found, q = problem(goals, matrix=matrix)
            curve = np.array(sweeps(found, q, Ccd(balance=balance), 12))
            assert (curve[1:] <= curve[:-1] * (1.0 + 1e-12)).all()
            assert curve[-1] < 0.9 * curve[0]


@pytest.mark.parametrize(
    ("name", "dof"),
    [
        (name, dof)
        for name in GOALS
        for dof in ("bend", "left_swing", "right_elbow", "move_y", "stretch")
        # Looking is best from infinitely far away.
        if not (isinstance(GOALS[name], LookAtGoal) and dof in ("move_y", "stretch"))
    ],
)
def test_one_column_alone_is_at_its_least_after_one_visit(name: str, dof: str) -> None:
    whole, q = problem([GOALS[name]])
    one, two = whole.participants
    moved = [replace(one, movable=frozenset({dof})), replace(two, movable=frozenset())]
    found = compile_problem(moved, [GOALS[name]])
    work, value = new_work(found, Ccd()), q.copy()
    Ccd().advance(found, value, work, 1)
    least = work[found.ints[at.COUNTS] + at.SQUARES]
    for step in (-0.5, -0.01, -0.001, 0.001, 0.01, 0.5):
        other = value.copy()
        move_pose(
            found.ints,
            found.floats,
            found.regions.buffers,
            value,
            np.full(max(1, found.column_count), step),
            1.0,
            other,
        )
        Ccd().advance(found, other, work, 0)
        assert work[found.ints[at.COUNTS] + at.SQUARES] >= least - 1e-12


def test_ball_takes_any_turn() -> None:
    ball = Figure(name="Ball", joints=(Joint(id="b", name="b", dofs=(Dof(id="ball", name="Ball", kind="ball"),)),))
    goal = PoseGoal(spot=Spot(actor="arm", joint="b"), position=(0.0, 0.0, 0.0), rotation=TURN)
    found = compile_problem([Participant(actor="arm", figure=ball)], [goal], turn_tolerance=1e-6)
    q = np.array([1.0, 0.0, 0.0, 0.0])
    assert sweeps(found, q, Ccd(), 40)[-1] < 1e-10
    assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-12)


def test_limbs_are_led_first_and_what_they_share_afterwards() -> None:
    """Two targets that each limb reaches alone: the trunk between them does not move."""
    dof = {"axis": (0.0, 0.0, 1.0)}
    joints = [Joint(id="trunk", name="trunk", dofs=(Dof(id="trunk", name="t", **dof),))]  # type: ignore[arg-type]
    for side, x in (("left", 1.0), ("right", -1.0)):
        limb = (Dof(id=side, name=side, **dof),)  # type: ignore[arg-type]
        joints.append(Joint(id=side, name=side, parent="trunk", offset=(x, 0.0, 0.0), dofs=limb))
    figure = Figure(name="Fork", joints=tuple(joints))
    goals = [
        PositionGoal(spot=Spot(actor="arm", joint="left", point=(1.0, 0.0, 0.0)), target=(1.0, 1.0, 0.0)),
        PositionGoal(spot=Spot(actor="arm", joint="right", point=(1.0, 0.0, 0.0)), target=(-1.0, -1.0, 0.0)),
    ]
    found, q = compile_problem([Participant(actor="arm", figure=figure)], goals), np.zeros(3)
    assert sweeps(found, q, Ccd(), 1)[-1] < 1e-24
    assert q == pytest.approx([0.0, 0.5 * math.pi, -0.5 * math.pi], abs=1e-12)


def test_straight_arm_with_the_target_straight_inwards_stays_finite_and_still() -> None:
    """Welman's figure 4.2: no single turn brings the tip nearer, so descent ends where it begins."""
    goal = PositionGoal(spot=TIP, target=(1.0, 0.0, 0.0))
    found, q = compile_problem([Participant(actor="arm", figure=arm())], [goal]), np.zeros(2)
    curve = sweeps(found, q, Ccd(), 3)
    assert np.isfinite(q).all()
    assert curve[-1] <= curve[0]
