"""Milestones of a start, in seconds since the process began, and `--timing`, which prints them as lines of JSON.

So does it with warnings and errors of the window's log, for whoever tries an installation.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.session import LogEntry

_LOADED = time.monotonic()


class Milestones:
    """The times at which the steps of the start were reached; a step counts once."""

    def __init__(self, *, show: bool = False, age: Callable[[], float] | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._show = show
        self._age = age or process_age

    def mark(self, name: str) -> None:
        """This step is reached now."""
        if name in self.seconds:
            return
        self.seconds[name] = round(self._age(), 3)
        if self._show:
            print(json.dumps({"milestone": name, "seconds": self.seconds[name]}), flush=True)

    def report(self, entry: LogEntry) -> None:
        """An entry of the window's log is shown, if it is a warning or an error."""
        if self._show and entry.kind in ("warning", "error"):
            print(json.dumps({entry.kind: entry.text}), flush=True)


def process_age() -> float:
    """Time since this process began [s], the interpreter's own start included; elsewhere than on Linux without it."""
    if sys.platform.startswith("linux"):
        try:
            fields = Path("/proc/self/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks = int(fields[19])  # starttime, counted from the third field
            return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError, IndexError):
            pass
    return time.monotonic() - _LOADED
