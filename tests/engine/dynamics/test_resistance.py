"""Servos, damping, dry friction, stops and fields against closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.document.limit import BoxRange, Grid, Limit
from engine.dynamics.articulation import Articulation, compile_articulation
from engine.dynamics.mechanics import GRAVITY as PULL_OF_EARTH
from engine.dynamics.mechanics import compile_mechanics
from engine.dynamics.resistance import RATE_WIDTH, Resistance, Servos, make_servos, rest_inertia, store_energy
from engine.dynamics.stepping import STEPPERS, Midpoint, SemiImplicitEuler, Stepper, Work
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidArguments, UnknownPart
from tests.engine.dynamics.contacts import energy, pendulum, run

WEIGHTLESS = (0.0, 0.0, 0.0)
FREE = Resistance(damping=0.0)
GRAVITY = -PULL_OF_EARTH[1]
SWING = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))


def gains(stiffness: float, damping: float) -> Servos:
    """One servo."""
    return Servos(stiffness=(stiffness,), damping=(damping,))


def test_a_servo_is_the_backward_euler_step_of_its_spring_and_damper() -> None:
    made = compile_articulation(
        pendulum(mass=2.0), gravity=WEIGHTLESS, ground=None, servos=gains(30.0, 4.0), resistance=FREE
    )
    state, dt = made.new_state(np.array([0.3]), np.array([-1.0])), 0.02
    state.goal[:], state.goal_rate[:] = 0.8, 0.5
    inertia, q, v = 2.0, 0.3, -1.0
    expected = (inertia * v + dt * (30.0 * (0.8 - q) + 4.0 * 0.5)) / (inertia + dt * 4.0 + dt * dt * 30.0)
    stepper = SemiImplicitEuler(keep_energy=False)
    stepper.step(made, state, stepper.start(made, state), dt)
    assert state.qd[0] == pytest.approx(expected, rel=1e-12)
    assert state.q[0] == pytest.approx(q + dt * expected, rel=1e-12)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_damping_takes_what_backward_euler_takes(stepper: type[Stepper]) -> None:
    made = compile_articulation(
        pendulum(mass=2.0, dof=replace(SWING, damping=3.0)), gravity=WEIGHTLESS, ground=None, resistance=FREE
    )
    state, dt = made.new_state(qd=np.array([2.0])), 0.01
    run(made, state, 0.5, dt, stepper=stepper())
    assert state.qd[0] == pytest.approx(2.0 / (1.0 + dt * 3.0 / 2.0) ** 50, rel=1e-12)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_servos_a_hundred_thousand_times_as_stiff_stay_stable_at_ten_milliseconds(stepper: type[Stepper]) -> None:
    figure = load_figure("human")
    mechanics = compile_mechanics(compile_model(figure))
    usual = make_servos(mechanics, 3.0)
    stiff = Servos(
        stiffness=tuple(1e5 * each for each in usual.stiffness), damping=tuple(1e5 * each for each in usual.damping)
    )
    made = compile_articulation(figure, ground=None, bodies=False, servos=stiff)
    q = made.mechanics.model.rest.copy()
    state = made.new_state(q, np.random.default_rng(1).normal(size=mechanics.rate_count))
    run(made, state, 2.0, 0.01, stepper=stepper())
    assert np.isfinite(state.q).all()
    assert np.abs(state.q - q)[6:].max() < 0.05
    assert np.abs(state.qd[6:]).max() < 1e-2


def test_a_servo_swings_at_its_frequency() -> None:
    mechanics = compile_mechanics(compile_model(pendulum(mass=2.0)))
    servos = make_servos(mechanics, 1.0, ratio=0.0)
    assert servos.stiffness[0] == pytest.approx(2.0 * (2.0 * math.pi) ** 2)
    made = compile_articulation(pendulum(mass=2.0), gravity=WEIGHTLESS, ground=None, servos=servos, resistance=FREE)
    state = made.new_state(np.array([0.2]))
    state.goal[:] = 0.0
    told: list[float] = []
    run(made, state, 1.0, 0.0005, stepper=Midpoint(), seen=lambda work: told.append(float(work.state.q[0])))
    assert told[999] == pytest.approx(-0.2, abs=0.01)
    assert told[499] == pytest.approx(0.0, abs=0.01)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_dry_friction_holds_what_is_weaker_and_gives_way_to_what_is_stronger(stepper: type[Stepper]) -> None:
    made = compile_articulation(
        pendulum(mass=2.0),
        gravity=WEIGHTLESS,
        ground=None,
        resistance=Resistance(friction={"swing": 5.0}, damping=0.0),
    )
    state = made.new_state(np.array([0.3]))
    state.torque[:] = 4.99
    run(made, state, 1.0, 0.01, stepper=stepper())
    assert state.q[0] == 0.3
    state.torque[:] = 7.0
    run(made, state, 1.0, 0.01, stepper=stepper())
    assert state.qd[0] == pytest.approx((7.0 - 5.0) / 2.0, rel=1e-9)
    state.torque[:] = 0.0
    run(made, state, 0.41, 0.01, stepper=stepper())
    assert state.qd[0] == 0.0


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_joint_stops_at_its_limit_however_hard_it_is_pushed(stepper: type[Stepper]) -> None:
    made = compile_articulation(pendulum(dof=replace(SWING, lower=-0.5, upper=0.7)), ground=None, resistance=FREE)
    state = made.new_state(qd=np.array([20.0]))
    state.torque[:] = 500.0
    most: list[float] = []
    run(made, state, 1.0, 0.01, stepper=stepper(), seen=lambda work: most.append(float(work.state.q[0])))
    assert max(most) <= 0.7 + 1e-9
    assert state.q[0] == pytest.approx(0.7, abs=1e-3)
    state.torque[:] = 0.0
    run(made, state, 0.2, 0.01, stepper=stepper())
    assert state.q[0] < 0.68  # it falls off freely
    state.torque[:] = -500.0
    run(made, state, 1.0, 0.01, stepper=stepper())
    assert state.q[0] == pytest.approx(-0.5, abs=1e-3)


def two_hinges() -> Figure:
    """A universal joint with a limit over both angles: a box of 0.6 rad and a margin of 0.1, as a field."""
    grid = Grid(counts=(33, 33), lower=(-1.6, -1.6), spacing=(0.1, 0.1), periodic=(False, False))
    hinges = tuple(
        Dof(id=each, name=each, axis=axis) for each, axis in (("a", (1.0, 0.0, 0.0)), ("b", (0.0, 0.0, 1.0)))
    )
    box = BoxRange(lower=(-0.6, -0.6), upper=(0.6, 0.6))
    body = Body(mass=1.5, centre=(0.0, -0.4, 0.0), inertia=(0.01, 0.005, 0.01, 0.0, 0.0, 0.0))
    return Figure(
        name="Universal",
        joints=(Joint(id="post", name="Post"), Joint(id="arm", name="Arm", parent="post", dofs=hinges, body=body)),
        limits=(Limit(id="both", name="Both", dofs=("a", "b"), range=box, grid=grid, margin=0.1),),
    )


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_field_turns_a_joint_back_and_stays_stable(stepper: type[Stepper]) -> None:
    made = compile_articulation(two_hinges(), gravity=WEIGHTLESS, ground=None, resistance=FREE)
    state = made.new_state(qd=np.array([3.0, -2.0]))
    most: list[float] = []
    run(made, state, 2.0, 0.01, stepper=stepper(), seen=lambda work: most.append(float(np.abs(work.state.q).max())))
    assert 0.45 < max(most) < 0.72
    assert np.isfinite(state.q).all()
    state.torque[:] = 60.0, 0.0
    run(made, state, 3.0, 0.01, stepper=stepper())
    # It leans where the soft boundary bears 60 of the 100 N m that it has at its edge.
    step = np.array([1e-6, 0.0])
    assert (stored(made, state.q + step) - stored(made, state.q - step)) / 2e-6 == pytest.approx(60.0, rel=0.02)
    assert state.q[0] == pytest.approx(0.7 - 0.1 * (1.0 - math.sqrt(0.6)), abs=2e-3)


def stored(made: Articulation, q: Array) -> float:
    """The energy in servos and fields [J]."""
    count = made.mechanics.rate_count
    goal = made.mechanics.model.rest
    return store_energy(made.mechanics.ints, made.table, made.fields, goal, q, np.zeros(10), np.zeros(count))


def test_torques_of_servos_and_fields_are_slopes_of_the_energy_that_is_counted() -> None:
    made = compile_articulation(
        two_hinges(),
        gravity=WEIGHTLESS,
        ground=None,
        resistance=FREE,
        servos=Servos(stiffness=(7.0, 3.0), damping=(0.0, 0.0)),
    )
    q = np.array([0.56, 0.2])
    slope = [(stored(made, q + step) - stored(made, q - step)) / 2e-6 for step in 1e-6 * np.eye(2)]
    state = made.new_state(q)
    state.goal[:] = 0.0
    dt = 1e-7
    stepper = SemiImplicitEuler()
    stepper.step(made, state, stepper.start(made, state), dt)
    inertia = np.array([0.01 + 1.5 * 0.16 * math.cos(q[1]) ** 2 - 0.005 * math.sin(q[1]) ** 2, 0.01 + 1.5 * 0.16])
    inertia[0] = (0.01 + 1.5 * 0.16) * math.cos(q[1]) ** 2 + 0.005 * math.sin(q[1]) ** 2
    assert state.qd / dt * inertia == pytest.approx(-np.array(slope), rel=1e-4)


def test_damping_that_is_not_told_grows_with_the_root_of_the_inertia_and_leaves_roots_free() -> None:
    made = compile_articulation(load_figure("human"), bodies=False)
    table, inertia = made.table.reshape(made.mechanics.rate_count, -1), rest_inertia(made.mechanics)
    assert (table[:6, 2] == 0.0).all()
    assert table[6:, 2] == pytest.approx(0.3 * np.sqrt(inertia[6:]))
    assert (
        compile_articulation(load_figure("human"), bodies=False, resistance=FREE).table.reshape(-1, RATE_WIDTH)[:, 2]
        == 0
    ).all()


def test_gains_that_make_no_sense_are_refused_by_name() -> None:
    with pytest.raises(InvalidArguments, match="stiffness of a servo is inf"):
        gains(math.inf, 0.0)
    with pytest.raises(InvalidArguments, match=r"damping of a servo is -1\.0"):
        gains(1.0, -1.0)
    with pytest.raises(InvalidArguments, match="friction of swing is nan"):
        Resistance(friction={"swing": math.nan})
    with pytest.raises(InvalidArguments, match="onset of limits is 0"):
        Resistance(onset=0.0)
    with pytest.raises(UnknownPart, match=r"'swung'.*'swing'"):
        compile_articulation(pendulum(), resistance=Resistance(friction={"swung": 1.0}))
    with pytest.raises(InvalidArguments, match=r"number of servos is \(2, 2\)"):
        compile_articulation(pendulum(), servos=Servos(stiffness=(1.0, 1.0), damping=(0.0, 0.0)))
    with pytest.raises(InvalidArguments, match="frequency of a servo is inf"):
        compile_articulation(pendulum(), servos=math.inf)


def sprung(spring: float, neutral: float = 0.0, damping: float = 0.0) -> Dof:
    return replace(SWING, spring=spring, neutral=neutral, damping=damping)


def test_a_joint_with_a_spring_swings_about_its_rest_at_its_frequency_and_keeps_its_energy() -> None:
    """k = I (2 pi f)^2 with I = 2 kg m2 and 1 Hz."""
    spring = 2.0 * (2.0 * math.pi) ** 2
    made = compile_articulation(
        pendulum(mass=2.0, dof=sprung(spring, 0.1)), gravity=WEIGHTLESS, ground=None, resistance=FREE
    )
    state, seen, energies = made.new_state(np.array([0.3])), list[float](), list[float]()

    def look(work: Work) -> None:
        seen.append(float(work.state.q[0]))
        energies.append(energy(made, work))

    run(made, state, 1.0, 0.001, stepper=Midpoint(), seen=look)
    assert seen[499] == pytest.approx(-0.1, abs=2e-3)
    assert seen[249] == pytest.approx(0.1, abs=2e-3)
    assert seen[999] == pytest.approx(0.3, abs=3e-3)
    assert max(energies) <= 0.5 * spring * 0.2**2 + 1e-6
    assert min(energies) > 0.98 * 0.5 * spring * 0.2**2


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_spring_bears_a_weight_where_its_torque_is_that_of_the_weight(stepper: type[Stepper]) -> None:
    made = compile_articulation(pendulum(mass=2.0, dof=sprung(50.0, 1.2, 8.0)), ground=None, resistance=FREE)
    state = made.new_state(np.array([0.0]))
    run(made, state, 6.0, 0.01, stepper=stepper())
    q = float(state.q[0])
    assert 50.0 * (1.2 - q) == pytest.approx(2.0 * GRAVITY * math.sin(q), rel=1e-4)
    assert q < 1.0


def test_a_spring_a_million_times_as_stiff_stays_calm_at_ten_milliseconds() -> None:
    made = compile_articulation(pendulum(mass=2.0, dof=sprung(1e8)), ground=None, resistance=FREE)
    state = made.new_state(np.array([0.2]), np.array([30.0]))
    run(made, state, 0.3, 0.01)
    assert abs(state.q[0]) < 1e-4


def test_a_beam_of_joints_with_springs_bends_as_a_cantilever_does() -> None:
    """Each of n joints is turned by its moment over k: the end goes down by P l^2 / k sum(j^2), towards P L^3 / (3 EI)
    with EI = k l."""
    count, link, spring, mass = 10, 0.05, 200.0, 0.2
    joints = [Joint(id="wall", name="Wall")]
    for place in range(count):
        turn = Dof(id=f"j{place}", name="Turn", axis=(0.0, 0.0, 1.0), spring=spring, damping=3.0)
        weight = mass if place == count - 1 else 1e-6
        joints.append(
            Joint(id=f"link{place}", name="Link", parent=joints[-1].id, offset=(link if place else 0.0, 0.0, 0.0),
                  dofs=(turn,), body=Body(mass=weight, centre=(link, 0.0, 0.0)))
        )  # fmt: skip
    made = compile_articulation(Figure(name="Beam", joints=tuple(joints)), ground=None, bodies=False, resistance=FREE)
    state = made.new_state()
    run(made, state, 3.0, 0.01)
    angles = np.cumsum(state.q)
    down = -link * float(np.sin(angles).sum())
    pull = mass * GRAVITY
    assert down == pytest.approx(pull * link**2 / spring * sum(j * j for j in range(1, count + 1)), rel=2e-3)
    whole = count * link
    assert down == pytest.approx(pull * whole**3 / (3.0 * spring * link), rel=0.17)
    assert -state.q == pytest.approx([pull * link * (count - place) / spring for place in range(count)], rel=2e-3)
