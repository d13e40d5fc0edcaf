"""The fewest keys: cubics that stay within a tolerance of every sample and join with one value and one slope.

A span that starts at key i with value v and slope s is v + s u + c2 u^2 + c3 u^3, u the time from the key. Every sample
in it allows a strip of the plane (c2, c3), so the cubics that fit up to sample j are a convex polygon, got from the one
for j - 1 by two cuts: one sweep finds how far a start can reach. Each point of the polygon at j is a start for the span
that follows; the key is set, and the point chosen, where that next span reaches furthest (greedy with a look-ahead of
one span over starts and ends of spans). Two samples ahead can always be met.

Marching so can trap itself in slopes that alternate ever more steeply. Where two spans together get no further than is
usual, a key on the very next sample is weighed against them: there its slope is free again, and the best start is that
of the longest span that any cubic fits, by Remez's exchange (de la Vallee Poussin's bound ends it early; Powell,
Approximation Theory and Methods, 1981, chapters 8 and 9). The number of keys is therefore at most about twice that of
pieces that need not join.

Symbols: u times [s] from a key, a polygon's vertices (c2, c3) in order. All values of one coordinate.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

CORNERS = 48  # room for the vertices of a polygon; a dozen is usual
LOOKS = 8  # ends of a span that are tried
TRIES = 8  # vertices of each end's polygon that are tried
_INWARD = 1e-6  # share of the way to the middle by which a vertex is moved in before it is used


@kernel
def cut_polygon(corners: Array, count: int, a: float, b: float, limit: float, out_corners: Array) -> int:
    """The part of a convex polygon where a c2 + b c3 <= limit; how many vertices it has."""
    kept = 0
    if count == 0:
        return 0
    x0, y0 = corners[count - 1, 0], corners[count - 1, 1]
    d0 = a * x0 + b * y0 - limit
    for each in range(count):
        x1, y1 = corners[each, 0], corners[each, 1]
        d1 = a * x1 + b * y1 - limit
        if (d0 < 0.0 and d1 > 0.0) or (d0 > 0.0 and d1 < 0.0):
            share = d0 / (d0 - d1)
            out_corners[kept, 0], out_corners[kept, 1] = x0 + share * (x1 - x0), y0 + share * (y1 - y0)
            kept += 1
        if d1 <= 0.0:
            out_corners[kept, 0], out_corners[kept, 1] = x1, y1
            kept += 1
        x0, y0, d0 = x1, y1, d1
    return kept


@kernel
def open_polygon(r1: float, u1: float, r2: float, u2: float, tolerance: float, out_corners: Array) -> None:
    """The parallelogram of the first two samples, whose distances from the start's line are r1 and r2."""
    scale = 1.0 / (u1 * u1 * u2 * u2 * (u2 - u1))
    for each in range(4):
        e1 = r1 + (tolerance if each == 0 or each == 3 else -tolerance)
        e2 = r2 + (tolerance if each < 2 else -tolerance)
        out_corners[each, 0] = (e1 * u2 * u2 * u2 - e2 * u1 * u1 * u1) * scale
        out_corners[each, 1] = (e2 * u1 * u1 - e1 * u2 * u2) * scale


@kernel
def thin_polygon(count: int, out_corners: Array) -> int:
    """Leave out the vertices that take least area with them, until there is room: what is left lies inside."""
    while count > CORNERS - 4:
        least, which = np.inf, 0
        for each in range(count):
            before, after = (each + count - 1) % count, (each + 1) % count
            ax, ay = out_corners[before, 0] - out_corners[each, 0], out_corners[before, 1] - out_corners[each, 1]
            bx, by = out_corners[after, 0] - out_corners[each, 0], out_corners[after, 1] - out_corners[each, 1]
            area = abs(ax * by - ay * bx)
            if area < least:
                least, which = area, each
        count -= 1
        for each in range(which, count):
            out_corners[each, 0], out_corners[each, 1] = out_corners[each + 1, 0], out_corners[each + 1, 1]
    return count


@kernel
def sweep_span(
    times: Array, values: Array, first: int, end: int, v: float, s: float, tolerance: float, out_work: Array
) -> tuple[int, int]:
    """Find the last sample, up to `end`, that a start reaches, and the vertices of the polygon there, which is left in
    out_work[0]."""
    reached = first + 2
    if end < reached:
        return end, 0
    t0 = times[first]
    u1, u2 = times[first + 1] - t0, times[first + 2] - t0
    open_polygon(values[first + 1] - v - s * u1, u1, values[first + 2] - v - s * u2, u2, tolerance, out_work[0])
    count = 4
    for each in range(first + 3, end + 1):
        u = times[each] - t0
        r, a, b = values[each] - v - s * u, u * u, u * u * u
        cut = cut_polygon(out_work[0], count, a, b, r + tolerance, out_work[1])
        cut = cut_polygon(out_work[1], cut, -a, -b, tolerance - r, out_work[2])
        if cut < 3:
            return reached, count
        count, reached = thin_polygon(cut, out_work[2]), each
        for corner in range(count):
            out_work[0, corner, 0], out_work[0, corner, 1] = out_work[2, corner, 0], out_work[2, corner, 1]
    return reached, count


