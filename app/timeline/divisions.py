"""Divisions of a line of time: the frames or seconds that are drawn, and those with room for their number."""

from __future__ import annotations

from collections.abc import Iterator

from app.session.player import frame_of
from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame

FRAMES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 1000000)
SECONDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 3000, 6000, 12000, 30000, 60000, 180000, 360000)  # hundredths
HUNDREDTH = TICKS_PER_SECOND // 100


def divisions(
    start: float, end: float, ticks_per_pixel: float, rate: Rate, *, seconds: bool, gap: float, least: float
) -> Iterator[tuple[int, str]]:
    """Return ticks from one to another, each with its number or an empty text; no closer than `gap` and `least`
    pixels."""
    steps, unit = (SECONDS, float(HUNDREDTH)) if seconds else (FRAMES, ticks_per_frame(rate))
    room = unit / ticks_per_pixel
    step = next((each for each in steps if each * room >= gap), steps[-1])
    small = next((each for each in steps if each * room >= least and step % each == 0), step)
    first, last = ((round(time) // HUNDREDTH if seconds else frame_of(round(time), rate)) for time in (start, end))
    for number in range(first + (-first) % small, last + 1, small):
        text = (_seconds(number, step) if seconds else str(number)) if number % step == 0 else ""
        yield number * HUNDREDTH if seconds else frame_time(number, rate), text


def _seconds(hundredths: int, step: int) -> str:
    decimals = 0 if step % 100 == 0 else 1 if step % 10 == 0 else 2
    return f"{hundredths / 100:.{decimals}f}"
