"""Clock: times shown in frames or in seconds, and frame rates as a person writes them."""

from __future__ import annotations

import re
from fractions import Fraction

from PySide6.QtCore import QObject, Signal

from app.session.player import frame_of
from engine.document.motion import TICKS_PER_SECOND, Rate

RATES: tuple[tuple[str, Rate], ...] = (
    ("23.976", (24000, 1001)),
    ("24", (24, 1)),
    ("25", (25, 1)),
    ("29.97", (30000, 1001)),
    ("30", (30, 1)),
    ("50", (50, 1)),
    ("59.94", (60000, 1001)),
    ("60", (60, 1)),
    ("120", (120, 1)),
)
SLOWEST, FASTEST = 1, 1000  # frames a second that can be typed
NTSC = 0.005  # how far from a whole rate times 1000/1001 a typed one may be
_WRITTEN = re.compile(r"(\d{1,6}(?:\.\d{1,9}|/\d{1,6})?)\s*(?:fps)?", re.IGNORECASE)


class Clock(QObject):
    """Tells times of one session."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seconds = False  # else frames

    def count_in_seconds(self, seconds: bool) -> None:
        """Tell seconds, or frames."""
        if seconds != self.seconds:
            self.seconds = seconds
            self.changed.emit()

    def text(self, time: int, rate: Rate) -> str:
        """Write a tick: as the number of its frame, or in seconds as exact as the frames are apart."""
        if not self.seconds:
            return str(frame_of(time, rate))
        decimals = 3 if rate[0] > 100 * rate[1] else 2
        return f"{time / TICKS_PER_SECOND:.{decimals}f}"

    def other_text(self, time: int, rate: Rate) -> str:
        """Write a tick in the other form: as a frame where times are in seconds, else in seconds."""
        return f"frame {frame_of(time, rate)}" if self.seconds else f"{time / TICKS_PER_SECOND:.2f} s"

    def name(self, time: int, rate: Rate) -> str:
        """Write a tick in a sentence."""
        return f"{self.text(time, rate)} s" if self.seconds else f"frame {self.text(time, rate)}"


def rate_text(rate: Rate) -> str:
    """Frames a second, in figures."""
    known = next((text for text, each in RATES if each == rate), None)
    if known is not None:
        return known
    return str(rate[0]) if rate[1] == 1 else f"{rate[0] / rate[1]:.3f}".rstrip("0").rstrip(".")


def rate_of_text(text: str) -> Rate | None:
    """Read the rate that a person typed: 24, 29.97, 12.5, 30000/1001; None where it is none."""
    written = _WRITTEN.fullmatch(text.strip())
    if written is None or not int(written[1].partition("/")[2] or 1):
        return None
    value = Fraction(written[1])
    if not SLOWEST <= value <= FASTEST:
        return None
    whole = round(value * 1001 / 1000)
    if value.denominator != 1 and value.denominator != 1001 and abs(value * 1001 / 1000 - whole) < NTSC:
        return whole * 1000, 1001
    value = value.limit_denominator(10_000)
    return value.numerator, value.denominator
