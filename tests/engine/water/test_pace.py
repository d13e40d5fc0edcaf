"""The time left of a bake: within a fifth after a tenth, though first frames are slow and calm water is quicker."""

from __future__ import annotations

import math

import pytest

from engine.runtime.time_left import ToldTimeLeft
from engine.water.pace import FramePace


@pytest.mark.parametrize("calming", [0.0, 0.3])
def test_time_left_is_right_within_a_fifth_after_a_tenth(calming: float) -> None:
    now, frames = [0.0], 300
    pace = FramePace(frames, clock=lambda: now[0])
    takes = [8.0 if frame == 0 else 0.5 * (1.0 - calming * frame / frames) for frame in range(frames)]
    for frame in range(frames // 10):
        now[0] += takes[frame]
        pace.note(1.0)
    left = pace.left(frames // 10)
    assert left == pytest.approx(sum(takes[frames // 10 :]), rel=0.2)


def test_water_that_nothing_drives_calms_down_to_a_sub_step_a_step() -> None:
    now = [0.0]
    pace = FramePace(1000, 2, 50.0, lambda: now[0])
    for _ in range(40):
        now[0] += 0.8
        pace.note(8.0)
    assert pace.left(900) == pytest.approx(100 * 0.29 + 0.51 * 50.0 * (1.0 - math.exp(-2.0)))


def test_nothing_is_guessed_from_the_first_frames() -> None:
    pace = FramePace(100, clock=lambda: 0.0)
    pace.note(1.0)
    assert pace.left(1) is None


def test_what_was_told_runs_down_with_the_clock() -> None:
    now = [10.0]
    left = ToldTimeLeft(lambda: now[0])
    assert left.text(0.1) == ""
    left.tell(30.0)
    now[0] += 12.0
    assert left.left() == 18.0
    assert left.text(0.5) == "18 s left"
    now[0] += 100.0
    assert left.left() == 0.0
