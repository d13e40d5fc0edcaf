"""The shape of curves as it is drawn: exactly what the engine makes of the keys, and tangents that stay finite."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Key, Track
from engine.document.motion import THIRD
from engine.edits.keys import checked_key
from engine.motion.curves import evaluate_track
from engine.queries.outline import NEAREST, SHORTEST, Outline
from tests.engine.motion.motions import EXTRAPOLATIONS, SECOND, mixed_keys, walker

KEYS = (Key(0, 0.0), Key(SECOND, 1.0), Key(3 * SECOND, 0.5), Key(4 * SECOND, -1.0, interpolation="linear"))


def line_of(outline: Outline, start: float, end: float) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Where a pixel is a hundredth of a second and of a unit."""
    return outline.line(start, end, SECOND / 100.0, 0.01)


@pytest.mark.parametrize("seed", range(8))
def test_a_line_lies_on_the_curve_that_the_engine_evaluates(seed: int) -> None:
    track = Track(coordinate="knee", keys=mixed_keys(np.random.default_rng(seed), 9))
    outline = Outline.of(track)
    line = line_of(outline, outline.time[0], outline.time[-1])
    steps = set(outline.time[1:][outline.stepped].tolist())  # where it jumps, both values are on the line
    inside = np.array([time not in steps for time in line[:, 0]])
    expected = evaluate_track(track, line[inside, 0])[:, 0]
    assert np.abs(line[inside, 1] - expected).max() < 1e-9
    assert np.all(np.diff(line[:, 0]) >= 0.0)


