"""Value, rate and acceleration of a packed curve at a time.

Layout of a curve, at any place of a buffer: the header (offsets below), the times of its keys [ticks], and for each
span between keys SPAN numbers: value, then coefficients a, b, c of value + u (a + u (b + u c)), then the two inner
abscissae x1, x2 of a weighted span, or -1. In a plain span u is the share of the span that has passed; in a weighted
one it solves u (3 x1 + u (3 (x2 - 2 x1) + u (1 - 3 x2 + 3 x1))) = that share.
Times stand in floats, which hold every allowed tick exactly; differences are taken in ticks, before anything is
divided. At a key the span that begins there counts, at the last key the one that ends there.
"""

from __future__ import annotations

import math

from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array
from engine.runtime.jit import kernel

TICKS = float(TICKS_PER_SECOND)
HOLD, LINEAR, CYCLE, CYCLE_OFFSET = range(4)
KEY_COUNT, BEFORE, AFTER, FIRST, LAST, FIRST_VALUE, LAST_VALUE, FIRST_SLOPE, LAST_SLOPE = range(9)
CURVE_HEADER, SPAN = 9, 6


@kernel
def find_span(floats: Array, first: int, count: int, time: float) -> int:
    """The last of `count` rising numbers from `first` on that is not above `time`; 0 if all are."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if floats[first + middle] <= time:
            low = middle
        else:
            high = middle
    return low


@kernel
def count_cycles(time: float, first: float, last: float) -> float:
    """Whole cycles from the one between `first` and `last` to the one that holds `time`."""
    cycles = math.floor((time - first) / (last - first))
    local = time - cycles * (last - first)
    if local < first:
        return cycles - 1.0
    return cycles + 1.0 if local >= last else float(cycles)


@kernel
def solve_share(share: float, x1: float, x2: float) -> float:
    """The parameter u at which a weighted span has reached a share of its length: Newton's method, kept in bounds."""
    a, b, c = 3.0 * x1, 3.0 * (x2 - 2.0 * x1), 1.0 - 3.0 * x2 + 3.0 * x1
    low, high, u = 0.0, 1.0, share
    for _ in range(80):
        error = u * (a + u * (b + u * c)) - share
        if error == 0.0:
            break
        if error > 0.0:
            high = u
        else:
            low = u
        steepness = a + u * (2.0 * b + u * 3.0 * c)
        ahead = u - error / steepness if steepness > 1e-12 else -1.0
        if not low < ahead < high:
            ahead = 0.5 * (low + high)
        if abs(ahead - u) < 2e-16:
            break
        u = ahead
    return u


@kernel
def evaluate_span(floats: Array, at: int, share: float, h: float) -> tuple[float, float, float]:
    """Value, rate and acceleration when a share of a span of h seconds has passed."""
    value, a, b, c = floats[at], floats[at + 1], floats[at + 2], floats[at + 3]
    x1, x2 = floats[at + 4], floats[at + 5]
    if x1 < 0.0:
        rate, bend = a + share * (2.0 * b + share * 3.0 * c), 2.0 * b + share * 6.0 * c
        return value + share * (a + share * (b + share * c)), rate / h, bend / (h * h)
    u = solve_share(share, x1, x2)
    rate, bend = a + u * (2.0 * b + u * 3.0 * c), 2.0 * b + u * 6.0 * c
    xa, xb, xc = 3.0 * x1, 3.0 * (x2 - 2.0 * x1), 1.0 - 3.0 * x2 + 3.0 * x1
    x_rate, x_bend = xa + u * (2.0 * xb + u * 3.0 * xc), 2.0 * xb + u * 6.0 * xc
    slope = rate / x_rate
    return value + u * (a + u * (b + u * c)), slope / h, (bend - slope * x_bend) / (x_rate * x_rate * h * h)


@kernel
def evaluate_inside(floats: Array, at: int, time: float) -> tuple[float, float, float]:
    """Evaluate a curve at a time from the first to the last key; two keys or more."""
    count = int(floats[at])
    times = at + CURVE_HEADER
    span = min(find_span(floats, times, count, time), count - 2)
    start, end = floats[times + span], floats[times + span + 1]
    value, rate, bend = evaluate_span(
        floats, times + count + span * SPAN, (time - start) / (end - start), (end - start) / TICKS
    )
    return (floats[at + LAST_VALUE] if time == end else value), rate, bend


@kernel
def evaluate_curve(floats: Array, at: int, time: float) -> tuple[float, float, float]:
    """Value, rate [unit/s] and acceleration [unit/s2] at any time [ticks]."""
    first, last = floats[at + FIRST], floats[at + LAST]
    early = time < first
    if first < last and first <= time <= last:
        return evaluate_inside(floats, at, time)
    code = int(floats[at + BEFORE] if early else floats[at + AFTER])
    if code == LINEAR:
        slope = floats[at + FIRST_SLOPE] if early else floats[at + LAST_SLOPE]
        passed = (time - (first if early else last)) / TICKS
        return floats[at + FIRST_VALUE if early else at + LAST_VALUE] + slope * passed, slope, 0.0
    if code == HOLD or first == last:
        return floats[at + FIRST_VALUE if early else at + LAST_VALUE], 0.0, 0.0
    cycles = count_cycles(time, first, last)
    value, rate, bend = evaluate_inside(floats, at, time - cycles * (last - first))
    if code == CYCLE_OFFSET:
        value += cycles * (floats[at + LAST_VALUE] - floats[at + FIRST_VALUE])
    return value, rate, bend


@kernel
def evaluate_times(floats: Array, at: int, times: Array, out_rows: Array) -> None:
    """Value, rate and acceleration at many times, shape [len(times), 3]."""
    for each in range(times.shape[0]):
        out_rows[each, 0], out_rows[each, 1], out_rows[each, 2] = evaluate_curve(floats, at, times[each])
