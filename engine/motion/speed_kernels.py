"""Kernels from the distance travelled along a path to the time at which the path is there.

Layout of a tabulated path at any place of a buffer: start and end of its range [ticks], its length, the number of its
pieces; the length before each piece; then for each piece its two ends [ticks] and nine coefficients of the length
within it, a polynomial of x from -1 to 1.
"""

from __future__ import annotations

from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_curve, find_span
from engine.runtime.jit import kernel

TABLE_HEADER, PIECE, TERMS = 4, 11, 9


@kernel
def solve_piece(floats: Array, at: int, length: float) -> float:
    """The time in the piece at `at` at which a length within it is reached: Newton's method, kept in bounds."""
    low, high, x = -1.0, 1.0, 0.0
    for _ in range(100):
        value, slope = 0.0, 0.0
        for each in range(TERMS - 1, -1, -1):
            slope = slope * x + value
            value = value * x + floats[at + 2 + each]
        error = value - length
        if error == 0.0:
            break
        if error > 0.0:
            high = x
        else:
            low = x
        ahead = x - error / slope if slope > 0.0 else -2.0
        if not low < ahead < high:
            ahead = 0.5 * (low + high)
        if abs(ahead - x) < 2e-16:
            break
        x = ahead
    return float(floats[at] + 0.5 * (1.0 + x) * (floats[at + 1] - floats[at]))


@kernel
def find_path_time(floats: Array, table: int, curve: int, time: float) -> tuple[float, float, float]:
    """Find the time when the path is where the speed curve wants it at a time, and the rate and acceleration of that
    curve."""
    progress, rate, bend = evaluate_curve(floats, curve, time)
    if progress < 0.0 or progress > 1.0:
        rate, bend = 0.0, 0.0
    if progress <= 0.0:
        return floats[table], rate, bend
    if progress >= 1.0:
        return floats[table + 1], rate, bend
    count = int(floats[table + 3])
    target = progress * floats[table + 2]
    piece = find_span(floats, table + TABLE_HEADER, count, target)
    at = table + TABLE_HEADER + count + piece * PIECE
    return solve_piece(floats, at, target - floats[table + TABLE_HEADER + piece]), rate, bend