@pytest.mark.parametrize("kind", EXTRAPOLATIONS)
@pytest.mark.parametrize("seed", range(3))
def test_a_value_at_any_time_is_the_engines(seed: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    track = Track(coordinate="knee", keys=mixed_keys(rng), before=kind, after=kind)  # type: ignore[arg-type]
    outline = Outline.of(track)
    times = rng.uniform(-5.0 * SECOND, 12.0 * SECOND, size=60)
    found = [outline.value_at(time) for time in times.tolist()]
    assert found == pytest.approx(evaluate_track(track, times)[:, 0].tolist(), abs=1e-9)


@pytest.mark.parametrize("kind", EXTRAPOLATIONS)
def test_what_is_beyond_the_keys_is_drawn_to_the_edges(kind: str) -> None:
    track = Track(coordinate="knee", keys=KEYS[:3], before=kind, after=kind)  # type: ignore[arg-type]
    lines = list(Outline.of(track).beyond(-7.0 * SECOND, 11.0 * SECOND, SECOND / 100.0, 0.01))
    points = np.concatenate(lines)
    assert points[:, 0].min() <= -7.0 * SECOND < 11.0 * SECOND <= points[:, 0].max()
    inner = points[(np.abs(points[:, 0] % (3 * SECOND)) > 1.0)]  # at a seam of a cycle there are two values
    assert inner[:, 1] == pytest.approx(evaluate_track(track, inner[:, 0])[:, 0], abs=1e-9)


def test_a_line_has_points_where_it_bends_and_only_what_is_seen_of_it() -> None:
    straight = Track(coordinate="knee", keys=tuple(replace(key, interpolation="linear") for key in KEYS))
    assert len(line_of(Outline.of(straight), 0.0, 4.0 * SECOND)) == len(KEYS)
    bent = Outline.of(Track(coordinate="knee", keys=KEYS))
    assert len(line_of(bent, 0.0, 4.0 * SECOND)) > 60
    part = line_of(bent, 3.2 * SECOND, 3.4 * SECOND)
    assert part[0, 0] == 3 * SECOND
    assert len(line_of(bent, 9.0 * SECOND, 10.0 * SECOND)) == 1


def test_ten_thousand_keys_in_two_thousand_pixels_make_no_more_points_than_there_is_to_see() -> None:
    rng = np.random.default_rng(1)
    keys = tuple(Key(place * SECOND // 30, float(value)) for place, value in enumerate(rng.normal(size=10_000)))
    outline = Outline.of(Track(coordinate="knee", keys=keys))
    far = outline.line(0.0, float(keys[-1].time), keys[-1].time / 2000.0, 1.0)
    assert len(far) < 3 * len(keys)


def test_a_pulled_tangent_goes_through_the_place_to_which_it_is_pulled() -> None:
    outline = Outline.of(Track(coordinate="knee", keys=KEYS))
    key = outline.bend(1, 1.5 * SECOND, 2.0, after=True, weighted=False, unified=True, aligned=False)
    assert key.tangent == "free"
    assert [key.slope_in, key.slope_out] == pytest.approx([2.0, 2.0])
    assert (key.weight_in, key.weight_out) == (THIRD, THIRD)
    weighted = outline.bend(1, 1.5 * SECOND, 2.0, after=True, weighted=True, unified=True, aligned=False)
    keys = (*KEYS[:1], weighted, *KEYS[2:])
    end = Outline.of(Track(coordinate="knee", keys=keys)).tangent_end(1, after=True)
    assert end is not None
    assert list(end) == pytest.approx([1.5 * SECOND, 2.0])


def test_a_broken_key_keeps_its_other_side() -> None:
    outline = Outline.of(Track(coordinate="knee", keys=KEYS))
    before = float(outline.arriving[1])
    key = outline.bend(1, 2.0 * SECOND, 3.0, after=True, weighted=False, unified=False, aligned=False)
    assert [key.slope_in, key.slope_out] == pytest.approx([before, 2.0])
    key = outline.bend(1, 0.5 * SECOND, 3.0, after=False, weighted=False, unified=False, aligned=False)
    assert [key.slope_in, key.slope_out] == pytest.approx([-4.0, before])


@pytest.mark.parametrize("time", [SECOND, 0, -9 * SECOND, SECOND + 1, -1e300])
@pytest.mark.parametrize("value", [1.0, 1.0 + 1e6, -1e9])
def test_a_tangent_pulled_upright_or_backwards_is_clamped_and_can_be_kept(time: float, value: float) -> None:
    outline = Outline.of(Track(coordinate="knee", keys=KEYS))
    key = outline.bend(1, time, value, after=True, weighted=True, unified=False, aligned=False)
    assert key.slope_out == pytest.approx((value - 1.0) / (2.0 * NEAREST))
    assert key.weight_out == SHORTEST
    assert checked_key(walker(), "knee", key).slope_out == key.slope_out
    far = Outline.of(Track(coordinate="knee", keys=(KEYS[0], key, *KEYS[2:])))
    assert np.isfinite(line_of(far, 0.0, 4.0 * SECOND)).all()


def test_a_tangent_reaches_no_further_than_its_neighbour() -> None:
    outline = Outline.of(Track(coordinate="knee", keys=KEYS))
    key = outline.bend(1, 99.0 * SECOND, 1.0, after=True, weighted=True, unified=False, aligned=False)
    assert (key.weight_out, key.slope_out) == (1.0, 0.0)


def test_an_aligned_tangent_changes_its_length_alone() -> None:
    outline = Outline.of(Track(coordinate="knee", keys=KEYS))
    key = outline.bend(2, 2.0 * SECOND, 77.0, after=False, weighted=True, unified=True, aligned=True)
    assert key.slope_in == key.slope_out == float(outline.arriving[2])
    assert key.weight_in == 0.5


def test_where_a_span_is_not_bent_there_is_no_tangent() -> None:
    keys = (replace(KEYS[0], interpolation="linear"), KEYS[1], replace(KEYS[2], interpolation="stepped"), KEYS[3])
    outline = Outline.of(Track(coordinate="knee", keys=keys))
    there = [[outline.tangent_end(place, after=after) is not None for after in (False, True)] for place in range(4)]
    assert there == [[False, False], [False, True], [True, False], [False, False]]


def test_freed_keys_keep_the_shape_and_unified_ones_have_one_slope() -> None:
    keys = (KEYS[0], replace(KEYS[1], tangent="free", slope_in=1.0, slope_out=3.0), *KEYS[2:])
    outline = Outline.of(Track(coordinate="knee", keys=keys))
    assert outline.freed(1, unified=False) == keys[1]
    unified = outline.freed(1, unified=True)
    assert (unified.slope_in, unified.slope_out) == (2.0, 2.0)
