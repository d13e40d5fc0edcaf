"""Points at the very same place, numbered as one: what makes triangles hang together.

Coordinates are hashed as they are stored, so that it takes time in proportion to the points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, LongArray
from engine.runtime import progress
from engine.runtime.jit import kernel

_TOGETHER = 200_000  # points between reports


def number_points(points: Array) -> tuple[LongArray, LongArray]:
    """Number places in the order in which points, [n, 3], come to them: the number of each point, and the first point
    of each number."""
    bits = np.ascontiguousarray(points + 0.0, dtype=np.float64).view(np.uint64)  # -0 is 0
    size = 1 << max(4, int(2 * len(bits)).bit_length())
    table, numbers = np.full(size, -1, dtype=np.int64), np.empty(len(bits), dtype=np.int64)
    first, count = np.empty(len(bits), dtype=np.int64), 0
    for start in range(0, len(bits), _TOGETHER):
        if start:
            progress.report(start / len(bits))
        count = number_some(bits, start, min(start + _TOGETHER, len(bits)), count, table, numbers, first)
    return numbers, first[:count]


@kernel
def number_some(
    bits: NDArray[np.uint64],
    start: int,
    end: int,
    count: int,
    table: LongArray,
    out_numbers: LongArray,
    out_first: LongArray,
) -> int:
    """Number the points from `start` to `end`, after `count` places that are known; `table` has the number of a place
    by its hash, -1: none. Returns how many are known then."""
    mask = len(table) - 1
    for point in range(start, end):
        mixed = np.uint64(0)
        for axis in range(3):
            mixed = (mixed ^ bits[point, axis]) * np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
        slot = np.int64(mixed & np.uint64(mask))
        while table[slot] >= 0:
            other = out_first[table[slot]]
            if (
                bits[other, 0] == bits[point, 0]
                and bits[other, 1] == bits[point, 1]
                and bits[other, 2] == bits[point, 2]
            ):
                break
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot] = count
            out_first[count] = point
            count += 1
        out_numbers[point] = table[slot]
    return count
