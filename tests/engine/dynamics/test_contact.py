"""Contact with the ground and among bodies: sticking, sliding, resting, and no energy from nowhere."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from engine.document import Ellipsoid
from engine.document.values import Quaternion
from engine.dynamics.articulation import Articulation, compile_articulation, stand
from engine.dynamics.contact_shapes import Ground
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.motions import compute_frames
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import STEPPERS, Stepper, Work
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from tests.engine.dynamics.contacts import BRICK, energy, flail, kneeling, lying, run, thing

G = 9.80665


def slope(degrees: float, friction: float) -> tuple[Ground, Quaternion, Array]:
    """A plane that falls towards +x, how a thing on it is turned, and the way down."""
    angle = math.radians(degrees)
    ground = Ground(normal=(math.sin(angle), math.cos(angle), 0.0), friction=friction)
    turned = (math.cos(0.5 * angle), 0.0, 0.0, -math.sin(0.5 * angle))
    return ground, turned, np.array([math.cos(angle), -math.sin(angle), 0.0])


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_box_sticks_below_the_angle_of_friction(stepper: type[Stepper]) -> None:
    ground, turned, _ = slope(math.degrees(math.atan(0.5)) - 0.5, 0.5)
    made = compile_articulation(thing(BRICK), ground=ground, rotation=turned)
    made = stand(made, made.mechanics.model.rest)
    state = made.new_state()
    run(made, state, 2.0, 0.005, stepper=stepper())
    assert np.abs(state.q[:3]).max() < 1e-6
    assert np.abs(state.qd).max() < 1e-6


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize(("degrees", "friction"), [(30.0, 0.5), (20.0, 0.3), (28.0, 0.5), (40.0, 0.0)])
def test_a_box_slides_above_it_as_coulomb_says(stepper: type[Stepper], degrees: float, friction: float) -> None:
    ground, turned, _ = slope(degrees, friction)
    made = compile_articulation(thing(BRICK), ground=ground, rotation=turned)
    made = stand(made, made.mechanics.model.rest)
    state, angle = made.new_state(), math.radians(degrees)
    run(made, state, 1.0, 0.005, stepper=stepper())
    expected = G * (math.sin(angle) - friction * math.cos(angle))
    assert state.qd[0] == pytest.approx(expected, rel=0.02)
    assert state.q[0] == pytest.approx(0.5 * expected, rel=0.02)
    assert np.abs(state.q[1:3]).max() < 1e-3


def test_a_ball_that_grips_rolls_down_at_five_sevenths() -> None:
    ground, turned, _ = slope(20.0, 0.8)
    made = compile_articulation(thing(Ellipsoid(radii=(0.1, 0.1, 0.1))), ground=ground, rotation=turned)
    made = stand(made, made.mechanics.model.rest)
    state = made.new_state()
    run(made, state, 1.0, 0.005)
    assert state.qd[0] == pytest.approx(5.0 / 7.0 * G * math.sin(math.radians(20.0)), rel=0.01)
    # The ball turns with its way: the ball's rates are about its own axes, of which the third stays where it is.
    assert state.qd[5] == pytest.approx(-state.qd[0] / 0.1, rel=0.01)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_what_falls_lands_at_rest_and_the_ground_bears_its_weight(stepper: type[Stepper]) -> None:
    made = compile_articulation(thing(BRICK), rotation=(0.96, 0.0, 0.0, 0.28))
    made = stand(made, made.mechanics.model.rest, gap=0.3)
    state, dt = made.new_state(), 0.005
    work = run(made, state, 3.0, dt, stepper=stepper())
    assert np.abs(state.qd).max() < 1e-3
    weight = 8.0 * 0.1 * 0.05 * 0.15 * 1000.0 * G
    assert state.impulses.sum(axis=0) == pytest.approx([0.0, weight * dt, 0.0], abs=1e-3 * weight * dt)
    assert work.contact_count == 4


@pytest.mark.parametrize("pose", [lying, kneeling])
def test_a_human_comes_to_rest_and_does_not_creep(pose: Callable[[], tuple[Articulation, Array]]) -> None:
    made, q = pose()
    state = made.new_state(q)
    run(made, state, 8.0, 0.01)
    before = _places(made, state.q)
    fastest = []
    run(made, state, 2.0, 0.01, seen=lambda work: fastest.append(_fastest(made, work)))
    assert max(fastest) < 1e-3
    assert np.abs(_places(made, state.q) - before).max() < 1e-3
    # Nobody has fallen over.
    assert np.abs(_places(made, state.q) - _places(made, q)).max() < 0.3


def _places(made: Articulation, q: Array) -> Array:
    """Where all joints are [m], shape [joint_count, 3]."""
    work = made.mechanics.new_work()
    compute_frames(made.mechanics.ints, made.mechanics.floats, q, work)
    return made.mechanics.model.transforms(work)[:, 9:].copy()


def _fastest(made: Articulation, work: Work) -> float:
    """The speed of the fastest joint [m/s], by its way in a thousandth of a second."""
    state = work.state
    later = state.q.copy()
    integrate_coordinates(made.mechanics.ints, state.q, state.qd, 1e-3, later)
    return float(np.linalg.norm(_places(made, later) - _places(made, state.q), axis=1).max() / 1e-3)


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("held", [None, 2.0])
@pytest.mark.parametrize(
    ("seed", "rate", "gap", "gravity", "dt"),
    [
        (4, 1.0, 0.4, G, 0.005),
        (4, 1.0, 0.4, 9.81, 0.005),
        (5, 3.0, 0.05, G, 0.005),
        (6, 3.0, 0.05, 1.62, 0.01),
        (7, 1.0, 0.2, 24.8, 0.01),
        (8, 1.0, -0.015, G, 0.005),
    ],
)
def test_no_step_of_a_falling_human_adds_energy(
    stepper: type[Stepper], held: float | None, seed: int, rate: float, gap: float, gravity: float, dt: float
) -> None:
    made = compile_articulation(load_figure("human"), servos=held, gravity=(0.0, -gravity, 0.0))
    q = made.mechanics.model.rest
    made = stand(made, q, gap=gap)
    state = made.new_state(q, rate * np.random.default_rng(seed).normal(size=made.mechanics.rate_count))
    told = [energy(made, stepper().start(made, state))]
    run(made, state, 0.7, dt, stepper=stepper(), seen=lambda work: told.append(energy(made, work)))
    assert max(np.diff(told)) < 1e-6
    assert told[-1] < told[0] - 25.0  # it did strike the ground


def test_a_limb_lands_on_another_and_stays_there() -> None:
    made = compile_articulation(flail(), ground=None, resistance=Resistance(friction={"first.turn": 500.0}))
    assert made.shapes.pair_count == 1
    q = np.array([0.0, math.radians(85.0), math.radians(75.0)])
    state = made.new_state(q)
    gaps: list[float] = []
    run(made, state, 3.0, 0.005, seen=lambda work: gaps.append(_tip_height(made, work)))
    # The axes of two bars of 3 cm may come no nearer than 6 cm, but for what is overlooked.
    assert min(gaps) > 0.06 - 0.002
    assert gaps[-1] < 0.1
    assert np.abs(state.qd).max() < 1e-2
    free = compile_articulation(
        flail(), ground=None, bodies=False, resistance=Resistance(friction={"first.turn": 500.0})
    )
    loose = free.new_state(q)
    passed: list[float] = []
    run(free, loose, 3.0, 0.005, seen=lambda work: passed.append(_tip_height(free, work)))
    assert min(passed) < 0.0


def _tip_height(made: Articulation, work: Work) -> float:
    """The lowest end of the third bar's axis above that of the first, which lies along x [m]."""
    room = made.mechanics.new_work()
    compute_frames(made.mechanics.ints, made.mechanics.floats, work.state.q, room)
    row = made.mechanics.model.transforms(room)[3]
    return float(min(row[10], row[10] + 0.4 * row[3]))


