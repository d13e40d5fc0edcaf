"""Sums over rows of padded grids, the innermost loops of the pressure.

Arrays have one more cell on every side, so that a row's neighbours are always there; what is outside is zero. Rows run
along z and hold numbers from `first` to `end` only. The loops are short so that the compiler can tell that what they
write is none of what they read, and make vectors of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.limits.inlined import inlined

Numbers = NDArray[np.float64] | NDArray[np.float32]


@inlined
def sum_around(
    cx: Numbers, cy: Numbers, cz: Numbers, x: Numbers, i: int, j: int, first: int, end: int, out: Numbers
) -> None:
    """Sum the six neighbours of each cell of row (i, j) by their couplings. cx[i, j, k] couples a cell with the one
    before it along x, and so on."""
    for k in range(first, end):
        out[k] = cx[i, j, k] * x[i - 1, j, k] + cx[i + 1, j, k] * x[i + 1, j, k]
    for k in range(first, end):
        out[k] += cy[i, j, k] * x[i, j - 1, k] + cy[i, j + 1, k] * x[i, j + 1, k]
    for k in range(first, end):
        out[k] += cz[i, j, k] * x[i, j, k - 1] + cz[i, j, k + 1] * x[i, j, k + 1]
