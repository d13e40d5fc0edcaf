"""Singular values by one-sided Jacobi rotations (Hestenes 1958): U^T A = D V^T.

The rows of A are turned in pairs until every two of them are orthogonal; what is left are the rows sigma_i v_i^T.
Columns beyond `width` are turned along: [A | I | y] becomes [D V^T | U^T | U^T y], so that one buffer gives all that a
pseudo-inverse needs. Small singular values keep a relative accuracy that those of A A^T lose.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from engine.runtime.jit import kernel

_ORTHOGONAL = 1e-14  # cosine between two rows
_NOTHING = 1e-30  # of all squares: a row that is only rounding has no direction
_SWEEPS = 30


@kernel
def orthogonalise_rows(height: int, width: int, stride: int, out_rows: NDArray[np.float64]) -> int:
    """Turn `height` rows of `stride` numbers until their first `width` columns are orthogonal; returns the sweeps."""
    total = 0.0
    for row in range(height):
        for each in range(width):
            total += out_rows[row * stride + each] ** 2
    for sweep in range(_SWEEPS):
        turned = False
        for first in range(height - 1):
            for second in range(first + 1, height):
                one, two = first * stride, second * stride
                a, b, product = 0.0, 0.0, 0.0
                for each in range(width):
                    x, y = out_rows[one + each], out_rows[two + each]
                    a += x * x
                    b += y * y
                    product += x * y
                if abs(product) <= _ORTHOGONAL * math.sqrt(a) * math.sqrt(b) or min(a, b) <= _NOTHING * total:
                    continue
                turned = True
                slope = (b - a) / (2.0 * product)
                tangent = math.copysign(1.0, slope) / (abs(slope) + math.sqrt(1.0 + slope * slope))
                cosine = 1.0 / math.sqrt(1.0 + tangent * tangent)
                sine = cosine * tangent
                for each in range(stride):
                    x, y = out_rows[one + each], out_rows[two + each]
                    out_rows[one + each] = cosine * x - sine * y
                    out_rows[two + each] = sine * x + cosine * y
        if not turned:
            return sweep
    return _SWEEPS


@kernel
def measure_row(width: int, at: int, rows: NDArray[np.float64]) -> float:
    """Length of the row that begins at `at`: a singular value, once the rows are orthogonal."""
    total = 0.0
    for each in range(width):
        total += rows[at + each] * rows[at + each]
    return math.sqrt(total)
