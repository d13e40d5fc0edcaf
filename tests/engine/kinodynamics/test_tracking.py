"""Following the keyed motion over a window: against fine integration, without history, within limits."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace

import numba
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from engine.commands.make_limit import grid_over
from engine.document.limit import BoxRange, ConeRange, Limit
from engine.document.motion import TICKS_PER_SECOND, Key, Layer, Track
from engine.dynamics.coordinates import compute_difference, integrate_coordinates
from engine.dynamics.mechanics import Mechanics, compile_mechanics
from engine.formats.figure_toml import load_figure
from engine.ik.regions import pack_over
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed, KeyedMotion, first_key, held_before, keyed_motion
from engine.kinodynamics.tracking import APART, KinoModel, compile_kinodynamics
from engine.kinodynamics.windows import InvalidWindow
from engine.limits.query import measure_pose
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.motion.jumps import Jumps
from engine.motion.motion import compile_motion
from engine.runtime.errors import Diverged, InvalidArguments
from tests.engine.figures import random_figure
from tests.engine.kinodynamics.moving import LENGTH, MASS, OWN, pendulum, spinning, stepped, still, ticks, waves

FRAME = TICKS_PER_SECOND // 30


@pytest.fixture(scope="module")
def human() -> Mechanics:
    return compile_mechanics(compile_model(load_figure("human")), massless=True)


def loose(mechanics: Mechanics, *, window: float = 0.3, dt: float = 0.01, **gains: float) -> KinoModel:
    return compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(**gains)), window=window, dt=dt)


def carried(times: Array) -> Array:
    """The pendulum's carriage and keyed angle."""
    s = np.asarray(times) / TICKS_PER_SECOND
    x, swing = (0.2 * np.sin(5.0 * s), np.cos(5.0 * s)), (0.5 * np.sin(7.0 * s + 1.0), 3.5 * np.cos(7.0 * s + 1.0))
    return np.stack((np.stack((x[0], swing[0]), -1), np.stack((x[1], swing[1]), -1)), axis=1)


def integrated(kino: KinoModel, end: float) -> Array:
    """Angle and rate of the pendulum by a fine Runge-Kutta integration of its own equation."""
    kp, kd = kino.gains.kp[1], kino.gains.kd[1]

    def slope(s: float, y: Array) -> list[float]:
        (_, goal), (_, rate) = carried(ticks(s))[0]
        push = -0.2 * 25.0 * math.sin(5.0 * s)
        torque = (
            kp * (goal - y[0]) + kd * (rate - y[1]) - MASS * LENGTH * (9.80665 * math.sin(y[0]) + push * math.cos(y[0]))
        )
        return [y[1], torque / (MASS * LENGTH**2 + OWN)]

    start = end - kino.window
    found = solve_ivp(slope, (start, end), carried(ticks(start))[0, :, 1], rtol=1e-9, atol=1e-10)
    return np.asarray(found.y[:, -1])


@pytest.mark.parametrize(("tension", "damping"), [(2.0, 0.5), (2.0, 0.0), (6.0, 0.2), (1.0, 1.5)])
def test_a_pendulum_goes_as_a_fine_integration_says_and_twice_as_fine_is_four_times_as_near(
    tension: float, damping: float
) -> None:
    errors = []
    for dt in (0.01, 0.005):
        kino = loose(pendulum(), window=0.6, dt=dt, tension=tension, damping=damping)
        true = [integrated(kino, end) for end in (1.1, 1.3, 1.6)]
        q, qd = kino.simulate(ticks(np.array([1.1, 1.3, 1.6])), carried)
        errors.append(np.abs(np.stack((q[:, 1], qd[:, 1]), 1) - true).max(axis=0))
    assert errors[0][0] < 2e-3
    assert (errors[1] < 0.35 * errors[0] + 1e-6).all()


def test_what_follows_exactly_lands_on_its_keys_and_goes_at_their_rate(human: Mechanics) -> None:
    kino = compile_kinodynamics(human, compile_gains(human, EXACT))
    keyed = waves(human, size=0.02)
    end = ticks(1.0)
    wanted = keyed(end)[0]
    wanted[0] = np.clip(wanted[0], human.model.lower, human.model.upper)
    q, qd = kino.simulate(end, keyed)
    assert (q[0] == wanted[0]).all()
    free = (wanted[0] > human.model.lower) & (wanted[0] < human.model.upper)
    assert np.abs(qd[0] - wanted[1])[free].max() < 1e-12


