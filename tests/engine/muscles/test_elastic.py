"""Forces of muscles whose tendons stretch: balance, derivatives, the differential equation that they leave out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.elastic import (
    COSINE,
    HELD,
    LENGTH,
    PASSIVE,
    SPEED,
    STATES,
    fibre_balance,
    find_fibre,
    tendon_force,
    write_elastic_force,
    write_fibres,
    write_forces,
)
from engine.muscles.hill import (
    BY_ACTIVATION,
    BY_LENGTH,
    BY_RATE,
    DAMPING,
    DE_GROOTE,
    DE_GROOTE_ELASTIC,
    FORCES,
    PULL,
    THELEN,
    THELEN_ELASTIC,
    active_length,
    active_velocity,
    passive_length,
    write_rigid_force,
)
from engine.muscles.metabolic import metabolic_rates
from engine.muscles.parts import Muscles
from tests.engine.muscles.test_driving import FLEXOR, arm
from tests.engine.muscles.test_hill import force, table

MODELS = (THELEN, DE_GROOTE)
BEST, SLACK, SINE, FASTEST = 0.1, 0.2, np.sin(0.3), 10.0
STRONG = np.array([1000.0, BEST, SLACK, SINE, FASTEST])
CALF = np.array([1000.0, 0.05, 0.25, SINE, FASTEST])


def pull(model: int, length: float, rate: float, activation: float, muscle: Array = STRONG) -> Array:
    """The force along the tendon, and its derivatives."""
    out = np.zeros(FORCES)
    write_elastic_force(model, muscle, 0, length, rate, activation, out, 0)
    return out


def test_thelens_tendon_is_the_published_one() -> None:
    for strain, pulls in table("hill_thelen2003_tendon.csv"):
        assert tendon_force(THELEN, 1.0 + strain, False) == pytest.approx(pulls, abs=2e-4)


@pytest.mark.parametrize("model", MODELS)
def test_fibres_balance_their_tendon(model: int) -> None:
    for activation in (0.0, 0.05, 0.5, 1.0):
        for length in np.linspace(0.24, 0.36, 13):
            resting, share, fibre = find_fibre(model, STRONG, 0, length, 0.0, activation)
            left, slope = fibre_balance(model, STRONG, 0, length, fibre, activation, 0.0)
            assert fibre == resting
            assert abs(left) < 1e-9
            assert 0.0 <= share < 3.0
            if activation == 0.0:  # where a tendon that begins to pull has a corner
                continue
            over, under = (
                fibre_balance(model, STRONG, 0, length, fibre + way, activation, 0.0)[0] for way in (1e-7, -1e-7)
            )
            assert slope == pytest.approx((over - under) / 2e-7, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("model", MODELS)
def test_derivatives_of_forces_are_their_differences(model: int) -> None:
    random = np.random.default_rng(model)
    for number in range(60):
        rate = 0.0 if number % 6 == 0 else random.uniform(-0.6, 0.6)
        at = np.array([random.uniform(0.28, 0.36), rate, random.uniform(0.05, 1.0)])
        found = pull(model, *at)
        for each, place in ((0, BY_LENGTH), (1, BY_RATE), (2, BY_ACTIVATION)):
            step = np.zeros(3)
            step[each] = 1e-6
            differs = (pull(model, *(at + step))[PULL] - pull(model, *(at - step))[PULL]) / 2e-6
            if model == THELEN and abs(rate) < 1e-5:  # its curves have a corner where fibres stand still
                continue
            assert found[place] == pytest.approx(differs, rel=2e-5, abs=2e-3)


@pytest.mark.parametrize("model", MODELS)
def test_a_tendon_that_is_short_hardly_stretches(model: int) -> None:
    """Against a rigid one, with fibres on the same length."""
    short = STRONG.copy()
    for slack, near in ((0.02, 0.02), (0.002, 0.002)):
        short[2] = slack
        for rate, activation in ((-0.4, 1.0), (0.0, 0.3), (0.3, 0.6)):
            length = slack + 0.095
            rigid = force(model, length + 0.2 - slack, rate, activation)[PULL]
            assert pull(model, length, rate, activation, short)[PULL] == pytest.approx(rigid, abs=1000.0 * 4.0 * near)


def stepped(model: int, times: Array, length: Array, activation: Array) -> Array:
    """Forces by the differential equation of the fibres, over F0; fibres are in balance at the beginning."""
    fibre, _, _ = find_fibre(model, CALF, 0, float(length[0]), 0.0, float(activation[0]))
    _, best, slack, sine, fastest = CALF.tolist()
    width = best * sine
    damping = DAMPING if model == DE_GROOTE else 1e-3  # without any, the rate may be undefined

    def rate(time: float, state: Array) -> list[float]:
        path, a, x = np.interp(time, times, length), np.interp(time, times, activation), state[0]
        along = np.sqrt(x * x - width * width)
        wanted = tendon_force(model, (path - along) / slack, False) * x / along - passive_length(model, x / best)[0]
        f_l = active_length(model, x / best)[0]
        found = brentq(lambda v: a * f_l * active_velocity(model, v, a)[0] + damping * v - wanted, -1e5, 1e5)
        return [found * fastest * best]

    states = solve_ivp(rate, (times[0], times[-1]), [fibre], t_eval=times, method="LSODA", rtol=1e-7, atol=1e-9).y[0]
    alongs = np.sqrt(states**2 - width**2)
    return np.array([tendon_force(model, (path - c) / slack, False) for path, c in zip(length, alongs, strict=True)])


@pytest.mark.parametrize("model", MODELS)
def test_forces_are_near_those_of_the_differential_equation(model: int) -> None:
    """As a calf's in a stride: a second, 2.4 cm to and fro, activation rising and falling smoothly."""
    times = np.linspace(0.0, 1.0, 201)
    length = 0.298 + 0.012 * np.sin(2.0 * np.pi * times)
    speed = 0.012 * 2.0 * np.pi * np.cos(2.0 * np.pi * times)
    activation = 0.4 - 0.3 * np.cos(2.0 * np.pi * (times - 0.1))
    exact = stepped(model, times, length, activation)
    at = list(zip(length, speed, activation, strict=True))
    ours, rigid = np.zeros(FORCES * len(at)), np.zeros(FORCES * len(at))
    for place, each in enumerate(at):
        write_elastic_force(model, CALF, 0, *each, ours, FORCES * place)
        write_rigid_force(model, CALF, 0, *each, rigid, FORCES * place)
    later = times > 0.1
    off, without = (float(np.sqrt(np.mean((each[::FORCES] / 1000.0 - exact)[later] ** 2))) for each in (ours, rigid))
    assert exact.max() > 0.3
    assert off < 0.015
    assert off < 0.3 * without


