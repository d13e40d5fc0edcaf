"""Compiles this room's kernels by calling each once with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.formats.number_kernels import TENS, scan_rows
from engine.formats.polygon_kernels import find_ears


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each when it is ready."""
    scan_rows(np.frombuffer(b"1 2\n", dtype=np.uint8), TENS, np.empty((1, 2)))
    yield "scan_rows"
    find_ears(np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0]]))
    yield "find_ears"
