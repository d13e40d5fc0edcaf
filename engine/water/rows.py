"""Sums over stretches of padded grids, the innermost loops of the pressure.

Arrays of a grid have one more cell on every side, so that neighbours are always there, and stand flat: a cell's
neighbours are 1 (along z), `row` (y) and `plane` (x) numbers away. What is outside of the water has no couplings. A
stretch is all of a plane between its first and its last wet row. The loops are short and over views from zero on, so
that the compiler can tell that what they write is none of what they read, and makes vectors of them: it compares what
is written with eight other arrays, not with more, and gives up where one loop reads numbers two apart.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.runtime.jit import kernel

Numbers = NDArray[np.float64] | NDArray[np.float32]
AnyNumbers = TypeVar("AnyNumbers", NDArray[np.float64], NDArray[np.float32])


@kernel
def sum_around(
    cx: Numbers, cy: Numbers, cz: Numbers, x: Numbers, start: int, count: int, row: int, plane: int, out: Numbers
) -> None:
    """Sum the six neighbours of each cell of a stretch by their couplings. cx couples a cell with the one before it
    along x, and so on."""
    end = start + count
    a, b, c, d = cx[start:end], cx[start + plane : end + plane], cy[start:end], cy[start + row : end + row]
    east, west = x[start - plane : end - plane], x[start + plane : end + plane]
    low, high = x[start - row : end - row], x[start + row : end + row]
    for t in range(count):
        out[t] = (a[t] * east[t] + b[t] * west[t]) + (c[t] * low[t] + d[t] * high[t])
    e, f, before, after = cz[start:end], cz[start + 1 : end + 1], x[start - 1 : end - 1], x[start + 1 : end + 1]
    for t in range(count):
        out[t] += e[t] * before[t]
    for t in range(count):
        out[t] += f[t] * after[t]


@kernel
def total(line: Numbers) -> float:
    """Add up the numbers of a line."""
    found = 0.0
    for t in range(len(line)):
        found += line[t]
    return found
