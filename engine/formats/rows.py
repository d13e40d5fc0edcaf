"""A block of numbers, one row a line, read fast and refused exactly.

numpy reads the block as a whole; where it fails or finds something odd, the lines are read one by one, and that
reading alone decides what is an error.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.formats.text import LARGEST, TextFile, counted

Array = NDArray[np.float64]


def read_rows(file: TextFile, start: int, count: int) -> Array:
    """The rows of `count` numbers from a line to the end of the file, blank lines left out, shape [rows, count]."""
    lines = [line for line in file.lines[start - 1 :] if line and not line.isspace()]
    if not lines:
        return np.empty((0, count))
    try:
        values = np.loadtxt(lines, comments=None, ndmin=2)
    except ValueError:
        values = np.empty((0, 0))
    sound = values.shape == (len(lines), count) and bool((np.abs(values) <= LARGEST).all())
    return values if sound else _read_each(file, start, count)


def _read_each(file: TextFile, start: int, count: int) -> Array:
    rows = []
    for line in range(start, len(file.lines) + 1):
        words = file.lines[line - 1].split()
        if not words:
            continue
        row = [file.number(word, line, f"number {place}") for place, word in enumerate(words, 1)]
        if len(row) != count:
            cut_off = line == len(file.lines) and len(row) < count
            remedy = "The file seems cut off here: delete the line, or get the whole file." if cut_off else _REMEDY
            file.refuse(f"{counted(len(row), 'number')} where the channels want {count}", remedy, line)
        rows.append(row)
    return np.array(rows)


_REMEDY = "Write one number for each channel, all of a frame on one line."
