"""Angular velocities of bodies: those of the KD trajectory itself, met alone and with turns, points and poses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.targets.equations import (
    Equation,
    PointVelocityEquation,
    PoseEquation,
    TimedGoal,
    TurnEquation,
    TurnVelocityEquation,
    Unmeetable,
    body_velocity,
)
from engine.targets.inverse import measure_goals
from engine.targets.nodes import state_at
from engine.targets.steering import body_rows
from tests.engine.kinodynamics.moving import spinning, waves
from tests.engine.targets.test_inverse import HAND, TIP, bell, keyed_pose, point, solved

ONE = 1.0  # [s]
WITHIN, VELOCITY_WITHIN = 1e-6, 1e-4


@pytest.fixture(scope="module")
def arm() -> KinoModel:
    """A slack arm of seven hinges."""
    mechanics = compile_mechanics(compile_model(load_figure("arm7")))
    return compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=3.0, damping=0.6)))


@pytest.fixture(scope="module")
def keyed(arm: KinoModel) -> Keyed:
    """Swinging well within the limits."""
    return waves(arm.mechanics, 3, size=0.25, pace=4.0)


def turned(kino: KinoModel, q: Array, joint: int) -> Rotation:
    """How a body stands at a pose."""
    room = kino.new_state()
    compute_forward_kinematics(kino.mechanics.model.ints, kino.mechanics.model.floats, q, room)
    return Rotation.from_matrix(kino.mechanics.model.transforms(room)[joint, :9].reshape(3, 3))


def spins(kino: KinoModel, motion: Keyed, joint: int, seconds: float, apart: float = 1e-3) -> Array:
    """A body's angular velocity along x_KD, by differences over another time than targets take: of fourth order."""
    ends = (seconds + apart * np.array([-2.0, -1.0, 1.0, 2.0])) * TICKS_PER_SECOND
    q, _ = kino.simulate(ends, motion)
    far, near, later, last = (turned(kino, each, joint) for each in q)
    short = (later * near.inv()).as_rotvec() / (2.0 * apart)
    return np.asarray((4.0 * short - (last * far.inv()).as_rotvec() / (4.0 * apart)) / 3.0)


def keyed_turn(kino: KinoModel, q: Array, by: Rotation | None = None) -> TurnEquation:
    """The hand as it is turned at a pose, and by a little more."""
    x, y, z, w = ((by or Rotation.identity()) * turned(kino, q, HAND)).as_quat().tolist()
    return TurnEquation(joint=HAND, rotation=(w, x, y, z))


def spin(x: float, y: float, z: float) -> TurnVelocityEquation:
    return TurnVelocityEquation(joint=HAND, velocity=(x, y, z))


@pytest.mark.parametrize("joint", [2, HAND])
def test_the_angular_velocity_of_a_body_is_that_of_its_orientation_along_the_trajectory(
    arm: KinoModel, keyed: Keyed, joint: int
) -> None:
    equation = TurnVelocityEquation(joint=joint, velocity=(0.0, 0.0, 0.0))
    goal = TimedGoal(id="spin", bell=bell(ONE), equations=(equation,))
    found = body_velocity(arm.mechanics.model, equation, state_at(arm, keyed, goal), arm.new_state())
    assert np.linalg.norm(found) > 0.1
    assert np.abs(found - spins(arm, keyed, joint, ONE)).max() < 1e-6
    q, velocity = arm.velocities(np.array([ONE * TICKS_PER_SECOND]), keyed)
    rows = body_rows(arm.mechanics.model, q[0], joint, (0.0, 0.0, 0.0), arm.new_state())[3:]
    assert np.abs(found - rows @ velocity[0]).max() < 1e-8
    _, simulated = arm.simulate(np.array([ONE * TICKS_PER_SECOND]), keyed)
    assert np.abs(found - rows @ simulated[0]).max() > 1e-3, "the simulation's own rates are others"


def test_of_a_ball_it_is_told_about_the_axes_of_the_world() -> None:
    mechanics = spinning()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=2.0)))
    keyed, equation = waves(mechanics, 1, size=0.2), TurnVelocityEquation(joint=1, velocity=(0.1, -0.2, 0.3))
    (residual,) = measure_goals(kino, keyed, (TimedGoal(id="spin", bell=bell(ONE), equations=(equation,)),))[0]
    assert residual.unit == "rad/s"
    assert np.abs(np.array(equation.velocity) - residual.error - spins(kino, keyed, 1, ONE)).max() < 1e-6


