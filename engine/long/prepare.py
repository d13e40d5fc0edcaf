"""prepare: load or compile in this process the kernels that a call uses, and say on standard error how far that is.

For callers that wait, as scripts and notebooks do; the window has a child of low priority compile them instead. Nothing
is said while kernels are only loaded, nor of what takes less than a second, nor where `SINEW_QUIET` is set. A terminal
and a notebook get one line that is written over each second; anything else, such as a file, one line as it begins and
one as it ends.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TextIO

from engine.long.warm_up import WARM, Warm, compiles, is_warm, warm, without_collecting
from engine.runtime.errors import UnwritableFile
from engine.runtime.folders import kernel_folder
from engine.runtime.progress import is_quiet
from engine.runtime.time_left import TimeLeft, in_words

BEAT = 1.0  # [s] between two looks at the clock
_WIDTH = 79  # of what is written over

_ready = set[str]()  # purposes whose kernels this process need not ask for again
_turn = threading.RLock()


def prepare(names: Iterable[str]) -> None:
    """Make the kernels of some purposes ready, by their names in `WARM`."""
    wanted = set(names)
    if wanted <= _ready:
        return
    with _turn:
        cold = [entry for entry in WARM if entry.name in wanted - _ready and _is_cold(entry)]
        if cold:
            with without_collecting(), _Telling(cold) as telling:
                for entry in cold:
                    with contextlib.suppress(UnwritableFile):  # this process has them even so
                        for seconds in warm(entry):
                            telling.report(entry, seconds)
        _ready.update(wanted)


def _is_cold(entry: Warm) -> bool:
    """Tell whether its kernels are missing, or cannot be kept between processes."""
    return not is_warm(entry.name) or (compiles() and kernel_folder() is None)


class _Telling:
    """Writes how long purposes still take, on a thread of its own."""

    def __init__(self, cold: Sequence[Warm]) -> None:
        self._stream: TextIO = sys.stderr
        self._total = sum(entry.total for entry in cold)
        ends = accumulate(entry.total for entry in cold)
        self._begins = {entry.name: end - entry.total for entry, end in zip(cold, ends, strict=True)}
        steps = accumulate(seconds / self._total for entry in cold for seconds in entry.seconds.values())
        self._left = TimeLeft(steps=tuple(steps), seconds=self._total)
        self._purpose, self._began = cold[0].purpose, time.monotonic()
        self._said, self._made_before = False, _made()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="preparing kernels", daemon=True)

    def __enter__(self) -> _Telling:
        if not is_quiet():
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        if self._said:
            took = f"{time.monotonic() - self._began:.0f} s"
            self._write(f"kernels are ready, {took}" if kind is None else f"preparing kernels ended after {took}", "\n")

    def report(self, entry: Warm, seconds: float) -> None:
        """Take note of what of a purpose's seconds is done."""
        self._purpose = entry.purpose
        self._left.report((self._begins[entry.name] + seconds) / self._total)

    def _beat(self) -> None:
        while not self._ended.wait(BEAT):
            if is_quiet() or (_made() == self._made_before and kernel_folder() is not None):
                continue
            if _writes_over(self._stream):
                self._write(self._line(), "")
            elif not self._said:
                self._write(f"{self._line()}; this happens once", "\n")
            self._said = True

    def _line(self) -> str:
        left = self._left.left()
        if left is None:
            left = self._total - (time.monotonic() - self._began)
        return f"preparing kernels for {self._purpose}, {in_words(max(left, 1.0))}"

    def _write(self, text: str, end: str) -> None:
        line = f"Sinew: {text}"
        with contextlib.suppress(OSError, ValueError):  # a stream that is closed or full hears nothing
            self._stream.write(f"\r{line:<{_WIDTH}}{end}" if _writes_over(self._stream) else f"{line}{end}")
            self._stream.flush()


def _made() -> int:
    """Count the kernels that this process has compiled for a folder, without loading numba for it."""
    cache = sys.modules.get("engine.runtime.kernel_cache")
    return 0 if cache is None else len(cache.used_files.kept) + len(cache.used_files.lost)


def _writes_over(stream: TextIO) -> bool:
    """Tell whether a line that begins with a carriage return replaces the one before: a terminal's, a notebook's."""
    return stream.isatty() or type(stream).__module__.startswith("ipykernel")
