"""Packed curves against closed forms: spans of every kind, their ends, and their derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from engine.document import Key, Track
from engine.document.motion import TICKS_LIMIT, Extrapolation, Interpolation
from engine.maths.arrays import Array
from engine.motion.curve_kernels import solve_share
from engine.motion.curves import evaluate_track
from engine.motion.tangents import slopes
from tests.conformance.gradients import assert_gradient
from tests.engine.motion.motions import EXTRAPOLATIONS, INTERPOLATIONS, SECOND, keys, mixed_keys


def check_derivatives(track: Track, seconds: Array, step: float = 1e-3, tolerance: float = 1e-8) -> None:
    for second in seconds:
        row = evaluate_track(track, np.array([second * SECOND]))[0]
        for order in range(2):

            def component(at: Array, order: int = order) -> Array:
                return evaluate_track(track, at * SECOND)[:, order]

            assert_gradient(component, row[order + 1 :][:1, None], np.array([second]), step=step, tolerance=tolerance)


@pytest.mark.jit_off
@pytest.mark.parametrize("seed", range(6))
def test_every_key_is_met_exactly(seed: int) -> None:
    made = mixed_keys(np.random.default_rng(seed))
    for track in (Track(coordinate="a", keys=made), Track(coordinate="a", keys=made, before="cycle", after="cycle")):
        found = evaluate_track(track, np.array([key.time for key in made]))
        assert found[:, 0].tolist() == [key.value for key in made]


@pytest.mark.jit_off
def test_stepped_and_linear_spans_are_what_they_say() -> None:
    made = (Key(0, 1.0, "stepped"), Key(SECOND, 2.0, "linear"), Key(3 * SECOND, 6.0))
    found = evaluate_track(Track(coordinate="a", keys=made), np.array([0.5, 0.999, 1.5, 2.5]) * SECOND)
    np.testing.assert_allclose(found, [[1, 0, 0], [1, 0, 0], [3, 2, 0], [5, 2, 0]], atol=1e-12)


@pytest.mark.jit_off
def test_cubic_spans_are_hermite_cubics() -> None:
    rng = np.random.default_rng(1)
    track = Track(coordinate="a", keys=tuple(key for key in keys(rng, 7)))
    seconds = np.array([key.time for key in track.keys]) / SECOND
    _, leaving = slopes(track)
    peer = CubicHermiteSpline(seconds, [key.value for key in track.keys], leaving)
    times = rng.uniform(seconds[0], seconds[-1], size=30)
    found = evaluate_track(track, times * SECOND)
    for order in range(3):
        np.testing.assert_allclose(found[:, order], peer.derivative(order)(times) if order else peer(times), atol=1e-11)


def test_weighted_spans_are_bezier_curves_in_time_and_value() -> None:
    first = Key(0, 1.0, tangent="free", slope_out=3.0, weight_out=0.8)
    last = Key(2 * SECOND, 2.0, tangent="free", slope_in=-1.0, weight_in=0.15)
    track = Track(coordinate="a", keys=(first, last))
    u = np.linspace(0.0, 1.0, 33)
    points = np.array([[0.0, 1.0], [1.6, 1.0 + 1.6 * 3.0], [1.7, 2.0 + 0.3], [2.0, 2.0]])
    basis = np.stack([(1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u**2 * (1 - u), u**3], axis=1)
    wanted = basis @ points
    found = evaluate_track(track, wanted[:, 0] * SECOND)
    np.testing.assert_allclose(found[:, 0], wanted[:, 1], atol=1e-13)
    assert found[0, 1] == pytest.approx(3.0)
    assert found[-1, 1] == pytest.approx(-1.0)
    check_derivatives(track, np.linspace(0.1, 1.9, 7), step=3e-4, tolerance=1e-7)


def test_weights_of_a_third_are_the_plain_cubic() -> None:
    rng = np.random.default_rng(2)
    made = keys(rng, 4)
    near = tuple(Key(key.time, key.value, weight_in=1 / 3 + 1e-12, weight_out=1 / 3 + 1e-12) for key in made)
    times = np.linspace(made[0].time, made[-1].time, 50)
    plain, weighted = (evaluate_track(Track(coordinate="a", keys=each), times) for each in (made, near))
    np.testing.assert_allclose(plain, weighted, atol=1e-7)


@pytest.mark.parametrize("weights", [(0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0), (0.5, 0.9)])
def test_shares_are_solved_to_machine_precision_at_any_weight(weights: tuple[float, float]) -> None:
    x1, x2 = np.clip(weights[0], 1e-4, 1 - 1e-4), 1.0 - np.clip(weights[1], 1e-4, 1 - 1e-4)
    for share in np.linspace(0.0, 1.0, 201):
        u = solve_share(float(share), x1, x2)
        assert abs(3 * x1 * u * (1 - u) ** 2 + 3 * x2 * u * u * (1 - u) + u**3 - share) < 2e-15
    made = (
        Key(0, 0.0, tangent="free", slope_out=2.0, weight_out=weights[0]),
        Key(SECOND, 1.0, tangent="free", slope_in=2.0, weight_in=weights[1]),
    )
    assert np.isfinite(evaluate_track(Track(coordinate="a", keys=made), np.linspace(0, SECOND, 401))).all()


@pytest.mark.jit_off
@pytest.mark.parametrize("code", EXTRAPOLATIONS)
@pytest.mark.parametrize("interpolation", INTERPOLATIONS)
def test_beyond_the_ends_a_track_does_what_it_says(code: Extrapolation, interpolation: Interpolation) -> None:
    made = keys(np.random.default_rng(5), 5, interpolation=interpolation)
    track = Track(coordinate="a", keys=made, before=code, after=code)
    first, last = made[0], made[-1]
    period, gain = last.time - first.time, last.value - first.value
    inside = np.linspace(first.time + 1, last.time - 1, 13).round()
    rows = evaluate_track(track, inside)
    ends = evaluate_track(track, np.array([first.time, last.time]))
    for cycles in (-3, 2):
        found = evaluate_track(track, inside + cycles * period)
        if code in ("cycle", "cycle_offset"):
            wanted = rows + np.array([cycles * gain if code == "cycle_offset" else 0.0, 0.0, 0.0])
        else:
            value, rate, _ = ends[0 if cycles < 0 else 1]
            rate = rate if code == "linear" else 0.0
            passed = (inside + cycles * period - (first if cycles < 0 else last).time) / SECOND
            wanted = np.stack([value + rate * passed, np.full(13, rate), np.zeros(13)], axis=1)
        np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("code", EXTRAPOLATIONS)
def test_smooth_tracks_have_no_leap_in_their_rate_anywhere(code: Extrapolation) -> None:
    made = keys(np.random.default_rng(6), 5)
    if code == "cycle":
        made = (*made[:-1], Key(made[-1].time, made[0].value))
    track = Track(coordinate="a", keys=made, before=code, after=code)
    period = made[-1].time - made[0].time
    for key in made:
        for cycle in (-1, 0, 1):
            time = float(key.time + cycle * period)
            left, right = evaluate_track(track, np.array([time - 1.0, time + 1.0]))
            assert abs(right[0] - left[0]) < 1e-7
            assert abs(right[1] - left[1]) < 1e-6


def test_a_cycle_with_offset_walks_on() -> None:
    made = tuple(Key(each * SECOND, value, "linear") for each, value in enumerate((0.0, 1.5, 2.0)))
    track = Track(coordinate="x", keys=made, before="cycle_offset", after="cycle_offset")
    found = evaluate_track(track, np.array([-4, -2, -1, 0, 2, 3, 4, 2000]) * float(SECOND))
    np.testing.assert_allclose(found[:, 0], [-4.0, -2.0, -0.5, 0.0, 2.0, 3.5, 4.0, 2000.0], atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_rates_are_derivatives_inside_and_beyond(seed: int) -> None:
    rng = np.random.default_rng(10 + seed)
    track = Track(coordinate="a", keys=mixed_keys(rng), before=EXTRAPOLATIONS[seed], after=EXTRAPOLATIONS[-1 - seed])
    knots = np.array([key.time for key in track.keys]) / SECOND
    period = knots[-1] - knots[0]
    inside = knots[:-1] + np.diff(knots) * rng.uniform(0.2, 0.8, size=len(knots) - 1)
    check_derivatives(track, np.concatenate((inside - period, inside, inside + 2 * period)), 2e-4, 1e-6)


def test_times_far_from_zero_are_exact() -> None:
    far = TICKS_LIMIT - 4 * SECOND
    near = tuple(Key(each * SECOND, float(each)) for each in range(3))
    moved = tuple(Key(far + each * SECOND, float(each)) for each in range(3))
    times = np.arange(0, 2 * SECOND, SECOND // 7, dtype=np.float64)
    one, other = (
        evaluate_track(Track(coordinate="a", keys=each), times + at) for each, at in ((near, 0), (moved, far))
    )
    assert one.tobytes() == other.tobytes()


@pytest.mark.jit_off
def test_a_single_key_holds_or_goes_on_with_its_own_slope() -> None:
    key = Key(SECOND, 2.0, tangent="free", slope_in=1.0, slope_out=3.0)
    times = np.array([0.0, 1.0, 2.0]) * SECOND
    for code, wanted in (("hold", [2.0, 2.0, 2.0]), ("cycle", [2.0, 2.0, 2.0]), ("linear", [1.0, 2.0, 5.0])):
        track = Track(coordinate="a", keys=(key,), before=code, after=code)  # type: ignore[arg-type]
        assert evaluate_track(track, times)[:, 0].tolist() == wanted
