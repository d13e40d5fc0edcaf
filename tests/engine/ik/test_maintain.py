"""Constraints that are maintained: closed forms, drift, redundancy, limits, and what is computed again."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.document.actor import Placement
from engine.document.values import Vector3
from engine.formats.figure_toml import load_figure
from engine.ik.goals import (
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
from engine.ik.maintain import BY_LENGTH, TRUNCATED, Dragging, Force, Maintain, Spring
from engine.ik.problem import Participant, Problem, compile_problem
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.runtime.errors import InvalidArguments
from tests.conformance.gradients import central_difference

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
FRAME = 1.0 / 60.0
EXACT = Maintain(tolerance=1e-11)


def bead() -> Figure:
    slides = tuple(Dof(id=name, name=name, kind="slide", axis=axis) for name, axis in (("x", X), ("y", Y), ("z", Z)))
    return Figure(name="Bead", joints=(Joint(id="bead", name="Bead", dofs=slides),))


def arm(lower: float | None = None) -> Figure:
    """Two links of 1 m and 0.7 m that turn about z; with a limit of the second."""
    first = Joint(id="upper", name="Upper", dofs=(Dof(id="q1", name="q1", axis=Z),))
    hinge = Dof(id="q2", name="q2", axis=Z, lower=lower)
    return Figure(name="Arm", joints=(first, Joint(id="lower", name="L", parent="upper", offset=X, dofs=(hinge,))))


TIP = Spot(actor="arm", joint="lower", point=(0.7, 0.0, 0.0))


def tip(q: Array) -> Array:
    return np.array([math.cos(q[0]) + 0.7 * math.cos(q[0] + q[1]), math.sin(q[0]) + 0.7 * math.sin(q[0] + q[1]), 0.0])


def tip_jacobian(q: Array) -> Array:
    return central_difference(tip, q)


def pull_arm(q: Array, goals: list[Goal], lower: float | None = None) -> Problem:
    x, y, z = (float(each) for each in tip(q))
    task = PositionGoal(spot=TIP, target=(x, y, z))
    return compile_problem([Participant(actor="arm", figure=arm(lower))], goals, tasks=[task])


def test_bead_in_a_plane_moves_along_it_and_the_plane_bears_the_rest() -> None:
    spot = Spot(actor="bead", joint="bead")
    normal = np.array([0.6, 0.8, 0.0])
    problem = compile_problem(
        [Participant(actor="bead", figure=bead())],
        [PlaneGoal(spot=spot, point=(0.0, 0.0, 0.0), normal=(0.6, 0.8, 0.0))],
        tasks=[PositionGoal(spot=spot, target=(0.0, 0.0, 0.0))],
    )
    force = np.array([1.0, -2.0, 0.5])
    dragging = EXACT.start(problem, [np.zeros(3)])
    (pose,) = dragging.step((Force(task=0, force=(1.0, -2.0, 0.5)),), 0.01)
    np.testing.assert_allclose(dragging.report().constraints[0].force, -(force @ normal) * normal, atol=1e-12)
    np.testing.assert_allclose(pose, 0.01 * (force - (force @ normal) * normal), atol=1e-12)


def test_bead_on_a_circle_is_held_by_the_pendulum_that_it_meets() -> None:
    length, angle = 1.5, 0.4
    swing = Joint(id="rod", name="Rod", dofs=(Dof(id="swing", name="Swing", axis=Z),))
    bob = Spot(actor="rod", joint="rod", point=(length, 0.0, 0.0))
    at = (length * math.cos(angle), length * math.sin(angle), 0.0)
    participants = [
        Participant(actor="bead", figure=bead()),
        Participant(actor="rod", figure=Figure(name="R", joints=(swing,))),
    ]
    spot = Spot(actor="bead", joint="bead")
    problem = compile_problem(
        participants, [MeetGoal(first=spot, second=bob)], tasks=[PositionGoal(spot=spot, target=at)]
    )
    dragging = EXACT.start(problem, [np.array(at), np.array([angle])])
    force = np.array([0.0, -9.81, 0.3])
    dragging.step((Force(task=0, force=(0.0, -9.81, 0.3)),), FRAME)
    tangent = np.array([-math.sin(angle), math.cos(angle), 0.0])
    expected = -np.linalg.solve(np.eye(3) + length**2 * np.outer(tangent, tangent), force)
    np.testing.assert_allclose(dragging.report().constraints[0].force, expected, atol=1e-10)
    assert np.linalg.norm(dragging.poses[0][:2]) == pytest.approx(length, abs=1e-10)


@pytest.mark.parametrize("method", [Maintain().method, TRUNCATED])
def test_tip_on_a_line_is_held_by_the_analytic_multiplier(method: str) -> None:
    q = np.array([0.5, 0.7])
    x, y, _ = (float(each) for each in tip(q))
    problem = pull_arm(q, [LineGoal(spot=TIP, point=(0.0, y, 0.0), direction=X)])
    dragging = replace(EXACT, method=method).start(problem, [q])
    jacobian = tip_jacobian(q)
    force = np.array([2.0, -1.0, 0.0])
    multiplier = -(jacobian[1] @ jacobian.T @ force) / (jacobian[1] @ jacobian[1])
    (pose,) = dragging.step((Force(task=0, force=(2.0, -1.0, 0.0)),), 1e-4)
    np.testing.assert_allclose(dragging.report().constraints[0].force, (0.0, multiplier, 0.0), atol=1e-10)
    rate = jacobian.T @ np.add(force, (0.0, multiplier, 0.0))
    np.testing.assert_allclose((pose - q) / 1e-4, rate, atol=2e-3)
    assert tip(pose)[1] == pytest.approx(y, abs=1e-10)
    for _ in range(60):
        (pose,) = dragging.step((Spring(task=0, target=(x - 0.4, y + 1.0, 0.0)),), FRAME)
    np.testing.assert_allclose(tip(pose), (x - 0.4, y, 0.0), atol=1e-8)
    np.testing.assert_allclose(dragging.report().constraints[0].force, (0.0, -500.0, 0.0), rtol=1e-6)


def test_a_pull_without_constraints_follows_the_gradient_of_its_potential() -> None:
    q, target = np.array([0.5, 0.7]), np.array([0.3, 0.9, 0.0])
    dragging = EXACT.start(pull_arm(q, []), [q])
    (pose,) = dragging.step((Spring(task=0, target=(0.3, 0.9, 0.0), stiffness=20.0),), 1e-6)
    slope = central_difference(lambda each: np.array([10.0 * np.sum((tip(each) - target) ** 2)]), q)[0]
    np.testing.assert_allclose((pose - q) / 1e-6, -slope, rtol=1e-4)


def test_broken_constraint_fades_at_the_rate_of_the_feedback() -> None:
    q = np.array([0.5, 0.7])
    y = float(tip(q)[1]) + 1e-4
    options = replace(EXACT, returns=False, feedback=6.0)
    dragging = options.start(pull_arm(q, [LineGoal(spot=TIP, point=(0.0, y, 0.0), direction=X)]), [q])
    for _ in range(30):
        dragging.step((), FRAME)
    assert dragging.report().worst == pytest.approx(1e-4 * math.exp(-6.0 * 30 * FRAME), rel=1e-3)


def test_returning_stays_where_feedback_alone_drifts() -> None:
    q = np.array([0.5, 0.9])
    y = float(tip(q)[1])
    worst = []
    for options in (Maintain(), Maintain(returns=False)):
        dragging = options.start(pull_arm(q, [LineGoal(spot=TIP, point=(0.0, y, 0.0), direction=X)]), [q])
        found = 0.0
        for frame in range(240):
            target = (0.8 + 0.3 * math.sin(0.2 * frame), y, 0.0)
            dragging.step((Spring(task=0, target=target),), FRAME)
            found = max(found, dragging.report().worst)
        worst.append(found)
    assert worst[0] <= 1e-6
    assert worst[1] > 1e-4


def test_limit_is_kept_and_what_is_left_still_follows() -> None:
    q = np.array([0.5, 0.9])
    dragging = EXACT.start(pull_arm(q, [], lower=0.6), [q])
    for _ in range(400):
        (pose,) = dragging.step((Spring(task=0, target=(1.6, -0.4, 0.0)),), FRAME)
        assert pose[1] >= 0.6
    assert pose[1] == 0.6
    slope = tip_jacobian(pose).T @ (tip(pose) - (1.6, -0.4, 0.0))
    assert slope[0] == pytest.approx(0.0, abs=1e-8)
    for _ in range(400):
        (pose,) = dragging.step((Spring(task=0, target=(0.2, 0.9, 0.0)),), FRAME)
    np.testing.assert_allclose(tip(pose), (0.2, 0.9, 0.0), atol=1e-6)


def human_problem(goals: list[Goal], movable: frozenset[str] | None = None) -> tuple[Problem, Array]:
    figure = load_figure("human")
    task = PositionGoal(spot=Spot(actor="me", joint="wrist_left"), target=place(figure, "wrist_left"))
    participant = Participant(actor="me", figure=figure, movable=movable)
    return compile_problem([participant], goals, tasks=[task]), compile_model(figure).rest.copy()


def place(figure: Figure, joint: str) -> Vector3:
    """Where a joint is at rest."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest, state)
    x, y, z = model.transforms(state)[figure.joint_index[joint], 9:].tolist()
    return x, y, z


