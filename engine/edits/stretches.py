"""Stretches: a list of pieces of new time, each with where its content comes from. Every range edit is such a list."""

from __future__ import annotations

from typing import Literal

from engine.document import Clip, Samples
from engine.document.motion import TICKS_LIMIT
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

BEGIN, END = -TICKS_LIMIT, TICKS_LIMIT
"""Of all time."""


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """New time from `start` to `end`, and the old time that is shown there."""

    start: int
    end: int
    source: int
    source_end: int
    origin: Literal["layer", "hold", "bridge", "clip"] = "layer"  # hold: `source` all along; bridge: between the ends
    backward: bool = False
    repeat: int = 0  # so many times the change over the source is added

    @property
    def inserted(self) -> bool:
        """True if no old time stands here."""
        return self.source == self.source_end

    @property
    def factor(self) -> float:
        """New time by old time."""
        same = self.end - self.start == self.source_end - self.source
        return 1.0 if same else (self.end - self.start) / (self.source_end - self.source)

    def source_time(self, time: float) -> float:
        """The old time shown at a new one."""
        if self.origin == "hold":
            return float(self.source)
        if self.backward:
            return self.source_end - (time - self.start) / self.factor
        # From the end where the start is that of all time.
        if self.start == BEGIN:
            return self.source_end + (time - self.end) / self.factor
        return self.source + (time - self.start) / self.factor

    def new_time(self, time: int) -> int:
        """The new time at which an old one is shown."""
        if self.backward:
            return self.start + round((self.source_end - time) * self.factor)
        if self.start == BEGIN:
            return self.end - round((self.source_end - time) * self.factor)
        return self.start + round((time - self.source) * self.factor)


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Stretches that follow one another from the beginning of time to its end."""

    stretches: tuple[Stretch, ...]
    clip: Clip | None = None
    shifts: bool = True  # what comes after moves, so that spans and speed curves across ends do
    holds_ends: bool = False  # where nothing comes before or after, the ends of what is laid out anew are held

    @property
    def start(self) -> int:
        """The tick before which nothing changes."""
        return self.stretches[0].end

    @property
    def source_end(self) -> int:
        """The old tick from which on all moves as one."""
        return self.stretches[-1].source

    @property
    def shift(self) -> int:
        """The time by which it moves [ticks]."""
        return self.stretches[-1].start - self.stretches[-1].source

    def image(self, time: int) -> int:
        """Map an old tick to new time; the next that is still there, where it has been taken out."""
        own = [each for each in self.stretches if each.origin == "layer" and not each.backward]
        for each in own:
            if each.source <= time < each.source_end:
                return each.new_time(time)
        return min((each.start for each in own if each.source >= time), default=time + self.shift)


def check_range(start: int, end: int) -> None:
    """Refuse a range that does not end after its start."""
    for time in (start, end):
        if isinstance(time, bool) or not isinstance(time, int) or abs(time) >= TICKS_LIMIT // 2:
            raise InvalidDocument(what="an end of a range", value=time, allowed="a whole number of ticks")
    if end <= start:
        raise InvalidDocument(what="a range", value=(start, end), allowed="an end after its start")


def sample_extent(samples: Samples) -> tuple[int, int]:
    """First and last tick."""
    return samples.start, samples.time(samples.frame_count - 1)
