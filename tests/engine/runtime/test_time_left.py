"""How long work still takes: guessed from what was done, by a clock of the test."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest

from engine.long.warm_up import WARM
from engine.runtime.time_left import TimeLeft


@pytest.mark.parametrize(
    ("passed", "fraction", "text"),
    [
        (1.9, 0.5, ""),
        (10.0, 0.0, ""),
        (10.0, 1.0, ""),
        (10.0, 0.5, "10 s left"),
        (29.0, 0.25, "87 s left"),
        (30.0, 0.25, "2 min left"),
        (8.0, 0.1, "72 s left"),
    ],
)
def test_time_left_is_guessed_from_what_passed(passed: float, fraction: float, text: str) -> None:
    now = [100.0]
    guess = TimeLeft(lambda: now[0])
    now[0] += passed
    assert guess.text(fraction) == text


def test_what_was_done_before_it_began_to_count_is_no_measure() -> None:
    now = [100.0]
    guess = TimeLeft(lambda: now[0], first=0.9)
    now[0] += 5.0
    assert guess.text(0.9) == ""
    assert guess.text(0.925) == "15 s left", "not a tenth of that"


def test_between_two_steps_it_runs_down_and_a_late_step_does_not_make_it_leap() -> None:
    now = [0.0]
    guess = TimeLeft(lambda: now[0])
    for fraction in (0.1, 0.2):
        now[0] += 3.0
        guess.report(fraction)
    report = list[float]()
    for _ in range(100):  # the next step takes ten times as long as those before
        now[0] += 0.3
        left = guess.left()
        assert left is not None
        report.append(left)
    assert report[0] == pytest.approx(24.0 - 0.3)
    assert report[9] == pytest.approx(21.0)
    grown = [later - before for before, later in pairwise(report)]
    assert max(grown) < 3 * 0.3, "a second of waiting adds what it says of the seven tenths to come, and no more"


def test_a_machine_that_becomes_idle_is_soon_believed() -> None:
    now = [0.0]
    guess = TimeLeft(lambda: now[0])
    for step in range(1, 91):
        now[0] += 5.0 if step <= 40 else 1.0
        guess.report(step / 100)
        left = guess.left()
        assert step < 80 or (left is not None and 0.5 * (100 - step) < left < 2 * (100 - step))


STEPS = [seconds for entry in WARM for seconds in entry.seconds.values()]


@pytest.mark.parametrize("factor", [0.4, 1.0, 3.0, 12.0])
@pytest.mark.parametrize("steps", [STEPS, [1.0] * 40, [0.5, 8.0, 1.0, 9.0, 2.0, 20.0, 3.0, 3.0]])
def test_steps_that_take_any_multiple_of_what_is_stated_are_told_within_half(steps: list[float], factor: float) -> None:
    now, total = [0.0], sum(steps)
    ends = list(accumulate(each / total for each in steps))
    guess = TimeLeft(lambda: now[0], steps=ends, seconds=total)
    guess.begin()
    looked = 0
    for step, end in zip(steps, ends, strict=True):
        for _ in range(20):
            now[0] += step * factor / 20
            right, left = total * factor - now[0], guess.left()
            if now[0] >= 0.2 * total * factor and left is not None and right > 0.5:
                looked += 1
                assert 0.5 * right <= left <= 1.5 * right
        guess.report(end)
    assert looked > 20, "or nothing was tested"


def test_the_time_until_one_purpose_of_several_is_its_own() -> None:
    now = [0.0]
    guess = TimeLeft(lambda: now[0], steps=(0.25, 1.0), seconds=40.0)
    now[0] = 4.0
    assert guess.left(0.25) == pytest.approx(6.0)
    assert guess.left() == pytest.approx(36.0)
    now[0] = 10.0
    guess.report(0.25)
    assert guess.left(0.25) is None, "it is there"
