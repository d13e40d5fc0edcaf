"""Faults: a disk that is full, may not be written to, or does not answer, from some call on or at one call alone."""

from __future__ import annotations

import errno
import os
from dataclasses import replace

from tests.reliability.tap import READS, Change, Do, Tap

FULL, FORBIDDEN, DEAF = errno.ENOSPC, errno.EROFS, errno.EIO
GROWING = ("make", "write", "link")  # what needs room


class Faults(Tap):
    """A disk that answers, once it is armed, with an error from the call of number `at` on; `once`: at that one alone.
    A write that finds the disk full is done by half."""

    def __init__(self, code: int, *, at: int, once: bool = False) -> None:
        self._code, self._at, self._once, self._is_armed = code, at, once, False
        self.count = 0  # calls that might have failed so
        self.has_failed = False

    def arm(self) -> None:
        """From now on calls are counted."""
        self._is_armed, self.count = True, 0

    def disarm(self) -> None:
        """The disk is well again."""
        self._is_armed = False

    def step(self, change: Change, do: Do) -> None:
        if not self._is_armed or not self._concerns(change):
            do(change)
            return
        number, self.count = self.count, self.count + 1
        if number < self._at or (self._once and number > self._at):
            do(change)
            return
        self.has_failed = True
        if change.kind == "write" and self._code == FULL:
            do(replace(change, data=change.data[: len(change.data) // 2]))
        raise OSError(self._code, os.strerror(self._code))

    def _concerns(self, change: Change) -> bool:
        if self._code == FULL:
            return change.kind in GROWING
        return self._code == DEAF or change.kind not in READS
