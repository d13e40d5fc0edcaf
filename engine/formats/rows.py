"""A block of numbers, one row a line, read fast and refused exactly.

A large block is scanned by a kernel, six times as fast as `numpy.loadtxt`; a small one by numpy, which needs no
compiler. Where they fail or find something odd, the lines are read one by one, and that reading alone decides what is
an error.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.formats.text import LARGEST, TextFile, as_number, counted
from engine.maths.arrays import Array
from engine.runtime import progress

LARGE = 200_000  # numbers, from which on loading the compiler pays

_BLOCK = 1_000_000  # numbers
_LONG_SHARE = 0.02  # of the rows may hold numbers of too many digits for the kernel


def read_rows(file: TextFile, start: int, count: int) -> Array:
    """The rows of `count` numbers from a line to the end of the file, blank lines left out, shape [rows, count]."""
    lines = [line for line in file.lines[start - 1 :] if line and not line.isspace()]
    if not lines:
        return np.empty((0, count))
    values = _scan_blocks(lines, count) if len(lines) * count >= LARGE else None
    if values is None:
        values = _load(lines)
    sound = values.shape == (len(lines), count) and bool((np.abs(values) <= LARGEST).all())
    return values if sound else _read_each(file, start, count)


def _scan_blocks(lines: Sequence[str], count: int) -> Array | None:
    """Block by block, so that a long file says how far it is and its text is never held twice."""
    values = np.empty((len(lines), count)) if sum(map(len, lines)) >= (2 * count - 1) * len(lines) else None
    step = max(1, _BLOCK // count)
    for start in range(0, len(lines), step):
        block = None if values is None else _scan(lines[start : start + step], count)
        if values is None or block is None:
            return None
        values[start : start + step] = block
        progress.report(start / len(lines))
    return values


def _scan(lines: Sequence[str], count: int) -> Array | None:
    from engine.formats.number_kernels import TENS, scan_rows

    text = "\n".join(lines)
    if not text.isascii():
        return None
    values = np.empty((len(lines), count))
    if not scan_rows(np.frombuffer(text.encode(), dtype=np.uint8), TENS, values):
        return None
    long = np.flatnonzero(np.isnan(values).any(axis=1))
    if len(long) > _LONG_SHARE * len(lines):
        return None
    for row in long.tolist():
        numbers = [as_number(word) for word in lines[row].split()]
        if None in numbers:
            return None
        values[row] = numbers
    return values


def _load(lines: Sequence[str]) -> Array:
    try:
        return np.loadtxt(lines, comments=None, ndmin=2)
    except ValueError:
        return np.empty((0, 0))


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
