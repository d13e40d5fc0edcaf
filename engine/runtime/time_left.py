"""TimeLeft: a guess of how long work still takes, from the share that is done and the time that it took.

Work tells of its share step by step. Between two steps the guess runs down with the clock; where a step takes longer
than the pace so far promised, the pace is taken to be slower, so that the guess stands still instead of leaping.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence

FIRST_GUESS = 2.0  # [s] of work before a guess of the time left means something
MEMORY = 0.3  # share of the work over which the pace is smoothed: a machine may become busy, or idle, meanwhile


def in_words(left: float) -> str:
    """Seconds that are left, as a person reads them."""
    return f"{math.ceil(left)} s left" if left < 90.0 else f"{math.ceil(left / 60.0)} min left"


class TimeLeft:
    """Estimates the time left of work that begins now, at the share `first`."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        first: float = 0.0,
        steps: Sequence[float] = (),
        seconds: float = 0.0,
    ) -> None:
        """`steps` are the shares at which work will report, in order, and `seconds` what all of it usually takes,
        where that is known; else steps are taken to be as long as the last one."""
        self._clock, self._first, self._steps, self._seconds = clock, first, tuple(steps), seconds
        self._began = self._heard_at = clock()
        self._done, self._step = first, 0.0
        self._took = self._share = 0.0  # of the steps so far, the older ones counting less

    def begin(self) -> None:
        """Begin now: what went before was no part of it."""
        self._began = self._heard_at = self._clock()

    def expect(self, steps: Sequence[float]) -> None:
        """Take the shares at which it will report from now on: the work is done in another order."""
        self._steps = tuple(steps)

    def report(self, fraction: float) -> None:
        """Note the share that is done."""
        if fraction > self._done:
            now, self._step = self._clock(), fraction - self._done
            kept = math.exp(-self._step / MEMORY)
            self._took = kept * self._took + now - self._heard_at
            self._share = kept * self._share + self._step
            self._done, self._heard_at = fraction, now

    def left(self, to: float = 1.0) -> float | None:
        """Seconds until that share is done; None while there is nothing to go by."""
        now = self._clock()
        pace = self._took / self._share if self._share > 0.0 else self._seconds / (1.0 - self._first)
        if now - self._began < FIRST_GUESS or pace <= 0.0 or to <= self._done:
            return None
        passed, end = now - self._heard_at, self._end_of_step()
        share = self._done + passed / pace
        if share > end:  # later than the pace so far promised
            pace, share = (self._took + passed) / (self._share + end - self._done), end
        return max(pace * (to - share), 0.0)

    def text(self, fraction: float) -> str:
        """Time left in words, now that so much is done; empty while there is nothing to go by."""
        self.report(fraction)
        left = self.left() if fraction < 1.0 else None
        return "" if left is None else in_words(left)

    def _end_of_step(self) -> float:
        """The share at which it will tell of itself next."""
        known = next((each for each in self._steps if each > self._done + 1e-9), None)
        return known or min(self._done + self._step, 1.0) or 1.0


class ToldTimeLeft(TimeLeft):
    """The time left as whoever does the work tells it; it runs down with the clock until they tell again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(clock)
        self._told: tuple[float, float] | None = None  # when, and how many seconds were left then

    def tell(self, left: float | None) -> None:
        """Take what is left now [s]; None: nobody knows."""
        self._told = None if left is None else (self._clock(), left)

    def left(self, to: float = 1.0) -> float | None:
        """Seconds until the work is done; None while nobody knows."""
        return None if self._told is None else max(self._told[1] - (self._clock() - self._told[0]), 0.0)