def ten_constraints() -> list[Goal]:
    """Ankles and toes on the floor, a hand on a line, the head looking, the chest upright, the knees apart, balance."""
    figure = load_figure("human")

    def here(joint: str) -> Spot:
        return Spot(actor="me", joint=joint)

    def pinned(joint: str) -> Goal:
        return PositionGoal(spot=here(joint), target=place(figure, joint))

    x, y, z = place(figure, "wrist_right")
    return [
        pinned("ankle_left"),
        pinned("ankle_right"),
        PlaneGoal(spot=here("toes_left"), point=place(figure, "toes_left"), normal=Y),
        PlaneGoal(spot=here("toes_right"), point=place(figure, "toes_right"), normal=Y),
        LineGoal(spot=here("wrist_right"), point=(x, y, z), direction=Z),
        LookAtGoal(spot=here("head"), target=(0.2, 1.6, 3.0)),
        OrientationGoal(spot=here("upper_spine"), target=(1.0, 0.0, 0.0, 0.0), axes=("j",)),
        MeetGoal(first=Spot(actor="me", joint="knee_left"), second=Spot(actor="me", joint="knee_right", point=X)),
        CentreGoal(actor="me", target=(0.0, 0.0, 0.02), axes=("x",)),
        PlaneGoal(spot=here("pelvis"), point=place(figure, "pelvis"), normal=X),
    ]


