"""Preparing: which purposes of kernels are missing while a child process compiles them, and how long that still takes.

Purposes have the names that they have in `engine.long.warm_up.WARM`; the child takes them in that order, except that
those come first that something waits for.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate

from PySide6.QtCore import QObject, QTimer, Signal

from engine.long.warm_up import WARM, in_order
from engine.runtime.time_left import TimeLeft, in_words

POSING = WARM[0].name
BEAT = 1000  # [ms] between two looks at the clock
_ENTRIES = {entry.name: entry for entry in WARM}
_NEARLY = 1e-6  # [s] by which sums of seconds differ


class Preparing(QObject):
    """The progress of the warm_up child, by purpose."""

    changed = Signal()  # what is missing, or how long it still takes

    def __init__(self, parent: QObject, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(parent)
        self.missing: tuple[str, ...] = ()  # purposes that are not ready, as they are prepared
        self.first: tuple[str, ...] = ()  # those of them that something waits for
        self.running = False  # whether they are being prepared
        self.left = TimeLeft()
        self._clock = clock
        self._heard = False  # of the child
        self._done: dict[str, float] = {}  # [s] of each purpose, of those that it takes
        self._share, self._total = 0.0, 1.0  # of all that is done; [s] that all takes
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self.changed)

    def begin(self, names: Iterable[str]) -> None:
        """These are missing, and are prepared from now on."""
        self.missing, self.first = in_order(names), ()
        self._total = sum(_ENTRIES[name].total for name in self.missing) or 1.0
        self._done, self._share = dict.fromkeys(self.missing, 0.0), 0.0
        steps = [share for _, share in self._ahead()]
        self.left = TimeLeft(self._clock, steps=steps, seconds=self._total)
        self.running, self._heard = True, False
        self._beat.start()
        self.changed.emit()

    def put_first(self, names: Sequence[str]) -> bool:
        """Note what is waited for, which the child prepares first; False if it does so already."""
        asked, self.first = tuple(name for name in self.first if name in self.missing), tuple(names)
        if asked == self.first:
            return False
        self.missing = in_order(self.missing, self.first)
        self.left.expect([share for _, share in self._ahead()])
        self.changed.emit()
        return True

    def report(self, fraction: float, name: str = "") -> None:
        """Take the share of all that is done, since the last report of one purpose; of the first if none is named."""
        if not self._heard:
            self.left.begin()
        self._heard = True
        self.left.report(fraction)
        name = name if name in self._done else next(iter(self.missing), "")
        if name and fraction > self._share:
            done = self._done[name] + (fraction - self._share) * self._total
            self._done[name], self._share = min(done, _ENTRIES[name].total), fraction
            self.left.expect([share for _, share in self._ahead()])
        self.changed.emit()

    def ready(self, name: str) -> None:
        """Note that one of them is ready."""
        self.missing = tuple(each for each in self.missing if each != name)
        self.changed.emit()

    def end(self, *, done: bool) -> None:
        """End with the child; what is missing even so is compiled as it is used."""
        self._beat.stop()
        self.missing, self.first, self.running = () if done else self.missing, (), False
        self.changed.emit()

    def lacks(self, needs: Iterable[str]) -> tuple[str, ...]:
        """List the needs that are being prepared, in order: what uses them waits for them."""
        wanted = set(needs)
        return tuple(each for each in self.missing if each in wanted) if self.running else ()

    def time_left(self, name: str) -> str:
        """Say how long until a purpose is ready; empty while there is nothing to go by."""
        ends = [share for each, share in self._ahead() if each == name] if self.running else []
        left = self.left.left(ends[-1]) if ends else None
        return "" if left is None else in_words(left)

    def purpose(self, name: str) -> str:
        """Write a purpose in an animator's words."""
        return _ENTRIES[name].purpose

    def _ahead(self) -> Iterator[tuple[str, float]]:
        """The purpose of each step that is left, and the share that is done after it."""
        share = self._share
        for name in self.missing:
            done = self._done[name]
            for end in accumulate(_ENTRIES[name].seconds.values()):
                if end > done + _NEARLY:
                    yield name, share + (end - done) / self._total
            share += (_ENTRIES[name].total - done) / self._total
