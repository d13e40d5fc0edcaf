"""FramePace: a guess of how long the frames that are left take, from those that were made.

A frame takes as long as it has sub-steps, and these follow the speed of the flow: greatest while water falls, less as
it calms down. So the pace of the last frames counts for what is left, those before them less and less; the first frame,
in which kernels are loaded, does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

MEMORY = 0.06  # of all frames: how far back the pace is taken
FEWEST = 3  # frames before a guess means something


class FramePace:
    """Follows so many frames."""

    def __init__(self, frames: int, clock: Callable[[], float] = monotonic) -> None:
        self._frames, self._clock = frames, clock
        self._last, self._noted = clock(), 0
        self._took = self._count = 0.0

    def note(self) -> None:
        """Note that one more frame is done."""
        now = self._clock()
        took, self._last = now - self._last, now
        self._noted += 1
        if self._noted == 1:
            return
        kept = 1.0 - 1.0 / max(MEMORY * self._frames, FEWEST)
        self._took, self._count = kept * self._took + took, kept * self._count + 1.0

    def left(self, done: float) -> float | None:
        """Guess how long the rest takes [s], now that so many frames are done."""
        if self._noted <= FEWEST:
            return None
        return self._took / self._count * (self._frames - done)
