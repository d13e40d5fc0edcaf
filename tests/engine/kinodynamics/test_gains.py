"""Gains: what tension, relaxation, damping and gravity of a joint mean, and what they must not be."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import (
    ADDED,
    ALONG,
    DAMPER,
    EXACT,
    SPRING,
    InvalidGain,
    JointGains,
    compile_gains,
    rest_inertia,
    servo_rows,
)
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.model.compile import compile_model
from engine.runtime.errors import UnknownPart
from tests.engine.kinodynamics.moving import LENGTH, MASS, OWN, pendulum, stepped, still, ticks

INERTIA = MASS * LENGTH**2 + OWN


def test_tension_is_the_natural_frequency_of_what_the_joint_carries() -> None:
    gains = compile_gains(pendulum(), JointGains(tension=3.0, damping=0.4))
    assert gains.inertia[1] == pytest.approx(INERTIA, rel=1e-12)
    assert math.sqrt(gains.kp[1] / INERTIA) == pytest.approx(math.tau * 3.0, rel=1e-12)
    assert gains.kd[1] == pytest.approx(2.0 * 0.4 * math.sqrt(gains.kp[1] * INERTIA), rel=1e-12)


@pytest.mark.parametrize(("twist", "bend"), [("shoulder_right", "elbow_right"), ("hip_left", "knee_left")])
def test_a_limb_swings_about_its_own_axis_nearly_as_tension_says_when_it_is_bent(twist: str, bend: str) -> None:
    mechanics = compile_mechanics(compile_model(load_figure("human")), massless=True)
    gains = compile_gains(mechanics, JointGains(tension=4.0))
    figure, q = mechanics.model.figure, mechanics.model.rest.copy()
    q[figure.coordinate_index[f"{bend}.flexion"]] = math.radians(90.0)
    rate = figure.coordinate_index[f"{twist}.rotation"]  # the human has no balls: rates are coordinates
    mass = np.zeros((mechanics.rate_count, mechanics.rate_count))
    compute_mass_matrix(mechanics.ints, mechanics.floats, q, mechanics.new_work(), mass)
    assert mass[rate, rate] > 4.0 * rest_inertia(mechanics)[rate]  # with gains for that, 1.9 Hz and less
    assert 2.6 < math.sqrt(gains.kp[rate] / mass[rate, rate]) / math.tau < 4.5


def test_gains_are_for_half_of_what_hangs_on_the_next_joints_at_least() -> None:
    def rod(id: str, parent: str, x: float, kind: Literal["hinge", "ball"] = "hinge") -> Joint:
        body = Body(mass=MASS, centre=(0.0, -0.5 * LENGTH, 0.0), inertia=(OWN, 0.0, OWN, 0.0, 0.0, 0.0))
        dof = Dof(id="turn", name="Turn", kind=kind, axis=(0.0, 1.0, 0.0))
        return Joint(id=id, name=id, parent=parent, offset=(x, -LENGTH, 0.0), dofs=(dof,), body=body)

    slide = Dof(id="slide", name="Slide", kind="slide", axis=(0.0, 1.0, 0.0))
    joints = (
        Joint(id="root", name="Root", dofs=(slide,)),
        rod("arm", "root", 0.0, "ball"),
        Joint(id="plate", name="Plate", parent="arm", offset=(0.0, -LENGTH, 0.0)),  # no freedom: counts with the arm
        rod("one", "plate", 0.0),
        rod("other", "plate", 0.0),
    )
    gains = compile_gains(compile_mechanics(compile_model(Figure(name="Fork", joints=joints)), massless=True), EXACT)
    hanging = MASS * 0.25 * LENGTH**2 + OWN
    assert gains.inertia[0] == pytest.approx(3.0 * MASS)
    assert gains.inertia[2] == pytest.approx(0.5 * (hanging + hanging), rel=1e-12)
    assert (gains.inertia[[1, 3]] > 2.0 * hanging).all()
    assert gains.inertia[4:].tolist() == [0.0, 0.0]


def test_relaxation_lets_a_share_of_the_tension_go_and_keeps_the_damping_ratio() -> None:
    tense, half, limp = (compile_gains(pendulum(), JointGains(relaxation=each)) for each in (0.0, 0.75, 1.0))
    assert half.kp[1] == pytest.approx(0.25 * tense.kp[1], rel=1e-12)
    assert half.kd[1] == pytest.approx(0.5 * tense.kd[1], rel=1e-12)
    assert limp.kp[1] == limp.kd[1] == 0.0


def test_the_root_follows_exactly_unless_it_is_named() -> None:
    assert compile_gains(pendulum(), JointGains()).exact.tolist() == [True, False]
    named = compile_gains(pendulum(), JointGains(), {"root": JointGains(), "arm": EXACT})
    assert named.exact.tolist() == [False, True]


def test_gravity_shares_are_those_of_the_joints() -> None:
    gains = compile_gains(pendulum(), JointGains(gravity=0.3), {"arm": JointGains(gravity=0.0)})
    assert gains.shares.tolist() == [0.3, 0.0]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("tension", 0.0),
        ("tension", -1.0),
        ("tension", math.nan),
        ("relaxation", -0.1),
        ("relaxation", 1.1),
        ("relaxation", math.nan),
        ("damping", -0.1),
        ("damping", math.inf),
        ("damping", math.nan),
        ("gravity", math.inf),
        ("gravity", math.nan),
    ],
)
def test_a_gain_that_no_joint_can_have_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(InvalidGain, match=name):
        JointGains(**{name: value})


def test_gains_of_an_unknown_joint_are_refused() -> None:
    with pytest.raises(UnknownPart, match="leg"):
        compile_gains(pendulum(), JointGains(), {"leg": JointGains()})


def test_a_joint_that_moves_no_mass_has_to_follow_exactly() -> None:
    hinge = Dof(id="bend", name="Bend", axis=(0.0, 0.0, 1.0))
    joints = (
        Joint(id="root", name="Root", body=Body(mass=1.0)),
        Joint(id="tip", name="Tip", parent="root", dofs=(hinge,)),
    )
    mechanics = compile_mechanics(compile_model(Figure(name="Tip", joints=joints)), massless=True)
    with pytest.raises(InvalidGain, match="Tip, Bend"):
        compile_gains(mechanics, JointGains())
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, EXACT))
    assert kino.simulate(ticks(0.0), still(mechanics, np.array([0.4])))[0].tolist() == [[0.4]]


@pytest.mark.parametrize(("tension", "damping"), [(0.5, 0.0), (3.0, 0.2), (3.0, 1.0), (2.0, 1.7), (20.0, 0.8)])
@pytest.mark.parametrize("dt", [0.002, 0.01, 0.02])
def test_a_step_of_any_length_has_the_poles_of_the_continuous_servo(tension: float, damping: float, dt: float) -> None:
    mechanics = pendulum()
    gains = compile_gains(mechanics, JointGains(tension=tension, damping=damping, gravity=0.0))
    kino = compile_kinodynamics(mechanics, gains, window=0.5 + 40 * dt, dt=dt)
    ends = ticks(0.5) + kino.step_ticks * np.arange(2.0, 40.0)
    off = kino.simulate(ends, stepped(mechanics, 1, 0.2, 0.5))[0][:12, 1] - 0.2
    (total, product), *_ = np.linalg.lstsq(np.stack((off[1:-1], -off[:-2]), axis=1), off[2:], rcond=None)
    w = math.tau * tension
    poles = np.exp(dt * np.roots([1.0, 2.0 * damping * w, w * w]))
    # What is added for stability slows a joint that is hardly damped: its inertia grows by a share of (w dt)^2 / 6.
    slack = (w * dt) ** 2 / 6.0 * (2.0 - poles.sum().real) if damping < math.sqrt(0.5) else 0.0
    assert total == pytest.approx(poles.sum().real, abs=1e-7 + slack)
    assert product == pytest.approx(poles.prod().real, abs=1e-7 + slack)


@pytest.mark.parametrize("dt", [0.002, 0.02])
def test_the_sag_under_a_load_does_not_depend_on_the_step(dt: float) -> None:
    weight = Body(mass=3.0)
    joints = (
        Joint(id="root", name="Root"),
        Joint(
            id="weight",
            name="Weight",
            parent="root",
            dofs=(Dof(id="y", name="Y", kind="slide", axis=(0.0, 1.0, 0.0)),),
            body=weight,
        ),
    )
    mechanics = compile_mechanics(compile_model(Figure(name="Hanging", joints=joints)))
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=2.0)), window=5.0, dt=dt)
    sag = kino.simulate(ticks(0.0), still(mechanics))[0][0, 0]
    assert sag == pytest.approx(-9.80665 / (math.tau * 2.0) ** 2, rel=1e-9)


def test_steps_are_stable_whatever_the_mass_matrix() -> None:
    rng = np.random.default_rng(3)
    mechanics, dt, worst = pendulum(), 0.01, 0.0
    for _ in range(300):
        size = int(rng.integers(1, 5))
        rows = []
        for _ in range(size):
            own = JointGains(tension=10.0 ** rng.uniform(-1.0, 3.0), damping=rng.choice([0.0, 0.1, 0.7, 1.0, 3.0]))
            rows.append(servo_rows(mechanics, compile_gains(mechanics, own), dt)[:, 1])
        servo = np.array(rows).T
        basis = rng.normal(size=(size, size)) * 10.0 ** rng.uniform(-4.0, 1.0, size)
        moved = np.linalg.inv(basis @ basis.T + np.diag(servo[ADDED]))
        spring, damper = np.diag(servo[SPRING]), np.diag(servo[DAMPER])
        v_of_x, v_of_v = -dt * moved @ spring, np.eye(size) - dt * moved @ (damper + dt * spring)
        step = np.block([[np.eye(size) + dt * v_of_x, dt * v_of_v], [v_of_x, v_of_v]])
        worst = max(worst, float(np.abs(np.linalg.eigvals(step)).max()))
    assert worst <= 1.0 + 1e-7


def test_a_stiff_servo_lands_on_its_key() -> None:
    gains = compile_gains(pendulum(), JointGains(tension=1e4, damping=1.0))
    servo, dt = servo_rows(pendulum(), gains, 0.01)[:, 1], 0.01
    moved = servo[ADDED] + INERTIA
    assert dt * dt * servo[SPRING] / moved == pytest.approx(1.0, abs=1e-6)
    assert servo[DAMPER] * dt / moved == pytest.approx(0.0, abs=1e-6)
    assert servo[ALONG] * dt / moved == pytest.approx(0.0, abs=1e-5)
