"""Sums over stretches of padded grids, the innermost loops of the pressure.

Arrays of a grid have one more cell on every side, so that neighbours are always there, and stand flat: a cell's
neighbours are 1 (along z), `row` (y) and `plane` (x) numbers away. What is outside of the water has no couplings. A
stretch is all of a plane between its first and its last wet row. The loops are short and over views from zero on, so
that the compiler can tell that what they write is none of what they read, and makes vectors of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined

Numbers = NDArray[np.float64] | NDArray[np.float32]


@inlined
def sum_around(
    cx: Numbers, cy: Numbers, cz: Numbers, x: Numbers, start: int, count: int, row: int, plane: int, out: Numbers
) -> None:
    """Sum the six neighbours of each cell of a stretch by their couplings. cx couples a cell with the one before it
    along x, and so on."""
    _sum_two(cx, x, start, count, plane, out)
    _add_two(cy, x, start, count, row, out)
    _add_two(cz, x, start, count, 1, out)


@inlined
def _sum_two(c: Numbers, x: Numbers, start: int, count: int, off: int, out: Numbers) -> None:
    first, second = c[start : start + count], c[start + off : start + off + count]
    before, after = x[start - off : start - off + count], x[start + off : start + off + count]
    for t in range(count):
        out[t] = first[t] * before[t] + second[t] * after[t]


@inlined
def _add_two(c: Numbers, x: Numbers, start: int, count: int, off: int, out: Numbers) -> None:
    first, second = c[start : start + count], c[start + off : start + off + count]
    before, after = x[start - off : start - off + count], x[start + off : start + off + count]
    for t in range(count):
        out[t] += first[t] * before[t] + second[t] * after[t]
