"""Percent: how far long work is, said on standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from engine.runtime.progress import is_quiet


class Percent:
    """Says on standard error how far the work is, once a second and not before it has taken one, unless `is_quiet`."""

    def __init__(self, what: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._what, self._clock = what, clock
        self._said = clock()

    def __call__(self, share: float, left: str = "") -> None:
        now = self._clock()
        if now - self._said >= 1.0 and not is_quiet():
            self._said = now
            say(f"{self._what}: {share:.0%}" + (f", {left}" if left else ""))


def say(line: str) -> None:
    """Print a line to standard error."""
    print(line, file=sys.stderr, flush=True)
