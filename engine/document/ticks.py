"""Ticks: how time is counted, in whole steps of 1/705,600,000 s, of which every usual frame rate is a whole number."""

from __future__ import annotations

from engine.runtime.errors import InvalidDocument

TICKS_PER_SECOND = 705_600_000
TICKS_LIMIT = 2**52  # 73 days; beyond it seconds as floats would no longer tell ticks apart

SHORTEST, LONGEST = 1e-6, 3600.0  # frame times that are believed [s]

Rate = tuple[int, int]


def ticks(what: str, value: int) -> int:
    """A time within the range in which ticks are exact."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > TICKS_LIMIT:
        raise InvalidDocument(what=what, value=value, allowed="a whole number of ticks, within 73 days of 0")
    return value


def some_ticks(what: str, value: int) -> int:
    """A length of time of one tick or more."""
    if ticks(what, value) < 1:
        raise InvalidDocument(what=what, value=value, allowed="a whole number of ticks above 0")
    return value


def check_rate(what: str, rate: Rate) -> None:
    """Refuse a rate at which frames last a time that nobody means."""
    if len(rate) != 2 or rate[0] < 1 or rate[1] < 1 or not SHORTEST <= rate[1] / rate[0] <= LONGEST:
        allowed = f"two whole numbers above 0, a frame of {SHORTEST:g} to {LONGEST:g} s"
        raise InvalidDocument(what=what, value=rate, allowed=allowed)


def ticks_per_frame(rate: Rate) -> float:
    """Ticks between frames at a rate (frames, seconds)."""
    return TICKS_PER_SECOND * rate[1] / rate[0]


def frame_time(frame: int, rate: Rate) -> int:
    """The tick on which a frame stands."""
    return round(frame * TICKS_PER_SECOND * rate[1] / rate[0])


def frame_count(rate: Rate, start: int, end: int) -> int:
    """Count the frames from a tick up to another, the first on the first."""
    last = (end - start) * rate[0] // (TICKS_PER_SECOND * rate[1])
    return last + 2 if frame_time(last + 1, rate) <= end - start else last + 1
