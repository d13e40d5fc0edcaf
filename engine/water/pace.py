"""FramePace: a guess of how long the frames that are left take, from those that were made.

A frame takes as long as it has sub-steps, and these follow the speed of the flow. Where a rehearsal of the tank
(rehearsal.py) says how many each frame would have if the flow were `a` times as fast as rehearsed, that `a` is
found by which the frames that were made had theirs; without one, one sub-step a step is expected. By what factor those
made of late had more is thought to fade as water that nothing drives calms down, over T frames: with m sub-steps
expected, and k times as many in the last frames,

    frame i from here has  m_i (1 + (k - 1) exp(-i / T))

A sub-step takes what the frames of late took for one in the median: some take far longer, while kernels are loaded or
the machine is busy. The first frame does not count.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from time import monotonic

import numpy as np

from engine.maths.arrays import Array

MEMORY, LONGER = 0.06, 0.25  # of all frames: how far back what they had is taken, and a sub-step's time
FIXED = 0.05  # of a frame's pace: what no sub-step takes, such as the surface's mesh and the file
FEWEST = 3  # frames before a guess means something
SLOWEST, FASTEST = 0.5, 4.0  # times the rehearsed speed, within which the flow's is looked for
_HALVINGS = 20

Expected = Callable[[float], Array]  # sub-steps in each frame, if the flow were so many times as fast


class FramePace:
    """Follows so many frames, of at least so many sub-steps each."""

    def __init__(
        self, frames: int, least: int = 1, calming: float = math.inf, clock: Callable[[], float] = monotonic
    ) -> None:
        """`calming`: the frames in which the water calms down; infinite where it is driven."""
        self._frames, self._least, self._calming, self._clock = frames, least, calming, clock
        self._last, self._noted = clock(), 0
        self._span, self._longer = (max(round(share * frames), FEWEST) for share in (MEMORY, LONGER))
        self._took, self._sub_steps = np.zeros(frames), np.full(frames, float(least))
        self._expected: Expected | None = None
        self._rest = self._sub_steps.copy()  # expected of each frame

    def expect(self, expected: Expected) -> None:
        """Take what a rehearsal tells of all frames; the time that it took is nobody's."""
        self._expected, self._last = expected, self._clock()
        self._look_ahead()

    def note(self, sub_steps: float) -> None:
        """Note that one more frame is done, of so many sub-steps."""
        now = self._clock()
        if self._noted < self._frames:
            self._took[self._noted], self._sub_steps[self._noted] = now - self._last, max(sub_steps, self._least)
        self._last, self._noted = now, self._noted + 1
        self._look_ahead()

    def left(self, done: float) -> float | None:
        """Guess how long the rest takes [s], now that so many frames are done."""
        if self._noted <= FEWEST:
            return None
        late, longer = (slice(max(1, self._noted - each), self._noted) for each in (self._span, self._longer))
        each = float(np.median(self._took[longer] / self._sub_steps[longer]))
        count = float(self._sub_steps[late].mean())
        beyond = count / float(self._rest[late].mean())
        ahead = np.arange(self._noted, self._frames)
        fading = np.exp(-(ahead - self._noted + 0.5) / self._calming)
        takes = each * (FIXED * count + (1.0 - FIXED) * self._rest[ahead] * (1.0 + (beyond - 1.0) * fading))
        begun = min(max(done - self._noted, 0.0), 1.0)
        return float(takes.sum() - (begun * takes[0] if len(takes) else 0.0))

    def _look_ahead(self) -> None:
        """Find what the frames to come have, by all that were made."""
        if self._expected is None or self._noted < 2:
            return
        made, slow, fast = slice(1, self._noted), SLOWEST, FASTEST
        for _ in range(_HALVINGS):
            middle = 0.5 * (slow + fast)
            slower = self._expected(middle)[made].sum() < self._sub_steps[made].sum()
            slow, fast = (middle, fast) if slower else (slow, middle)
        self._rest = self._expected(0.5 * (slow + fast))
