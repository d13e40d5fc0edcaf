"""Typed text of a video: sizes, times and seconds, each refused with the value and what may be typed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.export.choices import LEAST_TURN, MOST_SIDE, MOST_TURN
from app.session.typed_time import WrongTime, time_of_text, usual_times
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from app.session.clock import Clock
    from engine.document.motion import Rate

Reader = Callable[[str], int]


def side(what: str) -> Reader:
    """Reads a number of pixels."""

    def read(text: str) -> int:
        number = _number(text)
        if number is None or number != int(number) or not 1 <= number <= MOST_SIDE:
            raise InvalidArguments(what=what, value=text, allowed=f"a whole number of 1 to {MOST_SIDE} pixels")
        return int(number)

    return read


def moment(clock: Clock, rate: Rate) -> Callable[[str], Reader]:
    """Reads a time as every field of times does: a frame or seconds, whichever the clock counts in without a unit."""

    def reader(what: str) -> Reader:
        def read(text: str) -> int:
            try:
                return time_of_text(text, 0, rate, seconds=clock.seconds, exact=clock.seconds)
            except WrongTime as wrong:
                allowed = f"{usual_times(seconds=clock.seconds)}, within 73 days of 0"
                raise InvalidArguments(what=what, value=text, allowed=allowed) from wrong

        return read

    return reader


def turn(text: str) -> float:
    """Reads the seconds of once round."""
    number = _number(text)
    if number is None or not LEAST_TURN <= number <= MOST_TURN:
        allowed = f"{LEAST_TURN:g} to {MOST_TURN:g} seconds"
        raise InvalidArguments(what="the time of once round", value=text, allowed=allowed)
    return number


def _number(text: str) -> float | None:
    try:
        number = float(text.strip().replace("\N{MINUS SIGN}", "-").replace(",", "."))
    except ValueError:
        return None
    return number if math.isfinite(number) else None
