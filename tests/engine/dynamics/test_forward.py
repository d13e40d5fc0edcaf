"""Forward dynamics against Pinocchio, MuJoCo, the mass matrix, and pendulums that keep their energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Body, Dof, Figure, Joint
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.forward import compute_forward_dynamics
from engine.dynamics.mechanics import Mechanics, compile_mechanics, with_gravity
from engine.dynamics.momenta import ANGULAR, KINETIC, LINEAR, POTENTIAL
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from tests.benchmarks.peers import mujoco_dynamics, mujoco_places, pinocchio_coordinates, pinocchio_dynamics
from tests.engine.dynamics.examples import (
    FIGURES,
    State,
    balanced,
    double_pendulum,
    forward,
    idle,
    inverse,
    mass_matrix,
    mechanics_of,
    momenta,
    near,
    random_state,
    rod,
    solid,
    weighed_figure,
)


def agreed(mechanics: Mechanics, state: State, found: Array, wanted: Array) -> None:
    """Alike to 1e-10 in what the difference needs of forces; in accelerations, too, but near gimbal lock.

    There both sides lose digits: of 71 freedoms at random angles the neck's may have 1e-8, by Pinocchio's own forces.
    """
    mass = mass_matrix(mechanics, state.q)
    force = np.abs(mass) @ np.abs(wanted) + np.abs(inverse(mechanics, state, np.zeros(mechanics.rate_count)))
    assert (np.abs(mass @ (found - wanted)) <= 1e-10 * force).all()
    root = np.sqrt(np.diag(mass))
    if len(root) == 0 or np.linalg.cond(mass / np.outer(root, root)) < 1e5:
        near(found, wanted)


def test_most_of_the_states_are_far_from_gimbal_lock() -> None:
    far = 0
    for figure in FIGURES.values():
        mechanics = mechanics_of(figure)
        for seed in range(4):
            mass = mass_matrix(mechanics, random_state(figure, mechanics, seed).q)
            root = np.sqrt(np.diag(mass))
            far += len(root) == 0 or np.linalg.cond(mass / np.outer(root, root)) < 1e5
    assert far > 0.9 * 4 * len(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
def test_pinocchio_agrees(name: str) -> None:
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is not installed; it has no wheels for Windows")
    figure = FIGURES[name]
    mechanics, peer = mechanics_of(figure), pinocchio_dynamics(figure)
    for seed in range(4):
        state = random_state(figure, mechanics, seed)
        q = pinocchio_coordinates(figure, state.q)
        tau = inverse(mechanics, state, state.qdd)
        agreed(mechanics, state, forward(mechanics, state, tau), pin.aba(peer, peer.createData(), q, state.qd, tau))


@pytest.mark.parametrize("name", FIGURES)
def test_mujoco_agrees(name: str) -> None:
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed")
    figure = solid(FIGURES[name])
    mechanics, peer = mechanics_of(figure), mujoco_dynamics(figure)
    _, coordinates, rates = mujoco_places(figure, peer)
    data = mujoco.MjData(peer)
    for seed in range(4):
        state = random_state(figure, mechanics, seed)
        tau = inverse(mechanics, state, state.qdd)
        data.qpos[coordinates], data.qvel[rates], data.qfrc_applied[rates] = state.q, state.qd, tau
        mujoco.mj_forward(peer, data)
        agreed(mechanics, state, forward(mechanics, state, tau), data.qacc[rates])


@pytest.mark.parametrize("name", FIGURES)
def test_mass_times_acceleration_and_bias_are_the_forces(name: str) -> None:
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 8)
    qdd = forward(mechanics, state, state.tau)
    balanced(mechanics, state, qdd, state.tau)
    again = inverse(mechanics, state, forward(mechanics, state, state.tau, outside=state.outside), state.outside)
    near(again, state.tau, 1e-8)


@pytest.mark.parametrize("name", FIGURES)
def test_a_diagonal_is_added_to_the_mass_matrix(name: str) -> None:
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 9)
    diagonal = np.abs(state.qdd) + 0.1
    bias = inverse(mechanics, state, np.zeros(mechanics.rate_count))
    wanted = np.linalg.solve(mass_matrix(mechanics, state.q) + np.diag(diagonal), state.tau - bias)
    near(forward(mechanics, state, state.tau, diagonal=diagonal), wanted)


@pytest.mark.parametrize("name", FIGURES)
def test_an_infinite_diagonal_gives_the_acceleration(name: str) -> None:
    """Of the other rates the rows of M qdd + bias = tau hold."""
    figure = FIGURES[name]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 10)
    given = np.random.default_rng(4).random(mechanics.rate_count) < 0.4
    diagonal = np.where(given, np.inf, 0.2)
    qdd = forward(mechanics, state, state.tau, diagonal=diagonal)
    assert (qdd[given] == state.tau[given]).all()
    mass, free = mass_matrix(mechanics, state.q) + 0.2 * np.eye(mechanics.rate_count), ~given
    bias = inverse(mechanics, state, np.zeros(mechanics.rate_count))
    left = state.tau[free] - bias[free] - mass[np.ix_(free, given)] @ state.tau[given]
    near(qdd[free], np.linalg.solve(mass[np.ix_(free, free)], left))


def runge_kutta(mechanics: Mechanics, q: Array, qd: Array, dt: float, count: int) -> tuple[Array, Array]:
    """The classic fourth order; balls are led from stage to stage by their rates."""
    none, still = idle(mechanics), np.zeros(mechanics.rate_count)
    work, ints, floats = mechanics.new_work(), mechanics.ints, mechanics.floats

    def accelerations(q: Array, qd: Array) -> Array:
        qdd = np.empty(len(qd))
        compute_forward_dynamics(ints, floats, q, qd, still, still, none, work, qdd)
        return qdd

    def moved(q: Array, qd: Array, dt: float) -> Array:
        found = np.empty(len(q))
        integrate_coordinates(ints, q, qd, dt, found)
        return found

    for _ in range(count):
        one = accelerations(q, qd)
        two = accelerations(moved(q, qd, 0.5 * dt), qd + 0.5 * dt * one)
        second = qd + 0.5 * dt * one
        three = accelerations(moved(q, second, 0.5 * dt), qd + 0.5 * dt * two)
        third = qd + 0.5 * dt * two
        four = accelerations(moved(q, third, dt), qd + dt * three)
        q = moved(q, qd + dt / 6.0 * (one + two + three), dt)
        qd = qd + dt / 6.0 * (one + 2.0 * two + 2.0 * three + four)
    return q, qd


def test_a_double_pendulum_keeps_its_energy_for_ten_seconds() -> None:
    mechanics = mechanics_of(double_pendulum())
    q, qd = np.array([2.0, 0.5]), np.zeros(2)
    before = momenta(mechanics, q, qd)
    q, qd = runge_kutta(mechanics, q, qd, 1e-3, 10_000)
    after = momenta(mechanics, q, qd)
    assert abs(after[KINETIC] - before[KINETIC]) > 1e-3  # it does swing
    energy = before[KINETIC] + before[POTENTIAL]
    assert abs(after[KINETIC] + after[POTENTIAL] - energy) < 1e-6 * abs(energy)


@pytest.mark.parametrize("root", ["hinges", "ball"])
def test_what_floats_keeps_its_momenta(root: str) -> None:
    figure = weighed_figure(2, root)
    mechanics = with_gravity(mechanics_of(figure), (0.0, 0.0, 0.0))
    state = random_state(figure, mechanics, 12)
    before = momenta(mechanics, state.q, 0.3 * state.qd)
    after = momenta(mechanics, *runge_kutta(mechanics, state.q, 0.3 * state.qd, 2.5e-4, 200))
    # A ball that is led by its rates within a step is of second order there, hinges are of fourth.
    tolerance = 1e-9 if root == "hinges" else 1e-5
    for place in (LINEAR, ANGULAR):
        near(after[place : place + 3], before[place : place + 3], tolerance)
    assert abs(after[KINETIC] / before[KINETIC] - 1.0) < tolerance


def test_a_rod_falls_as_told_by_its_inertia() -> None:
    """A uniform rod hinged at its end accelerates with 3 g sin(angle) / (2 length)."""
    mechanics = mechanics_of(Figure(name="Rod", joints=(rod("a", None, 2.0),)))
    for angle in (0.1, 1.0, 2.5):
        state = State(np.array([angle]), np.array([3.0]), np.zeros(1), np.zeros(1), idle(mechanics))
        near(forward(mechanics, state, np.zeros(1)), np.array([-0.75 * 9.80665 * math.sin(angle)]), 1e-14)


def test_a_massless_freedom_with_a_diagonal_follows_its_force() -> None:
    tip = Joint(id="tip", name="Tip", parent="a", dofs=(Dof(id="tip.x", name="Turn"),), body=Body(mass=0.0))
    model = compile_model(Figure(name="Rod and tip", joints=(rod("a", None), tip)))
    mechanics = compile_mechanics(model, massless=True)
    state = State(np.array([0.3, 0.2]), np.array([1.0, 2.0]), np.zeros(2), np.array([0.5, 0.7]), idle(mechanics))
    found = forward(mechanics, state, state.tau, diagonal=np.array([0.0, 0.1]))
    assert found[1] == pytest.approx(7.0, abs=1e-13)
    alone = mechanics_of(Figure(name="Rod", joints=(rod("a", None),)))
    only = State(state.q[:1], state.qd[:1], state.qdd[:1], state.tau[:1], idle(alone))
    near(found[:1], forward(alone, only, state.tau[:1]), 1e-13)
    assert not np.isfinite(forward(mechanics, state, state.tau)).all()


def test_numbers_that_are_not_finite_are_not_hidden() -> None:
    figure = FIGURES["human"]
    mechanics = mechanics_of(figure)
    state = random_state(figure, mechanics, 13)
    state.q[-1] = np.nan
    assert np.isnan(forward(mechanics, state, state.tau)).any()


def test_the_same_input_gives_the_same_bytes_whatever_was_in_the_work_buffer() -> None:
    figure = FIGURES["ball 3"]
    mechanics = mechanics_of(figure)
    one, other = random_state(figure, mechanics, 1), random_state(figure, mechanics, 2)
    work, found = mechanics.new_work(), np.empty((3, mechanics.rate_count))
    diagonal = np.zeros(mechanics.rate_count)
    for state, out in zip((one, other, one), found, strict=True):
        compute_forward_dynamics(
            mechanics.ints, mechanics.floats, state.q, state.qd, state.tau, diagonal, state.outside, work, out
        )
    assert found[0].tobytes() == found[2].tobytes() != found[1].tobytes()
