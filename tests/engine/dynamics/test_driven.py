"""Driven coordinates in simulation: against the equation of motion of what is free, and under contact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.document import Box, Dof, DrivenBy, Figure, Joint
from engine.dynamics.articulation import Articulation, State, compile_articulation, stand
from engine.dynamics.mass import compute_mass_matrix
from engine.dynamics.mechanics import compile_mechanics
from engine.dynamics.resistance import Resistance
from engine.dynamics.stepping import STEPPERS, Impulsive, SemiImplicitEuler
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow, slopes_of, write_driven_rates
from engine.model.kinematics import compute_forward_kinematics
from tests.engine.driven_leg import BODY, leg

Y = (0.0, 1.0, 0.0)
FREE = Resistance(damping=0.0)


def hanging() -> Figure:
    """The leg with nothing free but its knee, and bodies that all weigh something."""
    figure = leg(BODY)
    hip = replace(figure.joints[0], dofs=(Dof(id="hip.z", name="Spread", lower=0.0, upper=0.0),))
    knee = replace(figure.joints[2], dofs=(figure.joints[2].dofs[0], Dof(id="knee.x", name="Flex")))
    return replace(figure, joints=(hip, figure.joints[1], knee, figure.joints[3]))


def reduced(figure: Figure, seconds: float, x: float, times: Array) -> Array:
    """The knee alone: m(x) x'' + m'(x) x'^2 / 2 + V'(x) = 0, from rest."""
    model = compile_model(figure)
    mechanics, driven = compile_mechanics(model), model.driven
    assert driven is not None
    place, rate = figure.coordinate_index["knee.x"], figure.rate_index["knee.x"]
    work, mass = mechanics.new_work(), np.zeros((model.rate_count, model.rate_count))

    def weigh(value: float) -> tuple[float, float]:
        q = np.zeros(len(figure.coordinates))
        q[place] = value
        q = follow(driven, q)
        way = np.zeros(model.rate_count)
        way[rate] = 1.0
        write_driven_rates(driven.ints, slopes_of(driven, q), way)
        compute_mass_matrix(mechanics.ints, mechanics.floats, q, work, mass)
        return float(way @ mass @ way), height(q)

    def height(q: Array) -> float:
        state = model.new_state()
        compute_forward_kinematics(model.ints, model.floats, q, state)
        rows = model.transforms(state)
        centres = [row[:9].reshape(3, 3) @ np.array(BODY.centre) + row[9:] for row in rows]
        return 9.80665 * BODY.mass * float(np.sum(centres, axis=0)[1])

    def moves(_: float, y: Array) -> list[float]:
        step = 1e-5
        (before, low), (here, _), (after, high) = weigh(y[0] - step), weigh(y[0]), weigh(y[0] + step)
        slope, pull = (after - before) / (2.0 * step), (high - low) / (2.0 * step)
        return [y[1], -(pull + 0.5 * slope * y[1] ** 2) / here]

    found = solve_ivp(moves, (0.0, seconds), [x, 0.0], t_eval=times, rtol=1e-9, atol=1e-10)
    return np.asarray(found.y[0])


def simulate(
    articulation: Articulation, q: Array, dt: float, count: int, stepper: type[Impulsive] = SemiImplicitEuler
) -> list[State]:
    state = articulation.new_state(q)
    made = stepper()
    work, found = made.start(articulation, state), []
    for _ in range(count):
        made.step(articulation, state, work, dt)
        found.append(State(articulation, state.buffer.copy()))
    return found


@pytest.mark.parametrize("stepper", STEPPERS)
def test_a_knee_swings_as_its_reduced_equation_says(
    stepper: type[Impulsive],
) -> None:
    figure, dt, count = hanging(), 0.25e-3, 3000
    articulation = compile_articulation(figure, ground=None, bodies=False, resistance=FREE)
    place = figure.coordinate_index["knee.x"]
    start = np.zeros(len(figure.coordinates))
    start[place] = 1.4
    states = simulate(articulation, start, dt, count, stepper)
    times: Array = dt * np.arange(1, count + 1, dtype=np.float64)
    found = np.array([state.q[place] for state in states])
    assert np.ptp(found) > 1.5
    assert found == pytest.approx(reduced(figure, times[-1] + dt, 1.4, times), abs=2.5e-3)
    driven = articulation.mechanics.model.driven
    assert all(np.array_equal(follow(driven, state.q), state.q) for state in states[::100])


def test_a_driven_part_that_stands_on_the_ground_holds_what_drives_it() -> None:
    """The weight of a base on a foot turns the crank that drives the foot, until the crank's stop."""
    up = DrivenBy(dof="crank.x", at=(-1.0, 1.0), values=(-0.2, 0.2))
    rise = Dof(id="base.y", name="Rise", kind="slide", axis=Y)
    crank = Dof(id="crank.x", name="Turn", lower=-0.5, upper=0.5)
    slide = Dof(id="foot.y", name="Slide", kind="slide", axis=Y, driven=(up,))
    box, wheel = Box(half=(0.1, 0.05, 0.1)), replace(BODY, centre=(0.0, 0.0, 0.0))
    figure = Figure(
        name="Crank",
        joints=(
            Joint(id="base", name="Base", dofs=(rise,), body=BODY),
            Joint(id="crank", name="Crank", parent="base", dofs=(crank,), body=wheel),
            Joint(id="foot", name="Foot", parent="base", offset=(0.0, -0.5, 0.0), dofs=(slide,), shapes=(box,)),
        ),
    )
    q = np.zeros(3)
    articulation = stand(compile_articulation(figure, resistance=FREE), q)
    state = simulate(articulation, q, 2e-3, 1000)[-1]
    assert state.q[1] == pytest.approx(0.5, abs=2e-3)
    assert state.q[2] == pytest.approx(0.1, abs=2.5e-3)
    assert state.q[0] == pytest.approx(-0.1, abs=2e-3)
