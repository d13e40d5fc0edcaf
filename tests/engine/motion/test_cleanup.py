"""Clean-up of captures against closed forms, against scipy's filter, and on planted faults."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document import Blob, Samples
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.motion.cleanup import (
    butterworth,
    despike_gradually,
    fill_gaps,
    find_spikes,
    low_pass,
    smooth_gradually,
)
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import finish
from tests.drawn import given, settings, st
from tests.engine.figures import random_figure


def wave(frequency: float, count: int = 1200, rate: float = 120.0) -> Array:
    time: Array = np.arange(count)[:, None] / rate
    return np.asarray(np.sin(2.0 * math.pi * frequency * time))


@settings(max_examples=40)
@given(
    start=st.floats(-10, 10),
    slope=st.floats(-1, 1),
    count=st.integers(1, 400),
    order=st.integers(1, 8),
    cutoff=st.floats(0.5, 59.0),
)
def test_constants_and_ramps_pass_exactly(start: float, slope: float, count: int, order: int, cutoff: float) -> None:
    ramp = start + slope * np.arange(float(count))[:, None]
    found = low_pass(ramp, rate=120.0, cutoff=cutoff, order=order)
    np.testing.assert_allclose(found, ramp, rtol=0, atol=1e-11)


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 8])
def test_the_cut_off_is_that_of_both_passes(order: int) -> None:
    middle = slice(300, 900)
    for frequency, share in ((6.0, math.sqrt(0.5)), (0.3, 1.0)):
        found = low_pass(wave(frequency), rate=120.0, cutoff=6.0, order=order)
        gain = np.linalg.norm(found[middle]) / np.linalg.norm(wave(frequency)[middle])
        np.testing.assert_allclose(gain, share, rtol=0.01)
        lag = np.correlate(found[middle, 0], wave(frequency)[295:905, 0], "valid")
        assert int(np.argmax(lag)) == 5


@pytest.mark.parametrize("order", [1, 2, 3, 4, 7])
def test_sections_are_scipys_butterworth(order: int) -> None:
    from scipy.signal import butter, sosfreqz

    one_pass = math.atan(math.tan(math.pi * 6 / 120) / (math.sqrt(2) - 1) ** (0.5 / order)) * 120 / math.pi
    frequencies = np.linspace(0.1, 59.0, 50)
    _, wanted = sosfreqz(butter(order, one_pass, fs=120, output="sos"), frequencies, fs=120)
    rows = butterworth(120.0, 6.0, order)
    ours = np.insert(rows, 3, 1.0, axis=1)
    _, found = sosfreqz(ours, frequencies, fs=120)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)


def test_the_filter_agrees_with_scipys_away_from_the_ends() -> None:
    from scipy.signal import sosfiltfilt

    noise = np.random.default_rng(0).normal(size=(900, 3)).cumsum(axis=0)
    wanted = sosfiltfilt(np.insert(butterworth(120.0, 6.0, 2), 3, 1.0, axis=1), noise, axis=0)
    found = low_pass(noise, rate=120.0, cutoff=6.0, order=2)
    np.testing.assert_allclose(found[150:-150], wanted[150:-150], rtol=0, atol=1e-7)


def test_the_ends_do_not_ring() -> None:
    time = np.arange(600) / 120.0
    slow = np.stack((np.cos(0.7 * time), np.exp(-0.3 * time), time**2), axis=1)
    assert np.abs(low_pass(slow, rate=120.0, cutoff=6.0) - slow).max() < 2e-3


@pytest.mark.jit_off
def test_filtering_refuses_gaps_and_impossible_cut_offs() -> None:
    with pytest.raises(InvalidArguments, match="gaps"):
        low_pass(np.array([[0.0], [math.nan], [1.0]]), rate=120.0, cutoff=6.0)
    for cutoff, order in ((0.0, 2), (60.0, 2), (6.0, 0), (6.0, 9)):
        with pytest.raises(InvalidArguments):
            low_pass(wave(1.0), rate=120.0, cutoff=cutoff, order=order)


def test_short_gaps_are_filled_by_cubics_exactly() -> None:
    frames = np.arange(40.0)
    wanted = np.stack((0.001 * frames**3 - 0.02 * frames**2 + frames, 2.0 - frames), axis=1)
    missing = np.zeros(wanted.shape, dtype=np.bool_)
    missing[10:15, 0] = missing[30, 0] = missing[3:6, 1] = True
    found = fill_gaps(wanted, missing)
    np.testing.assert_allclose(found.values, wanted, rtol=0, atol=1e-10)
    assert [(gap.column, gap.start, gap.end, gap.how) for gap in found.gaps] == [
        (0, 10, 15, "cubic"),
        (0, 30, 31, "cubic"),
        (1, 3, 6, "cubic"),
    ]


def test_long_gaps_follow_the_neighbourhood_and_not_its_noise() -> None:
    rng = np.random.default_rng(1)
    wanted = wave(0.5, count=240)
    noisy = wanted + 0.002 * rng.normal(size=wanted.shape)
    missing = np.zeros(240, dtype=np.bool_)
    missing[100:130] = True
    found = fill_gaps(noisy, missing)
    assert found.gaps[0].how == "spline"
    assert np.abs(found.values - wanted)[100:130].max() < 0.03


def test_gaps_at_the_ends_are_held_and_overlong_ones_are_left() -> None:
    values = wave(0.5, count=100)
    missing = np.zeros(100, dtype=np.bool_)
    missing[:4] = missing[95:] = missing[30:60] = True
    found = fill_gaps(values, missing, longest=20)
    assert [gap.how for gap in found.gaps] == ["held", "left", "held"]
    assert (found.values[:4] == values[4]).all()
    assert (found.values[95:] == values[94]).all()
    assert np.isnan(found.values[30:60]).all()
    assert [gap.how for gap in fill_gaps(values, np.ones(100, dtype=np.bool_)).gaps] == ["left"]


def test_gaps_close_together_and_lone_samples_give_finite_values() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        missing = rng.random((30, 3)) < 0.7
        missing[rng.integers(0, 30), :] = False
        found = fill_gaps(rng.normal(size=(30, 3)), missing, short=2)
        assert np.isfinite(found.values).all()


def test_planted_spikes_are_found_and_nothing_else() -> None:
    rng = np.random.default_rng(3)
    wanted = np.concatenate((wave(0.8, count=600), 0.4 * wave(1.7, count=600)), axis=1)
    given = wanted + 0.001 * rng.normal(size=wanted.shape)
    planted = np.zeros(given.shape, dtype=np.bool_)
    planted[rng.integers(20, 580, 12), rng.integers(0, 2, 12)] = True
    planted[300:302, 0] = True
    given[planted] += rng.choice([-0.5, 0.5], size=int(planted.sum()))
    found = finish(find_spikes(given))
    np.testing.assert_array_equal(found, planted)
    cleaned = fill_gaps(given, found).values
    assert np.abs(cleaned - wanted).max() < 0.02
    np.testing.assert_array_equal(cleaned[~planted], given[~planted])


@pytest.mark.jit_off
def test_a_hand_that_starts_to_move_is_no_spike() -> None:
    still = np.concatenate((np.zeros(50), np.linspace(0, 1, 60) ** 2, np.ones(50)))[:, None]
    assert not finish(find_spikes(still)).any()


@pytest.mark.jit_off
def test_captures_are_cleaned_across_turns_and_signs() -> None:
    figure = random_figure(3, ball_root=True)
    hinge = next(dof for dof in figure.dofs if dof.kind == "hinge")
    coordinates = ("j0.turn.w", "j0.turn.x", "j0.turn.y", "j0.turn.z", hinge.id)
    angle = np.linspace(0.0, 9.0, 400)
    quaternions = np.stack((np.cos(angle), np.sin(angle), 0 * angle, 0 * angle), axis=1)
    quaternions = np.where(quaternions[:, :1] < 0.0, -quaternions, quaternions)
    values = np.column_stack((quaternions, np.angle(np.exp(1j * angle))))
    samples = Samples(coordinates=coordinates, values=Blob(values), rate=(120, 1))
    found = finish(smooth_gradually(figure, samples, cutoff=10.0)).values.array
    np.testing.assert_allclose(np.linalg.norm(found[:, :4], axis=1), 1.0, atol=1e-14)
    np.testing.assert_allclose(found[:, 4], angle, atol=1e-9)
    np.testing.assert_allclose(found[:, 1], np.sin(angle), atol=1e-3)
    assert finish(despike_gradually(figure, samples))[0] is samples
    broken = values.copy()
    broken[100, 4] += 1.0
    cleaned, report = finish(
        despike_gradually(figure, Samples(coordinates=coordinates, values=Blob(broken), rate=(120, 1)))
    )
    assert report.frames == (100,)
    np.testing.assert_allclose(cleaned.values.array[:, 4], angle, atol=1e-9)


def test_a_smoothed_capture_has_more_frames_on_a_curve_whose_accelerations_go_on() -> None:
    figure = load_figure("human")
    name = next(dof.id for dof in figure.dofs if dof.kind == "hinge")
    seconds = np.arange(61) / 60.0
    sparse = Samples(coordinates=(name,), values=Blob(np.sin(6.0 * seconds)[:, None]), rate=(60, 1), start=7)
    finer = finish(smooth_gradually(figure, sparse, cutoff=20.0, order=3, finer=10))
    assert (finer.rate, finer.start, finer.frame_count) == ((600, 1), 7, 601)
    dense = np.arange(601) / 600.0
    middle = slice(100, 500)
    bent = np.gradient(np.gradient(finer.values.array[:, 0], 1 / 600), 1 / 600)
    np.testing.assert_allclose(bent[middle], -36.0 * np.sin(6.0 * dense)[middle], atol=0.05)
    with pytest.raises(InvalidArguments, match="how many times as many frames"):
        finish(smooth_gradually(figure, sparse, cutoff=20.0, finer=0))
