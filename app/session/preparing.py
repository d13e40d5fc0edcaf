"""Preparing: which purposes of kernels are missing while a child process compiles them, and how long that still takes.

Purposes have the names that they have in `engine.long.warm_up.WARM`, whose order is that of the child.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from itertools import accumulate

from PySide6.QtCore import QObject, QTimer, Signal

from engine.long.warm_up import WARM
from engine.runtime.time_left import TimeLeft, in_words

POSING = WARM[0].name
BEAT = 1000  # [ms] between two looks at the clock
_PURPOSES = {entry.name: entry.purpose for entry in WARM}


class Preparing(QObject):
    """The progress of the warm_up child, by purpose."""

    changed = Signal()  # what is missing, or how long it still takes

    def __init__(self, parent: QObject, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.missing: tuple[str, ...] = ()  # purposes that are not ready, in order
        self.running = False  # whether they are being prepared
        self.left = TimeLeft()
        self._clock = clock
        self._heard = False  # of the child
        self._ends: dict[str, float] = {}  # share of all that is done when a purpose is ready
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self.changed)

    def begin(self, names: Iterable[str]) -> None:
        """These are missing, and are prepared from now on."""
        cold = [entry for entry in WARM if entry.name in set(names)]
        total = sum(entry.total for entry in cold) or 1.0
        self._ends = dict(
            zip((each.name for each in cold), accumulate(each.total / total for each in cold), strict=True)
        )
        steps = accumulate(seconds / total for each in cold for seconds in each.seconds.values())
        self.left = TimeLeft(self._clock, steps=tuple(steps), seconds=total)
        self.missing, self.running, self._heard = tuple(each.name for each in cold), True, False
        self._beat.start()
        self.changed.emit()

    def report(self, fraction: float) -> None:
        """Take the share of all that is done."""
        if not self._heard:
            self.left.begin()
        self._heard = True
        self.left.report(fraction)
        self.changed.emit()

    def ready(self, name: str) -> None:
        """Note that one of them is ready."""
        self.missing = tuple(each for each in self.missing if each != name)
        self.changed.emit()

    def end(self, *, done: bool) -> None:
        """End with the child; what is missing even so is compiled as it is used."""
        self._beat.stop()
        self.missing, self.running = () if done else self.missing, False
        self.changed.emit()

    def lacks(self, needs: Iterable[str]) -> tuple[str, ...]:
        """List the needs that are being prepared, in order: what uses them waits for them."""
        wanted = set(needs)
        return tuple(each for each in self.missing if each in wanted) if self.running else ()

    def time_left(self, name: str) -> str:
        """Say how long until a purpose is ready; empty while there is nothing to go by."""
        left = self.left.left(self._ends[name]) if self.running and name in self.missing else None
        return "" if left is None else in_words(left)

    def purpose(self, name: str) -> str:
        """Write a purpose in an animator's words."""
        return _PURPOSES[name]
