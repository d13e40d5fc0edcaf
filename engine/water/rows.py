"""Sums over stretches of padded grids, the innermost loops of the pressure.

Arrays of a grid have one more cell on every side, so that neighbours are always there, and stand flat: a cell's
neighbours are 1 (along z), `row` (y) and `plane` (x) numbers away. What is outside of the water has no couplings. A
stretch is all of a plane between its first and its last wet row. The loops are short and over views from zero on, so
that the compiler can tell that what they write is none of what they read, and makes vectors of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.runtime.jit import kernel

Numbers = NDArray[np.float64] | NDArray[np.float32]


@kernel
def sum_around(
    cx: Numbers, cy: Numbers, cz: Numbers, x: Numbers, start: int, count: int, row: int, plane: int, out: Numbers
) -> None:
    """Sum the six neighbours of each cell of a stretch by their couplings. cx couples a cell with the one before it
    along x, and so on."""
    for t in range(count):
        out[t] = 0.0
    for c, off in ((cx, plane), (cy, row), (cz, 1)):
        first, second = c[start : start + count], c[start + off : start + off + count]
        before, after = x[start - off : start - off + count], x[start + off : start + off + count]
        for t in range(count):
            out[t] += first[t] * before[t] + second[t] * after[t]


@kernel
def total(line: Numbers) -> float:
    """Add up the numbers of a line."""
    found = 0.0
    for t in range(len(line)):
        found += line[t]
    return found