@pytest.mark.parametrize("velocity", [(0.0, 0.0, 0.0), (1.5, -0.5, 0.8), (-3.0, 0.0, 2.0)])
def test_turn_and_angular_velocity_are_met_together(
    arm: KinoModel, keyed: Keyed, velocity: tuple[float, float, float]
) -> None:
    turn = keyed_turn(arm, keyed_pose(keyed, ONE), Rotation.from_rotvec((0.1, 0.15, -0.1)))
    goal = TimedGoal(id="both", bell=bell(ONE), equations=(turn, spin(*velocity)))
    before = measure_goals(arm, keyed, (goal,))[0]
    assert before[0].size > 1e-2
    assert before[1].size > 0.1
    found = solved(arm, keyed, goal)
    assert found.met
    motion = found.correct(arm, keyed)
    q, _ = arm.simulate(np.array([float(goal.bell.time)]), motion)
    w, x, y, z = turn.rotation
    assert (Rotation.from_quat((x, y, z, w)) * turned(arm, q[0], HAND).inv()).magnitude() <= WITHIN
    assert np.linalg.norm(spins(arm, motion, HAND, ONE, apart=1e-4) - velocity) <= 1.1 * VELOCITY_WITHIN


def test_an_angular_velocity_alone_leaves_the_turn_free(arm: KinoModel, keyed: Keyed) -> None:
    goal = TimedGoal(id="spin", bell=bell(ONE), equations=(spin(0.5, 1.0, -0.5),))
    found = solved(arm, keyed, goal)
    motion = found.correct(arm, keyed)
    assert found.met
    assert np.linalg.norm(spins(arm, motion, HAND, ONE, apart=1e-4) - (0.5, 1.0, -0.5)) <= 1.1 * VELOCITY_WITHIN
    assert not np.isclose(np.linalg.norm(spins(arm, keyed, HAND, ONE) - (0.5, 1.0, -0.5)), 0.0, atol=0.1)
    assert len(found.reports[0].residuals) == 1


def test_a_place_and_an_angular_velocity_and_a_speed_are_met_at_one_time(arm: KinoModel, keyed: Keyed) -> None:
    """Six numbers of the velocity of a body, three of its place: seven hinges have both."""
    speed = PointVelocityEquation(joint=HAND, local=TIP, velocity=(0.0, 0.2, 0.0))
    goal = TimedGoal(
        id="all", bell=bell(ONE), equations=(point(arm, keyed_pose(keyed, ONE)), spin(0.0, 0.0, 0.0), speed)
    )
    found = solved(arm, keyed, goal)
    assert found.met
    sizes = [residual.size for residual in measure_goals(arm, found.correct(arm, keyed), (goal,))[0]]
    assert sizes[0] <= WITHIN
    assert max(sizes[1:]) <= VELOCITY_WITHIN


def test_a_pose_of_some_joints_leaves_the_others_to_turn_the_body_as_fast_as_is_asked(
    arm: KinoModel, keyed: Keyed
) -> None:
    pose = PoseEquation(q=keyed_pose(keyed, ONE), rates=(0, 1))
    goal = TimedGoal(id="some", bell=bell(ONE), equations=(pose, spin(0.4, -0.4, 0.4)))
    found = solved(arm, keyed, goal)
    assert found.met
    q, _ = arm.simulate(np.array([float(goal.bell.time)]), found.correct(arm, keyed))
    assert np.abs(q[0, :2] - keyed_pose(keyed, ONE)[:2]).max() <= WITHIN


@pytest.mark.parametrize("rule", ["secant", "sensitivity", "projection"])
def test_every_rule_meets_an_angular_velocity(arm: KinoModel, keyed: Keyed, rule: str) -> None:
    goal = TimedGoal(id="spin", bell=bell(ONE), equations=(spin(0.5, 0.0, -0.5),))
    assert solved(arm, keyed, goal, update=rule, iterations=30).met


def test_two_that_contradict_each_other_are_missed_alike(arm: KinoModel, keyed: Keyed) -> None:
    goals = [TimedGoal(id=str(x), bell=bell(ONE), equations=(spin(x, 0.0, 0.0),)) for x in (-0.5, 0.5)]
    found = solved(arm, keyed, *goals)
    assert not found.met
    assert all(report.residuals[0].size == pytest.approx(0.5, abs=5e-3) for report in found.reports)
    assert all("\N{DEGREE SIGN}/s" in report.text for report in found.reports)


def test_tied_targets_meet_their_angular_velocities(arm: KinoModel, keyed: Keyed) -> None:
    goals = [
        TimedGoal(
            id=str(time), bell=bell(time), equations=(keyed_turn(arm, keyed_pose(keyed, time)), spin(0.0, rate, 0.0))
        )
        for time, rate in ((1.0, 0.5), (1.25, -0.5))
    ]
    found = solved(arm, keyed, *goals)
    assert len(found.groups) == 1
    assert found.met


def test_one_of_what_is_not_there_is_refused(arm: KinoModel, keyed: Keyed) -> None:
    good = TimedGoal(id="spin", bell=bell(ONE), equations=(spin(0.0, 0.0, 0.0),))
    bad: tuple[tuple[Equation, ...], ...] = (
        (TurnVelocityEquation(joint=99, velocity=(0.0, 0.0, 0.0)),),
        (spin(float("inf"), 0.0, 0.0),),
    )
    for equations in bad:
        with pytest.raises(Unmeetable, match="spin"):
            solved(arm, keyed, replace(good, equations=equations))
