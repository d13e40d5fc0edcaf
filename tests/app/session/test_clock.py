"""How times and rates are told, and how rates are typed."""

from __future__ import annotations

import pytest

from app.session.clock import RATES, Clock, rate_of_text, rate_text
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import Rate


def test_times_are_told_in_frames_or_seconds(qapp: object) -> None:
    clock, told = Clock(), list[bool]()
    clock.changed.connect(lambda: told.append(clock.seconds))
    half = SECOND // 2
    assert (clock.text(half, (30, 1)), clock.other_text(half, (30, 1))) == ("15", "0.50 s")
    assert clock.name(half, (30, 1)) == "frame 15"
    clock.count_in_seconds(True)
    clock.count_in_seconds(True)
    assert told == [True]
    assert (clock.text(half, (30, 1)), clock.other_text(half, (30, 1))) == ("0.50", "frame 15")
    assert clock.name(half, (30, 1)) == "0.50 s"
    assert clock.text(SECOND // 120, (120, 1)) == "0.008", "frames that are nearer than a hundredth are told apart"


@pytest.mark.parametrize(("text", "rate"), RATES)
def test_usual_rates_are_read_as_they_are_written(text: str, rate: Rate) -> None:
    assert rate_of_text(text) == rate
    assert rate_of_text(f" {text} fps ") == rate
    assert rate_text(rate) == text


def test_other_rates_are_exact() -> None:
    assert rate_of_text("12.5") == (25, 2)
    assert rate_of_text("30000/1001") == (30000, 1001)
    assert rate_of_text("23.98") == (24000, 1001)
    assert rate_text((25, 2)) == "12.5"
    assert rate_text((90, 1)) == "90"


@pytest.mark.parametrize(
    "text", ["", "fast", "0", "-24", "1/0", "24/0", "0.5", "1e9", "2000", "nan", "12.5/3", "9" * 40]
)
def test_what_is_no_rate_is_none(text: str) -> None:
    assert rate_of_text(text) is None