def test_stiff_joints_come_as_near_to_their_keys_as_their_tension_says() -> None:
    off = []
    for tension in (3.0, 30.0, 300.0):
        kino = loose(pendulum(), tension=tension, damping=1.0)
        off.append(abs(kino.simulate(ticks(1.0), carried)[0][0, 1] - carried(ticks(1.0))[0, 0, 1]))
    assert off[2] < 1e-4 < 1e-2 < off[0]
    assert off[1] < 0.05 * off[0]


@pytest.mark.parametrize("make", [pendulum, spinning])
def test_a_frame_alone_has_the_bytes_of_the_same_frame_in_a_sequence(make: object) -> None:
    mechanics = make()  # type: ignore[operator]
    kino, keyed = loose(mechanics), waves(mechanics)
    times = FRAME * np.arange(200.0)
    q, qd = kino.simulate(times, keyed)
    for place in (0, 1, 63, 64, 150, 199):
        alone = kino.simulate(times[place], keyed)
        assert alone[0].tobytes() == q[place].tobytes()
        assert alone[1].tobytes() == qd[place].tobytes()


def test_one_thread_and_two_give_the_same_bytes(human: Mechanics) -> None:
    kino, keyed, times = loose(human), waves(human), FRAME * np.arange(40.0)
    together = kino.simulate(times, keyed)
    before = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        alone = kino.simulate(times, keyed)
    finally:
        numba.set_num_threads(before)
    assert together[0].tobytes() == alone[0].tobytes()
    assert together[1].tobytes() == alone[1].tobytes()


def test_inputs_are_left_as_they_were(human: Mechanics) -> None:
    kino = loose(human)
    given = waves(human)(kino.samples(ticks(1.0))[0])
    kept = given.copy()
    kino.simulate(ticks(1.0), lambda _: given)
    assert (given == kept).all()


def test_windows_that_grow_come_to_what_full_dynamics_gives(human: Mechanics) -> None:
    keyed, end = waves(human, size=0.2), ticks(4.0)
    full = loose(human, window=4.0, damping=1.0).simulate(end, keyed)[0]
    apart = [
        np.abs(loose(human, window=each, damping=1.0).simulate(end, keyed)[0] - full).max()
        for each in (0.1, 0.6, 1.2, 2.4)
    ]
    assert apart[0] > 0.1
    assert apart[1] < 0.5 * apart[0]
    assert apart[2] < 0.3 * apart[1]
    assert apart[3] < 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_no_limit_is_ever_passed(human: Mechanics, seed: int) -> None:
    kino = loose(human, window=0.5, tension=0.7, damping=0.1)
    q, qd = kino.simulate(FRAME * np.arange(40.0), waves(human, seed, size=0.8, pace=8.0))
    lower, upper = human.model.lower, human.model.upper
    assert (q >= lower).all()
    assert (q <= upper).all()
    assert ((q < lower + 2e-3) | (q > upper - 2e-3)).any(axis=0).sum() > 20
    assert (qd[q == upper] <= 0.0).all()
    assert (qd[q == lower] >= 0.0).all()


def test_a_stop_takes_the_speed_that_runs_into_it_and_lets_go_again() -> None:
    kino = loose(pendulum(limit=0.3), window=1.0, tension=1.0, damping=0.0, gravity=0.0)
    keyed = stepped(kino.mechanics, 1, 0.28, 1.0)  # a swing to 0.56, were there no stop
    ends = 1.0 + np.arange(0.02, 1.0, 0.01)
    q = kino.simulate(ticks(ends), keyed)[0][:, 1]
    # The stop begins 2 mrad before the limit, and takes all of the speed: from rest there the spring takes it to 0.26.
    assert 0.298 < q.max() <= 0.3
    first = int(np.argmax(q > 0.297))
    assert 0.255 < q[first:].min() < 0.265
    assert q[first:].max() - q[first] < 3e-3


