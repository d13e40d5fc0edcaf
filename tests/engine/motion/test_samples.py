"""Samples: met exactly at frames, smooth between them, and carried on beyond them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from engine.document import Blob, Layer, Samples
from engine.document.motion import Extrapolation
from engine.formats import bvh
from engine.formats.format import Options
from engine.motion.motion import Motion, compile_motion
from tests.engine.motion.motions import BALL, EXTRAPOLATIONS, SECOND, assert_derivatives, jump, samples, walker
from tests.engine.shared_data import shared

FIGURE = walker()
NAMES = FIGURE.coordinates


def sampled(values: Samples) -> Motion:
    return compile_motion(FIGURE, (Layer(id="take", samples=values),))


@pytest.mark.jit_off
@pytest.mark.parametrize("rate", [(5, 1), (120, 1), (30000, 1001), (1000000, 8333), (7, 3)])
@pytest.mark.parametrize("code", EXTRAPOLATIONS)
def test_frames_are_met_exactly_at_any_rate(rate: tuple[int, int], code: Extrapolation) -> None:
    take = samples(np.random.default_rng(1), NAMES, rate=rate, before=code, after=code)
    found = sampled(take).at([take.time(frame) for frame in range(take.frame_count)])
    np.testing.assert_array_equal(found[:, 0], take.values.array)


def test_single_coordinates_follow_the_catmull_rom_spline() -> None:
    take = samples(np.random.default_rng(2), ("x", "knee"), count=7, rate=(4, 1))
    values, seconds = take.values.array, take.start / SECOND + np.arange(7) / 4.0
    slopes = np.gradient(values, 0.25, axis=0, edge_order=2)
    peer = CubicHermiteSpline(seconds, values, slopes)
    times = np.random.default_rng(3).uniform(seconds[0], seconds[-1], size=20)
    found = sampled(take).at(times * SECOND)
    columns = [NAMES.index("x"), NAMES.index("knee")]
    np.testing.assert_allclose(found[:, 0, columns], peer(times), atol=1e-12)
    np.testing.assert_allclose(found[:, 1, columns], peer.derivative()(times), atol=1e-11)
    np.testing.assert_allclose(found[:, 2, columns], peer.derivative(2)(times), atol=1e-9)


@pytest.mark.parametrize("before", EXTRAPOLATIONS)
@pytest.mark.parametrize("after", EXTRAPOLATIONS)
def test_rates_are_derivatives_inside_and_beyond(before: Extrapolation, after: Extrapolation) -> None:
    take = samples(np.random.default_rng(4), NAMES, before=before, after=after)
    inside = take.start + (np.arange(8) + np.linspace(0.2, 0.7, 8)) * SECOND / 5
    length = take.time(8) - take.time(0)
    times = np.concatenate((inside[:3] - length, inside, inside[4:7] + 2 * length))
    assert_derivatives(sampled(take), times, step=3e-4, tolerance=1e-7)


@pytest.mark.parametrize("rate", [(5, 1), (1000000, 199999)])
def test_rates_do_not_leap_at_frames(rate: tuple[int, int]) -> None:
    take = samples(np.random.default_rng(5), NAMES, rate=rate)
    motion = sampled(take)
    for frame in range(1, 8):
        left, right = motion.at([take.time(frame) - 1e-3, take.time(frame) + 1e-3])
        assert np.abs(left[1] - right[1]).max() < 1e-8


@pytest.mark.parametrize("code", ["cycle", "cycle_offset"])
def test_cycles_are_smooth_across_the_seam(code: Extrapolation) -> None:
    take = samples(np.random.default_rng(6), NAMES)
    if code == "cycle":
        values = take.values.array.copy()
        values[-1] = values[0]
        take = replace(take, values=Blob(values))
    motion = sampled(replace(take, before=code, after=code))
    for cycle in (-1, 0, 1, 2):
        seam = float(take.time(0) + cycle * (take.time(8) - take.time(0)))
        assert jump(motion, seam, 0) < 1e-8
        assert jump(motion, seam, 1) < 1e-5


def test_a_sampled_walk_walks_on() -> None:
    values = Blob(np.array([[0.0], [0.4], [1.0]]))
    take = Samples(coordinates=("x",), values=values, rate=(1, 1), before="cycle_offset", after="cycle_offset")
    found = sampled(take).at(np.array([-3, -2, 2, 3, 4, 40]) * SECOND)[:, 0, NAMES.index("x")]
    np.testing.assert_allclose(found, [-1.6, -1.0, 1.0, 1.4, 2.0, 20.0], atol=1e-12)


def test_signs_of_a_ball_do_not_matter() -> None:
    take = samples(np.random.default_rng(7), BALL)
    flips = np.where(np.arange(9) % 3 == 1, -1.0, 1.0)[:, None]
    other = replace(take, values=Blob(take.values.array * flips))
    times = take.start + np.linspace(-0.3, 2.1, 41) * SECOND
    one, two = (sampled(each).at(times)[:, :, 1:5] for each in (take, other))
    signs = np.sign(np.sum(one[:, 0] * two[:, 0], axis=1))[:, None, None]
    np.testing.assert_allclose(one, two * signs, atol=1e-9)


@pytest.mark.jit_off
def test_one_frame_and_other_types_of_number_are_fine() -> None:
    for kind in ("<f4", "<i4"):
        take = Samples(coordinates=("x",), values=Blob(np.array([[3]], dtype=kind)), rate=(30, 1), before="linear")
        np.testing.assert_array_equal(sampled(take).at([-9.0, 0.0, 9.0])[:, :, 0], [[3, 0, 0]] * 3)


def test_a_real_take_is_met_exactly_and_moves_smoothly() -> None:
    contents = bvh.read(shared("mocap", "bvh", "cmu_12_01_walk.bvh"), Options())
    take = contents.layers[0].samples
    assert contents.figure is not None
    assert take is not None
    motion = compile_motion(contents.figure, contents.layers)
    found = motion.at([take.time(frame) for frame in range(take.frame_count)])
    places = [contents.figure.coordinate_index[name] for name in take.coordinates]
    np.testing.assert_array_equal(found[:, 0, places], take.values.array)
    inside = [0.5 * (take.time(frame) + take.time(frame + 1)) for frame in (1, 100, 522)]
    assert_derivatives(motion, np.array(inside), step=2e-4, tolerance=1e-6)
