"""Typed text of a video: sizes, times and seconds, each refused with the value and what may be typed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from app.export.choices import LEAST_TURN, MOST_SIDE, MOST_TURN
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from app.session.clock import Clock

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
    """Reads a time as the clock tells it, as ticks."""

    def reader(what: str) -> Reader:
        def read(text: str) -> int:
            number = _number(text)
            if clock.seconds:
                if number is None or abs(number) * TICKS_PER_SECOND > TICKS_LIMIT:
                    raise InvalidArguments(what=what, value=text, allowed="seconds, within 73 days of 0")
                return round(number * TICKS_PER_SECOND)
            if number is None or number != int(number) or abs(frame_time(int(number), rate)) > TICKS_LIMIT:
                raise InvalidArguments(what=what, value=text, allowed="the number of a frame, within 73 days of 0")
            return frame_time(int(number), rate)

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