def test_a_joint_that_is_loaded_against_its_stop_rests_there_within_the_limit() -> None:
    kino = loose(pendulum(limit=0.3), window=2.0, tension=2.0, gravity=0.0)
    q, qd = kino.simulate(ticks(0.0), still(kino.mechanics, np.array([0.0, 0.8])))
    assert 0.298 < q[0, 1] < 0.3
    assert abs(qd[0, 1]) < 1e-6


def test_a_stop_returns_nothing_of_what_runs_into_it() -> None:
    mechanics = pendulum(limit=0.3)
    limp = compile_gains(mechanics, JointGains(relaxation=1.0, gravity=0.0))
    kino = compile_kinodynamics(mechanics, limp, window=0.2)

    def thrown(times: Array) -> Array:
        """At 8 rad/s towards the limit; a limp joint goes on so, whatever its keys do."""
        motion = still(mechanics)(times)
        motion[:, 0, 1] = 8.0 * (np.asarray(times) - ticks(0.8)) / TICKS_PER_SECOND
        motion[:, 1, 1] = 8.0
        return motion

    _, qd = kino.simulate(ticks(1.0), thrown)
    _, way = kino.path(float(ticks(0.8)[0]), 20, thrown)
    assert way[:, 1].max() > 0.29
    assert qd[0, 1] <= 0.0
    assert abs(qd[0, 1]) < 0.02 * 8.0
    assert way[-1, 1] > 0.28


@pytest.mark.parametrize("part", [0.0, 0.25, 0.9])
@pytest.mark.parametrize(("tension", "damping"), [(1.0, 0.9), (4.0, 0.5), (4.0, 1.0), (10.0, 1.3), (30.0, 0.9)])
def test_a_stepped_key_is_followed_as_the_closed_form_does_wherever_in_a_step_it_comes(
    part: float, tension: float, damping: float
) -> None:
    mechanics, ratio, height = pendulum(), complex(damping), 0.3
    own = {"root": EXACT}
    gains = compile_gains(mechanics, JointGains(tension=tension, damping=damping, gravity=0.0), own)
    kino = compile_kinodynamics(mechanics, gains, window=0.6)
    jump, steps = ticks(1.0 + 0.01 * part), np.arange(1.0, 40.0)
    jumps = Jumps(jump, ())
    ends = ticks(1.0) + kino.step_ticks * steps
    q = kino.simulate(ends, KeyedMotion(stepped(mechanics, 1, height, 1.0 + 0.01 * part), jumps=jumps))[0][:, 1]
    w, root = math.tau * tension, np.sqrt(ratio**2 - 1.0) + (1e-6 if damping == 1.0 else 0.0)
    slow, fast, t = w * (-ratio + root), w * (-ratio - root), (ends - jump) / TICKS_PER_SECOND
    closed = height * (1.0 - (fast * np.exp(slow * t) - slow * np.exp(fast * t)) / (fast - slow)).real
    assert np.abs(q - closed).max() < 4e-3 * height  # 0.14 to 0.7 of it where a step reads keys at its end alone


def test_secondary_motion_does_not_leap_as_keys_lead_it_into_its_limits(human: Mechanics) -> None:
    kino = loose(human, tension=2.0)
    base, aside, rest = waves(human, 5, size=0.3), waves(human, 6, size=0.1), human.model.rest

    def found(share: float) -> Array:
        def keyed(times: Array) -> Array:
            motion = base(times) + share * aside(times)
            motion[:, 0] -= share * rest
            return motion

        return np.asarray(kino.simulate(ticks(1.0), keyed)[0][0])

    shares = np.linspace(0.0, 1.0, 101)
    way = np.array([found(each) for each in shares])
    stopped = (way == human.model.lower) | (way == human.model.upper)
    assert (stopped.any(axis=0) & ~stopped.all(axis=0)).sum() > 1
    for _ in range(7):  # a leap would stay what it is, however near one looks
        steepest = int(np.abs(np.diff(way, axis=0)).max(axis=1).argmax())
        shares = np.linspace(shares[steepest], shares[steepest + 1], 11)
        way = np.array([found(each) for each in shares])
    assert np.abs(np.diff(way, axis=0)).max() < 1e-5


