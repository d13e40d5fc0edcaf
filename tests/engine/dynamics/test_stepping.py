"""Steppers: orders, repetition to the last bit, checkpoints, and what they refuse."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from engine.dynamics.articulation import State, compile_articulation, stand
from engine.dynamics.momenta import LINEAR, MOMENTA, compute_momenta
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import (
    STEPPERS,
    BackwardEuler,
    Midpoint,
    SemiImplicitEuler,
    Stepper,
    divide_frame,
)
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.options import about
from tests.engine.dynamics.contacts import BRICK, energy, kneeling, pendulum, run, thing

G = 9.80665
FREE = Resistance(damping=0.0)


def swung(stepper: Stepper, dt: float) -> float:
    """Where a pendulum of 1 m is, half a second after it was let go at 1 rad."""
    made = compile_articulation(pendulum(), ground=None, resistance=FREE)
    state = made.new_state(np.array([1.0]))
    run(made, state, 0.5, dt, stepper=stepper)
    return float(state.q[0])


@pytest.mark.parametrize(
    ("stepper", "order"),
    [
        (SemiImplicitEuler(keep_energy=False), 1),
        (BackwardEuler(repeats=50, settled=1e-13, keep_energy=False), 1),
        (Midpoint(keep_energy=False), 2),
    ],
)
def test_a_pendulum_swings_as_it_should_to_the_order_of_the_stepper(stepper: Stepper, order: int) -> None:
    exact = _fine_pendulum(1.0, 0.5)
    errors = [abs(swung(stepper, dt) - exact) for dt in (0.01, 0.005, 0.0025)]
    assert errors[0] < (0.1 if order == 1 else 1e-3)
    for coarse, fine in pairwise(errors):
        assert 2.0 ** (order - 0.2) < coarse / fine < 2.0 ** (order + 0.4)


def _fine_pendulum(angle: float, seconds: float) -> float:
    """A classical Runge-Kutta integration in 20,000 steps."""
    count = 20_000
    h, y = seconds / count, np.array([angle, 0.0])

    def slope(y: Array) -> Array:
        return np.array([y[1], -G * math.sin(y[0])])

    for _ in range(count):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        d = slope(y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    return float(y[0])


def test_backward_euler_is_the_implicit_step_of_the_pendulum() -> None:
    made = compile_articulation(pendulum(), ground=None, resistance=FREE)
    state, dt = made.new_state(np.array([1.0]), np.array([0.5])), 0.01
    stepper = BackwardEuler(repeats=60, settled=0.0, keep_energy=False)
    stepper.step(made, state, stepper.start(made, state), dt)
    assert state.qd[0] == pytest.approx(0.5 - dt * G * math.sin(state.q[0]), rel=1e-12)
    assert state.q[0] == pytest.approx(1.0 + dt * state.qd[0], rel=1e-14)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_step_repeats_bit_for_bit_and_from_a_checkpoint(stepper: type[Stepper]) -> None:
    made, q = kneeling()

    def start() -> State:
        state = made.new_state(q)
        state.qd[:] = 0.2 * np.random.default_rng(7).normal(size=len(state.qd))
        return state

    whole, again = start(), start()
    run(made, whole, 0.8, 0.01, stepper=stepper())
    work = run(made, again, 0.4, 0.01, stepper=stepper())
    saved = stepper().save(work)
    run(made, again, 0.4, 0.01, stepper=stepper())
    assert again.buffer.tobytes() == whole.buffer.tobytes()
    loaded = stepper().load(made, saved)
    assert loaded.state.time == pytest.approx(0.4)
    run(made, loaded.state, 0.4, 0.01, stepper=stepper())
    assert loaded.state.buffer.tobytes() == whole.buffer.tobytes()
    assert whole.impulses.any()


def test_a_force_from_outside_accelerates_and_its_torque_turns() -> None:
    made = compile_articulation(thing(BRICK), gravity=(0.0, 0.0, 0.0), ground=None)
    mass, state = 8.0 * 0.1 * 0.05 * 0.15 * 1000.0, made.new_state()
    state.outside[0] = 3.0, 0.0, 0.0, 0.0, 0.5, 0.0
    run(made, state, 1.0, 0.01)
    assert state.qd[0] == pytest.approx(3.0 / mass, rel=1e-9)
    assert state.qd[4] == pytest.approx(0.5 / (mass / 3.0 * (0.1**2 + 0.15**2)), rel=1e-9)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_free_fall_is_that_of_galilei(stepper: type[Stepper]) -> None:
    made = compile_articulation(load_figure("human"), ground=None, servos=3.0)
    state = made.new_state()
    run(made, state, 0.5, 0.005, stepper=stepper())
    momenta = np.empty(MOMENTA)
    mechanics = made.mechanics
    compute_momenta(mechanics.ints, mechanics.floats, state.q, state.qd, mechanics.new_work(), momenta)
    speed = momenta[LINEAR : LINEAR + 3] / momenta[0]
    assert speed == pytest.approx([0.0, -0.5 * G, 0.0], rel=1e-6, abs=1e-6)


def test_servos_that_move_give_energy_and_others_do_not() -> None:
    made = compile_articulation(pendulum(), gravity=(0.0, 0.0, 0.0), ground=None, servos=2.0)
    state, stepper = made.new_state(), SemiImplicitEuler()
    work, told = stepper.start(made, state), []
    for frame in range(100):
        state.goal[:], state.goal_rate[:] = 0.01 * (frame + 1), 1.0
        stepper.step(made, state, work, 0.01)
        told.append(energy(made, work))
    assert state.q[0] > 0.9
    assert max(told) > 0.9  # 2 kg at 1 m and 1 rad/s have 1 J
    state.goal_rate[:] = 0.0
    still: list[float] = []
    run(made, state, 1.0, 0.01, seen=lambda each: still.append(energy(made, each)))
    assert max(np.diff(still)) <= 1e-6


def test_what_diverges_tells_the_joint_and_the_time_and_stays_as_it_was() -> None:
    made = compile_articulation(pendulum(), ground=None)
    state, stepper = made.new_state(), SemiImplicitEuler()
    work = stepper.start(made, state)
    stepper.step(made, state, work, 0.01)
    state.torque[:] = math.nan
    before = state.buffer.copy()
    with pytest.raises(Diverged, match=r"the speed of rod at 0\.02 s became nan"):
        stepper.step(made, state, work, 0.01)
    assert state.buffer.tobytes() == before.tobytes()
    state.torque[:] = 1e13
    with pytest.raises(Diverged, match="the speed of rod"):
        stepper.step(made, state, work, 0.01)


@pytest.mark.parametrize("dt", [0.0, -0.01, math.inf, math.nan])
def test_a_step_of_no_time_is_refused(dt: float) -> None:
    made = compile_articulation(pendulum(), ground=None)
    state, stepper = made.new_state(), SemiImplicitEuler()
    with pytest.raises(InvalidArguments, match="time step"):
        stepper.step(made, state, stepper.start(made, state), dt)


@pytest.mark.parametrize(
    ("rate", "most", "count"),
    [(Fraction(24), 0.01, 5), (Fraction(30000, 1001), 0.01, 4), (Fraction(120), 1.0, 1), (Fraction(100), 0.005, 2)],
)
def test_steps_divide_the_frame(rate: Fraction, most: float, count: int) -> None:
    dt, found = divide_frame(rate, most)
    assert found == count
    assert dt <= most * (1.0 + 1e-9)
    assert dt * count == pytest.approx(1.0 / float(rate), rel=1e-15)


def test_a_frame_rate_or_step_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="frame rate is 0"):
        divide_frame(0.0, 0.01)
    with pytest.raises(InvalidArguments, match="longest time step is -1"):
        divide_frame(30.0, -1.0)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_every_option_tells_what_it_is_and_refuses_what_is_beyond_its_range(stepper: type[Stepper]) -> None:
    told = about(stepper)
    assert {"passes", "tolerance", "keep_energy"} <= set(told)
    for name, each in told.items():
        assert each.label
        assert each.note
        if each.least is not None:
            with pytest.raises(InvalidArguments, match=each.label):
                replace(stepper(), **{name: each.least - 1})  # type: ignore[type-var]


def test_steppers_have_names_of_their_own() -> None:
    assert len({each.name for each in STEPPERS}) == len({each.label for each in STEPPERS}) == len(STEPPERS)


def test_stopping_at_the_ground_does_not_depend_on_where_the_world_begins() -> None:
    heights = []
    for height in (0.0, 50.0):
        made = compile_articulation(thing(BRICK), position=(30.0, 0.0, -70.0))
        made = replace(made, shapes=replace(made.shapes, floats=_at_height(made.shapes.floats, height)))
        made = stand(made, made.mechanics.model.rest, gap=0.1)
        state = made.new_state()
        run(made, state, 1.0, 0.005)
        heights.append(float(state.q[1]))
    assert heights[0] == pytest.approx(-0.1, abs=2e-4)
    assert heights[1] == pytest.approx(heights[0], abs=1e-6)


def _at_height(floats: Array, height: float) -> Array:
    moved = floats.copy()
    moved[3] = height
    moved.flags.writeable = False
    return moved