def knees(goals: list[Goal]) -> list[Goal]:
    """The same with the knees kept apart as they are at rest."""
    figure = load_figure("human")
    left, right = place(figure, "knee_left"), place(figure, "knee_right")
    spot = Spot(actor="me", joint="knee_right", point=(left[0] - right[0], left[1] - right[1], left[2] - right[2]))
    return [replace(each, second=spot) if isinstance(each, MeetGoal) else each for each in goals]


def around(frame: int, centre: Vector3) -> Vector3:
    angle = 2.0 * math.pi * frame / 120.0
    x, y, z = centre
    return x + 0.2 * math.sin(angle), y + 0.25 * math.sin(2.0 * angle), z + 0.3 * math.sin(angle)


def drag_hand(dragging: Dragging, frames: int) -> tuple[Array, float]:
    centre = place(load_figure("human"), "wrist_left")
    worst = 0.0
    for frame in range(frames):
        (pose,) = dragging.step((Spring(task=0, target=around(frame, centre)),), FRAME)
        worst = max(worst, dragging.report().worst)
    return pose, worst


@pytest.mark.parametrize("frames", [1200, pytest.param(3600, marks=pytest.mark.deep)])
def test_ten_constraints_hold_through_long_dragging(frames: int) -> None:
    problem, pose = human_problem(knees(ten_constraints()))
    dragging = Maintain().start(problem, [pose])
    assert dragging.report().worst <= 1e-6
    pose, worst = drag_hand(dragging, frames)
    assert worst <= 1e-5
    model = problem.participants[0].figure
    limits = compile_model(model)
    assert (pose >= limits.lower).all()
    assert (pose <= limits.upper).all()


def test_the_pull_never_raises_its_potential_where_constraints_rest() -> None:
    problem, pose = human_problem(knees(ten_constraints()))
    dragging = Maintain(tolerance=1e-9).start(problem, [pose])
    (x, y, z), last = place(load_figure("human"), "wrist_left"), math.inf
    figure = load_figure("human")
    model = compile_model(figure)
    state = model.new_state()
    for _ in range(80):
        (pose,) = dragging.step((Spring(task=0, target=(x, y + 0.7, z + 0.4)),), FRAME)
        compute_forward_kinematics(model.ints, model.floats, pose, state)
        at = model.transforms(state)[figure.joint_index["wrist_left"], 9:]
        way = float(np.linalg.norm(at - (x, y + 0.7, z + 0.4)))
        assert way <= last + 1e-7
        last = way
    assert last < 0.7


def test_same_drag_gives_the_same_bytes_with_and_without_what_is_kept() -> None:
    problem, pose = human_problem(knees(ten_constraints()))
    found = []
    for caching in (True, True, False):
        dragging = Maintain().start(problem, [pose])
        dragging.caching = caching
        found.append(drag_hand(dragging, 40)[0].tobytes())
    assert found[0] == found[1] == found[2]


