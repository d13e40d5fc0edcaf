"""Slopes of keys: no overshoot, smooth ends and seams, and the two published ways to set free ones."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from engine.document import Key, Track
from engine.motion.curves import evaluate_track
from engine.motion.tangents import automatic_slopes, catmull_rom, kochanek_bartels, slopes
from tests.drawn import example, given, settings, st
from tests.engine.motion.motions import SECOND, keys

RNG = np.random.default_rng(3)


def test_automatic_slopes_are_those_of_pchip_where_the_ends_go_on() -> None:
    track = Track(coordinate="a", keys=keys(RNG, 9), before="linear", after="linear")
    seconds = np.array([key.time for key in track.keys]) / SECOND
    peer = PchipInterpolator(seconds, [key.value for key in track.keys]).derivative()
    np.testing.assert_allclose(automatic_slopes(track), peer(seconds), atol=1e-12)


@settings(max_examples=60)
@example(values=[-1.0, 0.0, 5e-324], gaps=[1, 1, 21, 1, 1, 1, 1, 1], ends="hold")
@given(
    values=st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=8),
    gaps=st.lists(st.integers(1, 10**9), min_size=8, max_size=8),
    ends=st.sampled_from(["hold", "linear", "cycle_offset"]),
)
def test_no_span_between_automatic_keys_overshoots(values: list[float], gaps: list[int], ends: str) -> None:
    times = np.cumsum(gaps[: len(values)])
    made = tuple(Key(int(time), value) for time, value in zip(times, values, strict=True))
    track = Track(coordinate="a", keys=made, before=ends, after=ends)  # type: ignore[arg-type]
    for first, second in pairwise(made):
        found = evaluate_track(track, np.linspace(first.time, second.time, 40))[:, 0]
        slack = 1e-12 * (abs(first.value) + abs(second.value))
        assert found.min() >= min(first.value, second.value) - slack
        assert found.max() <= max(first.value, second.value) + slack


def test_held_ends_are_flat_and_a_peak_is_flat() -> None:
    track = Track(coordinate="a", keys=tuple(Key(each * SECOND, value) for each, value in enumerate((0.0, 1.0, 0.5))))
    assert automatic_slopes(track).tolist() == [0.0, 0.0, 0.0]


def test_in_a_cycle_the_neighbour_across_the_seam_counts() -> None:
    made = tuple(Key(each * SECOND, value) for each, value in enumerate((0.0, 1.0, 4.0)))
    found = automatic_slopes(Track(coordinate="a", keys=made, after="cycle_offset"))
    assert found[0] == found[2] == pytest.approx(1.5)  # the harmonic mean of 1 and 3


def test_flat_and_free_slopes_are_taken_as_they_are() -> None:
    made = (Key(0, 0.0, tangent="flat"), Key(SECOND, 1.0, tangent="free", slope_in=2.0, slope_out=-3.0))
    arriving, leaving = slopes(Track(coordinate="a", keys=made))
    assert (arriving.tolist(), leaving.tolist()) == ([0.0, 2.0], [0.0, -3.0])


def test_catmull_rom_takes_the_chord_between_the_neighbours() -> None:
    made = catmull_rom(tuple(Key(time * SECOND, value) for time, value in ((0, 0.0), (1, 2.0), (4, 8.0))))
    assert [key.slope_out for key in made] == pytest.approx([2.0, 2.0, 2.0])
    made = catmull_rom(tuple(Key(time * SECOND, value) for time, value in ((0, 0.0), (1, 5.0), (4, 8.0))))
    assert made[1].slope_in == made[1].slope_out == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("tension", "continuity", "bias", "slope_in", "slope_out"),
    [
        (0.0, 0.0, 0.0, 2.0, 2.0),
        (1.0, 0.0, 0.0, 0.0, 0.0),
        (-1.0, 0.0, 0.0, 4.0, 4.0),
        (0.0, -1.0, 0.0, 1.0, 3.0),  # the polygon's corner: each side its own secant
        (0.0, 1.0, 0.0, 3.0, 1.0),
        (0.0, 0.0, 1.0, 1.0, 1.0),  # all of the secant before
        (0.0, 0.0, -1.0, 3.0, 3.0),
    ],
)
def test_tension_continuity_and_bias_do_what_the_paper_says(
    tension: float, continuity: float, bias: float, slope_in: float, slope_out: float
) -> None:
    plain = tuple(Key(each * SECOND, value) for each, value in enumerate((0.0, 1.0, 4.0)))
    key = kochanek_bartels(plain, tension=tension, continuity=continuity, bias=bias)[1]
    assert key.tangent == "free"
    assert (key.slope_in, key.slope_out) == pytest.approx((slope_in, slope_out))


def test_uneven_spacing_keeps_the_velocity_continuous_and_only_chosen_keys_change() -> None:
    plain = keys(RNG, 6)
    made = kochanek_bartels(plain, tension=0.3, bias=-0.4, chosen=(2, 4))
    assert made[2].slope_in == made[2].slope_out
    assert [made[each] is plain[each] for each in range(6)] == [True, True, False, True, False, True]
