"""Secondary motion with driven coordinates, which add inertia and no freedom, and with joints' own springs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.document import Body, Box, Dof, DrivenBy, Figure, Joint
from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.kinodynamics.windows import linearise
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow, write_driven_motion
from engine.targets.equations import PointEquation, TimedGoal, find_point
from engine.targets.inverse import measure_goals, solve
from engine.targets.problem import TargetProblem
from tests.engine.dynamics.test_driven import hanging, reduced
from tests.engine.kinodynamics.moving import still, ticks, waves

INERTIA, SPRING, RESTS = 0.4, 25.0, 0.3
LIMP = JointGains(relaxation=1.0)
BODY = Body(mass=1.5, centre=(0.0, -0.2, 0.02), inertia=(0.02, 0.015, 0.018, 0.0, 0.0, 0.0))


def swinging(figure: Figure, gains: JointGains, *, window: float = 0.3, dt: float = 0.01) -> KinoModel:
    mechanics = compile_mechanics(compile_model(figure), massless=True)
    return compile_kinodynamics(mechanics, compile_gains(mechanics, gains), window=window, dt=dt)


def weightless(spring: float = SPRING) -> Figure:
    """A wheel about its centre, with a spring."""
    wheel = Body(mass=1.0, inertia=(INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0))
    turn = Dof(id="turn", name="Turn", spring=spring, neutral=RESTS)
    return Figure(name="Wheel", joints=(Joint(id="root", name="Root"), Joint(
        id="wheel", name="Wheel", parent="root", dofs=(turn,), body=wheel)))  # fmt: skip


def arm() -> Figure:
    """An arm of two hinges whose wrist and sliding weight follow both."""
    wrist = (
        DrivenBy(dof="upper.x", at=(-1.0, 0.0, 1.0), values=(-0.5, 0.0, 0.3)),
        DrivenBy(dof="lower.x", at=(-1.5, 0.0, 1.5), values=(0.2, 0.0, 0.6)),
    )
    glide = (DrivenBy(dof="lower.x", at=(-1.5, 0.0, 1.5), values=(0.1, 0.0, -0.12)),)
    dofs = {
        "root": Dof(id="root.x", name="Slide", kind="slide", axis=(1.0, 0.0, 0.0)),
        "upper": Dof(id="upper.x", name="Turn", axis=(0.0, 0.0, 1.0)),
        "lower": Dof(id="lower.x", name="Bend", axis=(0.1, 0.0, 1.0), spring=4.0, neutral=-0.2),
        "wrist": Dof(id="wrist.x", name="Tip", axis=(1.0, 0.0, 0.2), driven=wrist),
        "weight": Dof(id="weight.y", name="Glide", kind="slide", axis=(0.0, 1.0, 0.0), driven=glide),
    }
    joints, parent = [], None
    for name, dof in dofs.items():
        offset = (0.0, -0.4, 0.0) if name in ("lower", "wrist") else (0.0, 0.0, 0.0)
        joints.append(Joint(id=name, name=name, parent=parent, offset=offset, dofs=(dof,), body=BODY))
        parent = name if name != "wrist" else "lower"
    return Figure(name="Arm", joints=tuple(joints))


def keys_of(kino: KinoModel, keyed: Keyed) -> Keyed:
    """A keyed motion whose driven coordinates are where they belong."""
    driven = kino.mechanics.model.driven
    assert driven is not None

    def motion(times: Array) -> Array:
        found = keyed(times)
        rows = np.concatenate((found[:, :2], np.zeros_like(found[:, :1])), axis=1)
        write_driven_motion(driven.ints, driven.floats, rows)
        return np.ascontiguousarray(rows[:, :2])

    return motion


@pytest.fixture(scope="module")
def moved() -> tuple[KinoModel, Keyed]:
    kino = swinging(arm(), JointGains(tension=2.5, damping=0.4))
    return kino, keys_of(kino, waves(kino.mechanics, 4, size=0.4))


def test_a_limp_knee_swings_with_its_kneecap_as_its_reduced_equation_says() -> None:
    figure = hanging()
    place, start, errors = figure.coordinate_index["knee.x"], np.zeros(len(figure.coordinates)), []
    for dt, steps in ((0.004, 150), (0.002, 300)):
        kino = swinging(figure, LIMP, dt=dt)
        start[place] = 1.4
        pose = follow(kino.mechanics.model.driven, start)
        _, found = kino.path(0.0, steps, still(kino.mechanics, pose))
        true = reduced(figure, 0.6, 1.4, kino.dt * (1.0 - 1e-12) * np.arange(1.0, steps + 1.0, dtype=np.float64))
        errors.append(float(np.abs(found[1:, place] - true).max()))
        assert np.ptp(found[:, place]) > 1.5
        for row in found:
            assert np.array_equal(follow(kino.mechanics.model.driven, row), row)
    assert errors[0] < 2e-3
    assert errors[1] < 0.3 * errors[0], "of second order"


def test_driven_coordinates_are_on_their_splines_and_frames_are_alone_what_they_are_in_sequence(
    moved: tuple[KinoModel, Keyed],
) -> None:
    kino, keyed = moved
    times = ticks(np.linspace(1.0, 2.0, 12))
    q, velocity = kino.velocities(times, keyed)
    driven = kino.mechanics.model.driven
    assert driven is not None
    motion = np.zeros((len(q), 3, q.shape[1]))
    motion[:, 0], motion[:, 1] = q, velocity  # hinges and slides alone: rates are those of coordinates
    write_driven_motion(driven.ints, driven.floats, motion)
    assert np.array_equal(motion[:, 0], q)
    assert motion[:, 1] == pytest.approx(velocity, abs=1e-5)
    assert np.abs(q - keyed(times)[:, 0]).max() > 0.05
    for time, row in zip(times, q, strict=True):
        assert kino.simulate(np.array([time]), keyed)[0][0].tobytes() == row.tobytes()


def test_what_hangs_on_a_driven_slide_slows_its_driver_as_its_inertia_says() -> None:
    """A rack on a wheel: I + m r^2."""
    r, mass = 0.3, 4.0
    joints = (
        Joint(id="root", name="Root"),
        Joint(id="wheel", name="Wheel", parent="root", dofs=(Dof(id="turn", name="Turn"),),
              body=Body(mass=1.0, inertia=(INERTIA, INERTIA, INERTIA, 0.0, 0.0, 0.0))),
        Joint(id="rack", name="Rack", parent="root", body=Body(mass=mass, inertia=(0.1, 0.1, 0.1, 0.0, 0.0, 0.0)),
              dofs=(Dof(id="glide", name="Glide", kind="slide", axis=(1.0, 0.0, 0.0),
                        driven=(DrivenBy(dof="turn", at=(-1.0, 1.0), values=(-r, r)),)),)),
    )  # fmt: skip
    kino = swinging(Figure(name="Rack", joints=joints), JointGains(tension=2.0, damping=0.0), window=0.5)
    whole = INERTIA + mass * r * r
    assert kino.gains.inertia[0] == pytest.approx(whole)
    keyed = keys_of(kino, still(kino.mechanics, np.array([0.5, 0.0])))
    turned = kino.path(0.0, 100, keyed)[1][:, 0]
    assert turned == pytest.approx(np.full(101, 0.5), abs=1e-12)
    jumped = keys_of(
        kino, lambda times: still(kino.mechanics, np.array([0.5, 0.0]))(times) * (times <= 0.0)[:, None, None]
    )
    times, found = kino.path(0.0, 100, jumped)
    expected = 0.5 * np.cos(2.0 * math.tau * np.asarray(times) / TICKS_PER_SECOND)
    assert found[:, 0] == pytest.approx(expected, abs=0.04), "2 Hz, whatever hangs on it"
    linear = linearise(kino.mechanics, kino.gains, np.zeros(2))
    assert linear.mass == pytest.approx(np.array([[whole]]))


@pytest.mark.parametrize("dt", [0.005, 0.01, 0.02])
def test_a_limp_wheel_swings_on_its_spring_as_its_equation_says_and_of_second_order(dt: float) -> None:
    kino = swinging(weightless(), LIMP, dt=dt)
    times, found = kino.path(0.0, round(1.0 / dt), still(kino.mechanics, np.array([1.0])))
    s = np.asarray(times) / TICKS_PER_SECOND
    w = math.sqrt(SPRING / INERTIA)
    assert found[:, 0] == pytest.approx(RESTS + (1.0 - RESTS) * np.cos(w * s), abs=0.5 * (w * dt) ** 2)


@pytest.mark.parametrize("damping", [0.0, 0.3, 1.5])
def test_a_spring_and_a_servo_lead_as_both_together_say(damping: float) -> None:
    kinos = [
        swinging(weightless(), JointGains(tension=1.5, damping=damping), window=0.6, dt=dt) for dt in (0.01, 0.005)
    ]
    kp, kd = kinos[0].gains.kp[0], kinos[0].gains.kd[0]

    def keyed(times: Array) -> Array:
        s = np.asarray(times) / TICKS_PER_SECOND
        return np.stack((0.5 * np.sin(6.0 * s), 3.0 * np.cos(6.0 * s)), axis=1)[..., None]

    def slope(s: float, y: Array) -> list[float]:
        torque = kp * (0.5 * math.sin(6.0 * s) - y[0]) + kd * (3.0 * math.cos(6.0 * s) - y[1])
        return [y[1], (torque + SPRING * (RESTS - y[0])) / INERTIA]

    start = [0.5 * math.sin(6.0 * 0.7), 3.0 * math.cos(6.0 * 0.7)]
    found = solve_ivp(slope, (0.7, 1.3), start, rtol=1e-10, atol=1e-12).y[:, -1]
    coarse, fine = (np.abs(np.ravel(kino.simulate(ticks(1.3), keyed)) - found) for kino in kinos)
    assert coarse[0] < 2e-3
    assert coarse[1] < 2e-2
    assert (fine < 0.3 * coarse + 1e-5).all()


def test_a_key_sags_towards_where_the_spring_rests_by_their_shares() -> None:
    kino = swinging(weightless(), JointGains(tension=3.0, damping=1.0), window=2.0)
    q, _ = kino.simulate(ticks(1.0), still(kino.mechanics, np.array([1.0])))
    kp = kino.gains.kp[0]
    assert q[0, 0] == pytest.approx((kp + SPRING * RESTS) / (kp + SPRING), abs=1e-6)
    linear = linearise(kino.mechanics, kino.gains, np.array([1.0]))
    assert linear.stiffness == pytest.approx(np.array([[kp + SPRING]]), rel=1e-6)


def test_springs_of_what_follows_exactly_or_moves_nothing_are_not_felt() -> None:
    exact = swinging(weightless(), EXACT)
    assert exact.simulate(ticks(1.0), still(exact.mechanics, np.array([1.0])))[0][0, 0] == 1.0
    bare = arm()
    joints = tuple(
        Joint(id=each.id, name=each.name, parent=each.parent, offset=each.offset, dofs=each.dofs, body=Body(mass=0.0))
        if each.id == "weight" else each for each in bare.joints
    )  # fmt: skip
    kino = swinging(Figure(name="Bare", joints=joints), JointGains(tension=2.5))
    keyed = keys_of(kino, waves(kino.mechanics, 4, size=0.4))
    q, _ = kino.simulate(ticks(np.array([1.0, 1.5])), keyed)
    for row in q:
        assert np.array_equal(follow(kino.mechanics.model.driven, row), row)


def test_a_target_on_a_driven_body_is_hit(moved: tuple[KinoModel, Keyed]) -> None:
    kino, keyed = moved
    model, end = kino.mechanics.model, TICKS_PER_SECOND
    place = find_point(model, keyed(np.array([float(end)]))[0, 0], 3, (0.05, -0.1, 0.0), kino.new_state())
    x, y, z = place.tolist()
    bell = Bell(time=end, before=end // 2, after=end // 2)
    goal = TimedGoal(
        id="hit", bell=bell, equations=(PointEquation(joint=3, local=(0.05, -0.1, 0.0), position=(x, y, z)),)
    )
    corrected = solve(TargetProblem(kino=kino, keyed=keyed, goals=(goal,))).correct(kino, keyed)
    (before,), (after,) = (measure_goals(kino, motion, (goal,))[0] for motion in (keyed, corrected))
    assert before.size > 1e-2
    assert after.size < 1e-6


def test_a_driven_foot_that_stands_holds_what_drives_it() -> None:
    """The weight of a base on a foot turns the crank that drives the foot, until the crank's stop."""
    up = (0.0, 1.0, 0.0)
    joints = (
        Joint(id="base", name="Base", dofs=(Dof(id="base.y", name="Rise", kind="slide", axis=up),), body=BODY),
        Joint(id="crank", name="Crank", parent="base", body=Body(mass=1.0, inertia=(0.02, 0.02, 0.02, 0.0, 0.0, 0.0)),
              dofs=(Dof(id="crank.x", name="Turn", lower=-0.5, upper=0.5),)),
        Joint(id="foot", name="Foot", parent="base", offset=(0.0, -0.5, 0.0), shapes=(Box(half=(0.1, 0.05, 0.1)),),
              dofs=(Dof(id="foot.y", name="Slide", kind="slide", axis=up,
                        driven=(DrivenBy(dof="crank.x", at=(-1.0, 1.0), values=(-0.2, 0.2)),)),)),
    )  # fmt: skip
    mechanics = compile_mechanics(compile_model(Figure(name="Crank", joints=joints)))
    gains = compile_gains(mechanics, LIMP, {"base": LIMP})
    kino = compile_kinodynamics(mechanics, gains, window=2.0, contact=True)
    q, _ = kino.simulate(ticks(2.0), still(mechanics, np.array([0.55, 0.0, 0.0])))
    assert q[0] == pytest.approx([0.45, 0.5, 0.1], abs=4e-3)
