"""What is typed about a film: read, or refused with the value."""

from __future__ import annotations

import pytest

from app.features.films.view import typed as typed
from app.features.sheet_form import sentence
from app.session.clock import Clock
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.runtime.errors import InvalidArguments


def test_sides_are_whole_numbers_of_pixels() -> None:
    assert typed.side("the width")(" 640 ") == 640
    for text in ("", "0", "-3", "12.5", "1e9", "wide", "nan", "inf"):
        with pytest.raises(InvalidArguments, match=r"the width is .*; allowed: a whole number of 1 to 32768 pixels"):
            typed.side("the width")(text)


def test_times_are_frames_or_seconds_as_the_clock_tells_them(qapp: object) -> None:
    clock = Clock()
    frames = typed.moment(clock, (25, 1))("the start of the range")
    assert frames("50") == 2 * SECOND
    assert frames("−25") == -SECOND
    assert frames("2 s") == 2 * SECOND
    for text in ("", "soon", "1e30"):
        with pytest.raises(InvalidArguments, match=r"allowed: a frame, as 48, or seconds, as 1\.6 s, within"):
            frames(text)
    clock.count_in_seconds(True)
    assert frames("1,5") == SECOND * 3 // 2
    assert frames("50 f") == 2 * SECOND
    for text in ("", "1e30", "inf"):
        with pytest.raises(InvalidArguments, match=r"allowed: seconds, as 1\.6, or a frame, as 48 f, within"):
            frames(text)


def test_a_turn_takes_a_while() -> None:
    assert typed.turn("2.5") == 2.5
    for text in ("0", "-1", "", "nan", "1e9"):
        with pytest.raises(InvalidArguments, match=r"the time of once round is .*; allowed: 0.1 to 3600 seconds"):
            typed.turn(text)


def test_what_was_wrong_is_a_sentence() -> None:
    assert sentence(InvalidArguments(what="the rate", value=0, allowed="1")) == "The rate is 0; allowed: 1."
