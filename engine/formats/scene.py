"""Scene: actors as they are seen, time by time, for formats that hold a whole scene.

What is written is the end of the stack: layers, locks, and what hangs on what; never keys. Who works it out is handed
over, since this room does not know the evaluator.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND, Rate, frame_time, ticks_per_frame
from engine.maths.arrays import Array
from engine.model.snapshot import Snapshot
from engine.runtime.errors import InvalidArguments, UnwritableFile
from engine.runtime.quick_dataclass import dataclass

MOST_FRAMES = 100_000
_NEAR = 1e-6  # of a frame


def check_range(first: int, last: int) -> None:
    """Refuse a range [ticks] that ends before it begins."""
    if last < first:
        allowed = f"at or after its start, {first / TICKS_PER_SECOND:g} s"
        raise InvalidArguments(what="the end of the range", value=f"{last / TICKS_PER_SECOND:g} s", allowed=allowed)


class Seen(Protocol):
    """Evaluates a document at a time [ticks]."""

    def rows(self, document: Document, time: int) -> dict[str, Array]:
        """Rotation and position of each actor's base, then its coordinates, shape [12 + coordinate_count]."""

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True) -> Snapshot:
        """The picture."""


@dataclass(frozen=True)
class Times:
    """Frames, numbered from 0 at tick 0."""

    rate: Rate
    numbers: range

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[int]:
        """The tick of each frame."""
        return (frame_time(number, self.rate) for number in self.numbers)


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A document to be written: actors, rate and times."""

    document: Document  # the actors to write and all that they depend on
    chosen: tuple[str, ...]  # ids of those to write
    seen: Callable[[], Seen]  # asked for when something is written: it loads kernels
    rate: Rate  # where nobody says another
    first: int  # from when to when [ticks], likewise
    last: int

    @property
    def actors(self) -> tuple[Actor, ...]:
        """The actors to write."""
        return tuple(self.document.actor(id) for id in self.chosen)

    def times(self, path: Path, rate: Rate | None, start: int | None, end: int | None) -> Times:
        """The frames of a range [ticks]; the nearest one where there is none within it."""
        first, last = self.first if start is None else start, self.last if end is None else end
        check_range(first, last)
        rate = rate or self.rate
        length = ticks_per_frame(rate)
        numbers = range(math.ceil(first / length - _NEAR), math.floor(last / length + _NEAR) + 1)
        if len(numbers) > MOST_FRAMES:
            remedy = f"Write at a lower rate, or a part of it: at most {MOST_FRAMES:,} frames."
            raise UnwritableFile(path=path, found=f"a motion of {len(numbers):,} frames", remedy=remedy)
        near = round(first / length)
        return Times(rate, numbers or range(near, near + 1))
