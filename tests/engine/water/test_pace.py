"""The time left of a bake: within a fifth after a tenth, though first frames are slow and calm water is quicker."""

from __future__ import annotations

import pytest

from engine.runtime.time_left import ToldTimeLeft
from engine.water.pace import FramePace


@pytest.mark.parametrize("calming", [0.0, 0.3])
def test_time_left_is_right_within_a_fifth_after_a_tenth(calming: float) -> None:
    now, frames = [0.0], 300
    pace = FramePace(frames, lambda: now[0])
    takes = [8.0 if frame == 0 else 0.5 * (1.0 - calming * frame / frames) for frame in range(frames)]
    for frame in range(frames // 10):
        now[0] += takes[frame]
        pace.note()
    left = pace.left(frames // 10)
    assert left == pytest.approx(sum(takes[frames // 10 :]), rel=0.2)


def test_nothing_is_guessed_from_the_first_frames() -> None:
    pace = FramePace(100, lambda: 0.0)
    pace.note()
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
