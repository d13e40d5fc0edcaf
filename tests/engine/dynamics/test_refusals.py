"""What cannot be simulated is refused by name; what goes wrong on the way is named and leaves the state as it was."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.articulation import compile_articulation, stand
from engine.dynamics.mechanics import Massless
from engine.dynamics.resistance import Resistance, Servos
from engine.dynamics.stepping import STEPPERS, SemiImplicitEuler, Stepper
from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments, InvalidDocument
from engine.runtime.options import about
from tests.engine.dynamics.contacts import BRICK, pendulum, run, thing

SWING = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))


def test_a_figure_without_mass_is_refused_by_the_names_of_its_joint_and_freedom() -> None:
    with pytest.raises(Massless, match="rod moves no mass of its own by swing"):
        compile_articulation(pendulum(mass=0.0))


@pytest.mark.parametrize("q", [np.zeros(6), np.zeros(8), np.zeros((1, 7)), np.array(0.0), np.full(7, math.nan)])
def test_a_pose_that_is_none_of_the_figure_is_refused(q: Array) -> None:
    made = compile_articulation(thing(BRICK))
    with pytest.raises(InvalidArguments, match=r"pose to start from.*7 finite numbers"):
        made.new_state(q)
    with pytest.raises(InvalidArguments, match=r"pose to start from.*7 finite numbers"):
        stand(made, q)


@pytest.mark.parametrize("length", [0.0, 0.5, 1.001])
def test_a_quaternion_that_is_no_rotation_is_refused(length: float) -> None:
    made = compile_articulation(thing(BRICK))
    with pytest.raises(InvalidArguments, match="length of the quaternion"):
        made.new_state(np.array([0.0, 0.0, 0.0, length, 0.0, 0.0, 0.0]))


@pytest.mark.parametrize("qd", [np.zeros(7), np.array(1.0), np.full(6, math.inf)])
def test_rates_that_are_none_of_the_figure_are_refused(qd: Array) -> None:
    with pytest.raises(InvalidArguments, match=r"rates to start with.*6 finite numbers"):
        compile_articulation(thing(BRICK)).new_state(None, qd)


def test_a_state_or_checkpoint_of_another_figure_is_refused() -> None:
    made, other = compile_articulation(pendulum(), ground=None), compile_articulation(thing(BRICK))
    stepper = SemiImplicitEuler()
    saved = stepper.save(stepper.start(made, made.new_state()))
    with pytest.raises(InvalidArguments, match="size of a checkpoint"):
        stepper.load(other, saved)
    with pytest.raises(InvalidArguments, match=r"a checkpoint is .*'state'"):
        stepper.load(made, {"q": saved["state"]})
    with pytest.raises(InvalidArguments, match="a checkpoint is 'not a number'"):
        stepper.load(made, {"state": np.full_like(saved["state"], math.nan)})
    with pytest.raises(InvalidArguments, match="another figure"):
        stepper.start(made, other.new_state())
    with pytest.raises(InvalidArguments, match="the one that `start` was given"):
        stepper.step(made, made.new_state(), stepper.start(made, made.new_state()), 0.01)


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("place", ["q", "qd", "goal", "goal_rate", "torque", "outside"])
@pytest.mark.parametrize("value", [math.nan, math.inf, 1e300])
def test_what_is_not_finite_diverges_by_name_and_leaves_the_state(
    stepper: type[Stepper], place: str, value: float
) -> None:
    made = compile_articulation(thing(BRICK), servos=Servos(stiffness=(1.0,) * 6, damping=(1.0,) * 6))
    made = stand(made, made.mechanics.model.rest, gap=0.01)
    state = made.new_state()
    work = stepper().start(made, state)
    getattr(state, place)[...] = value
    before = state.buffer.copy()
    with pytest.raises(Diverged, match=r"the speed of .* at 0\.01 s became"):
        stepper().step(made, state, work, 0.01)
    assert state.buffer.tobytes() == before.tobytes()


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_joint_without_limits_turns_as_often_as_it_likes(stepper: type[Stepper]) -> None:
    made = compile_articulation(
        pendulum(), gravity=(0.0, 0.0, 0.0), ground=None, resistance=Resistance(friction=0.01, damping=0.0)
    )
    state = made.new_state(qd=np.array([30.0]))
    run(made, state, 2.0, 0.01, stepper=stepper())
    # Dry friction of 0.01 N m takes 0.005 rad/s a second from 2 kg m2.
    assert state.qd[0] == pytest.approx(30.0 - 0.01, rel=1e-9)
    assert state.q[0] == pytest.approx(60.0 - 0.01, rel=1e-3)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_joint_between_limits_that_leave_no_freedom_is_led_there_and_stays(stepper: type[Stepper]) -> None:
    made = compile_articulation(pendulum(dof=replace(SWING, lower=0.2, upper=0.2)), ground=None)
    state = made.new_state(np.array([0.21]))
    run(made, state, 2.0, 0.01, stepper=stepper())
    assert state.q[0] == pytest.approx(0.2, abs=1e-3)
    state.torque[:] = 300.0
    run(made, state, 1.0, 0.01, stepper=stepper())
    assert state.q[0] == pytest.approx(0.2, abs=1e-3)


@pytest.mark.parametrize("stepper", STEPPERS)
def test_no_option_may_be_no_number(stepper: type[Stepper]) -> None:
    for name, each in about(stepper).items():
        if each.least is not None:
            for value in (math.nan, math.inf):
                with pytest.raises(InvalidArguments, match=each.label):
                    replace(stepper(), **{name: value})  # type: ignore[type-var]


def test_places_and_gravity_that_are_not_finite_are_refused() -> None:
    with pytest.raises(InvalidDocument, match="gravity"):
        compile_articulation(pendulum(), gravity=(0.0, -math.inf, 0.0))
    with pytest.raises(InvalidDocument, match="placement's position"):
        compile_articulation(pendulum(), position=(math.nan, 0.0, 0.0))


def test_a_stone_without_freedom_stays_where_it_is() -> None:
    made = compile_articulation(Figure(name="Stone", joints=(Joint(id="a", name="A", body=Body(mass=1.0)),)))
    state = made.new_state()
    run(made, state, 0.1, 0.01)
    assert state.time == pytest.approx(0.1)