def test_dragging_a_hand_by_its_arm_computes_no_block_of_other_limbs() -> None:
    figure = load_figure("human")
    arm_only = frozenset(
        dof.id
        for joint in figure.joints
        if joint.group == "Left arm" or joint.id == "collar_left"
        for dof in joint.dofs
    )
    x, y, z = place(figure, "wrist_left")
    plane = PlaneGoal(spot=Spot(actor="me", joint="elbow_left"), point=place(figure, "elbow_left"), normal=X)
    goals = [*knees(ten_constraints())[:5], *knees(ten_constraints())[6:8], plane]
    problem, pose = human_problem(goals, arm_only)
    dragging = Maintain().start(problem, [pose])
    before = dragging.report().counts
    for frame in range(20):
        dragging.step((Spring(task=0, target=around(frame, (x, y, z))),), FRAME)
    after = dragging.report().counts
    # Of nine blocks only the elbow's and the hand's stand on the arm; the first step computes every Jacobian once.
    assert after.requested - before.requested >= 20 * 9
    assert after.blocks - before.blocks <= 9 + (after.requested - before.requested) * 2 // 9
    assert dragging.report().worst <= 1e-6


def test_a_step_at_rest_computes_nothing() -> None:
    problem, pose = human_problem(knees(ten_constraints()))
    dragging = Maintain().start(problem, [pose])
    dragging.step((), FRAME)
    before = dragging.report().counts
    dragging.step((), FRAME)
    after = dragging.report().counts
    assert (after.blocks, after.factored) == (before.blocks, before.factored)


def test_constraint_given_twice_is_told_and_changes_nothing() -> None:
    q = np.array([0.5, 0.7])
    y = float(tip(q)[1])
    line: Goal = PlaneGoal(spot=TIP, point=(0.0, y, 0.0), normal=Y)
    found = []
    for goals in ([line], [line, line]):
        dragging = EXACT.start(pull_arm(q, goals), [q])
        for _ in range(20):
            (pose,) = dragging.step((Spring(task=0, target=(0.5, y + 1.0, 0.0)),), FRAME)
        found.append((pose, dragging.report()))
    np.testing.assert_allclose(found[0][0], found[1][0], atol=1e-9)
    once, twice = found[0][1].constraints, found[1][1].constraints
    assert not once[0].redundant
    assert all(each.redundant and each.met and not each.conflicting for each in twice)
    # Of all multipliers that hold it, the smallest: each bears half.
    np.testing.assert_allclose(twice[0].force, 0.5 * np.array(once[0].force), rtol=1e-6)
    np.testing.assert_allclose(twice[1].force, 0.5 * np.array(once[0].force), rtol=1e-6)


def test_conflicting_constraints_end_at_least_squares_and_are_told() -> None:
    spot = Spot(actor="bead", joint="bead")
    goals = [
        PositionGoal(spot=spot, target=(1.0, 0.0, 0.0), weight=3.0),
        PositionGoal(spot=spot, target=(0.0, 1.0, 0.0), weight=1.0),
    ]
    dragging = EXACT.start(compile_problem([Participant(actor="bead", figure=bead())], goals), [np.zeros(3)])
    dragging.step((), FRAME)
    np.testing.assert_allclose(dragging.poses[0], (0.75, 0.25, 0.0), atol=1e-9)
    first, second = dragging.report().constraints
    assert first.conflicting
    assert second.conflicting
    assert first.off == pytest.approx(0.25 * math.sqrt(2.0))


def test_unreachable_constraint_ends_at_the_nearest_pose() -> None:
    q = np.array([0.5, 0.7])
    dragging = Maintain().start(pull_arm(q, [PositionGoal(spot=TIP, target=(2.0, 2.0, 0.0))]), [q])
    for frame in range(30):
        (pose,) = dragging.step((Spring(task=0, target=(-1.0, 0.1 * frame, 0.0)),), FRAME)
        assert np.isfinite(pose).all()
    for _ in range(30):
        dragging.step((), FRAME)
    assert dragging.report().constraints[0].off == pytest.approx(2.0 * math.sqrt(2.0) - 1.7, abs=1e-5)
    assert not dragging.report().constraints[0].met


def test_constraint_far_from_the_start_is_met_on_the_right_side() -> None:
    figure = load_figure("arm7")
    tip_joint = figure.joints[-1].id
    goal = OrientationGoal(spot=Spot(actor="arm", joint=tip_joint), target=(0.0, 1.0, 0.0, 0.0), axes=("j",))
    problem = compile_problem([Participant(actor="arm", figure=figure)], [goal])
    dragging = Maintain().start(problem, [compile_model(figure).rest])
    dragging.step((), FRAME)
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, dragging.poses[0], state)
    axis = model.transforms(state)[-1, :9].reshape(3, 3)[:, 1]
    np.testing.assert_allclose(axis, (0.0, -1.0, 0.0), atol=1e-4)


