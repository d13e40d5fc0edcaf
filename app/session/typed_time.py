"""Times that are typed: as a frame or in seconds, whichever the timeline counts in, which needs no unit."""

from __future__ import annotations

from app.session.player import frame_of
from app.style.expression import WrongNumber, parse
from app.style.units import Unit
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time

QUOTED = 24  # letters of what was typed that are said again


def time_of_text(text: str, present: int, rate: Rate, *, seconds: bool, exact: bool = False) -> int:
    """Read the tick of the frame that is nearest to a typed time, or the very tick, if `exact`; a `WrongTime` says what
    could be typed."""
    scale = 1.0 if seconds else rate[0] / rate[1]
    names = {name: worth * scale for name, worth in time_names(rate).items()}
    unit = Unit(suffix="", words="", scale=scale, decimals=2, step=1.0, coarse=5.0, names=names)
    try:
        found = parse(text, unit=unit, present=present / TICKS_PER_SECOND)
    except WrongNumber as wrong:
        raise WrongTime(text, "is no time", seconds=seconds) from wrong
    if abs(found) * TICKS_PER_SECOND > TICKS_LIMIT:
        raise WrongTime(text, "is more than 73 days", seconds=seconds)
    tick = round(found * TICKS_PER_SECOND)
    return tick if exact else frame_time(frame_of(tick + frame_time(1, rate) // 2, rate), rate)


def time_names(rate: Rate) -> dict[str, float]:
    """Return what each unit of time that can be typed is worth in seconds."""
    frame = rate[1] / rate[0]
    return {"s": 1.0, "sec": 1.0, "ms": 1e-3, "min": 60.0, "f": frame, "frame": frame, "frames": frame}


class WrongTime(ValueError):
    """Typed text that is no time; says what could be typed instead."""

    def __init__(self, text: str, reason: str, *, seconds: bool) -> None:
        typed = text.strip() if len(text) <= QUOTED else f"{text.strip()[:QUOTED]}…"
        self.reason, self.usual = reason, usual_times(seconds=seconds)
        super().__init__(f"“{typed}” {reason}. Type {self.usual}.")


def usual_times(*, seconds: bool) -> str:
    """Name what may be typed, that which needs no unit first."""
    return "seconds, as 1.6, or a frame, as 48 f" if seconds else "a frame, as 48, or seconds, as 1.6 s"