def test_balls_follow_as_three_hinges_do_for_small_turns() -> None:
    mechanics = spinning()
    keyed = waves(mechanics, size=0.4)
    stiff = compile_gains(mechanics, JointGains(), {"tip": JointGains(tension=200.0, damping=1.0)})
    q = compile_kinodynamics(mechanics, stiff).simulate(ticks(1.0), keyed)[0][0]
    wanted = keyed(ticks(1.0))[0, 0]
    assert np.abs(np.linalg.norm(q.reshape(2, 4), axis=1) - 1.0).max() < 1e-14
    assert (q[:4] == wanted[:4]).all()
    assert 1e-6 < np.abs(q[4:] - wanted[4:]).max() < 2e-3


def test_a_ball_goes_as_a_finer_step_says() -> None:
    mechanics, keyed, found = spinning(), waves(spinning(), size=0.4), []
    for dt in (0.01, 0.005, 0.0005):
        q = loose(mechanics, dt=dt, tension=2.0).simulate(ticks(1.0), keyed)[0][0]
        apart = np.empty(6)
        compute_difference(mechanics.ints, keyed(ticks(1.0))[0, 0], q, apart)
        found.append(apart[3:])
    assert np.abs(found[2]).max() > 0.02
    assert np.abs(found[0] - found[2]).max() < 0.01 * np.abs(found[2]).max()
    assert np.abs(found[1] - found[2]).max() < 0.5 * np.abs(found[0] - found[2]).max()


@pytest.mark.parametrize("more", [-3e-15, 3e-15, 1e-9])
def test_a_ball_is_of_norm_1_as_who_reads_samples_of_it_asks(more: float) -> None:
    """What reads keys and samples scales a quaternion unless its square is within 1e-15: baked it is the same bytes."""
    kino, keyed = loose(spinning()), waves(spinning())

    def longer(times: Array) -> Array:
        motion = keyed(times)
        motion[:, 0, :4] *= 1.0 + more
        return motion

    times = FRAME * np.arange(20.0)
    q = kino.simulate(times, longer)[0]
    squares = np.stack([q[:, at] ** 2 + q[:, at + 1] ** 2 + q[:, at + 2] ** 2 + q[:, at + 3] ** 2 for at in (0, 4)])
    assert np.abs(squares - 1.0).max() <= 1e-15
    assert np.abs(q[:, :4] - keyed(times)[:, 0, :4]).max() < 1e-15


@pytest.mark.parametrize("make", [pendulum, spinning])
def test_velocity_is_that_of_the_trajectory_and_not_of_the_simulation(make: object) -> None:
    mechanics = make()  # type: ignore[operator]
    kino, keyed, end = loose(mechanics, window=0.15, tension=1.5), waves(mechanics), ticks(1.0)
    q, velocity = kino.velocities(end, keyed)
    assert (q == kino.simulate(end, keyed)[0]).all()
    errors = []
    for apart in (64 * APART, 32 * APART):  # Richardson: what is left falls with the square of the way
        ends = end[0] + np.array([-apart, apart])
        first, last = kino.simulate(ends, keyed)[0]
        coarse = np.empty(mechanics.rate_count)
        compute_difference(mechanics.ints, first, last, coarse)
        errors.append(coarse * TICKS_PER_SECOND / (2.0 * apart))
    best = (4.0 * errors[1] - errors[0]) / 3.0
    assert np.abs(velocity[0] - best).max() < 1e-6
    assert np.abs(velocity[0] - kino.simulate(end, keyed)[1][0]).max() > 1e-2


