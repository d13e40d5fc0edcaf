"""Windows: formulas against closed forms, and against simulation of the same systems."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.linalg import expm

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains
from engine.kinodynamics.response import impulse_response, suggest_window
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.kinodynamics.windows import (
    InvalidWindow,
    Linear,
    history_window,
    inertial_loads,
    linearise,
    modal_window,
    one_degree_window,
)
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.errors import Diverged, InvalidArguments
from tests.engine.kinodynamics.moving import LENGTH, MASS, pendulum, stepped, still, ticks, waves

RATIOS = (0.02, 0.3, 0.999, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.001, 2.5)


def one(mass: float, damping: float, stiffness: float) -> Linear:
    return Linear(np.array([[mass]]), np.array([[damping]]), np.array([[stiffness]]), np.array([0]))


def swing(mass: float, damping: float, stiffness: float, impulse: float, times: Array) -> Array:
    """By the matrix exponential of the first-order system, which knows no cases."""
    system = np.array([[0.0, 1.0], [-stiffness / mass, -damping / mass]])
    step, state = expm(system * (times[1] - times[0])), expm(system * times[0]) @ (0.0, impulse / mass)
    found = []
    for _ in times:
        found.append(state[0])
        state = step @ state
    return np.array(found)


@pytest.mark.parametrize("ratio", RATIOS)
def test_after_the_window_one_degree_stays_below_what_is_seen(ratio: float) -> None:
    rng = np.random.default_rng(4)
    for _ in range(12):
        mass, stiffness = 10.0 ** rng.uniform(-2.0, 2.0), 10.0 ** rng.uniform(0.0, 4.0)
        damping, impulse = 2.0 * ratio * math.sqrt(mass * stiffness), 10.0 ** rng.uniform(-1.0, 1.0)
        period = math.tau * math.sqrt(mass / stiffness)
        largest = np.abs(swing(mass, damping, stiffness, impulse, np.linspace(0.0, 2.0 * period, 2000))).max()
        least = largest * 10.0 ** rng.uniform(-3.0, -0.3)
        window = one_degree_window(mass, damping, stiffness, impulse, least)
        after = np.abs(swing(mass, damping, stiffness, impulse, window + np.linspace(0.0, 3.0 * period, 3000)))
        assert after.max() <= least * (1.0 + 1e-6)
        # It is no longer than the envelope asks for: a period earlier something is still seen.
        before = np.abs(swing(mass, damping, stiffness, impulse, np.linspace(0.0, window, 3000)))
        assert before[before.argmax() :].max() > least
        assert before[-1 - int(3000 * min(1.0, period / window)) :].max() > 0.9 * least


@pytest.mark.parametrize("ratio", RATIOS)
def test_the_formulas_and_the_modal_bound_agree_on_one_degree(ratio: float) -> None:
    for mass, stiffness, impulse, least in ((2.0, 300.0, 1.0, 1e-3), (0.1, 4.0, 0.01, 1e-2), (5.0, 5.0, 4.0, 1e-4)):
        damping = 2.0 * ratio * math.sqrt(mass * stiffness)
        told = one_degree_window(mass, damping, stiffness, impulse, least)
        assert modal_window(one(mass, damping, stiffness), np.array([impulse]), np.array([least])) == pytest.approx(
            told, rel=1e-6
        )


@pytest.mark.parametrize("ratio", [1e4, 1e7, 1e8, 1e10])
def test_what_creeps_back_has_the_window_of_its_slow_exponential(ratio: float) -> None:
    """x = u (e^(-s t) - e^(-f t)) / 2w, of which the second term is gone at once."""
    mass, stiffness = 2.0, 2e6 * ratio
    damping = 2.0 * ratio * math.sqrt(mass * stiffness)
    least = 1e-3 / damping
    window = one_degree_window(mass, damping, stiffness, 1.0, least)
    assert window == pytest.approx(damping / stiffness * math.log(1.0 / (damping * least)), rel=1e-4)
    assert one_degree_window(mass, damping, stiffness, 1.0, 1.001 / damping) == 0.0


def test_a_mode_that_nothing_drives_may_swing_for_ever() -> None:
    linear = Linear(np.eye(2), np.diag((4.0, 0.0)), np.diag((100.0, 400.0)), np.arange(2))
    alone = history_window(one(1.0, 4.0, 100.0), np.ones(1), np.array([1e-3]))
    least = np.array([1e-3, 1e-3])
    assert history_window(linear, np.array([1.0, 0.0]), least) == pytest.approx(alone, rel=1e-9)
    assert modal_window(linear, np.array([1.0, 0.0]), least) < math.inf
    assert history_window(linear, np.array([1.0, 0.1]), least) == math.inf


def test_the_window_does_not_leap_where_the_damping_becomes_critical() -> None:
    windows = [one_degree_window(1.0, 2.0 * ratio * 10.0, 100.0, 1.0, 1e-3) for ratio in (1 - 1e-7, 1.0, 1 + 1e-7)]
    assert np.ptp(windows) < 1e-5


def test_what_is_never_seen_needs_no_window_and_what_never_rests_has_none() -> None:
    assert one_degree_window(1.0, 4.0, 100.0, 0.1, 1.0) == 0.0
    assert one_degree_window(1.0, 40.0, 100.0, 0.1, 1.0) == 0.0
    assert one_degree_window(1.0, 20.0, 100.0, 0.1, 1.0) == 0.0
    assert one_degree_window(1.0, 4.0, 100.0, 0.0, 1.0) == 0.0
    assert one_degree_window(1.0, 0.0, 100.0, 1.0, 1e-3) == math.inf
    assert one_degree_window(1.0, 0.0, 100.0, 1.0, 1.0) == 0.0
    assert one_degree_window(1.0, 1.0, 0.0, 1.0, 1e-3) == math.inf
    assert one_degree_window(1.0, 1.0, 0.0, 1.0, 1.0) == 0.0
    assert one_degree_window(1.0, 0.0, 0.0, 1.0, 1.0) == math.inf


@pytest.mark.parametrize(
    ("given", "what"),
    [
        ((0.0, 1.0, 1.0, 1.0, 1.0), "mass"),
        ((1.0, -1.0, 1.0, 1.0, 1.0), "damping"),
        ((1.0, 1.0, math.nan, 1.0, 1.0), "stiffness"),
        ((1.0, 1.0, 1.0, 1.0, 0.0), "least"),
        ((1.0, 1.0, 1.0, math.nan, 1.0), "impulse"),
        ((1.0, 1.0, 1.0, -math.inf, 1.0), "impulse"),
    ],
)
def test_numbers_that_no_swing_has_are_refused(given: tuple[float, ...], what: str) -> None:
    with pytest.raises(InvalidWindow, match=what):
        one_degree_window(*given)
    with pytest.raises(InvalidWindow, match="least"):
        modal_window(one(1.0, 1.0, 1.0), np.ones(1), np.array([-1.0]))


@pytest.mark.parametrize("seed", range(8))
def test_after_the_modal_window_every_rate_stays_below_what_is_seen(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 6))
    basis, springs = rng.normal(size=(2, size, size))
    mass, stiffness = basis @ basis.T + 0.2 * np.eye(size), 50.0 * (springs @ springs.T + 0.2 * np.eye(size))
    damping = rng.uniform(0.0, 2.0) * mass + rng.uniform(0.001, 0.2) * stiffness
    linear = Linear(mass, damping, stiffness, np.arange(size))
    impulses, least = rng.uniform(0.1, 1.0, size), 10.0 ** rng.uniform(-4.0, -2.0, size)
    window = modal_window(linear, impulses, least)
    inverse = np.linalg.inv(mass)
    system = np.block([[np.zeros((size, size)), np.eye(size)], [-inverse @ stiffness, -inverse @ damping]])
    late, step = expm(system * window), expm(system * 0.002)
    worst = 0.0
    for signs in rng.choice([-1.0, 1.0], size=(10, size)):
        state = late @ np.concatenate((np.zeros(size), inverse @ (signs * impulses)))
        for _ in range(2000):
            worst = max(worst, float((np.abs(state[:size]) / least).max()))
            state = step @ state
    assert 0.002 < worst <= 1.0 + 1e-9


def test_the_linear_system_is_that_of_the_pendulum() -> None:
    mechanics = pendulum()
    gains = compile_gains(mechanics, JointGains(tension=2.0))
    angle = 0.4
    linear = linearise(mechanics, gains, np.array([0.3, angle]))
    assert linear.rates.tolist() == [1]
    assert linear.mass[0, 0] == pytest.approx(gains.inertia[1], rel=1e-12)
    assert linear.stiffness[0, 0] == pytest.approx(gains.kp[1] + MASS * 9.80665 * LENGTH * math.cos(angle), rel=1e-8)
    light = compile_gains(mechanics, JointGains(tension=2.0, gravity=0.0))
    assert linearise(mechanics, light, np.array([0.3, angle])).stiffness[0, 0] == pytest.approx(light.kp[1], rel=1e-9)
    assert linear.damping[0, 0] == gains.kd[1]


def test_a_limp_arm_that_stands_on_end_has_no_window() -> None:
    mechanics = pendulum()
    linear = linearise(mechanics, compile_gains(mechanics, JointGains(relaxation=1.0)), np.array([0.0, math.pi]))
    assert modal_window(linear, np.ones(1), np.array([1e-3])) == math.inf


@pytest.mark.parametrize(("tension", "damping"), [(1.0, 0.3), (3.0, 0.5), (2.0, 1.0), (2.0, 1.6)])
def test_beyond_the_history_window_secondary_motion_is_full_dynamics(tension: float, damping: float) -> None:
    mechanics, least = pendulum(), 2e-3
    gains = compile_gains(mechanics, JointGains(tension=tension, damping=damping, gravity=0.0))
    rng, pushes = np.random.default_rng(1), []

    def keyed(times: Array) -> Array:
        s = np.asarray(times)[:, None] / TICKS_PER_SECOND
        motion = np.zeros((len(times), 2, 2))
        for row, (speed, phase) in enumerate(waving):
            motion[:, 0, 1] += 0.02 / (row + 1) * np.sin(speed * s[:, 0] + phase)
            motion[:, 1, 1] += 0.02 / (row + 1) * speed * np.cos(speed * s[:, 0] + phase)
        return motion

    waving = np.stack((rng.uniform(2.0, 15.0, 4), rng.uniform(0.0, 6.0, 4)), axis=1)
    ends = ticks(np.linspace(8.0, 10.0, 40))
    accelerations = np.array([0.0, sum(0.02 / (row + 1) * speed**2 for row, (speed, _) in enumerate(waving))])
    linear = linearise(mechanics, gains, mechanics.model.rest)
    loads = inertial_loads(mechanics, mechanics.model.rest, accelerations)[linear.rates]
    window = history_window(linear, loads, np.array([least]))
    assert 0.05 < window < 8.0
    full = compile_kinodynamics(mechanics, gains, window=8.0, dt=0.0025).simulate(ends, keyed)[0]
    for share in (1.0, 0.25):
        kino = compile_kinodynamics(mechanics, gains, window=share * window, dt=0.0025)
        pushes.append(np.abs(kino.simulate(ends, keyed)[0] - full)[:, 1].max())
    assert pushes[0] <= least
    assert pushes[1] > pushes[0]


@pytest.fixture(scope="module")
def human() -> KinoModel:
    mechanics = compile_mechanics(compile_model(load_figure("human")), massless=True)
    return compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(gravity=0.0)))


def relaxed(mechanics: Mechanics) -> Array:
    """Near the rest pose, away from limits."""
    lower, upper, rest = mechanics.model.lower, mechanics.model.upper, mechanics.model.rest
    limited = np.isfinite(lower) & np.isfinite(upper)
    return np.where(limited, 0.8 * rest + 0.1 * np.where(limited, lower + upper, 0.0), rest)


def test_a_jolt_of_the_human_is_gone_after_the_modal_window(human: KinoModel) -> None:
    q, rng = relaxed(human.mechanics), np.random.default_rng(2)
    qd = rng.uniform(-0.1, 0.1, human.mechanics.rate_count)
    linear = linearise(human.mechanics, human.gains, q)
    impulses = inertial_loads(human.mechanics, q, qd)[linear.rates]
    window = modal_window(linear, impulses, np.full(len(impulses), 1e-3))
    response = impulse_response(human, q, qd, np.full(human.mechanics.rate_count, 1e-3))
    assert response.sizes.max() > 1e-2
    assert 0.1 < response.window <= window
    assert response.sizes[response.times > response.window].max() <= 1e-3
    assert response.sizes[0].max() == 0.0


def test_gravity_alone_is_no_response() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(tension=1.0)))
    response = impulse_response(kino, np.array([0.0, 1.0]), np.zeros(2), np.array([1e-9]), longest=1.0)
    assert response.window == 0.0
    assert response.sizes.max() == 0.0


@pytest.mark.parametrize(
    ("qd", "least", "longest", "what"),
    [
        ((0.0, 1.0), math.nan, 1.0, "least motion"),
        ((0.0, 1.0), 0.0, 1.0, "least motion"),
        ((0.0, 1.0), 1e-3, math.nan, "jolt is followed"),
        ((0.0, 1.0), 1e-3, math.inf, "jolt is followed"),
        ((0.0, 1.0), 1e-3, -1.0, "jolt is followed"),
        ((1.0,), 1e-3, 1.0, "rates of a jolt"),
        ((0.0, math.nan), 1e-3, 1.0, "rates of a jolt"),
    ],
)
def test_jolts_that_cannot_be_are_refused(qd: tuple[float, ...], least: float, longest: float, what: str) -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()))
    with pytest.raises((InvalidWindow, InvalidArguments), match=what):
        impulse_response(kino, mechanics.model.rest, np.array(qd), np.array([least]), longest)


def test_a_window_is_suggested_for_some_times_of_a_finite_motion() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()))
    with pytest.raises(InvalidArguments, match="one or more"):
        suggest_window(kino, np.zeros(0), waves(mechanics), np.array([1e-3]))

    def broken(times: Array) -> Array:
        motion = waves(mechanics)(times)
        motion[times > ticks(1.0), 1, 1] = math.inf
        return motion

    assert suggest_window(kino, ticks(np.array([0.5])), broken, np.array([1e-3])) > 0.0
    with pytest.raises(Diverged, match=r"rate of swing at 1\.49\d s"):
        suggest_window(kino, ticks(np.array([0.5, 1.5])), broken, np.array([1e-3]))


def test_a_jolt_that_is_seen_to_the_end_has_no_window() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(damping=0.0)))
    response = impulse_response(kino, mechanics.model.rest, np.array([1.0, 0.0]), np.array([1e-3]), longest=2.0)
    assert response.window == math.inf
    assert len(response.times) == len(response.sizes) == 201
    assert response.sizes[:, 0].max() == 0.0


def test_full_dynamics_is_what_a_window_from_its_start_gives() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()), window=0.3)
    keyed = waves(mechanics)
    times, q = kino.path(float(ticks(1.0)[0]), kino.steps, keyed)
    assert times[0] == ticks(1.0)[0]
    assert q[-1].tobytes() == kino.simulate(times[-1], keyed)[0].tobytes()
    assert (q[0] == keyed(times[:1])[0, 0]).all()
    with pytest.raises(InvalidWindow, match="steps"):
        kino.path(0.0, 0, keyed)


def test_the_suggested_window_is_enough_and_grows_with_the_motion(human: KinoModel) -> None:
    mechanics = pendulum()
    gains = compile_gains(mechanics, JointGains(tension=2.0, gravity=0.0))
    kino = compile_kinodynamics(mechanics, gains)
    times, least = ticks(np.linspace(4.0, 8.0, 200)), np.array([5e-3])
    slow, fast = (waves(mechanics, 3, size=0.1, pace=pace) for pace in (4.0, 12.0))
    windows = [suggest_window(kino, times, keyed, least) for keyed in (slow, fast)]
    assert 0.0 < windows[0] < windows[1] < 3.0
    ends = times[::20]
    enough = compile_kinodynamics(mechanics, gains, window=windows[1]).simulate(ends, fast)[0]
    full = compile_kinodynamics(mechanics, gains, window=4.0).simulate(ends, fast)[0]
    assert np.abs(enough - full).max() < 5e-3
    assert suggest_window(kino, times, still(mechanics), least) == 0.0
    assert suggest_window(human, times, waves(human.mechanics), np.array([0.02])) > 0.3


def test_a_figure_that_follows_exactly_needs_no_window() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, EXACT))
    assert suggest_window(kino, ticks(np.linspace(0.0, 1.0, 20)), waves(mechanics), np.array([1e-3])) == 0.0
    jump = stepped(mechanics, 1, 0.2, 0.5)
    assert suggest_window(kino, ticks(np.array([0.0, 1.0])), jump, np.array([1e-3])) == 0.0