def test_two_figures_hold_hands_and_a_prop_carries_a_foot() -> None:
    stick = load_figure("stick")
    wrist = place(stick, "wrist_left")
    other = Placement(position=(2.0 * wrist[0], 0.0, 0.0))
    prop = bead()
    ankle = place(stick, "ankle_left")
    goals: list[Goal] = [
        MeetGoal(first=Spot(actor="one", joint="wrist_left"), second=Spot(actor="two", joint="wrist_right")),
        PositionGoal(
            spot=Spot(actor="one", joint="ankle_left"), target=ankle, frame=BodyFrame(actor="prop", joint="bead")
        ),
    ]
    participants = [
        Participant(actor="one", figure=stick),
        Participant(actor="two", figure=stick, placement=other),
        Participant(actor="prop", figure=prop, movable=frozenset()),
    ]
    rest = compile_model(stick).rest
    dragging = EXACT.start(compile_problem(participants, goals), [rest, rest, np.zeros(3)])
    for frame in range(10):
        dragging.place("prop", np.array([0.0, 0.005 * frame, 0.0]))
        dragging.step((), FRAME)
    assert dragging.report().worst <= 1e-10
    model = compile_model(stick)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, dragging.poses[0], state)
    np.testing.assert_allclose(
        model.transforms(state)[stick.joint_index["ankle_left"], 9:], np.add(ankle, (0.0, 0.045, 0.0)), atol=1e-9
    )


def test_pose_constraint_bears_force_and_torque() -> None:
    q = np.array([0.5, 0.7])
    x, y, z = (float(each) for each in tip(q))
    half = 0.5 * float(q.sum())
    goal = PoseGoal(spot=TIP, position=(x, y, z), rotation=(math.cos(half), 0.0, 0.0, math.sin(half)))
    dragging = EXACT.start(pull_arm(q, [goal]), [q])
    dragging.step((Force(task=0, force=(3.0, 4.0, 0.0)),), FRAME)
    holding = dragging.report().constraints[0]
    jacobian = tip_jacobian(q)
    given = jacobian.T @ np.add(holding.force, (3.0, 4.0, 0.0)) + holding.torque[2]
    np.testing.assert_allclose(given, 0.0, atol=1e-9)
    np.testing.assert_allclose(dragging.poses[0], q, atol=1e-12)


def test_long_links_move_less_where_mobility_counts_length() -> None:
    q = np.array([0.5, 0.7])
    rates = []
    for options in (EXACT, replace(EXACT, scaling=BY_LENGTH)):
        figure = Figure(
            name="Arm",
            joints=(*arm().joints, Joint(id="end", name="End", parent="lower", offset=(0.25, 0.0, 0.0))),
        )
        task = PositionGoal(spot=TIP, target=(0.0, 0.0, 0.0))
        end = PlaneGoal(spot=Spot(actor="arm", joint="end"), point=(0.0, 0.0, 0.0), normal=Z)
        problem = compile_problem([Participant(actor="arm", figure=figure)], [end], tasks=[task])
        (pose,) = options.start(problem, [q]).step((Force(task=0, force=X),), 1e-6)
        rates.append((pose - q) / 1e-6)
    # Links of 1 m and 0.25 m, their mean 0.625 m.
    np.testing.assert_allclose(rates[1] / rates[0], (0.625, 2.5), rtol=1e-4)


@pytest.mark.parametrize(
    "pull",
    [
        Spring(task=1),
        Spring(task=0, stiffness=0.0),
        Spring(task=0, stiffness=math.nan),
        Force(task=0, force=(math.inf, 0.0, 0.0)),
        Spring(task=0, target=(math.nan, 0.0, 0.0)),
    ],
)
def test_pull_that_makes_no_sense_is_refused(pull: Spring | Force) -> None:
    q = np.array([0.5, 0.7])
    dragging = Maintain().start(pull_arm(q, []), [q])
    with pytest.raises(InvalidArguments):
        dragging.step((pull,), FRAME)


def test_time_pose_and_options_that_make_no_sense_are_refused() -> None:
    q = np.array([0.5, 0.7])
    with pytest.raises(InvalidArguments, match="time"):
        Maintain().start(pull_arm(q, []), [q]).step((), 0.0)
    with pytest.raises(InvalidArguments, match="pose"):
        Maintain().start(pull_arm(q, []), [np.array([math.nan, 0.0])])
    with pytest.raises(InvalidArguments, match="Truncation"):
        Maintain(truncation=1.0)
