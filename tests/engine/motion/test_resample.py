"""Resampling: exact where it can be, band-limited where it must be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Blob, Dof, Figure, Joint, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.maths.arrays import Array
from engine.motion.resample import band_limit, frame_ticks, resample, sample_layer
from engine.runtime.errors import InvalidArguments

HINGE = Dof(id="j.turn", name="Turn")
SLIDE = Dof(id="j.move", name="Move", kind="slide")
FIGURE = Figure(name="Two", joints=(Joint(id="j", name="J", dofs=(HINGE, SLIDE)),))
BALL = Figure(name="Ball", joints=(Joint(id="j", name="J", dofs=(Dof(id="j.turn", name="Turn", kind="ball"),)),))


def capture(values: Array, rate: Rate = (120, 1), start: int = 0) -> Samples:
    return Samples(coordinates=FIGURE.coordinates, values=Blob(values), rate=rate, start=start)


def waves(frequency: float, count: int, rate: float = 120.0) -> Array:
    time = np.arange(count) / rate
    return np.stack((np.sin(2 * math.pi * frequency * time), np.cos(2 * math.pi * frequency * time)), axis=1)


def test_the_same_frames_stay_the_identical_object() -> None:
    samples = capture(waves(1.0, 50), start=17)
    assert resample(FIGURE, samples, rate=(120, 1)) is samples


def test_going_up_keeps_the_frames_and_stays_on_smooth_curves() -> None:
    samples = capture(waves(1.0, 61, rate=30.0), rate=(30, 1), start=5)
    found = resample(FIGURE, samples, rate=(120, 1))
    assert found.rate == (120, 1)
    assert (found.start, found.frame_count) == (5, 241)
    np.testing.assert_array_equal(found.values.array[::4], samples.values.array)
    np.testing.assert_allclose(found.values.array, waves(1.0, 241), atol=2e-3)


@pytest.mark.parametrize("rate", [(60, 1), (30, 1), (24, 1), (30000, 1001), (25, 1)])
def test_going_down_keeps_ramps_and_slow_waves(rate: Rate) -> None:
    speed = rate[0] / rate[1]
    ramp = np.stack((np.arange(600) * 0.3 - 5.0, np.full(600, 2.5)), axis=1)
    found = resample(FIGURE, capture(ramp), rate=rate)
    times = np.array([found.time(frame) for frame in range(found.frame_count)]) / TICKS_PER_SECOND
    np.testing.assert_allclose(found.values.array[:, 0], times * 120 * 0.3 - 5.0, atol=1e-6)
    np.testing.assert_allclose(found.values.array[:, 1], 2.5, atol=1e-13)
    frequency = 0.3 * speed
    found = resample(FIGURE, capture(waves(frequency, 1200)), rate=rate)
    inside = slice(20, -20)
    wanted = waves(frequency, found.frame_count, speed)
    np.testing.assert_allclose(found.values.array[inside], wanted[inside], atol=2e-3)


@pytest.mark.parametrize("share", [0.5, 0.6, 0.8, 0.95])
def test_going_down_holds_back_what_the_new_rate_cannot_hold(share: float) -> None:
    found = resample(FIGURE, capture(waves(30.0 * share + 30.0 * 0.02, 2400)), rate=(30, 1))
    assert np.abs(found.values.array[20:-20]).max() < 2e-3
    plain = waves(30.0 * share + 0.6, 2400)[::4]
    assert np.abs(plain).max() > 0.5


def test_ends_of_a_pose_that_is_held_stay() -> None:
    step = np.where(np.arange(400)[:, None] < 200, [[1.0, 0.0]], [[0.0, 2.0]])
    found = resample(FIGURE, capture(step), rate=(24, 1)).values.array
    np.testing.assert_allclose(found[0], [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(found[-1], [0.0, 2.0], atol=1e-12)


def test_angles_are_unwrapped_first() -> None:
    angle = np.linspace(0.0, 20.0, 481)
    wrapped = np.angle(np.exp(1j * angle))
    samples = capture(np.stack((wrapped, angle), axis=1))
    for rate in ((240, 1), (30, 1)):
        found = resample(FIGURE, samples, rate=rate).values.array
        np.testing.assert_allclose(found[:, 0], found[:, 1], atol=1e-12)


@pytest.mark.parametrize("rate", [(24, 1), (500, 1)])
def test_balls_stay_unit_and_turn_on(rate: Rate) -> None:
    angle = np.linspace(0.0, 8.0, 241)
    values = np.stack((np.cos(angle), 0 * angle, np.sin(angle), 0 * angle), axis=1)
    values[angle > 5.0] *= -1.0
    samples = Samples(coordinates=BALL.coordinates, values=Blob(values), rate=(120, 1))
    found = resample(BALL, samples, rate=rate).values.array
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, atol=1e-13)
    wanted = np.arange(len(found)) / (rate[0] / rate[1]) * 4.0
    np.testing.assert_allclose(found[10:-10, 0], np.cos(wanted)[10:-10], atol=1e-3)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_few_frames_are_enough(count: int) -> None:
    samples = capture(np.ones((count, 2)) * (0.25, -3.0))
    for rate in ((240, 1), (120, 1), (24, 1), (1, 1)):
        found = resample(FIGURE, samples, rate=rate).values.array
        np.testing.assert_allclose(found, np.ones((len(found), 2)) * (0.25, -3.0), atol=1e-12)


def test_keys_become_samples_that_meet_them() -> None:
    second = TICKS_PER_SECOND
    keys = (Key(time=0, value=0.0), Key(time=second, value=1.0), Key(time=2 * second, value=-1.0))
    track = Track(coordinate="j.turn", keys=keys, after="cycle")
    layer = Layer(id="l", tracks=(track,), mode="add", weight=0.3, mask=("j.move",))
    found = sample_layer(FIGURE, layer, rate=(24, 1), start=0, end=4 * second)
    assert found.coordinates == ("j.turn",)
    assert found.frame_count == 97
    np.testing.assert_allclose(found.values.array[[0, 24, 48, 72], 0], [0.0, 1.0, -1.0, 1.0], atol=1e-12)
    with pytest.raises(InvalidArguments, match="keys or samples"):
        sample_layer(FIGURE, Layer(id="l"), rate=(24, 1), start=0, end=second)


def test_frames_stop_at_the_end() -> None:
    assert frame_ticks((1, 1), 0, TICKS_PER_SECOND * 2 - 1).tolist() == [0.0, TICKS_PER_SECOND]
    assert frame_ticks((30000, 1001), 7, 7).tolist() == [7.0]


def test_weights_sum_to_one_between_frames() -> None:
    places = np.linspace(30.0, 60.0, 77)
    np.testing.assert_allclose(band_limit(np.ones((100, 1)), places, 3.3), 1.0, atol=1e-13)