def test_a_motion_before_its_first_key_is_held_or_run_in() -> None:
    mechanics = pendulum()
    first = 2 * TICKS_PER_SECOND
    tracks = (
        Track(coordinate="x", keys=(Key(first, 0.0), Key(first + TICKS_PER_SECOND, 1.0)), before="linear"),
        Track(coordinate="swing", keys=(Key(first, 0.1), Key(first + TICKS_PER_SECOND, 0.4))),
    )
    motion = compile_motion(mechanics.model.figure, (Layer(id="keys", tracks=tracks),))
    assert first_key(motion.source) == first
    run_in, held = keyed_motion(motion, "run_in"), keyed_motion(motion, "hold")
    early = np.array([first - 0.5 * TICKS_PER_SECOND, first + 0.2 * TICKS_PER_SECOND])
    assert run_in(early)[0, 0, 0] < -0.1
    assert (held(early)[0, 0] == motion.at(first)[0]).all()
    assert (held(early)[0, 1] == 0.0).all()
    assert (held(early)[1] == run_in(early)[1]).all()
    kino = loose(mechanics, window=1.0, gravity=0.0, damping=1.0)
    at_rest = kino.simulate(np.array([float(first)]), held)[0][0]
    assert at_rest == pytest.approx(motion.at(first)[0], abs=1e-12)
    assert kino.simulate(early[1:], run_in)[0][0, 1] != kino.simulate(early[1:], held)[0][0, 1]


def test_a_motion_that_nothing_moves_has_no_first_key() -> None:
    motion = compile_motion(pendulum().model.figure, (Layer(id="pose", values=(("swing", 0.2),)),))
    assert first_key(motion.source) is None
    assert keyed_motion(motion, "hold")(ticks(0.0))[0, 0, 1] == 0.2


def test_holding_a_motion_leaves_what_it_was_given() -> None:
    given = np.ones((2, 3, 2))
    held_before(lambda _: given, 5.0)(np.array([0.0, 9.0]))
    assert (given == 1.0).all()


def test_a_keyed_jump_of_the_root_throws_nothing_about() -> None:
    kino = loose(pendulum(), window=0.5)
    hanging = kino.simulate(ticks(1.2), still(kino.mechanics))[0][0, 1]
    after = kino.simulate(ticks(1.2), stepped(kino.mechanics, 0, 10.0, 1.0))[0][0]
    assert after[0] == 10.0
    assert after[1] == pytest.approx(hanging, abs=1e-12)


def test_a_keyed_jump_of_a_joint_is_a_swing_to_its_key() -> None:
    kino = loose(pendulum(), window=0.5, dt=0.001, damping=1.0, gravity=0.0, tension=3.0)
    w, after = math.tau * 3.0, np.array([0.05, 0.1, 0.2])
    swing = kino.simulate(ticks(1.0 + after), stepped(kino.mechanics, 1, 0.5, 1.0))[0][:, 1]
    assert swing == pytest.approx(0.5 * (1.0 - (1.0 + w * after) * np.exp(-w * after)), abs=6e-3)


def test_what_breaks_is_told_with_its_joint_and_its_time(human: Mechanics) -> None:
    kino = loose(human)

    def broken(times: Array) -> Array:
        motion = waves(human)(times)
        motion[times > ticks(0.95), 0, human.model.figure.coordinate_index["elbow_right.flexion"]] = np.nan
        return motion

    with pytest.raises(Diverged, match=r"elbow_right.flexion at 0\.96\d s"):
        kino.simulate(ticks(1.0), broken)
    with pytest.raises(Diverged, match="elbow"):
        kino.simulate(ticks(1.0) + FRAME * np.arange(20.0), broken)
    assert np.isfinite(kino.simulate(ticks(0.9), broken)[0]).all()


@pytest.mark.parametrize(
    "gains", [{"relaxation": 1.0}, {"tension": 0.7, "damping": 0.1}, {"tension": 1.0, "damping": 0.0}]
)
def test_a_shaken_figure_of_limp_joints_holds_together(human: Mechanics, gains: dict[str, float]) -> None:
    kino = loose(human, window=0.5, **gains)
    for seed, hertz in ((1, 4.0), (2, 4.0), (4, 4.0), (6, 4.0), (2, 8.0)):  # every coordinate, by 0.3 rad and m
        q, _ = kino.simulate(FRAME * np.arange(20.0), waves(human, seed, size=0.3, pace=math.tau * hertz))
        assert (q >= human.model.lower).all()
        assert (q <= human.model.upper).all()


