"""Speed curves: the path stays, the timing along it follows the curve."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from engine.document import Key, Layer, SpeedRange, Track
from engine.maths.arrays import Array
from engine.motion.motion import Motion, compile_motion
from engine.motion.speed import measure_table
from tests.engine.motion.motions import SECOND, assert_derivatives, keys, samples, tracks, walker

FIGURE = walker()
NAMES = ("x", "knee", "hip.0")
COLUMNS = [FIGURE.coordinates.index(name) for name in NAMES]
END = 3 * SECOND
EVEN = (Key(0, 0.0, "linear"), Key(END, 1.0))
CURVED = (Key(0, 0.0), Key(SECOND, 0.2), Key(2 * SECOND, 0.7), Key(END, 1.0))


def path_layer(seed: int = 1) -> Layer:
    rng = np.random.default_rng(seed)
    made = []
    for name in NAMES:
        times = (0, int(0.8 * SECOND), int(1.9 * SECOND), END)
        slopes = rng.normal(size=4)
        values = np.cumsum(rng.uniform(0.3, 1.0, size=4))
        made.append(
            Track(
                coordinate=name,
                keys=tuple(
                    Key(time, float(value), tangent="free", slope_in=float(slope), slope_out=float(slope))
                    for time, value, slope in zip(times, values, slopes, strict=True)
                ),
            )
        )
    return Layer(id="path", tracks=tuple(made))


def timed(layer: Layer, curve: tuple[Key, ...] = EVEN) -> Motion:
    speed = SpeedRange(start=0, end=END, coordinates=NAMES, keys=curve)
    return compile_motion(FIGURE, (replace(layer, speed=(speed,)),))


def length_to(motion: Motion, time: float) -> float:
    """Length of the untimed path from 0 [a second's quadrature per part]."""

    def speed(at: float) -> float:
        return float(np.linalg.norm(motion.at(at * SECOND)[1, COLUMNS]))

    knots = [each for each in (0.0, 0.8, 1.9) if each < time / SECOND]
    edges = [*knots, time / SECOND]
    return sum(float(quad(speed, first, last, epsabs=1e-12, epsrel=1e-12)[0]) for first, last in pairwise(edges))


def test_an_even_speed_curve_travels_evenly() -> None:
    motion = timed(path_layer())
    times = np.linspace(0.01, 2.99, 60) * SECOND
    speeds = np.linalg.norm(motion.at(times)[:, 1, COLUMNS], axis=1)
    total = length_to(compile_motion(FIGURE, (path_layer(),)), float(END))
    np.testing.assert_allclose(speeds, total / 3.0, rtol=1e-9)


def test_the_shape_of_the_path_stays_and_the_timing_follows_the_curve() -> None:
    plain = compile_motion(FIGURE, (path_layer(),))
    motion = timed(path_layer(), CURVED)
    total = length_to(plain, float(END))
    dense = np.linspace(0.0, END, 20001)
    points = plain.at(dense)[:, 0, COLUMNS]
    for key in CURVED:
        travelled = key.value * total
        found = motion.at(float(key.time))[0, COLUMNS]
        nearest = int(np.argmin(np.linalg.norm(points - found, axis=1)))
        assert np.linalg.norm(points[nearest] - found) < 3e-4
        np.testing.assert_allclose(length_to(plain, dense[nearest]), travelled, atol=3e-4)


def test_the_table_is_right_to_a_billionth() -> None:
    plain = compile_motion(FIGURE, (path_layer(),))

    def speed(times: Array) -> Array:
        rates = plain.at(times)[:, 1, COLUMNS]
        found: Array = np.sqrt(np.sum(rates * rates, axis=1))
        return found

    table = measure_table(speed, np.array([0.0, 0.8, 1.9, 3.0]) * SECOND)
    assert table is not None
    assert table[2] == pytest.approx(length_to(plain, float(END)), rel=1e-10)


def test_a_path_that_turns_back_is_measured_there_and_back() -> None:
    made = Track(coordinate="x", keys=(Key(0, 0.0), Key(SECOND, 1.0), Key(END, 0.5)))
    motion = timed(Layer(id="l", tracks=(made,)))
    found = motion.at(np.array([0.0, 1.0, 2.0, 2.5, 3.0]) * SECOND)[:, 0, 0]
    np.testing.assert_allclose(found, [0.0, 0.5, 1.0, 0.75, 0.5], atol=1e-9)


def test_where_the_curve_overshoots_the_path_stands_at_its_end_and_moves_no_more() -> None:
    """Values of keys never fall, but what joins them may leave 0 to 1."""
    under = Key(SECOND, 0.0, tangent="free", slope_in=1.0, slope_out=1.0)
    over = Key(2 * SECOND, 1.0, tangent="free", slope_in=1.0, slope_out=1.0)
    motion = timed(path_layer(), (Key(0, 0.0, tangent="flat"), under, over, Key(END, 1.0, tangent="flat")))
    path = compile_motion(FIGURE, (path_layer(),)).at(np.array([0.0, END]))[:, 0, COLUMNS]
    for first, place in ((0.2, path[0]), (2.2, path[1])):
        found = motion.at(np.linspace(first, first + 0.6, 7) * SECOND)[:, :, COLUMNS]
        np.testing.assert_allclose(found[:, 0], np.tile(place, (7, 1)), atol=1e-12)
        assert not found[:, 1:].any()


@pytest.mark.parametrize("seed", range(3))
def test_rates_are_derivatives_along_a_timed_path(seed: int) -> None:
    motion = timed(path_layer(seed), CURVED)
    times = np.array([0.13, 0.55, 1.21, 1.77, 2.31, 2.83]) * SECOND
    assert_derivatives(motion, times, step=2e-4, tolerance=1e-5)


def test_where_the_path_stands_still_the_rate_is_that_of_the_curve() -> None:
    layer = Layer(id="l", tracks=(Track(coordinate="x", keys=(Key(0, 0.0), Key(END, 2.0))),))
    motion = timed(layer)
    found = motion.at(np.array([0.0, 1.0, 3.0]) * SECOND)[:, :, 0]
    np.testing.assert_allclose(found[:, 1], 2.0 / 3.0, rtol=1e-6)
    assert np.isfinite(motion.at(np.linspace(0, END, 301))).all()


def test_outside_the_range_and_where_nothing_moves_the_timing_is_left_alone() -> None:
    rng = np.random.default_rng(4)
    layer = Layer(id="l", tracks=tracks(rng, ("x", "knee"), "linear", "cycle"), samples=samples(rng, ("hip.0",)))
    times = np.array([-2.0, -0.1, 3.1, 7.0]) * SECOND
    assert timed(layer).at(times).tobytes() == compile_motion(FIGURE, (layer,)).at(times).tobytes()
    still = Layer(id="l", values=(("x", 0.4),), tracks=(Track(coordinate="hip.1", keys=keys(rng)),))
    inside = np.linspace(0, END, 9)
    assert timed(still).at(inside).tobytes() == compile_motion(FIGURE, (still,)).at(inside).tobytes()


@pytest.mark.jit_off
def test_a_pause_in_the_path_is_leapt_over() -> None:
    made = (Key(0, 0.0, "linear"), Key(SECOND, 1.0, "linear"), Key(2 * SECOND, 1.0, "linear"), Key(END, 2.0))
    motion = timed(Layer(id="l", tracks=(Track(coordinate="x", keys=made),)))
    found = motion.at(np.array([0.75, 1.5, 2.25]) * SECOND)[:, :2, 0]
    np.testing.assert_allclose(found, [[0.5, 2 / 3], [1.0, 2 / 3], [1.5, 2 / 3]], atol=1e-9)


def test_samples_too_can_be_timed() -> None:
    layer = Layer(id="l", samples=replace(samples(np.random.default_rng(5), NAMES, count=20, rate=(6, 1)), start=0))
    speeds = np.linalg.norm(timed(layer).at(np.linspace(0.05, 2.95, 40) * SECOND)[:, 1, COLUMNS], axis=1)
    np.testing.assert_allclose(speeds, speeds.mean(), rtol=1e-8)
