"""The time left of a bake: within a fifth after a tenth, though first frames are slow and calm water is quicker."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.runtime.time_left import ToldTimeLeft
from engine.water.pace import FIXED, FramePace


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
    pace, calm = FramePace(1000, 2, 50.0, lambda: now[0]), 0.8 * (FIXED + (1.0 - FIXED) / 4.0)
    for _ in range(900):
        now[0] += 0.8
        pace.note(8.0)
    assert pace.left(900) == pytest.approx(100 * calm + (0.8 - calm) * 50.0 * (1.0 - math.exp(-2.0)), rel=1e-3)


@pytest.mark.parametrize("faster", [1.0, 1.7])
def test_a_rehearsal_tells_of_what_no_pace_can_know(faster: float) -> None:
    now, frames = [0.0], 300
    pace = FramePace(frames, 1, 40.0, clock=lambda: now[0])
    speeds = np.array([3.0 if frame < 150 else 0.5 for frame in range(frames)])  # it calms at once, and late
    pace.expect(lambda by: np.maximum(2.0 * by * speeds, 1.0))
    takes = 0.2 + 1.0 * np.maximum(2.0 * faster * speeds, 1.0)
    for frame in range(frames // 10):
        now[0] += takes[frame] + (9.0 if frame < 4 else 0.0)  # kernels are loaded
        pace.note(2.0 * faster * speeds[frame])
    assert pace.left(frames // 10) == pytest.approx(takes[frames // 10 :].sum(), rel=0.05)


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
