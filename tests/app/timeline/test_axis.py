"""The axis of time that the timeline's views share."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.timeline.axis import CLOSEST, LINE_GAP, NUMBER_GAP, TimeAxis
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, frame_time, ticks_per_frame

RATE = (30, 1)


@pytest.fixture
def axis() -> TimeAxis:
    made = TimeAxis(RATE)
    made.set_width(800.0)
    made.show_range(0, 4 * TICKS_PER_SECOND)
    return made


def test_a_range_reaches_from_edge_to_edge(axis: TimeAxis) -> None:
    assert axis.x_of(0) == 0.0
    assert axis.x_of(4 * TICKS_PER_SECOND) == pytest.approx(800.0)
    assert axis.time_at(400.0) == pytest.approx(2 * TICKS_PER_SECOND)


def test_another_width_shows_the_same_ticks(axis: TimeAxis) -> None:
    axis.set_width(500.0)
    assert (axis.start, axis.end) == pytest.approx((0, 4 * TICKS_PER_SECOND))


@pytest.mark.parametrize("factor", [0.5, 1.7])
def test_zooming_keeps_the_tick_under_the_pointer(axis: TimeAxis, factor: float) -> None:
    before = axis.time_at(300.0)
    axis.zoom(factor, 300.0)
    assert axis.time_at(300.0) == pytest.approx(before)
    assert axis.end - axis.start == pytest.approx(factor * 4 * TICKS_PER_SECOND)


def test_zooming_ends_at_a_few_frames_and_keeps_the_pointer_there(axis: TimeAxis) -> None:
    before = axis.time_at(500.0)
    for _ in range(80):
        axis.zoom(0.5, 500.0)
    assert axis.end - axis.start == pytest.approx(CLOSEST * ticks_per_frame(RATE))
    assert axis.time_at(500.0) == pytest.approx(before)


def test_no_zoom_and_no_pan_leaves_the_ticks_that_there_are(axis: TimeAxis) -> None:
    for _ in range(200):
        axis.zoom(2.0, 10.0)
        axis.pan(1e6)
    assert axis.start >= -TICKS_LIMIT
    assert axis.end <= TICKS_LIMIT


def test_panning_moves_what_is_shown_with_the_hand(axis: TimeAxis) -> None:
    axis.pan(50.0)
    assert axis.x_of(0) == pytest.approx(50.0)


def test_snapping_finds_the_nearest_frame_of_a_rate_that_is_no_whole_number(axis: TimeAxis) -> None:
    axis.set_rate((30000, 1001))
    for frame in (-7, 0, 100, 101):
        time = frame_time(frame, axis.rate)
        assert axis.snapped(time + 0.4 * ticks_per_frame(axis.rate)) == time
        assert axis.snapped(time - 0.4 * ticks_per_frame(axis.rate)) == time


def test_without_snapping_any_tick_is_hit(axis: TimeAxis) -> None:
    axis.snapping = False
    assert axis.snapped(1234.6) == 1235


def test_views_are_told_once_of_a_change_and_not_of_none(axis: TimeAxis) -> None:
    told: list[None] = []
    axis.changed.connect(lambda: told.append(None))
    axis.pan(0.0)
    axis.set_width(800.0)
    axis.set_rate(RATE)
    assert told == []
    axis.pan(3.0)
    assert len(told) == 1


@pytest.mark.parametrize("seconds", [0.2, 4.0, 300.0, 80000.0])
def test_marked_frames_are_whole_and_as_far_apart_as_can_be_read(axis: TimeAxis, seconds: float) -> None:
    axis.show_range(-TICKS_PER_SECOND, seconds * TICKS_PER_SECOND)
    marked = list(axis.frames())
    numbered = [axis.x_of(time) for time, has_number in marked if has_number]
    assert len(numbered) >= 1
    assert len(marked) <= axis.width / LINE_GAP + 2
    assert all(axis.snapped(time) == time for time, _ in marked)
    assert all(second - first >= NUMBER_GAP for first, second in pairwise(numbered))


def test_seconds_are_marked_where_they_are_told(axis: TimeAxis) -> None:
    axis.count_in_seconds(True)
    numbered = [time for time, has_number in axis.frames() if has_number]
    assert {TICKS_PER_SECOND, 2 * TICKS_PER_SECOND} <= set(numbered)
    assert all(axis.x_of(second) - axis.x_of(first) >= NUMBER_GAP for first, second in pairwise(numbered))


def test_a_wider_view_of_the_axis_is_marked_as_far_as_its_own_edge(axis: TimeAxis) -> None:
    assert max(time for time, _ in axis.frames(1600.0)) == pytest.approx(8 * TICKS_PER_SECOND, rel=0.02)