@kernel
def may_reach(
    times: Array, values: Array, first: int, end: int, v: float, s: float, tolerance: float, out_work: Array
) -> bool:
    """False where some seven of the samples up to `end` already tell that a start does not reach it."""
    span, t0 = end - first, times[first]
    if span < 16:
        return True
    middle = first + span // 2
    u1, u2 = times[middle] - t0, times[end] - t0
    open_polygon(values[middle] - v - s * u1, u1, values[end] - v - s * u2, u2, tolerance, out_work[0])
    count = 4
    for eighth in (6, 2, 7, 3, 1):
        each = first + span * eighth // 8
        u = times[each] - t0
        r, a, b = values[each] - v - s * u, u * u, u * u * u
        count = cut_polygon(out_work[0], count, a, b, r + tolerance, out_work[1])
        count = cut_polygon(out_work[1], count, -a, -b, tolerance - r, out_work[0])
        if count == 0:
            return False
    return True


@kernel
def read_corner(corners: Array, count: int, which: int) -> tuple[float, float]:
    """The middle of a polygon for 0; then by turns some of its vertices, moved inwards a little, and points halfway."""
    x, y = 0.0, 0.0
    for each in range(count):
        x += corners[each, 0] / count
        y += corners[each, 1] / count
    if which == 0:
        return x, y
    share = 1.0 - _INWARD if which % 2 else 0.5
    corner = (which - 1) // 2 * count // min(count, TRIES)
    return x + share * (corners[corner, 0] - x), y + share * (corners[corner, 1] - y)


@kernel
def end_span(u: float, v: float, s: float, c2: float, c3: float) -> tuple[float, float]:
    """Value and slope at the end of a span."""
    return v + u * (s + u * (c2 + u * c3)), s + u * (2.0 * c2 + 3.0 * u * c3)