def test_what_a_step_resolves_has_no_drag() -> None:
    kino = loose(pendulum(), window=1.0, tension=0.1, damping=0.0, gravity=0.0)
    slow, fast = (kino.simulate(ticks(1.0), spun(kino.mechanics, pace))[1][0, 1] for pace in (9.0, 30.0))
    assert slow == pytest.approx(9.0, rel=1e-4)
    assert 10.0 < fast < 25.0


def spun(mechanics: Mechanics, pace: float) -> Keyed:
    """Keys that turn at a pace [rad/s] before the window begins, and after that as a free swing does."""

    def keyed(times: Array) -> Array:
        motion = still(mechanics)(times)
        motion[:, 0, 1], motion[:, 1, 1] = pace * np.asarray(times) / TICKS_PER_SECOND, pace
        return motion

    return keyed


@pytest.mark.parametrize("seed", range(6))
def test_random_figures_with_extreme_gains_stay_sound(seed: int) -> None:
    figure = random_figure(seed, ball_root=seed % 2 == 0)
    mechanics = compile_mechanics(compile_model(figure), massless=True)
    rng = np.random.default_rng(seed)
    own = {
        joint.id: JointGains(tension=10.0 ** rng.uniform(-1.0, 3.0), damping=float(rng.choice([0.0, 0.2, 1.0, 3.0])))
        for joint in figure.joints[1:]
    }
    kino = compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains(), own), window=0.6)
    q, _ = kino.simulate(FRAME * np.arange(10.0), waves(mechanics, seed, size=0.2))
    assert np.isfinite(q).all()
    assert np.abs(q).max() < 20.0


def test_an_undamped_swing_neither_grows_nor_dies() -> None:
    kino = compile_kinodynamics(pendulum(), compile_gains(pendulum(), JointGains(damping=0.0)), window=10.0)
    keyed = stepped(kino.mechanics, 1, 0.2, 0.0)
    swing = kino.simulate(ticks(np.arange(0.0, 10.0, 0.013)), keyed)[0][:, 1]
    early, late = swing[:200], swing[-200:]
    assert np.ptp(late) == pytest.approx(np.ptp(early), rel=0.02)


@pytest.mark.parametrize(("window", "dt"), [(0.0, 0.01), (-0.1, 0.01), (math.nan, 0.01), (0.3, 0.0), (0.3, math.inf)])
def test_windows_and_steps_that_cannot_be_are_refused(window: float, dt: float) -> None:
    mechanics = pendulum()
    with pytest.raises(InvalidWindow, match="s, finite"):
        compile_kinodynamics(mechanics, compile_gains(mechanics, JointGains()), window=window, dt=dt)


def test_a_window_is_a_whole_number_of_steps_of_whole_ticks() -> None:
    kino = loose(pendulum(), window=0.3123, dt=0.01)
    assert kino.steps == 32
    assert kino.window_ticks == kino.steps * kino.step_ticks
    assert kino.window == pytest.approx(0.3123, abs=1e-6)
    assert kino.dt <= 0.01
    samples = kino.samples(ticks(1.0))[0]
    assert len(samples) == 34
    assert samples[-1] == ticks(1.0)[0]
    assert samples[1] == ticks(1.0)[0] - kino.window_ticks


def test_integrating_the_rates_gives_the_way_that_was_gone() -> None:
    kino, keyed = loose(spinning()), waves(spinning())
    q, velocity = kino.velocities(ticks(1.0), keyed)
    step = 1000.0
    later = kino.simulate(ticks(1.0) + step, keyed)[0][0]
    told = np.empty_like(later)
    integrate_coordinates(kino.mechanics.ints, q[0], velocity[0], step / TICKS_PER_SECOND, told)
    assert np.abs(told - later).max() < 1e-9


def limited(mechanics: Mechanics, *limits: Limit) -> Mechanics:
    """The figure with limits over several angles."""
    figure = replace(mechanics.model.figure, limits=limits)
    return compile_mechanics(compile_model(figure), massless=True)


