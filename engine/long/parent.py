"""The process that began this one as its child: the lines that it writes, and its end, which is this one's."""

import contextlib
import os
import threading
from collections.abc import Iterator
from queue import Empty, SimpleQueue

_NICENESS = 10  # a child's own child has no more: whoever waits for it would wait longer
_lines: SimpleQueue[bytes] = SimpleQueue()  # that the parent has written


def follow_parent() -> None:
    """Work at low priority, gather what the parent writes, and end when it does."""
    if hasattr(os, "nice"):
        os.nice(max(_NICENESS - os.nice(0), 0))
    threading.Thread(target=_end_with_parent, name="parent", daemon=True).start()


def lines_asked() -> Iterator[bytes]:
    """Wait for what the parent writes, line by line, for ever: its end is that of this process."""
    while True:
        yield _lines.get()


def lines_so_far() -> Iterator[bytes]:
    """Give what the parent has written and nobody has taken, line by line; waits for nothing."""
    with contextlib.suppress(Empty):
        while True:
            yield _lines.get_nowait()


def _end_with_parent() -> None:
    """Standard input is a pipe from the parent: its end is the parent's end."""
    rest = b""
    while found := os.read(0, 1 << 16):
        *lines, rest = (rest + found).split(b"\n") if b"\n" in found else (rest + found,)
        for line in lines:
            _lines.put(line)
    os._exit(1)
