"""FramePace: a guess of how long the frames that are left take, from those that were made.

A frame takes as long as it has sub-steps, and these follow the speed of the flow. Water that nothing drives calms down,
as its sloshing does, to one sub-step a step: with p the pace of the last frames [s], c that of calm ones and T the
frames in which it calms, n frames take

    n c + (p - c) T (1 - exp(-n / T))

Driven water keeps its pace. The first frame, in which kernels are loaded, does not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic

MEMORY = 0.06  # of all frames: how far back the pace is taken
FIXED = 0.15  # of a frame's pace: what no sub-step takes, such as the surface's mesh and the file
FEWEST = 3  # frames before a guess means something


class FramePace:
    """Follows so many frames, of at least so many sub-steps each."""

    def __init__(
        self, frames: int, least: int = 1, calming: float = math.inf, clock: Callable[[], float] = monotonic
    ) -> None:
        """`calming`: the frames in which the water calms down; infinite where it is driven."""
        self._frames, self._least, self._calming, self._clock = frames, least, calming, clock
        self._last, self._noted = clock(), 0
        self._took = self._count = self._sub_steps = 0.0

    def note(self, sub_steps: float) -> None:
        """Note that one more frame is done, of so many sub-steps."""
        now = self._clock()
        took, self._last = now - self._last, now
        self._noted += 1
        if self._noted == 1:
            return
        kept = 1.0 - 1.0 / max(MEMORY * self._frames, FEWEST)
        self._took, self._count = kept * self._took + took, kept * self._count + 1.0
        self._sub_steps = kept * self._sub_steps + max(sub_steps, self._least)

    def left(self, done: float) -> float | None:
        """Guess how long the rest takes [s], now that so many frames are done."""
        if self._noted <= FEWEST:
            return None
        pace, rest = self._took / self._count, self._frames - done
        if not math.isfinite(self._calming):
            return pace * rest
        calm = pace * (FIXED + (1.0 - FIXED) * self._least * self._count / self._sub_steps)
        return calm * rest + (pace - calm) * self._calming * (1.0 - math.exp(-rest / self._calming))