def test_a_field_brakes_as_the_box_does_that_it_is_made_of() -> None:
    content = BoxRange(lower=(-0.3,), upper=(0.3,))
    grid = grid_over(pendulum().model.figure, ("swing",), content, (129,), 0.0)
    field = limited(pendulum(), Limit(id="l", name="L", dofs=("swing",), range=content, grid=grid))
    free, box, regional = (
        loose(each, window=0.6, tension=1.5, damping=0.2).simulate(
            ticks(np.linspace(0.5, 2.0, 200)), lambda times: carried(times) * (1.0, 0.5)
        )[0][:, 1]
        for each in (pendulum(), pendulum(limit=0.3), field)
    )
    assert np.abs(regional).max() <= 0.3 + 1e-6
    assert np.abs(regional - box).max() < 0.02
    assert np.abs(free - box).max() > 0.1


@pytest.mark.parametrize(("height", "farthest"), [(0.2, 0.0), (0.3, 0.04)])
def test_what_swings_stays_within_a_field_or_as_near_as_its_keys_and_does_not_leap(
    human: Mechanics, height: float, farthest: float
) -> None:
    dofs = tuple(dof.id for dof in human.model.figure.joint("shoulder_left").dofs)
    cone = ConeRange(swing=(0.45, 0.35), twist=(-0.3, 0.3))
    grid = grid_over(human.model.figure, dofs, cone, (20, 20, 20), 0.0)
    within = limited(human, Limit(id="l", name="L", dofs=dofs, range=cone, grid=grid))
    places = [human.model.figure.coordinate_index[each] for each in dofs]
    packed = pack_over(within.model.figure, within.model.figure.limits_on, within.model.figure.coordinates)
    pace, phase = np.array((13.5, 10.5, 12.0)), np.array((0.0, 1.0, 2.0))

    def keyed(times: Array) -> Array:
        motion, turn = still(human)(times), pace * np.asarray(times)[:, None] / TICKS_PER_SECOND + phase
        motion[:, 0, places], motion[:, 1, places] = height * np.sin(turn), height * pace * np.cos(turn)
        return motion

    times = np.arange(0.0, TICKS_PER_SECOND, TICKS_PER_SECOND // 120)
    kept, free = (loose(each, tension=0.8, damping=0.1).simulate(times, keyed)[0] for each in (within, human))
    outside = [max(measure_pose(packed.ints, packed.floats, row) for row in rows) for rows in (kept, free)]
    assert outside[0] <= farthest < 0.4 < outside[1]
    steps = [float(np.abs(np.diff(rows[:, places], axis=0)).max()) for rows in (kept, free)]
    assert steps[0] < steps[1]


def test_many_long_windows_take_the_memory_of_a_few() -> None:
    mechanics = pendulum()
    kino = compile_kinodynamics(
        mechanics, compile_gains(mechanics, JointGains(), {"root": EXACT}), window=16.0, dt=1e-3
    )
    keyed = stepped(mechanics, 1, 0.3, 1.0)
    kino.simulate(ticks(1.0), keyed)
    tracemalloc.start()
    q, _ = kino.simulate(ticks(np.arange(64.0)), keyed)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 12 << 20
    assert q[7].tobytes() == kino.simulate(ticks(7.0), keyed)[0].tobytes()


def test_forces_on_bodies_may_differ_from_step_to_step() -> None:
    kino, keyed = loose(pendulum(), window=0.2), still(pendulum())
    steady = np.zeros((kino.steps, kino.mechanics.joint_count, 6))
    steady[:, -1, 5] = 2.0
    at_once = replace(kino, outside=steady[0].copy())
    ends = ticks(np.array([1.0]))
    pushed = kino.pushed(steady).simulate(ends, keyed)[0]
    assert pushed.tobytes() == at_once.simulate(ends, keyed)[0].tobytes()
    assert np.abs(pushed - kino.simulate(ends, keyed)[0]).max() > 1e-3
    late = np.where(np.arange(kino.steps)[:, None, None] >= kino.steps - 1, steady, 0.0)
    early = np.where(np.arange(kino.steps)[:, None, None] < kino.steps - 1, steady, 0.0)
    bare = kino.simulate(ends, keyed)[0]
    parts = [kino.pushed(each).simulate(ends, keyed)[0] - bare for each in (late, early)]
    assert 0.0 < abs(parts[0]).max() < 0.2 * abs(parts[1]).max()
    with pytest.raises(InvalidArguments, match="what pushes a window"):
        kino.pushed(steady[:-1])