def test_what_starts_deep_inside_the_ground_is_led_out_slowly() -> None:
    made = compile_articulation(thing(BRICK))
    made = stand(made, made.mechanics.model.rest, gap=-0.05)
    state = made.new_state()
    speeds: list[float] = []
    run(made, state, 2.0, 0.005, seen=lambda work: speeds.append(float(np.abs(work.state.qd).max())))
    assert 0.029 < state.q[1] < 0.051
    assert max(speeds) < 0.51
    assert speeds[-1] < 1e-3


@pytest.mark.parametrize("stepper", STEPPERS)
def test_the_ground_gives_nothing_to_what_comes_deep_inside_later(stepper: type[Stepper]) -> None:
    made = compile_articulation(thing(BRICK))
    made = stand(made, made.mechanics.model.rest, gap=0.001)
    state = made.new_state()
    state.q[1] -= 0.05
    told = [energy(made, stepper().start(made, state))]
    run(made, state, 0.5, 0.005, stepper=stepper(), seen=lambda work: told.append(energy(made, work)))
    assert max(np.diff(told)) < 1e-6
    # One that was out for a moment is no exception.
    again = stand(made, made.mechanics.model.rest, gap=-0.05)
    led = again.new_state()
    assert led.inside[0] == 4
    led.q[1] += 0.06
    run(again, led, 0.005, 0.005, stepper=stepper())
    assert not led.inside.any()


def test_friction_opposes_the_slide_whatever_its_direction() -> None:
    made = compile_articulation(thing(BRICK), ground=Ground(friction=0.4))
    made = stand(made, made.mechanics.model.rest)
    for angle in np.linspace(0.0, 2.0 * math.pi, 7)[:-1]:
        way = np.array([math.cos(angle), 0.0, math.sin(angle)])
        state = made.new_state()
        state.qd[:3] = 2.0 * way
        run(made, state, 0.3, 0.005)
        left = (2.0 - 0.4 * G * 0.3) * way
        assert state.qd[:3] == pytest.approx(left, abs=0.02)