@kernel
def choose_end(
    times: Array, values: Array, first: int, v: float, s: float, tolerance: float, out_work: Array
) -> tuple[int, float, float, int]:
    """The next key's sample, value and slope, and how far the span after it reaches."""
    last = len(values) - 1
    reached, _ = sweep_span(times, values, first, last, v, s, tolerance, out_work[:3])
    best, best_key, best_v, best_s = -1, reached, 0.0, 0.0
    step = max(1, (reached - first) // (3 * LOOKS))
    for look in range(1 if reached == last else LOOKS):
        key = reached - look * step
        if key < first + 2 and key < reached:
            break
        _, count = sweep_span(times, values, first, key, v, s, tolerance, out_work[:3])
        u = times[key] - times[first]
        if count == 0:
            c2 = (values[key] - v - s * u) / (u * u)
            best_v, best_s = end_span(u, v, s, c2, 0.0)
            return key, best_v, best_s, key
        for corner in range(count):
            out_work[3, corner, 0], out_work[3, corner, 1] = out_work[0, corner, 0], out_work[0, corner, 1]
        if reached == last:
            c2, c3 = read_corner(out_work[3], count, 0)
            best_v, best_s = end_span(u, v, s, c2, c3)
            return key, best_v, best_s, key
        for which in range(2 * min(count, TRIES) + 1):
            c2, c3 = read_corner(out_work[3], count, which)
            next_v, next_s = end_span(u, v, s, c2, c3)
            if best < last and not may_reach(times, values, key, best + 1, next_v, next_s, tolerance, out_work[:3]):
                continue
            further, _ = sweep_span(times, values, key, last, next_v, next_s, tolerance, out_work[:3])
            if further > best:
                best, best_key, best_v, best_s = further, key, next_v, next_s
    return best_key, best_v, best_s, best


@kernel
def follow_newton(cubic: Array, u: float) -> tuple[float, float]:
    """Value and slope of a cubic in Newton's form; `cubic`: 3 places u, 4 divided differences."""
    value, slope = cubic[6], 0.0
    for each in range(2, -1, -1):
        away = u - cubic[each]
        slope = slope * away + value
        value = value * away + cubic[3 + each]
    return value, slope


@kernel
def level_reference(times: Array, values: Array, first: int, places: IntArray, out_cubic: Array) -> float:
    """The cubic that misses five samples by equal amounts of alternating sign, and the amount at the first."""
    above, below = 0.0, 0.0
    for each in range(5):
        weight = 1.0
        for other in range(5):
            if other != each:
                weight /= times[places[each]] - times[places[other]]
        above += weight * values[places[each]]
        below += weight if each % 2 == 0 else -weight
    level = above / below
    for each in range(4):
        if each < 3:
            out_cubic[each] = times[places[each]] - times[first]
        out_cubic[3 + each] = values[places[each]] - (level if each % 2 == 0 else -level)
    for order in range(1, 4):
        for each in range(3, order - 1, -1):
            length = times[places[each]] - times[places[each - order]]
            out_cubic[3 + each] = (out_cubic[3 + each] - out_cubic[2 + each]) / length
    return level


@kernel
def exchange_place(worst: int, positive: bool, level: float, out_places: IntArray) -> None:
    """Bring the worst sample into the five so that the signs of what is missed go on alternating."""
    at = 0
    while at < 5 and out_places[at] < worst:
        at += 1
    # A place of the five misses by +level if it is even, by -level if it is odd.
    if at > 0 and ((level > 0.0) == ((at - 1) % 2 == 0)) == positive:
        out_places[at - 1] = worst
    elif at < 5 and ((level > 0.0) == (at % 2 == 0)) == positive:
        out_places[at] = worst
    elif at == 0:
        for each in range(4, 0, -1):
            out_places[each] = out_places[each - 1]
        out_places[0] = worst
    else:
        for each in range(4):
            out_places[each] = out_places[each + 1]
        out_places[4] = worst


@kernel
def span_fits(
    times: Array, values: Array, first: int, end: int, tolerance: float, places: IntArray, out_cubic: Array
) -> bool:
    """Tell whether some cubic is within the tolerance of all samples of a span of five or more, and write that cubic.

    Remez's exchange, one sample at a time: the level of five samples is a lower bound of what the best cubic misses.
    """
    for each in range(5):
        places[each] = first + (end - first) * each // 4
    for _ in range(60):
        level = level_reference(times, values, first, places, out_cubic)
        if abs(level) > tolerance:
            return False
        worst, most, positive = first, -1.0, True
        for each in range(first, end + 1):
            curve, _ = follow_newton(out_cubic, times[each] - times[first])
            missed = values[each] - curve
            if abs(missed) > most:
                worst, most, positive = each, abs(missed), missed > 0.0
        if most <= tolerance:
            return True
        exchange_place(worst, positive, level, places)
    return False


@kernel
def first_slope(times: Array, values: Array, first: int, end: int) -> float:
    """Slope at the first of a few samples of the polynomial through them."""
    slope, here = 0.0, times[first]
    for each in range(first + 1, end + 1):
        share = 1.0 / (times[each] - here)
        slope -= share * values[first]
        for other in range(first + 1, end + 1):
            if other != each:
                share *= (here - times[other]) / (times[each] - times[other])
        slope += share * values[each]
    return slope


@kernel
def choose_start(
    times: Array, values: Array, first: int, tolerance: float, places: IntArray, cubic: Array
) -> tuple[int, float, float]:
    """Find the last sample that a key reaches whose value and slope are free, and these; `places` [5] and `cubic` [7]
    are work."""
    last = len(values) - 1
    fits, fails = min(first + 3, last), last + 1
    v, s = values[first], first_slope(times, values, first, fits)
    step = 4
    while fits + 1 < fails:
        tried = min(fits + step, fails - 1) if fails > last else (fits + fails) // 2
        if span_fits(times, values, first, tried, tolerance, places, cubic):
            fits, step = tried, 2 * step
            v, s = follow_newton(cubic, 0.0)
        else:
            fails = tried
    return fits, v, s


@kernel
def reduce_column(
    times: Array,
    values: Array,
    tolerance: float,
    until: int,
    work: Array,
    state: Array,
    out_frames: IntArray,
    out_keys: Array,
) -> int:
    """Samples, values and slopes of the keys of one coordinate, two samples or more; how many there are.

    Ends behind the last sample, or at the first key from `until` on, and goes on from there when it is called again.
    `work` [4, CORNERS, 2]; `state` [5] is all 0 at first: how many keys there are, the sample, value and slope of the
    next, and how far keys usually reach.
    """
    last = len(values) - 1
    places, cubic = np.empty(5, dtype=np.int32), np.empty(7)
    count, frame, v, s, usual = int(state[0]), int(state[1]), state[2], state[3], state[4]
    if count == 0:
        reached, v, s = choose_start(times, values, 0, tolerance, places, cubic)
        usual = 1.0 * reached
    while True:
        out_frames[count], out_keys[count, 0], out_keys[count, 1] = frame, v, s
        count += 1
        if frame == last:
            return count
        key, next_v, next_s, further = choose_end(times, values, frame, v, s, tolerance, work)
        if further < last and frame + 1 < last and further - frame < 1.5 * usual:
            reached, free_v, free_s = choose_start(times, values, frame + 1, tolerance, places, cubic)
            if reached > further:
                key, next_v, next_s = frame + 1, free_v, free_s
        usual += 0.2 * (key - frame - usual)
        frame, v, s = key, next_v, next_s
        if frame >= until:
            state[0], state[1], state[2], state[3], state[4] = count, frame, v, s, usual
            return count