@pytest.mark.parametrize("model", MODELS)
def test_extreme_muscles_have_forces_that_are_numbers(model: int) -> None:
    random = np.random.default_rng(5)
    for _ in range(300):
        best = random.choice([0.005, 0.05, 0.4])
        muscle = np.array([800.0, best, best * random.choice([0.01, 1.0, 12.0]), random.choice([0.0, 0.7]), 10.0])
        length = (muscle[2] + best) * random.uniform(0.2, 1.3)
        rate = random.choice([-1.0, 0.0, 1.0]) * random.uniform(0.0, 3.0) * best
        found = pull(model, length, rate, random.choice([0.0, 0.01, 1.0]), muscle)
        assert np.isfinite(found).all()
        assert found[PULL] > -0.3 * 800.0


def test_fibres_and_energy_follow_from_the_same_balance() -> None:
    for model, name in ((THELEN_ELASTIC, "thelen_elastic"), (DE_GROOTE_ELASTIC, "de_groote_elastic")):
        figure = MuscledFigure(compile_model(arm()), Muscles(muscles=(FLEXOR,), model=name))
        assert figure.force_model == model
        assert figure.is_elastic
        row = np.array([0.29]), np.array([-0.1]), np.array([0.5])
        (state,), forces, out = figure.fibre_states(*row), np.zeros(FORCES), np.zeros(STATES)
        write_forces(model, figure.strengths.ravel(), *row, forces)
        write_fibres(model, figure.strengths.ravel(), *row, out)
        assert (out == state).all()
        (strongest, best, slack, _, _) = figure.strengths[0]
        along = state[LENGTH] * best * state[COSINE]
        assert forces[PULL] == pytest.approx(strongest * tendon_force(model - 2, (0.29 - along) / slack, False))
        assert -0.1 / best < state[SPEED] < 0.0, "the tendon takes some of it"
        active = forces[PULL] - state[PASSIVE]
        assert 0.0 < active < strongest * 0.5 * state[HELD]
        assert figure.fibres(*row)[0] == state[LENGTH]
        used, work = metabolic_rates(figure, *row)[0], -active * state[SPEED] * best
        assert used > work > 0.0
