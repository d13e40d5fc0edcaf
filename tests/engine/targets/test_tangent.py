"""Gradients of the inverse dynamics that answers to first order stand on."""

from __future__ import annotations

import math

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.batch import new_batch_workspace
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.mechanics import GRAVITY, Mechanics, compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.progress import finish
from engine.targets.tangent import Tangent, gradients
from tests.engine.dynamics.examples import State, idle, inverse, random_state
from tests.engine.kinodynamics.moving import LENGTH, MASS, OWN, pendulum, spinning, waves


def found_by(mechanics: Mechanics, state: State) -> tuple[Array, Array]:
    return gradients(mechanics, state.q, state.qd, state.qdd, new_batch_workspace(mechanics, 1))


def test_answers_stay_within_measure_where_the_sweep_back_grows() -> None:
    mechanics = compile_mechanics(compile_model(load_figure("human")), massless=True)
    limp = compile_gains(mechanics, JointGains(tension=0.8, relaxation=0.9, damping=0.3))
    kino = compile_kinodynamics(mechanics, limp, window=2.0)
    times = kino.samples(np.array([5.0 * TICKS_PER_SECOND])).ravel()
    goals = np.ascontiguousarray(waves(mechanics, 1, size=0.1)(times))
    path, qd = np.empty((kino.steps, goals.shape[-1])), np.empty(mechanics.rate_count)
    kino.follow_path(goals, path, qd)
    found = finish(Tangent(kino).answers(goals, path, np.arange(mechanics.rate_count, dtype=np.int32)))
    assert np.abs(found).max() < 1e18  # 4e23 when nothing is left out


def test_a_pendulum_on_a_carriage_has_the_gradients_of_its_equations() -> None:
    """F = m x'' + m l (cos a a'' - sin a a'^2), T = (I + m l^2) a'' + m l cos a x'' + m g l sin a."""
    mechanics = pendulum()
    angle, turn, push, spin = 0.7, 1.3, -2.0, 4.0
    state = State(np.array([0.4, angle]), np.array([0.5, turn]), np.array([push, spin]), np.zeros(2), idle(mechanics))
    by_place, by_speed = found_by(mechanics, state)
    moment, sine, cosine = MASS * LENGTH, math.sin(angle), math.cos(angle)
    expected = -moment * (sine * spin + cosine * turn**2), moment * (-sine * push - GRAVITY[1] * cosine)
    np.testing.assert_allclose(by_place, [[0.0, expected[0]], [0.0, expected[1]]], atol=2e-4)
    np.testing.assert_allclose(by_speed, [[0.0, -2.0 * moment * sine * turn], [0.0, 0.0]], atol=2e-4)
    assert OWN > 0.0


def test_gradients_are_differences_of_the_inverse_dynamics_of_each_state_alone() -> None:
    for mechanics in (spinning(), compile_mechanics(compile_model(load_figure("human")), massless=True)):
        state, step = random_state(mechanics.model.figure, mechanics, 3), 1e-5
        by_place, by_speed = found_by(mechanics, state)
        here = inverse(mechanics, state, state.qdd, idle(mechanics))
        unit, near = np.zeros(mechanics.rate_count), np.empty_like(state.q)
        for rate in range(mechanics.rate_count):
            unit[rate] = 1.0
            integrate_coordinates(mechanics.ints, state.q, unit, step, near)
            moved = State(near.copy(), state.qd, state.qdd, state.tau, state.outside)
            faster = State(state.q, state.qd + step * unit, state.qdd, state.tau, state.outside)
            unit[rate] = 0.0
            for found, other in ((by_place, moved), (by_speed, faster)):
                wanted = inverse(mechanics, other, state.qdd, idle(mechanics)) - here
                assert np.abs(step * found[:, rate] - wanted).max() <= 1e-13 * np.abs(here).max()
